//! The background tasks of a handle, which start again after the end of their runtime and after a panic.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use mongo_odm::{
    Odm, Settle,
    bson::{Bson, Document},
    mongodb::{
        Client,
        event::{EventHandler, command::CommandEvent},
        options::ClientOptions,
    },
    prelude::*,
};
use odm_tests::Harness;

use crate::{
    computed::{Station, index_weather, reading, station},
    models::*,
    setting::*,
};

/// Stores a station and a host with messages, with a different handle than the watched one.
async fn stored(test: &str) -> (Harness, Station, Host) {
    let t = shop(test).await;
    index_weather(&t.odm).await;
    let (north, host) = (station("north"), host(1));
    t.given(&[north.clone()]).await;
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    settle(&t.odm).await;
    (t, north, host)
}

/// Waits until a condition holds.
async fn comes_true(is_so: impl AsyncFn() -> bool) -> bool {
    let until = tokio::time::Instant::now() + LATER;
    while tokio::time::Instant::now() < until {
        if is_so().await {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    false
}

/// Longer than two of the longest pauses of a background task.
const LATER: Duration = Duration::from_secs(20);

/// Inserts children with deltas, and returns whether the background task of the writes folds one of them. The task that
/// settles jobs also folds all deltas that it lists. So deltas that this task has listed say nothing about the other
/// task.
async fn folds(watched: &Watched, north: &Station, first: i64) -> bool {
    for number in first..first + 10 {
        let listed = watched.listed.load(Ordering::SeqCst);
        let new = reading(north.id, number);
        new.insert(&watched.odm).deferred().await.unwrap();
        let is_empty = async || count(&watched.odm, "_odm_deltas", doc! {}).await == 0;
        assert!(comes_true(is_empty).await, "deltas are never folded");
        if watched.listed.load(Ordering::SeqCst) == listed {
            return true;
        }
    }
    false
}

/// Stores a job with a different handle, and returns whether the tasks of a handle that writes nothing run this job.
async fn settles(t: &Harness, host: &Host) -> bool {
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.9");
    rename.deferred().await.unwrap();
    comes_true(async || count(&t.odm, "_odm_jobs", doc! {}).await == 0).await
}

/// A handle with its own client, whose background tasks run.
struct Watched {
    odm: Odm,
    /// Whether the client panics at the next command of a kind.
    armed: Arc<AtomicBool>,
    /// How often a task has listed all deltas.
    listed: Arc<AtomicU64>,
}

/// Returns a handle whose client panics at commands of a kind once it is armed.
async fn watched(t: &Harness, panics_at: fn(&Document) -> bool) -> Watched {
    let (armed, listed) = <(Arc<AtomicBool>, Arc<AtomicU64>)>::default();
    let mut options = ClientOptions::parse(t.database().uri()).await.unwrap();
    let (trap, counter) = (Arc::clone(&armed), Arc::clone(&listed));
    let handler = move |event: CommandEvent| {
        let CommandEvent::Started(started) = event else {
            return;
        };
        if lists_all_deltas(&started.command) {
            counter.fetch_add(1, Ordering::SeqCst);
        }
        if panics_at(&started.command) && trap.swap(false, Ordering::SeqCst) {
            // `panic!` would print a backtrace first. The task would keep its lock during this time, which is seconds.
            std::panic::resume_unwind(Box::new("on purpose"));
        }
    };
    options.command_event_handler = Some(EventHandler::callback(handler));
    let client = Client::with_options(options).unwrap();
    let odm = Odm::new(client.default_database().unwrap());
    let odm = odm.with_settings(settings().settle(Settle::Background));
    Watched { odm, armed, listed }
}

/// Whether a command lists all documents that have deltas.
fn lists_all_deltas(command: &Document) -> bool {
    let groups = |stage: &Bson| {
        let group = stage
            .as_document()
            .and_then(|it| it.get_document("$group").ok());
        group.is_some_and(|it| it.get_str("_id").is_ok_and(|it| it == "$of"))
    };
    let stages = command.get_array("pipeline").map(Vec::as_slice);
    names(command, "aggregate", "_odm_deltas") && stages.unwrap_or_default().iter().any(groups)
}

/// Whether a command lists the jobs that are due.
fn lists_due_jobs(command: &Document) -> bool {
    let sort = command.get_document("sort");
    names(command, "find", "_odm_jobs") && sort.is_ok_and(|it| it.contains_key("due_at"))
}

/// Whether a command has this name and applies to this collection.
fn names(command: &Document, name: &str, collection: &str) -> bool {
    command.get_str(name).is_ok_and(|it| it == collection)
}

/// Waits for the panic.
async fn sprung(armed: &AtomicBool) {
    let is_sprung = async || !armed.load(Ordering::SeqCst);
    assert!(comes_true(is_sprung).await, "nothing has panicked");
}

/// Runs a future on a separate runtime, which ends with the future.
async fn on_another_runtime(run: impl Future<Output = ()> + Send + 'static) {
    let thread = move || {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().unwrap();
        runtime.block_on(run);
    };
    tokio::task::spawn_blocking(thread).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn tasks_start_again_when_the_runtime_that_started_them_has_ended() {
    let (t, north, host) = stored("background_runtime").await;
    let background = watched(&t, |_| false).await;
    let (odm, north_too) = (background.odm.clone(), north.clone());
    on_another_runtime(async move {
        // The runtime ends before the pause of any task does.
        let new = reading(north_too.id, 1);
        new.insert(&odm).deferred().await.unwrap();
    })
    .await;
    assert_eq!(count(&t.odm, "_odm_deltas", doc! {}).await, 1);
    assert!(folds(&background, &north, 2).await, "nothing folds");
    assert!(settles(&t, &host).await, "nothing settles");
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_run_after_the_handle_of_the_first_write_is_dropped() {
    let (t, _, host) = stored("background_handles").await;
    let odm = t.odm.with_settings(settings().settle(Settle::Background));
    let rename = async |odm: &Odm, to: &str| {
        let rename = Host::update(odm, host.id).set(Host::fields().ipaddr, to);
        rename.deferred().await.unwrap();
    };
    let short = odm.with_settings(odm.settings().clone().inline_copies(0));
    rename(&short, "10.0.0.1").await;
    rename(&odm, "10.0.0.2").await;
    drop(short);
    let is_done = async || count(&t.odm, "_odm_jobs", doc! {}).await == 0;
    assert!(comes_true(is_done).await, "nobody runs the job");
    assert_eq!(stale(&t.odm, &host).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn deltas_are_folded_after_a_fold_that_has_panicked() {
    let (t, north, _) = stored("background_fold").await;
    let watched = watched(&t, |it| names(it, "find", "_odm_deltas")).await;
    assert!(folds(&watched, &north, 1).await, "nothing folds");
    watched.armed.store(true, Ordering::SeqCst);
    let new = reading(north.id, 20);
    new.insert(&watched.odm).deferred().await.unwrap();
    sprung(&watched.armed).await;
    assert!(
        folds(&watched, &north, 30).await,
        "nothing folds after the panic"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_are_run_after_a_run_that_has_panicked() {
    let (t, north, host) = stored("background_panic").await;
    let watched = watched(&t, lists_due_jobs).await;
    watched.armed.store(true, Ordering::SeqCst);
    let new = reading(north.id, 1);
    new.insert(&watched.odm).deferred().await.unwrap();
    sprung(&watched.armed).await;
    assert!(settles(&t, &host).await, "nothing settles after the panic");
    drop(watched);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_goes_on_after_a_pass_that_has_panicked() {
    let (t, _, host) = stored("background_worker").await;
    let watched = watched(&t, lists_due_jobs).await;
    watched.armed.store(true, Ordering::SeqCst);
    let worker = watched.odm.worker().every(Duration::from_millis(20));
    let worker = tokio::spawn(worker.run());
    sprung(&watched.armed).await;
    assert!(settles(&t, &host).await, "nothing settles after the panic");
    assert!(!worker.is_finished(), "the panic has ended the worker");
    worker.abort();
}
