//! Shelves with crates, and items in the crates, of several teams: deletes that can be undone, versions that reject
//! outdated structs, and hooks.
//!
//! A crate is deleted and restored only together with its shelf, or while its shelf exists. So in the end, all crates
//! of a deleted shelf are deleted. Each change of a crate is logged in the same transaction, so that a lost change is
//! found.

use futures_util::TryStreamExt;
use mongo_odm::{
    Error, Result, Tx, Update,
    bson::Document,
    mongodb::{Database, options::ReadConcern},
    prelude::*,
};

use crate::{program::any, random::Random};

/// A small number, so that concurrent writes change the same shelf.
pub(crate) const SHELVES: u64 = 6;
const TEAMS: u64 = 2;
/// The largest weight that the hooks of a crate accept.
const MOST: i64 = 50;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "shelves", tenant = "team")]
pub(crate) struct Shelf {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Shelf, i64>,
    pub(crate) team: i64,
    pub(crate) name: String,
    #[rollup(count, of = "Crate", via = "shelf")]
    pub(crate) crates: i64,
    #[rollup(sum, of = "Crate", via = "shelf", field = "weight")]
    pub(crate) weight: i64,
    #[recent(of = "Crate", via = "shelf", sort = "weight", limit = 3)]
    pub(crate) heaviest: Vec<CrateLine>,
    #[deleted_at]
    pub(crate) deleted_at: Option<DateTime>,
    #[version]
    pub(crate) version: i64,
    #[updated_at]
    pub(crate) updated_at: DateTime,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Crate")]
pub(crate) struct CrateLine {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Crate>,
    pub(crate) weight: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "crates", tenant = "team", hooks)]
pub(crate) struct Crate {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Crate>,
    pub(crate) team: i64,
    #[parent_ref(exists, on_delete = "cascade")]
    pub(crate) shelf: Id<Shelf, i64>,
    #[denorm(from = Shelf.name, via = shelf)]
    pub(crate) shelf_name: Option<String>,
    pub(crate) weight: i64,
    pub(crate) changes: i64,
    #[rollup(count, of = "Item", via = "crate_id")]
    pub(crate) items: i64,
    #[deleted_at]
    pub(crate) deleted_at: Option<DateTime>,
    #[created_at]
    pub(crate) created_at: DateTime,
    #[updated_at]
    pub(crate) updated_at: DateTime,
    #[version]
    pub(crate) version: i64,
}

impl Hooks for Crate {
    async fn before_insert(&mut self, _: &Tx) -> Result<()> {
        self.weight = self.weight.min(MOST);
        Ok(())
    }

    async fn before_update(&self, change: &mut Update<Self>, _: &Tx) -> Result<()> {
        let weight = Self::fields().weight;
        if change.value_set(weight)?.is_some_and(|it| it > MOST) {
            change.set(weight, MOST);
        }
        Ok(())
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "items", tenant = "team")]
pub(crate) struct Item {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Item>,
    pub(crate) team: i64,
    #[parent_ref(exists, on_delete = "cascade")]
    pub(crate) crate_id: Id<Crate>,
    #[deleted_at]
    pub(crate) deleted_at: Option<DateTime>,
}

/// A document that records one change of a crate. A purge of the crate does not delete it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "notes")]
pub(crate) struct ChangeNote {
    #[serde(rename = "_id")]
    pub(crate) id: Id<ChangeNote>,
    pub(crate) of: ObjectId,
}

#[derive(Clone, Copy)]
pub(crate) enum Act {
    Pack,
    PackElsewhere,
    AddItem,
    Rename,
    Weigh,
    Edit,
    EditLater,
    MoveCrate,
    DeleteCrate,
    RestoreCrate,
    DeleteShelf,
    RestoreShelf,
    Purge,
}

pub(crate) const ACTS: [(u64, &str, Act); 13] = [
    (25, "packed", Act::Pack),
    (3, "packed elsewhere", Act::PackElsewhere),
    (20, "added an item", Act::AddItem),
    (10, "renamed a shelf", Act::Rename),
    (12, "weighed a crate", Act::Weigh),
    (15, "edited a crate", Act::Edit),
    (10, "edited a crate later", Act::EditLater),
    (8, "moved a crate", Act::MoveCrate),
    (8, "deleted a crate", Act::DeleteCrate),
    (8, "restored a crate", Act::RestoreCrate),
    (8, "deleted a shelf", Act::DeleteShelf),
    (14, "restored a shelf", Act::RestoreShelf),
    (2, "purged", Act::Purge),
];

pub(crate) async fn perform(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    match act_once(act, odm, random, name).await {
        // Another process has deleted or changed the document, or the shelf belongs to another team.
        Err(Error::Conflict { .. } | Error::Deleted { .. } | Error::NoTarget { .. }) => Ok(0),
        done => done,
    }
}

async fn act_once(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    let number = random.below(SHELVES);
    let (shelf, team) = (shelf_id(number), team_of(number));
    let all = &odm.all_tenants();
    let odm = &odm.for_tenant(team);
    let is_later = random.percent(30);
    let deleted = |report: mongo_odm::DeleteReport| report.deleted;
    match act {
        Act::Pack => pack(odm, shelf, team, random).await,
        Act::PackElsewhere => pack(odm, shelf_id(number + 1), team, random).await,
        Act::AddItem => {
            let filter = doc! { "team": team };
            let Some(crate_id) = any::<Crate>(odm, filter).await? else {
                return Ok(0);
            };
            let (id, deleted_at) = (Id::new(), None);
            let item = Item {
                id,
                team,
                crate_id,
                deleted_at,
            };
            item.insert(odm).await.map(|_| 1)
        }
        Act::Rename => {
            let renamed = Shelf::update(odm, shelf).set(Shelf::fields().name, name);
            let renamed = if is_later {
                renamed.deferred()
            } else {
                renamed
            };
            renamed.await.map(|done| done.modified)
        }
        Act::Weigh => weigh(odm, random).await,
        Act::Edit | Act::EditLater => edit(odm, random, matches!(act, Act::EditLater)).await,
        Act::MoveCrate => {
            let Some(id) = any::<Crate>(odm, doc! { "team": team }).await? else {
                return Ok(0);
            };
            let to = shelf_id(random.below(SHELVES / TEAMS) * TEAMS + number % TEAMS);
            let moved = async |tx: Tx| {
                let f = Crate::fields();
                let moved = Crate::update(&tx, id).set(f.shelf, to).inc(f.changes, 1);
                note(moved.await?.matched, id, &tx).await
            };
            odm.transaction(moved).await
        }
        Act::DeleteCrate => match any::<Crate>(odm, doc! {}).await? {
            Some(id) if is_later => Crate::delete(odm, id).deferred().await.map(deleted),
            Some(id) => Crate::delete(odm, id).await.map(deleted),
            None => Ok(0),
        },
        Act::RestoreCrate => restore_crate(odm).await,
        Act::DeleteShelf if is_later => Shelf::delete(odm, shelf).deferred().await.map(deleted),
        Act::DeleteShelf => Shelf::delete(odm, shelf).await.map(deleted),
        Act::RestoreShelf => Ok(Shelf::restore(odm, shelf).await?.restored),
        Act::Purge => match any::<Crate>(odm, doc! {}).await? {
            Some(id) => Crate::purge(all, id).await.map(deleted),
            None => Ok(0),
        },
    }
}

async fn pack(odm: &Odm, shelf: Id<Shelf, i64>, team: i64, random: &mut Random) -> Result<u64> {
    let packed = Crate {
        weight: random.below(60).cast_signed(),
        ..crate_in(shelf, team)
    };
    let stored = async |tx: Tx| {
        packed.insert(&tx).await?;
        note(1, packed.id, &tx).await
    };
    odm.transaction(stored).await
}

/// Changes the weight of a crate without checking its version.
async fn weigh(odm: &Odm, random: &mut Random) -> Result<u64> {
    let Some(id) = any::<Crate>(odm, doc! {}).await? else {
        return Ok(0);
    };
    let weight = random.below(60).cast_signed();
    let weighed = async |tx: Tx| {
        let f = Crate::fields();
        let update = Crate::update(&tx, id)
            .set(f.weight, weight)
            .inc(f.changes, 1);
        note(update.await?.matched, id, &tx).await
    };
    odm.transaction(weighed).await
}

/// Loads a crate, changes the struct and saves it. If the crate has changed meanwhile, the version check must reject
/// the save.
async fn edit(odm: &Odm, random: &mut Random, is_slow: bool) -> Result<u64> {
    let Some(id) = any::<Crate>(odm, doc! {}).await? else {
        return Ok(0);
    };
    let Some(mut edited) = Crate::find_one(odm)
        .filter(Crate::fields().id.eq(id))
        .await?
    else {
        return Ok(0);
    };
    edited.weight = random.below(60).cast_signed();
    edited.changes += 1;
    if is_slow {
        tokio::time::sleep(random.millis(1, 200)).await;
    }
    let saved = async |tx: Tx| {
        let done = edited.save(&tx).await?;
        note(done.matched, id, &tx).await
    };
    odm.transaction(saved).await
}

async fn note(matched: u64, id: Id<Crate>, tx: &Tx) -> Result<u64> {
    if matched > 0 {
        let (of, id) = (id.into_key(), Id::new());
        ChangeNote { id, of }.insert(tx).await?;
    }
    Ok(matched)
}

/// Restores a crate whose shelf exists.
async fn restore_crate(odm: &Odm) -> Result<u64> {
    let deleted = doc! { "deleted_at": { "$ne": null } };
    let Some(id) = any::<Crate>(odm, deleted).await? else {
        return Ok(0);
    };
    let restored = async |tx: Tx| {
        let found = Crate::find_one(&tx).filter(Crate::fields().id.eq(id));
        let Some(found) = found.only_deleted().await? else {
            return Ok(0);
        };
        // This update conflicts with a concurrent delete of the shelf.
        let shelf = Shelf::update(&tx, found.shelf);
        let shelf = shelf.set(Shelf::fields().name, format!("with {id}"));
        if shelf.await?.matched == 0 {
            return Ok(0);
        }
        Ok(Crate::restore(&tx, id).await?.restored)
    };
    odm.transaction(restored).await
}

pub(crate) fn shelf_id(number: u64) -> Id<Shelf, i64> {
    Id::from_key(number.cast_signed())
}

fn team_of(number: u64) -> i64 {
    (number % TEAMS).cast_signed()
}

/// Returns an empty shelf.
pub(crate) fn shelf(number: u64) -> Shelf {
    Shelf {
        id: shelf_id(number),
        team: team_of(number),
        name: "new".to_owned(),
        crates: 0,
        weight: 0,
        heaviest: Vec::new(),
        deleted_at: None,
        version: 0,
        updated_at: DateTime::MIN,
    }
}

fn crate_in(shelf: Id<Shelf, i64>, team: i64) -> Crate {
    Crate {
        id: Id::new(),
        team,
        shelf,
        shelf_name: None,
        weight: 0,
        changes: 1,
        items: 0,
        deleted_at: None,
        created_at: DateTime::MIN,
        updated_at: DateTime::MIN,
        version: 0,
    }
}

/// Returns the number of compared documents, and their errors.
pub(crate) async fn compare(database: &Database) -> (u64, Vec<String>) {
    let shelves = stored(database, "shelves").await;
    let crates = stored(database, "crates").await;
    let items = stored(database, "items").await;
    let notes = stored(database, "notes").await;
    let mut wrong = Vec::new();
    for shelf in &shelves {
        let own: Vec<_> = of(&crates, "shelf", shelf).collect();
        family(shelf, &own, &mut wrong);
        summaries(shelf, &own, &mut wrong);
        let stale = own
            .iter()
            .filter(|it| it.get("shelf_name") != shelf.get("name"));
        wrong.extend(stale.map(|it| format!("the copy in {it} is not that of {shelf}")));
    }
    for one in &crates {
        let own: Vec<_> = of(&items, "crate_id", one).collect();
        family(one, &own, &mut wrong);
        let live = own.iter().filter(|it| !is_deleted(it)).count();
        if one.get_i64("items").ok() != i64::try_from(live).ok() {
            wrong.push(format!("{live} items are in {one}"));
        }
        changes(one, of(&notes, "of", one).count(), &mut wrong);
        if !shelves.iter().any(|it| it.get("_id") == one.get("shelf")) {
            wrong.push(format!("{one} has no shelf"));
        }
    }
    let orphans = items.iter().filter(|item| {
        let mut crates = crates.iter();
        !crates.any(|it| it.get("_id") == item.get("crate_id"))
    });
    wrong.extend(orphans.map(|it| format!("{it} has no crate")));
    let all = shelves.len() + crates.len() + items.len();
    (u64::try_from(all).unwrap(), wrong)
}

/// Checks the effects of a delete and a restore on the children of a document, and that they have its tenant.
fn family(parent: &Document, children: &[&Document], wrong: &mut Vec<String>) {
    for child in children {
        let is_wrong = if is_deleted(parent) {
            !is_deleted(child)
        } else {
            let delete = parent.get("_odm_delete");
            is_deleted(child) && delete.is_some() && child.get("_odm_delete") == delete
        };
        if is_wrong {
            wrong.push(format!("{child} should be deleted as is {parent}"));
        }
        if child.get("team") != parent.get("team") {
            wrong.push(format!("{child} is in {parent} of another team"));
        }
    }
}

fn summaries(shelf: &Document, crates: &[&Document], wrong: &mut Vec<String>) {
    let live = crates.iter().filter(|it| !is_deleted(it));
    let mut live: Vec<(i64, ObjectId)> = live
        .map(|it| {
            (
                it.get_i64("weight").unwrap(),
                it.get_object_id("_id").unwrap(),
            )
        })
        .collect();
    live.sort_unstable();
    let heaviest = live[live.len().saturating_sub(3)..].iter();
    let heaviest: Vec<_> = heaviest
        .map(|(weight, id)| doc! { "_id": *id, "weight": *weight })
        .collect();
    let expected = doc! {
        "crates": i64::try_from(live.len()).unwrap(),
        "weight": live.iter().map(|(weight, _)| weight).sum::<i64>(),
        "heaviest": heaviest,
    };
    for (field, expected) in &expected {
        if shelf.get(field) != Some(expected) {
            wrong.push(format!("{field} should be {expected} in {shelf}"));
        }
    }
}

/// Checks that no change was lost, and that the version has increased with each of them.
fn changes(one: &Document, notes: usize, wrong: &mut Vec<String>) {
    let changes = one.get_i64("changes").unwrap();
    if i64::try_from(notes) != Ok(changes) {
        wrong.push(format!("{notes} changes are noted of {one}"));
    }
    let is_late = one.get_datetime("updated_at").unwrap() < one.get_datetime("created_at").unwrap();
    if one.get_i64("version").unwrap() < changes || is_late {
        wrong.push(format!("the version or the time is too old in {one}"));
    }
    if one.get_i64("weight").unwrap() > MOST {
        wrong.push(format!("no hook was called for {one}"));
    }
}

fn is_deleted(document: &Document) -> bool {
    document.get_datetime("deleted_at").is_ok()
}

fn of<'d>(
    children: &'d [Document],
    reference: &'static str,
    parent: &'d Document,
) -> impl Iterator<Item = &'d Document> {
    let id = parent.get("_id");
    children.iter().filter(move |it| it.get(reference) == id)
}

async fn stored(database: &Database, collection: &str) -> Vec<Document> {
    let collection = database.collection::<Document>(collection);
    let found = collection.find(doc! {}).sort(doc! { "_id": 1 });
    let found = found.read_concern(ReadConcern::majority()).await.unwrap();
    found.try_collect().await.unwrap()
}
