//! Links in fields with other names, and links that are plain ids.

use mongo_odm::check_models;

use super::*;

/// A book, to which reviews and users refer as in the first variant of the MongoDB University course.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_catalog", kind(docType = "book"))]
struct Book {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[serde(rename = "relatedTo", default)]
    #[links(form = "ids")]
    related_to: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_catalog", kind(docType = "review"))]
struct Review {
    #[serde(rename = "_id")]
    id: i64,
    stars: i64,
    #[serde(rename = "relatedTo", default)]
    #[links(form = "ids", max = 2)]
    related_to: Vec<i64>,
}

fn book(id: i64) -> Book {
    Book {
        id,
        title: format!("book {id}"),
        related_to: Vec::new(),
    }
}

fn review(id: i64) -> Review {
    Review {
        id,
        stars: id % 5,
        related_to: Vec::new(),
    }
}

async fn catalog(test: &str) -> Harness {
    let t = empty(test).await;
    t.odm
        .sync_indexes()
        .only::<Book>()
        .only::<Review>()
        .await
        .unwrap();
    t.given(&[book(10), book(100)]).await;
    t.given(&[review(1), review(2), review(3)]).await;
    t
}

async fn related(odm: &Odm, id: i64) -> Vec<i64> {
    let stored = raw(odm, "linked_catalog", id).await;
    let related = stored.get_array("relatedTo").unwrap().iter();
    related.map(|it| it.as_i64().unwrap()).collect()
}

#[tokio::test]
async fn links_that_are_ids_are_kept_at_both_ends() {
    let t = catalog("links_ids").await;
    review(1).link(&t.odm, [&book(10)]).await.unwrap();
    book(10).link(&t.odm, [&review(2)]).await.unwrap();
    assert_eq!(related(&t.odm, 10).await, [10, 1, 2]);
    assert_eq!(related(&t.odm, 1).await, [1, 10]);
    assert_eq!(related(&t.odm, 2).await, [2, 10]);
    let full = review(1).link(&t.odm, [&book(100)]).await;
    assert!(matches!(
        full.unwrap_err(),
        mongo_odm::Error::BoundExceeded { .. }
    ));
    let found = Review::linked_to(&t.odm, &book(10)).await.unwrap();
    assert_eq!(found.iter().map(|it| it.id).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(Review::count_linked(&t.odm, &book(100)).await.unwrap(), 0);
    book(10).unlink(&t.odm, [&review(1)]).await.unwrap();
    assert_eq!(related(&t.odm, 1).await, [1]);
    Book::delete(&t.odm, 10).await.unwrap();
    assert_eq!(related(&t.odm, 2).await, [2]);
    t.odm.run_pending_jobs().await.unwrap();
    let drift = t.odm.verify().only::<Book>().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    assert_eq!(jobs(&t.odm).await, []);
}

/// The second variant of the course: a string with the id of the book, followed by the id of the review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_prefixes", kind(docType = "book"))]
struct Volume {
    #[serde(rename = "_id")]
    id: i64,
    title: String,
    #[links(form = "prefix", one_sided)]
    #[serde(default)]
    sc_id: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_prefixes", kind(docType = "review"))]
struct Opinion {
    #[serde(rename = "_id")]
    id: i64,
    stars: i64,
    #[links(form = "prefix")]
    #[serde(default)]
    sc_id: String,
}

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "docType")]
enum Catalog {
    #[serde(rename = "book")]
    Book(Volume),
    #[serde(rename = "review")]
    Review(Opinion),
}

fn volume(id: i64) -> Volume {
    Volume {
        id,
        title: format!("book {id}"),
        sc_id: String::new(),
    }
}

fn opinion(id: i64, sc_id: &str) -> Opinion {
    Opinion {
        id,
        stars: id % 5,
        sc_id: sc_id.to_owned(),
    }
}

async fn key_of(odm: &Odm, id: i64) -> String {
    let stored = raw(odm, "linked_prefixes", id).await;
    stored.get_str("sc_id").unwrap().to_owned()
}

fn ids_of<T>(found: &[T], id: impl Fn(&T) -> i64) -> Vec<i64> {
    found.iter().map(id).collect()
}

#[tokio::test]
async fn a_key_of_two_ids_finds_a_document_and_those_below_it_and_no_other() {
    let t = empty("links_prefix").await;
    let odm = &t.odm;
    odm.sync_indexes()
        .only::<Volume>()
        .only::<Opinion>()
        .await
        .unwrap();
    t.given(&[volume(10), volume(100), volume(1)]).await;
    t.given(&[
        opinion(378, "10"),
        opinion(379, "10/379"),
        opinion(1012, "100"),
        opinion(5, ""),
    ])
    .await;
    let keys = [
        (10, "10"),
        (378, "10/378"),
        (379, "10/379"),
        (1012, "100/1012"),
        (5, "5"),
    ];
    for (id, key) in keys {
        assert_eq!(key_of(odm, id).await, key);
    }
    t.forget();
    let around = Catalog::linked(odm, 10).await.unwrap();
    assert_eq!(ids_of(&around.books, |it| it.id), [10], "not 100");
    assert_eq!(ids_of(&around.reviews, |it| it.id), [378, 379], "not 1012");
    let find = odm_tests::sent::only(&t, "find");
    let explain = doc! { "explain": { "find": "linked_prefixes", "filter": find.get_document("filter").unwrap() } };
    let plan = odm
        .database()
        .run_command(explain)
        .await
        .unwrap()
        .to_string();
    assert!(
        plan.contains("sc_id_1") && !plan.contains("COLLSCAN"),
        "{plan}"
    );

    let found = Opinion::linked_to(odm, &volume(10)).await.unwrap();
    assert_eq!(ids_of(&found, |it| it.id), [378, 379]);
    assert_eq!(Opinion::count_linked(odm, &volume(1)).await.unwrap(), 0);
    let stored = Opinion::get(odm, 378).await.unwrap();
    assert_eq!(
        ids_of(&Volume::linked_to(odm, &stored).await.unwrap(), |it| it.id),
        [10]
    );
    let around = Catalog::linked(odm, &stored).await.unwrap();
    assert_eq!(
        (
            ids_of(&around.books, |it| it.id),
            ids_of(&around.reviews, |it| it.id)
        ),
        (vec![10], vec![378])
    );
    let all = Opinion::find(odm).await.unwrap();
    let books = Volume::join_linked(&all, odm).await.unwrap();
    assert_eq!(books.of(&stored).map(|it| it.id).collect::<Vec<_>>(), [10]);
    let refused = Opinion::join_linked(&[volume(10)], odm).await.unwrap_err();
    assert!(
        refused.to_string().contains("call `linked_to` for each"),
        "{refused}"
    );

    stored.link(odm, &volume(100)).await.unwrap();
    assert_eq!(key_of(odm, 378).await, "100/378");
    let kept = stored.unlink(odm, &volume(10)).await.unwrap();
    assert_eq!((kept.matched, kept.modified), (1, 0), "another parent");
    assert_eq!(key_of(odm, 378).await, "100/378");
    stored.unlink(odm, &volume(100)).await.unwrap();
    assert_eq!(key_of(odm, 378).await, "378");
    let kept = stored.unlink(odm, &volume(100)).await.unwrap();
    assert_eq!((kept.matched, kept.modified), (1, 0), "no parent");
    let missing = opinion(77, "").unlink(odm, &volume(10)).await.unwrap_err();
    assert!(matches!(missing, mongo_odm::Error::NotFound { .. }));
    stored.save(odm).await.unwrap();
    assert_eq!(key_of(odm, 378).await, "10/378");
    for refused in [
        volume(10).link(odm, &stored).await,
        stored.link(odm, [&volume(10), &volume(100)]).await,
        stored.link(odm, &opinion(5, "")).await,
        opinion(77, "").link(odm, &volume(10)).await,
    ] {
        refused.unwrap_err();
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_texts", kind(docType = "page"))]
struct Page {
    #[serde(rename = "_id")]
    id: String,
    #[links(form = "prefix", one_sided, separator = "#")]
    #[serde(default)]
    key: String,
}

#[tokio::test]
async fn an_id_with_the_separator_in_it_is_refused() {
    let t = empty("links_prefix_separator").await;
    let page = |id: &str| Page {
        id: id.to_owned(),
        key: String::new(),
    };
    page("a/b").insert(&t.odm).await.unwrap();
    let refused = page("a#b").insert(&t.odm).await.unwrap_err().to_string();
    assert!(
        refused.contains("choose another separator, or another id"),
        "{refused}"
    );
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_clash", kind(docType = "one"))]
struct One {
    #[serde(rename = "_id")]
    id: String,
    #[links(form = "ids")]
    related: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_clash", kind(docType = "other"))]
struct AnotherOne {
    #[serde(rename = "_id")]
    id: String,
    #[links(kind = "doc_type")]
    links: Vec<Link>,
}

#[tokio::test]
async fn links_under_two_names_in_one_collection_are_a_mistake() {
    let t = empty("links_clash").await;
    let one = One {
        id: "1".to_owned(),
        related: Vec::new(),
    };
    let error = one.insert(&t.odm).await.unwrap_err().to_string();
    let expected = "the links of `AnotherOne` are in `links.target and links.doc_type`, and those of `One`, which is in \
                    `linked_clash` too, in `related`; store both in the same form under the same names";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn the_models_of_these_tests_do_not_contradict_each_other() {
    if let Err(error) = check_models() {
        let problems = error.to_string();
        let mut of_links = problems.lines().filter(|it| it.contains("linked_"));
        assert!(of_links.all(|it| it.contains("linked_clash")), "{problems}");
    }
}

/// A link without a kind, as in documents that were stored before there were kinds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct OldLink {
    target: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_notes", kind(kind = "note", default))]
struct Note {
    #[serde(rename = "_id")]
    id: i64,
    #[links]
    #[serde(default)]
    links: Vec<OldLink>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "linked_notes", kind(kind = "tag"))]
struct Tag {
    #[serde(rename = "_id")]
    id: i64,
    #[links]
    #[serde(default)]
    links: Vec<OldLink>,
}

#[tokio::test]
async fn documents_without_a_kind_are_linked_as_those_of_the_default_kind() {
    let t = empty("links_default_kind").await;
    t.odm
        .sync_indexes()
        .only::<Note>()
        .only::<Tag>()
        .await
        .unwrap();
    put(&t.odm, "linked_notes", [doc! { "_id": 1_i64 }]).await;
    let tag = Tag {
        id: 2,
        links: Vec::new(),
    };
    tag.insert(&t.odm).await.unwrap();
    let repaired = t.odm.verify().only::<Note>().repair().await.unwrap();
    assert_eq!(repaired.repaired(), 1, "the link to itself: {repaired}");
    let note = Note::get(&t.odm, 1).await.unwrap();
    tag.link(&t.odm, &note).await.unwrap();
    let stored = raw(&t.odm, "linked_notes", 1_i64).await;
    assert!(!stored.contains_key("kind"));
    assert_eq!(
        stored.get_array("links").unwrap()[1],
        doc! { "target": 2_i64, "kind": "tag" }.into()
    );
    assert_eq!(Note::linked_to(&t.odm, &tag).await.unwrap().len(), 1);
    assert_eq!(Tag::linked_to(&t.odm, &note).await.unwrap().len(), 1);
    let drift = t.odm.verify().only::<Note>().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    note.unlink(&t.odm, &tag).await.unwrap();
    note.link(&t.odm, &tag).await.unwrap();
    Note::delete(&t.odm, 1).await.unwrap();
    assert_eq!(Tag::get(&t.odm, 2).await.unwrap().links.len(), 1);
}
