//! Hooks of documents that are deleted.

use super::*;

/// A document that is deleted by a cascade from its writer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_letters", hooks)]
struct Letter {
    #[serde(rename = "_id")]
    id: Id<Letter, i64>,
    #[parent_ref(on_delete = "cascade")]
    writer: Id<Writer, i64>,
    #[parent_ref(on_delete = "cascade")]
    answer_to: Option<Id<Letter, i64>>,
    text: String,
}

/// A document without hooks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_writers")]
struct Writer {
    #[serde(rename = "_id")]
    id: Id<Writer, i64>,
}

/// A document that is marked as deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_papers", hooks)]
struct Paper {
    #[serde(rename = "_id")]
    id: Id<Paper, i64>,
    #[deleted_at]
    deleted: Option<DateTime>,
}

impl Hooks for Letter {
    async fn before_delete(&self, tx: &Tx) -> mongo_odm::Result<()> {
        record(format!("delete {}", self.id.key()), tx).await?;
        match self.text.as_str() {
            "refused" => Err(Refused(self.text.clone()).into()),
            _ => Ok(()),
        }
    }

    async fn after_commit(&self, write: Committed, odm: &Odm) -> mongo_odm::Result<()> {
        called(format!("{write:?} {}", self.text), odm).await
    }
}

impl Hooks for Paper {
    async fn before_delete(&self, tx: &Tx) -> mongo_odm::Result<()> {
        record(format!("delete {}", self.id.key()), tx).await
    }
}

/// Stores a writer with letters that have the given texts. Each letter but the first answers the previous one.
async fn with_letters(test: &str, texts: &[&str]) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Letter>().only::<Writer>();
    sync.only::<Paper>().await.unwrap();
    t.given(&[Writer { id: id(1) }]).await;
    let letters = texts.iter().zip(1..).map(|(text, number)| Letter {
        id: id(number),
        writer: id(1),
        answer_to: (number > 1).then(|| id(number - 1)),
        text: (*text).to_owned(),
    });
    let letters: Vec<Letter> = letters.collect();
    let insert = Letter::insert_many(&t.odm, &letters).without_hooks();
    insert.await.unwrap();
    t
}

async fn letters(t: &Harness) -> u64 {
    Letter::count(&t.odm).await.unwrap()
}

#[tokio::test]
async fn a_delete_calls_the_hook_of_each_document_and_of_its_children() {
    let t = with_letters("hooks_delete", &["a", "b", "c"]).await;
    let report = Letter::delete(&t.odm, id(3)).await.unwrap();
    assert_eq!(report.deleted, 1);
    assert_eq!(events(&t).await, ["delete 3"]);
    assert_eq!(calls(&t).await, ["delete 3", "Deleted c"]);
    // The writer does not have hooks, but its letters do.
    Writer::delete(&t.odm, id(1)).await.unwrap();
    assert_eq!(letters(&t).await, 0);
    assert_eq!(events(&t).await, ["delete 1", "delete 2"]);
    let expected = ["delete 1", "delete 2", "Deleted a", "Deleted b"];
    assert_eq!(calls(&t).await, expected);
}

#[tokio::test]
async fn a_failing_hook_prevents_the_delete_of_all_documents() {
    let t = with_letters("hooks_delete_refused", &["a", "refused", "c"]).await;
    for error in [
        Writer::delete(&t.odm, id(1)).await.unwrap_err(),
        Letter::delete(&t.odm, id(1)).await.unwrap_err(),
        Letter::delete_many(&t.odm, Filter::all())
            .everything()
            .await
            .unwrap_err(),
    ] {
        assert!(matches!(
            error,
            Error::Hook {
                hook: "before_delete",
                ..
            }
        ));
        assert_eq!(error.get_custom(), Some(&Refused("refused".into())));
    }
    assert_eq!(letters(&t).await, 3);
    assert_eq!(events(&t).await, [""; 0]);
    assert!(
        calls(&t)
            .await
            .iter()
            .all(|call| call.starts_with("delete"))
    );
    let delete = Letter::delete_many(&t.odm, Letter::fields().id.eq(id(3)));
    assert_eq!(delete.await.unwrap().deleted, 1);
    assert_eq!(calls(&t).await, ["delete 3", "Deleted c"]);
    let delete = Writer::delete(&t.odm, id(1)).without_hooks();
    delete.await.unwrap();
    assert_eq!((letters(&t).await, calls(&t).await.len()), (0, 0));
}

#[tokio::test]
async fn a_cascade_that_needs_jobs_is_rejected() {
    let t = with_letters("hooks_delete_jobs", &["a", "b", "c"]).await;
    let odm = t
        .odm
        .with_settings(t.odm.settings().clone().inline_copies(1));
    for error in [
        Writer::delete(&odm, id(1)).await.unwrap_err(),
        Writer::delete(&t.odm, id(1)).deferred().await.unwrap_err(),
    ] {
        assert_eq!(error.code(), "odm.invalid");
        let message = error.to_string();
        assert!(
            message.contains("`Writer` would leave the documents of `Letter`"),
            "{message}"
        );
        assert!(message.contains("`.without_hooks()`"), "{message}");
    }
    assert_eq!((letters(&t).await, calls(&t).await.len()), (3, 0));
    Writer::delete(&odm, id(1)).atomic().await.unwrap();
    assert_eq!((letters(&t).await, events(&t).await.len()), (0, 3));
}

#[tokio::test]
async fn a_soft_delete_and_a_purge_call_the_hook_and_a_restore_does_not() {
    let t = with_letters("hooks_soft_delete", &[]).await;
    let paper = Paper {
        id: id(1),
        deleted: None,
    };
    paper.insert(&t.odm).await.unwrap();
    Paper::delete(&t.odm, id(1)).await.unwrap();
    assert_eq!(Paper::count(&t.odm).await.unwrap(), 0);
    assert_eq!(calls(&t).await, ["delete 1"]);
    Paper::restore(&t.odm, id(1)).await.unwrap();
    assert_eq!(Paper::count(&t.odm).await.unwrap(), 1);
    assert_eq!(calls(&t).await, [""; 0]);
    Paper::purge(&t.odm, id(1)).await.unwrap();
    assert_eq!(calls(&t).await, ["delete 1"]);
}
