//! Measures writes and reads of a model that has timestamps, an actor, a version, a tenant and `#[deleted_at]`. They are
//! compared with the same calls on a model without these fields, and with hand-written driver code that stores the same
//! fields. All variants are measured in the same rounds. Hooks and archives are measured separately.
//!
//! | | workload | limit |
//! |---|---|---|
//! | M1 | an insert of one document | 1.05 times the model without maintained fields |
//! | M2 | an update of one field, found by `_id` | 1.05 |
//! | M3 | a `get` by `_id` | 1.05 |
//! | M4 | a `find` of 20 documents by `_id` | 1.05 |
//! | M5 | an insert with a hook | none |
//! | M6 | an update with a hook, found by `_id` | none |
//! | M7 | a delete of a model with an archive | none |

#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_wrap,
    reason = "the numbers of calls are far from the limits of a double and of a long"
)]

mod transactions;

use futures_util::TryStreamExt as _;
use mongo_odm::{
    Odm,
    mongodb::{
        Collection,
        bson::{Bson, Document, RawDocumentBuf},
    },
    prelude::*,
};
use odm_benches::{
    Result,
    measure::{Kind, Rounds, Variant, measure, median},
    options::{CommandLine, number},
    place::Place,
    report::Ratio,
    table::{Limit, Table},
};
use transactions::{archived_deletes, hooked_inserts, hooked_updates};

/// Number of documents that the updates and reads use.
const DOCUMENTS: usize = 1_000;

/// Number of calls in one operation, so that an operation takes long enough to be measured.
const CALLS: usize = 50;

/// Number of documents that each `find` returns.
const FOUND: usize = 20;

/// The tenant of all documents.
const TEAM: &str = "north";

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "bench_plain")]
struct Plain {
    #[serde(rename = "_id")]
    id: Id<Plain>,
    title: String,
    points: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "bench_maintained", tenant = "team")]
struct Maintained {
    #[serde(rename = "_id")]
    id: Id<Maintained>,
    title: String,
    points: i64,
    #[created_at]
    created: DateTime,
    #[updated_at]
    updated: DateTime,
    #[updated_by]
    editor: Option<ObjectId>,
    #[version]
    version: i64,
    #[deleted_at]
    deleted: Option<DateTime>,
    team: String,
}

fn plain(key: ObjectId) -> Plain {
    Plain {
        id: Id::from_key(key),
        title: "a task of the benchmark".into(),
        points: 3,
    }
}

fn maintained(key: ObjectId) -> Maintained {
    Maintained {
        id: Id::from_key(key),
        title: "a task of the benchmark".into(),
        points: 3,
        created: DateTime::MIN,
        updated: DateTime::MIN,
        editor: None,
        version: 0,
        deleted: None,
        team: TEAM.into(),
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let line = CommandLine::read();
    let (mut seconds, least) = if line.quick { (0.3, 3) } else { (20.0, 15) };
    for (name, value) in &line.values {
        match name.as_str() {
            "--seconds" => seconds = number(name, value)?,
            _ => {
                return Err(format!(
                    "unknown option `{name}`; the options are --quick, --seconds N, --strict"
                )
                .into());
            }
        }
    }
    let place = Place::start().await?;
    let odm = place.database("maintained").await?;
    let keys: Vec<ObjectId> = (0..DOCUMENTS).map(|_| ObjectId::new()).collect();
    let hand = odm.for_tenant(TEAM).acting_as(ObjectId::new());
    Plain::insert_many(&odm, &keys.iter().copied().map(plain).collect::<Vec<_>>()).await?;
    let documents: Vec<_> = keys.iter().copied().map(maintained).collect();
    Maintained::insert_many(&hand, &documents).await?;
    transactions::prepare(&odm, &keys).await?;
    let mut table = Table::default();
    Table::head();
    let limit = Limit::AtMost(1.05);
    for (title, variants, limit) in [
        ("M1 insert", inserts(&hand), limit),
        ("M2 update", updates(&hand, &keys), limit),
        ("M3 get", reads(&hand, &keys), limit),
        ("M4 find", finds(&hand, &keys), limit),
        ("M5 insert with hook", hooked_inserts(&odm), Limit::None),
        (
            "M6 update with hook",
            hooked_updates(&odm, &keys),
            Limit::None,
        ),
        (
            "M7 delete with archive",
            archived_deletes(&odm),
            Limit::None,
        ),
    ] {
        let rounds = measure(&variants, 1, seconds, least, place.process).await?;
        rows(title, &rounds, limit, &mut table);
    }
    table.finish(line.strict)
}

/// Prints two comparisons: with the plain model, and with hand-written code.
fn rows(title: &str, rounds: &Rounds, limit: Limit, table: &mut Table) {
    let of = |at: usize| {
        let samples = rounds.samples.iter();
        samples.filter_map(move |round| round.get(at))
    };
    let text = |at| {
        let micros = |value: f64| value * 1_000.0 / CALLS as f64;
        let time = median(of(at).map(|sample| sample.time));
        let cpu = median(of(at).map(|sample| sample.client_cpu));
        format!("{:.0} us ({:.0} CPU)", micros(time), micros(cpu))
    };
    let ratio = |one, other| Ratio::of(of(one).zip(of(other)).map(|(one, it)| (one.time, it.time)));
    let without = format!("{title}, compared with a plain model");
    table.row(&without, &text(0), &text(1), &ratio(0, 1), limit);
    let by_hand = format!("{title}, compared with the driver");
    table.row(&by_hand, &text(0), &text(2), &ratio(0, 2), Limit::None);
    if of(3).next().is_some() {
        let conditions = format!("{title}, the driver with and without the conditions");
        table.row(&conditions, &text(2), &text(3), &ratio(2, 3), Limit::None);
    }
}

fn variant<F, Running>(name: &'static str, kind: Kind, call: F) -> Variant
where
    F: Fn(usize) -> Running + Clone + Send + Sync + 'static,
    Running: Future<Output = Result<()>> + Send + 'static,
{
    Variant::new(name, kind, move |number| {
        let call = call.clone();
        async move {
            for at in 0..CALLS {
                call(number * CALLS + at).await?;
            }
            Ok(0)
        }
    })
}

/// Returns a function that selects a key for each call.
fn key_of(keys: &[ObjectId]) -> impl Fn(usize) -> ObjectId + Clone + Send + Sync + 'static {
    let keys = keys.to_vec();
    move |number| keys.get(number % keys.len()).copied().unwrap_or_default()
}

/// Returns a function that selects the keys of one `find`.
fn keys_of(keys: &[ObjectId]) -> impl Fn(usize) -> Vec<ObjectId> + Clone + Send + Sync + 'static {
    let key = key_of(keys);
    move |number| (0..FOUND).map(|at| key(number * FOUND + at)).collect()
}

/// Returns the filter of hand-written code for live documents of the tenant.
fn live(id: Bson) -> Document {
    doc! { "_id": id, "team": TEAM, "deleted": null }
}

/// Returns a filter without conditions on the tenant and on deleted documents.
fn only_id(id: Bson) -> Document {
    doc! { "_id": id }
}

type FilterOf = fn(Bson) -> Document;

fn by_hand(odm: &Odm) -> Collection<Maintained> {
    odm.database().collection("bench_maintained")
}

fn inserts(odm: &Odm) -> Vec<Variant> {
    let (first, second, third) = (odm.clone(), odm.clone(), by_hand(odm));
    vec![
        variant("maintained", Kind::Library, move |_| {
            let odm = first.clone();
            async move {
                maintained(ObjectId::new()).insert(&odm).await?;
                Ok(())
            }
        }),
        variant("plain", Kind::Usual, move |_| {
            let odm = second.clone();
            async move {
                plain(ObjectId::new()).insert(&odm).await?;
                Ok(())
            }
        }),
        variant("hand-written", Kind::Hand, move |_| {
            let collection = third.clone();
            async move {
                let now = DateTime::now();
                let document = Maintained {
                    created: now,
                    updated: now,
                    version: 1,
                    ..maintained(ObjectId::new())
                };
                collection.insert_one(document).await?;
                Ok(())
            }
        }),
    ]
}

fn updates(odm: &Odm, keys: &[ObjectId]) -> Vec<Variant> {
    let (first, second, third) = (odm.clone(), odm.clone(), by_hand(odm));
    let (key, other, another) = (key_of(keys), key_of(keys), key_of(keys));
    vec![
        variant("maintained", Kind::Library, move |number| {
            let (odm, id) = (first.clone(), Id::from_key(key(number)));
            async move {
                let points = Maintained::fields().points;
                Maintained::update(&odm, id)
                    .set(points, number as i64)
                    .await?;
                Ok(())
            }
        }),
        variant("plain", Kind::Usual, move |number| {
            let (odm, id) = (second.clone(), Id::from_key(other(number)));
            async move {
                let points = Plain::fields().points;
                Plain::update(&odm, id).set(points, number as i64).await?;
                Ok(())
            }
        }),
        variant("hand-written", Kind::Hand, move |number| {
            let (collection, id) = (third.clone(), another(number));
            async move {
                let set = doc! { "points": number as i64, "updated": DateTime::now() };
                let update = doc! { "$set": set, "$inc": { "version": 1_i64 } };
                collection.update_one(live(id.into()), update).await?;
                Ok(())
            }
        }),
    ]
}

fn reads(odm: &Odm, keys: &[ObjectId]) -> Vec<Variant> {
    let (first, second) = (odm.clone(), odm.clone());
    let (key, other) = (key_of(keys), key_of(keys));
    vec![
        variant("maintained", Kind::Library, move |number| {
            let (odm, id) = (first.clone(), Id::from_key(key(number)));
            async move {
                Maintained::get(&odm, id).await?;
                Ok(())
            }
        }),
        variant("plain", Kind::Usual, move |number| {
            let (odm, id) = (second.clone(), Id::from_key(other(number)));
            async move {
                Plain::get(&odm, id).await?;
                Ok(())
            }
        }),
        read_by_hand("hand-written", odm, keys, live),
        read_by_hand("only _id", odm, keys, only_id),
    ]
}

/// Reads one document with the driver.
fn read_by_hand(name: &'static str, odm: &Odm, keys: &[ObjectId], filter: FilterOf) -> Variant {
    let collection = by_hand(odm).clone_with_type::<RawDocumentBuf>();
    let key = key_of(keys);
    variant(name, Kind::Hand, move |number| {
        let (collection, filter) = (collection.clone(), filter(key(number).into()));
        async move {
            collection.find_one(filter).await?;
            Ok(())
        }
    })
}

fn finds(odm: &Odm, keys: &[ObjectId]) -> Vec<Variant> {
    let (first, second) = (odm.clone(), odm.clone());
    let (some, others) = (keys_of(keys), keys_of(keys));
    vec![
        variant("maintained", Kind::Library, move |number| {
            let (odm, keys) = (first.clone(), some(number));
            async move {
                let ids = keys.into_iter().map(Id::from_key).collect::<Vec<_>>();
                let filter = Maintained::fields().id.is_in(ids);
                Maintained::find(&odm).filter(filter).await?;
                Ok(())
            }
        }),
        variant("plain", Kind::Usual, move |number| {
            let (odm, keys) = (second.clone(), others(number));
            async move {
                let ids = keys.into_iter().map(Id::from_key).collect::<Vec<_>>();
                let filter = Plain::fields().id.is_in(ids);
                Plain::find(&odm).filter(filter).await?;
                Ok(())
            }
        }),
        find_by_hand("hand-written", odm, keys, live),
        find_by_hand("only _id", odm, keys, only_id),
    ]
}

/// Finds documents with the driver.
fn find_by_hand(name: &'static str, odm: &Odm, keys: &[ObjectId], filter: FilterOf) -> Variant {
    let (collection, keys) = (by_hand(odm), keys_of(keys));
    variant(name, Kind::Hand, move |number| {
        let (collection, filter) = (
            collection.clone(),
            filter(doc! { "$in": keys(number) }.into()),
        );
        async move {
            collection
                .find(filter)
                .await?
                .try_collect::<Vec<_>>()
                .await?;
            Ok(())
        }
    })
}
