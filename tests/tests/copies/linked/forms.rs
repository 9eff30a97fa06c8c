//! Links under other names, and links that are ids.

use mongo_odm::check_models;

use super::*;

/// Reviews and users are about books, as in the first variant of the course of MongoDB University.
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

#[test]
fn the_models_of_these_tests_do_not_contradict_each_other() {
    if let Err(error) = check_models() {
        assert!(!error.to_string().contains("linked_"), "{error}");
    }
}
