//! Filters on fields that all kinds have, and on fields of only one kind.

use mongo_odm::Filter;

use super::*;
use odm_tests::sent::only;

async fn found(t: &Harness, filter: Filter<Enrollment>) -> Vec<String> {
    let found = Enrollment::find(&t.odm)
        .filter(filter)
        .sort(doc! { "_id": 1 });
    keys(&found.await.unwrap())
}

#[tokio::test]
async fn a_shared_field_is_that_of_all_kinds() {
    let t = school("mixed_shared").await;
    let enrollment = Enrollment::fields();
    let filter = enrollment.name.eq("n1") | enrollment.number.gt(1);
    assert_eq!(found(&t, filter).await, ["C1", "C2", "S1", "S2"]);
    let filter = enrollment.doc_type.eq("class") & enrollment.number.lt(2);
    assert_eq!(found(&t, filter).await, ["C0", "C1"]);
    let filter = enrollment.id.eq(Id::from_key("S0".to_owned()));
    assert_eq!(found(&t, filter).await, ["S0"]);
}

#[tokio::test]
async fn a_filter_of_one_kind_brings_its_kind() {
    let t = school("mixed_of_kind").await;
    let (class, student) = (Class::fields(), Student::fields());

    // A class has the same number.
    let second = Enrollment::of_kind(student.number.eq(1));
    assert_eq!(found(&t, second).await, ["S1"]);
    let filter = doc! { "doc_type": "student", "number": 1_i64 };
    assert_eq!(only(&t, "find").get_document("filter").unwrap(), &filter);

    let large = || Enrollment::of_kind(class.seats.gte(10));
    let first = || Enrollment::of_kind(student.number.lt(1));
    assert_eq!(found(&t, large() | first()).await, ["C1", "C2", "S0"]);
    assert_eq!(found(&t, large() & first()).await, [""; 0]);
    assert_eq!(found(&t, !large()).await, ["C0", "S0", "S1", "S2"]);
    let students = Enrollment::of_kind(Filter::<Student>::all());
    assert_eq!(
        found(&t, students & Enrollment::fields().number.gt(0)).await,
        ["S1", "S2"]
    );
    let count = Enrollment::count(&t.odm).filter(large() | first()).await;
    assert_eq!(count.unwrap(), 3);
}

#[tokio::test]
async fn a_filter_that_cannot_be_written_fails_with_its_model() {
    let t = school("mixed_filter_encode").await;
    let filter: Filter<Chip> = Chip::fields().id.eq(Id::new());
    let of_default = Part::of_kind(filter & Chip::fields().pins.gt(1))
        .into_document()
        .unwrap();
    let condition = of_default.get_document("part_type").unwrap();
    assert_eq!(condition, &doc! { "$in": ["chip", null] });
    t.forget();
}

#[tokio::test]
async fn known_kinds_leave_out_all_others() {
    let t = school("mixed_known_kinds").await;
    store(
        &t,
        "mixed_school",
        [doc! { "_id": "A1", "doc_type": "alumnus" }],
    )
    .await;
    let known = Known::find(&t.odm)
        .filter(Known::known_kinds())
        .await
        .unwrap();
    assert_eq!(known.len(), 6);
    let filter = doc! { "doc_type": { "$in": ["class", "student"] } };
    assert_eq!(only(&t, "find").get_document("filter").unwrap(), &filter);
    let of_parts = Part::known_kinds().into_document().unwrap();
    assert_eq!(
        of_parts,
        doc! { "part_type": { "$in": ["chip", "cable", null] } }
    );
}

#[tokio::test]
async fn the_filter_of_a_kind_uses_the_index_of_the_kind() {
    let t = school("mixed_indexes").await;
    t.odm.sync_indexes().only::<Class>().await.unwrap();
    let winning = async |filter: Filter<Enrollment>| {
        let find = doc! { "find": "mixed_school", "filter": filter.into_document().unwrap() };
        let explained = doc! { "explain": find, "verbosity": "queryPlanner" };
        let explained = t.odm.database().run_command(explained).await.unwrap();
        explained
            .get_document("queryPlanner")
            .unwrap()
            .get_document("winningPlan")
            .unwrap()
            .to_string()
    };
    let of_kind = winning(Enrollment::of_kind(Class::fields().seats.gte(10))).await;
    assert!(of_kind.contains("seats_1_class"), "{of_kind}");
    let shared = winning(Enrollment::fields().name.eq("n1")).await;
    assert!(shared.contains("name_1"), "{shared}");
    let seats = winning(Filter::from(doc! { "seats": { "$gte": 10 } })).await;
    assert!(seats.contains("COLLSCAN"), "it is of one kind: {seats}");
}
