//! The copies inside the documents that are being written.

mod documents;
mod operand;

use mongodb::{
    bson::{Bson, RawDocument, doc},
    options::UpdateModifications,
};

pub(crate) use documents::{differs, keys_in};
use documents::{filled, id_of};

use super::{awaited_source::expect, copies::write_within, recheck::Written};
use crate::{
    command::Rows,
    copy::{Source, Tie, graph, resolve, update_of, written_paths},
    error::{Error, Result},
    odm::Exec,
    path::{covers, overlap},
};

/// The ties whose copies a write brings into its own documents.
#[derive(Clone, Debug)]
pub(crate) struct InboundCopies {
    pub(crate) ties: Vec<&'static Tie>,
}

/// What the correction of a stored document did.
#[derive(Debug, Default)]
pub(crate) struct Corrected {
    pub(crate) written: Vec<Written>,
    /// Whether the document is another one now.
    pub(crate) changed: bool,
}

impl InboundCopies {
    /// Lists the ties with copies in a collection.
    pub(crate) fn of(collection: &str) -> Self {
        Self {
            ties: graph().within(collection).collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ties.is_empty()
    }

    /// Keeps the ties whose keys or copies an update can concern.
    pub(crate) fn touched_by(mut self, update: &UpdateModifications) -> Self {
        if let UpdateModifications::Document(operators) = update {
            let written = written_paths(operators);
            let touched = |path: &str| written.iter().any(|written| overlap(written, path));
            self.ties.retain(|tie| {
                touched(&tie.key_path()) || tie.copy_paths().any(|copy| touched(&copy))
            });
        }
        self
    }

    /// Lists the ties that copy these copies in turn.
    pub(crate) fn followers(&self) -> Vec<&'static Tie> {
        let feeding = self.ties.iter().filter(|tie| tie.has_followers);
        feeding.flat_map(|tie| tie.followers()).collect()
    }

    /// Refuses an update that writes to a copy and not to its key.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] with the source to be written instead.
    pub(crate) fn refuse_direct(&self, update: &UpdateModifications) -> Result<()> {
        let UpdateModifications::Document(operators) = update else {
            return Ok(());
        };
        let mut operators = operators.clone();
        // An upsert needs every field of the struct; what it says about a copy is put right.
        operators.remove("$setOnInsert");
        let written = written_paths(&operators);
        for tie in &self.ties {
            let key = tie.key_path();
            if written.iter().any(|written| overlap(written, &key)) {
                continue;
            }
            for (copied, path) in tie.fields.iter().zip(tie.copy_paths()) {
                if written.iter().any(|written| covers(&path, written)) {
                    return Err(Error::Invalid(format!(
                        "`{}.{path}` is a copy of `{source}.{}`; update the `{source}`, and the copy \
                         follows",
                        tie.target.name,
                        copied.from,
                        source = tie.source.name
                    )));
                }
            }
        }
        Ok(())
    }

    /// Gives the copies in documents that are to be written whole the values of their sources: one `find`
    /// for each tie that has keys. Returns what is to be looked at once more after the commit.
    pub(crate) async fn fill(&self, rows: &mut Rows, exec: &Exec) -> Result<Vec<Written>> {
        let mut written = Vec::new();
        for tie in &self.ties {
            let keys = keys_in(tie, rows.iter().map(|raw| &**raw));
            exec.note(|| format!("the values of {}", tie.name));
            let resolved = resolve(tie, keys.iter().cloned(), exec).await?;
            expect(tie, &keys, &resolved, exec).await?;
            rows.change(|document| filled(tie, &resolved, document))?;
            if !keys.is_empty() {
                written.push(Written {
                    tie,
                    ids: rows.iter().filter_map(|raw| id_of(raw)).collect(),
                    keys,
                    resolved,
                });
            }
        }
        Ok(written)
    }

    /// Prepares an update that touches copies: one `find` for each tie whose keys it brings, and their
    /// values put into it.
    pub(crate) async fn prepare(
        &self,
        update: &mut UpdateModifications,
        exec: &Exec,
    ) -> Result<Prepared> {
        let mut prepared = Prepared::default();
        for tie in &self.ties {
            let known = operand::complete(tie, update, exec).await?;
            prepared.0.push(known);
        }
        Ok(prepared)
    }
}

/// What an update says about the copies in the documents that it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared(Vec<operand::Known>);

impl Prepared {
    /// Whether the updated documents need no look.
    pub(crate) fn is_complete(&self) -> bool {
        self.0.iter().all(|known| known.complete)
    }

    /// Returns what is to be looked at once more after the commit.
    pub(crate) fn written(self, ids: &[Bson]) -> Vec<Written> {
        let known = self.0.into_iter();
        known
            .filter_map(|known| {
                Some(Written {
                    tie: known.tie,
                    ids: ids.to_vec(),
                    keys: known.keys.filter(|keys| !keys.is_empty())?,
                    resolved: known.resolved,
                })
            })
            .collect()
    }

    /// Gives the copies of one updated document the values of their sources, where the update did not:
    /// an `update` where a copy differs, and a `find` where only the document tells its keys.
    pub(crate) async fn correct(&self, document: &RawDocument, exec: &Exec) -> Result<Corrected> {
        let mut corrected = Corrected::default();
        let Some(id) = id_of(document) else {
            return Ok(corrected);
        };
        for known in &self.0 {
            let tie = known.tie;
            let (keys, resolved) = if let Some(keys) = &known.keys {
                (keys.clone(), known.resolved.clone())
            } else {
                let keys = keys_in(tie, [document]);
                let resolved = resolve(tie, keys.iter().cloned(), exec).await?;
                expect(tie, &keys, &resolved, exec).await?;
                (keys, resolved)
            };
            if !known.complete && differs(tie, &resolved, document) {
                corrected.changed = true;
                let only = doc! { "_id": id.clone() };
                write_within(tie, &keys, &resolved, &only, exec).await?;
                if let Some(empty) = update_of(tie, &[Bson::Null], Source::NoKey) {
                    exec.send(empty.and(only)).await?;
                }
            }
            if !keys.is_empty() {
                let ids = vec![id.clone()];
                corrected.written.push(Written {
                    tie,
                    ids,
                    keys,
                    resolved,
                });
            }
        }
        Ok(corrected)
    }
}
