//! Deletes documents, with what the references to them say.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Document, doc},
    options::{DeleteOptions, WriteConcern},
};

use super::{after::Outcome, id_batches::IdBatches};
use crate::{
    client::{
        command::{self, FindCommand},
        odm::{Exec, Write},
        place::Place,
    },
    derived::{
        follow::{self, FanOut, Follow, Going},
        outbox::Token,
        values::{CascadeReport, CopyReport, Images, key_condition},
    },
    error::{Error, Result},
    graph::graph,
    model::shape::{ModelShape, OnDelete},
};

/// How many documents one transaction deletes.
const AT_ONCE: u32 = 500;

/// What a delete did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DeleteReport {
    /// How many of the documents that the call was about were removed.
    pub deleted: u64,
    /// What it did to the documents that referred to them, for each model (`on_delete`).
    pub cascaded: Vec<CascadeReport>,
    /// What it did to the copies of the documents, for each relation.
    pub copies: Vec<CopyReport>,
    pub(super) token: Token,
}

impl DeleteReport {
    /// Returns what the write has left to be done later; [`Odm::wait`](crate::Odm::wait) waits for it.
    pub const fn token(&self) -> &Token {
        &self.token
    }
}

/// A delete of the documents that match, or of the first of them.
#[derive(Clone, Debug)]
pub(crate) struct DeleteWrite {
    pub(crate) model: &'static ModelShape,
    pub(crate) filter: Document,
    pub(crate) many: bool,
    pub(crate) options: DeleteOptions,
    pub(crate) fan_out: FanOut,
}

impl Write for DeleteWrite {
    type Report = DeleteReport;

    fn model(&self) -> &'static ModelShape {
        self.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        self.options.write_concern.as_ref()
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<DeleteReport>> {
        Box::pin(async move {
            if self.concerns_others(&exec).await? {
                return self.with_others(&exec).await;
            }
            let deleted = exec
                .send(command::DeleteCommand {
                    place: Place::of(self.model),
                    filter: self.filter,
                    many: self.many,
                    options: self.options,
                })
                .await?;
            Ok(DeleteReport {
                deleted,
                ..DeleteReport::default()
            })
        })
    }
}

impl DeleteWrite {
    /// Whether documents elsewhere copy these, or refer to them with something to do.
    async fn concerns_others(&self, exec: &Exec) -> Result<bool> {
        graph().check(self.model.collection)?;
        let documents = self.model.documents();
        let mut rules = graph().rules(documents);
        Ok(!Images::of(documents).is_empty()
            || rules.any(|rule| rule.policy != OnDelete::Keep)
            || !exec.foreign(documents).await?.is_empty())
    }

    async fn with_others(self, exec: &Exec) -> Result<DeleteReport> {
        if !exec.is_paper() {
            let references = Images::of(self.model.documents()).references;
            exec.odm()
                .ready_for(&references, self.fan_out.force)
                .await?;
        }
        if exec.in_transaction() || self.fan_out.how == Follow::Atomic || !self.many {
            return self.part(Arc::default(), exec).await;
        }
        let mut total = DeleteReport::default();
        match self.in_parts(&mut total, exec).await {
            Err(error) if total.deleted > 0 => Err(total.before(error, self.model)),
            done => done.map(|()| total),
        }
    }

    /// Deletes the documents part by part, each in a transaction of its own. Where there are several,
    /// references that forbid the delete of any document are looked for before the first part.
    async fn in_parts(&self, total: &mut DeleteReport, exec: &Exec) -> Result<()> {
        let mut batches = IdBatches::open(self.find(), AT_ONCE, exec).await?;
        let mut next = batches.next().await?;
        let mut also = None;
        while let Some(ids) = next {
            next = batches.next().await?;
            let is_last = next.as_ref().is_none_or(Vec::is_empty);
            let also = match &mut also {
                Some(also) => also,
                None if is_last => also.insert(Arc::default()),
                None => {
                    let all = follow::look_ahead(self.model, &self.find(), exec).await?;
                    also.insert(Arc::new(all))
                }
            };
            if ids.is_empty() {
                continue;
            }
            let mut part = self.clone();
            exec.note(|| self.note_of_parts());
            // Those that still match when they are deleted.
            part.filter = doc! { "$and": [{ "_id": key_condition(&ids) }, part.filter] };
            total.add(part.part(Arc::clone(also), exec).await?);
        }
        Ok(())
    }

    /// Returns what a plan, which is that of one part, says of several.
    fn note_of_parts(&self) -> String {
        let look = if follow::is_restricted(self.model.documents()) {
            "; where there are more, references that forbid it are looked for before the first"
        } else {
            ""
        };
        format!("for each {AT_ONCE} documents{look}")
    }

    /// Returns what finds the documents.
    fn find(&self) -> FindCommand {
        let mut find = FindCommand::new(Place::of(self.model), self.filter.clone());
        find.options.collation.clone_from(&self.options.collation);
        find.options.hint.clone_from(&self.options.hint);
        find.options.let_vars.clone_from(&self.options.let_vars);
        find.options.comment.clone_from(&self.options.comment);
        find
    }

    /// Deletes documents in one transaction; `also` are those that other parts delete.
    async fn part(self, also: Arc<Going>, exec: &Exec) -> Result<DeleteReport> {
        let fan_out = self.fan_out.clone();
        let run = |(delete, also): (Self, Arc<Going>), exec: Exec| async move {
            let find = delete.find();
            let find = if delete.many {
                find.all()
            } else {
                find.first()
            };
            let how = delete.fan_out.how;
            let (deleted, followed) = follow::delete(delete.model, find, how, &also, &exec).await?;
            let mut outcome = Outcome::of(deleted);
            outcome.followed = followed;
            Ok(outcome)
        };
        let outcome = exec.together((self, also), run).await?;
        let (deleted, done) = outcome.finish(&fan_out, exec).await;
        Ok(DeleteReport {
            deleted,
            cascaded: done.cascaded,
            copies: done.copies,
            token: done.token,
        })
    }
}

impl DeleteReport {
    fn add(&mut self, part: Self) {
        self.deleted += part.deleted;
        self.token.merge(part.token);
        for cascaded in part.cascaded {
            cascaded.merge_into(&mut self.cascaded);
        }
        for copies in part.copies {
            copies.merge_into(&mut self.copies);
        }
    }

    /// Says in an error what was done before it.
    fn before(&self, error: Error, model: &'static ModelShape) -> Error {
        Error::PartlyDeleted {
            model: model.name,
            collection: model.collection,
            deleted: self.deleted,
            cascaded: self.cascaded.iter().map(|it| it.deleted).sum(),
            source: Box::new(error),
        }
    }
}
