//! Performs a write in memory, in plain steps.

mod checks;
mod delete;
mod given;
pub mod life;
mod links;
mod mirror;
mod update;

use mongo_odm::bson::{Bson, Document};

use crate::{
    compose::{HANDLES, TENANTS},
    declaration::{CopyOf, Declaration, Field, What},
    derive::{derive, source_key},
    program::{Call, Follow, Relate, Verb, Write},
    world::{World, each_struct, key, keys},
};

pub use update::Unclear;

/// The reason why a write is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the errors")]
pub enum Refusal {
    Duplicate,
    Deleted,
    Conflict,
    /// A document of a different tenant, or an array that exceeds its bound.
    Invalid,
    Restricted,
    Bound,
    NoTarget,
    Missing,
    Reassigned,
    /// The source of a required copy does not exist, so the document could not be decoded.
    Unreadable,
    /// At least two of these: an array exceeds its bound, a target is missing, a required copy is missing.
    OneOf,
    /// The documentation does not say whether the write is rejected.
    Unclear,
}

impl From<Unclear> for Refusal {
    fn from(_: Unclear) -> Self {
        Self::Unclear
    }
}

/// A state, and the program and call that change it.
struct Doing<'d> {
    all: &'d Declaration,
    /// The declaration of the program that writes.
    own: &'d Declaration,
    world: World,
    model: usize,
    follow: Follow,
    /// The tenant of the handle; `None` for all tenants.
    tenant: Option<&'static str>,
}

/// Returns the state after a call of a program, when all programs have run their jobs.
///
/// # Errors
///
/// If the call is rejected; the value is the reason.
pub fn after(
    all: &Declaration,
    own: &Declaration,
    world: &World,
    call: &Call,
) -> Result<World, Refusal> {
    given::check(all, world, call)?;
    let mut doing = Doing {
        all,
        own,
        world: world.clone(),
        model: call.model,
        follow: call.follow,
        tenant: TENANTS[call.handle % HANDLES],
    };
    doing.write(&call.write)?;
    derive(all, &mut doing.world);
    let copies = match &call.write {
        Write::Upsert(id, _) if world.get(call.model, *id).is_none() => doing.check_copies(*id),
        _ => Ok(()),
    };
    let refusals = [doing.check_bounds(), copies, doing.check_targets(world)];
    let refusals: Vec<Refusal> = refusals.into_iter().filter_map(Result::err).collect();
    match refusals.as_slice() {
        [] => Ok(doing.world),
        [one] => Err(*one),
        _ => Err(Refusal::OneOf),
    }
}

impl Doing<'_> {
    fn write(&mut self, write: &Write) -> Result<(), Refusal> {
        match write {
            Write::Insert(document) => self.insert(document),
            Write::InsertMany(documents, _) => documents.iter().try_for_each(|it| self.insert(it)),
            Write::Save(document) => self.save(document, true),
            Write::Replace(document) => self.save(document, false),
            Write::Pipeline(_, changes) if self.is_past_hook(changes) => Err(Refusal::Unclear),
            Write::Update(id, changes) | Write::Pipeline(id, changes) => self.update(*id, changes),
            Write::UpdateMany(filter, changes) => self
                .matching(filter)
                .into_iter()
                .try_for_each(|id| self.update(id, changes)),
            Write::FindAndUpdate(filter, changes) => {
                let first = self.matching(filter).first().copied();
                first.map_or(Ok(()), |id| self.update(id, changes))
            }
            Write::Upsert(id, changes) => self.upsert(*id, changes),
            Write::Delete(id) => self.delete(vec![*id]),
            Write::DeleteMany(filter) => self.delete(self.matching(filter)),
            Write::Restore(id) => {
                self.restore(*id);
                Ok(())
            }
            Write::Purge(id) => self.purge(vec![*id]),
            Write::PurgeMany(filter) => self.purge(self.matching_all(filter)),
            Write::Relate(call) => self.relate(call),
        }
    }

    fn insert(&mut self, document: &Document) -> Result<(), Refusal> {
        let id = key(document.get("_id")).unwrap_or_default();
        if self.world.get(self.model, id).is_some() {
            return Err(Refusal::Duplicate);
        }
        let mut document = document.clone();
        self.stamp_new(&mut document);
        self.take_snapshots(&mut document);
        self.put(id, &document);
        self.complete_links(id);
        self.add_own_link(id);
        Ok(())
    }

    fn save(&mut self, document: &Document, inserts: bool) -> Result<(), Refusal> {
        let id = key(document.get("_id")).unwrap_or_default();
        let stored = self.visible(id);
        let checked = self.check_version(document, stored);
        if let Some(stored) = stored {
            checked?;
            let mut document = self.with_derived_of(stored, document);
            self.stamp_saved(&mut document, stored);
            self.put(id, &document);
            return Ok(());
        }
        match (self.hidden(id), checked) {
            (Some(Refusal::Deleted), _) => Err(Refusal::Deleted),
            (_, Err(refusal)) => Err(refusal),
            (Some(refusal), Ok(())) if inserts => Err(refusal),
            (None, Ok(())) if inserts => self.insert(document),
            _ => Ok(()),
        }
    }

    /// Keeps the stored links and arrays that follow references, because saving a struct does not change them.
    fn with_derived_of(&self, stored: &Document, document: &Document) -> Document {
        let mut document = document.clone();
        for field in &self.all.model(self.model).fields {
            if let (What::Follows(..) | What::Links(_), Some(ids)) =
                (&field.what, stored.get(&field.stored))
            {
                document.insert(&field.stored, ids.clone());
            }
        }
        document
    }

    fn relate(&mut self, call: &Relate) -> Result<(), Refusal> {
        let id = key(call.of.get("_id")).unwrap_or_default();
        let field = self.all.model(self.model).field(&call.field).clone();
        let (verb, ids) = (call.verb, call.ids.as_slice());
        if let (Verb::Take, What::Follows(child, _)) = (verb, &field.what) {
            self.take(id, child.model, &child.via, ids)?;
            return self.check_room(id, &field);
        }
        if let What::Links(_) = field.what {
            return self.link(id, call);
        }
        let Some(mut document) = self.visible(id).cloned() else {
            return if verb == Verb::Reassign {
                Err(Refusal::Missing)
            } else {
                Ok(())
            };
        };
        let mut linked = keys(&field, &document);
        match verb {
            Verb::Link => {
                for id in ids {
                    if !linked.contains(id) {
                        linked.push(*id);
                    }
                }
            }
            Verb::Unlink => linked.retain(|it| !ids.contains(it)),
            Verb::Reassign => {
                if key(call.of.get(&field.stored)) != key(document.get(&field.stored)) {
                    return Err(Refusal::Reassigned);
                }
                let to = ids.first().map_or(Bson::Null, |id| Bson::Int64(*id));
                if key(Some(&to)) != key(document.get(&field.stored)) {
                    life::touch(self.all.model(self.model), &mut document);
                }
                document.insert(&field.stored, to);
                self.put(id, &document);
                return Ok(());
            }
            Verb::Take => {}
        }
        // The call updates only the document with the method; the documents at the other ends do not count as updated.
        life::touch(self.all.model(self.model), &mut document);
        document.insert(&field.stored, linked);
        self.put(id, &document);
        Ok(())
    }

    /// Changes the owner of all given documents, or of none.
    fn take(&mut self, owner: i64, model: usize, via: &str, ids: &[i64]) -> Result<(), Refusal> {
        let children = Doing {
            model,
            world: self.world.clone(),
            ..*self
        };
        if ids.iter().any(|id| children.visible(*id).is_none()) {
            return Err(Refusal::Missing);
        }
        let stored = self.all.model(model).field(via).stored.clone();
        for id in ids {
            if let Some(document) = self.world.0.get_mut(&(model, *id)) {
                if key(document.get(&stored)) != Some(owner) {
                    life::touch(self.all.model(model), document);
                }
                document.insert(&stored, owner);
            }
        }
        Ok(())
    }

    /// Copies the sources of a new document's snapshots into it.
    fn take_snapshots(&self, document: &mut Document) {
        let fields = &self.all.model(self.model).fields;
        each_struct(fields, document, &mut |fields, part| {
            self.take_in(fields, part);
        });
    }

    /// Copies the sources of the snapshots in one struct into it.
    fn take_in(&self, fields: &[Field], part: &mut Document) {
        if self.follow != Follow::KeepSnapshots {
            self.fill(fields, part, |copy| copy.snapshot);
        }
    }

    /// Copies the sources of the chosen copies in one struct into it.
    fn fill(&self, fields: &[Field], part: &mut Document, is_taken: fn(&CopyOf) -> bool) {
        for field in fields {
            let What::Copy(copy) = &field.what else {
                continue;
            };
            let source = source_key(self.all, copy, part).filter(|_| is_taken(copy));
            let Some(source) = source.and_then(|key| self.world.get(copy.model, key)) else {
                continue;
            };
            match source.get(&self.all.model(copy.model).field(&copy.field).stored) {
                Some(value) => _ = part.insert(&field.stored, value.clone()),
                None => _ = part.remove(&field.stored),
            }
        }
    }
}
