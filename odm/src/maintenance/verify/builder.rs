//! The builder that runs a verification.

use std::sync::Arc;

use futures_util::{Stream, StreamExt, TryStreamExt};

use super::{check_list::check_list, drift::Drift};
use crate::{
    action::model::Model,
    client::{
        odm::{Exec, Odm, Running, traced_call, traced_call_stream},
        plan::Plan,
    },
    derived::outbox::ProgressFn,
    error::Result,
    maintenance::{
        invariant::{
            Checking, Invariant,
            finding::Drifted,
            finding_stream::{Event, EventSender, events},
        },
        progress::{Estimates, Walk, WalkProgress},
    },
    model::registry::ModelSelection,
};

/// Finds drift, which is any contradiction between the stored data and the declarations: `odm.verify().await?`.
///
/// A verification checks all models that are linked into the program:
///
/// - every copy and summary: a copy must equal its source, and a summary must equal the value computed from the
///   children
/// - every reference: it must not be dangling, and its inverse must refer back. A reference must not be null or missing
///   unless its type is an `Option`. Nulls are allowed in an array of keys, and in a collection that is shared with a
///   model that lacks the reference.
/// - every reference between two models with tenants: both documents must have the same tenant
/// - every array that has a `max`: it must not be longer than `max`
/// - jobs that no program can run (skipped if you restrict the verification to some models or to one relation)
///
/// Awaiting the builder returns all findings as a [`Drift`]. [`stream`](Self::stream) returns them one by one, and its
/// memory use does not grow with the size of the collections.
///
/// # Sends
///
/// | check | statements |
/// |---|---|
/// | copies through one reference | one `aggregate` that groups the copies by key, value and type; one `find` for every 5,000 groups |
/// | two-way references | one `find` for each side; one more `find` for every 5,000 references on that side |
/// | other references | one `aggregate` that groups their keys; for each target model, one `find` for every 5,000 keys |
/// | references between tenants | one `find` for each reference; for each target model, one `find` for every 5,000 documents |
/// | bounds | one `find` for each model, which returns the documents that exceed a bound |
/// | jobs | one `aggregate` over the jobs that this program cannot run; if there are any, one `find` for the declarations |
/// | suspected differences | one transaction for every 1,000 documents, which contains two or three reads; for references, also a `find` for these documents |
///
/// References that have copies or an inverse are covered by the checks of copies and two-way references. Nulls in a
/// two-way reference are found by one more aggregation, which uses the index on the reference. The verification changes
/// nothing.
///
/// # Index
///
/// The aggregations, and each `find` for two-way references and bounds, scan their collections completely. Documents
/// that contain differences are then found through the index on the key and `_id`, which
/// [`sync_indexes`](crate::Odm::sync_indexes) creates for copies.
///
/// # Guarantees
///
/// - Each finding was read in the same snapshot as its source and its job. So writes through the library are never
///   reported as drift, even if many of them run concurrently. A standalone server has no snapshots. On such a server,
///   a copy that is being written can be reported in rare cases.
/// - A copy or summary is pending if an unfinished job will correct it. A reference to a deleted document is pending if
///   the job of the delete will remove the reference. The report counts pending differences, but lists them only if you
///   call [`include_pending`](Self::include_pending).
/// - Every other dangling reference is a finding, because jobs for copies do not change references. A copy is also a
///   finding if its job failed because the document cannot store the copy.
/// - A document that cannot be read is a finding ([`DriftKind::Unreadable`](crate::DriftKind)), which contains the
///   reason. All other documents are still checked, because the library halves its requests until it has isolated the
///   unreadable document.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) if no model declares the requested relation, or if no model is linked into
/// the program. The call also returns server errors.
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
    only: ModelSelection,
    relation: Option<String>,
    /// Whether to report differences that an unfinished job will correct.
    pending: bool,
    references: bool,
    progress: Option<ProgressFn<WalkProgress>>,
}

impl Odm {
    /// Returns a builder that finds drift in the whole database.
    ///
    /// # Examples
    ///
    /// See [`Verify`].
    pub fn verify(&self) -> Verify {
        Verify {
            odm: self.clone(),
            only: ModelSelection::default(),
            relation: None,
            pending: false,
            references: true,
            progress: None,
        }
    }
}

impl Verify {
    /// Checks only the collection of the model `M`. Call this method again to add more collections.
    ///
    /// The check covers all models in the collection, including the copies, references and bounded arrays in their
    /// documents.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/log_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let drift = odm
    ///     .verify()
    ///     .only::<Host>()
    ///     .on_progress(|at| println!("{} of {}", at.documents, at.of))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn only<M: Model>(mut self) -> Self {
        self.only.add(M::SHAPE);
        self
    }

    /// Checks only one relation. Pass its name as it appears in reports (`Product.parts.id <- Part`), or only the part
    /// before the arrow. For a two-way reference, you can pass the name of either side.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// let drift = odm.verify().relation("Product.parts.id <- Part").await?;
    /// # Ok(()) }
    /// ```
    pub fn relation(mut self, name: impl Into<String>) -> Self {
        self.relation = Some(name.into());
        self
    }

    /// Also reports differences that an unfinished job will correct, and marks them as [`pending`](Drifted::pending).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let drift = odm.verify().include_pending().await?;
    /// let waiting = drift.items.iter().filter(|finding| finding.pending);
    /// println!("{} differences wait for a job", waiting.count());
    /// # Ok(()) }
    /// ```
    pub const fn include_pending(mut self) -> Self {
        self.pending = true;
        self
    }

    /// Sets whether to check references that have neither copies nor an inverse, references that must not be null, and
    /// references to documents of other tenants. By default, these references are checked.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let copies = odm.verify().references(false).await?;
    /// # Ok(()) }
    /// ```
    pub const fn references(mut self, are_checked: bool) -> Self {
        self.references = are_checked;
        self
    }

    /// Calls a function with the current progress while the verification reads documents. To estimate the total, the
    /// verification first sends one `count` for each collection, which the server answers from its metadata.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.verify().on_progress(|now| println!("{} of {}", now.documents, now.of)).await?;
    /// # Ok(()) }
    /// ```
    pub fn on_progress(mut self, call: impl Fn(WalkProgress) + Send + Sync + 'static) -> Self {
        self.progress = Some(ProgressFn::new(move |it: &WalkProgress| call(*it)));
        self
    }

    /// Returns the first statement of each check in mongosh syntax, without sending anything.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if no model declares the requested relation, or if no model is linked
    /// into the program.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// println!("{}", odm.verify().plan()?);
    /// # Ok(()) }
    /// ```
    pub fn plan(&self) -> Result<Plan> {
        let all = self.check_list()?.into_iter();
        Ok(Plan {
            statements: all.map(|it| it.query().statement()).collect(),
        })
    }

    /// Returns the findings as a stream, in the order in which they are found.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// use futures_util::TryStreamExt;
    ///
    /// let mut findings = std::pin::pin!(odm.verify().stream());
    /// while let Some(finding) = findings.try_next().await? {
    ///     println!("{finding}");
    /// }
    /// # Ok(()) }
    /// ```
    pub fn stream(self) -> impl Stream<Item = Result<Drifted>> + Send + 'static {
        let pages = self.events().try_filter_map(async |event| {
            Ok(match event {
                Event::Found(page) => Some(futures_util::stream::iter(page).map(Ok)),
                Event::Checked(_) | Event::Pending(_) => None,
            })
        });
        traced_call_stream("verify", pages.try_flatten())
    }

    pub(super) const fn odm(&self) -> &Odm {
        &self.odm
    }

    fn check_list(&self) -> Result<Vec<Arc<dyn Invariant>>> {
        check_list(&self.only, self.references, self.relation.as_deref())
    }

    pub(super) fn events(self) -> impl Stream<Item = Result<Event>> + Send + 'static {
        events(move |out| self.run(out))
    }

    async fn run(self, out: EventSender) -> Result<()> {
        let all = self.check_list()?;
        let (out, documents) = match &self.progress {
            None => (out, Vec::new()),
            Some(progress) => {
                let documents = estimates(&all, self.odm()).await?;
                let walk = Walk::begin(progress, documents.iter().sum());
                (out.walking(walk), documents)
            }
        };
        let checking = Checking {
            odm: self.odm().clone(),
            include_pending: self.pending,
            out,
        };
        for (at, invariant) in all.into_iter().enumerate() {
            let documents = documents.get(at).copied();
            checking.out.stage(documents.unwrap_or_default());
            invariant.check(&checking).await?;
        }
        // Marks the last stage as completed, so that the progress is 100 %.
        checking.out.stage(0);
        Ok(())
    }
}

/// Returns the estimated number of documents that the check of each invariant reads.
async fn estimates(all: &[Arc<dyn Invariant>], odm: &Odm) -> Result<Vec<u64>> {
    let mut known = Estimates::new(Exec::on(odm.clone()));
    let mut documents = Vec::new();
    for invariant in all {
        let query = invariant.query();
        documents.push(known.estimate(query.place().name()).await?);
    }
    Ok(documents)
}

impl IntoFuture for Verify {
    type Output = Result<Drift>;
    type IntoFuture = Running<Drift>;

    fn into_future(self) -> Self::IntoFuture {
        traced_call("verify", async move {
            let mut drift = Drift {
                grace: self.odm().settings().grace_period(),
                ..Drift::default()
            };
            let mut events = std::pin::pin!(self.events());
            while let Some(event) = events.try_next().await? {
                drift.add(event);
            }
            Ok(drift)
        })
    }
}
