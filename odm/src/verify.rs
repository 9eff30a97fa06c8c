//! Finds what in the database is not as the models say, and puts it right.
//!
//! Copies, two-way references and bounds hold for every write through the library. What it cannot see
//! is a write that goes past it: a shell, a restored backup, a program that does not declare a copy.
//!
//! | step | what it does |
//! |---|---|
//! | [`check`] | lists what there is to check, from the shapes |
//! | [`group`] | one aggregation for each tie: which values stand beside which keys |
//! | [`judge`] | compares them with the sources, by the rules that writes follow |
//! | [`page`] | reads the documents behind a difference again, in one snapshot with source and job |
//! | [`two_way`], [`bounds`] | the same for references that name each other, and for long arrays |
//! | [`repair`] | writes jobs for the sources of what is left |

mod bounds;
mod check;
mod copies;
mod drift;
mod events;
mod group;
mod judge;
mod page;
mod pending;
mod plan;
mod position;
mod repair;
mod two_way;

use std::future::IntoFuture;

use futures_util::{Stream, StreamExt, TryStreamExt};

pub use drift::{Drift, DriftKind, Drifted};
pub use repair::{Repair, RepairReport, Repaired};

use crate::{action::Running, error::Result, model::Model, odm::Odm, statement::Plan};
use check::{Check, Checks};
use events::{Event, Out, events};

/// Looks for drift: `odm.verify().await?`.
///
/// It looks at every copy, every reference that is declared with its inverse, and every array with a
/// `max`, in all models that are linked into the program.
///
/// | | sent to the server |
/// |---|---|
/// | copies, for each reference with copies | one `aggregate` that groups them by key and value, and one `find` for each 5,000 groups |
/// | two-way references | one `find` for each side, and one for each 5,000 references in it |
/// | bounds | one `find` for each model, which returns the documents over a bound |
/// | where there is a difference | a transaction for each 1,000 documents, with two or three reads |
///
/// The aggregations and the finds of two-way references and bounds read their collections whole.
/// Differences are looked up by the index that fan-out uses, the one that
/// [`sync_indexes`](Odm::sync_indexes) creates on the key and `_id`.
///
/// What is reported was read in one snapshot with its source and its job, so that writes through the
/// library are never mistaken for drift, however many there are. Copies whose source has an unfinished
/// job are no drift yet, and are left out unless [`include_pending`](Self::include_pending) says
/// otherwise; a job that has met documents which cannot take their copies hides nothing. A standalone
/// server has no snapshots: there, a copy that is being written can be reported in rare cases.
///
/// Memory on this side does not grow with the collections; awaiting it collects all findings, and
/// [`stream`](Self::stream) hands them over one by one.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for a relation that no model declares, and what the
/// server reports.
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::Odm;
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let drift = odm.verify().await?;
/// if !drift.is_empty() {
///     eprintln!("{drift}");
///     println!("{}", drift.plan());
///     println!("{}", drift.repair(&odm).await?);
/// }
/// # Ok(()) }
/// ```
#[must_use = "nothing is verified until it is awaited"]
#[derive(Clone, Debug)]
pub struct Verify {
    odm: Odm,
    only: Option<&'static str>,
    relation: Option<String>,
    pending: bool,
}

impl Odm {
    /// Returns a builder that looks for drift in the whole database.
    pub fn verify(&self) -> Verify {
        Verify {
            odm: self.clone(),
            only: None,
            relation: None,
            pending: false,
        }
    }
}

impl Verify {
    /// Looks at one model alone: the copies, two-way references and bounded arrays that its documents
    /// hold.
    pub const fn only<M: Model>(mut self) -> Self {
        self.only = Some(M::SHAPE.collection);
        self
    }

    /// Looks at one relation alone: `Product.parts.id <- Part`, as reports name it, or its part before
    /// the arrow.
    pub fn relation(mut self, name: impl Into<String>) -> Self {
        self.relation = Some(name.into());
        self
    }

    /// Reports also copies whose source has an unfinished job, which will correct them.
    pub const fn include_pending(mut self) -> Self {
        self.pending = true;
        self
    }

    /// Returns the first statement of each check, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for a relation that no model declares.
    pub fn plan(&self) -> Result<Plan> {
        let statements = self.checks()?;
        Ok(Plan {
            statements: statements.all.iter().map(Check::statement).collect(),
        })
    }

    /// Returns the findings as a stream, as they are found.
    pub fn stream(self) -> impl Stream<Item = Result<Drifted>> + Send + 'static {
        let pages = self.events().try_filter_map(async |event| {
            Ok(match event {
                Event::Found(page) => Some(futures_util::stream::iter(page).map(Ok)),
                Event::Checked(_) | Event::Pending(_) => None,
            })
        });
        pages.try_flatten()
    }

    /// Returns a builder that looks for drift and puts right what it finds, as it finds it; memory
    /// does not grow with the number of findings.
    pub fn repair(self) -> Repair {
        Repair::of_verify(self)
    }

    fn checks(&self) -> Result<Checks> {
        Checks::all()
            .within(self.only)
            .named(self.relation.as_deref())
    }

    fn events(self) -> impl Stream<Item = Result<Event>> + Send + 'static {
        events(move |out| self.run(out))
    }

    async fn run(self, out: Out) -> Result<()> {
        for check in self.checks()?.all {
            match check {
                Check::Copies(tie) => copies::verify(tie, &self, &out).await?,
                Check::TwoWay(pair) => two_way::verify(&pair, &self.odm, &out).await?,
                Check::Bounds(model, bounds) => {
                    bounds::verify(model, &bounds, &self.odm, &out).await?;
                }
            }
        }
        Ok(())
    }
}

impl IntoFuture for Verify {
    type Output = Result<Drift>;
    type IntoFuture = Running<Drift>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let mut drift = Drift::default();
            let mut events = std::pin::pin!(self.events());
            while let Some(event) = events.try_next().await? {
                drift.add(event);
            }
            Ok(drift)
        })
    }
}
