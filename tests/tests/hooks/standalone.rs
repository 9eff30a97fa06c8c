//! A server without transactions: writes with hooks, and writes that check a bound after the update, are rejected.

use std::sync::Arc;

use mongo_odm_testkit::{Server, TestDb, Topology};

use super::*;

#[tokio::test]
async fn a_standalone_server_rejects_hooks_and_bounds_that_need_transactions() {
    let server = Server::builder().private().topology(Topology::Standalone);
    let server = Arc::new(server.start().await.unwrap());
    let database = TestDb::builder("hooks_standalone").server(server);
    let database = database.open().await.unwrap();
    let odm = &Odm::new(database.database());
    odm.sync_indexes()
        .only::<Task>()
        .only::<Person>()
        .await
        .unwrap();
    let ann = Person {
        id: id(1),
        name: "ann".to_owned(),
        count: 0,
        last: None,
    };
    ann.insert(odm).await.unwrap();
    let one = task(1, "one");
    one.insert(odm).without_hooks().await.unwrap();
    let stored = Task::get(odm, id(1)).await.unwrap();

    let mut rejected = with_hooks(odm, &stored).await;
    rejected.extend(with_bounds(odm).await);
    for (call, error) in rejected {
        assert!(
            matches!(error, Some(Error::NoTransactions)),
            "{call}: {error:?}"
        );
    }
    assert_eq!(Task::find(odm).await.unwrap(), [stored]);
    assert_eq!(Call::count(odm).await.unwrap(), 0);

    // Without a bound and hooks, the copy is written without a transaction.
    let fields = Task::fields();
    let upsert = Task::upsert(odm, fields.id.eq(id(2)))
        .set(fields.title, "two")
        .set(fields.owner, Some(id(1)))
        .without_hooks();
    upsert.await.unwrap();
    let two = Task::get(odm, id(2)).await.unwrap();
    assert_eq!(two.owner_name.as_deref(), Some("ann"));
    database.close().await.unwrap();
}

/// The name and the error of a call.
type Rejected = (&'static str, Option<Error>);

/// Calls each write that has hooks.
async fn with_hooks(odm: &Odm, stored: &Task) -> Vec<Rejected> {
    let fields = Task::fields();
    let new = task(2, "two");
    let by_id = |number| fields.id.eq(id(number));
    let in_transaction = odm.transaction(async |tx| new.insert(&tx).await);
    vec![
        ("transaction", in_transaction.await.err()),
        ("dry run", new.insert(odm).dry_run().await.err()),
        ("insert", new.insert(odm).await.err()),
        (
            "insert_many",
            Task::insert_many(odm, [&new]).await.map(drop).err(),
        ),
        ("save", stored.save(odm).await.err()),
        (
            "update",
            Task::update(odm, id(1))
                .set(fields.title, "new")
                .await
                .err(),
        ),
        (
            "update_many",
            Task::update_many(odm, by_id(1))
                .set(fields.title, "new")
                .await
                .err(),
        ),
        (
            "upsert",
            Task::upsert(odm, by_id(2))
                .set(fields.title, "new")
                .await
                .err(),
        ),
        (
            "find_one_and_update",
            Task::find_one_and_update(odm, by_id(1))
                .set(fields.title, "new")
                .await
                .err(),
        ),
    ]
}

/// Calls each write that checks a bound after the update.
async fn with_bounds(odm: &Odm) -> Vec<Rejected> {
    let fields = Task::fields();
    let by_id = |number| fields.id.eq(id(number));
    let note = Note { text: "a".into() };
    vec![
        (
            "bounded update",
            Task::update(odm, id(1))
                .add_to_set(fields.notes, note.clone())
                .without_hooks()
                .await
                .err(),
        ),
        (
            "bounded update with a copy",
            Task::update(odm, id(1))
                .set(fields.owner, Some(id(1)))
                .add_to_set(fields.notes, note.clone())
                .without_hooks()
                .await
                .err(),
        ),
        (
            "bounded find_one_and_update with a copy",
            Task::find_one_and_update(odm, by_id(1))
                .set(fields.owner, Some(id(1)))
                .add_to_set(fields.notes, note.clone())
                .without_hooks()
                .await
                .err(),
        ),
        (
            "bounded upsert",
            Task::upsert(odm, by_id(2))
                .set(fields.title, "new")
                .add_to_set(fields.notes, note)
                .without_hooks()
                .await
                .err(),
        ),
    ]
}
