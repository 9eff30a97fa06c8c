//! Caches the declarations of other programs for a handle, and stores the declarations of this program.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use futures_util::future::BoxFuture;
use mongodb::bson::DateTime;

use super::{
    other_programs::{Declarations, READ_EVERY, read},
    publish::declare,
    stored::Contradiction,
};
use crate::{
    client::odm::{Exec, Odm, ask_before_write, for_all_calls},
    error::Result,
    graph::{Content, ExtendedReference, graph},
    model::shape::DocumentSet,
};

/// How often a program stores its own declarations.
const DECLARE_EVERY: Duration = Duration::from_secs(24 * 3_600);

/// How often a handle that runs jobs searches for jobs whose relations no program declares.
const LOOK_EVERY: Duration = Duration::from_secs(3_600);

/// Largest number of warnings that a handle remembers. The limit bounds the memory use if other programs keep changing
/// their declarations. Beyond this number, a warning may be logged again.
const WARNINGS: usize = 1_000;

/// The declarations that a handle has read from a database.
#[derive(Debug, Default)]
pub(crate) struct DeclarationCache {
    /// Locked while a task stores or reads declarations.
    turn: tokio::sync::Mutex<()>,
    state: Mutex<KnownState>,
    /// The warnings that this handle has already logged.
    warned: Mutex<HashSet<String>>,
}

#[derive(Debug, Default)]
struct KnownState {
    declared: Option<Instant>,
    read: Option<Arc<Declarations>>,
    /// When the handle last searched for jobs whose relations no program declares.
    looked: Option<Instant>,
}

impl DeclarationCache {
    fn state(&self) -> MutexGuard<'_, KnownState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn latest(&self) -> Option<Arc<Declarations>> {
        self.state().read.clone()
    }

    /// Returns the declarations if they were read recently. Returns `None` if they are too old, or if this program
    /// first has to store its own declarations.
    fn fresh(&self, every: Duration, declares: bool) -> Option<Arc<Declarations>> {
        if declares && self.is_due() {
            return None;
        }
        let every = every.min(READ_EVERY);
        self.latest().filter(|read| read.asked.elapsed() <= every)
    }

    fn is_due(&self) -> bool {
        let declared = self.state().declared;
        declared.is_none_or(|at| at.elapsed() >= DECLARE_EVERY)
    }

    async fn declare(&self, odm: &Odm) -> Result<()> {
        if self.is_due() {
            ask_before_write(|| declare(odm)).await?;
            let mut state = self.state();
            (state.declared, state.read) = (Some(Instant::now()), None);
        }
        Ok(())
    }

    /// Discards the declarations. If this program still declares a forgotten relation, its next write stores the
    /// declaration again, so that other programs continue to store jobs for its copies.
    pub(super) fn forget(&self) {
        let mut state = self.state();
        (state.declared, state.read) = (None, None);
    }

    /// Whether it is time to search for jobs whose relations no program declares. If it is time, this method also
    /// records that the search begins now.
    pub(super) fn looks_for_orphans(&self) -> bool {
        let mut state = self.state();
        let is_time = state.looked.is_none_or(|at| at.elapsed() >= LOOK_EVERY);
        if is_time {
            state.looked = Some(Instant::now());
        }
        is_time
    }

    /// Warns about copies that programs fill from different source fields. Each copy causes only one warning per
    /// handle.
    fn warn_of(&self, contradictions: &[Contradiction]) {
        for Contradiction { copy, froms } in contradictions {
            if self.is_new(&format!("contradiction of {copy}")) {
                tracing::warn!(
                    copy,
                    ?froms,
                    "programs copy different fields of the source to the same path, and overwrite the values of each \
                     other; deploy one declaration everywhere, or call `forget_declaration` for the old one"
                );
            }
        }
    }

    /// Whether this handle still has to log the warning. Records the warning as logged.
    pub(super) fn is_new(&self, what: &str) -> bool {
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.len() >= WARNINGS {
            warned.clear();
        }
        warned.insert(what.to_owned())
    }
}

/// Stores the declarations of this program if they were not stored within the last day.
pub(crate) async fn declare_if_due(odm: &Odm) -> Result<()> {
    let known = odm.deployment().shared::<DeclarationCache>();
    if odm.settings().schema_refresh.is_none() || !known.is_due() {
        return Ok(());
    }
    for_all_calls(declare_in_turn(odm.clone())).await
}

/// Stores the declarations of this program, unless another call has stored them in the meantime.
fn declare_in_turn(odm: Odm) -> BoxFuture<'static, Result<()>> {
    Box::pin(async move {
        let known = odm.deployment().shared::<DeclarationCache>();
        let _turn = known.turn.lock().await;
        known.declare(&odm).await
    })
}

/// Reads the declarations of other programs, unless another call has read them in the meantime. If `declares` is true,
/// the program first stores its own declarations.
fn read_in_turn(
    odm: Odm,
    every: Duration,
    declares: bool,
) -> BoxFuture<'static, Result<Arc<Declarations>>> {
    Box::pin(async move {
        let known = odm.deployment().shared::<DeclarationCache>();
        let _turn = known.turn.lock().await;
        if let Some(read) = known.fresh(every, declares) {
            return Ok(read);
        }
        if declares {
            known.declare(&odm).await?;
        }
        let read = Arc::new(ask_before_write(|| read(&odm)).await?);
        known.warn_of(&read.contradictions);
        known.state().read = Some(Arc::clone(&read));
        Ok(read)
    })
}

impl Exec {
    /// Lists the extended references that have sources in the given documents and that only other programs declare.
    ///
    /// This program stores its own declarations with one `update`: before its first write to a source or to a document
    /// that contains copies, and then once a day. Once per
    /// [`Settings::schema_refresh`](crate::Settings::schema_refresh), one `find` reads the declarations of other
    /// programs. The result of this read applies to all collections and is shared by all clones of the handle. The
    /// `update` and the `find` are sent outside any transaction.
    pub(crate) async fn foreign(
        &self,
        documents: DocumentSet<'_>,
    ) -> Result<Vec<Arc<ExtendedReference>>> {
        let mut foreign = self.all_foreign(documents.collection).await?;
        foreign.retain(|reference| documents.overlaps(&reference.source));
        Ok(foreign)
    }

    /// Lists the extended references that only other programs declare and that store copies in the given documents.
    /// Also includes this program's delete rules for references in these documents, if other programs might not know
    /// the rules yet. These delete rules are represented by extended references that have no copies.
    pub(crate) async fn left_within(
        &self,
        documents: DocumentSet<'_>,
    ) -> Result<Vec<Arc<ExtendedReference>>> {
        let Some(known) = self.declarations(documents.collection).await? else {
            return Ok(Vec::new());
        };
        let foreign = known.foreign.iter();
        let left = foreign.filter(|it| match it.content() {
            Content::Derived | Content::Mirrored => documents.overlaps(&it.target),
            Content::Absent => false,
        });
        let mut left: Vec<_> = left.cloned().collect();
        left.extend(known.young_rules(documents, self.settings().grace_period()));
        Ok(left)
    }

    async fn all_foreign(&self, collection: &str) -> Result<Vec<Arc<ExtendedReference>>> {
        let known = self.declarations(collection).await?;
        Ok(known.map_or(Vec::new(), |known| known.foreign.clone()))
    }

    /// Lists the extended references that only other programs declare. This list is for calls that only read, so this
    /// method does not store the program's own declarations.
    pub(crate) async fn foreign_for_reader(&self) -> Result<Vec<Arc<ExtendedReference>>> {
        let known = self.declarations_for(false).await?;
        Ok(known.map_or(Vec::new(), |known| known.foreign.clone()))
    }

    async fn declarations(&self, collection: &str) -> Result<Option<Arc<Declarations>>> {
        self.declarations_for(graph().concerns(collection)).await
    }

    async fn declarations_for(&self, declares: bool) -> Result<Option<Arc<Declarations>>> {
        let odm = self.odm();
        let Some(every) = odm.settings().schema_refresh else {
            return Ok(None);
        };
        let known = odm.deployment().shared::<DeclarationCache>();
        if self.is_paper() {
            // A plan sends nothing, so it uses the declarations that are already known.
            return Ok(known.latest());
        }
        if let Some(read) = known.fresh(every, declares) {
            return Ok(Some(read));
        }
        let read = for_all_calls(read_in_turn(odm.clone(), every, declares)).await?;
        Ok(Some(read))
    }

    /// Returns the time since which this program's copies of an extended reference have been declared without
    /// interruption. Returns `None` if this program does not read the declarations.
    pub(crate) async fn declared_at(
        &self,
        reference: &ExtendedReference,
    ) -> Result<Option<DateTime>> {
        let known = self.declarations(reference.target.collection()).await?;
        Ok(known.and_then(|known| known.declared_at(&reference.relation)))
    }

    /// Returns the earliest time for the last look at a new copy, or at a new reference that has a delete rule. Until
    /// that time, a program that does not know the relation might change or delete the source without enqueuing a job.
    /// Returns `None` if all programs already know the relation.
    pub(crate) async fn until_known(
        &self,
        reference: &ExtendedReference,
    ) -> Result<Option<DateTime>> {
        let known = self.declarations(reference.target.collection()).await?;
        let grace = self.settings().grace_period();
        Ok(known.and_then(|known| known.until_known(&reference.relation, grace)))
    }
}

impl Odm {
    /// Warns about an extended reference that only other programs declare. The warning is logged only once per handle.
    pub(crate) fn warn_of_foreign(&self, relation: &str) {
        if self
            .deployment()
            .shared::<DeclarationCache>()
            .is_new(relation)
        {
            tracing::warn!(
                relation,
                "this program has changed a source of copies that only other programs declare; a job is left \
                 to them"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_others_is_a_minute_old_at_the_most() {
        let of_age = |secs| {
            let asked = Instant::now().checked_sub(Duration::from_secs(secs));
            let known = DeclarationCache::default();
            known.state().read = asked.map(|asked| Arc::new(Declarations::none(asked)));
            known
        };
        for (every, age, is_known) in [(60, 50, true), (3_600, 70, false), (20, 30, false)] {
            let read = of_age(age).fresh(Duration::from_secs(every), false);
            assert_eq!(read.is_some(), is_known, "{age} s, every {every} s");
        }
        // Before a program writes a source or a copy, it stores its declarations.
        assert!(of_age(1).fresh(Duration::from_secs(60), true).is_none());
    }
}
