//! Transactions: commits, aborts, retries, and futures that are dropped before they end.

mod driver_code;
mod dropped;
mod retries;
mod swallowed;

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use futures_util::{StreamExt, stream};
use mongo_odm::{Error, Odm, Result, Tx, bson::Document, prelude::*};
use mongo_odm_testkit::{Server, TestDb, Topology};
use odm_tests::{Harness, shop::*};
use tokio::sync::{Mutex, MutexGuard, OnceCell};

/// A server for this module only, because a fail point is a setting of the whole server. One test uses the server at a
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

    /// Makes the next commands of the application fail.
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

#[tokio::test]
async fn a_read_that_nobody_polls_does_not_block_the_transaction() {
    let t = Harness::new("tx_unpolled").await;
    let parts: Vec<Part> = (1..=5).map(part).collect();
    Part::insert_many(&t.odm, &parts).await.unwrap();
    let bought = t.odm.transaction(async |tx| {
        let ids: Vec<_> = parts.iter().map(|part| part.id).collect();
        let reads = ids.into_iter().map(|id| Part::get(&tx, id).into_future());
        let mut reads = stream::iter(reads).buffer_unordered(4);
        // While the closure buys a part, it does not poll the other reads, which wait for the session.
        while let Some(part) = reads.next().await {
            buy(&tx, &part?).await?;
        }
        Ok(())
    });
    let bought = tokio::time::timeout(Duration::from_secs(20), bought).await;
    bought.expect("a read blocks the transaction").unwrap();
    let sold = Part::find(&t.odm).await.unwrap();
    let before: i64 = parts.iter().map(|part| part.qty).sum();
    assert_eq!(sold.iter().map(|part| part.qty).sum::<i64>(), before - 5);
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
                Part::find_one(&odm_too)
                    .filter(Part::fields().name.eq(&name))
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

const BLOCKED: Duration = Duration::from_millis(400);
const IMPATIENT: Duration = Duration::from_millis(50);

fn block() -> Document {
    let time = i64::try_from(BLOCKED.as_millis()).unwrap();
    doc! { "blockConnection": true, "blockTimeMS": time }
}

/// Opens a database on a server without transactions.
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
        .with(doc! { "$set": { "name": "x", "cost": 1.0, "price": 1.0 } })
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
        let addresses = (0..count).map(Address::number);
        Person::update(&odm, person.id).push_all(Person::fields().addresses, addresses)
    };
    assert_eq!(push(2).await.unwrap().modified, 1);
    assert!(matches!(
        push(2).await.unwrap_err(),
        Error::BoundExceeded { max: 3, .. }
    ));
    let set = Person::update(&odm, person.id);
    let set = set.add_to_set(Person::fields().addresses, Address::number(9));
    assert!(matches!(set.await.unwrap_err(), Error::NoTransactions));
    let stored = Person::get(&odm, person.id).await.unwrap();
    assert_eq!(stored.addresses.len(), 2);
}
