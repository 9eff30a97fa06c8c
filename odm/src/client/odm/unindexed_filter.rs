//! Warns about filters without an index.
//!
//! 1. `Exec::send` passes every statement to this module. `Command::search` returns the filter of the statement.
//! 2. Statements are skipped if they contain an `_id` or a hint, if the collection is small, or if the same combination
//!    of source line and paths has already been checked.
//! 3. A background task sends an `explain` of a `find` with this filter, even if the statement itself is not a `find`.
//!    The application's call does not wait for the `explain`, and does not fail if the `explain` fails.
//! 4. If the plan reads all documents, the task writes a warning with the line, the number of documents and the remedy.
//!
//! The `explain` has a comment (`COMMENT`). The recorder that the tests use ignores statements that have this comment.

mod collection_size;
mod explain_reply;
mod suggested_index;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

use mongodb::bson::{Document, doc};

use super::{
    Exec, Odm,
    warned_line::{Line, forget, is_first},
};
use crate::{
    client::command::{Command, RunCommand, Search},
    error::Result,
    model::shape::ModelShape,
    value::path::each_filtered_path,
};
use collection_size::CollectionSizes;
use explain_reply::ExplainReply;
use suggested_index::{remedy, unindexable};

/// The comment on this module's statements. Tests that count statements ignore statements that have this comment.
const COMMENT: &str = "mongo-odm slow statements";

/// The number of filters for which the server reads all documents, by model. Filters on the same paths in one source line of
/// the program are counted only once.
#[derive(Debug, Default)]
pub(crate) struct Unindexed(Mutex<BTreeMap<Name, (&'static ModelShape, u64)>>);

/// The name of a model and the name of its collection.
type Name = (&'static str, &'static str);

impl Unindexed {
    fn add(&self, model: &'static ModelShape) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = (model.name, model.collection);
        all.entry(name).or_insert((model, 0)).1 += 1;
    }

    /// Calls a function for each model that has filters without an index, and passes the number of these filters.
    pub(crate) fn for_each(&self, mut found: impl FnMut(&'static ModelShape, u64)) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.values()
            .for_each(|(model, filters)| found(model, *filters));
    }
}

/// An application's filter that is being checked.
#[derive(Debug)]
struct Filter {
    at: Line,
    model: &'static ModelShape,
    collection: &'static str,
    relation: Option<&'static str>,
    /// The paths that have a condition.
    paths: BTreeSet<String>,
    find: Document,
    enough: Option<u64>,
    remedy: String,
    /// Text that distinguishes different filters sent from the same source line.
    about: String,
}

impl Exec {
    /// Checks in the background whether the server has an index for a statement. Each combination of source line and
    /// paths is checked once. Filters that contain an `_id` and statements that have a hint are skipped.
    pub(super) fn check_index<C: Command>(&self, command: &C) {
        let Some(at) = self.watched().filter(|_| !self.is_paper()) else {
            return;
        };
        if let Some(search) = command.search() {
            self.check_search(at, &search);
        }
    }

    fn check_search(&self, at: Line, search: &Search<'_>) {
        let mut paths = BTreeSet::new();
        each_filtered_path(&search.filter, &mut |path| {
            paths.insert(path.to_owned());
        });
        if paths.is_empty() {
            paths.extend(unindexable(&search.filter).map(ToOwned::to_owned));
        }
        if search.is_hinted() || paths.is_empty() || paths.contains("_id") {
            return;
        }
        let from = u64::try_from(self.settings().watch_from).unwrap_or(u64::MAX);
        let sizes = self.odm().deployment().shared::<CollectionSizes>();
        let known = sizes.cached(search.collection());
        if known.is_some_and(|size| size < from) {
            return;
        }
        let about = format!("plan of {} by {paths:?}", search.model.name);
        if !is_first(at, &about) {
            return;
        }
        let filter = Filter {
            at,
            model: search.model,
            collection: search.collection(),
            relation: self.relation(),
            paths,
            find: search.as_find(),
            enough: search.enough,
            remedy: remedy(search, self.relation()),
            about,
        };
        let odm = self.odm().clone();
        // The application's call does not wait for the check, and does not fail if the check fails.
        tokio::spawn(async move {
            let mut first = FirstCheck {
                filter: &filter,
                is_done: false,
            };
            let looked = filter.look(from, &sizes, &odm).await;
            // If the server rejects the `explain`, the line is not checked again.
            first.is_done = looked.unwrap_or_else(|error| {
                tracing::debug!(%error, "a filter was not checked for an index");
                true
            });
        });
    }
}

/// The first check of a source line. If this check could not be completed, the line is checked again later. Possible
/// reasons are that the runtime has shut down, or that the collection is still too small.
struct FirstCheck<'f> {
    filter: &'f Filter,
    is_done: bool,
}

impl Drop for FirstCheck<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            forget(self.filter.at, &self.filter.about);
        }
    }
}

impl Filter {
    /// Sends the `explain`, and logs a warning if the plan reads all documents. Returns false if the collection is too
    /// small for a check.
    async fn look(&self, from: u64, sizes: &CollectionSizes, odm: &Odm) -> Result<bool> {
        let size = sizes.load(self.collection, odm).await?;
        if size < from {
            return Ok(false);
        }
        let explain =
            doc! { "explain": self.find.clone(), "verbosity": "queryPlanner", "comment": COMMENT };
        let explained = Exec::on(odm.clone())
            .send(RunCommand::command("explain", explain))
            .await?;
        let explained = ExplainReply(&explained);
        let tenant = self.model.tenant().into_iter();
        let added: Vec<_> = tenant.chain(self.model.deletion_fields()).collect();
        if explained.reads_all(&self.paths, self.enough.is_some(), &added) {
            if odm.settings().counters {
                odm.deployment().shared::<Unindexed>().add(self.model);
            }
            let until = self.enough.filter(|_| !explained.sorts());
            self.warn(size, until);
        }
        Ok(true)
    }

    fn warn(&self, size: u64, until: Option<u64>) {
        let paths: Vec<_> = self.paths.iter().map(|path| format!("`{path}`")).collect();
        let relation = self.relation.map(|relation| format!(" (`{relation}`)"));
        let until = match until {
            None => String::new(),
            Some(1) => " until it has found one".to_owned(),
            Some(enough) => format!(" until it has found {enough}"),
        };
        let (at, model) = (self.at, self.model);
        tracing::warn!(
            %at, model = model.name, relation = self.relation, documents = size,
            "a filter of `{}` by {}{} has no index and goes through up to {size} documents of `{}`{until}, at {}:{}; {}",
            model.name, paths.join(", "), relation.unwrap_or_default(), self.collection, at.file(), at.line(), self.remedy
        );
    }
}
