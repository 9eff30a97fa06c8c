//! Links that would make a document unreadable are not stored.

use mongo_odm::{AnyKey, Error, prelude::*};
use odm_tests::Harness;

/// A link with a string as its target, although one of the kinds has a different key type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct TextLink {
    target: String,
    doc_type: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "links_of_texts", kind(doc_type = "class"))]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class, String>,
    #[links]
    links: Vec<TextLink>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct AnyLink {
    target: AnyKey,
    doc_type: String,
    #[serde(default)]
    since: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "links_of_texts", kind(doc_type = "student"))]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student>,
    #[links]
    links: Vec<AnyLink>,
}

/// A link with a third field. The library does not know its value for a new link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct DatedLink {
    target: String,
    doc_type: String,
    since: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "links_of_dates", kind(doc_type = "room"))]
struct Room {
    #[serde(rename = "_id")]
    id: Id<Room, String>,
    #[links]
    links: Vec<DatedLink>,
}

fn is_refused(error: &Error, field: &str, reason: &str) {
    assert!(matches!(error, Error::Declaration(_)), "{error:?}");
    let text = error.to_string();
    assert!(text.contains(field) && text.contains(reason), "{text}");
}

#[tokio::test]
async fn a_link_whose_target_has_another_type_is_refused() {
    let t = Harness::new("links_target").await;
    let (class, student) = (
        Class {
            id: Id::from_key("C1".to_owned()),
            links: vec![],
        },
        Student {
            id: Id::new(),
            links: vec![],
        },
    );
    class.insert(&t.odm).await.unwrap();
    student.insert(&t.odm).await.unwrap();
    let of_text = "expected a string";
    for error in [
        class.link(&t.odm, &student).await.unwrap_err(),
        student.link(&t.odm, &class).await.unwrap_err(),
    ] {
        is_refused(&error, "`Class.links`", of_text);
    }
    assert_eq!(Class::find(&t.odm).await.unwrap()[0].links.len(), 1);
    assert_eq!(Student::find(&t.odm).await.unwrap()[0].links.len(), 1);
    student.unlink(&t.odm, &class).await.unwrap();
    let other = Student {
        id: Id::new(),
        links: vec![],
    };
    other.insert(&t.odm).await.unwrap();
    student.link(&t.odm, &other).await.unwrap();
    let linked = Student::linked_to(&t.odm, &student).await.unwrap();
    assert_eq!(linked[0].links.len(), 2);
}

#[tokio::test]
async fn a_link_that_needs_more_than_it_is_given_is_refused() {
    let t = Harness::new("links_fields").await;
    let room = Room {
        id: Id::from_key("R1".to_owned()),
        links: vec![],
    };
    let error = room.insert(&t.odm).await.unwrap_err();
    is_refused(&error, "`Room.links`", "missing field `since`");
    assert_eq!(Room::count(&t.odm).await.unwrap(), 0);
}
