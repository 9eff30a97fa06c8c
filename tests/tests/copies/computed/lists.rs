//! Lists of the newest children.

use super::*;

#[tokio::test]
async fn equal_times_are_told_apart_by_id_and_late_ones_find_their_place() {
    let t = weather("computed_list_order").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    let same = reading(north.id, 7);
    let twins: Vec<Reading> = (0..4)
        .map(|_| Reading {
            id: Id::new(),
            ..same.clone()
        })
        .collect();
    // The last one first: what counts is the order, not when it came.
    for twin in twins.iter().rev() {
        twin.insert(&t.odm).await.unwrap();
        assert_right(&t.odm, "equal times").await;
    }
    for number in [1, 9, 3] {
        reading(north.id, number).insert(&t.odm).await.unwrap();
        assert_right(&t.odm, "older and newer").await;
    }
    let latest = Station::get(&t.odm, north.id).await.unwrap().latest;
    assert_eq!(latest.len(), 3);
    assert!(latest.is_sorted_by_key(|line| line.time));
}

#[tokio::test]
async fn what_changes_in_a_line_and_what_leaves_it_is_seen() {
    let t = weather("computed_list_lines").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    let readings: Vec<Reading> = (0..6).map(|number| reading(north.id, number)).collect();
    Reading::insert_many(&t.odm, &readings).await.unwrap();
    let (fields, newest) = (Reading::fields(), readings[5].id);
    Reading::update(&t.odm, newest)
        .set(fields.celsius, Some(7.25))
        .await
        .unwrap();
    assert_right(&t.odm, "a line").await;
    t.forget();
    Reading::update(&t.odm, newest)
        .set(fields.note, "storm")
        .await
        .unwrap();
    assert_eq!(t.recorder().names(), ["update"], "nobody keeps notes");
    Reading::delete(&t.odm, newest).await.unwrap();
    assert_right(&t.odm, "an older one comes back").await;
}

/// The server reads of each list what it keeps, by the index that is made for it.
#[tokio::test]
async fn a_list_is_read_from_its_index() {
    let t = weather("computed_list_index").await;
    let readings = t.odm.database().collection::<Document>("readings");
    let names = readings.list_index_names().await.unwrap();
    assert!(
        names.contains(&"station_1_time_1__id_1".to_owned()),
        "{names:?}"
    );
}
