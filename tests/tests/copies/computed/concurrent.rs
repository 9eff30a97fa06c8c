//! Many writers of the children of a few parents.

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

/// Both commit without having seen each other: the last look sees both.
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
