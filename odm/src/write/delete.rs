//! Deletes documents, with what the references to them say.

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, Document, doc},
    options::DeleteOptions,
};

use super::after::Outcome;
use crate::{
    command::{self, Find},
    copy::{CopyReport, Images, graph, key_condition},
    effects::{self, FanOut, Follow},
    error::Result,
    odm::{Exec, Write},
    place::Place,
    shape::{ModelShape, OnDelete},
};

/// How many documents one transaction deletes.
const AT_ONCE: u32 = 500;

/// What a delete did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeleteReport {
    /// How many documents were removed.
    pub deleted: u64,
    /// What it did to the copies of the documents, for each relation.
    pub copies: Vec<CopyReport>,
}

/// A delete of the documents that match, or of the first of them.
#[derive(Clone, Debug)]
pub(crate) struct Delete {
    pub(crate) model: &'static ModelShape,
    pub(crate) filter: Document,
    pub(crate) many: bool,
    pub(crate) options: DeleteOptions,
    pub(crate) fan_out: FanOut,
}

impl Write for Delete {
    type Report = DeleteReport;

    fn model(&self) -> &'static ModelShape {
        self.model
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<DeleteReport>> {
        Box::pin(async move {
            if self.concerns_others(&exec).await? {
                return self.with_others(&exec).await;
            }
            let deleted = exec
                .send(command::Delete {
                    place: Place::of(self.model),
                    filter: self.filter,
                    many: self.many,
                    options: self.options,
                })
                .await?;
            Ok(DeleteReport {
                deleted,
                copies: Vec::new(),
            })
        })
    }
}

impl Delete {
    /// Whether documents elsewhere copy these, or refer to them with something to do.
    async fn concerns_others(&self, exec: &Exec) -> Result<bool> {
        let collection = self.model.collection;
        graph().check(collection)?;
        let mut rules = graph().rules(collection);
        Ok(!Images::of(collection).is_empty()
            || rules.any(|rule| rule.policy != OnDelete::Keep)
            || !exec.foreign(collection).await?.is_empty())
    }

    async fn with_others(self, exec: &Exec) -> Result<DeleteReport> {
        if !exec.is_paper() {
            let references = Images::of(self.model.collection).references;
            exec.odm()
                .ready_for(&references, self.fan_out.force)
                .await?;
        }
        let fan_out = self.fan_out.clone();
        if exec.in_transaction() || fan_out.how == Follow::Atomic || !self.many {
            let outcome = exec.together(self, Self::part).await?;
            return Ok(report(outcome, &fan_out, exec).await);
        }
        let mut total = DeleteReport::default();
        let mut batches = exec.open(self.ids().batches_of(AT_ONCE)).await?;
        while let Some(ids) = batches.next_ids().await? {
            if ids.is_empty() {
                continue;
            }
            let mut part = self.clone();
            // Those that still match when they are deleted.
            part.filter = doc! { "$and": [{ "_id": key_condition(&ids) }, part.filter] };
            let outcome = exec.together(part, Self::part).await?;
            let part = report(outcome, &fan_out, exec).await;
            total.deleted += part.deleted;
            for copies in part.copies {
                copies.merge_into(&mut total.copies);
            }
        }
        Ok(total)
    }

    /// Returns what finds the ids of the documents.
    fn ids(&self) -> Find {
        let mut find = Find::new(Place::of(self.model), self.filter.clone()).ids();
        find.options.collation.clone_from(&self.options.collation);
        find.options.hint.clone_from(&self.options.hint);
        find.options.let_vars.clone_from(&self.options.let_vars);
        find
    }

    async fn part(self, exec: Exec) -> Result<Outcome<u64>> {
        let find = if self.many {
            self.ids().all()
        } else {
            self.ids().first()
        };
        let ids: Vec<Bson> = exec.ids(find).await?;
        if ids.is_empty() {
            return Ok(Outcome::of(0));
        }
        let place = Place::of(self.model);
        let (deleted, followed) = effects::delete(&place, ids, self.fan_out.how, &exec).await?;
        let mut outcome = Outcome::of(deleted);
        outcome.followed = followed;
        Ok(outcome)
    }
}

async fn report(outcome: Outcome<u64>, fan_out: &FanOut, exec: &Exec) -> DeleteReport {
    let (deleted, copies) = outcome.finish(fan_out, exec).await;
    DeleteReport { deleted, copies }
}
