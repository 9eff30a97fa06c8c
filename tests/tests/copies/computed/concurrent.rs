//! Many concurrent writers of the children of a few parents.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_inserts_moves_and_deletes_leaves_every_parent_right() {
    let t = weather("computed_storm").await;
    let stations: Vec<Station> = ["a", "b", "c"].map(station).to_vec();
    t.given(&stations).await;
    let writer = |number: i64| {
        let (odm, stations) = (t.odm.clone(), stations.clone());
        async move {
            let mut own: Vec<Reading> = Vec::new();
            for step in 0..24_i64 {
                let at = usize::try_from((step * 7 + number) % 3).unwrap();
                match step % 4 {
                    0 | 1 => {
                        let new = reading(stations[at].id, number * 100 + step);
                        new.insert(&odm).await.unwrap();
                        own.push(new);
                    }
                    2 => {
                        let moved = Reading::update(&odm, own[0].id);
                        let to = Some(stations[at].id);
                        moved.set(Reading::fields().station, to).await.unwrap();
                    }
                    _ => {
                        let gone = own.pop().unwrap();
                        Reading::delete(&odm, gone.id).await.unwrap();
                    }
                }
            }
        }
    };
    let writers: Vec<_> = (0..6).map(|number| tokio::spawn(writer(number))).collect();
    for writer in writers {
        writer.await.unwrap();
    }
    settle(&t.odm).await;
    assert_right(&t.odm, "after the storm").await;
}

/// Both inserts commit without seeing each other. The last look sees both.
#[tokio::test(flavor = "multi_thread")]
async fn parents_and_children_that_come_at_the_same_moment_find_each_other() {
    let t = weather("computed_both").await;
    for number in 0..25 {
        let new = station("new");
        let child = reading(new.id, number);
        let (parent, child) = tokio::join!(new.insert(&t.odm), child.insert(&t.odm));
        parent.unwrap();
        child.unwrap();
    }
    settle(&t.odm).await;
    assert_right(&t.odm, "both at once").await;
    assert_eq!(
        count(&t.odm, "stations", doc! { "readings": 1_i64 }).await,
        25
    );
}

/// With `atomic()`, all writes use the inline form, so no update is ever pending. Readers see children and parents of
/// the same moment.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_equals_its_query_in_every_snapshot_of_a_storm() {
    let t = weather("computed_snapshots").await;
    let stations: Vec<Station> = ["a", "b"].map(station).to_vec();
    t.given(&stations).await;
    let writer = |number: i64| {
        let (odm, stations) = (t.odm.clone(), stations.clone());
        async move {
            let mut own: Vec<Reading> = Vec::new();
            for step in 0..20_i64 {
                let at = usize::try_from((step * 3 + number) % 2).unwrap();
                // There are only a few different times, so most of them are equal.
                let time = DateTime::from_millis((step * 5 + number) % 4);
                let fields = Reading::fields();
                match step % 5 {
                    0..=2 => {
                        let mut new = reading(stations[at].id, step);
                        new.time = time;
                        new.insert(&odm).atomic().await.unwrap();
                        own.push(new);
                    }
                    3 => {
                        let update = Reading::update(&odm, own[own.len() / 2].id);
                        update.set(fields.time, time).atomic().await.unwrap();
                    }
                    _ => {
                        let gone = own.remove(own.len() / 2);
                        Reading::delete(&odm, gone.id).atomic().await.unwrap();
                    }
                }
            }
        }
    };
    let writers: Vec<_> = (0..4).map(|number| tokio::spawn(writer(number))).collect();
    let mut looks = 0;
    while !writers.iter().all(tokio::task::JoinHandle::is_finished) {
        let look = async |tx: mongo_odm::Tx| {
            assert_right(&tx, "in a snapshot").await;
            Ok(())
        };
        t.odm.transaction(look).await.unwrap();
        looks += 1;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    assert!(looks > 3, "{looks} looks are too few to say anything");
    assert_eq!(count(&t.odm, "_odm_deltas", doc! {}).await, 0);
    assert_right(&t.odm, "after the storm").await;
    settle(&t.odm).await;
    assert_right(&t.odm, "at the end").await;
}
