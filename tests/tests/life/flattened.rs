//! Flattened maps, whose keys come from the users of a service.

use std::collections::BTreeMap;

use mongo_odm::{
    bson::{Bson, doc},
    prelude::*,
};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_forms", tenant = "org")]
struct Form {
    #[serde(rename = "_id")]
    id: Id<Form, i64>,
    org: Option<i64>,
    text: String,
    #[embed(max = 5)]
    parts: Vec<Part>,
    #[deleted_at]
    deleted: Option<DateTime>,
    #[serde(flatten)]
    custom: BTreeMap<String, Bson>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Part {
    name: String,
    #[serde(flatten)]
    custom: BTreeMap<String, Bson>,
}

fn custom(key: &str) -> BTreeMap<String, Bson> {
    BTreeMap::from([(key.to_owned(), Bson::Int64(2))])
}

#[tokio::test]
async fn a_key_of_a_map_cannot_have_the_name_of_a_field() {
    let t = Harness::new("life_flattened").await;
    let odm = &t.odm.for_tenant(1_i64);
    let form = Form {
        id: Id::from_key(1),
        org: Some(1),
        text: "a".into(),
        parts: vec![Part {
            name: "b".into(),
            custom: custom("size"),
        }],
        deleted: None,
        custom: custom("color"),
    };
    form.insert(odm).await.unwrap();
    let mut nested = form.clone();
    nested.parts[0].custom = custom("name");
    let mut all = vec![("name", nested)];
    let marks = ["_odm_delete", "_odm_deleted_at", "_odm_restoring"];
    for key in ["org", "text"].into_iter().chain(marks) {
        let mut other = form.clone();
        other.custom = custom(key);
        all.push((key, other));
    }
    for (key, form) in all {
        let mut new = form.clone();
        new.id = Id::from_key(2);
        let expected = format!("would contain the field `{key}` twice");
        for failed in [
            new.insert(odm).await.map(drop),
            Form::insert_many(odm, [&new]).await.map(drop),
            form.save(odm).await.map(drop),
            form.replace(odm).await.map(drop),
        ] {
            let failed = failed.unwrap_err().to_string();
            assert!(failed.contains(&expected), "{failed}");
        }
    }
    assert_eq!(Form::find(odm).await.unwrap(), [form]);
    let other = t.odm.for_tenant(2_i64);
    assert_eq!(Form::count(&other).await.unwrap(), 0);
    let stored = t.odm.database().collection::<Bson>("life_forms");
    assert_eq!(stored.count_documents(doc! {}).await.unwrap(), 1);
}
