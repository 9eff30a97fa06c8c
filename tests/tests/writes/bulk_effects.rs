//! Bulk writes of documents with copies, summaries, delete rules, versions, soft delete and tenants.

use mongo_odm::{Error, action::BulkWrite, bson::doc, prelude::*};
use odm_tests::planned::assert_sent;

use crate::models::*;

#[tokio::test]
async fn operations_have_the_effects_of_single_calls() {
    let t = opened("bulk_effects").await;
    let odm = &t.odm;
    writer(1).insert(odm).await.unwrap();
    essay(1, 1).insert(odm).await.unwrap();
    let rename = Writer::update(odm, id(1)).set(Writer::fields().name, "Tove");
    let bulk = odm
        .bulk_write()
        .add(writer(2).insert(odm))
        .add(essay(2, 2).insert(odm));
    let bulk = bulk.add(essay(3, 1).insert(odm)).add(rename);
    let bulk = bulk.add(Essay::update(odm, id(2)).set(Essay::fields().writer, id(1)));
    let report = bulk.add(Writer::delete(odm, id(2))).await.unwrap();
    let counts = &report.counts;
    assert_eq!(
        (counts.inserted, counts.modified, counts.deleted),
        (3, 2, 1)
    );
    assert!(!report.copies.is_empty());
    odm.wait(report.token()).await.unwrap();
    let essays = Essay::find(odm)
        .sort(Essay::fields().id.asc())
        .await
        .unwrap();
    let names: Vec<&str> = essays.iter().map(|it| it.writer_name.as_str()).collect();
    assert_eq!(names, ["Tove", "Tove", "Tove"]);
    assert_eq!(Writer::get(odm, id(1)).await.unwrap().essays, 3);

    let report = odm
        .bulk_write()
        .add(Writer::delete(odm, id(1)))
        .await
        .unwrap();
    assert_eq!((report.counts.deleted, report.cascaded.len()), (1, 1));
    assert_eq!(Essay::count(odm).await.unwrap(), 0);
}

#[tokio::test]
async fn an_ordered_insert_with_effects_stays_if_a_later_operation_fails() {
    let t = opened("bulk_effects_ordered").await;
    let odm = &t.odm;
    writer(1).insert(odm).await.unwrap();
    let essays = [essay(1, 1), essay(2, 1), essay(1, 1), essay(3, 1)];
    let bulk = || {
        odm.bulk_write()
            .add_all(essays.iter().map(|essay| essay.insert(odm)))
    };
    let Err(Error::BulkWrite { counts, failed, .. }) = bulk().await else {
        panic!()
    };
    assert_eq!((counts.inserted, failed[0].index, failed.len()), (2, 2, 1));
    assert_eq!(Writer::get(odm, id(1)).await.unwrap().essays, 2);
    // An unordered bulk write inserts the documents together.
    Essay::delete_many(odm, Filter::all())
        .everything()
        .await
        .unwrap();
    let Err(Error::BulkWrite { counts, failed, .. }) = bulk().unordered().await else {
        panic!()
    };
    assert_eq!((counts.inserted, failed[0].index, failed.len()), (3, 2, 1));
    assert_eq!(Writer::get(odm, id(1)).await.unwrap().essays, 3);
}

#[tokio::test]
async fn a_plan_of_operations_with_effects_is_what_is_sent() {
    let t = opened("bulk_effects_plan").await;
    let odm = &t.odm;
    writer(1).insert(odm).await.unwrap();
    let bulk = || -> BulkWrite {
        let bulk = odm
            .bulk_write()
            .add(note(1).insert(odm))
            .add(note(2).insert(odm));
        let bulk = bulk.add(essay(1, 1).insert(odm)).add(page(1).insert(odm));
        bulk.add(
            Page::update(odm, id(1))
                .set(Page::fields().text, "x")
                .if_version(1),
        )
    };
    let plan = bulk().plan().unwrap();
    t.forget();
    bulk().await.unwrap();
    assert_sent(&t, "effects", &plan);
}

#[tokio::test]
async fn soft_deletes_share_a_command_and_count_as_deleted() {
    let t = opened("bulk_soft_delete").await;
    let odm = &t.odm;
    t.given(&[draft(1), draft(2), draft(3)]).await;
    t.forget();
    let bulk = odm
        .bulk_write()
        .add(Draft::delete(odm, id(1)))
        .add(Draft::delete(odm, id(2)));
    let report = bulk.await.unwrap();
    assert_eq!(t.recorder().names(), ["update"]);
    assert_eq!((report.counts.deleted, report.counts.modified), (2, 0));
    assert_eq!(Draft::count(odm).await.unwrap(), 1);
    let stored = odm
        .collection::<Draft>()
        .clone_with_type::<mongo_odm::bson::Document>();
    assert_eq!(stored.count_documents(doc! {}).await.unwrap(), 3);
    let update = |number: i64| Draft::update(odm, id(number)).set(Draft::fields().text, "x");
    let bulk = odm.bulk_write().add(update(1)).add(update(3)).unordered();
    assert_eq!(bulk.await.unwrap().counts.matched, 1);
    assert_eq!(Draft::restore(odm, id(1)).await.unwrap().restored, 1);
    let purged = odm
        .bulk_write()
        .add(Draft::purge(odm, id(1)))
        .add(Draft::purge(odm, id(2)));
    assert_eq!(purged.await.unwrap().counts.deleted, 2);
}

#[tokio::test]
async fn versions_are_incremented_and_checked() {
    let t = opened("bulk_versions").await;
    let odm = &t.odm;
    t.given(&[page(1), page(2), page(3)]).await;
    let set =
        |number: i64| Page::update(odm, id(number)).set(Page::fields().text, format!("x{number}"));
    let stale = page(3);
    let bulk = odm
        .bulk_write()
        .add(set(1))
        .add(set(2))
        .add(set(1).if_version(2));
    let bulk = bulk.add(stale.save(odm)).add(set(3));
    let Err(Error::BulkWrite { counts, failed, .. }) = bulk.await else {
        panic!()
    };
    assert_eq!((counts.modified, failed[0].index), (3, 3));
    assert!(
        matches!(&*failed[0].reason, Error::Conflict { .. }),
        "{}",
        failed[0]
    );
    assert_eq!(Page::get(odm, id(1)).await.unwrap().version, 3);
    assert_eq!(Page::get(odm, id(3)).await.unwrap().version, 1);
}

#[tokio::test]
async fn a_tenant_writes_only_its_own_documents() {
    let t = opened("bulk_tenants").await;
    let (one, two) = (t.odm.for_tenant(1_i64), t.odm.for_tenant(2_i64));
    let bulk = one
        .bulk_write()
        .add(item(1, 1).insert(&one))
        .add(item(2, 1).insert(&one));
    assert_eq!(bulk.await.unwrap().counts.inserted, 2);
    let stars = |odm: &Odm, number: i64| Item::update(odm, id(number)).inc(Item::fields().stars, 1);
    let bulk = two.bulk_write().add(stars(&two, 1)).add(stars(&two, 2));
    let bulk = bulk
        .add(Item::delete(&two, id(1)))
        .add(Item::delete(&two, id(2)));
    let report = bulk.await.unwrap();
    assert_eq!((report.counts.matched, report.counts.deleted), (0, 0));
    let bulk = one.bulk_write().add(stars(&one, 1)).add(stars(&one, 2));
    assert_eq!(bulk.await.unwrap().counts.matched, 2);
    let other = one
        .bulk_write()
        .add(stars(&two, 1))
        .await
        .unwrap_err()
        .to_string();
    assert!(other.contains("another tenant"), "{other}");
    let unknown = t.odm.bulk_write().add(stars(&t.odm, 1)).await;
    assert!(unknown.is_err());
}

#[tokio::test]
async fn hooks_and_validation_run_for_each_operation() {
    let t = opened("bulk_hooks").await;
    let odm = &t.odm;
    let bulk = odm
        .bulk_write()
        .add(hooked(1, "one").insert(odm))
        .add(hooked(2, "two").insert(odm));
    let set = |number: i64| Hooked::update(odm, id(number)).set(Hooked::fields().text, "three");
    let report = bulk
        .add(set(1))
        .add(hooked(3, "no").insert(odm).without_hooks())
        .await
        .unwrap();
    assert_eq!((report.counts.inserted, report.counts.modified), (3, 1));
    let stored = Hooked::find(odm)
        .sort(Hooked::fields().id.asc())
        .await
        .unwrap();
    let slugs: Vec<&str> = stored.iter().map(|it| it.slug.as_str()).collect();
    assert_eq!(slugs, ["updated", "inserted", ""]);
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk
        .add(hooked(4, "refused").insert(odm))
        .add(hooked(5, "five").insert(odm));
    let Err(Error::BulkWrite { counts, failed, .. }) = bulk.await else {
        panic!()
    };
    assert_eq!((counts.inserted, failed[0].index, failed.len()), (1, 0, 1));
    assert!(
        matches!(&*failed[0].reason, Error::Hook { .. }),
        "{}",
        failed[0]
    );
}
