//! Repairs arrays that follow from the pointers on the other side.

use std::{collections::BTreeMap, sync::Arc};

use mongodb::bson::{Bson, Document, doc};

use super::report::RepairReport;
use crate::{
    command::{Command, UpdateCommand, simple},
    copy::{Image, Images},
    effects::{Change, Follow, follow},
    error::Result,
    key::any_of,
    odm::{Exec, Odm},
    outbox::JobId,
    path::overlap,
    place::Place,
    plan::Statement,
    runner::run_all,
    verify::{
        finding::{Cause, Drifted},
        pair::{Direction, TwoWay},
        two_way::again,
    },
};

/// How many documents are corrected in one transaction.
const DOCUMENTS: usize = 100;

/// The documents of one side whose references are not returned.
#[derive(Clone, Debug)]
struct Unreturned {
    pair: Arc<TwoWay>,
    direction: Direction,
    ids: Vec<Bson>,
}

/// What one transaction did.
#[derive(Debug, Default)]
struct RepairedPairs {
    repaired: u64,
    left: u64,
    jobs: Vec<JobId>,
}

pub(super) async fn repair(items: &[Drifted], odm: &Odm, report: &mut RepairReport) -> Result<()> {
    for named in by_side(items) {
        let images = images(&named.pair);
        if !images.is_empty() {
            odm.ready_for(&images.references, false).await?;
        }
        for ids in named.ids.chunks(DOCUMENTS) {
            let some = Unreturned {
                ids: ids.to_vec(),
                ..named.clone()
            };
            let exec = Exec::on(odm.clone());
            let done = exec.together(some, correct).await?;
            report.note(&named.pair.name, |noted| {
                noted.repaired += done.repaired;
                noted.left += done.left;
            });
            run_all(done.jobs, odm).await?;
        }
    }
    Ok(())
}

/// Returns the corrections, as they are sent if both sides are still as they were found.
pub(super) fn plan(items: &[Drifted]) -> Vec<Statement> {
    let mut statements = Vec::new();
    for named in by_side(items) {
        let note = format!(
            "{}, in a transaction that reads both sides again",
            named.pair.name
        );
        let found = items.iter().filter(|item| named.has(item));
        let updates = found.filter_map(|item| update(&named.pair, named.direction, item));
        statements.extend(updates.map(|it| it.scoped(true).statement().note(note.clone())));
    }
    statements
}

impl Unreturned {
    /// Whether a finding is about this side of this pair.
    fn has(&self, item: &Drifted) -> bool {
        matches!(&item.cause, Cause::TwoWay(pair, direction)
            if pair.name == self.pair.name && *direction == self.direction)
    }
}

fn by_side(items: &[Drifted]) -> Vec<Unreturned> {
    let mut sides: BTreeMap<(&str, bool), Unreturned> = BTreeMap::new();
    for item in items {
        let Cause::TwoWay(pair, direction) = &item.cause else {
            continue;
        };
        // What is too much goes first, and makes room.
        let adds = *direction == Direction::RightNamesLeft;
        let side = sides
            .entry((&pair.name, adds))
            .or_insert_with(|| Unreturned {
                pair: Arc::clone(pair),
                direction: *direction,
                ids: Vec::new(),
            });
        if side.ids.last() != Some(&item.id) {
            side.ids.push(item.id.clone());
        }
    }
    sides.into_values().collect()
}

/// Lists the copies whose keys are in the array.
fn images(pair: &TwoWay) -> Images {
    let mut images = Images::of(pair.left.model.collection);
    let concerns = |path: &str| overlap(path, &pair.left.path);
    images
        .references
        .retain(|reference| reference.source_paths().any(concerns));
    images
}

/// Reads both sides again and corrects the arrays; copies whose keys are in them follow.
async fn correct(named: Unreturned, exec: Exec) -> Result<RepairedPairs> {
    let Unreturned {
        pair,
        direction,
        ids,
    } = named;
    let (images, collection) = (images(&pair), pair.left.model.collection);
    let place = Place::of(pair.left.model);
    let mut done = RepairedPairs::default();
    let mut changes = Vec::new();
    for item in again(&pair, direction, &ids, &exec).await? {
        let Some(update) = update(&pair, direction, &item) else {
            done.left += 1;
            continue;
        };
        let before = before(&images, &update, &exec).await?;
        let wrote = exec.send(update).await?;
        done.repaired += wrote.modified;
        // No document with this key, or no room in its array.
        done.left += u64::from(wrote.matched == 0);
        let ids: Vec<Bson> = before
            .iter()
            .filter_map(|it| it.get("_id").cloned())
            .collect();
        let after = images.by_ids(&place, &ids, &exec).await?;
        changes.extend(Change::between(collection, &images, before, &after));
    }
    done.jobs = follow(changes, Follow::Deferred, &exec).await?.jobs;
    Ok(done)
}

/// Returns the filter and the update of the array that a pointer on the other side decides about.
fn correction(
    pair: &TwoWay,
    direction: Direction,
    id: &Bson,
    key: &Bson,
) -> Option<(Document, Document)> {
    let left = &pair.left;
    if !pair.is_derived() || !left.is_plain {
        return None;
    }
    Some(match direction {
        Direction::LeftNamesRight => (
            doc! { "_id": id.clone() },
            doc! { "$pullAll": { &left.path: [key.clone()] } },
        ),
        Direction::RightNamesLeft => {
            // What the array names is the value of the pointer's document, which is its `_id` here.
            if left.to != "_id" {
                return None;
            }
            let mut filter = any_of(&pair.right.to, vec![key.clone()]);
            if let Some(last) = left.max.and_then(|max| max.checked_sub(1)) {
                // Room for one more: nothing at the last position that the bound allows.
                filter.insert(format!("{}.{last}", left.path), doc! { "$exists": false });
            }
            (filter, doc! { "$addToSet": { &left.path: id.clone() } })
        }
    })
}

fn update(pair: &TwoWay, direction: Direction, item: &Drifted) -> Option<UpdateCommand> {
    let (filter, update) = correction(pair, direction, &item.id, item.key.as_ref()?)?;
    let place = Place::of(pair.left.model).durable();
    Some(UpdateCommand::many(place, filter, update).collation(simple()))
}

async fn before(images: &Images, update: &UpdateCommand, exec: &Exec) -> Result<Vec<Image>> {
    if images.is_empty() {
        return Ok(Vec::new());
    }
    let filter = update.filter.clone();
    images.read(&update.place, filter, exec).await
}
