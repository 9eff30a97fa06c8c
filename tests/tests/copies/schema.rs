//! Programs store declarations of their copies in the database, and do not update copies that only other programs
//! declare.
//!
//! The other program is represented by a document in `_odm_schema`, because this binary declares all its models.

use std::time::Duration;

use mongo_odm::{CopyReport, ErrorKind, Filter, Guarantee, Odm, bson::Document, prelude::*};
use odm_tests::Harness;

use crate::{models::*, setting::*};

const FOREIGN: &str = "Rack.slots.host <- Host";

/// A database in which another program copies fields of hosts into racks.
async fn with_racks(test: &str) -> Harness {
    let t = shop(test).await;
    declare(&t.odm, rack("name", DateTime::now())).await;
    t
}

fn rack(copied: &str, seen_at: DateTime) -> Document {
    doc! {
        "_id": OF_RACKS.0, "name": FOREIGN, "rule": false, "source": "hosts", "source_key": "_id", "in_source": false,
        "target": "racks", "key": "slots.host", "by": ["inventory"], "seen_at": seen_at, "declared_at": seen_at,
        "fields": [{ "from": copied, "to": "slots.name", "reads": [copied], "seen_at": seen_at, "declared_at": seen_at }],
    }
}

async fn declare(odm: &Odm, declaration: Document) {
    let schema = odm.database().collection::<Document>("_odm_schema");
    schema.insert_one(declaration).await.unwrap();
}

fn guarantees(copies: &[CopyReport]) -> Vec<(&str, Guarantee)> {
    let mut all: Vec<_> = copies
        .iter()
        .map(|it| (it.relation.as_str(), it.guarantee))
        .collect();
    all.sort_unstable();
    all
}

async fn only_job(odm: &Odm) -> Document {
    let mut jobs = jobs(odm).await;
    assert_eq!(jobs.len(), 1, "{jobs:?}");
    jobs.pop().unwrap()
}

/// Returns the two names of a job's relation: the one with stored paths and the one for people.
fn relation(job: &Document) -> (&str, &str) {
    let id = job.get_document("_id").unwrap();
    (
        id.get_str("relation").unwrap(),
        job.get_str("name").unwrap(),
    )
}

const OF_RACKS: (&str, &str) = ("racks.slots.host <- hosts._id", FOREIGN);

#[tokio::test]
async fn a_program_declares_its_references_and_rules_once() {
    let t = shop("schema_declare").await;
    t.given(&[host(1)]).await;
    let declared = all(&t.odm, "_odm_schema").await;
    let reference = |name: &str| {
        let mut found = declared
            .iter()
            .filter(|it| it.get_str("name").unwrap() == name);
        found
            .next()
            .unwrap_or_else(|| panic!("{name} is not declared"))
    };
    let product = reference("Product.parts.id <- Part");
    assert_eq!(product.get_str("source").unwrap(), "parts");
    assert_eq!(product.get_str("target").unwrap(), "products");
    assert_eq!(product.get_str("key").unwrap(), "parts.id");
    let field = product.get_array("fields").unwrap()[0]
        .as_document()
        .unwrap();
    assert_eq!(field.get_str("from").unwrap(), "name");
    assert_eq!(field.get_str("to").unwrap(), "parts.name");
    let by = product.get_array("by").unwrap()[0].as_str().unwrap();
    assert!(by.starts_with("copies"), "the name of the binary: {by}");
    assert!(reference("Task.owner").get_bool("rule").unwrap());

    // Another handle counts as another start of the program. Nothing is declared twice.
    let settings = settings().program("other");
    let odm = Odm::new(t.odm.database().clone()).with_settings(settings);
    host(2).insert(&odm).await.unwrap();
    let again = all(&t.odm, "_odm_schema").await;
    assert_eq!(again.len(), declared.len());
    assert!(
        again
            .iter()
            .all(|it| it.get_array("by").unwrap().len() == 2)
    );
    let fields = |all: &[Document]| -> usize {
        all.iter()
            .map(|it| it.get_array("fields").unwrap().len())
            .sum()
    };
    assert_eq!(fields(&again), fields(&declared));
}

#[tokio::test]
async fn declarations_are_read_and_written_once_and_not_with_each_write() {
    let t = shop("schema_round_trips").await;
    let host = host(1);
    t.forget();
    host.insert(&t.odm).await.unwrap();
    let of_schema = t.recorder().declarations();
    let of_schema: Vec<_> = of_schema.iter().map(|sent| sent.name.as_str()).collect();
    assert_eq!(of_schema, ["update", "find"]);
    t.forget();
    let rename = Host::update(&t.odm, host.id).set(Host::fields().name, "x");
    rename.await.unwrap();
    assert_eq!(t.recorder().names(), ["update"]);
    assert!(t.recorder().declarations().is_empty());
}

#[tokio::test]
async fn copies_of_another_program_are_left_to_it() {
    let t = with_racks("schema_foreign").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;

    // The other program copies the name, and this program copies the address.
    let fields = Host::fields();
    let report = Host::update(&t.odm, host.id)
        .set(fields.ipaddr, "10.0.0.1")
        .await
        .unwrap();
    assert_eq!(
        guarantees(&report.copies),
        [("LogMsg.host <- Host", Guarantee::Atomic)]
    );
    settle(&t.odm).await;
    let report = Host::update(&t.odm, host.id)
        .set(fields.ipaddr, "10.0.0.2")
        .set(fields.name, "renamed")
        .await
        .unwrap();
    assert_eq!(
        guarantees(&report.copies),
        [
            ("LogMsg.host <- Host", Guarantee::Atomic),
            (FOREIGN, Guarantee::Eventual)
        ]
    );
    let moved = LogMsg::count(&t.odm).filter(LogMsg::fields().ipaddr.eq("10.0.0.2"));
    assert_eq!(
        moved.await.unwrap(),
        3,
        "its own copies are written at once"
    );

    // One of the jobs is not for this program, however often it runs jobs.
    let ran = t.odm.run_pending_jobs().await.unwrap();
    assert_eq!((ran.run, ran.finished), (1, 1));
    let ran = t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(ran.run, 0);
    let job = only_job(&t.odm).await;
    assert_eq!(job.get_str("phase").unwrap(), "run");
    assert_eq!(relation(&job), OF_RACKS);

    assert!(t.odm.forget_declaration(FOREIGN).await.unwrap());
    assert!(!t.odm.forget_declaration(FOREIGN).await.unwrap());
    settle(&t.odm).await;
    let report = Host::update(&t.odm, host.id)
        .set(fields.name, "again")
        .await;
    assert_eq!(report.unwrap().copies, []);
}

#[tokio::test]
async fn what_only_others_copy_is_waited_for_until_they_have_written_it() {
    let t = with_racks("schema_token").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let rename = Host::update(&t.odm, host.id).set(Host::fields().name, "other");
    let report = rename.await.unwrap();
    assert_eq!(guarantees(&report.copies), [(FOREIGN, Guarantee::Eventual)]);
    let waiting = t.odm.wait(report.token());
    let error = waiting.timeout(Duration::from_millis(100)).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains(OF_RACKS.0), "{error}");
    let waiting = tokio::spawn(t.odm.wait(report.token()).into_future());
    // The other program has run its job.
    let jobs = t.odm.database().collection::<Document>("_odm_jobs");
    jobs.delete_many(doc! {}).await.unwrap();
    waiting.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_job_for_another_program_keeps_no_copies_of_this_one_from_following() {
    let t = with_racks("schema_deferred").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 1_500)).await;
    let fields = Host::fields();
    let rename = |name: &'static str| {
        Host::update(&t.odm, host.id)
            .set(fields.ipaddr, name)
            .set(fields.name, name)
    };
    // There are too many copies for a transaction, so a separate job writes them.
    for (report, own) in [
        (rename("a").await.unwrap(), Guarantee::Converged),
        (rename("b").deferred().await.unwrap(), Guarantee::Eventual),
    ] {
        assert_eq!(
            guarantees(&report.copies),
            [("LogMsg.host <- Host", own), (FOREIGN, Guarantee::Eventual)]
        );
    }
    t.odm.run_pending_jobs().await.unwrap();
    let moved = LogMsg::count(&t.odm).filter(LogMsg::fields().ipaddr.eq("b"));
    assert_eq!(moved.await.unwrap(), 1_500);
    assert_eq!(relation(&only_job(&t.odm).await), OF_RACKS);
    t.odm.forget_declaration(FOREIGN).await.unwrap();
    settle(&t.odm).await;
}

#[tokio::test]
async fn every_kind_of_write_hands_over() {
    let t = with_racks("schema_writes").await;
    let fields = Host::fields();
    let hosts = [host(1), host(2), host(3), host(4), host(5), host(6)];
    t.given(&hosts).await;
    let [by_many, by_find, by_upsert, by_save, by_delete, again] = hosts;
    Host::update_many(&t.odm, fields.id.eq(by_many.id))
        .set(fields.name, "x")
        .await
        .unwrap();
    Host::find_one_and_update(&t.odm, fields.id.eq(by_find.id))
        .set(fields.name, "x")
        .await
        .unwrap();
    Host::upsert(&t.odm, fields.id.eq(by_upsert.id))
        .set(fields.name, "x")
        .set_on_insert(fields.ipaddr, "new")
        .await
        .unwrap();
    let mut saved = by_save.clone();
    saved.name = "x".to_owned();
    saved.save(&t.odm).await.unwrap();
    Host::delete(&t.odm, by_delete.id).await.unwrap();
    t.odm
        .transaction(async |tx| {
            Host::update(&tx, again.id).set(fields.name, "x").await?;
            Ok(())
        })
        .await
        .unwrap();
    let jobs = jobs(&t.odm).await;
    let of_racks = jobs.iter().filter(|job| relation(job) == OF_RACKS);
    assert_eq!(of_racks.count(), 6, "{jobs:?}");
    // The jobs only do the work of this program that follows the delete.
    t.odm.run_pending_jobs().await.unwrap();
    let jobs = self::jobs(&t.odm).await;
    assert_eq!(jobs.len(), 6);
    assert!(jobs.iter().all(|job| relation(job) == OF_RACKS), "{jobs:?}");
}

#[tokio::test]
async fn a_field_more_of_a_reference_that_both_declare_is_left_to_the_other() {
    let t = shop("schema_field").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    product(1, [&part]).insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    let schema = t.odm.database().collection::<Document>("_odm_schema");
    let copied = doc! { "from": "qty", "to": "parts.qty", "reads": ["qty"], "seen_at": DateTime::now(), "declared_at": DateTime::now() };
    let name = "Product.parts.id <- Part";
    let more = doc! { "$push": { "fields": copied } };
    schema
        .update_one(doc! { "name": name }, more)
        .await
        .unwrap();
    let odm = program(&t.odm);

    let fields = Part::fields();
    let renamed = Part::update(&odm, part.id)
        .set(fields.name, "x")
        .await
        .unwrap();
    assert_eq!(guarantees(&renamed.copies), [(name, Guarantee::Atomic)]);
    settle(&odm).await;
    let counted = Part::update(&odm, part.id)
        .set(fields.qty, 7)
        .await
        .unwrap();
    let field = "Product.parts.id <- Part (parts.qty)";
    assert_eq!(guarantees(&counted.copies), [(field, Guarantee::Eventual)]);
    assert_eq!(odm.run_pending_jobs().await.unwrap().run, 0);
    assert_eq!(
        relation(&only_job(&odm).await),
        ("products.parts.id <- parts._id (parts.qty)", field)
    );
}

/// A copy that was removed from its model is forgotten, and an update can unset it like any other field.
#[tokio::test]
async fn a_copy_that_no_model_has_any_longer_is_forgotten_and_unset() {
    let t = shop("schema_removed").await;
    let (kept, other) = (part(1), part(2));
    t.given(&[kept.clone(), other.clone()]).await;
    product(1, [&kept, &other]).insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    let database = t.odm.database();
    let schema = database.collection::<Document>("_odm_schema");
    let name = "Product.parts.id <- Part";
    let field = doc! { "from": "qty", "to": "parts.qty", "reads": ["qty"], "seen_at": DateTime::now(), "declared_at": DateTime::now() };
    let more = doc! { "$push": { "fields": field } };
    schema
        .update_one(doc! { "name": name }, more)
        .await
        .unwrap();
    let products = database.collection::<Document>("products");
    let old = doc! { "$set": { "parts.$[].qty": 94 } };
    products.update_many(doc! {}, old).await.unwrap();
    let odm = program(&t.odm);
    let (id, fields) = (kept.id, Part::fields());
    Part::update(&odm, id).set(fields.qty, 7).await.unwrap();
    assert_eq!(odm.run_pending_jobs().await.unwrap().run, 0);

    // The other program has left a job for all copies that it declares.
    let both = doc! {
        "_id": { "relation": "products.parts.id <- parts._id", "key": other.id }, "name": name,
        "version": ObjectId::new(), "phase": "settle", "fields": ["parts.name", "parts.qty"], "grace": 0_i64,
        "changed_at": DateTime::now(), "due_at": DateTime::now(),
    };
    put(&odm, "_odm_jobs", [both]).await;

    let field = "Product.parts.id <- Part (parts.qty)";
    assert!(odm.forget_declaration(field).await.unwrap());
    assert!(!odm.forget_declaration(field).await.unwrap());
    settle(&odm).await;
    assert!(jobs(&odm).await.is_empty());
    let unset = doc! { "$unset": { "parts.$[].qty": "" } };
    let unset = Product::update_many(&odm, Filter::all()).with(unset);
    assert_eq!(unset.await.unwrap().modified, 1);

    let renamed = Part::update(&odm, id)
        .set(fields.name, "x")
        .set(fields.qty, 8);
    let copies = renamed.await.unwrap().copies;
    assert_eq!(guarantees(&copies), [(name, Guarantee::Atomic)]);
    settle(&odm).await;
    assert!(jobs(&odm).await.is_empty());
    assert!(odm.verify().await.unwrap().is_empty());
    let left = doc! { "parts.qty": { "$exists": true } };
    assert_eq!(count(&odm, "products", left).await, 0);
}

#[tokio::test]
async fn the_last_field_of_a_relation_is_forgotten_with_the_relation_and_its_jobs() {
    let t = with_racks("schema_last_field").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let rename = Host::update(&t.odm, host.id).set(Host::fields().name, "x");
    rename.await.unwrap();
    assert_eq!(relation(&only_job(&t.odm).await), OF_RACKS);
    // A delta that no program can fold would be reported by `health` forever.
    let delta = doc! {
        "_id": ObjectId::new(), "of": { "relation": OF_RACKS.0, "key": 1 }, "at": DateTime::now(),
        "steps": [{ "field": "slots.name", "number": 1 }],
    };
    put(&t.odm, "_odm_deltas", [delta]).await;
    let field = format!("{} (slots.name)", OF_RACKS.0);
    assert!(t.odm.forget_declaration(&field).await.unwrap());
    assert!(!t.odm.forget_declaration(&field).await.unwrap());
    assert!(jobs(&t.odm).await.is_empty());
    assert_eq!(count(&t.odm, "_odm_deltas", doc! {}).await, 0);
    let left = doc! { "_id": OF_RACKS.0 };
    assert_eq!(count(&t.odm, "_odm_schema", left).await, 0);
}

#[tokio::test]
async fn what_nobody_has_declared_for_a_week_counts_no_longer() {
    let t = shop("schema_stale").await;
    let eight_days = 8 * 24 * 3_600 * 1_000;
    let long_ago = DateTime::from_millis(DateTime::now().timestamp_millis() - eight_days);
    declare(&t.odm, rack("name", long_ago)).await;
    let host = host(1);
    host.insert(&t.odm).await.unwrap();
    let renamed = Host::update(&t.odm, host.id)
        .set(Host::fields().name, "x")
        .await;
    assert_eq!(renamed.unwrap().copies, []);
    assert!(jobs(&t.odm).await.is_empty());
}

#[tokio::test]
async fn declarations_are_read_anew_after_a_while() {
    let t = shop("schema_refresh").await;
    let odm = t
        .odm
        .with_settings(settings().schema_refresh(Duration::from_millis(300)));
    let host = host(1);
    host.insert(&odm).await.unwrap();
    declare(&t.odm, rack("name", DateTime::now())).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    let rename = |name: &'static str| Host::update(&odm, host.id).set(Host::fields().name, name);
    let report = rename("x").await.unwrap();
    assert_eq!(guarantees(&report.copies), [(FOREIGN, Guarantee::Eventual)]);

    // A program that is configured as the only one does not read the declarations.
    let odm = t.odm.with_settings(settings().schema_refresh(None));
    let rename = Host::update(&odm, host.id).set(Host::fields().name, "y");
    assert_eq!(rename.await.unwrap().copies, []);
}

#[tokio::test]
async fn a_rule_for_deletes_of_another_program_is_left_to_it() {
    let t = shop("schema_rule").await;
    let (relation_of_rule, name) = ("racks.owner -> hosts._id", "Rack.owner");
    declare(
        &t.odm,
        doc! {
            "_id": relation_of_rule, "name": name, "rule": true, "source": "hosts", "source_key": "_id", "in_source": false,
            "target": "racks", "key": "owner", "by": ["inventory"], "fields": [],
            "seen_at": DateTime::now(), "declared_at": DateTime::now(),
        },
    )
    .await;
    let host = host(1);
    host.insert(&t.odm).await.unwrap();
    Host::update(&t.odm, host.id)
        .set(Host::fields().name, "x")
        .await
        .unwrap();
    assert!(jobs(&t.odm).await.is_empty());
    Host::delete(&t.odm, host.id).await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(relation(&only_job(&t.odm).await), (relation_of_rule, name));
}

/// Treats a job like a program that knows none of its fields: stores a job for the field, and ends the original job.
async fn divide(odm: &Odm, relation: &str, field: &str) {
    let all = jobs(odm).await.into_iter();
    let mut job = all.map(|job| (self::relation(&job).0.to_owned(), job));
    let (_, mut job) = job.find(|(of, _)| of == relation).unwrap();
    let stored = odm.database().collection::<Document>("_odm_jobs");
    let mut id = job.get_document("_id").unwrap().clone();
    stored.delete_one(doc! { "_id": &id }).await.unwrap();
    id.insert("relation", format!("{relation} ({field})"));
    job.insert("_id", id);
    stored.insert_one(job).await.unwrap();
}

#[tokio::test]
async fn a_token_waits_for_the_jobs_into_which_others_divide_its_job() {
    let t = shop("schema_divided").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let product = product(1, [&part]);
    product.insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    let renamed = Part::update(&t.odm, part.id).set(Part::fields().name, "new");
    let renamed = renamed.deferred().await.unwrap();
    divide(&t.odm, "products.parts.id <- parts._id", "parts.name").await;
    t.odm.wait(renamed.token()).await.unwrap();
    let stored = Product::get(&t.odm, product.id).await.unwrap();
    assert_eq!(stored.parts[0].name, "new");
}

#[tokio::test]
async fn a_token_waits_for_such_jobs_of_relations_that_only_others_declare() {
    let t = with_racks("schema_divided_foreign").await;
    let host = host(1);
    host.insert(&t.odm).await.unwrap();
    let renamed = Host::update(&t.odm, host.id).set(Host::fields().name, "new");
    let renamed = renamed.await.unwrap();
    divide(&t.odm, OF_RACKS.0, "slots.name").await;
    // Also in a program that has not written anything yet.
    for odm in [t.odm.clone(), program(&t.odm)] {
        let wait = odm
            .wait(renamed.token())
            .timeout(Duration::from_millis(100));
        let pending = wait.await.unwrap_err();
        assert_eq!(pending.kind(), ErrorKind::Pending, "{pending}");
    }
    let left = t
        .odm
        .jobs()
        .relation(format!("{} (slots.name)", OF_RACKS.0));
    assert_eq!(left.forget().await.unwrap(), 1);
    t.odm.wait(renamed.token()).await.unwrap();
}
