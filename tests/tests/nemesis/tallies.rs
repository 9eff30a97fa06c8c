//! Counters that are incremented by one. They show whether a write is applied twice, or is acknowledged and then lost.
//!
//! Each write also pushes a unique token. If a write is applied twice, the array contains its token twice.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::TryStreamExt;
use mongo_odm::{
    Result, Tx,
    bson::Document,
    mongodb::{Database, options::ReadConcern},
    prelude::*,
};

use crate::random::Random;

/// A small number, so that concurrent writes change the same counter.
const TALLIES: u64 = 12;

/// A counter without derived data. Counters with an odd group are only written all together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "tallies", shard_key(_id = "hashed"))]
pub(crate) struct Tally {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Tally, i64>,
    pub(crate) group: i64,
    pub(crate) count: i64,
    pub(crate) tokens: Vec<String>,
}

/// A counter that other documents copy, so that each write of it is a transaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "meters", shard_key(_id = "hashed"))]
pub(crate) struct Meter {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Meter, i64>,
    pub(crate) count: i64,
    pub(crate) tokens: Vec<String>,
}

/// A copy of a counter. All copies of one counter are on one shard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "readings", shard_key(meter = 1))]
pub(crate) struct Reading {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Reading>,
    #[parent_ref]
    pub(crate) meter: Id<Meter, i64>,
    #[denorm(from = Meter.count)]
    pub(crate) count: i64,
}

#[derive(Clone, Copy)]
pub(crate) enum Act {
    Tally,
    /// Increments all tallies of a group in a transaction of the application.
    Group,
    Meter,
}

pub(crate) const ACTS: [(u64, &str, Act); 3] = [
    (40, "counted", Act::Tally),
    (20, "counted in a group", Act::Group),
    (40, "counted with copies", Act::Meter),
];

pub(crate) async fn perform(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    let number = random.below(TALLIES).cast_signed();
    let fields = Tally::fields();
    match act {
        Act::Tally => {
            let tally = Tally::update(odm, Id::from_key(number / 2 * 2));
            let tally = tally.inc(fields.count, 1).push(fields.tokens, name);
            tally.await.map(|_| 1)
        }
        Act::Group => {
            let counted = async |tx: Tx| {
                let all = Tally::update_many(&tx, fields.group.eq(1));
                let all = all.inc(fields.count, 1).push(fields.tokens, name);
                all.await.map(|done| done.modified)
            };
            odm.transaction(counted).await
        }
        Act::Meter => {
            let fields = Meter::fields();
            let meter = Meter::update(odm, Id::from_key(number));
            let meter = meter.inc(fields.count, 1).push(fields.tokens, name);
            meter.await.map(|_| 1)
        }
    }
}

/// Stores the counters, and three copies of each meter.
pub(crate) async fn fill(odm: &Odm) -> Result<()> {
    let numbers = 0..TALLIES.cast_signed();
    let tallies = numbers.clone().map(|number| Tally {
        id: Id::from_key(number),
        group: number % 2,
        count: 0,
        tokens: Vec::new(),
    });
    Tally::insert_many(odm, &tallies.collect::<Vec<_>>()).await?;
    let meters = numbers.clone().map(|number| Meter {
        id: Id::from_key(number),
        count: 0,
        tokens: Vec::new(),
    });
    Meter::insert_many(odm, &meters.collect::<Vec<_>>()).await?;
    let readings = numbers
        .flat_map(|number| [number; 3])
        .map(|number| Reading {
            id: Id::new(),
            meter: Id::from_key(number),
            count: 0,
        });
    let readings: Vec<_> = readings.collect();
    Reading::insert_many(odm, &readings).await.map(drop)
}

/// The writes that the stored counters contain.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// Number of writes. A write that was applied twice counts once.
    pub(crate) writes: u64,
    pub(crate) twice: u64,
    pub(crate) wrong: Vec<String>,
}

pub(crate) async fn compare(database: &Database) -> Counted {
    let mut counted = Counted::default();
    let mut groups = BTreeMap::new();
    for collection in ["tallies", "meters"] {
        for stored in all(database, collection).await {
            let tokens = stored.get_array("tokens").unwrap();
            let different: BTreeSet<String> = tokens.iter().map(ToString::to_string).collect();
            counted.writes += different.len() as u64;
            counted.twice += (tokens.len() - different.len()) as u64;
            let id = stored.get_i64("_id").unwrap();
            if stored.get_i64("count").ok() != i64::try_from(different.len()).ok() {
                let count = stored.get("count");
                let different = different.len();
                counted.wrong.push(format!(
                    "{different} writes have counted {id} of {collection} to {count:?}"
                ));
            }
            if stored.get_i64("group").ok() == Some(1) {
                groups.insert(id, different);
            }
        }
    }
    if groups.values().collect::<BTreeSet<_>>().len() > 1 {
        let counts = groups.iter().map(|(id, tokens)| (id, tokens.len()));
        let counts: Vec<_> = counts.collect();
        let parts = format!("a part of a group was written: {counts:?}");
        counted.wrong.push(parts);
    }
    counted
}

async fn all(database: &Database, collection: &str) -> Vec<Document> {
    let collection = database.collection::<Document>(collection);
    let found = collection.find(doc! {});
    let found = found.read_concern(ReadConcern::majority()).await.unwrap();
    found.try_collect().await.unwrap()
}
