//! Pages of random documents in random sort orders.

use super::*;

fn random_rows() -> impl Strategy<Value = Vec<Row>> {
    let note = proptest::option::of("[ab]{0,2}");
    let rank = proptest::option::of(prop_oneof![
        Just(-1.5),
        Just(0.0),
        Just(-0.0),
        Just(2.0),
        Just(f64::NAN)
    ]);
    let city = proptest::option::of("[xy]");
    let one = (0..3_i32, note, rank, city);
    proptest::collection::vec(one, 0..30).prop_map(|rows| {
        let row = |(id, (group, note, rank, city)): (i32, _)| Row {
            note,
            rank,
            place: Place { city, zip: id % 2 },
            ..row(id, group)
        };
        (0..).zip(rows).map(row).collect()
    })
}

fn random_sort() -> impl Strategy<Value = Document> {
    let keys = vec!["group", "note", "rank", "place.city", "place.zip", "_id"];
    let directions = proptest::collection::vec(prop_oneof![Just(1), Just(-1)], 6);
    (
        proptest::sample::subsequence(keys, 0..=4).prop_shuffle(),
        directions,
    )
        .prop_map(|(keys, directions)| {
            let keys = keys.into_iter().map(str::to_owned);
            keys.zip(directions.into_iter().map(Bson::Int32)).collect()
        })
}

#[tokio::test]
async fn any_rows_in_any_sort_are_paged_completely() {
    let t = Harness::new("pages_random").await;
    let mut runner = TestRunner::new(Config::default());
    for _ in 0..40 {
        let cases = (random_rows(), random_sort(), 1..8_u32);
        let (rows, sort, size) = cases.new_tree(&mut runner).unwrap().current();
        Row::delete_many(&t.odm, Filter::all())
            .everything()
            .await
            .unwrap();
        t.given(&rows).await;
        let sort = Sort::from(sort);
        let expected = ids(&sorted(&t, &sort).await);
        assert_eq!(
            ids(&paged(&t, &sort, size).await),
            expected,
            "{sort:?} by {size} of {rows:#?}"
        );
    }
}
