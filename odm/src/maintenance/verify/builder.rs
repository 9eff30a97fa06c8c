//! The builder of a verification.

use std::future::IntoFuture;

use futures_util::{Stream, StreamExt, TryStreamExt};

use super::{
    bounds,
    check_list::{Check, Checks},
    copies, dangling_reference,
    drift::Drift,
    finding::Drifted,
    finding_stream::{Event, EventSender, events},
    links,
    options::Options,
    pending_job, two_way,
};
use crate::{
    action::model::Model,
    client::{
        odm::{Exec, Odm, Running, traced_call, traced_call_stream},
        plan::Plan,
    },
    error::Result,
    maintenance::progress::{Estimates, OnProgress, WalkProgress},
    model::registry::ModelSelection,
};

/// Finds drift, which is any difference between stored data and declarations: `odm.verify().await?`.
///
/// It checks all models that are linked into the program:
///
/// - every copy and summary: it must equal its source
/// - every reference: it must not be dangling, its inverse must refer back, and it must not be null or missing unless
///   its type is an `Option`. Nulls are allowed in an array of keys, and in a collection that also has a model without
///   the reference.
/// - every array with a `max`: it must not be longer than that
/// - jobs that no program can run (not checked if you restrict the call to some models or one relation)
///
/// Awaiting it returns all findings as a [`Drift`]. [`stream`](Self::stream) returns them one by one, and its memory
/// use does not grow with the size of the collections.
///
/// # Sends
///
/// | check | statements |
/// |---|---|
/// | copies along one reference | one `aggregate` that groups them by key, value and type; one `find` for every 5,000 groups |
/// | two-way references | one `find` for each side; one more for every 5,000 references in it |
/// | other references | one `aggregate` that groups their keys; for each target model, one `find` for every 5,000 keys |
/// | bounds | one `find` for each model, which returns the documents that exceed a bound |
/// | jobs | one `aggregate` over the jobs that this program cannot run; if there are any, one `find` for the declarations |
/// | each difference | one transaction for every 1,000 documents, with two or three reads; for references, also a `find` for these documents |
///
/// References that have copies or an inverse are covered by the checks of copies and two-way references. To find nulls
/// in a two-way reference, one more aggregation uses its index. The verification changes nothing.
///
/// # Index
///
/// The aggregations, and each `find` for two-way references and bounds, read their collections completely. Documents
/// with differences are found through the index on the key and `_id`, which [`sync_indexes`](crate::Odm::sync_indexes)
/// creates for copies.
///
/// # Guarantees
///
/// - Each finding was read in the same snapshot as its source and its job. So writes through the library are never
///   reported as drift, even if there are many concurrent ones. A standalone server has no snapshots, so in rare cases
///   a copy that is being written can be reported.
/// - A copy or summary is pending if an unfinished job will correct it. A reference to a deleted document is pending if
///   the delete's job will remove the reference. The report counts pending differences, but lists them only after
///   [`include_pending`](Self::include_pending).
/// - Every other dangling reference is a finding, because jobs for copies do not change references. A copy is also a
///   finding if its job failed because the document cannot store the copy.
/// - A document that cannot be read is a finding ([`DriftKind::Unreadable`](crate::DriftKind)) with the reason. All
///   other documents are still checked, because the library halves its requests until it has isolated the unreadable
///   document.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for a relation that no model declares, or if no model is linked into the
/// program. Server errors.
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
    options: Options,
}

impl Odm {
    /// Returns a builder that finds drift in the whole database.
    ///
    /// # Examples
    ///
    /// See [`Verify`].
    pub fn verify(&self) -> Verify {
        Verify {
            options: Options {
                odm: self.clone(),
                only: ModelSelection::default(),
                relation: None,
                pending: false,
                references: true,
                progress: None,
            },
        }
    }
}

impl Verify {
    /// Checks only the collection of a model. Further calls add further collections.
    ///
    /// The check includes all models in the collection, with the copies, references and bounded arrays in its
    /// documents.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "hosts")]
    /// # struct Host { #[serde(rename = "_id")] id: Id<Host>, ipaddr: String }
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let drift = odm
    ///     .verify()
    ///     .only::<Host>()
    ///     .on_progress(|at| println!("{} of {}", at.documents, at.of))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn only<M: Model>(mut self) -> Self {
        self.options.only.add(M::SHAPE);
        self
    }

    /// Checks only one relation. Its name is written as in reports (`Product.parts.id <- Part`), or only up to the
    /// arrow. For a two-way reference, you can pass either side.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// let drift = odm.verify().relation("Product.parts.id <- Part").await?;
    /// # Ok(()) }
    /// ```
    pub fn relation(mut self, name: impl Into<String>) -> Self {
        self.options.relation = Some(name.into());
        self
    }

    /// Also reports the differences that an unfinished job will correct, and marks them as
    /// [`pending`](Drifted::pending).
    pub const fn include_pending(mut self) -> Self {
        self.options.pending = true;
        self
    }

    /// Sets whether the call checks references that have neither copies nor an inverse, and nulls in place of
    /// references. By default, it does.
    pub const fn references(mut self, are_checked: bool) -> Self {
        self.options.references = are_checked;
        self
    }

    /// Calls a function as documents are read. To estimate the total, the call first sends one `count` for each
    /// collection, which the server answers from its metadata.
    pub fn on_progress(mut self, call: impl Fn(WalkProgress) + Send + Sync + 'static) -> Self {
        self.options.progress = Some(OnProgress::new(call));
        self
    }

    /// Returns the first statement of each check, as mongosh text. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for a relation that no model declares, or if no model is linked into
    /// the program.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// println!("{}", odm.verify().plan()?);
    /// # Ok(()) }
    /// ```
    pub fn plan(&self) -> Result<Plan> {
        let statements = self.checks()?;
        Ok(Plan {
            statements: statements.all.iter().map(Check::statement).collect(),
        })
    }

    /// Returns the findings as a stream.
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
        &self.options.odm
    }

    fn checks(&self) -> Result<Checks> {
        Checks::all(&self.options)?.named(self.options.relation.as_deref())
    }

    pub(super) fn events(self) -> impl Stream<Item = Result<Event>> + Send + 'static {
        events(move |out| self.run(out))
    }

    async fn run(self, out: EventSender) -> Result<()> {
        let options = &self.options;
        let checks = self.checks()?.all;
        let (out, documents) = match &options.progress {
            None => (out, Vec::new()),
            Some(progress) => {
                let documents = estimates(&checks, &options.odm).await?;
                let walk = progress.begin(documents.iter().sum());
                (out.walking(walk), documents)
            }
        };
        for (at, check) in checks.into_iter().enumerate() {
            out.stage(documents.get(at).copied().unwrap_or_default());
            match check {
                Check::Copies(reference) => copies::verify(reference, options, &out).await?,
                Check::TwoWay(pair) => two_way::verify(&pair, options, &out).await?,
                Check::Links(linked) => links::verify(linked, options, &out).await?,
                Check::References(it) => dangling_reference::verify(&it, options, &out).await?,
                Check::Bounds(model, bounds) => {
                    bounds::verify(model, &bounds, &options.odm, &out).await?;
                }
                Check::Jobs => pending_job::verify(&options.odm, &out).await?,
            }
        }
        // The end of the last check.
        out.stage(0);
        Ok(())
    }
}

/// Returns the estimated number of documents that each check will read.
async fn estimates(checks: &[Check], odm: &Odm) -> Result<Vec<u64>> {
    let mut known = Estimates::new(Exec::on(odm.clone()));
    let mut documents = Vec::new();
    for check in checks {
        let mut all = 0;
        for set in check.documents() {
            all += known.estimate(set.collection).await?;
        }
        documents.push(all);
    }
    Ok(documents)
}

impl IntoFuture for Verify {
    type Output = Result<Drift>;
    type IntoFuture = Running<Drift>;

    fn into_future(self) -> Self::IntoFuture {
        traced_call("verify", async move {
            let mut drift = Drift {
                grace: self.odm().settings().grace,
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
