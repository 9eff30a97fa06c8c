//! The findings that `repair` corrects, and those that remain.

use mongo_odm::{bson::Bson, prelude::*};
use odm_tests::{Harness, planned::assert_among_sent};

use super::{models::*, put_unseen, raw, set};
use crate::{models::*, setting::*};

/// Opens a shop with a stale copy of each kind, and returns the host and the product of these copies.
async fn drifted(test: &str) -> (Harness, Host, Product) {
    let t = shop(test).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 1_200)).await;
    let parts = [part(1), part(2), part(3)];
    t.given(&parts).await;
    let product = product(1, [&parts[0], &parts[1], &parts[0]]);
    t.given(&[product.clone()]).await;
    settle(&t.odm).await;
    set(&t, "logmsg", doc! {}, doc! { "$set": { "ipaddr": "old" } }).await;
    set(
        &t,
        "products",
        doc! {},
        doc! { "$set": { "parts.2.name": "old" } },
    )
    .await;
    let second = doc! { "_id": parts[1].id };
    set(
        &t,
        "parts",
        second,
        doc! { "$unset": { "product_name": "" } },
    )
    .await;
    let third = doc! { "_id": parts[2].id };
    set(
        &t,
        "parts",
        third,
        doc! { "$set": { "product_catalog_number": 7_i64 } },
    )
    .await;
    (t, host, product)
}

#[tokio::test]
async fn stale_copies_are_repaired_by_jobs_of_their_keys() {
    let (t, host, product) = drifted("repair_jobs").await;
    let drift = t.odm.verify().await.unwrap();
    assert_eq!(drift.len(), 1_203, "{drift}");
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!((report.repaired(), report.left()), (1_203, 0), "{report}");
    let messages = report.relations.iter();
    let mut messages = messages.filter(|it| it.relation == "LogMsg.host <- Host");
    assert_eq!(messages.next().unwrap().repaired, 1_200);
    // There is a job for each relation and key, but not for the part without a product.
    assert_eq!(jobs(&t.odm).await.len(), 3);
    settle(&t.odm).await;
    let drift = t.odm.verify().include_pending().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    let stored = Product::get(&t.odm, product.id).await.unwrap();
    assert_eq!(stored.parts, product.parts);
    let fields = LogMsg::fields();
    let right = LogMsg::count(&t.odm).filter(fields.ipaddr.eq(host.ipaddr.as_str()));
    assert_eq!(right.await.unwrap(), 1_200);
}

#[tokio::test]
async fn verify_repairs_as_it_goes() {
    let (t, ..) = drifted("repair_verify").await;
    let report = t.odm.verify().repair().await.unwrap();
    assert_eq!((report.repaired(), report.left()), (1_203, 0), "{report}");
    settle(&t.odm).await;
    assert!(t.odm.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn repair_writes_what_the_source_says_now() {
    let t = house("repair_state").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 2)).await;
    set(&t, "logmsg", doc! {}, doc! { "$set": { "ipaddr": "old" } }).await;
    let drift = t.odm.verify().await.unwrap();
    set(
        &t,
        "hosts",
        doc! {},
        doc! { "$set": { "ipaddr": "10.0.0.9" } },
    )
    .await;
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!(report.repaired(), 2);
    let stored = LogMsg::find(&t.odm).await.unwrap();
    assert!(stored.iter().all(|message| message.ipaddr == "10.0.0.9"));
}

#[tokio::test]
async fn a_plan_of_repair_says_what_it_would_do_and_does_nothing() {
    let t = house("repair_plan").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 2)).await;
    set(&t, "logmsg", doc! {}, doc! { "$set": { "ipaddr": "old" } }).await;
    let drift = t.odm.verify().await.unwrap();
    t.forget();
    let id = host.id;
    let plan = drift.plan();
    let [job, copies] = plan.statements.as_slice() else {
        panic!("{plan}");
    };
    assert_eq!(job.notes, ["LogMsg.host <- Host, by jobs of their keys"]);
    assert_eq!(
        copies.to_string(),
        format!(
            "db.logmsg.updateMany({{ host: {{ $eq: ObjectId(\"{id}\") }}, \
             $nor: [{{ ipaddr: {{ $eq: \"127.66.66.1\", $not: {{ $type: [\"array\", \"symbol\"] }} }} }}] }}, \
             {{ $set: {{ ipaddr: \"127.66.66.1\" }} }}, \
             {{ collation: {{ locale: \"simple\" }} }})"
        )
    );
    assert!(t.recorder().names().is_empty());
    assert_eq!(t.odm.verify().await.unwrap().len(), 2);
    assert!(jobs(&t.odm).await.is_empty());
    t.forget();
    drift.repair(&t.odm).await.unwrap();
    assert_among_sent(&t, "the job", std::slice::from_ref(job));
}

#[tokio::test]
async fn references_that_lead_nowhere_are_left_and_their_copies_emptied() {
    let t = house("repair_dangling").await;
    let owner = owner("Ann");
    t.given(&[owner.clone()]).await;
    let notes = [note(&owner), note(&owner)];
    t.given(&notes).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 2);
    t.given(&messages).await;
    raw(&t, "verify_owners").delete_many(doc! {}).await.unwrap();
    raw(&t, "hosts").delete_many(doc! {}).await.unwrap();
    let report = t.odm.verify().repair().await.unwrap();
    // The keys of the notes are also left, because only their copies can be corrected.
    assert_eq!((report.repaired(), report.left()), (2, 4), "{report}");
    for note in &notes {
        let stored = Note::get(&t.odm, note.id).await.unwrap();
        assert_eq!((stored.about, stored.about_name), (note.about, None));
    }
    for message in &messages {
        let stored = LogMsg::get(&t.odm, message.id).await.unwrap();
        assert_eq!(&stored, message);
    }
    assert!(jobs(&t.odm).await.is_empty());
    let drift = t.odm.verify().await.unwrap();
    assert_eq!(
        drift.by_relation().into_iter().collect::<Vec<_>>(),
        [("LogMsg.host <- Host", 2), ("Note.about <- Owner", 2)]
    );
}

#[tokio::test]
async fn the_pointer_decides_about_the_array_on_the_other_side() {
    let t = house("repair_one_sided").await;
    let mut owners = [owner("Ann"), owner("Ben")];
    let chores = [chore(&owners[0]), chore(&owners[0]), chore(&owners[1])];
    let gone = chore(&owners[0]);
    owners[0].chores = vec![chores[2].id, gone.id];
    put_unseen(&t, "verify_owners", &owners).await;
    put_unseen(&t, "verify_chores", &chores).await;
    let drift = t.odm.verify().await.unwrap();
    assert_eq!(drift.len(), 5, "{drift}");
    let plan = drift.plan();
    t.forget();
    let report = drift.repair(&t.odm).await.unwrap();
    // Both owners have new arrays, which a job for each of them computes. The findings on either side need these jobs.
    assert_eq!((report.repaired(), report.left()), (2, 0), "{report}");
    assert_eq!(plan.statements.len(), 2, "{plan}");
    assert_among_sent(&t, "the jobs", &plan.statements);
    let drift = t.odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    for (owner, expected) in [(&owners[0], &chores[..2]), (&owners[1], &chores[2..])] {
        let mut stored = Owner::get(&t.odm, owner.id).await.unwrap().chores;
        let mut expected: Vec<_> = expected.iter().map(|chore| chore.id).collect();
        stored.sort_by_key(|id| Bson::from(*id).as_object_id());
        expected.sort_by_key(|id| Bson::from(*id).as_object_id());
        assert_eq!(stored, expected);
    }
}

#[tokio::test]
async fn an_array_without_room_is_left() {
    let t = house("repair_full").await;
    let mut owner = owner("Ann");
    let chores: Vec<_> = (0..4).map(|_| chore(&owner)).collect();
    owner.chores = chores[..3].iter().map(|chore| chore.id).collect();
    put_unseen(&t, "verify_owners", &[owner.clone()]).await;
    put_unseen(&t, "verify_chores", &chores).await;
    let report = t.odm.verify().repair().await.unwrap();
    assert_eq!((report.repaired(), report.failed()), (0, 1), "{report}");
    assert!(report.to_string().contains("`max = 3`"), "{report}");
    let stored = Owner::get(&t.odm, owner.id).await.unwrap();
    assert_eq!(stored.chores, owner.chores);
}

#[tokio::test]
async fn values_that_are_no_arrays_become_arrays() {
    let t = house("repair_no_array").await;
    let owners = ["Ann", "Ben", "Cid", "Dan", "Eve"].map(owner);
    let chores = owners.each_ref().map(chore);
    put_unseen(&t, "verify_owners", &owners).await;
    put_unseen(&t, "verify_chores", &chores).await;
    let stored = [
        Bson::Null,
        9.into(),
        "chore".into(),
        doc! { "chore": 1 }.into(),
        chores[4].id.into(),
    ];
    for (owner, value) in owners.iter().zip(stored) {
        let change = doc! { "$set": { "chores": value } };
        set(&t, "verify_owners", doc! { "_id": owner.id }, change).await;
    }
    let report = t.odm.verify().repair().await.unwrap();
    // The last array seems to be complete, and the next update of its elements corrects it.
    assert_eq!((report.repaired(), report.failed()), (4, 0), "{report}");
    Chore::delete(&t.odm, chores[4].id).await.unwrap();
    for (owner, chore) in owners.iter().zip(&chores) {
        let stored = Owner::get(&t.odm, owner.id).await.unwrap().chores;
        let left = (chore.id != chores[4].id).then_some(chore.id);
        assert_eq!(stored, Vec::from_iter(left));
    }
    let drift = t.odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
}
