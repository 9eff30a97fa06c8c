//! Keys and values that no program of the library would store: each is a key or a value like others, and
//! a document that cannot be dealt with keeps nobody from the rest.

use std::collections::BTreeMap;

use mongo_odm::{
    AnyKey, DriftKind, Drifted,
    bson::{Bson, Document, JavaScriptCodeWithScope, RawDocumentBuf, Regex},
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::*;

/// A source that is referred to by a value of its own.
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

/// Keys that the server would obey as a pattern or an operator, or take apart, beside those that these
/// would match.
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

/// A badge of each key, and a holder and a member of a gang for each, whose copies are not filled.
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
        // One after the other, and all at once.
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

/// Loads, limits and counts of relations compare them as well.
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
        // From one key to the next.
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

/// The size of a key that no statement can hold twice.
const TOO_LARGE: usize = 9_000_000;

/// The size of one that a small server can hold in one transaction with its jobs.
const LARGE: usize = 3_000_000;

/// Holders and gangs of which one each has a key that no one would expect; the others are to be filled.
async fn with_a_hostile_one(t: &Harness, key: &Bson) {
    given(t, &["a".into(), "b".into()]).await;
    let hostile = doc! { "_id": 1_000, "code": key, "name": "?" };
    put(&t.odm, "hostile_holders", [hostile]).await;
    let member = doc! { "code": key, "name": "?" };
    put(
        &t.odm,
        "hostile_gangs",
        [doc! { "_id": 1_000, "members": [member] }],
    )
    .await;
}

/// The key of a hostile document, what it is called, and whether it is a key at all.
fn hostile_keys(large: usize) -> Vec<(&'static str, Bson)> {
    let nested = vec![Bson::from(vec![1, 2]), Bson::from(vec![3])];
    vec![
        ("operator", doc! { "$gt": 1 }.into()),
        ("arrays", nested.into()),
        ("undefined", Bson::Undefined),
        ("undefined inside", doc! { "a": Bson::Undefined }.into()),
        ("pattern", pattern(".")),
        ("empty", "".into()),
        ("large", "x".repeat(large).into()),
    ]
}

#[tokio::test]
async fn one_hostile_key_keeps_no_backfill_from_the_rest() {
    for (what, key) in hostile_keys(TOO_LARGE) {
        let t = city(&format!("hostile_backfill_{}", what.replace(' ', "_"))).await;
        with_a_hostile_one(&t, &key).await;
        for _ in 0..2 {
            t.odm.backfill::<Holder>().await.unwrap();
            t.odm.backfill::<Gang>().await.unwrap();
            assert_named(&t.odm, &["a".into(), "b".into()], named, what).await;
        }
        let holder = raw(&t.odm, "hostile_holders", 1_000).await;
        assert_eq!(holder.get_str("name").unwrap(), "?", "{what}");
        settle(&t.odm).await;
    }
}

#[tokio::test]
async fn one_hostile_key_is_a_finding_and_keeps_no_verification_from_the_rest() {
    for (what, key) in hostile_keys(TOO_LARGE) {
        let t = city(&format!("hostile_verify_{}", what.replace(' ', "_"))).await;
        with_a_hostile_one(&t, &key).await;
        let guest = |id: i32, key: &Bson| doc! { "_id": id, "code": key };
        let guests = [guest(1_000, &key), guest(1, &"nobody".into())];
        put(&t.odm, "hostile_guests", guests).await;
        let verify = t.odm.verify().only::<Holder>().only::<Gang>();
        let drift = verify.only::<Guest>().await.unwrap();
        let kinds = drift.by_kind();
        assert_eq!(kinds.get(&DriftKind::Stale), Some(&6), "{what}: {kinds:?}");
        let hostile = drift.items.iter().filter(|it| it.id == 1_000.into());
        let mut collections: Vec<_> = hostile.map(|it| it.collection).collect();
        collections.sort_unstable();
        collections.dedup();
        let all = ["hostile_gangs", "hostile_guests", "hostile_holders"];
        assert_eq!(collections, all, "{what}: {kinds:?}");
        assert!(
            drift
                .items
                .iter()
                .any(|it| it.id == 1.into() && it.collection == all[1])
        );
        drift.repair(&t.odm).await.unwrap();
        assert_named(&t.odm, &["a".into(), "b".into()], named, what).await;
        settle(&t.odm).await;
    }
}

/// A badge of a hostile key is renamed with others: they all go on.
#[tokio::test]
async fn one_hostile_source_keeps_no_job_from_the_rest() {
    for (what, key) in hostile_keys(LARGE) {
        let t = city(&format!("hostile_job_{}", what.replace(' ', "_"))).await;
        with_a_hostile_one(&t, &key).await;
        let badge = doc! { "_id": 1_000, "code": key, "name": "?" };
        put(&t.odm, "hostile_badges", [badge]).await;
        for (way, odm) in both_ways(&t.odm) {
            let all = Badge::update_many(&odm, doc! {});
            all.set(Badge::fields().name, Bson::from(way))
                .await
                .unwrap();
            odm.run_pending_jobs().await.unwrap();
            later(&odm).await;
            odm.run_pending_jobs().await.unwrap();
            assert_named(&odm, &["a".into(), "b".into()], |_| way.to_owned(), what).await;
        }
    }
}

/// A string that leaves just enough room in a document for the other fields, and in a statement.
#[tokio::test]
async fn a_key_of_nearly_16_megabytes_keeps_nobody_from_the_rest() {
    let t = city("hostile_largest").await;
    let keys = ["a".into(), "b".into()];
    given(&t, &keys).await;
    let key = "x".repeat(15_900_000);
    let hostile = doc! { "_id": 1_000, "code": key, "name": "?" };
    put(&t.odm, "hostile_holders", [hostile]).await;
    let drift = t.odm.verify().only::<Holder>().await.unwrap();
    let kinds = BTreeMap::from([(DriftKind::Stale, 2), (DriftKind::Dangling, 1)]);
    assert_eq!(drift.by_kind(), kinds);
    fill(&t).await;
    assert_named(&t.odm, &keys, named, "backfill").await;
}

/// Returns a document in which a text is none: the server takes any bytes.
fn with_broken(field: &str, document: &Document) -> RawDocumentBuf {
    let mut broken = document.clone();
    broken.insert(field, "\u{1}\u{2}\u{3}");
    let mut bytes = RawDocumentBuf::try_from(&broken).unwrap().into_bytes();
    let at = bytes.windows(3).position(|it| it == [1, 2, 3]).unwrap();
    bytes[at..at + 3].fill(0xff);
    RawDocumentBuf::from_bytes(bytes).unwrap()
}

#[tokio::test]
async fn text_that_is_none_is_a_finding_and_keeps_nobody_from_the_rest() {
    let t = city("hostile_text").await;
    let keys = ["a".into(), "b".into(), "c".into()];
    given(&t, &keys).await;
    let collection = |name: &str| t.odm.database().collection::<RawDocumentBuf>(name);
    let broken = with_broken("name", &doc! { "_id": 1_000, "code": "b" });
    let holders = collection("hostile_holders");
    holders.insert_one(broken).await.unwrap();
    let badge = with_broken("name", &doc! { "_id": 1_001, "code": "d" });
    let badges = collection("hostile_badges");
    badges.insert_one(badge).await.unwrap();
    let of_badge = doc! { "_id": 1_002, "code": "d", "name": "?" };
    put(&t.odm, "hostile_holders", [of_badge]).await;
    let verify = || t.odm.verify().only::<Holder>().only::<Gang>();
    let drift = verify().await.unwrap();
    let kinds = [(DriftKind::Stale, 10), (DriftKind::Unreadable, 1)];
    assert_eq!(drift.by_kind(), BTreeMap::from(kinds), "{drift}");
    let unreadable = |it: &&Drifted| it.kind == DriftKind::Unreadable;
    let found = drift.items.iter().find(unreadable).unwrap();
    let place = (found.collection, &found.id, found.path.as_str());
    assert_eq!(place, ("hostile_badges", &1_001.into(), "name"));
    assert!(found.why().unwrap().contains("cannot decode"), "{found}");
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!((report.repaired(), report.left()), (10, 1), "{report}");
    assert_named(&t.odm, &keys, named, "repair").await;
    let holder = Holder::get(&t.odm, Id::from_key(1_000)).await.unwrap();
    assert_eq!(holder.name, named(1).into());
    assert_eq!(verify().await.unwrap().len(), 1);

    let backfill = t.odm.backfill::<Holder>().await.unwrap();
    assert_eq!(backfill.failed, [1_002.into()]);
    assert_eq!(backfill.looked_at, 5);
    // Its copies follow when it can be read.
    let badge = Badge::update(&t.odm, 1_001);
    badge
        .set(Badge::fields().name, Bson::from("whole"))
        .await
        .unwrap_err();
    let name = doc! { "$set": { "name": "whole" } };
    badges
        .update_one(doc! { "_id": 1_001 }, name)
        .await
        .unwrap();
    verify().repair().await.unwrap();
    assert!(verify().await.unwrap().is_empty());
    settle(&t.odm).await;
}
