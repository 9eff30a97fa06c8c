//! Kinds, including a kind that also accepts documents without the kind field.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "plan_kinds", kind(doc_type = "class", default))]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class>,
    name: String,
    doc_type: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "plan_kinds", kind(doc_type = "lesson"))]
struct Lesson {
    #[serde(rename = "_id")]
    id: Id<Lesson>,
    #[parent_ref(on_delete = "cascade")]
    class: Id<Class>,
    #[denorm(from = Class.name)]
    name: String,
}

#[tokio::test]
async fn statements_of_kinds() {
    let t = shop("plan_kinds").await;
    let odm = &t.odm;
    odm.sync_indexes().only::<Class>().await.unwrap();
    let class = |name: &str| Class {
        id: Id::new(),
        name: name.to_owned(),
        doc_type: None,
    };
    let first = class("first");
    first.insert(odm).await.unwrap();
    let lesson = Lesson {
        id: Id::new(),
        class: first.id,
        name: "first".to_owned(),
    };
    lesson.insert(odm).await.unwrap();
    Class::update(odm, first.id)
        .set(Class::fields().name, "again")
        .await
        .unwrap();
    same!(t, "find", Class::find(odm));
    same!(t, "count", Lesson::count(odm));
    let new = class("new");
    same!(t, "insert", new.insert(odm));
    let other = Lesson {
        id: Id::new(),
        ..lesson.clone()
    };
    same!(t, "insert a copy", other.insert(odm));
    let rename = || Class::update(odm, first.id).set(Class::fields().name, "renamed");
    same!(t, "rename", rename());
    let saved = Class {
        name: "saved".to_owned(),
        ..first.clone()
    };
    same!(t, "save", saved.save(odm));
    same!(t, "delete a child", Lesson::delete(odm, other.id));
    same!(t, "delete", Class::delete(odm, first.id));
}
