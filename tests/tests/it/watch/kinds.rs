//! Change streams of a model that is one of several kinds in a collection.

use mongo_odm::{action::DocumentChange, prelude::*};
use odm_tests::Harness;

use super::next;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_school", kind(doc_type = "class"))]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class, i64>,
    title: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_school", kind(doc_type = "student"))]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, String>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_plants", kind(kind = "tree"), pre_images)]
struct Tree {
    #[serde(rename = "_id")]
    id: Id<Tree, i64>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "watched_plants", kind(kind = "herb"))]
struct Herb {
    #[serde(rename = "_id")]
    id: Id<Herb, i64>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Plant {
    Tree(Tree),
    Herb(Herb),
}

#[tokio::test]
async fn a_stream_contains_only_its_kind() {
    let t = Harness::new("watch_kinds").await;
    let mut changes = Class::watch(&t.odm).await.unwrap();
    let student = Student {
        id: Id::from_key("ann".to_owned()),
        name: "Ann".to_owned(),
    };
    student.insert(&t.odm).await.unwrap();
    Student::update(&t.odm, &student.id)
        .set(Student::fields().name, "Anna")
        .await
        .unwrap();
    // The event does not contain the kind of the deleted document, but its id does not have the type of a class's id.
    Student::delete(&t.odm, &student.id).await.unwrap();
    let class = Class {
        id: Id::from_key(7),
        title: "history".to_owned(),
    };
    class.insert(&t.odm).await.unwrap();
    Class::update(&t.odm, class.id)
        .set(Class::fields().title, "art")
        .await
        .unwrap();
    let inserted = next(&mut changes).await.change;
    assert_eq!(inserted.document(), Some(&class));
    let updated = next(&mut changes).await.change;
    assert_eq!(updated.document().map(|it| it.title.as_str()), Some("art"));
    Class::delete(&t.odm, class.id).await.unwrap();
    let deleted = next(&mut changes).await.change;
    assert!(matches!(deleted, DocumentChange::Deleted { id, .. } if id == class.id));
}

#[tokio::test]
async fn with_pre_images_deletes_are_selected_by_kind() {
    let t = Harness::new("watch_deleted_kinds").await;
    t.odm.sync_indexes().only::<Tree>().await.unwrap();
    let mut trees = Tree::watch(&t.odm).with_before().await.unwrap();
    // One kind declares pre-images, and the server keeps them for all documents of the collection.
    let mut plants = Plant::watch(&t.odm).with_before().await.unwrap();
    let herb = Herb {
        id: Id::from_key(1),
        name: "thyme".to_owned(),
    };
    let tree = Tree {
        id: Id::from_key(2),
        name: "oak".to_owned(),
    };
    herb.insert(&t.odm).await.unwrap();
    tree.insert(&t.odm).await.unwrap();
    Herb::delete(&t.odm, herb.id).await.unwrap();
    Tree::delete(&t.odm, tree.id).await.unwrap();
    let inserted = next(&mut trees).await.change;
    assert_eq!(inserted.document(), Some(&tree));
    let deleted = next(&mut trees).await.change;
    assert_eq!(deleted.before(), Some(&tree));
    // A stream of the enum contains the changes of all kinds.
    let first = next(&mut plants).await.change;
    assert!(matches!(first, DocumentChange::Inserted(Plant::Herb(it)) if it == herb));
    let second = next(&mut plants).await.change;
    assert!(matches!(second, DocumentChange::Inserted(Plant::Tree(it)) if it == tree));
    let third = next(&mut plants).await.change;
    assert!(matches!(third.before(), Some(Plant::Herb(it)) if *it == herb));
    assert!(matches!(third, DocumentChange::Deleted { id, .. } if *id.key() == 1));
}
