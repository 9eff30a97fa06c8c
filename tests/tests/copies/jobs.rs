//! The stored jobs: one for each relation and key with stale copies.

use mongo_odm::{
    Odm,
    bson::{Bson, Document, oid::ObjectId},
    prelude::*,
};
use odm_tests::Harness;

use crate::{models::*, setting::*};

const MESSAGES: &str = "logmsg.host <- hosts._id";
const PARTS: &str = "parts._id <- products.parts.id";

fn ids(jobs: &[Document]) -> Vec<Bson> {
    jobs.iter()
        .map(|job| job.get("_id").unwrap().clone())
        .collect()
}

/// A product with some parts, whose jobs have ended, and a handle that leaves all copies to jobs.
async fn product_of(count: i64, test: &str) -> (Harness, Odm, Product, Vec<Part>) {
    let t = shop(test).await;
    let parts: Vec<Part> = (1..=count).map(part).collect();
    t.given(&parts).await;
    let product = product(1, &parts);
    product.insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    let odm = by_jobs(&t.odm);
    (t, odm, product, parts)
}

#[tokio::test]
async fn many_changes_of_a_source_leave_one_job_for_each_relation() {
    let (t, odm, product, parts) = product_of(2, "jobs_one").await;
    for name in ["a", "b", "c"] {
        let rename = Product::update(&odm, product.id).set(Product::fields().name, name);
        rename.deferred().await.unwrap();
        let rename = Part::update(&odm, parts[0].id).set(Part::fields().name, name);
        rename.deferred().await.unwrap();
    }
    let id =
        |relation: &str, part: &Part| Bson::Document(doc! { "relation": relation, "key": part.id });
    let mut expected = vec![
        id(PARTS, &parts[0]),
        id(PARTS, &parts[1]),
        id("products.parts.id <- parts._id", &parts[0]),
    ];
    expected.sort_by_key(ToString::to_string);
    let mut found = ids(&jobs(&t.odm).await);
    found.sort_by_key(ToString::to_string);
    assert_eq!(found, expected);
    settle(&t.odm).await;
}

fn size_of(document: &Document) -> usize {
    bson::RawDocumentBuf::try_from(document)
        .unwrap()
        .as_bytes()
        .len()
}

/// A source changes more often than its jobs can end: it gets new names and loses keys.
#[tokio::test]
async fn jobs_do_not_grow_with_the_changes_of_their_source() {
    const CHANGES: i64 = 40;
    let (t, odm, product, parts) = product_of(1, "jobs_growth").await;
    let fields = Product::fields();
    let more: Vec<Part> = (2..2 + CHANGES).map(part).collect();
    t.given(&more).await;
    let mut sizes = Vec::new();
    for other in &more {
        let change = Product::update(&odm, product.id).set(fields.name, "new");
        let change = change.set(fields.parts, vec![line(other)]);
        change.deferred().await.unwrap();
        let rename = Product::update(&odm, product.id).set(fields.name, "old");
        rename.deferred().await.unwrap();
        let jobs = jobs(&t.odm).await.into_iter();
        let of_parts = jobs.filter(|job| {
            ids(std::slice::from_ref(job))[0]
                .to_string()
                .contains(PARTS)
        });
        sizes.extend(of_parts.map(|job| size_of(&job)).max());
    }
    assert_eq!(sizes, [sizes[0]; 40]);
    // There is one job for each key that the product has had.
    let ids = ids(&jobs(&t.odm).await).into_iter();
    let of_parts = ids.filter(|id| id.to_string().contains(PARTS));
    assert_eq!(of_parts.count(), parts.len() + more.len());
    settle(&t.odm).await;
}

/// The ids of documents that cannot store their copies can be large.
#[tokio::test]
async fn a_job_keeps_of_failed_documents_what_fits() {
    let t = shop("jobs_failed").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let message = |number: i32| {
        let id = format!("{number}{}", "x".repeat(4_096));
        doc! { "_id": id, "host": host.id, "ipaddr": &host.ipaddr }
    };
    put(&t.odm, "logmsg", (0..40).map(message)).await;
    validate(&t.odm, "logmsg", doc! { "ipaddr": { "$ne": "new" } }).await;
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "new");
    rename.deferred().await.unwrap();
    assert_eq!(t.odm.run_pending_jobs().await.unwrap().failed, 1);
    let stored = jobs(&t.odm).await;
    assert_eq!(stored[0].get_array("failed").unwrap().len(), 15);
    assert!(size_of(&stored[0]) < 66_000, "{}", size_of(&stored[0]));
    validate(&t.odm, "logmsg", doc! {}).await;
    later(&t.odm).await;
    settle(&t.odm).await;
    assert_eq!(count(&t.odm, "logmsg", doc! { "ipaddr": "new" }).await, 40);
}

/// A rename of a product with many parts does not need a separate run for each part.
#[tokio::test]
async fn jobs_whose_keys_are_ids_of_documents_are_run_together() {
    let (t, odm, product, _) = product_of(120, "jobs_together").await;
    let rename = Product::update(&odm, product.id).set(Product::fields().name, "new");
    rename.deferred().await.unwrap();
    assert_eq!(jobs(&t.odm).await.len(), 120);
    t.forget();
    let ran = t.odm.run_pending_jobs().await.unwrap();
    let sent = t.recorder().names().len();
    assert!(sent < 60, "{sent} statements: {:?}", t.recorder().names());
    // Each job has a run and a last look.
    assert_eq!((ran.run, ran.finished, ran.modified), (240, 120, 120));
    let new = Part::count(&t.odm).filter(Part::fields().product_name.eq("new"));
    assert_eq!(new.await.unwrap(), 120);
    settle(&t.odm).await;
}

/// The job of a document that cannot store its copy remains. The jobs of the other documents end.
#[tokio::test]
async fn one_of_many_jobs_fails_alone() {
    let (t, odm, product, parts) = product_of(9, "jobs_one_fails").await;
    let sealed =
        doc! { "$or": [{ "product_name": { "$ne": "new" } }, { "_id": { "$ne": parts[4].id } }] };
    validate(&t.odm, "parts", sealed).await;
    let rename = Product::update(&odm, product.id).set(Product::fields().name, "new");
    rename.deferred().await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    let left = jobs(&t.odm).await;
    assert_eq!(
        ids(&left),
        [Bson::Document(
            doc! { "relation": PARTS, "key": parts[4].id }
        )]
    );
    assert_eq!(left[0].get_array("failed").unwrap(), &[parts[4].id.into()]);
    let new = Part::count(&t.odm).filter(Part::fields().product_name.eq("new"));
    assert_eq!(new.await.unwrap(), 8);
    validate(&t.odm, "parts", doc! {}).await;
    later(&t.odm).await;
    settle(&t.odm).await;
    assert_eq!(
        count(&t.odm, "parts", doc! { "product_name": "new" }).await,
        9
    );
}

/// Programs share a relation if its stored paths are equal, whatever their structs are called.
#[tokio::test]
async fn a_job_is_run_by_whoever_declares_its_relation() {
    let t = shop("jobs_of_others").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    settle(&t.odm).await;
    let old = doc! { "$set": { "ipaddr": "old" } };
    let logmsg = t.odm.database().collection::<Document>("logmsg");
    logmsg.update_many(doc! {}, old).await.unwrap();
    let now = DateTime::now();
    let job = |relation: &str| {
        doc! {
            "_id": { "relation": relation, "key": host.id }, "name": "Line.machine <- Machine",
            "version": ObjectId::new(), "phase": "run", "changed_at": now, "due_at": now, "grace": 0_i64,
        }
    };
    let unknown = job("racks.slots.host <- hosts._id");
    put(&t.odm, "_odm_jobs", [job(MESSAGES), unknown.clone()]).await;
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(stale(&t.odm, &host).await, 0);
    assert_eq!(jobs(&t.odm).await, [unknown], "nobody here knows it");
}

/// Two versions of one program share a relation, and one of them declares an additional copy.
#[tokio::test]
async fn a_runner_hands_on_the_copies_that_only_the_writer_of_a_job_declares() {
    let t = shop("jobs_handed_on").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    let logmsg = t.odm.database().collection::<Document>("logmsg");
    let old = doc! { "$set": { "ipaddr": "old" } };
    let now = DateTime::now();
    let label = format!("{MESSAGES} (label)");
    for phase in ["run", "settle"] {
        logmsg.update_many(doc! {}, old.clone()).await.unwrap();
        let job = doc! {
            "_id": { "relation": MESSAGES, "key": host.id }, "name": "LogMsg.host <- Host",
            "version": ObjectId::new(), "phase": phase, "changed_at": now, "due_at": now, "grace": 0_i64,
            "fields": ["ipaddr", "label"],
        };
        put(&t.odm, "_odm_jobs", [job]).await;
        // The run, and the last look after it.
        t.odm.run_pending_jobs().await.unwrap();
        t.odm.run_pending_jobs().await.unwrap();
        assert_eq!(stale(&t.odm, &host).await, 0, "{phase}");
        let left = jobs(&t.odm).await;
        let [left] = left.as_slice() else {
            panic!("{phase}: {left:?}");
        };
        let id = doc! { "relation": &label, "key": host.id };
        assert_eq!(left.get_document("_id").unwrap(), &id, "{phase}");
        assert_eq!(left.get_str("phase").unwrap(), "run");
        assert_eq!(left.get_str("name").unwrap(), "LogMsg.host <- Host (label)");
        let forgotten = t.odm.jobs().relation(&label).forget();
        assert_eq!(forgotten.await.unwrap(), 1);
    }
}

/// Documents that are not jobs do not affect the jobs.
#[tokio::test]
async fn documents_that_are_no_jobs_are_passed_over() {
    let t = shop("jobs_not_jobs").await;
    let host = host(1);
    host.insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    let now = DateTime::now();
    let relation = "logmsg.host <- hosts._id";
    let others = [
        doc! { "_id": 7, "due_at": now },
        doc! { "_id": { "relation": relation }, "due_at": now },
        doc! { "_id": { "relation": relation, "key": 7 }, "due_at": now, "version": 7 },
    ];
    put(&t.odm, "_odm_jobs", others.clone()).await;
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(jobs(&t.odm).await, others);
}
