//! References to documents of several kinds, with copies and delete rules.

use mongo_odm::SingleCollection;
use odm_tests::sent::stored;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mixed_school", kind(doc_type = "class"))]
struct Course {
    #[serde(rename = "_id")]
    id: Id<Course, String>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mixed_school", kind(doc_type = "student"))]
struct Pupil {
    #[serde(rename = "_id")]
    id: Id<Pupil, String>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type")]
#[single_collection(shared(name: String))]
enum Enrollment {
    #[serde(rename = "class")]
    Course(Course),
    #[serde(rename = "student")]
    Pupil(Pupil),
}

/// A badge, whose copies are updated with its entry, whichever kind the entry has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mixed_badges")]
struct Badge {
    #[serde(rename = "_id")]
    id: Id<Badge, i64>,
    #[refs(one, on_delete = "cascade")]
    of: Id<Enrollment, String>,
    #[denorm(from = "Enrollment.name")]
    name: Option<String>,
}

/// Stores badges of a class and of two students, with their current names.
async fn badges(test: &str) -> Harness {
    let t = empty(test).await;
    t.odm.sync_indexes().only::<Badge>().await.unwrap();
    let id = |key: &str| key.to_owned();
    let course = Course {
        id: id("C1").into(),
        name: id("n1"),
    };
    t.given(&[course]).await;
    let pupil = |key: &str, name: &str| Pupil {
        id: id(key).into(),
        name: id(name),
    };
    t.given(&[pupil("S1", "n1"), pupil("S2", "n2")]).await;
    let badge = |number: i64, key: &str| Badge {
        id: number.into(),
        of: id(key).into(),
        name: None,
    };
    t.given(&[badge(1, "C1"), badge(2, "S1"), badge(3, "S2")])
        .await;
    t
}

async fn name(t: &Harness, badge: i64) -> Option<String> {
    let stored = stored(t, "mixed_badges", doc! { "_id": badge }).await;
    stored.get_str("name").ok().map(str::to_owned)
}

#[tokio::test]
async fn what_is_copied_of_several_kinds_follows_each_of_them() {
    let t = badges("mixed_copies").await;
    assert_eq!(
        name(&t, 1).await,
        Some("n1".to_owned()),
        "an insert takes it of a class"
    );
    assert_eq!(name(&t, 3).await, Some("n2".to_owned()), "and of a student");

    let course: Id<Course, String> = Id::from_key("C1".to_owned());
    Course::update(&t.odm, course)
        .set(Course::fields().name, "Latin")
        .await
        .unwrap();
    let (jane, joe): (Id<Pupil, String>, Id<Pupil, String>) =
        ("S1".to_owned().into(), "S2".to_owned().into());
    Pupil::update(&t.odm, &jane)
        .set(Pupil::fields().name, "Jane")
        .await
        .unwrap();
    assert_eq!(name(&t, 1).await, Some("Latin".to_owned()));
    assert_eq!(name(&t, 2).await, Some("Jane".to_owned()));
    assert_eq!(name(&t, 3).await, Some("n2".to_owned()));

    // The copy is left to a job.
    Pupil::update(&t.odm, &joe)
        .set(Pupil::fields().name, "Joe")
        .deferred()
        .await
        .unwrap();
    assert_eq!(name(&t, 3).await, Some("n2".to_owned()));
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(name(&t, 3).await, Some("Joe".to_owned()));
    let drift = t.odm.verify().await.unwrap();
    assert!(drift.items.is_empty(), "{drift:?}");
}

#[tokio::test]
async fn a_rule_of_a_reference_to_several_kinds_is_for_deletes_of_all() {
    let t = badges("mixed_rules").await;
    let jane: Id<Pupil, String> = "S1".to_owned().into();
    Pupil::delete(&t.odm, jane).await.unwrap();
    let left = Badge::find(&t.odm)
        .sort(Badge::fields().id.asc())
        .await
        .unwrap();
    let left: Vec<_> = left.into_iter().map(|badge| badge.of.into_key()).collect();
    assert_eq!(left, ["C1", "S2"]);
    Course::delete_many(&t.odm, doc! {})
        .everything()
        .await
        .unwrap();
    assert_eq!(
        Badge::count(&t.odm).await.unwrap(),
        1,
        "a delete of one kind leaves the other"
    );
}

#[tokio::test]
async fn a_copy_that_drifted_from_a_document_of_some_kind_is_found_and_repaired() {
    let t = badges("mixed_drift").await;
    let all = t.odm.database().collection::<Document>("mixed_badges");
    all.update_many(doc! {}, doc! { "$set": { "name": "wrong" } })
        .await
        .unwrap();
    let drift = t.odm.verify().await.unwrap();
    assert_eq!(drift.items.len(), 3, "{drift:?}");
    drift.repair(&t.odm).await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(name(&t, 1).await, Some("n1".to_owned()));
    assert_eq!(name(&t, 3).await, Some("n2".to_owned()));
}
