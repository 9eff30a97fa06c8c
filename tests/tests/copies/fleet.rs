//! Programs of different versions with different models, which use the same database.
//!
//! The other program is represented by a document in `_odm_schema`, or by a separate handle that has read earlier
//! declarations. This binary declares all its models.

mod contradictions;
mod copies_of_others;
mod rules;

use mongo_odm::{DriftKind, Guarantee, Odm, bson::Document, prelude::*};
use odm_tests::Harness;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "fleet_makers")]
pub struct Maker {
    #[serde(rename = "_id")]
    pub id: Id<Maker>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "fleet_cars")]
pub struct Car {
    #[serde(rename = "_id")]
    pub id: Id<Car>,
    #[parent_ref]
    pub maker: Id<Maker>,
    #[denorm(from = Maker.name)]
    pub maker_name: String,
}

const NAME: &str = "Car.maker <- Maker";
const RELATION: &str = "fleet_cars.maker <- fleet_makers._id";
const TRUCKS: &str = "fleet_trucks.maker <- fleet_makers._id";

async fn garage(test: &str) -> (Harness, Maker) {
    let t = undeclared(test).await;
    let sync = t.odm.sync_indexes().only::<Maker>().only::<Car>();
    sync.await.unwrap();
    let maker = Maker {
        id: Id::new(),
        name: "old".to_owned(),
    };
    t.given(&[maker.clone()]).await;
    (t, maker)
}

fn car(maker: &Maker) -> Car {
    Car {
        id: Id::new(),
        maker: maker.id,
        maker_name: maker.name.clone(),
    }
}

async fn rename(odm: &Odm, maker: &Maker, name: &str) -> Vec<(String, Guarantee)> {
    let renamed = Maker::update(odm, maker.id).set(Maker::fields().name, name);
    let copies = renamed.await.unwrap().copies.into_iter();
    copies.map(|it| (it.relation, it.guarantee)).collect()
}

/// The stored declaration of another program.
fn of_another(relation: &str, name: &str, target: &str, seen_at: DateTime) -> Document {
    doc! {
        "_id": relation, "name": name, "rule": false, "source": "fleet_makers", "source_key": "_id", "in_source": false,
        "target": target, "key": "maker", "by": ["other"], "declared_at": seen_at, "seen_at": seen_at,
        "fields": [{ "from": "name", "to": "maker_name", "reads": ["name"], "seen_at": seen_at, "declared_at": seen_at }],
    }
}

async fn declare(odm: &Odm, declaration: Document) {
    put(odm, "_odm_schema", [declaration]).await;
}

/// Lists the relations that have jobs.
async fn relations(odm: &Odm) -> Vec<String> {
    let jobs = jobs(odm).await.into_iter();
    let relation = |job: Document| {
        let id = job.get_document("_id").unwrap();
        id.get_str("relation").unwrap().to_owned()
    };
    jobs.map(relation).collect()
}

fn now() -> DateTime {
    DateTime::now()
}

fn days_ago(days: i64) -> DateTime {
    DateTime::from_millis(now().timestamp_millis() - days * 24 * 3_600 * 1_000)
}

async fn declared(odm: &Odm, relation: &str) -> Option<Document> {
    let all = all(odm, "_odm_schema").await;
    all.into_iter()
        .find(|it| it.get_str("_id").unwrap() == relation)
}

#[tokio::test]
async fn structs_of_one_name_over_other_collections_are_two_relations() {
    let (t, maker) = garage("fleet_one_name").await;
    declare(&t.odm, of_another(TRUCKS, NAME, "fleet_trucks", now())).await;
    // This program declares its own `Car`, and does not change the declaration of the other program.
    car(&maker).insert(&program(&t.odm)).await.unwrap();
    rename(&program(&t.odm), &maker, "first").await;
    let other = declared(&t.odm, TRUCKS).await.unwrap();
    assert_eq!(other.get_str("target").unwrap(), "fleet_trucks");
    rename(&program(&t.odm), &maker, "new").await;
    let mut relations = relations(&t.odm).await;
    relations.sort();
    assert_eq!(relations, [RELATION, TRUCKS]);
    assert_eq!(
        count(&t.odm, "fleet_cars", doc! { "maker_name": "new" }).await,
        1
    );
}

/// In an earlier program, the struct was called `Auto`, and its declaration has this name.
#[tokio::test]
async fn a_renamed_struct_strands_nothing() {
    let (t, maker) = garage("fleet_renamed_struct").await;
    let schema = t.odm.database().collection::<Document>("_odm_schema");
    let auto = doc! { "$set": { "name": "Auto.maker <- Maker" } };
    let auto = schema.update_one(doc! { "_id": RELATION }, auto).await;
    assert_eq!(auto.unwrap().modified_count, 1);
    let stale = doc! { "_id": ObjectId::new(), "maker": maker.id, "maker_name": "older" };
    put(&t.odm, "fleet_cars", [stale]).await;
    let left = doc! {
        "_id": { "relation": RELATION, "key": maker.id }, "name": "Auto.maker <- Maker",
        "version": ObjectId::new(), "phase": "run", "grace": 0_i64, "changed_at": now(), "due_at": days_ago(1),
    };
    put(&t.odm, "_odm_jobs", [left]).await;
    let odm = long_known(&t.odm).await;
    settle(&odm).await;
    let equal = doc! { "maker_name": "old" };
    assert_eq!(count(&odm, "fleet_cars", equal).await, 1);

    let copies = rename(&odm, &maker, "new").await;
    assert_eq!(copies, [(NAME.to_owned(), Guarantee::Atomic)]);
    settle(&odm).await;
    // A later start of this program declares the relation under the new name. Then the whole declaration is forgotten.
    rename(&program(&t.odm), &maker, "newer").await;
    let own = declared(&odm, RELATION).await.unwrap();
    assert_eq!(own.get_str("name").unwrap(), NAME);
    assert_eq!(own.get_array("fields").unwrap().len(), 1);
    assert!(odm.forget_declaration(RELATION).await.unwrap());
    assert_eq!(declared(&odm, RELATION).await, None);
    assert!(!odm.forget_declaration(NAME).await.unwrap());
    // This program still declares the relation, so its next write stores the declaration again.
    rename(&odm, &maker, "newest").await;
    assert!(declared(&odm, RELATION).await.is_some());
}

#[tokio::test]
async fn a_program_that_only_inserts_holders_declares_them_before_it_writes() {
    let (t, maker) = garage("fleet_holders").await;
    let odm = program(&t.odm);
    t.forget();
    car(&maker).insert(&odm).await.unwrap();
    let declarations = t.recorder().declarations();
    let written = declarations.iter().find(|it| it.name == "update").unwrap();
    let all = t.recorder().commands();
    let is_insert =
        |command: &Document| command.get_str("insert").is_ok_and(|it| it == "fleet_cars");
    let inserted = all.iter().find(|it| is_insert(&it.command)).unwrap();
    assert!(written.is_before(inserted));
    assert!(declared(&odm, RELATION).await.is_some());
}

/// Sets the time at which a declaration was last seen.
async fn seen(odm: &Odm, id: &str, at: DateTime) {
    let schema = odm.database().collection::<Document>("_odm_schema");
    let set = doc! { "$set": { "seen_at": at } };
    let set = schema.update_one(doc! { "_id": id }, set).await;
    assert_eq!(set.unwrap().modified_count, 1);
}

fn job(relation: &str, key: Id<Maker>, changed_at: DateTime) -> Document {
    doc! {
        "_id": { "relation": relation, "key": key }, "name": relation, "version": ObjectId::new(), "phase": "run",
        "grace": 0_i64, "changed_at": changed_at, "due_at": changed_at,
    }
}

/// Lists the findings of `verify` about jobs: the relation and the number of jobs.
async fn orphans(odm: &Odm) -> Vec<(String, i64)> {
    let found = odm.verify().await.unwrap().items.into_iter();
    let jobs = found.filter(|it| it.kind == DriftKind::OrphanedJobs);
    jobs.map(|it| (it.relation, it.stored.and_then(|it| it.as_i64()).unwrap()))
        .collect()
}

#[tokio::test]
async fn a_job_that_nobody_declares_is_found_blocks_nobody_and_ends_after_a_week() {
    let (t, maker) = garage("fleet_orphan").await;
    let odm = long_known(&t.odm).await;
    car(&maker).insert(&odm).await.unwrap();
    let of_trucks = [
        job(TRUCKS, maker.id, days_ago(6)),
        job(TRUCKS, Id::new(), now()),
    ];
    put(&odm, "_odm_jobs", of_trucks).await;

    assert_eq!(orphans(&odm).await, [(TRUCKS.to_owned(), 2)]);
    let drift = odm.verify().await.unwrap().to_string();
    assert!(drift.contains("`forget_declaration`"), "{drift}");
    let copies = rename(&odm, &maker, "new").await;
    assert_eq!(copies, [(NAME.to_owned(), Guarantee::Atomic)]);
    rename(&by_jobs(&odm), &maker, "newer").await;
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(relations(&odm).await, [TRUCKS, TRUCKS]);
    let moved = doc! { "maker_name": "newer" };
    assert_eq!(count(&odm, "fleet_cars", moved).await, 1);

    // One of the jobs is now a week old, and the relation was never declared.
    let jobs = odm.database().collection::<Document>("_odm_jobs");
    let old = doc! { "$set": { "changed_at": days_ago(8) } };
    jobs.update_one(doc! { "_id.key": maker.id }, old)
        .await
        .unwrap();
    program(&t.odm).run_pending_jobs().await.unwrap();
    assert_eq!(orphans(&odm).await, [(TRUCKS.to_owned(), 1)]);
}

#[tokio::test]
async fn a_relation_that_nobody_has_declared_for_a_week_loses_its_jobs() {
    let (t, maker) = garage("fleet_expired").await;
    let name = "Truck.maker <- Maker";
    declare(&t.odm, of_another(TRUCKS, name, "fleet_trucks", now())).await;
    let odm = long_known(&t.odm).await;
    rename(&odm, &maker, "first").await;
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(relations(&odm).await, [TRUCKS]);
    // Another program declares the relation, so its job still has a program to wait for.
    assert_eq!(orphans(&odm).await, []);
    seen(&odm, TRUCKS, days_ago(6)).await;
    program(&t.odm).run_pending_jobs().await.unwrap();
    assert_eq!(relations(&odm).await, [TRUCKS]);

    seen(&odm, TRUCKS, days_ago(8)).await;
    assert_eq!(orphans(&odm).await, [(TRUCKS.to_owned(), 1)]);
    let copies = rename(&program(&t.odm), &maker, "second").await;
    assert_eq!(copies, [(NAME.to_owned(), Guarantee::Atomic)]);
    settle(&program(&t.odm)).await;
    assert_eq!(orphans(&odm).await, []);
}

#[tokio::test]
async fn a_field_that_nobody_has_declared_for_a_week_loses_its_jobs_alone() {
    let (t, maker) = garage("fleet_expired_field").await;
    let odm = long_known(&t.odm).await;
    car(&maker).insert(&odm).await.unwrap();
    let schema = odm.database().collection::<Document>("_odm_schema");
    let field = doc! { "from": "town", "to": "maker_town", "reads": ["town"], "seen_at": days_ago(8), "declared_at": days_ago(8) };
    let more = doc! { "$push": { "fields": field } };
    let more = schema.update_one(doc! { "_id": RELATION }, more).await;
    assert_eq!(more.unwrap().modified_count, 1);
    let of_town = format!("{RELATION} (maker_town)");
    let later = DateTime::from_millis(now().timestamp_millis() + 3_600_000);
    let own = doc! { "due_at": later };
    let mut settling = job(RELATION, maker.id, now());
    settling.extend(own);
    put(
        &odm,
        "_odm_jobs",
        [job(&of_town, maker.id, now()), settling],
    )
    .await;
    assert_eq!(orphans(&odm).await, [(of_town, 1)]);
    program(&t.odm).run_pending_jobs().await.unwrap();
    assert_eq!(relations(&odm).await, [RELATION]);
}

/// Renames a maker like a program that does not know the copies yet, without a job.
async fn rename_unseen(odm: &Odm, maker: &Maker, name: &str) {
    let makers = odm.database().collection::<Document>("fleet_makers");
    let set = doc! { "$set": { "name": name } };
    let set = makers.update_one(doc! { "_id": maker.id }, set).await;
    assert_eq!(set.unwrap().modified_count, 1);
}

/// Lets time pass until all programs know the declarations, and runs the jobs.
async fn everybody_knows(odm: &Odm) {
    later(odm).await;
    settle(odm).await;
}

async fn stale_cars(odm: &Odm, maker: &Maker) -> u64 {
    let name = Maker::get(odm, maker.id).await.unwrap().name;
    let stale = doc! { "maker": maker.id, "maker_name": { "$ne": name } };
    count(odm, "fleet_cars", stale).await
}

#[tokio::test]
async fn a_rename_that_does_not_know_a_new_copy_is_caught_up_with() {
    let (t, maker) = garage("fleet_window").await;
    let odm = program(&t.odm);
    car(&maker).insert(&odm).await.unwrap();
    rename_unseen(&odm, &maker, "new").await;
    let jobs = jobs(&odm).await;
    assert_eq!(relations(&odm).await, [RELATION]);
    let due = jobs[0].get_datetime("due_at").unwrap().timestamp_millis();
    let soon = due - now().timestamp_millis();
    assert!((170_000..=180_000).contains(&soon), "{soon} ms from now");
    // The job is not run earlier, and `verify` knows that it is still to come.
    assert_eq!(odm.run_pending_jobs().await.unwrap().run, 0);
    assert_eq!(odm.verify().await.unwrap().len(), 0);
    everybody_knows(&odm).await;
    assert_eq!(stale_cars(&odm, &maker).await, 0);
}

/// The insert of the first copy of a key stores the job. Later inserts find this job and write nothing, so they do not
/// conflict.
#[tokio::test]
async fn one_job_does_for_all_new_copies_of_a_key() {
    let (t, maker) = garage("fleet_one_mark").await;
    let odm = program(&t.odm);
    car(&maker).insert(&odm).await.unwrap();
    let first = jobs(&odm).await;
    for _ in 0..3 {
        car(&maker).insert(&program(&t.odm)).await.unwrap();
    }
    assert_eq!(jobs(&odm).await, first);
    // A rename of this program changes the version of the job, but does not make the last look earlier.
    rename(&odm, &maker, "new").await;
    let renamed = jobs(&odm).await;
    assert_ne!(renamed[0].get("version"), first[0].get("version"));
    assert_eq!(renamed[0].get("due_at"), first[0].get("due_at"));
    // Neither does a rename that leaves its copies to a job.
    rename(&by_jobs(&odm), &maker, "newer").await;
    let settling = jobs(&odm).await;
    assert_eq!(settling[0].get_str("phase").unwrap(), "settle");
    assert_eq!(settling[0].get("due_at"), first[0].get("due_at"));
    everybody_knows(&odm).await;
    assert_eq!(stale_cars(&odm, &maker).await, 0);
}

#[tokio::test]
async fn every_kind_of_write_marks_what_others_may_not_know() {
    let (t, maker) = garage("fleet_every_write").await;
    let odm = program(&t.odm);
    let (fields, other) = (
        Car::fields(),
        Maker {
            id: Id::new(),
            ..maker.clone()
        },
    );
    t.given(&[other.clone()]).await;
    let given = car(&maker);
    put(
        &odm,
        "fleet_cars",
        [doc! { "_id": given.id, "maker": maker.id, "maker_name": "old" }],
    )
    .await;
    let forget = async || {
        let jobs = odm.database().collection::<Document>("_odm_jobs");
        jobs.delete_many(doc! {}).await.unwrap();
    };
    let marked = async |what: &str| {
        let relations = relations(&odm).await;
        let all = relations.iter().all(|it| it == RELATION);
        assert!(all && !relations.is_empty(), "{what}: {relations:?}");
        forget().await;
    };
    car(&maker).insert(&odm).await.unwrap();
    marked("insert").await;
    given.save(&odm).await.unwrap();
    marked("save").await;
    Car::update(&odm, given.id)
        .set(fields.maker, other.id)
        .await
        .unwrap();
    marked("update").await;
    Car::update_many(&odm, fields.id.eq(given.id))
        .set(fields.maker, maker.id)
        .await
        .unwrap();
    marked("update_many").await;
    let found = Car::find_one_and_update(&odm, fields.id.eq(given.id)).set(fields.maker, other.id);
    found.await.unwrap();
    marked("find_one_and_update").await;
    odm.backfill::<Car>().await.unwrap();
    marked("backfill").await;
    let in_tx = odm.transaction(async |tx| {
        Car::update(&tx, given.id)
            .set(fields.maker, other.id)
            .await?;
        Ok(())
    });
    in_tx.await.unwrap();
    marked("transaction").await;

    let plan = car(&maker).insert(&odm).plan().unwrap().to_string();
    assert!(plan.contains("_odm_jobs"), "{plan}");
    known_to_all(&odm).await;
    let odm = program(&t.odm);
    t.forget();
    car(&maker).insert(&odm).await.unwrap();
    assert!(jobs(&odm).await.is_empty());
}

/// A declaration that was missing for a week is new to programs that have read the declarations meanwhile.
#[tokio::test]
async fn a_declaration_that_comes_back_is_new_again() {
    let (t, maker) = garage("fleet_comes_back").await;
    car(&maker).insert(&program(&t.odm)).await.unwrap();
    everybody_knows(&t.odm).await;
    known_to_all(&t.odm).await;
    car(&maker).insert(&program(&t.odm)).await.unwrap();
    assert_eq!(relations(&t.odm).await, [""; 0]);
    let schema = t.odm.database().collection::<Document>("_odm_schema");
    let expired = doc! { "$set": { "seen_at": days_ago(8), "fields.$[].seen_at": days_ago(8) } };
    schema.update_many(doc! {}, expired).await.unwrap();
    car(&maker).insert(&program(&t.odm)).await.unwrap();
    assert_eq!(relations(&t.odm).await, [RELATION]);
}

/// Many writers insert copies of one source during renames that do not know these copies.
#[tokio::test(flavor = "multi_thread")]
async fn no_copy_stays_old_that_was_stored_before_everybody_knew() {
    const MAKERS: usize = 4;
    let (t, _) = garage("fleet_storm").await;
    let maker = |at: usize| Maker {
        id: Id::new(),
        name: format!("maker {at}"),
    };
    let makers: Vec<_> = (0..MAKERS).map(maker).collect();
    t.given(&makers).await;
    let insert = async |odm: Odm, makers: Vec<Maker>| {
        for at in 0..40 {
            let maker = &makers[at % MAKERS];
            car(maker).insert(&odm).await.unwrap();
        }
    };
    let rename = async |odm: Odm, makers: Vec<Maker>| {
        for at in 0..80 {
            rename_unseen(&odm, &makers[at % MAKERS], &format!("name {at}")).await;
        }
    };
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..3 {
        tasks.spawn(insert(program(&t.odm), makers.clone()));
    }
    tasks.spawn(rename(t.odm.clone(), makers.clone()));
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    let odm = program(&t.odm);
    assert!(relations(&odm).await.len() >= MAKERS);
    everybody_knows(&odm).await;
    for maker in &makers {
        assert_eq!(stale_cars(&odm, maker).await, 0);
    }
}
