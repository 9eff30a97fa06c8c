//! One document that cannot be processed, among other documents that must still be processed.

use super::*;

/// The size of a key that does not fit into one statement twice.
const TOO_LARGE: usize = 9_000_000;

/// The size of a key that a small server can store in one transaction together with its jobs.
const LARGE: usize = 3_000_000;

/// Stores holders and gangs. One holder and one gang have the hostile key, and the copies of the others have to be
/// filled.
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

/// Returns the keys of hostile documents, with their names.
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

/// A badge with a hostile key is renamed together with other badges. The others are still processed.
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

/// The key is a string that leaves just enough room for the other fields in a document and in a statement.
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

/// Returns a document with a string that is not valid text. The server accepts any bytes.
fn with_broken(field: &str, document: &Document) -> RawDocumentBuf {
    let mut broken = document.clone();
    broken.insert(field, MARK);
    broken_at_the_mark(&broken)
}

/// The marker of the bytes that are made invalid in a document.
const MARK: &str = "\u{1}\u{2}\u{3}";

fn broken_at_the_mark(document: &Document) -> RawDocumentBuf {
    let mut bytes = RawDocumentBuf::try_from(document).unwrap().into_bytes();
    let at = bytes
        .windows(3)
        .position(|it| it == MARK.as_bytes())
        .unwrap();
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
    // The copies are updated after the badge can be read again.
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

/// The server also accepts any bytes in a key.
#[tokio::test]
async fn a_key_that_is_no_text_is_a_finding() {
    let t = city("hostile_broken_keys").await;
    given(&t, &["a".into(), "b".into()]).await;
    fill(&t).await;
    let insert = async |collection: &str, document: RawDocumentBuf| {
        let collection = t.odm.database().collection::<RawDocumentBuf>(collection);
        collection.insert_one(document).await.unwrap();
    };
    let broken = |id: i32| with_broken("code", &doc! { "_id": id, "name": "?" });
    insert("hostile_holders", broken(1_000)).await;
    insert("hostile_guests", broken(1_000)).await;
    insert("hostile_guests", broken(1_001)).await;
    let member = doc! { "code": MARK, "name": "?" };
    let gang = broken_at_the_mark(&doc! { "_id": 1_000, "members": [member] });
    insert("hostile_gangs", gang).await;
    let whole = doc! { "_id": 1_002, "code": "nobody" };
    put(&t.odm, "hostile_guests", [whole]).await;
    let verify = t.odm.verify().only::<Holder>().only::<Gang>();
    let drift = verify.only::<Guest>().await.unwrap();
    let unreadable = |it: &&Drifted| it.kind == DriftKind::Unreadable;
    let found = drift.items.iter().filter(unreadable);
    let mut found: Vec<_> = found.map(|it| (it.collection, it.id.clone())).collect();
    found.sort_by_key(|(collection, id)| (*collection, id.as_i32()));
    let expected = [
        ("hostile_gangs", 1_000.into()),
        ("hostile_guests", 1_000.into()),
        ("hostile_guests", 1_001.into()),
        ("hostile_holders", 1_000.into()),
    ];
    assert_eq!(found, expected, "{drift}");
    let kinds = [(DriftKind::NoTarget, 1), (DriftKind::Unreadable, 4)];
    assert_eq!(drift.by_kind(), BTreeMap::from(kinds), "{drift}");
}

#[tokio::test]
async fn a_value_that_is_no_array_keeps_no_delete_rule_from_the_rest() {
    let t = city("hostile_scalar").await;
    given(&t, &["a".into(), "b".into()]).await;
    let club = |id: i32, codes: Bson| doc! { "_id": id, "codes": codes };
    let clubs = [
        club(1, vec!["a", "b"].into()),
        club(2, "a".into()),
        club(3, vec!["a"].into()),
    ];
    put(&t.odm, "hostile_clubs", clubs).await;
    let of_a = doc! { "code": "a" };
    Badge::delete_many(&t.odm, of_a).deferred().await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    let codes = async |id: i32| raw(&t.odm, "hostile_clubs", id).await.get("codes").cloned();
    assert_eq!(codes(1).await, Some(vec!["b"].into()));
    assert_eq!(codes(2).await, Some("a".into()));
    assert_eq!(codes(3).await, Some(Bson::Array(Vec::new())));
    let jobs = t.odm.jobs().await.unwrap();
    let job = jobs.iter().find(|job| !job.failed.is_empty()).unwrap();
    assert_eq!(job.failed, [Bson::from(2)]);
}
