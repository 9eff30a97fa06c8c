//! The tasks of a handle: they start again after the end of their runtime, and after a panic.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use mongo_odm::{
    Odm, Settle,
    bson::Document,
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

/// A station and a host with messages, as other handles have stored them.
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

/// Waits until nothing is left in a collection.
async fn is_empty_within(odm: &Odm, collection: &str, time: Duration) -> bool {
    let until = tokio::time::Instant::now() + time;
    while tokio::time::Instant::now() < until {
        if count(odm, collection, doc! {}).await == 0 {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    false
}

/// Before any background task looks by itself, which is after two and a half seconds.
const AT_ONCE: Duration = Duration::from_secs(2);

/// After the longest pause of a background task, and a second one.
const LATER: Duration = Duration::from_secs(20);

/// Inserts a child whose parent counts it by a delta, and returns whether it is folded at once.
async fn folds(odm: &Odm, north: &Station, number: i64) -> bool {
    let new = reading(north.id, number);
    new.insert(odm).deferred().await.unwrap();
    is_empty_within(odm, "_odm_deltas", AT_ONCE).await
}

/// Leaves a job by another handle, and returns whether the tasks of this one run it, which writes nothing itself.
async fn settles(t: &Harness, host: &Host) -> bool {
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.9");
    rename.deferred().await.unwrap();
    is_empty_within(&t.odm, "_odm_jobs", LATER).await
}

/// A handle whose tasks run, on a client that panics at the next command of a kind.
async fn panicking(t: &Harness, is_it: fn(&Document) -> bool) -> (Odm, Arc<AtomicBool>) {
    let armed = Arc::new(AtomicBool::new(false));
    let mut options = ClientOptions::parse(t.database().uri()).await.unwrap();
    let trap = Arc::clone(&armed);
    let handler = move |event: CommandEvent| {
        if let CommandEvent::Started(started) = event {
            let panics = is_it(&started.command) && trap.swap(false, Ordering::SeqCst);
            assert!(!panics, "on purpose");
        }
    };
    options.command_event_handler = Some(EventHandler::callback(handler));
    let client = Client::with_options(options).unwrap();
    let odm = Odm::new(client.default_database().unwrap());
    let odm = odm.with_settings(settings().settle(Settle::Background));
    (odm, armed)
}

/// Waits for the panic.
async fn sprung(armed: &AtomicBool) {
    for _ in 0..800 {
        if !armed.load(Ordering::SeqCst) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("nothing has panicked");
}

/// Runs something on a runtime that ends with it.
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
    let background = Odm::new(t.odm.database().clone());
    let background = background.with_settings(settings().settle(Settle::Background));
    let (odm, north_too) = (background.clone(), north.clone());
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
async fn deltas_are_folded_after_a_fold_that_has_panicked() {
    let (t, north, _) = stored("background_fold").await;
    let reads_deltas = |it: &Document| it.get_str("find").is_ok_and(|it| it == "_odm_deltas");
    let (odm, armed) = panicking(&t, reads_deltas).await;
    assert!(folds(&odm, &north, 1).await, "nothing folds");
    armed.store(true, Ordering::SeqCst);
    let new = reading(north.id, 2);
    new.insert(&odm).deferred().await.unwrap();
    sprung(&armed).await;
    // The fold of its own delta brings the other one along: both are of one parent.
    assert!(
        folds(&odm, &north, 3).await,
        "nothing folds after the panic"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_are_run_after_a_run_that_has_panicked() {
    let (t, north, host) = stored("background_panic").await;
    let lists_due_jobs = |it: &Document| {
        let is_sorted = it
            .get_document("sort")
            .is_ok_and(|it| it.contains_key("due_at"));
        is_sorted && it.get_str("find").is_ok_and(|it| it == "_odm_jobs")
    };
    let (odm, armed) = panicking(&t, lists_due_jobs).await;
    armed.store(true, Ordering::SeqCst);
    let new = reading(north.id, 1);
    new.insert(&odm).deferred().await.unwrap();
    sprung(&armed).await;
    assert!(settles(&t, &host).await, "nothing settles after the panic");
    drop(odm);
}
