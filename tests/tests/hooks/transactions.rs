//! Hooks in transactions: retries, transactions of the application, dropped callers, and writes inside hooks.

use super::*;

#[tokio::test]
async fn a_retried_transaction_calls_the_hook_again_with_the_original_document() {
    let t = database("hooks_retry").await;
    task(1, "busy").insert(&t.odm).await.unwrap();
    assert_eq!(get(&t, 1).await.slug, "busy-new");
    assert_eq!(events(&t).await, ["insert 1"]);
    assert_eq!(
        calls(&t).await,
        ["insert 1", "insert 1", "Inserted 1 as busy-new"]
    );
    let reset = Person::update(&t.odm, id(1)).set(Person::fields().name, "ann");
    reset.await.unwrap();
    let update = Task::update(&t.odm, id(1)).set(Task::fields().title, "busy");
    update.await.unwrap();
    assert_eq!(events(&t).await, ["update 1 of busy"]);
    let expected = [
        "update 1 of busy",
        "update 1 of busy",
        "Updated 1 as busy-1",
    ];
    assert_eq!(calls(&t).await, expected);
    assert_eq!(get(&t, 1).await.version, 2);
}

#[tokio::test]
async fn hooks_run_in_the_transaction_of_the_application() {
    let t = with_tasks("hooks_application", &["one"]).await;
    let run = t.odm.transaction(async |tx| {
        task(2, "two").insert(&tx).await?;
        Task::update(&tx, id(1))
            .set(Task::fields().title, "new")
            .await?;
        // The hooks have written in the same transaction.
        assert_eq!(Event::count(&tx).await?, 2);
        assert_eq!(Event::count(tx.odm()).await?, 0);
        let committed = Call::find(tx.odm()).await?;
        assert!(committed.iter().all(|call| !call.text.contains("ed ")));
        Ok(())
    });
    run.await.unwrap();
    assert_eq!(events(&t).await, ["insert 2", "update 1 of one"]);
    let expected = [
        "insert 2",
        "update 1 of one",
        "Inserted 2 as two-new",
        "Updated 1 as new-1",
    ];
    assert_eq!(calls(&t).await, expected);
    let run = t.odm.transaction(async |tx| {
        task(3, "three").insert(&tx).await?;
        Err::<(), _>(Error::custom(Refused("the application".into())))
    });
    run.await.unwrap_err();
    assert_eq!(calls(&t).await, ["insert 3"]);
    assert_eq!(events(&t).await, [""; 0]);
}

#[tokio::test]
async fn a_failing_hook_ends_the_transaction_of_the_application() {
    let t = database("hooks_poison").await;
    let run = t.odm.transaction(async |tx| {
        task(1, "one").insert(&tx).await?;
        let refused = task(2, "refused").insert(&tx).await;
        assert_refused(&refused.unwrap_err(), "before_insert");
        // The closure ignores the error.
        Ok(())
    });
    assert_eq!(run.await.unwrap_err().code(), "odm.transaction_poisoned");
    assert!(stored(&t).await.is_empty());
    assert_eq!(calls(&t).await, ["insert 1", "insert 2"]);
}

#[tokio::test]
async fn a_dropped_caller_does_not_interrupt_a_hook() {
    let t = database("hooks_dropped").await;
    let slow = task(1, "slow");
    let dropped = tokio::time::timeout(Duration::from_millis(100), slow.insert(&t.odm));
    dropped.await.unwrap_err();
    t.odm.finish_writes().await;
    assert_eq!(get(&t, 1).await.slug, "slow-new");
    assert_eq!(calls(&t).await, ["insert 1", "Inserted 1 as slow-new"]);
}

#[tokio::test]
async fn an_error_after_the_commit_does_not_change_the_result() {
    let t = database("hooks_after_commit").await;
    for (number, title) in [(1, "failing"), (2, "panicking")] {
        assert_eq!(
            task(number, title).insert(&t.odm).await.unwrap().inserted,
            1
        );
    }
    let run = t.odm.transaction(async |tx| {
        task(3, "panicking").insert(&tx).await?;
        task(4, "four").insert(&tx).await?;
        Ok(())
    });
    run.await.unwrap();
    let called = calls(&t).await;
    assert_eq!(
        called
            .iter()
            .filter(|call| call.starts_with("Inserted"))
            .count(),
        4
    );
    assert_eq!(stored(&t).await.len(), 4);
}

#[tokio::test]
async fn a_hook_that_writes_its_own_document_again_and_again_is_an_error() {
    let t = database("hooks_recursion").await;
    let error = task(1, "again").insert(&t.odm).await.unwrap_err();
    assert!(
        error.to_string().contains("inside eight other hooks"),
        "{error}"
    );
    assert_eq!(error.code(), "odm.invalid");
    assert_eq!(calls(&t).await.len(), 8);
    assert!(stored(&t).await.is_empty() && events(&t).await.is_empty());
}

#[tokio::test]
async fn a_dry_run_calls_hooks_and_rolls_their_writes_back() {
    let t = with_tasks("hooks_dry_run", &["one"]).await;
    task(2, "two").insert(&t.odm).dry_run().await.unwrap();
    let update = Task::update(&t.odm, id(1)).set(Task::fields().title, "new");
    assert_eq!(update.dry_run().await.unwrap().modified, 1);
    assert_eq!(stored(&t).await.len(), 1);
    assert_eq!(events(&t).await, [""; 0]);
    assert_eq!(calls(&t).await, ["insert 2", "update 1 of one"]);
}

/// A document whose hook writes to a log with driver code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_entries", hooks)]
struct Entry {
    #[serde(rename = "_id")]
    id: Id<Entry, i64>,
    text: String,
    #[embed(max = 1)]
    notes: Vec<Note>,
    #[version]
    #[serde(default)]
    version: i64,
}

impl Hooks for Entry {
    async fn before_update(&self, _: &mut Update<Self>, tx: &Tx) -> mongo_odm::Result<()> {
        let changed = doc! { "changed": self.id.into_key() };
        tx.run(move |database, session| {
            let log = database.collection("hook_log");
            Box::pin(async move { log.insert_one(changed).session(session).await })
        })
        .await?;
        Ok(())
    }
}

#[tokio::test]
async fn driver_code_of_a_hook_is_not_committed_without_its_write() {
    let t = empty("hooks_driver_code").await;
    t.create_on_cluster(&["hook_log"]).await;
    t.odm.sync_indexes().await.unwrap();
    let note = || Note { text: "a".into() };
    let entry = Entry {
        id: id(1),
        text: "one".into(),
        notes: vec![note()],
        version: 0,
    };
    entry.insert(&t.odm).await.unwrap();
    let log = t.database().collection("hook_log");
    let logged = async || log.count_documents(doc! {}).await.unwrap();
    let old = Entry::get(&t.odm, entry.id).await.unwrap();
    let fields = Entry::fields();
    let update = Entry::update(&t.odm, entry.id).set(fields.text, "two");
    update.await.unwrap();
    assert_eq!(logged().await, 1);

    let run = t.odm.transaction(async |tx| {
        let conflict = old.save(&tx).await.unwrap_err();
        assert_eq!(conflict.code(), "odm.conflict");
        // The closure ignores the error.
        Ok(())
    });
    assert_eq!(run.await.unwrap_err().code(), "odm.transaction_poisoned");
    let run = t.odm.transaction(async |tx| {
        let push = Entry::update(&tx, entry.id).push(fields.notes, note());
        let full = push.await.unwrap_err();
        assert_eq!(full.code(), "odm.bound_exceeded");
        Ok(())
    });
    assert_eq!(run.await.unwrap_err().code(), "odm.transaction_poisoned");
    assert_eq!(logged().await, 1);

    let run = t.odm.transaction(async |tx| {
        let update = Entry::update(&tx, entry.id).set(fields.text, "three");
        update.await.map(drop)
    });
    run.await.unwrap();
    assert_eq!(logged().await, 2);
}
