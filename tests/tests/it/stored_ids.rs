//! An id is decoded only from the BSON type in which it is stored.

use mongo_odm::{
    AnyKey, Error,
    bson::{Binary, Bson, Uuid, spec::BinarySubtype},
    prelude::*,
};
use odm_tests::Harness;

/// A shelf with a relation to its boxes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "shelves", has_many(boxes = "Carton.shelf"))]
struct Shelf {
    #[serde(rename = "_id")]
    id: Id<Shelf>,
    name: String,
}

/// The same shelves, read with ids of any type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "shelves")]
struct AnyShelf {
    #[serde(rename = "_id")]
    id: Id<AnyShelf, AnyKey>,
    name: String,
}

/// A box on a shelf.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "boxes")]
struct Carton {
    #[serde(rename = "_id")]
    id: Id<Carton, Uuid>,
    #[parent_ref]
    shelf: Id<Shelf>,
}

/// A model with ids in other positions: in options, arrays, flattened structs and variants of enums.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "places")]
struct Places {
    #[serde(rename = "_id")]
    id: Id<Places, Name>,
    best: Option<Id<Carton, Uuid>>,
    all: Vec<Id<Shelf>>,
    label: Id<Places, String>,
    number: Id<Places, i64>,
    kind: Kind,
    #[serde(flatten)]
    flat: Flat,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Name(String);
impl mongo_odm::Key for Name {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Flat {
    first: Id<Shelf>,
    second: Id<Carton, Uuid>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
enum Kind {
    On { shelf: Id<Shelf> },
}

async fn given(t: &Harness, collection: &str, document: mongo_odm::bson::Document) {
    t.database()
        .collection(collection)
        .insert_one(document)
        .await
        .unwrap();
}

/// Returns the path and the message of a decoding error.
fn refused<T: std::fmt::Debug>(result: Result<T, Error>) -> (String, String) {
    match result.unwrap_err() {
        Error::Decode { path, message, .. } => (path, message),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_text_where_an_object_id_is_declared_is_not_read_as_an_id() {
    let t = Harness::new("a_text_is_no_object_id").await;
    let id = ObjectId::new();
    given(&t, "shelves", doc! { "_id": id.to_hex(), "name": "text" }).await;
    let (path, message) = refused(Shelf::find_one(&t.odm).await);
    assert_eq!(path, "_id");
    let said = format!("\"{}\" is stored where `ObjectId` is declared", id.to_hex());
    assert!(message.contains(&said), "{message}");
    let mut shelf = AnyShelf::find_one(&t.odm).require().await.unwrap();
    assert_eq!(shelf.id.key().0, Bson::from(id.to_hex()));
    shelf.name = "renamed".to_owned();
    shelf.save(&t.odm).await.unwrap();
    assert_eq!(AnyShelf::find(&t.odm).await.unwrap(), [shelf]);
}

#[tokio::test]
async fn a_text_or_another_subtype_where_a_uuid_is_declared_is_not_read_as_an_id() {
    let t = Harness::new("a_text_is_no_uuid").await;
    let (uuid, shelf) = (Uuid::new(), ObjectId::new());
    let binary = |subtype| Binary {
        subtype,
        bytes: uuid.bytes().to_vec(),
    };
    let wrong = [
        Bson::from(uuid.to_string()),
        binary(BinarySubtype::Generic).into(),
        binary(BinarySubtype::UuidOld).into(),
    ];
    for id in wrong {
        given(&t, "boxes", doc! { "_id": id.clone(), "shelf": shelf }).await;
        let (path, _) = refused(Carton::find_one(&t.odm).filter(doc! { "_id": id }).await);
        assert_eq!(path, "_id");
    }
    given(&t, "boxes", doc! { "_id": uuid, "shelf": shelf }).await;
    let carton = Carton::get(&t.odm, Id::from_key(uuid)).await.unwrap();
    assert_eq!(*carton.shelf.key(), shelf);
}

#[tokio::test]
async fn a_child_that_stores_its_parent_as_text_is_refused_and_not_lost() {
    let t = Harness::new("a_child_with_a_text").await;
    let shelf = Shelf {
        id: Id::new(),
        name: "shelf".to_owned(),
    };
    t.given(std::slice::from_ref(&shelf)).await;
    let text = shelf.id.to_string();
    given(&t, "boxes", doc! { "_id": Uuid::new(), "shelf": text }).await;
    assert!(shelf.load_boxes(&t.odm).await.unwrap().is_empty());
    let (path, _) = refused(Carton::find(&t.odm).await);
    assert_eq!(path, "shelf");
}

fn places() -> Places {
    let (shelf, carton) = (Id::new(), Id::from_key(Uuid::new()));
    Places {
        id: Id::from_key(Name("here".to_owned())),
        best: Some(carton),
        all: vec![shelf],
        label: Id::from_key("label".to_owned()),
        number: Id::from_key(7),
        kind: Kind::On { shelf },
        flat: Flat {
            first: shelf,
            second: carton,
        },
    }
}

#[tokio::test]
async fn an_id_of_another_type_is_refused_wherever_it_stands() {
    let t = Harness::new("an_id_wherever_it_stands").await;
    let places = places();
    let shelf = places.flat.first;
    places.insert(&t.odm).await.unwrap();
    let all = || Places::find_one(&t.odm);
    assert_eq!(all().require().await.unwrap(), places);
    let (id, uuid) = (shelf.to_string(), places.flat.second.to_string());
    let bytes = |bytes: &[u8]| {
        Bson::Binary(Binary {
            subtype: BinarySubtype::Generic,
            bytes: bytes.to_vec(),
        })
    };
    let wrong: [(&str, Bson, &str); 11] = [
        ("best", uuid.clone().into(), "best"),
        ("all.0", id.clone().into(), "all.0"),
        ("all.0", bytes(&shelf.key().bytes()), "all.0"),
        ("all.0", doc! { "$oid": id.clone() }.into(), "all.0"),
        ("all.0", Bson::Null, "all.0"),
        ("label", bytes(b"label"), "label"),
        ("number", "7".into(), "number"),
        ("number", Bson::Double(7.5), "number"),
        ("kind.shelf", id.clone().into(), "kind"),
        ("first", id.into(), "(document)"),
        ("second", uuid.into(), "(document)"),
    ];
    for (place, value, path) in wrong {
        let set = doc! { "$set": { place: value.clone() } };
        let collection = t.database().collection("places");
        collection.update_many(doc! {}, set).await.unwrap();
        let (at, message) = refused(all().await);
        assert_eq!(at, path, "{place} = {value}: {message}");
        collection.delete_many(doc! {}).await.unwrap();
        places.insert(&t.odm).await.unwrap();
    }
}

#[tokio::test]
async fn a_number_of_another_bson_type_is_the_same_id() {
    let t = Harness::new("a_number_of_another_type").await;
    let places = places();
    places.insert(&t.odm).await.unwrap();
    let collection = t.database().collection("places");
    let set = doc! { "$set": { "number": 7_i32 } };
    collection.update_many(doc! {}, set).await.unwrap();
    let found = Places::find_one(&t.odm).require().await.unwrap();
    assert_eq!(found, places);
}

#[test]
fn json_keeps_accepting_text() {
    let places = places();
    let json = serde_json::to_value(&places).unwrap();
    assert_eq!(serde_json::from_value::<Places>(json).unwrap(), places);
    let (id, uuid) = (
        places.flat.first.to_string(),
        places.flat.second.to_string(),
    );
    let text = serde_json::json!({
        "_id": "here", "best": uuid, "all": [id], "label": "label", "number": 7,
        "kind": { "is": "on", "shelf": id }, "first": id, "second": uuid,
    });
    assert_eq!(serde_json::from_value::<Places>(text).unwrap(), places);
}
