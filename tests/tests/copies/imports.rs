//! Imports: inserts of many documents, some of which are rejected.

use std::time::Duration;

use mongo_odm::{
    Error, RejectedDocument, Settings,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::{all, raw};

/// A press with derived data of its books: a summary, and an array that is the inverse of a reference in the books.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "import_presses")]
struct Press {
    #[serde(rename = "_id")]
    id: Id<Press>,
    name: String,
    #[rollup(count, of = "Book", via = "press")]
    books: u64,
    #[refs(many, inverse = "shelf", max = 3)]
    shelved: Vec<Id<Book>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "import_books",
    index(keys(series = 1, volume = 1), unique)
)]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book>,
    #[index(unique)]
    isbn: String,
    series: Id<Press>,
    volume: i64,
    #[parent_ref]
    press: Id<Press>,
    #[denorm(from = Press.name, via = press)]
    press_name: String,
    #[parent_ref(inverse = "shelved")]
    shelf: Option<Id<Press>>,
    #[refs(one, exists)]
    sequel: Option<Id<Book>>,
    #[serde(default)]
    #[refs(many, max = 2)]
    readers: Vec<Id<Press>>,
}

async fn library(test: &str) -> (Harness, Press) {
    let mut t = Harness::new(test).await;
    t.odm =
        Odm::new(t.odm.database().clone()).with_settings(Settings::default().grace(Duration::ZERO));
    let sync = t.odm.sync_indexes().only::<Press>().only::<Book>();
    sync.only::<Sign>().await.unwrap();
    let press = press("Acme");
    press.insert(&t.odm).await.unwrap();
    (t, press)
}

fn press(name: &str) -> Press {
    Press {
        id: Id::new(),
        name: name.to_owned(),
        books: 0,
        shelved: Vec::new(),
    }
}

fn book(press: &Press, number: usize) -> Book {
    Book {
        id: Id::new(),
        isbn: format!("isbn {number}"),
        series: press.id,
        volume: i64::try_from(number).unwrap(),
        press: press.id,
        press_name: "old".to_owned(),
        shelf: None,
        sequel: None,
        readers: Vec::new(),
    }
}

fn books(press: &Press, count: usize) -> Vec<Book> {
    (0..count).map(|number| book(press, number)).collect()
}

fn rejected(error: Error) -> (u64, Vec<RejectedDocument>) {
    match error {
        Error::InsertMany {
            inserted, rejected, ..
        } => (inserted, rejected),
        other => panic!("{other:?}"),
    }
}

/// Imports books, and returns the number of stored books and the rejected positions.
async fn import(t: &Harness, books: &[Book]) -> (u64, Vec<usize>) {
    let error = Book::insert_many(&t.odm, books).unordered().await;
    let (inserted, rejected) = rejected(error.unwrap_err());
    for it in &rejected {
        assert_eq!(it.id, Some(Bson::from(books[it.index].id)), "{it}");
    }
    (inserted, rejected.iter().map(|it| it.index).collect())
}

/// Asserts that the stored books are exactly these, with their copies, and that the press counts them.
async fn assert_stored(t: &Harness, press: &Press, wanted: impl IntoIterator<Item = &Book>) {
    t.odm.run_pending_jobs().await.unwrap();
    let mut wanted: Vec<&str> = wanted.into_iter().map(|it| &*it.isbn).collect();
    wanted.sort_unstable();
    let stored = all(&t.odm, "import_books").await;
    let isbn = |it: &Document| it.get_str("isbn").unwrap().to_owned();
    let mut isbns: Vec<String> = stored.iter().map(isbn).collect();
    isbns.sort_unstable();
    assert_eq!(isbns, wanted);
    let names = stored.iter().map(|it| it.get_str("press_name").unwrap());
    assert!(names.into_iter().all(|name| name == "Acme"));
    let press = Press::get(&t.odm, press.id).await.unwrap();
    assert_eq!(press.books, wanted.len() as u64);
}

#[tokio::test]
async fn an_unordered_insert_stores_every_valid_document_with_what_follows() {
    let (t, press) = library("import_unordered").await;
    let mut list = books(&press, 10_500);
    let there = book(&press, 100_000);
    there.insert(&t.odm).await.unwrap();
    list[7].isbn.clone_from(&there.isbn);
    list[10_345].id = there.id;
    let (inserted, positions) = import(&t, &list).await;
    assert_eq!((inserted, positions), (10_498, vec![7, 10_345]));
    let valid = list.iter().enumerate();
    let valid = valid.filter(|(at, _)| ![7, 10_345].contains(at));
    let valid = valid.map(|(_, book)| book).chain([&there]);
    assert_stored(&t, &press, valid).await;
}

#[tokio::test]
async fn the_rejected_documents_are_named_with_key_and_reason() {
    let (t, press) = library("import_reasons").await;
    let mut list = books(&press, 4);
    list[2].isbn = list[0].isbn.clone();
    let error = Book::insert_many(&t.odm, &list).unordered().await;
    let error = error.unwrap_err();
    assert!(error.is_duplicate_key());
    assert_eq!(error.server_code(), Some(11000));
    let text = error.to_string();
    assert!(
        text.starts_with(
            "`insert_many` into `import_books` (`Book`) stored 3 and rejected 1: document 2 (_id "
        ),
        "{text}"
    );
    let (_, rejected) = rejected(error);
    let Error::DuplicateKey {
        model,
        index,
        fields,
        ..
    } = &*rejected[0].reason
    else {
        panic!("{:?}", rejected[0])
    };
    assert_eq!((*model, &**index), (Some("Book"), "isbn_1"));
    assert_eq!(**fields, doc! { "isbn": "isbn 0" });
}

#[tokio::test]
async fn importing_the_same_list_again_takes_few_statements() {
    let (t, press) = library("import_again").await;
    let list = books(&press, 1_000);
    Book::insert_many(&t.odm, &list[..990]).await.unwrap();
    let mut again: Vec<Book> = list.clone();
    for book in &mut again {
        book.id = Id::new();
    }
    let ((inserted, positions), sent) = t.sent(import(&t, &again)).await;
    assert_eq!(inserted, 10);
    assert_eq!(positions, (0..990).collect::<Vec<_>>());
    assert!(sent.len() < 40, "{}", sent.len());
    assert_stored(&t, &press, &list).await;
}

#[tokio::test]
async fn a_key_that_is_twice_in_the_list_is_stored_once() {
    let (t, press) = library("import_twice").await;
    let mut list = books(&press, 500);
    for (at, book) in list.iter_mut().enumerate() {
        (book.isbn, book.volume) = (format!("isbn {}", at % 50), i64::try_from(at % 50).unwrap());
    }
    let ((inserted, positions), sent) = t.sent(import(&t, &list)).await;
    assert_eq!(inserted, 50);
    assert_eq!(positions, (50..500).collect::<Vec<_>>());
    assert!(sent.len() < 60, "{}", sent.len());
    assert_stored(&t, &press, &list[..50]).await;
}

#[tokio::test]
async fn a_key_is_free_again_when_its_document_is_rejected() {
    let (t, press) = library("import_key_is_free").await;
    let mut list = books(&press, 3);
    list[0].sequel = Some(Id::new());
    list[1].id = list[0].id;
    let isbn = list[0].isbn.clone();
    list[2].isbn = isbn;
    assert_eq!(import(&t, &list).await, (2, vec![0]));
    assert_stored(&t, &press, &list[1..]).await;
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "import_signs",
    index(keys(press_name = 1, place = 1), unique)
)]
struct Sign {
    #[serde(rename = "_id")]
    id: Id<Sign, i64>,
    #[refs(one, exists)]
    press: Id<Press>,
    #[denorm(from = Press.name, via = press)]
    press_name: String,
    place: i64,
    #[index(unique)]
    serial: i64,
}

#[tokio::test]
async fn a_unique_key_with_a_copy_has_the_value_of_the_source() {
    let (t, acme) = library("import_copied_key").await;
    let other = press("Other");
    other.insert(&t.odm).await.unwrap();
    let sign = |id, press: &Press, name: &str, serial| Sign {
        id: Id::from_key(id),
        press: press.id,
        press_name: name.to_owned(),
        place: 1,
        serial,
    };
    let signs = [
        sign(0, &acme, "Acme", 1),
        sign(1, &acme, "Other", 2),
        sign(2, &other, "Acme", 2),
        sign(3, &other, "Other", 2),
    ];
    let error = Sign::insert_many(&t.odm, &signs).unordered().await;
    let (inserted, rejected) = rejected(error.unwrap_err());
    let positions: Vec<_> = rejected.iter().map(|it| it.index).collect();
    assert_eq!((inserted, positions), (2, vec![1, 3]), "{rejected:?}");
    assert_eq!(all(&t.odm, "import_signs").await.len(), 2);
}

#[tokio::test]
async fn the_reason_of_a_rejected_document_names_its_own_keys() {
    let (t, acme) = library("import_own_reason").await;
    let presses = [acme.clone(), press("a"), press("b")];
    let sign = |(id, press): (i64, &Press)| Sign {
        id: Id::from_key(id),
        press: press.id,
        press_name: press.name.clone(),
        place: id,
        serial: id,
    };
    let signs: Vec<Sign> = (0..).zip(&presses).map(sign).collect();
    let error = Sign::insert_many(&t.odm, &signs).unordered().await;
    let (_, rejected) = rejected(error.unwrap_err());
    let keys = rejected.iter().map(|it| match &*it.reason {
        Error::NoTarget { keys, .. } => keys.clone(),
        other => panic!("{other:?}"),
    });
    let expected = presses[1..].iter().map(|it| vec![Bson::from(it.id)]);
    assert_eq!(keys.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[tokio::test]
async fn a_document_that_a_validator_rejects_is_left_out() {
    let (t, press) = library("import_validator").await;
    let validator = doc! { "volume": { "$lt": 1_000_000_i64 } };
    let command = doc! { "collMod": "import_books", "validator": validator };
    t.odm.database().run_command(command).await.unwrap();
    let mut list = books(&press, 400);
    for book in list.iter_mut().filter(|it| it.volume % 3 == 1) {
        book.volume += 1_000_000;
    }
    let ((inserted, positions), sent) = t.sent(import(&t, &list)).await;
    assert_eq!(positions, (1..400).step_by(3).collect::<Vec<_>>());
    assert_eq!(inserted, 267);
    let inserts = sent.iter().filter(|it| *it == "insert").count();
    assert!(inserts < 600, "{inserts}");
    let valid = list.iter().filter(|it| it.volume < 1_000_000);
    assert_stored(&t, &press, valid).await;
}

#[tokio::test]
async fn an_array_at_a_parent_takes_as_many_as_it_has_room_for() {
    let (t, press) = library("import_bound").await;
    let mut list = books(&press, 40);
    for book in list.iter_mut().filter(|it| it.volume % 2 == 0) {
        book.shelf = Some(press.id);
    }
    let (inserted, positions) = import(&t, &list).await;
    assert_eq!((inserted, positions.len()), (23, 17));
    assert!(positions.iter().all(|at| at % 2 == 0), "{positions:?}");
    let stored = list.iter().enumerate();
    let stored = stored.filter(|(at, _)| !positions.contains(at));
    assert_stored(&t, &press, stored.map(|(_, book)| book)).await;
    let stored = raw(&t.odm, "import_presses", press.id).await;
    assert_eq!(stored.get_array("shelved").unwrap().len(), 3);
}

#[tokio::test]
async fn a_reference_to_a_document_of_the_same_list_is_no_reason_to_reject() {
    let (t, press) = library("import_exists").await;
    let mut list = books(&press, 30);
    let ids: Vec<Id<Book>> = list.iter().map(|it| it.id).collect();
    // A duplicate, two books with dangling references, one that refers to the duplicate, and two that refer to each
    // other.
    list[3].isbn = list[2].isbn.clone();
    list[5].sequel = Some(Id::new());
    list[6].sequel = Some(Id::new());
    list[7].sequel = Some(ids[3]);
    list[8].sequel = Some(ids[9]);
    list[9].sequel = Some(ids[8]);
    list[10].sequel = Some(ids[29]);
    let (inserted, positions) = import(&t, &list).await;
    assert_eq!((inserted, positions), (26, vec![3, 5, 6, 7]));
}

#[tokio::test]
async fn a_struct_that_cannot_be_stored_is_rejected_alone() {
    let (t, press) = library("import_unfit").await;
    let mut list = books(&press, 4);
    list[1].readers = vec![press.id; 3];
    list[3].isbn = list[0].isbn.clone();
    let error = Book::insert_many(&t.odm, &list).unordered().await;
    let (inserted, rejected) = rejected(error.unwrap_err());
    assert_eq!(inserted, 2);
    let positions: Vec<usize> = rejected.iter().map(|it| it.index).collect();
    assert_eq!(positions, [1, 3]);
    assert!(matches!(*rejected[0].reason, Error::BoundExceeded { .. }));
    assert_eq!(rejected[0].id, Some(Bson::from(list[1].id)));
    assert_stored(&t, &press, [&list[0], &list[2]]).await;

    let ordered = Book::insert_many(&t.odm, &list[1..]).await.unwrap_err();
    assert!(
        matches!(ordered, Error::BoundExceeded { .. }),
        "{ordered:?}"
    );
}

#[tokio::test]
async fn an_ordered_insert_reports_the_parts_that_were_stored() {
    let (t, press) = library("import_ordered").await;
    let mut list = books(&press, 10_500);
    list[10_100].isbn = list[5].isbn.clone();
    let error = Book::insert_many(&t.odm, &list).await.unwrap_err();
    let (inserted, rejected) = rejected(error);
    assert_eq!(inserted, 10_000);
    let positions: Vec<usize> = rejected.iter().map(|it| it.index).collect();
    assert_eq!(positions, [10_100]);
    assert_eq!(rejected[0].id, Some(Bson::from(list[10_100].id)));
    assert_stored(&t, &press, &list[..10_000]).await;
}

#[tokio::test]
async fn a_deferred_import_goes_on_as_well() {
    let (t, press) = library("import_deferred").await;
    let mut list = books(&press, 50);
    list[20].isbn = list[10].isbn.clone();
    let error = Book::insert_many(&t.odm, &list)
        .unordered()
        .deferred()
        .await;
    let (inserted, rejected) = rejected(error.unwrap_err());
    assert_eq!((inserted, rejected.len()), (49, 1));
    let stored = list.iter().filter(|it| it.id != list[20].id);
    assert_stored(&t, &press, stored).await;
}

#[tokio::test]
async fn in_a_transaction_a_rejected_document_ends_it_and_the_error_says_so() {
    let (t, press) = library("import_transaction").await;
    let mut list = books(&press, 5);
    list[3].isbn = list[1].isbn.clone();
    let odm = &t.odm;
    let run = odm.transaction(async |tx| Book::insert_many(&tx, &list).unordered().await);
    let error = run.await.unwrap_err();
    assert!(error.is_duplicate_key());
    let text = error.to_string();
    assert!(
        text.starts_with("the server ended the transaction when it rejected a document of `import_books` (`Book`)"),
        "{text}"
    );
    let (inserted, rejected) = rejected(error);
    assert_eq!((inserted, rejected[0].index), (0, 3));
    assert_stored(&t, &press, []).await;
}

#[tokio::test]
async fn in_a_transaction_a_struct_that_cannot_be_stored_is_rejected_alone() {
    let (t, press) = library("import_unfit_transaction").await;
    let mut list = books(&press, 3);
    list[1].readers = vec![press.id; 3];
    let run = t.odm.transaction(async |tx| {
        let insert = Book::insert_many(&tx, &list).unordered();
        let error = insert.await.unwrap_err();
        assert!(
            matches!(
                error,
                Error::InsertMany {
                    inserted: 2,
                    transaction_ended: false,
                    ..
                }
            ),
            "{error:?}"
        );
        // The closure ignores the error.
        Ok(())
    });
    run.await.unwrap();
    assert_stored(&t, &press, [&list[0], &list[2]]).await;
}
