//! The invariants of stored data. Each module in this table contains the check of one invariant, and its repair if
//! there is one.
//!
//! | module | invariant |
//! |---|---|
//! | [`copies`] | a copy or summary equals its source |
//! | [`two_way`] | either both references refer to each other, or neither does |
//! | [`links`] | links between documents of one collection exist at both ends |
//! | [`dangling_reference`] | any other reference has a target, and is not null unless its type is an `Option` |
//! | [`other_tenant`] | a reference between documents with tenants refers to a document of the same tenant |
//! | [`bounds`] | an array is not longer than its `max` |
//! | [`orphaned_jobs`] | for each job, there is a program that can run it |
//!
//! [`walk`] checks all invariants in the same way. [`pending_job`] decides which findings a job will correct.
//!
//! Two traits describe an invariant. [`Invariant`] has no associated types, so one list can contain all invariants.
//! [`walk::Walked`] defines the types and steps of one invariant's check. Each finding contains its invariant and the
//! job that corrects it. So neither the repair nor the search for pending jobs distinguishes between the invariants.
//!
//! A [backfill](super::backfill) also corrects copies, but does not use the walk. A backfill compares and writes in the
//! same transaction, so it does not have to read suspected differences again. A backfill also stores its position, so
//! that the next call can continue there.

mod bounds;
mod copies;
mod dangling_reference;
pub(super) mod finding;
pub(super) mod finding_stream;
mod group;
mod links;
mod orphaned_jobs;
mod other_tenant;
mod pending_job;
pub(super) mod repair_report;
mod two_way;
mod walk;

use std::{fmt, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;

use self::{
    dangling_reference::DeclaredReference, finding::Drifted, finding_stream::EventSender,
    repair_report::RepairReport,
};
use crate::{
    client::{
        command::{AggregateCommand, Command, FindCommand},
        odm::{Batches, Exec, Odm},
        place::Place,
        plan::Statement,
    },
    error::Result,
    model::{registry::ModelSelection, shape::ModelShape},
};

/// The check of an invariant. [`walk`] implements this trait for each [`walk::Walked`] invariant.
pub(super) trait Check {
    /// Checks the invariant, and sends the findings to the verification's stream.
    fn check(self: Arc<Self>, checking: &Checking) -> BoxFuture<'_, Result<()>>;
}

/// A statement about the stored data that must be true.
pub(super) trait Invariant: Check + fmt::Debug + Send + Sync {
    /// Lists the names that reports use for the invariant.
    fn names(&self) -> Vec<String>;

    /// Lists the models of the checked documents, and of the documents with which the check compares them. The query
    /// reads the documents of the first model.
    fn models(&self) -> Vec<&'static ModelShape>;

    /// Returns whether a call that is restricted to the given models checks the invariant.
    fn is_selected(&self, only: &ModelSelection) -> bool {
        let models = self.models();
        let first = models.first();
        first.is_some_and(|model| only.includes(model.documents()))
    }

    /// Returns the first statement of the check, which reads all data to check.
    fn query(&self) -> Query;

    /// Restricts the check to the relation that has this name. Returns whether anything is left to check.
    fn restrict(&mut self, name: &str) -> bool {
        self.names().iter().any(|it| is_meant(it, name))
    }

    /// Repairs findings of this invariant.
    fn repair(self: Arc<Self>, _: Repairing<'_>) -> BoxFuture<'_, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// Returns the statements that the repair would send if nothing had changed since the verification.
    fn plan(&self, _: &[&Drifted], _grace: Duration) -> Vec<Statement> {
        Vec::new()
    }
}

/// The kinds of invariants, in the order in which a verification checks them.
const KINDS: [fn(&Scope) -> Invariants; 7] = [
    copies::all,
    two_way::all,
    links::all,
    dangling_reference::all,
    other_tenant::all,
    bounds::all,
    orphaned_jobs::all,
];

pub(super) type Invariants = Vec<Arc<dyn Invariant>>;

/// Lists all invariants of the given models.
pub(super) fn all(models: &[&'static ModelShape], with_references: bool) -> Invariants {
    let references = with_references.then(|| DeclaredReference::all(models));
    let references = references.unwrap_or_default();
    let scope = Scope { models, references };
    KINDS.iter().flat_map(|all| all(&scope)).collect()
}

/// The models that a verification checks.
struct Scope<'m> {
    models: &'m [&'static ModelShape],
    /// The references of these models. The list is empty if the caller has excluded references from the check.
    references: Vec<DeclaredReference>,
}

/// Converts invariants of one type to a list that can contain invariants of all types.
fn list<I: Invariant + 'static>(all: impl IntoIterator<Item = I>) -> Invariants {
    let all = all.into_iter();
    all.map(|it| Arc::new(it) as Arc<dyn Invariant>).collect()
}

/// Whether a given name refers to the invariant with the name `name`. The given name can be the whole name, or the part
/// before the arrow.
fn is_meant(name: &str, given: &str) -> bool {
    let before = name.split_once(' ').map(|(before, _)| before);
    name == given || before == Some(given)
}

/// A running verification.
#[derive(Debug)]
pub(super) struct Checking {
    pub(super) odm: Odm,
    /// Whether to report differences that an unfinished job will correct.
    pub(super) include_pending: bool,
    pub(super) out: EventSender,
}

/// A repair of findings that all violate the same invariant.
#[derive(Debug)]
pub(super) struct Repairing<'r> {
    pub(super) findings: Vec<&'r Drifted>,
    pub(super) odm: &'r Odm,
    /// Whether to remove references and links that exist at only one end.
    pub(super) removes: bool,
    pub(super) report: &'r mut RepairReport,
}

/// The statement that reads everything that a check compares.
pub(super) enum Query {
    Find(Box<FindCommand>),
    Aggregate(Box<AggregateCommand>),
}

impl Query {
    pub(super) const fn place(&self) -> &Place {
        match self {
            Self::Find(find) => &find.place,
            Self::Aggregate(aggregate) => &aggregate.place,
        }
    }

    pub(super) fn statement(self) -> Statement {
        match self {
            Self::Find(find) => find.shown(),
            Self::Aggregate(aggregate) => aggregate.shown(),
        }
    }

    async fn open(self, exec: &Exec) -> Result<Batches> {
        match self {
            Self::Find(find) => exec.open(*find).await,
            Self::Aggregate(aggregate) => exec.open(*aggregate).await,
        }
    }
}
