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
    // The last one is inserted first, because only the sort order counts.
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

/// The server reads only the elements that a list keeps, and uses the index of the list.
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

/// A choir with lists of its loudest singers, without their ids.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "choirs")]
struct Choir {
    #[serde(rename = "_id")]
    id: Id<Choir>,
    #[recent(of = "Singer", via = "choir", sort = "voice", limit = 3)]
    loudest: Vec<Voice>,
    #[recent(of = "Singer", via = "choir", sort = "voice", limit = 3, desc)]
    loudest_first: Vec<Voice>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "singers")]
struct Singer {
    #[serde(rename = "_id")]
    id: Id<Singer>,
    #[parent_ref]
    choir: Id<Choir>,
    voice: i32,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Singer")]
struct Voice {
    voice: i32,
    name: String,
}

/// Asserts that both lists are correct for the stored singers. Singers with equal voices are sorted by `_id`. The test
/// computes the expected lists without the library.
async fn assert_loudest(odm: &Odm, choir: Id<Choir>, title: &str) {
    let mut singers = Singer::find(odm).await.unwrap();
    singers.sort_by_key(|singer| (singer.voice, *singer.id.key()));
    let loudest = singers[singers.len().saturating_sub(3)..].iter();
    let loudest: Vec<Voice> = loudest
        .map(|singer| Voice {
            voice: singer.voice,
            name: singer.name.clone(),
        })
        .collect();
    let stored = Choir::get(odm, choir).await.unwrap();
    assert_eq!(stored.loudest, loudest, "{title}");
    let first: Vec<Voice> = loudest.into_iter().rev().collect();
    assert_eq!(stored.loudest_first, first, "{title}");
}

#[tokio::test]
async fn equal_sort_values_are_told_apart_by_id_where_lines_do_not_have_it() {
    let t = empty("computed_list_ties").await;
    let sync = t.odm.sync_indexes().only::<Choir>().only::<Singer>();
    sync.await.unwrap();
    let choir = Choir {
        id: Id::new(),
        loudest: Vec::new(),
        loudest_first: Vec::new(),
    };
    choir.insert(&t.odm).await.unwrap();
    let singers: Vec<Singer> = [5, 5, 5, 5, 7, 5, 7, 7, 7, 1, 5, 7]
        .into_iter()
        .zip('a'..)
        .map(|(voice, name)| Singer {
            id: Id::new(),
            choir: choir.id,
            voice,
            name: name.to_string(),
        })
        .collect();
    let (first, rest) = singers.split_at(6);
    // The last one is inserted first, because only the sort order counts.
    for singer in first.iter().rev() {
        singer.insert(&t.odm).await.unwrap();
        assert_loudest(&t.odm, choir.id, &singer.name).await;
    }
    for singer in rest.iter().rev() {
        singer.insert(&t.odm).deferred().await.unwrap();
    }
    t.odm.run_pending_jobs().await.unwrap();
    assert_loudest(&t.odm, choir.id, "folded").await;
    for singer in singers.iter().rev().step_by(2) {
        Singer::delete(&t.odm, singer.id).await.unwrap();
        assert_loudest(&t.odm, choir.id, "one leaves").await;
    }
    let all = Singer::update_many(&t.odm, doc! {}).set(Singer::fields().voice, 2);
    all.await.unwrap();
    assert_loudest(&t.odm, choir.id, "all alike").await;
    settle(&t.odm).await;
    assert_loudest(&t.odm, choir.id, "at the end").await;
}
