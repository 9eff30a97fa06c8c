//! Models that share the documents of a collection although one of them has a kind. Such models are
//! rejected.

use mongo_odm::Error;

use super::*;

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "kind_clash_same", kind(doc_type = "class"))]
struct First {
    #[serde(rename = "_id")]
    id: Id<First, i64>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "kind_clash_same", kind(doc_type = "class"))]
struct Second {
    #[serde(rename = "_id")]
    id: Id<Second, i64>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "kind_clash_without", kind(doc_type = "class"))]
struct OfKind {
    #[serde(rename = "_id")]
    id: Id<OfKind, i64>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "kind_clash_without")]
struct OfAll {
    #[serde(rename = "_id")]
    id: Id<OfAll, i64>,
}

/// One of two models without kinds, which share their documents.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "kind_shared")]
struct Whole {
    #[serde(rename = "_id")]
    id: Id<Whole, i64>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "kind_shared")]
struct Again {
    #[serde(rename = "_id")]
    id: Id<Again, i64>,
}

const SAME: &str = "`First` and `Second` are in `kind_clash_same`, and both are of the kind \"class\"; give one of them \
    another, or make one model of them";
const WITHOUT: &str = "`OfKind` is the model of the documents of `kind_clash_without` with `doc_type` \"class\", and `OfAll` of all \
    documents; write `kind(doc_type = \"..\")` at `OfAll` too, or remove that of `OfKind`";

#[tokio::test]
async fn models_that_cannot_be_told_apart_are_refused_before_the_first_write() {
    let all = mongo_odm::check_models().unwrap_err().to_string();
    assert!(all.contains(SAME) && all.contains(WITHOUT), "{all}");
    assert!(!all.contains("kind_shared"), "{all}");
    let t = empty("kinds_clash").await;
    t.forget();
    let (one, two) = (
        First {
            id: Id::from_key(1),
        },
        Second {
            id: Id::from_key(1),
        },
    );
    for (error, message) in [
        (one.insert(&t.odm).await.unwrap_err(), SAME),
        (two.save(&t.odm).await.unwrap_err(), SAME),
        (First::delete(&t.odm, one.id).await.unwrap_err(), SAME),
        (
            OfKind {
                id: Id::from_key(1),
            }
            .insert(&t.odm)
            .await
            .unwrap_err(),
            WITHOUT,
        ),
        (
            OfAll {
                id: Id::from_key(1),
            }
            .insert(&t.odm)
            .await
            .unwrap_err(),
            WITHOUT,
        ),
    ] {
        assert!(matches!(error, Error::Declaration(_)), "{error:?}");
        assert_eq!(error.to_string(), message);
    }
    assert!(t.recorder().names().is_empty());
}

#[tokio::test]
async fn two_models_without_kinds_share_their_documents() {
    let t = empty("kinds_shared").await;
    Whole {
        id: Id::from_key(1),
    }
    .insert(&t.odm)
    .await
    .unwrap();
    Again {
        id: Id::from_key(2),
    }
    .insert(&t.odm)
    .await
    .unwrap();
    assert_eq!(Whole::count(&t.odm).await.unwrap(), 2);
    assert_eq!(Again::count(&t.odm).await.unwrap(), 2);
}
