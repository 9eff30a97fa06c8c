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

/// Looks for drift: `odm.verify().await?`.
///
/// It looks at every copy, every reference, and every array with a `max`, in all models that are linked
/// into the program. A reference is a finding if it leads nowhere, if its inverse does not lead back, or
/// if it is null or missing and its type is no `Option`. Nulls among the keys of an array are none, nor
/// are those where a model of the same collection does not have the reference.
///
/// | | sent to the server |
/// |---|---|
/// | copies, for each reference with copies | one `aggregate` that groups them by key, value and type, and one `find` for each 5,000 groups |
/// | two-way references | one `find` for each side, and one for each 5,000 references in it |
/// | other references | one `aggregate` that groups the keys of each, and one `find` for each 5,000 of them and each model that they lead to, which returns keys alone |
/// | bounds | one `find` for each model, which returns the documents over a bound |
/// | jobs | one `aggregate` over those that this program cannot run, and one `find` of the declarations if there are any |
/// | where there is a difference | a transaction for each 1,000 documents, with two or three reads; for references also a `find` of these documents |
///
/// References with copies or an inverse are looked up together with these; an aggregation of their own
/// looks for nulls beside an inverse, in the index. The other aggregations and the finds of two-way references
/// and bounds read their collections whole. Differences are looked up by the index that fan-out uses, the one that
/// [`sync_indexes`](Odm::sync_indexes) creates on the key and `_id`.
///
/// What is reported was read in one snapshot with its source and its job, so that writes through the
/// library are never mistaken for drift, however many there are. Copies and summaries that an unfinished job will
/// correct are pending, and so are references to a deleted document that a job of the delete has yet to take away: the
/// report counts both, and leaves them out unless [`include_pending`](Self::include_pending) asks for them. A
/// reference that leads nowhere is a finding in every other case: no job of copies changes it. A job that has met
/// documents which cannot take their copies hides nothing. A standalone server has no snapshots, so there a copy that is
/// being written can be reported in rare cases.
///
/// Jobs that no program can run, since none declares their relation, are findings as well, unless the call is
/// about some models or one relation alone.
///
/// A document that cannot be read is a finding ([`DriftKind::Unreadable`](crate::DriftKind)) with the reason, and
/// all others are looked at: what is asked for at once is halved until the one in the way is found.
///
/// Memory on this side does not grow with the collections; awaiting it collects all findings, and
/// [`stream`](Self::stream) hands them over one by one.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for a relation that no model declares, or if no model is
/// linked into the program, and what the server reports.
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
    /// Returns a builder that looks for drift in the whole database.
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
    /// Looks only at the collection of a model; further calls add further collections.
    ///
    /// All models of the collection count: the copies, references and bounded arrays that its documents
    /// hold.
    pub fn only<M: Model>(mut self) -> Self {
        self.options.only.add(M::SHAPE);
        self
    }

    /// Looks at one relation alone: `Product.parts.id <- Part`, as reports name it, or its part before
    /// the arrow; of a two-way reference either side.
    pub fn relation(mut self, name: impl Into<String>) -> Self {
        self.options.relation = Some(name.into());
        self
    }

    /// Reports also what an unfinished job will put right, marked as [`pending`](Drifted::pending).
    pub const fn include_pending(mut self) -> Self {
        self.options.pending = true;
        self
    }

    /// Whether references are looked up that have neither copies nor an inverse, and nulls in the place
    /// of references; without this call they are.
    pub const fn references(mut self, are_checked: bool) -> Self {
        self.options.references = are_checked;
        self
    }

    /// Calls a function as documents are looked at. This sends one `count` for each collection first, which the server answers
    /// without counting.
    pub fn on_progress(mut self, call: impl Fn(WalkProgress) + Send + Sync + 'static) -> Self {
        self.options.progress = Some(OnProgress::new(call));
        self
    }

    /// Returns the first statement of each check, as mongosh text.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for a relation that no model declares, or if no model is
    /// linked into the program.
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
        // The end of the last one.
        out.stage(0);
        Ok(())
    }
}

/// Returns how many documents each check looks at.
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
