//! What the documents hold apart from copies: a model without a database.

use std::collections::BTreeMap;

use super::history::{Kind, Refs, Write};

/// One document without its copies.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub name: String,
    pub number: i64,
    pub refs: Refs,
}

/// All documents without their copies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct World(pub BTreeMap<(Kind, i64), Row>);

/// Structs that were loaded some time ago.
pub(super) type Loaded = BTreeMap<(Kind, i64), Row>;

impl World {
    /// Does what writes do together; returns the state after it, or none if they are refused.
    pub(super) fn after(&self, writes: &[Write], loaded: &Loaded) -> Option<Self> {
        let mut next = self.clone();
        for write in writes {
            next.apply(write, loaded)?;
        }
        Some(next)
    }

    fn apply(&mut self, write: &Write, loaded: &Loaded) -> Option<()> {
        match write {
            Write::Insert(kind, id, row) => {
                if self.0.contains_key(&(*kind, *id)) {
                    return None;
                }
                self.0.insert((*kind, *id), kind.keeps(row));
            }
            Write::Rename(kind, id, name) => {
                self.edit(*kind, *id, |row| row.name.clone_from(name));
            }
            Write::RenameAll(kind, name) => {
                for ((other, _), row) in &mut self.0 {
                    if other == kind {
                        row.name.clone_from(name);
                    }
                }
            }
            Write::Number(kind, id, number) => self.edit(*kind, *id, |row| row.number = *number),
            Write::Gather(maker) => {
                for ((kind, _), row) in &mut self.0 {
                    if *kind == Kind::Item {
                        row.refs = vec![Some(*maker)];
                    }
                }
            }
            Write::Relink(kind, id, refs) => {
                self.edit(*kind, *id, |row| row.refs = kind.refs(refs));
            }
            Write::Push(id, item) => self.edit(Kind::Kit, *id, |row| row.refs.push(Some(*item))),
            Write::Pull(id, item) => {
                self.edit(Kind::Kit, *id, |row| {
                    row.refs.retain(|it| *it != Some(*item));
                });
            }
            Write::Save(kind, id) => {
                if let Some(row) = loaded.get(&(*kind, *id)) {
                    self.0.insert((*kind, *id), row.clone());
                }
            }
            Write::Delete(kind, id) => {
                self.0.remove(&(*kind, *id));
            }
            Write::Upsert(kind, id, name) => {
                let row = self.0.entry((*kind, *id));
                let row = row.or_insert_with(|| kind.keeps(&Row::default()));
                row.name.clone_from(name);
            }
            // What goes with others is looked at by itself.
            Write::Plant(..) | Write::Move(..) | Write::Fell(_) => {}
        }
        Some(())
    }

    fn edit(&mut self, kind: Kind, id: i64, change: impl FnOnce(&mut Row)) {
        if let Some(row) = self.0.get_mut(&(kind, id)) {
            change(row);
        }
    }
}
