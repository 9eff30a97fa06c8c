//! Text searches with scores.

use mongo_odm::{Error, TextSearch, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "text_bikes", index(keys(name = "text", note = "text")))]
#[serde(deny_unknown_fields)]
struct Bike {
    #[serde(rename = "_id")]
    id: Id<Bike, i32>,
    name: String,
    note: String,
    price: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "text_shops")]
struct Shop {
    #[serde(rename = "_id")]
    id: Id<Shop, i32>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "text_notes", kind(kind = "letter"))]
struct Letter {
    #[serde(rename = "_id")]
    id: Id<Letter, i32>,
    #[index(text)]
    text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "text_notes", kind(kind = "card"))]
struct Card {
    #[serde(rename = "_id")]
    id: Id<Card, i32>,
    text: String,
}

fn bike(id: i32, name: &str, note: &str) -> Bike {
    Bike {
        id: Id::from_key(id),
        name: name.to_owned(),
        note: note.to_owned(),
        price: 10 * id,
    }
}

async fn harness(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.odm.sync_indexes().only::<Bike>().await.unwrap();
    t.given(&[
        bike(1, "city bike", "for the city"),
        bike(2, "tandem", "a bike for two"),
        bike(3, "scooter", "electric, for the city"),
        bike(4, "cargo bike", "electric"),
    ])
    .await;
    t
}

#[tokio::test]
async fn documents_are_sorted_by_their_score() {
    let t = harness("text_score").await;
    let found = Bike::find(&t.odm)
        .text("city bikes")
        .by_score()
        .with_score();
    let found = found.await.unwrap();
    let ids: Vec<i32> = found.iter().map(|it| *it.document.id.key()).collect();
    assert_eq!(ids.len(), 4);
    assert_eq!(ids[0], 1);
    assert!(found.is_sorted_by(|left, right| left.score >= right.score));
    assert!(found.iter().all(|it| it.score > 0.0));
    let best = Bike::find(&t.odm).text("city bikes").by_score().first();
    assert_eq!(best.await.unwrap(), Some(found[0].document.clone()));
    let cheap = Bike::find(&t.odm)
        .text("bike")
        .filter(Bike::fields().price.lt(40));
    assert_eq!(cheap.await.unwrap().len(), 2);
}

#[tokio::test]
async fn pages_have_scores() {
    let t = harness("text_pages").await;
    let first = |size| {
        let found = Bike::find(&t.odm).text("city bikes").with_score();
        found.sort(Bike::fields().price.asc()).page(size)
    };
    let all = first(10).await.unwrap().items;
    assert_eq!(all.len(), 4);
    assert!(all.iter().all(|it| it.score > 0.0));
    let page = first(3).await.unwrap();
    assert_eq!(page.items, all[..3]);
    let next = first(3).after(page.next).await.unwrap();
    assert_eq!(next.items, all[3..]);
}

#[tokio::test]
async fn searches_have_phrases_languages_and_other_calls() {
    let t = harness("text_forms").await;
    let count = |search: TextSearch| Bike::count(&t.odm).filter(Filter::text(search));
    assert_eq!(count("bike".into()).await.unwrap(), 3);
    assert_eq!(count("bike -electric".into()).await.unwrap(), 2);
    assert_eq!(
        count(TextSearch::phrase("bike for \"two")).await.unwrap(),
        0
    );
    assert_eq!(count(TextSearch::phrase("bike for two")).await.unwrap(), 1);
    assert_eq!(
        count(TextSearch::new("Bike").case_sensitive())
            .await
            .unwrap(),
        0
    );
    assert_eq!(count(TextSearch::new("bikes")).await.unwrap(), 3);
    let exact = TextSearch::new("bikes")
        .language("none")
        .diacritic_sensitive();
    assert_eq!(count(exact).await.unwrap(), 0);
    let report = Bike::update_many(&t.odm, Filter::text("electric")).set(Bike::fields().price, 5);
    assert_eq!(report.await.unwrap().matched, 2);
}

#[tokio::test]
async fn a_search_without_an_index_is_not_sent() {
    let t = harness("text_index").await;
    let (rejected, sent) = t.sent(async { Shop::find(&t.odm).text("x").await }).await;
    assert!(sent.is_empty());
    let rejected = rejected.unwrap_err();
    assert!(matches!(
        rejected,
        Error::Invalid {
            model: Some("Shop"),
            ..
        }
    ));
    assert!(
        rejected.to_string().contains("`#[index(text)]`"),
        "{rejected}"
    );
    // The text index on letters does not contain cards, so a search for cards fails.
    assert!(Card::count(&t.odm).filter(Filter::text("x")).await.is_err());
    t.odm.sync_indexes().only::<Letter>().await.unwrap();
    let letter = Letter {
        id: Id::from_key(1),
        text: "dear friend".to_owned(),
    };
    letter.insert(&t.odm).await.unwrap();
    let found = Letter::find(&t.odm).text("friends").await.unwrap();
    assert_eq!(found, [letter]);
    for rejected in [
        Bike::find(&t.odm).by_score().plan().unwrap_err(),
        Bike::find(&t.odm).with_score().plan().unwrap_err(),
    ] {
        assert!(rejected.to_string().contains("`.text("), "{rejected}");
    }
}
