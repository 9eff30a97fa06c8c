//! Transactions: commit, abort, retry, and what happens when a future is dropped in the middle.

mod driver_code;
mod swallowed;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use mongo_odm::{Error, Odm, Result, Tx, bson::Document, prelude::*};
use odm_testkit::{Server, TestDb, Topology};
use odm_tests::{Harness, shop::*};
use tokio::sync::{Mutex, MutexGuard, OnceCell};

/// A server of this module, because a fail point is a setting of the whole server, and one test at a
/// time.
struct Failing {
    odm: Odm,
    database: TestDb,
    name: String,
    _alone: MutexGuard<'static, ()>,
}

static SERVER: OnceCell<Arc<Server>> = OnceCell::const_new();
static ALONE: Mutex<()> = Mutex::const_new(());

impl Failing {
    async fn new(test: &str) -> Self {
        let alone = ALONE.lock().await;
        let start = async || {
            Server::builder()
                .private()
                .test_commands(true)
                .start()
                .await
        };
        let server = SERVER
            .get_or_init(async || Arc::new(start().await.unwrap()))
            .await;
        let name = test.to_owned();
        let app_name = name.clone();
        let database = TestDb::builder(test)
            .server(Arc::clone(server))
            .configure(move |options| options.app_name = Some(app_name))
            .open()
            .await
            .unwrap();
        Self {
            odm: Odm::new(database.database()),
            database,
            name,
            _alone: alone,
        }
    }

    /// Makes the next commands fail, those of the application alone.
    async fn fail(&self, times: i32, commands: &[&str], failure: Document) {
        let mut data = doc! {
            "failCommands": commands.to_vec(),
            "appName": &self.name,
        };
        data.extend(failure);
        let command = doc! {
            "configureFailPoint": "failCommand",
            "mode": { "times": times },
            "data": data,
        };
        self.odm
            .client()
            .database("admin")
            .run_command(command)
            .await
            .unwrap();
        self.database.recorder().clear();
    }

    fn count(&self, name: &str) -> usize {
        self.database.recorder().count(name)
    }

    async fn qty(&self, part: &Part) -> i64 {
        Part::get(&self.odm, part.id).await.unwrap().qty
    }
}

async fn buy(tx: &Tx, part: &Part) -> Result<()> {
    Part::update(tx, part.id)
        .inc(Part::fields().qty, -1)
        .await
        .map(|_| ())
}

#[tokio::test]
async fn a_transaction_commits_what_its_closure_returns_ok_for() {
    let t = Harness::new("tx_commit").await;
    let (a, b) = (part(1), part(2));
    let (total, sent) = t
        .sent(async {
            let run = t.odm.transaction(async |tx| {
                a.insert(&tx).await?;
                b.insert(&tx).await?;
                Ok(a.qty + b.qty)
            });
            run.await.unwrap()
        })
        .await;
    assert_eq!(total, 188);
    assert_eq!(sent, ["insert", "insert", "commitTransaction"]);
    assert_eq!(Part::count(&t.odm).await.unwrap(), 2);
    let commands = t.recorder().commands();
    let commit = commands
        .iter()
        .find(|sent| sent.name == "commitTransaction")
        .unwrap();
    assert_eq!(
        commit
            .command
            .get_document("writeConcern")
            .unwrap()
            .get_str("w")
            .unwrap(),
        "majority"
    );
    let first = commands.iter().find(|sent| sent.name == "insert").unwrap();
    assert_eq!(
        first
            .command
            .get_document("readConcern")
            .unwrap()
            .get_str("level")
            .unwrap(),
        "snapshot"
    );
}

#[tokio::test]
async fn an_error_of_the_closure_leaves_nothing_behind() {
    let t = Harness::new("tx_abort").await;
    let (a, b) = (part(1), part(2));
    a.insert(&t.odm).await.unwrap();
    t.forget();
    let error = t
        .odm
        .transaction(async |tx| {
            b.insert(&tx).await?;
            Part::update(&tx, a.id).inc(Part::fields().qty, 5).await?;
            Part::get(&tx, Id::new()).await
        })
        .await
        .unwrap_err();
    assert!(error.is_not_found(), "{error:?}");
    assert_eq!(t.recorder().count("abortTransaction"), 1);
    assert_eq!(t.recorder().count("commitTransaction"), 0);
    assert_eq!(Part::find(&t.odm).await.unwrap(), [a]);
}

#[tokio::test]
async fn an_empty_transaction_sends_nothing() {
    let t = Harness::new("tx_empty").await;
    let (value, sent) = t
        .sent(async { t.odm.transaction(async |_| Ok("done")).await.unwrap() })
        .await;
    assert_eq!(value, "done");
    assert!(sent.is_empty(), "{sent:?}");
}

#[derive(Debug, PartialEq)]
struct OutOfStock {
    partno: String,
}

impl fmt::Display for OutOfStock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no more of {}", self.partno)
    }
}

impl std::error::Error for OutOfStock {}

#[tokio::test]
async fn an_error_of_the_application_comes_back_as_it_was() {
    let t = Harness::new("tx_custom").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let error = t
        .odm
        .transaction(async |tx| {
            buy(&tx, &part).await?;
            Err::<(), _>(Error::custom(OutOfStock {
                partno: part.partno.clone(),
            }))
        })
        .await
        .unwrap_err();
    assert_eq!(
        error.get_custom::<OutOfStock>(),
        Some(&OutOfStock {
            partno: "000001-aff".to_owned()
        })
    );
    assert_eq!(error.get_custom::<fmt::Error>(), None);
    assert_eq!(error.to_string(), "no more of 000001-aff");
    assert_eq!(Error::NoTransactions.get_custom::<OutOfStock>(), None);
    assert_eq!(Error::custom("text").to_string(), "text");
    assert_eq!(Part::get(&t.odm, part.id).await.unwrap(), part);
}

#[tokio::test]
async fn a_transient_error_runs_the_closure_again() {
    let t = Failing::new("tx_transient").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    for (command, code) in [("update", 112), ("commitTransaction", 251), ("find", 112)] {
        let before = t.qty(&part).await;
        let labels = ["TransientTransactionError"];
        t.fail(
            2,
            &[command],
            doc! { "errorCode": code, "errorLabels": labels.to_vec() },
        )
        .await;
        let runs = AtomicUsize::new(0);
        t.odm
            .transaction(async |tx| {
                runs.fetch_add(1, Relaxed);
                Part::get(&tx, part.id).await?;
                buy(&tx, &part).await
            })
            .await
            .unwrap();
        assert_eq!(runs.load(Relaxed), 3, "{command}");
        assert_eq!(t.qty(&part).await, before - 1, "{command}");
    }
}

#[tokio::test]
async fn a_transient_error_is_tried_again_behind_an_error_of_the_application() {
    let t = Failing::new("tx_mapped").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let labels = ["TransientTransactionError"];
    t.fail(
        1,
        &["update"],
        doc! { "errorCode": 112, "errorLabels": labels.to_vec() },
    )
    .await;
    let runs = AtomicUsize::new(0);
    t.odm
        .transaction(async |tx| {
            runs.fetch_add(1, Relaxed);
            buy(&tx, &part).await.map_err(|_| Error::custom(fmt::Error))
        })
        .await
        .unwrap();
    assert_eq!(runs.load(Relaxed), 2);
    assert_eq!(t.qty(&part).await, part.qty - 1);
}

#[tokio::test]
async fn another_error_is_not_tried_again() {
    let t = Failing::new("tx_permanent").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    t.fail(1, &["update"], doc! { "errorCode": 20 }).await;
    let runs = AtomicUsize::new(0);
    let error = t
        .odm
        .transaction(async |tx| {
            runs.fetch_add(1, Relaxed);
            buy(&tx, &part).await
        })
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Driver { .. }), "{error:?}");
    assert_eq!(runs.load(Relaxed), 1);
    assert_eq!(t.count("abortTransaction"), 1);
    assert_eq!(t.qty(&part).await, part.qty);
}

#[tokio::test]
async fn a_commit_of_unknown_outcome_is_tried_again_without_the_closure() {
    let t = Failing::new("tx_unknown").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let lost = doc! { "closeConnection": true };
    let committed = doc! { "writeConcernError": { "code": 64, "errmsg": "waiting timed out" } };
    for (failure, times) in [(lost, 3), (committed, 1)] {
        let before = t.qty(&part).await;
        t.fail(times, &["commitTransaction"], failure).await;
        let runs = AtomicUsize::new(0);
        t.odm
            .transaction(async |tx| {
                runs.fetch_add(1, Relaxed);
                buy(&tx, &part).await
            })
            .await
            .unwrap();
        assert_eq!(runs.load(Relaxed), 1);
        assert_eq!(
            t.count("commitTransaction"),
            usize::try_from(times).unwrap() + 1
        );
        assert_eq!(t.qty(&part).await, before - 1, "once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn transactions_in_conflict_all_end_and_none_is_lost() {
    let t = Harness::new("tx_conflict").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let tasks: Vec<_> = (0..10)
        .map(|_| {
            let (odm, id) = (t.odm.clone(), part.id);
            tokio::spawn(async move {
                odm.transaction(|tx| async move {
                    let now = Part::get(&tx, id).await?;
                    Part::update(&tx, id)
                        .set(Part::fields().qty, now.qty - 1)
                        .await
                })
                .await
            })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap().unwrap().matched, 1);
    }
    assert_eq!(Part::get(&t.odm, part.id).await.unwrap().qty, part.qty - 10);
}

#[tokio::test]
async fn a_handle_is_dead_after_the_end_of_its_transaction() {
    let t = Harness::new("tx_ended").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    let committed = t.odm.transaction(async |tx| Ok(tx)).await.unwrap();
    let kept = std::sync::Mutex::new(None);
    let _ = t
        .odm
        .transaction(async |tx| {
            buy(&tx, &part).await?;
            *kept.lock().unwrap() = Some(tx.clone());
            Err::<(), _>(Error::custom("abort"))
        })
        .await;
    let aborted = kept.into_inner().unwrap().unwrap();
    for tx in [committed, aborted] {
        let (errors, sent) = t
            .sent(async {
                [
                    Part::get(&tx, part.id).await.unwrap_err(),
                    Part::count(&tx).await.unwrap_err(),
                    part.insert(&tx).await.unwrap_err(),
                    buy(&tx, &part).await.unwrap_err(),
                    Part::aggregate::<Document>(&tx, []).await.unwrap_err(),
                ]
            })
            .await;
        for error in errors {
            assert!(matches!(error, Error::TransactionEnded), "{error:?}");
            assert_eq!(
                error.to_string(),
                "this transaction has ended; use the `tx` only inside the closure of `transaction`"
            );
        }
        assert!(sent.is_empty(), "{sent:?}");
    }
    assert_eq!(Part::get(&t.odm, part.id).await.unwrap(), part);
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_of_several_tasks_run_one_after_the_other() {
    let t = Harness::new("tx_tasks").await;
    let counter = part(0);
    counter.insert(&t.odm).await.unwrap();
    t.odm
        .transaction(|tx| {
            let id = counter.id;
            async move {
                let tasks = (1..=20).map(|number| {
                    let tx = tx.clone();
                    tokio::spawn(async move {
                        part(number).insert(&tx).await?;
                        Part::update(&tx, id).inc(Part::fields().qty, 1).await?;
                        Part::count(&tx).await
                    })
                });
                for task in tasks.collect::<Vec<_>>() {
                    assert!((2..=21).contains(&task.await.unwrap()?));
                }
                Ok(())
            }
        })
        .await
        .unwrap();
    assert_eq!(Part::count(&t.odm).await.unwrap(), 21);
    assert_eq!(
        Part::get(&t.odm, counter.id).await.unwrap().qty,
        counter.qty + 20
    );
}

async fn named(tx: Tx) -> Result<u64> {
    Part::count(&tx).await
}

#[tokio::test]
async fn every_usual_form_of_closure_is_accepted_and_can_be_spawned() {
    let t = Harness::new("tx_closures").await;
    let odm = t.odm.clone();
    let (name, number) = ("borrowed".to_owned(), 7);
    let borrowed = t.odm.transaction(async |tx| {
        let mut part = part(number);
        part.name = name.clone();
        part.insert(&tx).await
    });
    borrowed.await.unwrap();

    let spawned = tokio::spawn(async move {
        let (name, odm_too) = ("owned by the task".to_owned(), odm.clone());
        odm.transaction(async |tx| {
            let mut part = part(8);
            part.name = name.clone();
            assert!(
                Part::find_one(&odm_too, Part::fields().name.eq(&name))
                    .await?
                    .is_none()
            );
            part.insert(&tx).await
        })
        .await?;
        odm.transaction(|tx| {
            let name = name.clone();
            async move {
                let mut part = part(9);
                part.name = name;
                part.insert(&tx).await
            }
        })
        .await?;
        odm.transaction(async move |tx| Part::count(&tx).await)
            .await
    });
    assert_eq!(spawned.await.unwrap().unwrap(), 3);

    let mut runs = 0;
    let counted = t.odm.transaction(|tx| {
        runs += 1;
        async move { Part::count(&tx).await }
    });
    assert_eq!((counted.await.unwrap(), runs), (3, 1));

    assert_eq!(t.odm.transaction(named).await.unwrap(), 3);
}

#[tokio::test]
async fn driver_code_takes_part_in_the_transaction() {
    let t = Harness::new("tx_run").await;
    let error = t
        .odm
        .transaction(async |tx| {
            tx.run(|database, session| {
                let log = database.collection("log");
                Box::pin(async move { log.insert_one(doc! { "n": 1 }).session(session).await })
            })
            .await?;
            Err::<(), _>(Error::custom("abort"))
        })
        .await;
    assert!(error.is_err());
    let log = t.odm.database().collection::<Document>("log");
    assert_eq!(log.count_documents(doc! {}).await.unwrap(), 0);
}

/// Waits until a condition holds.
async fn eventually(what: &str, condition: impl AsyncFn() -> bool) {
    for _ in 0..100 {
        if condition().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("never: {what}");
}

const BLOCKED: Duration = Duration::from_millis(400);
const IMPATIENT: Duration = Duration::from_millis(50);

fn block() -> Document {
    let time = i64::try_from(BLOCKED.as_millis()).unwrap();
    doc! { "blockConnection": true, "blockTimeMS": time }
}

#[tokio::test]
async fn a_dropped_write_is_carried_out_and_the_handle_stays_usable() {
    let t = Failing::new("tx_dropped_write").await;
    let (a, b) = (part(1), part(2));
    t.fail(1, &["insert"], block()).await;
    let dropped = tokio::time::timeout(IMPATIENT, a.insert(&t.odm)).await;
    assert!(dropped.is_err());
    b.insert(&t.odm).await.unwrap();
    eventually("the dropped insert", async || {
        Part::count(&t.odm).await.unwrap() == 2
    })
    .await;

    t.fail(1, &["find"], block()).await;
    let dropped = tokio::time::timeout(IMPATIENT, Part::get(&t.odm, a.id)).await;
    assert!(dropped.is_err());
    assert_eq!(Part::get(&t.odm, a.id).await.unwrap(), a);
}

#[tokio::test]
async fn a_statement_dropped_in_a_transaction_leaves_the_transaction_usable() {
    let t = Failing::new("tx_dropped_statement").await;
    let (a, b) = (part(1), part(2));
    b.insert(&t.odm).await.unwrap();
    t.fail(1, &["insert"], block()).await;
    t.odm
        .transaction(async |tx| {
            let dropped = tokio::time::timeout(IMPATIENT, a.insert(&tx)).await;
            assert!(dropped.is_err());
            buy(&tx, &b).await?;
            assert_eq!(
                Part::count(&tx).await?,
                2,
                "the dropped insert was carried out before"
            );
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(Part::get(&t.odm, a.id).await.unwrap(), a);
    assert_eq!(t.qty(&b).await, b.qty - 1);

    t.fail(1, &["find"], block()).await;
    t.odm
        .transaction(async |tx| {
            tokio::select! {
                biased;
                found = Part::get(&tx, b.id).into_future() => panic!("{found:?}"),
                () = tokio::time::sleep(IMPATIENT) => {}
            }
            buy(&tx, &b).await
        })
        .await
        .unwrap();
    assert_eq!(t.qty(&b).await, b.qty - 2);
}

#[tokio::test]
async fn a_dropped_transaction_is_aborted() {
    let t = Failing::new("tx_dropped").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    t.fail(1, &["find"], block()).await;
    let dropped = t.odm.transaction(async |tx| {
        buy(&tx, &part).await?;
        Part::get(&tx, part.id).await
    });
    assert!(tokio::time::timeout(IMPATIENT, dropped).await.is_err());
    // It waits for the end of the transaction, which would otherwise last a minute.
    let update = Part::update(&t.odm, part.id).inc(Part::fields().qty, 100);
    let update = tokio::time::timeout(Duration::from_secs(20), update.into_future()).await;
    assert_eq!(update.unwrap().unwrap().modified, 1);
    assert_eq!(t.qty(&part).await, part.qty + 100);
    eventually("an abort", async || t.count("abortTransaction") == 1).await;
}

#[tokio::test]
async fn a_transaction_dropped_at_its_commit_leaves_the_handle_usable() {
    let t = Failing::new("tx_dropped_commit").await;
    let part = part(1);
    part.insert(&t.odm).await.unwrap();
    t.fail(1, &["commitTransaction"], block()).await;
    let dropped = t.odm.transaction(async |tx| buy(&tx, &part).await);
    assert!(tokio::time::timeout(IMPATIENT, dropped).await.is_err());
    tokio::time::sleep(BLOCKED).await;
    let after = t.qty(&part).await;
    assert!(
        after == part.qty || after == part.qty - 1,
        "one of the two: {after}"
    );
    t.odm
        .transaction(async |tx| buy(&tx, &part).await)
        .await
        .unwrap();
    assert_eq!(t.qty(&part).await, after - 1);
}

/// Documents of a bounded array, on a server without transactions.
async fn standalone() -> (Odm, TestDb) {
    let server = Server::builder()
        .private()
        .topology(Topology::Standalone)
        .start()
        .await
        .unwrap();
    let database = TestDb::builder("tx_standalone")
        .server(Arc::new(server))
        .open()
        .await
        .unwrap();
    (Odm::new(database.database()), database)
}

#[tokio::test]
async fn a_standalone_server_says_that_it_has_no_transactions_and_does_everything_else() {
    let (odm, _database) = standalone().await;
    let runs = AtomicUsize::new(0);
    let error = odm
        .transaction(async |tx| {
            runs.fetch_add(1, Relaxed);
            part(1).insert(&tx).await
        })
        .await
        .unwrap_err();
    assert!(matches!(error, Error::NoTransactions), "{error:?}");
    assert_eq!(
        error.to_string(),
        "a standalone server has no transactions; run it as a replica set (`--replSet`, one node \
         is enough)"
    );
    assert_eq!(runs.load(Relaxed), 1);

    let (part_one, fields) = (part(1), Part::fields());
    part_one.insert(&odm).await.unwrap();
    Part::insert_many(&odm, &parts(3)[1..]).await.unwrap();
    assert_eq!(Part::count(&odm).await.unwrap(), 3);
    assert_eq!(
        Part::update(&odm, part_one.id)
            .inc(fields.qty, 1)
            .await
            .unwrap()
            .modified,
        1
    );
    Part::upsert(&odm, fields.partno.eq("x"))
        .set(fields.qty, 1)
        .await
        .unwrap();
    assert_eq!(
        Part::delete_many(&odm, fields.qty.eq(1))
            .await
            .unwrap()
            .deleted,
        1
    );
    let found = Part::find_one_and_update(&odm, fields.qty.eq(95))
        .inc(fields.qty, 1)
        .await;
    assert_eq!(found.unwrap().unwrap().id, part_one.id);
    part_one.save(&odm).await.unwrap();
    let mut page = Part::find(&odm)
        .sort(fields.qty.asc())
        .page(2)
        .await
        .unwrap();
    page = Part::find(&odm)
        .sort(fields.qty.asc())
        .page(2)
        .after(page.next)
        .await
        .unwrap();
    assert_eq!(page.items.len(), 1);
    odm.sync_indexes().only::<Host>().await.unwrap();

    let person = Person {
        id: Id::new(),
        name: "Ann".to_owned(),
        addresses: vec![],
        tasks: vec![],
    };
    person.insert(&odm).await.unwrap();
    let push = |count: usize| {
        let tasks = (0..count).map(|_| Id::<Task>::new());
        Person::update(&odm, person.id).push_all(Person::fields().tasks, tasks)
    };
    assert_eq!(push(4).await.unwrap().modified, 1);
    assert!(matches!(
        push(2).await.unwrap_err(),
        Error::BoundExceeded { max: 5, .. }
    ));
    let set = Person::update(&odm, person.id).add_to_set(Person::fields().tasks, Id::new());
    assert!(matches!(set.await.unwrap_err(), Error::NoTransactions));
    assert_eq!(Person::get(&odm, person.id).await.unwrap().tasks.len(), 4);
}
