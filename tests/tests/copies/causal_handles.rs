//! Causally consistent handles. Each read contains the operation time of the latest statement.

use std::{sync::Arc, time::Duration};

use futures_util::StreamExt;
use mongo_odm::{
    Error,
    bson::{Document, Timestamp},
    mongodb::{
        Client,
        options::{ReadPreference, WriteConcern},
    },
    prelude::*,
};
use mongo_odm_testkit::{Server, TestDb, Topology};
use odm_tests::Harness;
use tokio::sync::Notify;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "causal_authors", has_many(books = "Book.author"))]
struct Author {
    #[serde(rename = "_id")]
    id: Id<Author, i64>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "causal_books")]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book, i64>,
    #[parent_ref]
    author: Id<Author, i64>,
    #[denorm(from = Author.name)]
    author_name: String,
}

/// A model without derived data. Its writes need no transaction, so they can be acknowledged before a majority has
/// them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "causal_notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note, i64>,
}

fn note(id: i64) -> Note {
    Note {
        id: Id::from_key(id),
    }
}

fn author(id: i64) -> Author {
    Author {
        id: Id::from_key(id),
        name: format!("author {id}"),
    }
}

fn book(id: i64, author: i64) -> Book {
    Book {
        id: Id::from_key(id),
        author: Id::from_key(author),
        author_name: String::new(),
    }
}

async fn opened(test: &str) -> Harness {
    let t = empty(test).await;
    let indexes = t.odm.sync_indexes().only::<Author>().only::<Book>();
    indexes.await.unwrap();
    t
}

/// Returns the time after which a command reads.
fn after(command: &Document) -> Option<Timestamp> {
    let concern = command.get_document("readConcern").ok()?;
    concern.get_timestamp("afterClusterTime").ok()
}

/// Returns the name and the time of each command since the last call.
fn times(t: &Harness) -> Vec<(String, Option<Timestamp>)> {
    let sent = t.recorder().commands().into_iter();
    let sent = sent.map(|it| (it.name, after(&it.command))).collect();
    t.forget();
    sent
}

#[tokio::test]
async fn each_read_waits_for_the_writes_of_the_handle() {
    let t = opened("causal_reads").await;
    let odm = t.odm.causal();
    times(&t);
    Author::count(&odm).await.unwrap();
    assert_eq!(times(&t), [("aggregate".to_owned(), None)]);
    let mut last = Timestamp {
        time: 0,
        increment: 0,
    };
    for id in 0..3 {
        author(id).insert(&odm).await.unwrap();
        times(&t);
        let clone = odm.clone();
        let all = Author::find(&clone).await.unwrap();
        Author::get(&clone, Id::from_key(id)).await.unwrap();
        Author::count(&clone).await.unwrap();
        Author::distinct(&clone, Author::fields().name)
            .await
            .unwrap();
        Author::join_books(&all, &clone).await.unwrap();
        let sent = times(&t);
        let names: Vec<&str> = sent.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["find", "find", "aggregate", "distinct", "find"]);
        let seen: Vec<Timestamp> = sent.iter().map(|(_, time)| time.unwrap()).collect();
        assert!(seen.is_sorted(), "{seen:?}");
        assert!(seen[0] > last, "{seen:?} {last:?}");
        last = seen[4];
    }
    // The handle from which it was created has no time.
    Author::find(&t.odm).await.unwrap();
    assert_eq!(times(&t), [("find".to_owned(), None)]);
}

#[tokio::test]
async fn a_transaction_continues_the_time_and_advances_it() {
    let t = opened("causal_transaction").await;
    let odm = t.odm.causal();
    author(1).insert(&odm).await.unwrap();
    times(&t);
    odm.transaction(async |tx| {
        Author::get(&tx, Id::from_key(1)).await?;
        author(2).insert(&tx).await.map(drop)
    })
    .await
    .unwrap();
    let sent = times(&t);
    let begun = sent[0].1.unwrap();
    Author::find(&odm).await.unwrap();
    let found = times(&t)[0].1.unwrap();
    assert!(found > begun, "{found:?} {begun:?}");
    // A write with derived data is such a transaction.
    book(1, 1).insert(&odm).await.unwrap();
    times(&t);
    Book::find(&odm).await.unwrap();
    assert!(times(&t)[0].1.unwrap() > found);
}

/// Returns the time after which the next read of a handle reads.
async fn next_time(t: &Harness, odm: &Odm) -> Timestamp {
    times(t);
    Author::find(odm).await.unwrap();
    let sent = times(t).into_iter();
    let mut found = sent.filter(|(name, _)| name == "find");
    found.next().and_then(|(_, time)| time).unwrap()
}

#[tokio::test]
async fn a_transaction_that_is_rolled_back_advances_the_time() {
    let t = opened("causal_rolled_back").await;
    let other = t.odm.causal();
    let (id, name) = (author(1).id, Author::fields().name);
    author(1).insert(&other).await.unwrap();
    for way in ["failed", "dropped", "dry run"] {
        let odm = t.odm.causal();
        let update = Author::update(&other, id).set(name, way);
        update.await.unwrap();
        let written = next_time(&t, &other).await;
        match way {
            "failed" => {
                let failed = odm.transaction(async |tx| {
                    Author::get(&tx, id).await?;
                    Err::<(), _>(Error::custom(std::io::Error::other("refused")))
                });
                failed.await.unwrap_err();
            }
            "dropped" => {
                let has_read = Notify::new();
                let waiting = odm.transaction(async |tx| {
                    Author::get(&tx, id).await?;
                    has_read.notify_one();
                    std::future::pending::<mongo_odm::Result<()>>().await
                });
                tokio::select! {
                    done = waiting => panic!("{done:?}"),
                    () = has_read.notified() => {}
                }
            }
            _ => {
                let update = Author::update(&odm, id).set(name, "new");
                update.dry_run().await.unwrap();
            }
        }
        let read = next_time(&t, &odm).await;
        assert!(read >= written, "{way}: {read:?} {written:?}");
    }
}

/// The batches of a cursor stay in its session, and several cursors of a handle are open at the same time.
#[tokio::test]
async fn cursors_of_one_handle_are_read_side_by_side() {
    let t = opened("causal_cursors").await;
    let odm = t.odm.causal();
    let authors: Vec<Author> = (0..250).map(author).collect();
    Author::insert_many(&odm, &authors).await.unwrap();
    let stream = || Author::find(&odm).sort(Author::fields().id.asc()).stream();
    let (mut one, mut two) = (Box::pin(stream()), Box::pin(stream()));
    let mut read = 0;
    while let Some(found) = one.next().await {
        assert_eq!(found.unwrap(), two.next().await.unwrap().unwrap());
        Author::update(&odm, Id::from_key(read))
            .set(Author::fields().name, "read")
            .await
            .unwrap();
        read += 1;
    }
    assert!(two.next().await.is_none());
    assert_eq!(read, 250);
    // An unfinished cursor is closed with its session.
    let mut unfinished = Box::pin(stream());
    unfinished.next().await.unwrap().unwrap();
    drop(unfinished);
    let found = Author::find(&odm)
        .filter(Author::fields().name.eq("read"))
        .await
        .unwrap();
    assert_eq!(found.len(), 250);
}

/// Returns the `admin` database of the secondary of a replica set with two nodes.
async fn secondary(server: &Server) -> mongo_odm::mongodb::Database {
    let primary = server.primary().await.unwrap();
    let (_, hosts) = server.uri().split_once("://").unwrap();
    let hosts = hosts.split('/').next().unwrap();
    let host = hosts.split(',').nth(1 - primary).unwrap();
    let uri = format!("mongodb://{host}/?directConnection=true");
    Client::with_uri_str(uri).await.unwrap().database("admin")
}

#[tokio::test]
async fn a_secondary_that_lags_behind_is_waited_for() {
    let two = Server::builder().private().test_commands(true);
    let two = two.topology(Topology::ReplicaSet { nodes: 2 });
    let server = Arc::new(two.start().await.unwrap());
    let database = TestDb::builder("causal_secondary").server(Arc::clone(&server));
    let database = database.open().await.unwrap();
    let plain = Odm::new(database.database()).with_settings(settings());
    note(1).insert(&plain).await.unwrap();
    let admin = secondary(&server).await;
    let stop = async |mode: &str| {
        let stop = doc! { "configureFailPoint": "stopReplProducer", "mode": mode };
        admin.run_command(stop).await.unwrap();
    };
    stop("alwaysOn").await;
    let plain = plain.with_write_concern(WriteConcern::nodes(1));
    let plain = plain.with_read_preference(ReadPreference::Secondary { options: None });
    let causal = plain.causal();
    note(2).insert(&causal).await.unwrap();
    let find = |odm: &Odm| Note::find(odm).filter(Note::fields().id.eq(Id::from_key(2)));
    assert_eq!(find(&plain).await.unwrap(), []);
    let waited = find(&causal).max_time(Duration::from_millis(300)).await;
    assert_eq!(waited.unwrap_err().server_code(), Some(50));
    let reading = tokio::spawn(find(&causal).into_future());
    stop("off").await;
    assert_eq!(reading.await.unwrap().unwrap(), [note(2)]);
}
