//! Adds or removes links between a document and other documents in its collection, at both ends.
//!
//! 1. The write reads the links of the document.
//! 2. The write adds or removes the links with an ordinary update. The effects of this update change the other ends.
//! 3. If a link is already correct at this end, the write passes the change to the effects as if it were made now
//!    (`settle`). As a result, the other end becomes consistent. Test:
//!    `without_a_look_at_the_other_end_a_link_that_is_made_again_stays_at_one_end`.
//! 4. Step 3 changes only the other document, so the write also stores a job for this document. If the other end is
//!    already correct as well, the write stores jobs for both documents. If a concurrent write makes the reverse change
//!    from the other end, that write changes this document, and stores a job for the document at the other end.
//!    Together, the jobs restore a consistent link at both ends. Tests:
//!    `without_the_job_of_the_own_array_a_link_that_is_made_and_ended_is_at_one_end`,
//!    `without_the_job_of_the_own_array_a_link_that_is_ended_comes_back_at_one_end`.
//!
//! New links between documents with a tenant are checked in the same way as references with `exists`. Step 3 checks
//! links that are correct at this end, too, so that it does not add a link to a document of another tenant. Removed links
//! are not checked.
//!
//! A plan does not know the stored array, so it contains the statements for the case in which all links change.

use std::collections::HashSet;

use mongodb::{
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::{UpdateModifications, UpdateOptions},
};

use super::{
    BoundedUpdate, UpdateOneWrite,
    operation::{Common, Operation, Start, Transaction},
    report::UpdateReport,
};
use crate::{
    client::{
        command::FindCommand,
        odm::{Exec, Write as _},
    },
    derived::{
        after_commit::Outcome,
        follow::{Change, Effects, ReferredKeys, follow},
        outbox::{JobEntry, Phase, record_all},
    },
    error::{Error, Result},
    graph::{ExtendedReference, graph},
    model::shape::{ModelLinks, ModelShape},
    mongosh,
    value::{
        key::JoinKey,
        path::{join, projection},
    },
};

/// Whether links are added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkChange {
    Make,
    End,
}

/// A change to the links of one document.
#[derive(Clone, Debug)]
pub(crate) struct LinkWrite {
    /// The update of the document, assuming that all links change.
    pub(crate) update: BoundedUpdate,
    links: ModelLinks,
    id: Bson,
    /// The links to other documents, without repetitions and without the document itself. For a prefix key, the key
    /// that contains the id of the parent.
    others: Vec<Bson>,
    change: LinkChange,
}

impl Operation for LinkWrite {
    type Report = UpdateReport;

    fn common(&self) -> Common<'_> {
        self.update.common()
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpdateReport>> {
        if self.others.is_empty() {
            return Ok(Start::Done(UpdateReport::default()));
        }
        if self.links.shape.separator.is_some() {
            return Ok(Start::Done(self.set_parent(exec).await?));
        }
        self.update.start(Transaction::IfSupported, exec).await
    }

    /// Changes those links of this document that are not correct yet, and updates the other ends of all links.
    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let stored = self.stored(&effects, &exec).await?;
        let has_array = self.has_array(&stored)?;
        let held = self.held(&stored);
        let has = |link: &Bson| self.key_of(link).is_some_and(|key| held.contains(&key));
        let others = self.others.iter().cloned();
        let (having, lacking): (Vec<_>, Vec<_>) = others.partition(has);
        let (changing, settled) = match self.change {
            LinkChange::Make => (lacking, having),
            LinkChange::End => (having, lacking),
        };
        let mut outcome = if changing.is_empty() {
            Outcome::new(UpdateReport::of_one(false))
        } else {
            let operators = if has_array {
                operators(&self.links, &self.id, self.change, &changing)
            } else {
                self.new_array(&changing)
            };
            let update = UpdateOneWrite(self.update.with_update(operators)?);
            Box::pin(update.apply(effects.clone(), exec.clone())).await?
        };
        if exec.is_paper() {
            // A plan does not know the stored array, so it covers the case in which all links change.
            self.follow(&stored, &self.others, &effects, &mut outcome, &exec)
                .await?;
        } else if !settled.is_empty() {
            self.settle(&stored, &settled, &effects, &mut outcome, &exec)
                .await?;
        }
        Ok(outcome)
    }
}

impl LinkWrite {
    pub(crate) fn new(
        model: &'static ModelShape,
        (links, id): (ModelLinks, Bson),
        others: Vec<Bson>,
        change: LinkChange,
    ) -> Result<Self> {
        let mut filter = doc! { "_id": &id };
        if links.shape.separator.is_some() && change == LinkChange::End {
            // The document can have a different parent, which it must keep.
            filter.insert(links.array, others.first().cloned());
        }
        let update = operators(&links, &id, change, &others);
        Ok(Self {
            update: BoundedUpdate::new(model, filter, update, UpdateOptions::default(), None)?,
            links,
            id,
            others,
            change,
        })
    }

    /// Writes the key that contains the id of the parent, with one `update`. If an `unlink` matches nothing, one `find`
    /// determines whether the document exists and has a different parent.
    async fn set_parent(&self, exec: &Exec) -> Result<UpdateReport> {
        let update = UpdateOneWrite(self.update.clone());
        let report = update.run(exec.clone()).await?;
        if report.matched > 0 || exec.is_paper() {
            return Ok(report);
        }
        let by_id = FindCommand::new(self.update.place(), doc! { "_id": &self.id });
        if self.change == LinkChange::End && exec.after_write().any(by_id).await? {
            return Ok(UpdateReport::of_one(false));
        }
        Err(self.not_found())
    }

    fn not_found(&self) -> Error {
        self.update.model.not_found(doc! { "_id": &self.id })
    }

    /// Reads the links of the document with one `find` on `_id`.
    async fn stored(&self, effects: &Effects, exec: &Exec) -> Result<Document> {
        let mut fields = effects.images.projection_with(self.links.array);
        fields.extend(projection(self.update.model.tenant()));
        let find = self.update.find().select(fields);
        let found = exec.documents(find.first()).await?.pop();
        match found {
            Some(_) if exec.is_paper() => Ok(self.on_paper()),
            Some(found) => Ok(found),
            None => Err(self.not_found()),
        }
    }

    /// Returns the document that a plan assumes. This document lacks the links to add, and contains the links to
    /// remove.
    fn on_paper(&self) -> Document {
        let links = match self.change {
            LinkChange::Make => Vec::new(),
            LinkChange::End => self.others.clone(),
        };
        doc! { "_id": &self.id, self.links.kind.field: self.links.kind.value, self.links.array: links }
    }

    fn held(&self, stored: &Document) -> HashSet<JoinKey> {
        let all = stored.get_array(self.links.array);
        let all = all.map_or(&[][..], Vec::as_slice);
        all.iter().filter_map(|link| self.key_of(link)).collect()
    }

    fn key_of(&self, link: &Bson) -> Option<JoinKey> {
        let id = self.links.target_of(link)?;
        Some(JoinKey::from(id.clone()))
    }

    /// Whether the document has an array of links. Documents from a program without `#[links]` do not have the array.
    fn has_array(&self, stored: &Document) -> Result<bool> {
        match stored.get(self.links.array) {
            Some(Bson::Array(_)) => Ok(true),
            None | Some(Bson::Null) => Ok(false),
            Some(other) => Err(Error::invalid(format!(
                "`{}.{}` of the document with the `_id` {} is {}, not an array; `$unset` it, and call `link` again",
                self.update.model.name,
                self.links.array,
                mongosh::value(&self.id),
                mongosh::value(other)
            ))
            .in_model(self.update.model)),
        }
    }

    /// Creates the array with a link from the document to itself, as an insert does.
    fn new_array(&self, others: &[Bson]) -> UpdateModifications {
        let own = self.links.link_to(&self.id);
        let links: Vec<Bson> = [own].iter().chain(others).cloned().collect();
        doc! { "$set": { self.links.array: links } }.into()
    }

    /// Updates the other ends of links that are already correct at this end.
    ///
    /// This function also stores the job for this document. If a concurrent write makes the reverse change and does not
    /// conflict with this write, the jobs of both writes restore a consistent link at both ends (step 4 in the module
    /// head).
    async fn settle(
        &self,
        stored: &Document,
        settled: &[Bson],
        effects: &Effects,
        outcome: &mut Outcome<UpdateReport>,
        exec: &Exec,
    ) -> Result<()> {
        self.check_settled(stored, settled, effects, exec).await?;
        self.follow(stored, settled, effects, outcome, exec).await?;
        let own = graph().copied_into(self.update.model.documents());
        let own = own.filter(|reference| self.belongs_to(reference));
        let id = JoinKey::from(self.id.clone());
        let jobs: Vec<_> = own
            .flat_map(|reference| JobEntry::of_reference(reference, [&id], Phase::Settle))
            .collect();
        record_all(&jobs, exec).await
    }

    /// Checks the tenants of the documents at the other ends. A link to a document that no longer exists can be removed.
    async fn check_settled(
        &self,
        stored: &Document,
        settled: &[Bson],
        effects: &Effects,
        exec: &Exec,
    ) -> Result<()> {
        let existing = &effects.existing;
        if existing.is_empty() || self.change == LinkChange::End {
            return Ok(());
        }
        let mut linked = stored.clone();
        linked.insert(self.links.array, settled);
        let linked = RawDocumentBuf::try_from(&linked).map_err(mongodb::error::Error::from)?;
        let none = ReferredKeys::default();
        let referred = existing.held([&*linked]);
        existing.require(&none, &referred, exec).await
    }

    /// Updates the other ends as if the given links were added or removed now.
    async fn follow(
        &self,
        stored: &Document,
        some: &[Bson],
        effects: &Effects,
        outcome: &mut Outcome<UpdateReport>,
        exec: &Exec,
    ) -> Result<()> {
        let changes = self.changes_of(stored, some, effects);
        let how = self.update.fan_out.how;
        let followed = follow(changes, how, exec).await?;
        outcome.followed.extend(followed);
        Ok(())
    }

    /// Lists the changes of this document as if the given links were added or removed now.
    fn changes_of(&self, stored: &Document, some: &[Bson], effects: &Effects) -> Vec<Change> {
        let keys: HashSet<_> = some.iter().filter_map(|link| self.key_of(link)).collect();
        let all = stored.get_array(self.links.array);
        let mut links = all.cloned().unwrap_or_default();
        links.retain(|link| self.key_of(link).is_none_or(|key| !keys.contains(&key)));
        let (mut with, mut without) = (stored.clone(), stored.clone());
        without.insert(self.links.array, links.clone());
        links.extend_from_slice(some);
        with.insert(self.links.array, links);
        let (before, after) = match self.change {
            LinkChange::Make => (without, with),
            LinkChange::End => (with, without),
        };
        let of = self.update.model.documents();
        Change::of_source(of, &effects.images, Some(&before), Some(&after))
    }

    fn belongs_to(&self, reference: &ExtendedReference) -> bool {
        let path = join(self.links.array, self.links.shape.target);
        reference.links.is_some() && reference.source_key == path
    }
}

/// Returns the update that adds links to the document with the given id, or removes them.
fn operators(
    links: &ModelLinks,
    id: &Bson,
    change: LinkChange,
    others: &[Bson],
) -> UpdateModifications {
    let array = links.array;
    if links.shape.separator.is_some() {
        let key = match change {
            LinkChange::Make => others.first().cloned().unwrap_or(Bson::Null),
            LinkChange::End => links.link_to(id),
        };
        return doc! { "$set": { array: key } }.into();
    }
    let operators = match change {
        LinkChange::Make => doc! { "$push": { array: { "$each": others } } },
        LinkChange::End => {
            let ids = others.iter().filter_map(|link| links.target_of(link));
            let among = doc! { "$in": ids.cloned().collect::<Vec<_>>() };
            match links.shape.target {
                "" => doc! { "$pull": { array: among } },
                target => doc! { "$pull": { array: { target: among } } },
            }
        }
    };
    operators.into()
}
