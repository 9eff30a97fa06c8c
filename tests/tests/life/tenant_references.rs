//! References to documents of another tenant in stored documents.

use mongo_odm::{
    DriftKind, Error,
    bson::{Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use crate::{
    models::settings,
    tenants::{Org, Person, Team, person, team, two},
};

/// A program without tenants has stored the references.
#[tokio::test]
async fn a_verification_reports_references_to_another_tenant() {
    let t = Harness::long_declared("tenant_verify").await;
    let odm = t.odm.with_settings(settings());
    let sync = odm.sync_indexes().only::<Org>().only::<Team>();
    sync.only::<Person>().await.unwrap();
    for org in [1, 2] {
        team(org, org).insert(&odm.for_tenant(org)).await.unwrap();
    }
    let people = t.odm.database().collection::<Document>("life_people");
    let person = |id: i64, org: Option<i64>, team: i64| {
        doc! { "_id": id, "org": org, "team": team, "team_slug": null, "age": 3_i64, "deleted_at": null }
    };
    let stored = [
        person(1, Some(1), 1),
        person(2, Some(2), 1),
        person(3, None, 2),
        person(4, Some(1), 9),
    ];
    people.insert_many(stored).await.unwrap();
    let drift = odm.verify().only::<Person>().await.unwrap();
    let found = drift.items.iter();
    let found = found.filter(|it| it.kind == DriftKind::OtherTenant);
    let found = found.map(|it| (it.id.as_i64(), it.path.as_str()));
    // On a cluster, the documents of two shards have no order.
    let mut found: Vec<_> = found.collect();
    found.sort_unstable();
    assert_eq!(found, [(Some(2), "team"), (Some(3), "team")]);
    let text = drift.to_string();
    assert!(text.contains("which belongs to another tenant"), "{text}");
}

#[tokio::test]
async fn an_unordered_insert_for_all_tenants_rejects_only_references_into_another_tenant() {
    let (_t, one, _) = two("tenant_references_of_all").await;
    let all = &one.all_tenants();
    let of_org = |number, team, org| Person {
        org: Some(org),
        ..person(number, team)
    };
    // Only the person of the tenant 1 must not refer to the team 2.
    let mixed = [of_org(33, 2, 2), of_org(34, 2, 1), of_org(35, 1, 1)];
    let refused = Person::insert_many(all, &mixed).unordered().await;
    let Err(Error::InsertMany {
        inserted, rejected, ..
    }) = refused
    else {
        panic!("{refused:?}");
    };
    let rejected: Vec<usize> = rejected.iter().map(|it| it.index).collect();
    assert_eq!((inserted, rejected), (2, vec![1]));
}

#[tokio::test]
async fn a_replace_of_another_tenants_document_keeps_the_deltas_of_its_summaries() {
    let (t, one, two) = two("tenant_deltas").await;
    person(13, 1).insert(&one).deferred().await.unwrap();
    let deltas = t.odm.database().collection::<Document>("_odm_deltas");
    assert_eq!(deltas.count_documents(doc! {}).await.unwrap(), 1);
    let (replaced, sent) = t
        .sent(async { team(1, 2).replace(&two).await.unwrap() })
        .await;
    assert_eq!(replaced.matched, 0, "{sent:?}");
    assert_eq!(deltas.count_documents(doc! {}).await.unwrap(), 1);
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(Team::get(&one, Id::from_key(1)).await.unwrap().people, 3);
    assert_eq!(team(2, 2).replace(&two).await.unwrap().matched, 1);
    assert_eq!(Team::get(&two, Id::from_key(2)).await.unwrap().people, 1);
}
