//! Readers of parents during many concurrent writes, and copies of counts.

use super::*;

/// A club with a list and a count. A member who leaves affects more than the count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "behind_clubs")]
struct Club {
    #[serde(rename = "_id")]
    id: Id<Club>,
    #[rollup(count, of = "Member", via = "club")]
    members: u64,
    #[rollup(sum, of = "Member", via = "club", field = "age")]
    ages: i64,
    #[recent(of = "Member", via = "club", sort = "age", limit = 3)]
    oldest: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "behind_members")]
struct Member {
    #[serde(rename = "_id")]
    id: Id<Member>,
    #[parent_ref]
    club: Id<Club>,
    age: i64,
}

/// A sign, which copies a count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "behind_signs")]
struct Sign {
    #[serde(rename = "_id")]
    id: Id<Sign>,
    #[refs(one)]
    club: Id<Club>,
    #[denorm(from = "Club.members")]
    members: u64,
}

async fn clubs(test: &str) -> (Harness, [Id<Club>; 2]) {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Club>().only::<Member>();
    sync.only::<Sign>().await.unwrap();
    let clubs = [0, 1].map(|_| Club {
        id: Id::new(),
        members: 0,
        ages: 0,
        oldest: Vec::new(),
    });
    t.given(&clubs).await;
    (t, clubs.map(|club| club.id))
}

fn member(club: Id<Club>, age: i64) -> Member {
    Member {
        id: Id::new(),
        club,
        age,
    }
}

#[tokio::test]
async fn copies_of_a_count_see_no_delete_without_its_insert() {
    let (t, [club, _]) = clubs("behind_copied").await;
    let sign = Sign {
        id: Id::new(),
        club,
        members: 0,
    };
    sign.insert(&t.odm).await.unwrap();
    let (gone, stays) = (member(club, 40), member(club, 50));
    gone.insert(&t.odm).deferred().await.unwrap();
    stays.insert(&t.odm).await.unwrap();
    let shown = async || Sign::get(&t.odm, sign.id).await.unwrap().members;
    assert_eq!(shown().await, 1);
    Member::delete(&t.odm, gone.id).await.unwrap();
    assert_eq!(shown().await, 1);
    settle(&t.odm).await;
    assert_eq!(shown().await, 1);
    let stored = Club::get(&t.odm, club).await.unwrap();
    assert_eq!((stored.members, stored.ages), (1, 50));
    assert_eq!(stored.oldest, [stays]);
}

/// The handle has default settings. Each of four writers has one member at a time.
#[tokio::test(flavor = "multi_thread")]
async fn readers_see_the_count_of_some_of_the_writes_in_a_storm() {
    const WRITERS: u64 = 4;
    let (t, clubs) = clubs("behind_storm").await;
    let odm = Odm::new(t.odm.database().clone());
    let writer = |number: i64| {
        let odm = odm.clone();
        async move {
            for step in 0..40 {
                let new = member(clubs[0], 10 + number);
                new.insert(&odm).await.unwrap();
                if step % 4 == 3 {
                    let moved = Member::update(&odm, new.id);
                    let to = Member::fields().club;
                    moved.set(to, clubs[1]).await.unwrap();
                }
                Member::delete(&odm, new.id).await.unwrap();
            }
        }
    };
    let writers: Vec<_> = (0..4).map(|number| tokio::spawn(writer(number))).collect();
    let mut values = HashSet::new();
    while writers.iter().any(|it| !it.is_finished()) {
        for club in clubs {
            let club = Club::get(&odm, club).await.unwrap();
            values.insert((club.members, club.ages));
        }
    }
    for writer in writers {
        writer.await.unwrap();
    }
    odm.finish_writes().await;
    t.odm.run_pending_jobs().await.unwrap();
    for club in clubs {
        let club = Club::get(&t.odm, club).await.unwrap();
        assert_eq!((club.members, club.ages), (0, 0));
    }
    let can_be = |(members, ages): &(u64, i64)| *members <= WRITERS * 40 && *ages >= 0;
    assert!(values.iter().all(can_be), "{values:?}");
    assert!(t.odm.verify().only::<Club>().await.unwrap().is_empty());
}

/// The hall is hot for the handle that inserts, but not for the handle that deletes.
#[tokio::test(flavor = "multi_thread")]
async fn writers_of_a_hot_parent_leave_what_goes_behind_what_comes() {
    let (t, halls) = halls("behind_hot", 1).await;
    let hall = &halls[0];
    let settings: Settings = t.odm.settings().clone().settle(Settle::Manual);
    let (hot, cold) = (t.odm.with_settings(settings), t.odm.clone());
    let several = (0..8).map(|paid| {
        let (odm, new) = (hot.clone(), guest(hall, paid));
        tokio::spawn(async move { new.insert(&odm).await.map(|_| new) })
    });
    let mut inserted = Vec::new();
    for new in several.collect::<Vec<_>>() {
        inserted.push(new.await.unwrap().unwrap());
    }
    for gone in &inserted {
        Guest::delete(&cold, gone.id).await.unwrap();
        let (guests, paid) = seen(&cold, hall).await;
        assert!(guests <= 8 && (0..=28).contains(&paid), "{guests}, {paid}");
    }
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(seen(&t.odm, hall).await, (0, 0));
}

#[tokio::test]
async fn a_delete_asks_once_whether_something_waits() {
    let (t, halls) = halls("behind_round_trips", 1).await;
    let hall = &halls[0];
    let guests: Vec<Guest> = (0..4).map(|paid| guest(hall, paid)).collect();
    Guest::insert_many(&t.odm, &guests).await.unwrap();
    Guest::delete(&t.odm, guests[0].id).await.unwrap();
    t.forget();
    let sent = |expected: &[&str]| {
        assert_eq!(t.recorder().names(), expected);
        t.forget();
    };
    guest(hall, 1).insert(&t.odm).await.unwrap();
    sent(&["insert", "update", "commitTransaction"]);
    Guest::delete(&t.odm, guests[1].id).await.unwrap();
    sent(&["find", "delete", "aggregate", "update", "commitTransaction"]);
    let paid = Guest::fields().paid;
    Guest::update(&t.odm, guests[2].id)
        .inc(paid, 1)
        .await
        .unwrap();
    sent(&[
        "findAndModify",
        "find",
        "aggregate",
        "update",
        "commitTransaction",
    ]);
}

/// One of three parents is written at the same time, so new children of this parent are stored as deltas.
#[tokio::test]
async fn parents_beside_a_hot_one_are_computed_again() {
    let t = empty("behind_beside_hot").await;
    let sync = t.odm.sync_indexes().only::<Scale>().only::<Crate>();
    sync.await.unwrap();
    let scales = [0, 1, 2].map(|_| Scale {
        id: Id::new(),
        crates: 0,
        weight: 0.0,
    });
    t.given(&scales).await;
    let [one, other, hot] = scales.map(|scale| scale.id);
    let crates = [(one, 1.5), (other, 2.5)].map(|(scale, weight)| Crate {
        id: Id::new(),
        scale,
        weight,
    });
    t.given(&crates).await;

    let mut session = t.odm.database().client().start_session().await.unwrap();
    session.start_transaction().await.unwrap();
    let stored = t.odm.database().collection::<Document>("scales");
    let change = doc! { "$set": { "held": true } };
    let hold = stored.update_one(doc! { "_id": hot }, change);
    hold.session(&mut session).await.unwrap();
    let moved = Crate::update_many(&t.odm, doc! {}).set(Crate::fields().scale, hot);
    moved.await.unwrap();
    session.abort_transaction().await.unwrap();

    assert_eq!(deltas(&t.odm).await, 1);
    for left in [one, other] {
        let scale = Scale::get(&t.odm, left).await.unwrap();
        assert_eq!((scale.crates, scale.weight), (0, 0.0));
    }
    t.odm.run_pending_jobs().await.unwrap();
    let scale = Scale::get(&t.odm, hot).await.unwrap();
    assert_eq!((scale.crates, scale.weight), (2, 4.0));
    settle(&t.odm).await;
}
