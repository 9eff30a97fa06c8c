//! References that are removed in different ways. A removed reference is equivalent to null, so its
//! copies are removed.

use mongo_odm::{
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "unset_keepers")]
pub struct Keeper {
    #[serde(rename = "_id")]
    pub id: Id<Keeper, i32>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Visit {
    #[refs(one)]
    pub by: Option<Id<Keeper, i32>>,
    #[denorm(from = Keeper.name)]
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "unset_pets")]
pub struct Pet {
    #[serde(rename = "_id")]
    pub id: Id<Pet, i32>,
    #[refs(one)]
    pub keeper: Option<Id<Keeper, i32>>,
    #[denorm(from = Keeper.name, via = keeper)]
    pub keeper_name: Option<String>,
    #[embed]
    pub last: Option<Visit>,
    #[embed]
    #[serde(default)]
    pub visits: Vec<Visit>,
}

async fn zoo(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Keeper>().only::<Pet>();
    sync.await.unwrap();
    let keeper = |id: i32| Keeper {
        id: Id::from_key(id),
        name: format!("keeper {id}"),
    };
    t.given(&[keeper(1), keeper(2)]).await;
    t.given(&[pet(1), pet(2)]).await;
    t
}

fn visit(by: i32) -> Visit {
    Visit {
        by: Some(Id::from_key(by)),
        name: Some(format!("keeper {by}")),
    }
}

fn pet(id: i32) -> Pet {
    Pet {
        id: Id::from_key(id),
        keeper: Some(Id::from_key(1)),
        keeper_name: Some("keeper 1".to_owned()),
        last: Some(visit(1)),
        visits: vec![visit(1), visit(2)],
    }
}

/// Returns a stored visit, without a reference or with one.
fn stored(by: Option<i32>) -> Document {
    by.map_or(doc! { "name": Bson::Null }, |by| {
        doc! { "by": by, "name": format!("keeper {by}") }
    })
}

/// The updates that remove references, and the remaining document for each.
fn updates() -> Vec<(Document, Document)> {
    let whole = doc! {
        "_id": 1, "keeper": 1, "keeper_name": "keeper 1", "last": stored(Some(1)),
        "visits": [stored(Some(1)), stored(Some(2))],
    };
    let with = |field: &str, value: Bson| {
        let mut document = whole.clone();
        document.insert(field, value);
        document
    };
    let mut without_keeper = with("keeper_name", Bson::Null);
    without_keeper.remove("keeper");
    let mut moved = without_keeper.clone();
    moved.insert("former", 1);
    let mut without_last = whole.clone();
    without_last.remove("last");
    let first = vec![stored(None), stored(Some(2))];
    let unset = |path: &str| doc! { "$unset": { path: "" } };
    let mut two = unset("keeper");
    two.insert("$set", doc! { "last.by": 2 });
    let mut both = without_keeper.clone();
    both.insert("last", stored(Some(2)));
    vec![
        (unset("keeper"), without_keeper.clone()),
        (
            doc! { "$unset": { "keeper": "", "keeper_name": "" } },
            without_keeper,
        ),
        (doc! { "$rename": { "keeper": "former" } }, moved),
        (unset("last.by"), with("last", stored(None).into())),
        (unset("last"), without_last),
        (unset("visits.0.by"), with("visits", first.into())),
        (
            unset("visits.$[].by"),
            with("visits", vec![stored(None); 2].into()),
        ),
        (two, both),
    ]
}

/// Compares the documents as maps, because a copy that is set may be in a different position.
async fn assert_left(t: &Harness, expected: &Document, context: &str) {
    let left = raw(&t.odm, "unset_pets", 1).await;
    assert_eq!(left, *expected, "{context}");
    assert!(
        t.odm.verify().only::<Pet>().await.unwrap().is_empty(),
        "{context}"
    );
    pet(1).save(&t.odm).await.unwrap();
}

#[tokio::test]
async fn a_reference_that_is_unset_takes_its_copies_along() {
    let t = zoo("unset").await;
    let id = Id::from_key(1);
    for (update, expected) in updates() {
        let context = |what: &str| format!("{what} {update}");
        let one = Pet::update(&t.odm, id).with(update.clone());
        one.await.unwrap();
        assert_left(&t, &expected, &context("update")).await;
        let many = Pet::update_many(&t.odm, doc! { "_id": 1 }).with(update.clone());
        many.await.unwrap();
        assert_left(&t, &expected, &context("update_many")).await;
        let find = Pet::find_one_and_update(&t.odm, doc! { "_id": 1 });
        find.with(update.clone()).await.unwrap();
        assert_left(&t, &expected, &context("find_one_and_update")).await;
        let upsert = Pet::upsert(&t.odm, doc! { "_id": 1 });
        upsert.with(update.clone()).await.unwrap();
        assert_left(&t, &expected, &context("upsert")).await;
    }
}

#[tokio::test]
async fn a_typed_unset_is_the_same_as_none() {
    let t = zoo("unset_typed").await;
    let (keeper, id) = (Pet::fields().keeper, Id::from_key(1));
    Pet::update(&t.odm, id).unset(keeper).await.unwrap();
    let unset = raw(&t.odm, "unset_pets", 1).await;
    assert_eq!(
        (unset.get("keeper"), unset.get("keeper_name")),
        (None, Some(&Bson::Null))
    );
    let none = Pet::update(&t.odm, Id::from_key(2)).set(keeper, None::<Id<Keeper, i32>>);
    none.await.unwrap();
    let none = raw(&t.odm, "unset_pets", 2).await;
    assert_eq!(none.get("keeper_name"), unset.get("keeper_name"));
    t.forget();
    Pet::update(&t.odm, id).unset(keeper).await.unwrap();
    let names = t.recorder().names();
    assert_eq!(
        names,
        ["update", "commitTransaction"],
        "the update brings what the copy holds"
    );
}

/// If a field is renamed to the reference, the copy is set from the new source.
#[tokio::test]
async fn a_field_that_is_renamed_to_the_reference_brings_its_copy() {
    let t = zoo("unset_rename").await;
    let pets = t.odm.database().collection::<Document>("unset_pets");
    let next = doc! { "$set": { "next": 2 } };
    pets.update_one(doc! { "_id": 1 }, next).await.unwrap();
    let rename = doc! { "$rename": { "next": "keeper" } };
    Pet::update(&t.odm, Id::from_key(1))
        .with(rename)
        .await
        .unwrap();
    let pet = raw(&t.odm, "unset_pets", 1).await;
    assert_eq!(pet.get_str("keeper_name").unwrap(), "keeper 2");
}
