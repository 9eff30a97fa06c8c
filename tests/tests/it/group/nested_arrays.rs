//! Groups by the elements of nested arrays.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Parcel {
    labels: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "grouped_deliveries")]
struct Delivery {
    #[serde(rename = "_id")]
    id: Id<Delivery, i32>,
    #[embed]
    parcels: Vec<Parcel>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct PerLabel {
    label: String,
    parcels: i64,
}

/// The server finds no array behind a path through another array, so it would leave out every document.
#[tokio::test]
async fn an_array_in_an_array_needs_two_unwinds() {
    let t = Harness::new("group_nested").await;
    let parcel = |labels: [&str; 2]| Parcel {
        labels: labels.map(str::to_owned).to_vec(),
    };
    t.given(&[Delivery {
        id: Id::from_key(1),
        parcels: vec![parcel(["cold", "glass"]), parcel(["glass", "heavy"])],
    }])
    .await;
    let parcels = Delivery::fields().parcels;
    let group = || Delivery::group_into::<PerLabel>(&t.odm);
    let error = group().unwind(parcels.labels).plan().unwrap_err();
    let reason = "`Delivery.parcels.labels` is inside the array `parcels`";
    assert!(error.to_string().contains(reason), "{error}");
    let error = group()
        .unwind(parcels)
        .by(|row| row.label, parcels.labels.each());
    let error = error.plan().unwrap_err();
    let reason = "`Delivery.parcels.labels` is inside the array `parcels.labels`";
    assert!(error.to_string().contains(reason), "{error}");
    let rows = group()
        .unwind(parcels)
        .unwind(parcels.labels)
        .by(|row| row.label, parcels.labels.each())
        .count(|row| row.parcels)
        .sort(|row| row.label.asc());
    let rows = rows.await.unwrap();
    let rows: Vec<_> = rows
        .iter()
        .map(|row| (row.label.as_str(), row.parcels))
        .collect();
    assert_eq!(rows, [("cold", 1), ("glass", 2), ("heavy", 1)]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "grouped_sheets")]
struct Sheet {
    #[serde(rename = "_id")]
    id: Id<Sheet, i32>,
    cells: Vec<Vec<String>>,
}

#[tokio::test]
async fn an_array_of_arrays_needs_two_unwinds() {
    let t = Harness::new("group_cells").await;
    let rows = [["a", "b"], ["b", "c"]];
    t.given(&[Sheet {
        id: Id::from_key(1),
        cells: rows.map(|row| row.map(str::to_owned).to_vec()).to_vec(),
    }])
    .await;
    let cells = Sheet::fields().cells;
    let group = || Sheet::group_into::<PerLabel>(&t.odm).unwind(cells);
    let once = group().by(|row| row.label, cells.each().each());
    let error = once.plan().unwrap_err().to_string();
    let reason = "`Sheet.cells` is inside the array `cells`";
    assert!(error.contains(reason), "{error}");
    let twice = group()
        .unwind(cells.each())
        .by(|row| row.label, cells.each().each())
        .count(|row| row.parcels)
        .sort(|row| row.label.asc());
    let counts: Vec<i64> = twice.await.unwrap().iter().map(|it| it.parcels).collect();
    assert_eq!(counts, [1, 2, 1]);
}
