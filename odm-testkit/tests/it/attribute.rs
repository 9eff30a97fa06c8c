//! `#[mongo_odm_testkit::test]`: the database, the arguments and the options of a test.
//!
//! Some tests are defined inside another test, which calls them in a separate thread.

#![allow(
    unnameable_test_items,
    reason = "a test inside of another test does not run by itself"
)]

use std::{
    sync::{Barrier, Mutex},
    thread,
    time::{Duration, Instant},
};

use mongo_odm::{Settle, prelude::*};
use mongo_odm_testkit::{Server, TestClock, TestDb, assert_round_trips, given};
use mongodb::{Client, bson::doc};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "parts")]
struct Part {
    #[serde(rename = "_id")]
    id: Id<Part, i64>,
    #[index(unique)]
    name: String,
    #[created_at]
    created: DateTime,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "boxes")]
struct PartBox {
    #[serde(rename = "_id")]
    id: Id<PartBox, i64>,
    #[parent_ref(exists)]
    part: Id<Part, i64>,
}

/// A document whose inserts never end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "slow_parts", hooks)]
struct SlowPart {
    #[serde(rename = "_id")]
    id: Id<SlowPart>,
}

impl Hooks for SlowPart {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        std::future::pending().await
    }
}

fn part(id: i64) -> Part {
    Part {
        id: Id::from_key(id),
        name: format!("part {id}"),
        created: DateTime::from_millis(0),
    }
}

fn part_box(id: i64, part: i64) -> PartBox {
    PartBox {
        id: Id::from_key(id),
        part: Id::from_key(part),
    }
}

/// Runs a test in its own thread, because it starts its own runtime. Returns the message of its panic.
fn failure(test: fn()) -> Option<String> {
    let panic = thread::spawn(test).join().err()?;
    let message = panic.downcast_ref::<String>().cloned();
    Some(message.unwrap_or_else(|| (*panic.downcast_ref::<&str>().unwrap()).to_owned()))
}

async fn client(server: &Server) -> Client {
    Client::with_options(server.client_options().await.unwrap()).unwrap()
}

async fn has_database(server: &Server, name: &str) -> bool {
    let names = client(server).await.list_database_names().await.unwrap();
    names.iter().any(|it| it == name)
}

async fn drop_database(server: &Server, name: &str) {
    let database = client(server).await.database(name);
    database.drop().await.unwrap();
}

#[test]
fn two_tests_at_the_same_time_have_separate_databases() {
    static BOTH: Barrier = Barrier::new(2);
    static SEPARATE: Mutex<Vec<String>> = Mutex::new(Vec::new());

    #[mongo_odm_testkit::test]
    async fn one_of_two(odm: Odm) {
        inserts_beside_another(odm).await;
    }

    #[mongo_odm_testkit::test]
    async fn other_of_two(odm: Odm) {
        inserts_beside_another(odm).await;
    }

    async fn inserts_beside_another(odm: Odm) {
        part(1).insert(&odm).await.unwrap();
        BOTH.wait();
        assert_eq!(Part::count(&odm).await.unwrap(), 1);
        BOTH.wait();
        let name = odm.database().name().to_owned();
        SEPARATE.lock().unwrap().push(name);
    }

    let one = thread::spawn(one_of_two);
    other_of_two();
    one.join().unwrap();
    let mut names = SEPARATE.lock().unwrap().clone();
    names.sort();
    assert!(names[0].starts_with("attribute__one_of_two_"), "{names:?}");
    assert!(
        names[1].starts_with("attribute__other_of_two_"),
        "{names:?}"
    );
}

/// A write continues although the test has dropped its future.
#[test]
fn a_test_ends_although_one_of_its_writes_never_ends() {
    #[mongo_odm_testkit::test]
    async fn gives_up(odm: Odm) {
        let insert = async { SlowPart { id: Id::new() }.insert(&odm).await };
        let insert = tokio::time::timeout(Duration::from_millis(200), insert);
        insert.await.unwrap_err();
    }

    let began = Instant::now();
    assert_eq!(failure(gives_up), None);
    assert!(began.elapsed() < Duration::from_secs(40), "{began:?}");
}

#[tokio::test]
async fn the_database_of_a_passing_test_is_dropped() {
    static NAME: Mutex<String> = Mutex::new(String::new());

    #[mongo_odm_testkit::test]
    async fn passes(odm: Odm) -> mongo_odm::Result<()> {
        part(1).insert(&odm).await?;
        odm.database().name().clone_into(&mut NAME.lock().unwrap());
        Ok(())
    }

    let server = Server::shared().await.unwrap();
    assert_eq!(failure(passes), None);
    let name = NAME.lock().unwrap().clone();
    assert!(!name.is_empty());
    assert!(!has_database(&server, &name).await);
}

#[tokio::test]
async fn a_test_that_returns_an_error_fails_and_keeps_its_database() {
    static NAME: Mutex<String> = Mutex::new(String::new());

    #[mongo_odm_testkit::test]
    async fn returns_an_error(odm: Odm) -> mongo_odm::Result<()> {
        odm.database().name().clone_into(&mut NAME.lock().unwrap());
        part(1).insert(&odm).await?;
        Part::get(&odm, Id::from_key(2)).await?;
        Ok(())
    }

    let server = Server::shared().await.unwrap();
    let message = failure(returns_an_error).unwrap();
    assert!(
        message.starts_with("the test returned an error: "),
        "{message}"
    );
    assert!(message.contains("parts"), "{message}");
    let name = NAME.lock().unwrap().clone();
    assert!(has_database(&server, &name).await);
    drop_database(&server, &name).await;
}

#[tokio::test]
async fn a_test_that_panics_keeps_its_database() {
    static NAME: Mutex<String> = Mutex::new(String::new());

    #[mongo_odm_testkit::test]
    async fn panics(odm: Odm) {
        odm.database().name().clone_into(&mut NAME.lock().unwrap());
        part(1).insert(&odm).await.unwrap();
        panic!("on purpose");
    }

    let server = Server::shared().await.unwrap();
    assert_eq!(failure(panics).as_deref(), Some("on purpose"));
    let name = NAME.lock().unwrap().clone();
    assert!(has_database(&server, &name).await);
    drop_database(&server, &name).await;
}

#[tokio::test]
async fn the_database_of_an_expected_panic_is_dropped() {
    static NAME: Mutex<String> = Mutex::new(String::new());

    #[mongo_odm_testkit::test]
    #[should_panic(expected = "on purpose")]
    async fn panics_as_expected(odm: Odm) {
        odm.database().name().clone_into(&mut NAME.lock().unwrap());
        part(1).insert(&odm).await.unwrap();
        panic!("on purpose");
    }

    let server = Server::shared().await.unwrap();
    assert_eq!(failure(panics_as_expected).as_deref(), Some("on purpose"));
    let name = NAME.lock().unwrap().clone();
    assert!(!name.is_empty());
    assert!(!has_database(&server, &name).await);
}

#[mongo_odm_testkit::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_test_can_have_several_threads() {
    let runtime = tokio::runtime::Handle::current();
    assert_eq!(runtime.metrics().num_workers(), 3);
}

#[mongo_odm_testkit::test]
async fn the_arguments_belong_to_one_database(database: &TestDb, mut odm: Odm, clock: TestClock) {
    assert_eq!(odm.database().name(), database.name());
    assert_eq!(database.recorder().names(), [""; 0]);
    odm = odm.clone();
    part(1).insert(&odm).await.unwrap();
    assert_eq!(odm.settings().clock.now(), clock.now());
    let inserted = database.recorder().names();
    assert!(inserted.contains(&"insert".to_owned()), "{inserted:?}");
}

#[mongo_odm_testkit::test]
async fn without_a_test_clock_the_time_is_that_of_the_system(odm: Odm) {
    let before = DateTime::now();
    let now = odm.settings().clock.now();
    assert!(before <= now && now <= DateTime::now(), "{now}");
}

#[mongo_odm_testkit::test]
async fn the_library_stores_the_time_of_the_test_clock(odm: Odm, clock: TestClock) {
    part(1).insert(&odm).await.unwrap();
    clock.advance(Duration::from_millis(1_500));
    part(2).insert(&odm).await.unwrap();
    let time = DateTime::from_millis(7);
    clock.set(time);
    part(3).insert(&odm).await.unwrap();
    let times = Part::find(&odm)
        .sort(Part::fields().id.asc())
        .await
        .unwrap();
    let times: Vec<_> = times.iter().map(|part| part.created).collect();
    let start = TestClock::default().now();
    assert_eq!(
        start.try_to_rfc3339_string().unwrap(),
        "2026-01-01T00:00:00Z"
    );
    let later = DateTime::from_millis(start.timestamp_millis() + 1_500);
    assert_eq!(times, [start, later, time]);
}

async fn indexes(odm: &Odm, collection: &str) -> Vec<String> {
    let collection = odm.database().collection::<Part>(collection);
    collection.list_index_names().await.unwrap_or_default()
}

#[mongo_odm_testkit::test]
async fn the_indexes_of_all_models_are_created(odm: Odm) {
    assert_eq!(indexes(&odm, "parts").await.len(), 2);
    assert_eq!(indexes(&odm, "boxes").await.len(), 2);
}

#[mongo_odm_testkit::test(indexes = false)]
async fn indexes_can_be_left_out(odm: Odm) {
    assert_eq!(indexes(&odm, "parts").await, [""; 0]);
    assert_eq!(indexes(&odm, "boxes").await, [""; 0]);
}

#[mongo_odm_testkit::test(indexes(Part))]
async fn indexes_of_some_models_can_be_created(odm: Odm) {
    assert_eq!(indexes(&odm, "parts").await.len(), 2);
    assert_eq!(indexes(&odm, "boxes").await, [""; 0]);
}

#[mongo_odm_testkit::test(settle = "manual", crate = "::mongo_odm_testkit")]
async fn jobs_can_wait_for_the_test(odm: Odm) {
    assert_eq!(odm.settings().settle, Settle::Manual);
}

#[mongo_odm_testkit::test(settle = "background")]
async fn jobs_can_run_in_the_background(odm: Odm) {
    assert_eq!(odm.settings().settle, Settle::Background);
}

#[mongo_odm_testkit::test]
async fn jobs_run_in_their_write_by_default(odm: Odm) {
    assert_eq!(odm.settings().settle, Settle::Immediate);
}

#[mongo_odm_testkit::test]
async fn given_inserts_lists_in_their_order(odm: Odm) -> mongo_odm::Result<()> {
    let boxes = vec![part_box(1, 1), part_box(2, 2)];
    // The reference `part` requires an existing target, so this insert succeeds only if the first
    // list is stored first.
    given(&odm, ([part(1), part(2)], &boxes)).await?;
    given(&odm, &[part(3)]).await?;
    given(&odm, Vec::<Part>::new()).await?;
    given(&odm, &boxes[..0]).await?;
    assert_eq!(Part::count(&odm).await?, 3);
    assert_eq!(PartBox::find(&odm).await?, boxes);
    let wrong_order = given(&odm, ([part_box(4, 4)], [part(4)])).await;
    assert!(wrong_order.is_err());
    assert_eq!(Part::count(&odm).await?, 3);
    Ok(())
}

#[mongo_odm_testkit::test]
async fn round_trips_are_counted(odm: Odm) -> mongo_odm::Result<()> {
    given(&odm, [part(1)]).await?;
    let part = assert_round_trips!(1, odm, async { Part::get(&odm, Id::from_key(1)).await })?;
    assert_eq!(part.name, "part 1");
    Ok(())
}

#[mongo_odm_testkit::test]
async fn the_server_is_the_shared_one(database: &TestDb) {
    let shared = Server::shared().await.unwrap();
    assert_eq!(database.server().uri(), shared.uri());
    let ping = database.database().run_command(doc! { "ping": 1 }).await;
    assert!(ping.is_ok());
}
