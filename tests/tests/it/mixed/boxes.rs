//! Variants that contain the model of their kind in a `Box`.

use mongo_odm::{bson::Document, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "boxed_school", kind(doc_type = "class"))]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class, String>,
    name: String,
    #[links]
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "boxed_school", kind(doc_type = "student"))]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, String>,
    name: String,
    #[links]
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Link {
    target: String,
    doc_type: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "lowercase")]
#[single_collection(shared(name: String))]
enum School {
    Class(Box<Class>),
    Student(Student),
    #[serde(untagged)]
    Other(Box<Document>),
}

#[tokio::test]
async fn boxed_kinds_are_read_filtered_and_linked() {
    let t = Harness::new("boxed_kinds").await;
    let class = Class {
        id: Id::from_key("c".to_owned()),
        name: "art".into(),
        links: vec![],
    };
    let student = Student {
        id: Id::from_key("s".to_owned()),
        name: "Jane".into(),
        links: vec![],
    };
    Class::insert(&class, &t.odm).await.unwrap();
    Student::insert(&student, &t.odm).await.unwrap();
    class.link(&t.odm, &student).await.unwrap();
    let other = doc! { "_id": "o", "doc_type": "other", "name": "x" };
    let raw = t.odm.database().collection::<Document>("boxed_school");
    raw.insert_one(&other).await.unwrap();

    let by_name = School::fields().name.asc();
    let found = School::find(&t.odm).sort(by_name).await.unwrap();
    let [
        School::Student(found_student),
        School::Class(found_class),
        School::Other(found_other),
    ] = found.as_slice()
    else {
        panic!("{found:?}");
    };
    assert_eq!(found_student.name, "Jane");
    assert_eq!(
        (&found_class.id, &found_class.name),
        (&class.id, &class.name)
    );
    assert_eq!(**found_other, other);

    let art = School::of_kind(Class::fields().name.eq("art"));
    let found = School::find(&t.odm).filter(art).await.unwrap();
    assert!(matches!(found.as_slice(), [School::Class(_)]));

    let linked = School::linked(&t.odm, &student.id).await.unwrap();
    assert_eq!(linked.classes.len(), 1);
    assert_eq!(linked.classes[0].name, "art");
}
