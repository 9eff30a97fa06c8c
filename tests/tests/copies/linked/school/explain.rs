//! Each query about the school uses an index that the links imply. If the kind is known, the bounds of the index scan
//! contain both fields, and otherwise only the target.

use mongo_odm::bson::Bson;
use odm_tests::{
    cluster::is_sharded,
    explained::{Explained, explained},
    sent::{commands, only},
};

use super::*;

const INDEX: &str = "links.target_1_links.doc_type_1";

/// Returns the bounds of one value.
fn point(text: &str) -> String {
    format!("[\"{text}\", \"{text}\"]")
}

/// Returns the bounds of links to one document whose kind is known.
fn bounds(target: &str, kind: &str) -> Document {
    doc! { "links.target": [point(target)], "links.doc_type": [point(kind)] }
}

/// Asserts that a query reads only documents with links to these targets, whichever kinds the targets have. On a cluster,
/// each shard has one scan.
fn assert_by_targets(plan: &Explained, targets: &[&str]) {
    let scans = plan.scans.as_slice();
    assert!(scans.len() == 1 || is_sharded(), "not one scan: {scans:?}");
    assert!(!scans.is_empty());
    let targets: Vec<Bson> = targets.iter().map(|it| point(it).into()).collect();
    for scan in scans {
        let index = scan.get_str("indexName").unwrap();
        assert!(index.starts_with("links.target_1_"), "{scan}");
        let bounds = scan.get_document("indexBounds").unwrap();
        assert_eq!(*bounds.get_array("links.target").unwrap(), targets);
    }
}

async fn sent(t: &Harness, name: &str) -> Explained {
    explained(t, only(t, name)).await
}

#[tokio::test]
async fn a_student_and_the_classes_are_found_by_the_implied_index() {
    let Some((t, _)) = stored("links_school_explained").await else {
        return;
    };
    let student = Id::<SchoolStudent, String>::from_key("S0".to_owned());
    // S0 has 11 classes.
    t.forget();
    Enrollment::linked(&t.odm, "S0").await.unwrap();
    let plan = sent(&t, "find").await;
    assert_by_targets(&plan, &["S0"]);
    assert_eq!((plan.keys, plan.documents), (12, 12));

    t.forget();
    SchoolClass::linked_to(&t.odm, &student).await.unwrap();
    let plan = sent(&t, "find").await;
    assert_eq!(*plan.bounds(INDEX), bounds("S0", "student"));
    assert_eq!((plan.keys, plan.documents), (12, 12));

    t.forget();
    SchoolClass::count_linked(&t.odm, &student).await.unwrap();
    let plan = sent(&t, "aggregate").await;
    assert_eq!(*plan.bounds(INDEX), bounds("S0", "student"));

    t.forget();
    let class = Id::<SchoolClass, String>::from_key("C22".to_owned());
    SchoolStudent::linked_to(&t.odm, &class).await.unwrap();
    let plan = sent(&t, "find").await;
    assert_eq!(*plan.bounds(INDEX), bounds("C22", "class"));
    assert_eq!((plan.keys, plan.documents), (15, 15));
}

#[tokio::test]
async fn what_is_asked_of_one_kind_is_found_by_the_implied_index() {
    let Some((t, _)) = stored("links_school_explained_kinds").await else {
        return;
    };
    let names = SchoolClass::fields().name;
    let linked = || Enrollment::linked(&t.odm, "S0");
    t.forget();
    linked().kinds::<(SchoolClass,)>().await.unwrap();
    linked().filter(names.ne("class 2")).await.unwrap();
    linked()
        .sort(names.asc())
        .limit::<SchoolClass>(3)
        .await
        .unwrap();
    linked().page(2).await.unwrap();
    let finds = commands(&t, "find");
    assert!(finds.len() >= 6, "two of the calls ask for each kind apart");
    assert_eq!(t.recorder().names().len(), finds.len());
    for find in finds {
        let plan = explained(&t, find).await;
        assert_by_targets(&plan, &["S0"]);
    }
}

#[tokio::test]
async fn many_students_are_joined_by_the_implied_index() {
    let Some((t, data)) = stored("links_school_explained_join").await else {
        return;
    };
    let three = &data.students[..3];
    let mut ids: Vec<&str> = three.iter().map(|it| it.id.key().as_str()).collect();
    ids.sort_unstable();
    t.forget();
    SchoolClass::join_linked(three, &t.odm).await.unwrap();
    let plan = sent(&t, "find").await;
    assert_by_targets(&plan, &ids);

    t.forget();
    let counts = SchoolClass::join_linked(three, &t.odm).count_each();
    counts.await.unwrap();
    let plan = sent(&t, "aggregate").await;
    assert_by_targets(&plan, &ids);
}
