//! Inserts documents; their copies get the values of their sources.

use futures_util::future::BoxFuture;
use mongodb::{
    bson::RawDocumentBuf,
    options::{InsertManyOptions, WriteConcern},
};

use super::after::{Outcome, ready};
use crate::{
    command::{self, Rows},
    copy::CopyReport,
    effects::{Effects, FanOut, Referred, arrive},
    error::Result,
    odm::{Exec, Write},
    outbox::Token,
    shape::ModelShape,
};

/// How many documents one transaction inserts; more are several transactions, one after the other.
const AT_ONCE: usize = 10_000;

/// What an insert did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct InsertReport {
    /// How many documents were inserted.
    pub inserted: u64,
    /// What it did to the copies that had waited for the documents, for each relation.
    pub copies: Vec<CopyReport>,
    pub(super) token: Token,
}

impl InsertReport {
    /// Returns what the write has left to be done later; [`Odm::wait`](crate::Odm::wait) waits for it.
    pub const fn token(&self) -> &Token {
        &self.token
    }
}

/// An insert of one document or many.
#[derive(Clone, Debug)]
pub(crate) struct InsertWrite {
    pub(crate) model: &'static ModelShape,
    pub(crate) documents: Vec<RawDocumentBuf>,
    pub(crate) one: bool,
    pub(crate) options: InsertManyOptions,
    pub(crate) fan_out: FanOut,
}

impl Write for InsertWrite {
    type Report = InsertReport;

    fn model(&self) -> &'static ModelShape {
        self.model
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        self.options.write_concern.as_ref()
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<InsertReport>> {
        Box::pin(async move {
            let mut report = InsertReport::default();
            if self.documents.is_empty() {
                return Ok(report);
            }
            let effects = Effects::of_write(self.model, &self.fan_out, &exec).await?;
            ready(&effects, &self.fan_out, &exec).await?;
            let fan_out = self.fan_out.clone();
            let model = self.model;
            for mut part in self.parts(&effects) {
                // Another program may have declared copies since the last part.
                part.effects = Effects::of_write(model, &fan_out, &exec).await?;
                let outcome = effects.run(part, Part::insert, &exec).await?;
                let (inserted, done) = outcome.finish(&fan_out, &exec).await;
                report.inserted += inserted;
                report.token.merge(done.token);
                for copies in done.copies {
                    copies.merge_into(&mut report.copies);
                }
            }
            Ok(report)
        })
    }
}

/// What one transaction inserts.
#[derive(Clone, Debug)]
struct Part {
    effects: Effects,
    rows: Rows,
    one: bool,
    options: InsertManyOptions,
    fan_out: FanOut,
}

impl InsertWrite {
    /// Cuts the documents into what is inserted at once: all of them, if nothing follows.
    fn parts(self, effects: &Effects) -> Vec<Part> {
        let at_once = if effects.is_empty() {
            usize::MAX
        } else {
            AT_ONCE
        };
        let mut parts = Vec::new();
        let mut left = self.documents;
        while !left.is_empty() {
            let rest = left.split_off(left.len().min(at_once));
            parts.push(Part {
                effects: effects.clone(),
                rows: Rows::new(left),
                one: self.one,
                options: self.options.clone(),
                fan_out: self.fan_out.clone(),
            });
            left = rest;
        }
        parts
    }
}

impl Part {
    async fn insert(mut self, exec: Exec) -> Result<Outcome<u64>> {
        let effects = &self.effects;
        // Read first: what is inserted is right at once, and needs no second write.
        let written = effects.inbound.fill(&mut self.rows, true, &exec).await?;
        // What is stored, not what was handed over: its copies may be old.
        let images = effects.images.take_all(&self.rows)?;
        let referred = effects.existing.held(self.rows.iter().map(|raw| &**raw));
        let insert = command::InsertCommand {
            place: effects.place(),
            rows: self.rows,
            one: self.one,
            options: self.options,
        };
        let mut outcome = Outcome::of(exec.send(insert).await?);
        effects
            .existing
            .require(&Referred::default(), &referred, &exec)
            .await?;
        outcome.written = written;
        (outcome.followed, outcome.arrived) =
            arrive(effects, &images, self.fan_out.how, &exec).await?;
        Ok(outcome)
    }
}
