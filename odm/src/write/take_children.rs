//! Stores one document's key as the reference in many documents.
//!
//! This write is an update of many documents. In the same transaction, earlier reads detect missing documents and check
//! that the array has room.

use std::collections::HashSet;

use mongodb::{
    bson::{Bson, Document, doc},
    options::CountOptions,
};

use super::{
    BoundedUpdate,
    hooked_update::update_each,
    operation::{Common, Operation, Start, Transaction},
    report::UpdateReport,
    send_updates::update_documents,
};
use crate::{
    client::{
        command::{CountCommand, simple},
        odm::Exec,
        place::Place,
    },
    derived::{
        after_commit::Outcome,
        follow::Effects,
        values::{Image, key_condition},
    },
    error::Result,
    model::{array_bound::Bound, shape::ModelShape},
    value::{
        key::{JoinKey, any_of},
        path::value_at,
    },
};

/// An update that stores one document's key in all of the given documents, or in none.
#[derive(Clone, Debug)]
pub(crate) struct TakeWrite {
    pub(crate) update: BoundedUpdate,
    /// The `_id`s of the documents, without repetitions.
    pub(crate) ids: Vec<Bson>,
    pub(crate) taker: Taker,
}

/// The document that the given documents will refer to.
#[derive(Clone, Debug)]
pub(crate) struct Taker {
    pub(crate) model: &'static ModelShape,
    pub(crate) bound: Option<Bound>,
    /// The stored path of the reference in the given documents.
    pub(crate) path: String,
    pub(crate) key: Bson,
}

impl Operation for TakeWrite {
    type Report = UpdateReport;

    fn common(&self) -> Common<'_> {
        self.update.common()
    }

    async fn start(&self, exec: &Exec) -> Result<Start<UpdateReport>> {
        if self.ids.is_empty() {
            return Ok(Start::Done(UpdateReport::default()));
        }
        self.update.start(Transaction::IfSupported, exec).await
    }

    /// Reads the documents, checks that the array has room, and updates those documents that do not yet have the new
    /// parent's key.
    async fn apply(self, effects: Effects, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let matched = self.ids.len() as u64;
        let all = |mut report: UpdateReport| {
            report.matched = matched;
            report
        };
        let (own, before) = self.images(&effects, &exec).await?;
        let others = without(&self.ids, &own.iter().filter_map(id_of).collect());
        if others.is_empty() {
            return Ok(Outcome::new(all(UpdateReport::default())));
        }
        self.refuse_without_room(others.len(), &exec).await?;
        if let Some(hooks) = self.update.hooks() {
            let updated = update_each(&hooks, self.update, &others, &exec);
            return Ok(Box::pin(updated).await?.map(all));
        }
        let update = update_documents(self.update, effects, (others, before), exec);
        Ok(Box::pin(update).await?.map(all))
    }
}

impl TakeWrite {
    /// Returns two lists of images: those of the documents that already have this key, and those of the other
    /// documents. Sends one `find`. Fails if a document is missing.
    async fn images(&self, effects: &Effects, exec: &Exec) -> Result<(Vec<Image>, Vec<Image>)> {
        let fields = effects.images.projection_with(&self.taker.path);
        let mut find = self.update.find().select(fields);
        find.filter = doc! { "_id": key_condition(&self.ids) };
        let found = exec.documents(find.all()).await?;
        if !exec.is_paper() {
            self.refuse_missing(&found)?;
        }
        let key = JoinKey::from(self.taker.key.clone());
        let is_own = |image: &Image| {
            let stored = value_at(image, &self.taker.path);
            stored.is_some_and(|stored| JoinKey::from(stored.clone()) == key)
        };
        Ok(found.into_iter().partition(is_own))
    }

    fn refuse_missing(&self, found: &[Document]) -> Result<()> {
        let found: HashSet<JoinKey> = found.iter().filter_map(id_of).collect();
        let keys = without(&self.ids, &found);
        if keys.is_empty() {
            return Ok(());
        }
        Err(self.update.model.not_found(doc! { "_id": { "$in": keys } }))
    }

    /// Fails if the array lacks room for this number of additional documents. Sends one `aggregate` if the array has a
    /// `max`.
    ///
    /// The aggregation counts references instead of elements, because the array can be stale.
    async fn refuse_without_room(&self, more: usize, exec: &Exec) -> Result<()> {
        let Some(bound) = &self.taker.bound else {
            return Ok(());
        };
        let has = exec.send(self.count()).await?;
        let len = usize::try_from(has)
            .unwrap_or(usize::MAX)
            .saturating_add(more);
        if exec.is_paper() || bound.allows(len) {
            return Ok(());
        }
        Err(bound.exceeded(self.taker.model, None, Some(len)))
    }

    /// Returns the command that counts the documents that already refer to this document. Deleted documents also count,
    /// because the array keeps their keys.
    fn count(&self) -> CountCommand {
        let Taker { path, key, .. } = &self.taker;
        let mut options = CountOptions::default();
        options.collation = JoinKey::from(key.clone()).has_collation().then(simple);
        options.comment.clone_from(&self.update.options.comment);
        CountCommand {
            place: Place::of(self.update.model).for_tenant_of_handle(),
            filter: any_of(path, vec![key.clone()]),
            options,
        }
    }
}

/// Returns the ids that are not in `keys`.
fn without(ids: &[Bson], keys: &HashSet<JoinKey>) -> Vec<Bson> {
    let others = ids
        .iter()
        .filter(|id| !keys.contains(&JoinKey::from((*id).clone())));
    others.cloned().collect()
}

fn id_of(document: &Document) -> Option<JoinKey> {
    document.get("_id").cloned().map(JoinKey::from)
}
