//! Compares the documents of two models of which one was moved into the other.

use std::{
    collections::HashSet,
    fmt,
    future::IntoFuture,
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
        odm::{Exec, Odm, Running, traced},
        place::Place,
    },
    derived::outbox::some_of,
    error::Result,
    value::key::JoinKey,
};

/// How many documents are compared at once.
const AT_ONCE: usize = 1_000;

/// Compares the documents of two models: `odm.move_documents(..).check().await?`.
///
/// Awaiting it sends, for each 1,000 documents of `Old`, two `find` in one transaction, and for each 1,000 documents of `New`
/// one `find` of their ids. It walks both by `_id`, and takes some 16 bytes of memory for each document. What others
/// write meanwhile may be among what it finds.
///
/// # Errors
///
/// Those of the [move](crate::MoveDocuments), and what the server reports.
#[must_use = "nothing is compared until it is awaited"]
#[derive(Debug)]
pub struct CheckMove {
    odm: Odm,
    route: Route,
}

/// What a check of a move has found; of each list the first hundred ids.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MoveDrift {
    /// How many documents of `Old` were compared.
    pub compared: u64,
    /// How many documents are in the lists below, also beyond the first hundred of each.
    pub found: u64,
    /// The ids of documents of `Old` that the target lacks.
    pub missing: Vec<Bson>,
    /// The ids of documents of `Old` that the target has otherwise, or that become the same as one before them.
    pub differing: Vec<Bson>,
    /// The ids of documents of `Old` that cannot be read, or not be stored as `New`.
    pub failed: Vec<Bson>,
    /// The ids of documents of `New` that no document of `Old` becomes.
    pub left_over: Vec<Bson>,
}

impl MoveDrift {
    /// Returns whether the target has what was to be moved, and nothing else.
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
    /// Adds what the target has besides.
    async fn add_left_over(&mut self, route: &Route, known: &SeenIds, exec: &Exec) -> Result<()> {
        let find = FindCommand::new(Place::of(route.to), Document::new()).ids();
        let mut lo = None;
        loop {
            let documents = id_order::next(&find, lo.as_ref(), AT_ONCE, exec).await?;
            let ids: Vec<Bson> = documents.iter().filter_map(id_of).collect();
            let Some(last) = ids.last().cloned() else {
                return Ok(());
            };
            let left = ids.into_iter().filter(|id| !known.contains(id)).collect();
            self.add(|it| &mut it.left_over, left);
            lo = Some(last);
        }
    }
}

/// The ids that documents of `Old` become, as 64 bits of each.
#[derive(Default)]
struct SeenIds {
    seen: HashSet<u64>,
    state: RandomState,
}

impl SeenIds {
    /// Adds an id; returns whether it is new.
    fn add(&mut self, id: &Bson) -> bool {
        self.seen
            .insert(self.state.hash_one(JoinKey::from(id.clone())))
    }

    fn contains(&self, id: &Bson) -> bool {
        self.seen
            .contains(&self.state.hash_one(JoinKey::from(id.clone())))
    }
}

/// What was found of the next documents.
struct ComparedPart {
    number: u64,
    /// Each document that is to be in the target, and what the target says of it.
    found: Vec<(ConvertedDocument, Comparison)>,
    failed: Vec<Bson>,
    hi: Bson,
}

/// Compares the next documents in one snapshot; none if there are no more.
async fn compare((route, lo): (Route, Option<Bson>), exec: Exec) -> Result<Option<ComparedPart>> {
    let documents = id_order::next(&route.find(), lo.as_ref(), AT_ONCE, &exec).await?;
    let Some(hi) = documents.last().and_then(id_of) else {
        return Ok(None);
    };
    let (moving, failed) = convert_all(&route, &documents);
    Ok(Some(ComparedPart {
        number: documents.len() as u64,
        found: compare_with_target(&route, moving, &exec).await?,
        failed,
        hi,
    }))
}

impl IntoFuture for CheckMove {
    type Output = Result<MoveDrift>;
    type IntoFuture = Running<MoveDrift>;

    fn into_future(self) -> Self::IntoFuture {
        traced(self.route.from, "check_move", self.run())
    }
}
