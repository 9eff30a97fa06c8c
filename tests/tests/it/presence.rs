//! Arrays of structs with references that are missing, null, empty or filled. These states are
//! preserved.

use mongo_odm::{
    Error, Presence,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::{
    Harness,
    shop::{Part, parts},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    #[refs(one)]
    part: Id<Part>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    count: Presence<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "baskets")]
struct Basket {
    #[serde(rename = "_id")]
    id: Id<Basket, i32>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    #[embed(max = 3)]
    #[refs(many)]
    lines: Presence<Vec<Line>>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    #[refs(one)]
    gift: Presence<Id<Part>>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Basket")]
struct Gift {
    #[serde(default)]
    gift: Presence<Id<Part>>,
}

/// A basket whose field lacks `default` and `skip_serializing_if`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "baskets")]
struct Careless {
    #[serde(rename = "_id")]
    id: Id<Careless, i32>,
    gift: Presence<ObjectId>,
}

fn documents(part: Id<Part>) -> [Document; 4] {
    let line = |count| doc! { "part": part, "count": count };
    let lines = [
        doc! { "part": part },
        line(Bson::Null),
        line(Bson::Int32(2)),
    ];
    [
        doc! { "_id": 0 },
        doc! { "_id": 1, "lines": Bson::Null, "gift": Bson::Null },
        doc! { "_id": 2, "lines": [] },
        doc! { "_id": 3, "lines": lines.to_vec(), "gift": part },
    ]
}

async fn stored(t: &Harness) -> Vec<Document> {
    use futures_util::TryStreamExt;
    let collection = t.database().collection("baskets");
    let found = collection.find(doc! {}).sort(doc! { "_id": 1 });
    let found = found.await.unwrap();
    found.try_collect().await.unwrap()
}

async fn baskets(t: &Harness) -> Vec<Basket> {
    Basket::find(&t.odm)
        .sort(Basket::fields().id.asc())
        .await
        .unwrap()
}

#[tokio::test]
async fn missing_null_empty_and_filled_survive_a_save() {
    let t = Harness::new("presence_survives").await;
    let documents = documents(Id::new());
    let collection = t.database().collection("baskets");
    collection.insert_many(documents.clone()).await.unwrap();
    let found = baskets(&t).await;
    assert_eq!(found[0].lines, Presence::Missing);
    assert_eq!(found[1].lines, Presence::Null);
    assert_eq!(found[2].lines, Presence::Value(vec![]));
    let counts = found[3].lines.as_ref().unwrap().iter();
    let counts: Vec<_> = counts.map(|line| line.count).collect();
    assert_eq!(counts, [Presence::Missing, Presence::Null, 2.into()]);
    for basket in &found {
        basket.save(&t.odm).await.unwrap();
    }
    assert_eq!(stored(&t).await, documents);
    collection.delete_many(doc! {}).await.unwrap();
    Basket::insert_many(&t.odm, &found).await.unwrap();
    assert_eq!(stored(&t).await, documents);
    let gifts = Basket::find(&t.odm)
        .select::<Gift>()
        .sort(Basket::fields().id.asc())
        .await
        .unwrap();
    assert!(
        gifts
            .iter()
            .map(|of| of.gift)
            .eq(found.iter().map(|of| of.gift))
    );
}

#[tokio::test]
async fn references_below_are_loaded_joined_and_counted() {
    let t = Harness::new("presence_references").await;
    let parts = parts(1);
    t.given(&parts).await;
    let collection = t.database().collection("baskets");
    collection
        .insert_many(documents(parts[0].id))
        .await
        .unwrap();
    let found = baskets(&t).await;
    let joined = Basket::join_lines(&found, &t.odm).await.unwrap();
    let gifts = Basket::join_gift(&found, &t.odm).await.unwrap();
    for (basket, count) in found.iter().zip([0, 0, 0, 3]) {
        assert_eq!(joined.of(basket).len(), count);
        assert_eq!(basket.load_lines(&t.odm).await.unwrap().len(), count);
        assert_eq!(gifts.one_of(basket).is_some(), count == 3);
        assert_eq!(
            basket.load_gift(&t.odm).await.unwrap().is_some(),
            count == 3
        );
    }
}

#[tokio::test]
async fn operands_are_values_or_null() {
    let t = Harness::new("presence_operands").await;
    let (fields, part) = (Basket::fields(), Id::new());
    let collection = t.database().collection("baskets");
    collection.insert_many(documents(part)).await.unwrap();
    let found = Basket::find(&t.odm).filter(fields.lines.count.eq(2));
    assert_eq!(found.count().await.unwrap(), 1);
    let found = Basket::find(&t.odm).filter(fields.gift.eq(part));
    assert_eq!(found.count().await.unwrap(), 1);
    let line = Line {
        part,
        count: Presence::Missing,
    };
    Basket::update(&t.odm, Id::from_key(0))
        .push(fields.lines, &line)
        .set(fields.gift, Presence::Null)
        .await
        .unwrap();
    let expected = doc! { "_id": 0, "lines": [{ "part": part }], "gift": Bson::Null };
    assert_eq!(stored(&t).await[0], expected);
    // The struct does not store a missing field, so the update removes it.
    let missing = Basket::update(&t.odm, Id::from_key(0)).set(fields.gift, Presence::Missing);
    missing.await.unwrap();
    let expected = doc! { "_id": 0, "lines": [{ "part": part }] };
    assert_eq!(stored(&t).await[0], expected);
}

#[tokio::test]
async fn a_field_without_the_attributes_is_an_error_and_not_null() {
    let t = Harness::new("presence_careless").await;
    let collection = t.database().collection("baskets");
    collection.insert_one(doc! { "_id": 0 }).await.unwrap();
    let error = Careless::find_one(&t.odm).await.unwrap_err();
    assert!(
        error.to_string().contains("missing field `gift`"),
        "{error}"
    );
    let careless = Careless {
        id: Id::from_key(1),
        gift: Presence::Missing,
    };
    let error = careless.insert(&t.odm).await.unwrap_err();
    assert!(matches!(error, Error::Encode { .. }), "{error}");
    let said = "skip_serializing_if = \"Presence::is_missing\"";
    assert!(error.to_string().contains(said), "{error}");
}

#[test]
fn json_keeps_the_three_apart() {
    let of = |lines, gift| Basket {
        id: Id::from_key(0),
        lines,
        gift,
    };
    let line = Line {
        part: Id::new(),
        count: Presence::Null,
    };
    for basket in [
        of(Presence::Missing, Presence::Null),
        of(Presence::Null, Presence::Missing),
        of(vec![].into(), line.part.into()),
        of(vec![line].into(), Presence::Missing),
    ] {
        let json = serde_json::to_string(&basket).unwrap();
        assert_eq!(serde_json::from_str::<Basket>(&json).unwrap(), basket);
    }
}
