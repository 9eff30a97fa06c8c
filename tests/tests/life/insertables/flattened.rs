//! Insertable structs with a flattened map, whose keys come from a request.

use std::collections::HashMap;

use mongo_odm::{
    ErrorKind,
    bson::{Bson, Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use super::models::stored;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ins_users")]
struct User {
    #[serde(rename = "_id")]
    id: Id<User>,
    name: String,
    #[serde(default, alias = "is_admin")]
    admin: bool,
    #[serde(flatten)]
    home: Home,
    #[serde(default)]
    lines: Vec<Line>,
    #[serde(flatten)]
    extra: HashMap<String, Bson>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Home {
    city: String,
    #[serde(default)]
    zip: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    sku: String,
    #[serde(default)]
    free: bool,
    #[serde(flatten)]
    extra: HashMap<String, Bson>,
}

#[derive(Debug, Deserialize, Insertable)]
#[insertable(of = "User")]
struct NewUser {
    name: String,
    #[embed]
    #[serde(flatten)]
    home: NewHome,
    #[embed]
    #[serde(default)]
    lines: Vec<NewLine>,
    #[serde(flatten)]
    extra: HashMap<String, Bson>,
}

#[derive(Debug, Deserialize, Insertable)]
#[insertable(of = "Home")]
struct NewHome {
    city: String,
}

#[derive(Debug, Deserialize, Insertable)]
#[insertable(of = "Line")]
struct NewLine {
    sku: String,
    #[serde(flatten)]
    extra: HashMap<String, Bson>,
}

fn new_user(extra: Document) -> NewUser {
    NewUser {
        name: "x".into(),
        home: NewHome {
            city: "Bern".into(),
        },
        lines: vec![],
        extra: extra.into_iter().collect(),
    }
}

#[tokio::test]
async fn a_flattened_map_is_stored_beside_the_other_fields() {
    let t = Harness::long_declared("ins_flattened").await;
    let mut new = new_user(doc! { "color": "red" });
    let line = NewLine {
        sku: "a".into(),
        extra: [("size".to_owned(), Bson::Int32(3))].into(),
    };
    new.lines.push(line);
    let user = new.insert(&t.odm).await.unwrap();
    assert_eq!(user.extra.get("color"), Some(&Bson::from("red")));
    let stored = stored(&t, "ins_users").await;
    assert_eq!(stored.get("city"), Some(&Bson::from("Bern")));
    let lines = stored.get_array("lines").unwrap();
    assert_eq!(
        lines[..],
        [doc! { "sku": "a", "free": false, "size": 3 }.into()]
    );
}

#[tokio::test]
async fn a_key_of_a_flattened_map_never_becomes_another_field() {
    let t = Harness::long_declared("ins_assigned").await;
    let keys = ["admin", "_id", "name", "city", "zip", "lines"];
    for key in keys {
        let value = match key {
            "_id" => Bson::from(Id::<User>::new()),
            "admin" => true.into(),
            "lines" => Bson::Array(vec![]),
            _ => "y".into(),
        };
        let error = new_user(doc! { key: value }).insert(&t.odm).await;
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Encode);
        let text = error.to_string();
        let expected = format!("`User` would contain the field `{key}` twice");
        assert!(text.contains(&expected), "{text}");
        assert!(text.contains("rename the key"), "{text}");
    }
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn a_key_of_a_flattened_map_in_an_embedded_struct_never_becomes_another_field() {
    let t = Harness::long_declared("ins_assigned_inside").await;
    let mut new = new_user(doc! {});
    new.lines.push(NewLine {
        sku: "a".into(),
        extra: [("free".to_owned(), Bson::Boolean(true))].into(),
    });
    let error = new.insert(&t.odm).await.unwrap_err().to_string();
    let expected = "`Line` would contain the field `free` twice";
    assert!(error.contains(expected), "{error}");
    assert_eq!(t.recorder().names(), [""; 0]);
}

#[tokio::test]
async fn a_key_of_a_flattened_map_never_becomes_a_field_through_its_alias() {
    let t = Harness::long_declared("ins_assigned_alias").await;
    let new = new_user(doc! { "is_admin": true });
    let error = new.insert(&t.odm).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Encode);
    let text = error.to_string();
    assert!(text.contains("`is_admin`"), "{text}");
    assert!(text.contains("rename the key"), "{text}");
    assert_eq!(t.recorder().names(), [""; 0]);
}

/// A check of each key against each other key would take minutes.
#[tokio::test]
async fn a_map_with_many_keys_is_checked_in_a_short_time() {
    let t = Harness::long_declared("ins_many_keys").await;
    let many: Document = (0..100_000)
        .map(|number| (format!("a{number}"), Bson::Int32(number)))
        .collect();
    let user = new_user(many).insert(&t.odm).await.unwrap();
    assert_eq!(user.extra.len(), 100_000);
}
