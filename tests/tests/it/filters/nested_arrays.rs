//! Filters on the fields of structs in an array of arrays, which the server does not search.

use mongo_odm::ErrorKind;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Seat {
    number: i32,
    guest: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "filtered_halls")]
struct Hall {
    #[serde(rename = "_id")]
    id: Id<Hall, i32>,
    #[embed]
    rows: Vec<Vec<Seat>>,
}

const REASON: &str = "does not search the array of arrays `rows`, so it does not find `rows.";

#[tokio::test]
async fn an_array_of_arrays_is_not_searched() {
    let t = Harness::new("filters_nested_arrays").await;
    let seat = |number: i32| Seat {
        number,
        guest: "ann".to_owned(),
    };
    t.given(&[Hall {
        id: Id::from_key(1),
        rows: vec![vec![seat(1), seat(2)], vec![seat(3)]],
    }])
    .await;
    let rows = Hall::fields().rows;
    for filter in [
        rows.number.eq(1),
        rows.number.ne(9),
        rows.number.gt(1),
        rows.number.is_in([1, 2]),
        rows.guest.is_missing(),
        rows.guest.contains("a"),
        rows.guest.eq_ignore_case("ANN"),
    ] {
        let error = Hall::find(&t.odm).filter(filter).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error:?}");
        assert!(error.to_string().contains(REASON), "{error}");
    }
    let distinct = Hall::distinct(&t.odm, rows.number).await.unwrap_err();
    assert_eq!(distinct.kind(), ErrorKind::Invalid);
    assert!(distinct.to_string().contains(REASON), "{distinct}");
    let first = rows.at::<0>();
    for (filter, found) in [(first.number.eq(2), 1), (first.number.gt(2), 0)] {
        assert_eq!(Hall::count(&t.odm).filter(filter).await.unwrap(), found);
    }
    let huge = Hall::count(&t.odm).filter(rows.size(u32::MAX));
    assert_eq!(huge.await.unwrap(), 0);
    let whole = rows.contains(vec![seat(3)]);
    assert_eq!(Hall::count(&t.odm).filter(whole).await.unwrap(), 1);
}
