//! The Single Collection Pattern, document by document.
//!
//! Source: the manual of MongoDB, "Single Collection Pattern". Classes and students are in one collection. Each
//! document has links to the documents of the other kind and to itself.

use mongo_odm::bson::{Bson, Document};
use odm_tests::{cluster::is_sharded, explained::explained, sent::only};

use super::*;

const INDEX: &str = "links.target_1_links.doc_type_1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Link {
    target: String,
    doc_type: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Instructor {
    name: String,
    email: String,
    office_hours: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Lesson {
    day_time: String,
    location: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "students_classes", kind(doc_type = "class"))]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class, String>,
    class_name: String,
    course_id: String,
    instructor: Instructor,
    semester: String,
    schedule: Vec<Lesson>,
    current_topic: String,
    next_class_time: String,
    upcoming_session_summary: String,
    #[links]
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Registration {
    #[refs(one)]
    class_instance_id: Id<Class, String>,
    #[denorm(from = "Class.class_name")]
    class_name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "students_classes", kind(doc_type = "student"))]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, String>,
    name: String,
    #[embed]
    registered_classes: Vec<Registration>,
    #[links]
    #[serde(default)]
    links: Vec<Link>,
}

fn class(id: &str, class_name: &str) -> Class {
    let lesson = |day: &str| Lesson {
        day_time: format!("{day} 10:00 AM - 11:30 AM"),
        location: "Room 101, Science Building".to_owned(),
    };
    Class {
        id: Id::from_key(id.to_owned()),
        class_name: class_name.to_owned(),
        course_id: id.split('-').next().unwrap().to_owned(),
        instructor: Instructor {
            name: "Dr. Emily Smith".to_owned(),
            email: "emily.smith@example.com".to_owned(),
            office_hours: "Tuesdays and Thursdays 2:00 PM - 4:00 PM".to_owned(),
        },
        semester: "Spring 2025".to_owned(),
        schedule: ["Monday", "Wednesday", "Friday"].map(lesson).to_vec(),
        current_topic: "Loops and Iterations".to_owned(),
        next_class_time: "2025-01-09T10:00:00Z".to_owned(),
        upcoming_session_summary: "Kinds of loops, and when to use which.".to_owned(),
        links: Vec::new(),
    }
}

fn student(id: &str, name: &str, classes: &[&Class]) -> Student {
    let registration = |class: &&Class| Registration {
        class_instance_id: class.id.clone(),
        class_name: String::new(),
    };
    Student {
        id: Id::from_key(id.to_owned()),
        name: name.to_owned(),
        registered_classes: classes.iter().map(registration).collect(),
        links: Vec::new(),
    }
}

fn link(target: &str, doc_type: &str) -> Bson {
    doc! { "target": target, "doc_type": doc_type }.into()
}

/// Classes and students have links to each other. One `find` with one index reads a class with its students, or a
/// student with the classes.
#[tokio::test]
async fn s14_single_collection_pattern() {
    let t = empty("s14_single_collection_pattern").await;
    let odm = &t.odm;
    odm.sync_indexes()
        .only::<Class>()
        .only::<Student>()
        .await
        .unwrap();
    let programming = class("CS101-001", "Introduction to Programming");
    let algorithms = class("CS102-002", "Data Structures and Algorithms");
    t.given(&[programming.clone(), algorithms.clone()]).await;
    let jane = student("S12345", "Jane Doe", &[&programming, &algorithms]);
    let joe = student("S10023", "Joe Bloggs", &[&programming]);
    t.given(&[joe.clone(), jane.clone()]).await;
    programming.link(odm, [&joe, &jane]).await.unwrap();
    jane.link(odm, &algorithms).await.unwrap();

    // The documents of the manual.
    let stored = raw(odm, "students_classes", "CS101-001").await;
    assert_eq!(stored.get_str("doc_type").unwrap(), "class");
    let links = [
        link("CS101-001", "class"),
        link("S10023", "student"),
        link("S12345", "student"),
    ];
    assert_eq!(*stored.get_array("links").unwrap(), links);
    let stored = raw(odm, "students_classes", "S12345").await;
    assert_eq!(stored.get_str("doc_type").unwrap(), "student");
    let links = [
        link("S12345", "student"),
        link("CS101-001", "class"),
        link("CS102-002", "class"),
    ];
    assert_eq!(*stored.get_array("links").unwrap(), links);

    // Its index.
    let names = odm
        .database()
        .collection::<Document>("students_classes")
        .list_index_names()
        .await;
    assert!(names.unwrap().contains(&INDEX.to_owned()));

    // Reads a class and its students, only the students, and the classes of a student, by both fields of one link.
    t.forget();
    let mut students = Student::linked_to(odm, &programming).await.unwrap();
    if is_sharded() {
        // Without a sort, documents of several shards have no order.
        students.sort_by(|one, other| other.name.cmp(&one.name));
    }
    assert_eq!(
        students
            .iter()
            .map(|it| it.name.as_str())
            .collect::<Vec<_>>(),
        ["Joe Bloggs", "Jane Doe"]
    );
    let plan = explained(&t, only(&t, "find")).await;
    let bounds = doc! {
        "links.target": ["[\"CS101-001\", \"CS101-001\"]"], "links.doc_type": ["[\"class\", \"class\"]"],
    };
    assert_eq!(*plan.bounds(INDEX), bounds);
    assert_eq!(
        [plan.keys, plan.documents],
        [3, 3],
        "the class itself and its two students"
    );
    t.forget();
    let mut classes = Class::linked_to(odm, &jane).await.unwrap();
    if is_sharded() {
        classes.sort_by(|one, other| one.id.key().cmp(other.id.key()));
    }
    assert_eq!(
        classes
            .iter()
            .map(|it| it.id.key().as_str())
            .collect::<Vec<_>>(),
        ["CS101-001", "CS102-002"]
    );
    let plan = explained(&t, only(&t, "find")).await;
    let bounds = doc! {
        "links.target": ["[\"S12345\", \"S12345\"]"], "links.doc_type": ["[\"student\", \"student\"]"],
    };
    assert_eq!(*plan.bounds(INDEX), bounds);
    assert_eq!(
        [plan.keys, plan.documents],
        [3, 3],
        "the student and two classes"
    );
    t.forget();
    let classes = Class::join_linked([&jane, &joe], odm).await.unwrap();
    assert_eq!(
        (classes.of(&jane).count(), classes.of(&joe).count()),
        (2, 1)
    );
    explained(&t, only(&t, "find")).await.bounds(INDEX);

    // Fields that change often are stored once, and copies are updated.
    let fields = Class::fields();
    let renamed = Class::update(odm, &programming.id).set(fields.class_name, "Programming I");
    renamed
        .set(fields.current_topic, "Functions")
        .await
        .unwrap();
    let jane = Student::get(odm, &jane.id).await.unwrap();
    assert_eq!(jane.registered_classes[0].class_name, "Programming I");
    settle(odm).await;
}
