//! References to a field that may be null or missing. No key equals such a value.

use mongo_odm::{AnyKey, bson::Bson, prelude::*, relation::Slot};
use odm_tests::Harness;

/// An article with an optional code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "articles",
    has_many(
        orders = "Order.article",
        offers = "Offer.articles",
        notes = "Note.about"
    )
)]
struct Article {
    #[serde(rename = "_id")]
    id: Id<Article, i32>,
    code: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "orders")]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    #[refs(one, to = "Article.code")]
    article: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "offers")]
struct Offer {
    #[serde(rename = "_id")]
    id: Id<Offer, i32>,
    #[refs(many, to = "Article.code")]
    articles: Vec<Option<String>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note, i32>,
    #[refs(one, to = "Article.code")]
    about: AnyKey,
}

fn article(id: i32, code: Option<&str>) -> Article {
    Article {
        id: Id::from_key(id),
        code: code.map(str::to_owned),
    }
}

fn order(id: i32, article: Option<&str>) -> Order {
    Order {
        id: Id::from_key(id),
        article: article.map(str::to_owned),
    }
}

#[tokio::test]
async fn null_and_missing_values_of_an_optional_target_are_never_found() {
    let t = Harness::new("optional_targets").await;
    let articles = [article(1, Some("a")), article(2, None)];
    t.given(&articles).await;
    let missing = t.database().collection("articles");
    missing.insert_one(doc! { "_id": 3 }).await.unwrap();
    let orders = [order(1, Some("a")), order(2, None), order(3, Some("b"))];
    t.given(&orders).await;
    let offer = Offer {
        id: Id::from_key(1),
        articles: vec![None, Some("a".to_owned())],
    };
    t.given(std::slice::from_ref(&offer)).await;
    let note = |id, about: Bson| Note {
        id: Id::from_key(id),
        about: AnyKey(about),
    };
    let notes = [note(1, "a".into()), note(2, Bson::Null), note(3, 7.into())];
    t.given(&notes).await;

    let first = Some(&articles[0]);
    let joined = Order::join_article(&orders, &t.odm).await.unwrap();
    assert_eq!(
        orders.each_ref().map(|order| joined.one_of(order)),
        [first, None, None]
    );
    for (order, found) in orders.iter().zip([first, None, None]) {
        assert_eq!(order.load_article(&t.odm).await.unwrap().as_ref(), found);
    }
    let joined = Note::join_about(&notes, &t.odm).await.unwrap();
    assert_eq!(
        notes.each_ref().map(|note| joined.one_of(note)),
        [first, None, None]
    );
    let slots = offer.load_articles(&t.odm).slots().await.unwrap();
    assert_eq!(slots, [Slot::Null, Slot::Found(articles[0].clone())]);
}

#[tokio::test]
async fn an_owner_without_a_key_has_no_children() {
    let t = Harness::new("optional_targets_backwards").await;
    let articles = [article(1, Some("a")), article(2, None)];
    t.given(&articles).await;
    t.given(&[order(1, Some("a")), order(2, None)]).await;
    let orders = t.database().collection("orders");
    orders.insert_one(doc! { "_id": 3 }).await.unwrap();

    let joined = Article::join_orders(&articles, &t.odm).await.unwrap();
    let counts = Article::join_orders(&articles, &t.odm).count_each();
    let counts = counts.await.unwrap();
    for (article, count) in articles.iter().zip([1, 0]) {
        assert_eq!(joined.of(article).len(), count);
        assert_eq!(counts.of(article), count as u64);
        assert_eq!(article.load_orders(&t.odm).await.unwrap().len(), count);
        assert_eq!(article.count_orders(&t.odm).await.unwrap(), count as u64);
        let limited = Article::join_orders([article], &t.odm).limit_each(5);
        assert_eq!(limited.await.unwrap().of(article).len(), count);
        assert_eq!(article.load_notes(&t.odm).await.unwrap(), []);
        assert_eq!(article.load_offers(&t.odm).await.unwrap(), []);
    }
}
