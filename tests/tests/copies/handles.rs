//! Handles that have their own read preference, read concern or write concern.

use mongo_odm::{
    Settle,
    bson::Document,
    mongodb::options::{ReadConcern, ReadPreference, WriteConcern},
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "handles_authors", has_many(books = "Book.author"))]
struct Author {
    #[serde(rename = "_id")]
    id: Id<Author, i64>,
    name: String,
    #[rollup(count, of = Book, via = author)]
    books: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "handles_books")]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book, i64>,
    #[parent_ref(on_delete = "cascade", exists)]
    author: Id<Author, i64>,
    #[denorm(from = Author.name)]
    author_name: String,
    #[embed(max = 2)]
    pages: Vec<i64>,
    #[version]
    version: i64,
}

fn key<M>(number: i64) -> Id<M, i64> {
    Id::from_key(number)
}

fn book(number: i64) -> Book {
    Book {
        id: key(number),
        author: key(1),
        author_name: String::new(),
        pages: vec![1],
        version: 0,
    }
}

async fn opened(test: &str) -> Harness {
    let t = empty(test).await;
    let author = Author {
        id: key(1),
        name: "Tove".into(),
        books: 0,
    };
    t.odm
        .sync_indexes()
        .only::<Author>()
        .only::<Book>()
        .await
        .unwrap();
    author.insert(&t.odm).await.unwrap();
    t.forget();
    t
}

fn secondaries(odm: &Odm) -> Odm {
    let options = None;
    odm.with_read_preference(ReadPreference::SecondaryPreferred { options })
}

/// Returns the commands that the driver did not address to the primary.
fn elsewhere(t: &Harness) -> Vec<String> {
    let commands = t.recorder().commands().into_iter();
    let is_elsewhere = |command: &Document| {
        let preference = command.get_document("$readPreference");
        preference.is_ok_and(|it| !matches!(it.get_str("mode"), Ok("primary")))
    };
    let commands = commands.filter(|it| is_elsewhere(&it.command));
    commands.map(|it| it.name).collect()
}

/// Calls every kind of write, runs the deferred jobs, and then calls `verify` and `repair`.
async fn write_everything(odm: &Odm) {
    let fields = Book::fields();
    let settings = odm.settings().clone().inline_copies(1);
    let settings = settings.settle(Settle::Manual);
    let odm = &odm.with_settings(settings);
    book(1).insert(odm).await.unwrap();
    Book::insert_many(odm, &[2, 3, 4].map(book)).await.unwrap();
    let loaded = book(1).insert(odm).await.unwrap_err();
    assert!(loaded.is_duplicate_key());
    Book::update(odm, key(1))
        .push(fields.pages, 2)
        .await
        .unwrap();
    Book::update(odm, key(1))
        .push(fields.pages, 3)
        .await
        .unwrap_err();
    Book::update(odm, key(1))
        .add_to_set(fields.pages, 2)
        .await
        .unwrap();
    Book::update_many(odm, fields.id.gt(key(0)))
        .set(fields.pages, vec![7])
        .await
        .unwrap();
    book(2).save(odm).await.unwrap_err();
    let found = Book::find_one_and_update(odm, fields.id.eq(key(2)));
    found.set(fields.pages, vec![8]).await.unwrap();
    let upsert = Book::upsert(odm, fields.id.eq(key(5)));
    upsert
        .set(fields.author, key::<Author>(1))
        .set(fields.pages, vec![1])
        .await
        .unwrap();
    Author::update(odm, key(1))
        .set(Author::fields().name, "T. Jansson")
        .await
        .unwrap();
    odm.run_pending_jobs().await.unwrap();
    odm.verify().repair().await.unwrap();
    Author::delete(odm, key(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(
        Book::count(odm)
            .read_preference(ReadPreference::Primary)
            .await
            .unwrap(),
        0
    );
}

#[tokio::test]
async fn only_reads_of_the_application_use_the_read_preference() {
    let t = opened("handles_preference").await;
    let odm = secondaries(&t.odm);
    write_everything(&odm).await;
    assert_eq!(elsewhere(&t), [""; 0]);
    let author = Author::find_one(&odm).filter(Author::fields().id.eq(key(1)));
    assert_eq!(author.await.unwrap(), None);
    assert_eq!(elsewhere(&t), ["find"]);
    t.forget();
    Author::join_books(&[], &odm).await.unwrap();
    let author = Author {
        id: key(1),
        name: String::new(),
        books: 0,
    };
    author.load_books(&odm).await.unwrap();
    author.count_books(&odm).await.unwrap();
    Author::count(&odm).await.unwrap();
    Author::find(&odm).page(2).await.unwrap();
    assert_eq!(elsewhere(&t).len(), 4, "{:?}", elsewhere(&t));
    t.forget();
    let primary = Author::find(&odm).read_preference(ReadPreference::Primary);
    primary.await.unwrap();
    Author::count(&t.odm).await.unwrap();
    odm.transaction(async |tx| Author::count(&tx).await)
        .await
        .unwrap();
    assert_eq!(elsewhere(&t), [""; 0]);
}

#[tokio::test]
async fn a_driver_handle_that_reads_secondaries_does_not_affect_writes() {
    let t = opened("handles_driver").await;
    let options = secondaries(&t.odm);
    let odm = Odm::new(options.database().clone());
    write_everything(&odm).await;
    assert_eq!(elsewhere(&t), [""; 0]);
    Author::find(&odm).await.unwrap();
    assert_eq!(elsewhere(&t), ["find"]);
}

#[tokio::test]
async fn concerns_of_a_handle_are_sent_and_those_of_a_call_take_precedence() {
    let t = opened("handles_concerns").await;
    let odm = t.odm.with_read_concern(ReadConcern::majority());
    let odm = odm.with_write_concern(WriteConcern::builder().journal(true).build());
    let odm = odm.acting_as("someone");
    let last = |name: &str| {
        let mut commands = t.recorder().commands().into_iter();
        commands.rfind(|it| it.name == name).unwrap().command
    };
    Author::find(&odm).await.unwrap();
    assert_eq!(
        last("find").get_document("readConcern").unwrap(),
        &doc! { "level": "majority" }
    );
    Author::find(&odm)
        .read_concern(ReadConcern::local())
        .await
        .unwrap();
    assert_eq!(
        last("find").get_document("readConcern").unwrap(),
        &doc! { "level": "local" }
    );
    Book::delete_many(&odm, Book::fields().version.gt(7))
        .await
        .unwrap();
    let plain = |odm: &Odm| Book::update(odm, key(9)).set(Book::fields().pages, vec![]);
    plain(&odm).await.unwrap();
    assert_eq!(
        last("update").get_document("writeConcern").unwrap(),
        &doc! { "j": true }
    );
    plain(&odm)
        .write_concern(WriteConcern::majority())
        .await
        .unwrap();
    assert_eq!(
        last("update").get_document("writeConcern").unwrap(),
        &doc! { "w": "majority" }
    );
    plain(&t.odm).await.unwrap();
    assert!(!last("update").contains_key("writeConcern"));
    // In a transaction, only the `commitTransaction` command contains a write concern.
    book(1).insert(&odm).await.unwrap();
    assert!(!last("insert").contains_key("writeConcern"));
}
