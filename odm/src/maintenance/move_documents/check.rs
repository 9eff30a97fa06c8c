//! Compares the documents of two models after a move.

use std::{
    collections::HashSet,
    fmt,
    hash::{BuildHasher, RandomState},
};

use mongodb::bson::{Bson, Document};

use super::{
    existing_target::{Comparison, ConvertedDocument, compare_with_target, convert_all},
    route::Route,
};
use crate::{
    client::{
        command::FindCommand,
        id_order::{self, id_of},
        odm::{Exec, Odm, into_future, traced},
        place::Place,
    },
    derived::outbox::some_of,
    error::Result,
    value::key::JoinKey,
};

/// Number of documents that one step of the check compares.
const AT_ONCE: usize = 1_000;

/// Compares the documents of two models after a move: `odm.move_documents(..).check().await?`.
///
/// The check walks over the documents of both models by `_id`. The check uses about 16 bytes of memory for each
/// document.
///
/// # Sends
///
/// For every 1,000 documents of `Old`, one transaction that contains two `find` statements. For every 1,000 documents
/// of `New`, one `find` for their ids. The check changes nothing.
///
/// # Guarantees
///
/// If other programs write during the check, the findings can include differences that those programs have caused.
///
/// # Errors
///
/// The errors of [`MoveDocuments`](crate::MoveDocuments), and server errors. Documents that are converted to the same
/// `_id` are no error here, but findings ([`differing`](MoveDrift::differing)).
#[must_use = "nothing is compared until it is awaited"]
#[derive(Debug)]
pub struct CheckMove {
    odm: Odm,
    route: Route,
}

/// The differences that the check of a move has found. Each list contains up to a hundred ids.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MoveDrift {
    /// Number of `Old` documents that were compared.
    pub compared: u64,
    /// Number of all findings, including those that are not listed because a list was full.
    pub found: u64,
    /// The ids of `Old` documents that the target does not contain.
    pub missing: Vec<Bson>,
    /// The ids of `Old` documents that differ from their counterparts in the target, or that are converted to the
    /// same `_id` as an earlier document.
    pub differing: Vec<Bson>,
    /// The ids of `Old` documents that cannot be read, or that cannot be converted to `New` documents.
    pub failed: Vec<Bson>,
    /// The ids of `New` documents that do not correspond to any `Old` document.
    pub left_over: Vec<Bson>,
}

impl MoveDrift {
    /// Returns whether the check found no differences. Without differences, the target contains all converted documents
    /// and no other documents.
    ///
    /// # Examples
    ///
    /// See [`MoveDocuments`](super::MoveDocuments).
    pub const fn is_empty(&self) -> bool {
        self.found == 0
    }

    fn add(&mut self, list: fn(&mut Self) -> &mut Vec<Bson>, ids: Vec<Bson>) {
        self.found += ids.len() as u64;
        let list = list(self);
        list.extend(ids);
        *list = some_of(list);
    }
}

impl fmt::Display for MoveDrift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} documents compared", self.compared)?;
        let lists = [
            (&self.missing, "missing"),
            (&self.differing, "differing"),
            (&self.failed, "failed"),
            (&self.left_over, "left over"),
        ];
        for (ids, what) in lists.into_iter().filter(|(ids, _)| !ids.is_empty()) {
            let ids: Vec<String> = ids.iter().map(crate::mongosh::value).collect();
            write!(f, ", {what}: {}", ids.join(", "))?;
        }
        Ok(())
    }
}

impl CheckMove {
    pub(super) const fn new(odm: Odm, route: Route) -> Self {
        Self { odm, route }
    }

    async fn run(self) -> Result<MoveDrift> {
        let route = Route {
            delete: false,
            ..self.route
        };
        route.check()?;
        let exec = Exec::on(self.odm);
        let (mut drift, mut known) = (MoveDrift::default(), SeenIds::default());
        let mut lo = None;
        while let Some(part) = exec.together((route.clone(), lo), compare).await? {
            drift.compared += part.number;
            drift.add(|it| &mut it.failed, part.failed);
            for (it, found) in part.found {
                match found {
                    Comparison::Missing => drift.add(|it| &mut it.missing, vec![it.from]),
                    _ if !known.add(&it.id) => drift.add(|it| &mut it.differing, vec![it.from]),
                    Comparison::Different => drift.add(|it| &mut it.differing, vec![it.from]),
                    Comparison::Same => {}
                }
            }
            lo = Some(part.hi);
        }
        drift.add_left_over(&route, &known, &exec).await?;
        Ok(drift)
    }
}

impl MoveDrift {
    /// Adds the documents that only the target contains.
    async fn add_left_over(&mut self, route: &Route, known: &SeenIds, exec: &Exec) -> Result<()> {
        let find = FindCommand::new(Place::of(route.to), Document::new()).ids();
        let mut lo = None;
        loop {
            let documents = id_order::next(&find, lo.as_ref(), AT_ONCE, exec).await?;
            let ids: Vec<Bson> = documents.iter().filter_map(|raw| id_of(raw)).collect();
            let Some(last) = ids.last().cloned() else {
                return Ok(());
            };
            let left = ids.into_iter().filter(|id| !known.contains(id)).collect();
            self.add(|it| &mut it.left_over, left);
            lo = Some(last);
        }
    }
}

/// The target ids of all `Old` documents seen so far, each stored as a 64-bit hash.
#[derive(Default)]
struct SeenIds {
    seen: HashSet<u64>,
    state: RandomState,
}

impl SeenIds {
    /// Adds an id. Returns whether the id was new.
    fn add(&mut self, id: &Bson) -> bool {
        self.seen
            .insert(self.state.hash_one(JoinKey::from(id.clone())))
    }

    fn contains(&self, id: &Bson) -> bool {
        self.seen
            .contains(&self.state.hash_one(JoinKey::from(id.clone())))
    }
}

/// The result of comparing the documents of one step.
struct ComparedPart {
    number: u64,
    /// Each converted document, with the result of comparing it with the target.
    found: Vec<(ConvertedDocument, Comparison)>,
    failed: Vec<Bson>,
    hi: Bson,
}

/// Compares the next documents in one snapshot. Returns `None` after the last document.
async fn compare((route, lo): (Route, Option<Bson>), exec: Exec) -> Result<Option<ComparedPart>> {
    let documents = id_order::next(&route.find(), lo.as_ref(), AT_ONCE, &exec).await?;
    let Some(hi) = documents.last().and_then(|raw| id_of(raw)) else {
        return Ok(None);
    };
    let (moving, failed) = convert_all(&route, &documents, &exec);
    Ok(Some(ComparedPart {
        number: documents.len() as u64,
        found: compare_with_target(&route, moving, &exec).await?,
        failed,
        hi,
    }))
}

into_future!([] CheckMove => MoveDrift, |it| traced(it.route.from, "check_move", it.run()));
