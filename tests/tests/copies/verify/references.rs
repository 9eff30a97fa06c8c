//! References without copies and without an inverse: dangling references and nulls.

use std::sync::atomic::{AtomicBool, Ordering};

use mongo_odm::{CopyOptions, Drift, DriftKind, bson::Bson, prelude::*};
use odm_tests::Harness;

use super::{models::*, raw, set, shown};
use crate::{models::*, setting::*};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "verify_authors")]
struct Author {
    #[serde(rename = "_id")]
    id: Id<Author>,
    #[index]
    handle: String,
}

/// The subject of a book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(tag = "kind", content = "id", rename_all = "snake_case")]
enum Subject {
    LivingAuthor(Id<Author>),
    #[serde(rename = "tome", alias = "volume")]
    Book(Id<Book>),
    #[serde(untagged)]
    Unknown(bson::Document),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Section {
    #[refs(one, to = "Author.handle")]
    by: String,
    title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "verify_books")]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book>,
    #[parent_ref]
    author: Id<Author>,
    #[refs(one)]
    editor: Option<Id<Author>>,
    #[refs(many)]
    also_by: Vec<Id<Author>>,
    #[embed]
    #[refs(many)]
    sections: Vec<Section>,
    #[refs(many, polymorphic)]
    about: Vec<Subject>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "verify_reviews")]
struct Review {
    #[serde(rename = "_id")]
    id: Id<Review>,
    #[parent_ref(on_delete = "cascade")]
    book: Id<Book>,
}

const AUTHOR: &str = "Book.author -> Author";

async fn library(test: &str) -> Harness {
    let t = house(test).await;
    let sync = t.odm.sync_indexes().only::<Author>().only::<Book>();
    sync.only::<Review>().await.unwrap();
    t
}

fn author(handle: &str) -> Author {
    Author {
        id: Id::new(),
        handle: handle.to_owned(),
    }
}

fn book(author: Id<Author>) -> Book {
    Book {
        id: Id::new(),
        author,
        editor: None,
        also_by: Vec::new(),
        sections: Vec::new(),
        about: Vec::new(),
    }
}

fn section(by: &str) -> Section {
    Section {
        by: by.to_owned(),
        title: "Preface".to_owned(),
    }
}

/// Two authors and a book by the first, with references of each form to both.
async fn written(t: &Harness) -> ([Author; 2], Book) {
    let authors = [author("ann"), author("ben")];
    t.given(&authors).await;
    let mut book = book(authors[0].id);
    book.editor = Some(authors[1].id);
    book.also_by = vec![authors[0].id, authors[1].id];
    book.sections = vec![section("ann"), section("ben")];
    book.about = vec![
        Subject::LivingAuthor(authors[1].id),
        Subject::Book(book.id),
        Subject::Unknown(doc! { "kind": "film", "id": 7 }),
    ];
    t.given(&[book.clone()]).await;
    (authors, book)
}

async fn verify(t: &Harness) -> Drift {
    t.odm.verify().await.unwrap()
}

fn places(drift: &Drift) -> Vec<(&str, &str)> {
    let items = drift.items.iter();
    items
        .map(|it| (it.relation.as_str(), it.path.as_str()))
        .collect()
}

#[tokio::test]
async fn references_that_lead_somewhere_are_looked_at_and_not_found() {
    let t = library("verify_refs_right").await;
    written(&t).await;
    let drift = verify(&t).await;
    assert!(drift.is_empty(), "{drift}");
    // The author, the editor, two references of each array, and two subjects of known kinds.
    assert_eq!(drift.checked, 8);
}

#[tokio::test]
async fn references_that_lead_nowhere_are_found_at_their_positions() {
    let t = library("verify_refs_nowhere").await;
    let (authors, stored) = written(&t).await;
    let gone = doc! { "_id": authors[1].id };
    raw(&t, "verify_authors").delete_one(gone).await.unwrap();
    let drift = verify(&t).await;
    let id = Some(Bson::from(authors[1].id));
    let kind = DriftKind::NoTarget;
    assert_eq!(
        shown(&drift),
        [
            ("Book.editor -> Author", "editor", id.clone(), None, kind),
            (
                "Book.also_by -> Author",
                "also_by.1",
                id.clone(),
                None,
                kind
            ),
            (
                "Book.sections.by -> Author.handle",
                "sections.1.by",
                Some("ben".into()),
                None,
                kind
            ),
            (
                "Book.about.id -> Author | Book",
                "about.0.id",
                id,
                None,
                kind
            ),
        ]
    );
    assert_eq!(drift.items[0].id, stored.id.into());
    let (stored, gone) = (stored.id, authors[1].id);
    assert_eq!(
        drift.items[0].to_string(),
        format!(
            "verify_books.editor of ObjectId(\"{stored}\") contains ObjectId(\"{gone}\"), but no \
             document has this key (Book.editor -> Author)"
        )
    );
    assert_eq!(drift.by_kind().into_iter().collect::<Vec<_>>(), [(kind, 4)]);
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!((report.repaired(), report.left()), (0, 4));
}

#[tokio::test]
async fn a_key_beside_the_kind_of_another_model_leads_nowhere() {
    let t = library("verify_refs_kinds").await;
    let (authors, stored) = written(&t).await;
    for (kind, found) in [
        ("living_author", 0),
        ("tome", 1),
        ("volume", 1),
        ("LivingAuthor", 0),
    ] {
        let subject = doc! { "kind": kind, "id": authors[0].id };
        let update = doc! { "$set": { "about": [subject] } };
        set(&t, "verify_books", doc! { "_id": stored.id }, update).await;
        let drift = verify(&t).await;
        assert_eq!(drift.len(), found, "{kind}: {drift}");
    }
}

#[tokio::test]
async fn a_null_is_found_where_the_type_is_no_option() {
    let t = library("verify_refs_null").await;
    let (_, stored) = written(&t).await;
    let update = doc! {
        "$set": { "editor": null, "sections.0.by": null, "about.1.id": null },
        "$unset": { "author": "" },
    };
    set(&t, "verify_books", doc! { "_id": stored.id }, update).await;
    let drift = verify(&t).await;
    assert_eq!(
        places(&drift),
        [
            (AUTHOR, "author"),
            ("Book.sections.by -> Author.handle", "sections.0.by"),
            ("Book.about.id -> Author | Book", "about.1.id"),
        ]
    );
    let nulls = drift.items.iter();
    assert!(nulls.clone().all(|it| it.kind == DriftKind::NullReference));
    assert!(nulls.clone().all(|it| it.key.is_none()), "{drift}");
    assert!(drift.items[0].to_string().contains("must not be null"));
}

#[tokio::test]
async fn nulls_beside_copies_and_inverses_are_found_once() {
    let t = library("verify_refs_null_others").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 2);
    t.given(&messages).await;
    let ann = owner("Ann");
    t.given(&[ann.clone()]).await;
    let chore = chore(&ann);
    t.given(&[chore.clone()]).await;
    assert!(verify(&t).await.is_empty());
    let null = doc! { "$set": { "host": null } };
    let first = doc! { "_id": messages[0].id };
    raw(&t, "logmsg").update_one(first, null).await.unwrap();
    let null = doc! { "$set": { "owner": null } };
    set(&t, "verify_chores", doc! {}, null).await;
    let drift = verify(&t).await;
    let nulls = drift.items.iter();
    let nulls = nulls.filter(|it| it.kind == DriftKind::NullReference);
    let nulls: Vec<_> = nulls
        .map(|it| (it.relation.as_str(), it.path.as_str()))
        .collect();
    assert_eq!(
        nulls,
        [
            ("LogMsg.host <- Host", "host"),
            ("Chore.owner -> Owner", "owner")
        ]
    );
    // The owner refers to a chore without an owner.
    assert_eq!(drift.len(), 3, "{drift}");
    let report = drift.repair(&t.odm).await.unwrap();
    assert_eq!((report.repaired(), report.left()), (1, 2));
}

#[tokio::test]
async fn references_that_other_checks_report_are_found_once() {
    let t = library("verify_refs_once").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 2)).await;
    let chore = chore(&owner("Ann"));
    t.given(&[chore]).await;
    raw(&t, "hosts").delete_many(doc! {}).await.unwrap();
    let drift = verify(&t).await;
    let found = drift.by_relation();
    let found: Vec<_> = found.into_iter().collect();
    assert_eq!(
        found,
        [
            ("LogMsg.host <- Host", 2),
            ("Owner.chores <-> Chore.owner", 1)
        ]
    );
    assert_eq!(drift.by_kind()[&DriftKind::Dangling], 3);
}

#[tokio::test]
async fn the_check_of_references_can_be_left_out() {
    let t = library("verify_refs_off").await;
    let (_, stored) = written(&t).await;
    raw(&t, "verify_authors")
        .delete_many(doc! {})
        .await
        .unwrap();
    let null = doc! { "$set": { "author": null } };
    set(&t, "verify_books", doc! { "_id": stored.id }, null).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 1)).await;
    set(&t, "logmsg", doc! {}, doc! { "$set": { "host": null } }).await;
    assert_eq!(verify(&t).await.len(), 8);
    let without = t.odm.verify().references(false);
    let plan = without.plan().unwrap().to_string();
    assert!(!plan.contains("verify_books"), "{plan}");
    let drift = without.await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    let plan = t.odm.verify().plan().unwrap().to_string();
    assert!(plan.contains("verify_books"), "{plan}");
}

#[tokio::test]
async fn many_references_to_few_documents_are_one_aggregation_and_one_find() {
    let t = library("verify_refs_grouped").await;
    let authors = [author("ann"), author("ben"), author("eve")];
    t.given(&authors).await;
    let books: Vec<_> = (0..6_000).map(|at| book(authors[at % 3].id)).collect();
    t.given(&books).await;
    t.forget();
    let drift = t.odm.verify().relation(AUTHOR).await.unwrap();
    assert!(drift.is_empty());
    assert_eq!(drift.checked, 6_000);
    assert_eq!(t.recorder().names(), ["aggregate", "find"]);
    let gone = doc! { "_id": { "$ne": authors[0].id } };
    raw(&t, "verify_authors").delete_many(gone).await.unwrap();
    let drift = t.odm.verify().relation("Book.author").await.unwrap();
    let mut ids: Vec<_> = drift.items.iter().map(|it| it.id.as_object_id()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((drift.len(), ids.len()), (4_000, 4_000));
}

#[tokio::test]
async fn keys_without_a_document_are_found_among_thousands() {
    let t = library("verify_refs_many_keys").await;
    let authors: Vec<_> = (0..12_000).map(|at| author(&at.to_string())).collect();
    t.given(&authors).await;
    let books: Vec<_> = authors.iter().map(|author| book(author.id)).collect();
    t.given(&books).await;
    let gone = [authors[3].id, authors[5_500].id, authors[11_999].id];
    let gone = doc! { "_id": { "$in": gone.to_vec() } };
    raw(&t, "verify_authors").delete_many(gone).await.unwrap();
    let drift = t.odm.verify().relation(AUTHOR).await.unwrap();
    assert_eq!((drift.len(), drift.checked), (3, 12_000));
}

#[tokio::test]
async fn references_that_a_job_has_yet_to_take_away_are_pending() {
    let t = library("verify_refs_pending").await;
    let ann = author("ann");
    t.given(&[ann.clone()]).await;
    let novel = book(ann.id);
    t.given(&[novel.clone()]).await;
    let review = || Review {
        id: Id::new(),
        book: novel.id,
    };
    t.given(&[review(), review()]).await;
    let delete = Book::delete(&by_jobs(&t.odm), novel.id);
    delete.deferred().await.unwrap();
    assert_eq!(count(&t.odm, "verify_reviews", doc! {}).await, 2);
    let drift = verify(&t).await;
    assert!(drift.is_empty(), "{drift}");
    assert_eq!(drift.pending, 2);
    let all = t.odm.verify().include_pending().await.unwrap();
    assert_eq!(all.len(), 2);
    settle(&t.odm).await;
    let all = t.odm.verify().include_pending().await.unwrap();
    assert!(all.is_empty(), "{all}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn documents_that_come_and_go_with_what_they_refer_to_are_no_drift() {
    let t = library("verify_refs_races").await;
    let odm = &t.odm;
    let done = AtomicBool::new(false);
    let writes = async {
        for at in 0..150 {
            let author = author(&at.to_string());
            let book = book(author.id);
            author.insert(odm).await.unwrap();
            book.insert(odm).await.unwrap();
            Book::delete(odm, book.id).await.unwrap();
            Author::delete(odm, author.id).await.unwrap();
        }
        done.store(true, Ordering::Relaxed);
    };
    let verifying = async {
        let mut verified = 0;
        while !done.load(Ordering::Relaxed) || verified == 0 {
            let drift = odm.verify().relation(AUTHOR).await.unwrap();
            assert!(drift.is_empty(), "{drift}");
            verified += 1;
        }
        verified
    };
    let ((), verified) = futures_util::join!(writes, verifying);
    eprintln!("verified {verified} times");
}

#[tokio::test]
async fn further_calls_of_only_add_further_collections() {
    let t = library("verify_only").await;
    let (_, _) = written(&t).await;
    raw(&t, "verify_authors")
        .delete_many(doc! {})
        .await
        .unwrap();
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 1)).await;
    set(&t, "logmsg", doc! {}, doc! { "$set": { "ipaddr": "old" } }).await;
    let only = t.odm.verify().only::<LogMsg>();
    assert_eq!(only.clone().await.unwrap().len(), 1);
    assert_eq!(only.only::<Book>().await.unwrap().len(), 8);
    assert!(t.odm.verify().only::<Host>().await.unwrap().is_empty());
}
