//! Change streams that leave out the library's writes of copies and summaries.

use mongo_odm::{action::DocumentChange, prelude::*};
use odm_tests::Harness;

use super::next;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_authors", pre_images)]
struct Author {
    #[serde(rename = "_id")]
    id: Id<Author, i64>,
    name: String,
    #[rollup(count, of = "Book", via = "author")]
    books: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Reader {
    #[refs(one)]
    id: Id<Author, i64>,
    #[denorm(from = "Author.name")]
    name: String,
    stars: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_books", pre_images)]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book, i64>,
    title: String,
    #[parent_ref]
    author: Id<Author, i64>,
    #[denorm(from = "Author.name", via = "author")]
    author_name: String,
    #[embed(max = 10)]
    readers: Vec<Reader>,
}

fn author(id: i64, name: &str) -> Author {
    Author {
        id: Id::from_key(id),
        name: name.to_owned(),
        books: 0,
    }
}

#[tokio::test]
async fn changes_of_copies_and_summaries_can_be_left_out() {
    let t = Harness::new("watch_own_fields").await;
    t.odm
        .sync_indexes()
        .only::<Book>()
        .only::<Author>()
        .await
        .unwrap();
    for (id, name) in [(1, "Tove"), (2, "Selma")] {
        author(id, name).insert(&t.odm).await.unwrap();
    }
    let mut all = Book::watch(&t.odm).await.unwrap();
    let mut own = Book::watch(&t.odm).own_fields().await.unwrap();
    let mut authors = Author::watch(&t.odm).own_fields().await.unwrap();
    let reader = |id: i64| Reader {
        id: Id::from_key(id),
        name: String::new(),
        stars: 3,
    };
    let book = Book {
        id: Id::from_key(1),
        title: "Fair Play".to_owned(),
        author: Id::from_key(1),
        author_name: String::new(),
        readers: vec![reader(2), reader(1)],
    };
    // This insert also changes the summary in the author.
    book.insert(&t.odm).await.unwrap();
    // Both updates change copies in the book.
    for (id, name) in [(1, "T. Jansson"), (2, "S. Lagerlöf")] {
        Author::update(&t.odm, Id::from_key(id))
            .set(Author::fields().name, name)
            .await
            .unwrap();
    }
    let fields = Book::fields();
    Book::update(&t.odm, book.id)
        .set(fields.readers.at::<0>().stars, 5)
        .await
        .unwrap();

    for stream in [&mut all, &mut own] {
        let inserted = next(stream).await.change;
        assert!(
            matches!(inserted, DocumentChange::Inserted(_)),
            "{inserted:?}"
        );
    }
    for copy in ["author_name", "readers.1.name", "readers.0.name"] {
        let DocumentChange::Updated { changes, .. } = next(&mut all).await.change else {
            panic!("the copy at `{copy}` is updated");
        };
        let paths: Vec<&str> = changes.paths().collect();
        assert!(paths.iter().all(|path| path.ends_with("name")), "{paths:?}");
        if copy == "readers.0.name" {
            assert_eq!(paths, [copy]);
        }
        if paths.len() == 2 {
            break;
        }
    }
    let DocumentChange::Updated { changes, .. } = next(&mut own).await.change else {
        panic!("the stars are updated");
    };
    assert_eq!(changes.paths().collect::<Vec<_>>(), ["readers.0.stars"]);
    for name in ["T. Jansson", "S. Lagerlöf"] {
        let renamed = next(&mut authors).await.change;
        assert_eq!(renamed.document().map(|it| it.name.as_str()), Some(name));
        let DocumentChange::Updated { changes, .. } = renamed else {
            panic!("{renamed:?}");
        };
        assert!(changes.is_changed(Author::fields().name));
    }
}

#[tokio::test]
async fn a_logged_replacement_of_copies_is_left_out_with_pre_images() {
    let t = Harness::new("watch_own_replaced").await;
    t.odm.sync_indexes().only::<Book>().await.unwrap();
    author(1, "Tove").insert(&t.odm).await.unwrap();
    let book = Book {
        id: Id::from_key(1),
        title: "Fair Play".to_owned(),
        author: Id::from_key(1),
        author_name: String::new(),
        readers: Vec::new(),
    };
    book.insert(&t.odm).await.unwrap();
    let mut changes = Book::watch(&t.odm)
        .with_before()
        .own_fields()
        .await
        .unwrap();
    let collection = t.odm.collection::<Book>();
    let replaced = |title: &str, author_name: &str| Book {
        title: title.to_owned(),
        author_name: author_name.to_owned(),
        ..book.clone()
    };
    for new in [replaced("Fair Play", "other"), replaced("Summer", "other")] {
        collection
            .replace_one(doc! { "_id": 1 }, new)
            .await
            .unwrap();
    }
    let event = next(&mut changes).await.change;
    assert_eq!(event.document().map(|it| it.title.as_str()), Some("Summer"));
}

#[tokio::test]
async fn an_upserted_document_is_an_insert_with_its_copies() {
    let t = Harness::new("watch_upserts").await;
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<Book>().only::<Author>();
    sync.await.unwrap();
    let mut books = Book::watch(odm).own_fields().await.unwrap();
    let mut authors = Author::watch(odm).own_fields().await.unwrap();
    let tove: Id<Author, i64> = Id::from_key(1);
    let upsert = Author::upsert(odm, Author::fields().id.eq(tove));
    upsert.set(Author::fields().name, "Tove").await.unwrap();
    let insert = async |number: i64| {
        let id: Id<Book, i64> = Id::from_key(number);
        let book = Book::upsert(odm, Book::fields().id.eq(id));
        let book = book.set(Book::fields().author, tove);
        let book = book.set(Book::fields().title, "Fair Play");
        book.set(Book::fields().readers, Vec::new()).await.unwrap();
        id
    };
    let first = insert(1).await;
    let stored = Book::get(odm, first).await.unwrap();
    assert_eq!(stored.author_name, "Tove");
    let inserted = next(&mut books).await.change;
    assert!(
        matches!(&inserted, DocumentChange::Inserted(book) if *book == stored),
        "{inserted:?}"
    );
    // The document is deleted before the stream reads the event.
    let second = insert(2).await;
    Book::delete(odm, second).await.unwrap();
    let inserted = next(&mut books).await.change;
    assert!(
        matches!(&inserted, DocumentChange::Inserted(book) if book.id == second && book.author_name.is_empty()),
        "{inserted:?}"
    );
    let deleted = next(&mut books).await.change;
    assert!(
        matches!(deleted, DocumentChange::Deleted { .. }),
        "{deleted:?}"
    );
    let inserted = next(&mut authors).await.change;
    assert!(
        matches!(&inserted, DocumentChange::Inserted(author) if author.name == "Tove"),
        "{inserted:?}"
    );
}

/// The pre-image of the statement that adds copies and summaries does not contain them.
#[tokio::test]
async fn the_update_that_completes_an_upserted_document_has_a_document_before() {
    let t = Harness::new("watch_upserts_before").await;
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<Book>().only::<Author>();
    sync.await.unwrap();
    let mut books = Book::watch(odm).with_before().await.unwrap();
    let mut authors = Author::watch(odm).with_before().await.unwrap();
    let tove: Id<Author, i64> = Id::from_key(1);
    let upsert = Author::upsert(odm, Author::fields().id.eq(tove));
    upsert.set(Author::fields().name, "Tove").await.unwrap();
    let id: Id<Book, i64> = Id::from_key(1);
    let book = Book::upsert(odm, Book::fields().id.eq(id));
    let book = book.set(Book::fields().author, tove);
    let book = book.set(Book::fields().title, "Fair Play");
    book.set(Book::fields().readers, Vec::new()).await.unwrap();

    let inserted = next(&mut books).await.change;
    assert!(
        matches!(inserted, DocumentChange::Inserted(_)),
        "{inserted:?}"
    );
    let updated = next(&mut books).await.change;
    let names = |book: Option<&Book>| book.map(|it| it.author_name.clone());
    assert_eq!(names(updated.before()), Some(String::new()));
    assert_eq!(names(updated.document()), Some("Tove".to_owned()));

    let inserted = next(&mut authors).await.change;
    assert!(
        matches!(inserted, DocumentChange::Inserted(_)),
        "{inserted:?}"
    );
    let updated = next(&mut authors).await.change;
    assert_eq!(updated.before().map(|it| it.books), Some(0), "{updated:?}");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_lodges")]
struct Lodge {
    #[serde(rename = "_id")]
    id: Id<Lodge, i64>,
    name: String,
    #[refs(many, inverse = "lodge", max = 9)]
    keys: Vec<Id<RoomKey, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_room_keys")]
struct RoomKey {
    #[serde(rename = "_id")]
    id: Id<RoomKey, i64>,
    #[parent_ref(inverse = "keys")]
    lodge: Option<Id<Lodge, i64>>,
}

#[tokio::test]
async fn changes_of_an_array_that_the_library_writes_are_left_out() {
    let t = Harness::new("watch_own_two_way").await;
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<Lodge>().only::<RoomKey>();
    sync.await.unwrap();
    let lodge = Lodge {
        id: Id::from_key(1),
        name: "North".to_owned(),
        keys: Vec::new(),
    };
    lodge.insert(odm).await.unwrap();
    let mut own = Lodge::watch(odm).own_fields().await.unwrap();
    let key = RoomKey {
        id: Id::from_key(5),
        lodge: Some(lodge.id),
    };
    key.insert(odm).await.unwrap();
    assert_eq!(Lodge::get(odm, lodge.id).await.unwrap().keys, [key.id]);
    let rename = Lodge::update(odm, lodge.id).set(Lodge::fields().name, "South");
    rename.await.unwrap();
    let DocumentChange::Updated { changes, .. } = next(&mut own).await.change else {
        panic!("expected the new name");
    };
    assert_eq!(changes.paths().collect::<Vec<_>>(), ["name"]);
}
