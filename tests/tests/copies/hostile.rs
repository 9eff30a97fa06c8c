//! Keys and values that no program with the library would store. Each of these keys and values is treated like any
//! other. A document that cannot be processed does not prevent the processing of the others.

mod in_the_way;

use std::collections::BTreeMap;

use mongo_odm::{
    AnyKey, DriftKind, Drifted,
    bson::{Bson, Document, JavaScriptCodeWithScope, RawDocumentBuf, Regex},
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::*;

/// A source whose key is one of its own fields, with values of any type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hostile_badges", has_many(guests = "Guest.code"))]
pub struct Badge {
    #[serde(rename = "_id")]
    pub id: i32,
    #[index]
    pub code: AnyKey,
    pub name: Bson,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hostile_holders")]
pub struct Holder {
    #[serde(rename = "_id")]
    pub id: Id<Holder, i32>,
    #[refs(one, to = "Badge.code")]
    pub code: AnyKey,
    #[denorm(from = Badge.name)]
    pub name: Bson,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Member {
    #[refs(one, to = "Badge.code")]
    pub code: AnyKey,
    #[denorm(from = Badge.name)]
    pub name: Bson,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hostile_gangs")]
pub struct Gang {
    #[serde(rename = "_id")]
    pub id: Id<Gang, i32>,
    #[embed]
    pub members: Vec<Member>,
}

/// Refers to badges without copies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hostile_clubs")]
pub struct Club {
    #[serde(rename = "_id")]
    pub id: Id<Club, i32>,
    #[refs(many, to = "Badge.code", on_delete = "pull")]
    pub codes: Vec<AnyKey>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hostile_guests")]
pub struct Guest {
    #[serde(rename = "_id")]
    pub id: Id<Guest, i32>,
    #[refs(one, to = "Badge.code", on_delete = "cascade")]
    pub code: AnyKey,
}

async fn city(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Badge>().only::<Holder>();
    let sync = sync.only::<Gang>().only::<Club>();
    sync.only::<Guest>().await.unwrap();
    t
}

fn pattern(pattern: &str) -> Bson {
    Bson::RegularExpression(Regex {
        pattern: pattern.try_into().unwrap(),
        options: "".try_into().unwrap(),
    })
}

/// Keys that the server would interpret as patterns, operators or arrays, and keys that they would then match.
fn odd_keys() -> Vec<Bson> {
    let code = JavaScriptCodeWithScope {
        code: "x".to_owned(),
        scope: doc! { "a": 1 },
    };
    vec![
        pattern("^b"),
        "b1".into(),
        "b2".into(),
        pattern("."),
        doc! { "$gt": "" }.into(),
        doc! { "$in": ["b1"] }.into(),
        doc! { "$ref": "b", "$id": 1 }.into(),
        doc! { "a": { "$gt": 1, "b.c": 2 } }.into(),
        doc! { "a.b": 1 }.into(),
        doc! { "": 1 }.into(),
        doc! {}.into(),
        "".into(),
        "$code".into(),
        "$$ROOT".into(),
        "a.b".into(),
        Bson::MinKey,
        Bson::MaxKey,
        Bson::JavaScriptCode("x".to_owned()),
        Bson::JavaScriptCodeWithScope(code),
        f64::NAN.into(),
        true.into(),
    ]
}

fn named(at: usize) -> String {
    format!("badge {at}")
}

fn number(at: usize) -> i32 {
    i32::try_from(at).unwrap()
}

/// Stores a badge for each key, and a holder and a gang member for each badge. Their copies are not filled yet.
async fn given(t: &Harness, keys: &[Bson]) {
    let each = || keys.iter().enumerate();
    let id = |at: usize| i32::try_from(at).unwrap();
    let badges = each().map(|(at, key)| doc! { "_id": id(at), "code": key, "name": named(at) });
    put(&t.odm, "hostile_badges", badges).await;
    let holders = each().map(|(at, key)| doc! { "_id": id(at), "code": key, "name": "?" });
    put(&t.odm, "hostile_holders", holders).await;
    let member = |key: &Bson| doc! { "code": key, "name": "?" };
    let gangs = each().map(|(at, key)| {
        let next = &keys[(at + 1) % keys.len()];
        doc! { "_id": id(at), "members": [member(key), member(next)] }
    });
    put(&t.odm, "hostile_gangs", gangs).await;
}

/// Compares the copies of each key with the name of its badge.
async fn assert_named(odm: &Odm, keys: &[Bson], name: impl Fn(usize) -> String, context: &str) {
    for (at, key) in keys.iter().enumerate() {
        let id = i32::try_from(at).unwrap();
        let holder = raw(odm, "hostile_holders", id).await;
        assert_eq!(
            holder.get_str("name").unwrap(),
            name(at),
            "{context}: {key}"
        );
        let gang = raw(odm, "hostile_gangs", id).await;
        let members = gang.get_array("members").unwrap().iter();
        let names = members.map(|it| it.as_document().unwrap().get_str("name").unwrap());
        let expected = [name(at), name((at + 1) % keys.len())];
        assert_eq!(names.collect::<Vec<_>>(), expected, "{context}: {key}");
    }
}

async fn fill(t: &Harness) {
    let holders = t.odm.backfill::<Holder>().await.unwrap();
    let gangs = t.odm.backfill::<Gang>().await.unwrap();
    assert_eq!((holders.failed, gangs.failed), (vec![], vec![]));
}

#[tokio::test]
async fn a_key_that_looks_like_an_operator_or_a_pattern_is_a_key() {
    let t = city("hostile_keys").await;
    let keys = odd_keys();
    given(&t, &keys).await;
    fill(&t).await;
    assert_named(&t.odm, &keys, named, "backfill").await;
    for (way, odm) in both_ways(&t.odm) {
        // Updates the badges one after the other, and then all in one call.
        for at in 0..keys.len() {
            let badge = Badge::update(&odm, number(at));
            let badge = badge.set(Badge::fields().name, Bson::from(format!("{way} {at}")));
            badge.await.unwrap();
        }
        assert_named(&odm, &keys, |at| format!("{way} {at}"), way).await;
        let all = Badge::update_many(&odm, doc! {});
        all.set(Badge::fields().name, Bson::from("all"))
            .await
            .unwrap();
        assert_named(&odm, &keys, |_| "all".to_owned(), way).await;
        settle(&odm).await;
    }
    let drift = t.odm.verify().only::<Holder>().only::<Gang>();
    assert!(drift.await.unwrap().is_empty());
}

/// Loads, limits and counts of relations also compare these keys.
#[tokio::test]
async fn relations_take_odd_keys_as_they_are() {
    let t = city("hostile_relations").await;
    let keys = odd_keys();
    given(&t, &keys).await;
    let guests = |of: i32| {
        (0..)
            .zip(&keys)
            .map(move |(at, key): (i32, _)| (of + at, key))
    };
    for of in [0, 100] {
        let guests = guests(of).map(|(id, key)| doc! { "_id": id, "code": key });
        put(&t.odm, "hostile_guests", guests).await;
    }
    let badges = Badge::find(&t.odm).sort(Badge::fields().id.asc()).await;
    let badges = badges.unwrap();
    let join = || Badge::join_guests(&badges, &t.odm);
    let (joined, limited) = (join().await.unwrap(), join().limit_each(1).await.unwrap());
    let counts = join().count_each().await.unwrap();
    for (badge, at) in badges.iter().zip(0..) {
        let mut all: Vec<i32> = joined.of(badge).map(|it| *it.id.key()).collect();
        all.sort_unstable();
        assert_eq!(all, [at, 100 + at], "{:?}", badge.code);
        assert_eq!(limited.of(badge).len(), 1, "{:?}", badge.code);
        assert_eq!(counts.of(badge), 2, "{:?}", badge.code);
        let count = badge.count_guests(&t.odm).await.unwrap();
        assert_eq!(count, 2, "{:?}", badge.code);
    }
}

#[tokio::test]
async fn writes_of_copies_take_odd_keys_as_they_are() {
    let t = city("hostile_inserts").await;
    let keys = odd_keys();
    given(&t, &keys).await;
    fill(&t).await;
    let holders: Vec<Holder> = (0..)
        .zip(&keys)
        .map(|(at, key)| Holder {
            id: Id::from_key(100 + at),
            code: AnyKey(key.clone()),
            name: "?".into(),
        })
        .collect();
    Holder::insert_many(&t.odm, &holders).await.unwrap();
    for (at, holder) in holders.iter().enumerate() {
        let copy = raw(&t.odm, "hostile_holders", holder.id.key()).await;
        assert_eq!(
            copy.get_str("name").unwrap(),
            named(at),
            "insert {:?}",
            holder.code
        );
        // Changes the reference to the next key.
        let next = (at + 1) % keys.len();
        let update = Holder::update(&t.odm, holder.id);
        let update = update.set(Holder::fields().code, AnyKey(keys[next].clone()));
        update.await.unwrap();
        let copy = raw(&t.odm, "hostile_holders", holder.id.key()).await;
        assert_eq!(
            copy.get_str("name").unwrap(),
            named(next),
            "update {:?}",
            keys[next]
        );
    }
    assert!(t.odm.verify().only::<Holder>().await.unwrap().is_empty());
}

#[tokio::test]
async fn drift_beside_odd_keys_is_found_and_repaired() {
    let t = city("hostile_drift").await;
    let keys = odd_keys();
    given(&t, &keys).await;
    let drift = t
        .odm
        .verify()
        .only::<Holder>()
        .only::<Gang>()
        .await
        .unwrap();
    let found = drift.by_kind();
    assert_eq!(
        found,
        BTreeMap::from([(DriftKind::Stale, 3 * keys.len())]),
        "{drift}"
    );
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!(report.left(), 0);
    assert_named(&t.odm, &keys, named, "repair").await;
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_delete_takes_away_the_references_to_its_own_key_alone() {
    let t = city("hostile_deletes").await;
    let mut keys = odd_keys();
    keys.push(doc! { "a": 1 }.into());
    keys.push(doc! { "a": 1, "b": 2 }.into());
    for (way, odm) in both_ways(&t.odm) {
        for collection in ["hostile_badges", "hostile_clubs", "hostile_guests"] {
            let collection = odm.database().collection::<Document>(collection);
            collection.delete_many(doc! {}).await.unwrap();
        }
        let each = || (0..).zip(&keys);
        let badges = each().map(|(at, key)| doc! { "_id": at, "code": key, "name": "n" });
        put(&odm, "hostile_badges", badges).await;
        put(
            &odm,
            "hostile_clubs",
            [doc! { "_id": 1, "codes": keys.clone() }],
        )
        .await;
        let guests = each().map(|(at, key): (i32, &Bson)| doc! { "_id": at, "code": key });
        put(&odm, "hostile_guests", guests).await;
        for gone in 0..keys.len() {
            Badge::delete(&odm, number(gone)).await.unwrap();
            odm.run_pending_jobs().await.unwrap();
            let club = raw(&odm, "hostile_clubs", 1).await;
            let left = club.get_array("codes").unwrap().len();
            assert_eq!(left, keys.len() - gone - 1, "{way} {}", keys[gone]);
            let guests = count(&odm, "hostile_guests", doc! {}).await;
            assert_eq!(guests, left as u64, "{way} {}", keys[gone]);
        }
        settle(&odm).await;
    }
}

#[tokio::test]
async fn an_undefined_value_is_copied_as_it_is() {
    let t = city("hostile_undefined").await;
    let keys = ["u".into(), "v".into()];
    given(&t, &keys).await;
    for (way, odm) in both_ways(&t.odm) {
        let badge = Badge::update(&odm, 0);
        let report = badge
            .set(Badge::fields().name, Bson::Undefined)
            .await
            .unwrap();
        assert!(report.copies.iter().all(|it| it.modified > 0), "{way}");
        let holder = raw(&odm, "hostile_holders", 0).await;
        assert_eq!(holder.get("name"), Some(&Bson::Undefined), "{way}");
        Badge::update(&odm, 0)
            .set(Badge::fields().name, Bson::Null)
            .await
            .unwrap();
        let holder = raw(&odm, "hostile_holders", 0).await;
        assert_eq!(holder.get("name"), Some(&Bson::Null), "{way}");
        settle(&odm).await;
    }
    fill(&t).await;
    let badges = t.odm.database().collection::<Document>("hostile_badges");
    let undefined = doc! { "$set": { "name": Bson::Undefined } };
    badges.update_many(doc! {}, undefined).await.unwrap();
    let drift = t
        .odm
        .verify()
        .only::<Holder>()
        .only::<Gang>()
        .await
        .unwrap();
    assert_eq!(drift.len(), 6, "{drift}");
    drift.repair(&t.odm).await.unwrap();
    let drift = t.odm.verify().only::<Holder>().only::<Gang>();
    assert!(drift.await.unwrap().is_empty());
    settle(&t.odm).await;
}
