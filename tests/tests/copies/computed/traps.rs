//! Situations in which hand-written code for computed fields of a parent fails.

use std::{collections::BTreeMap, time::Duration};

use mongo_odm::bson::Regex;

use super::*;

async fn deltas(odm: &Odm) -> u64 {
    count(odm, "_odm_deltas", doc! {}).await
}

/// Stores the document of a program that had begun its insert before the children were stored.
async fn store_late(odm: &Odm, station: &Station, empty: &Document) {
    let mut late = empty.clone();
    late.insert("_id", station.id);
    put(odm, "stations", [late]).await;
}

/// Both inserts run at the same time. The insert of the parent reads before the child is stored, and commits after the
/// child's second look for its parent.
#[tokio::test]
async fn a_child_before_its_parent_leaves_a_mark_that_lives_through_the_grace() {
    let t = weather("traps_before").await;
    let (north, south) = (station("north"), station("south"));
    south.insert(&t.odm).await.unwrap();
    let empty = raw(&t.odm, "stations", south.id).await;
    let patient = settings().grace(Duration::from_secs(180));
    let patient = t.odm.with_settings(patient);
    reading(north.id, 1).insert(&patient).await.unwrap();
    let new = reading(north.id, 2);
    new.insert(&patient).deferred().await.unwrap();
    patient.run_pending_jobs().await.unwrap();
    assert_eq!(deltas(&t.odm).await, 0);
    store_late(&t.odm, &north, &empty).await;
    // The job is not due yet.
    patient.run_pending_jobs().await.unwrap();
    assert_eq!(jobs(&t.odm).await.len(), 1);
    let jobs = t.odm.database().collection::<Document>("_odm_jobs");
    let hour = |field: &str| doc! { "$subtract": [format!("${field}"), 3_600_000_i64] };
    let earlier = doc! { "due_at": hour("due_at"), "changed_at": hour("changed_at") };
    let earlier = vec![doc! { "$set": earlier }];
    jobs.update_many(doc! {}, earlier).await.unwrap();
    patient.run_pending_jobs().await.unwrap();
    assert_right(&t.odm, "after the grace").await;
}

#[tokio::test]
async fn a_parent_that_is_deleted_is_not_brought_back() {
    let t = weather("traps_deleted").await;
    let (north, south) = (station("north"), station("south"));
    t.given(&[north.clone(), south.clone()]).await;
    let fields = Reading::fields();
    let moving = reading(south.id, 1);
    moving.insert(&t.odm).await.unwrap();
    reading(north.id, 2)
        .insert(&t.odm)
        .deferred()
        .await
        .unwrap();
    Station::delete(&t.odm, north.id).await.unwrap();
    let late = [reading(north.id, 3), reading(north.id, 4)];
    late[0].insert(&t.odm).await.unwrap();
    late[1].insert(&t.odm).deferred().await.unwrap();
    Reading::update(&t.odm, moving.id)
        .set(fields.station, Some(north.id))
        .await
        .unwrap();
    Reading::update(&t.odm, late[0].id)
        .set(fields.rain, 50)
        .await
        .unwrap();
    settle(&t.odm).await;
    Reading::delete_many(&t.odm, fields.station.eq(Some(north.id)))
        .await
        .unwrap();
    settle(&t.odm).await;
    assert_eq!(deltas(&t.odm).await, 0);
    assert_eq!(count(&t.odm, "stations", doc! {}).await, 1);
    assert_right(&t.odm, "the other one").await;
}

/// Old documents, and documents of other programs, can contain any value instead of a list or a number.
#[tokio::test]
async fn a_list_that_is_missing_or_null_is_made() {
    let t = weather("traps_null").await;
    let south = station("south");
    south.insert(&t.odm).await.unwrap();
    let empty = raw(&t.odm, "stations", south.id).await;
    let all_of = |value: &Bson| {
        let fields = empty.keys().map(|name| (name.clone(), value.clone()));
        fields.collect::<Document>()
    };
    let average = doc! { "sum": 1.0, "count": 1_i64 };
    let arrays = [
        vec![Bson::Int64(3)],
        vec![Bson::Double(1.0)],
        vec![DateTime::from_millis(1).into()],
        vec![average.into()],
    ];
    let parts = doc! { "sum": [1.0], "count": [1_i64] };
    let values = [Bson::Null, "x".into(), doc! { "sum": 1 }.into()].into_iter();
    let values = values.chain(arrays.map(Bson::Array)).chain([parts.into()]);
    let odd: Vec<Document> = values.map(|it| all_of(&it)).chain([doc! {}]).collect();
    let fields = Reading::fields();
    for (at, held) in odd.iter().enumerate() {
        for deferred in [false, true] {
            let context = format!("{at}, deferred {deferred}");
            let holder = station("odd");
            store_late(&t.odm, &holder, held).await;
            let new: Vec<Reading> = (0..4).map(|number| reading(holder.id, number)).collect();
            let insert = Reading::insert_many(&t.odm, &new[..2]);
            let insert = if deferred { insert.deferred() } else { insert };
            insert.await.unwrap();
            t.odm.run_pending_jobs().await.unwrap();
            assert_right(&t.odm, &context).await;
            Reading::insert_many(&t.odm, &new[2..]).await.unwrap();
            Reading::update(&t.odm, new[0].id)
                .set(fields.time, DateTime::from_millis(1_800_000_000_000))
                .await
                .unwrap();
            Reading::delete(&t.odm, new[3].id).await.unwrap();
            assert_right(&t.odm, &context).await;
        }
    }
    settle(&t.odm).await;
    assert!(t.odm.verify().only::<Station>().await.unwrap().is_empty());
}

/// Another program has stored references that the server would interpret as operators, patterns or arrays. No parent
/// has such a key.
#[tokio::test]
async fn a_child_whose_reference_was_no_key_moves_to_a_parent() {
    let t = weather("traps_hostile").await;
    let (north, south) = (station("north"), station("south"));
    t.given(&[north.clone(), south.clone()]).await;
    let pattern = Bson::RegularExpression(Regex {
        pattern: ".".try_into().unwrap(),
        options: "".try_into().unwrap(),
    });
    let hostile: Vec<Bson> = vec![
        pattern,
        doc! { "$gt": "" }.into(),
        doc! { "$in": [north.id] }.into(),
        Bson::Undefined,
        Bson::MinKey,
        vec![Bson::from(north.id), Bson::from(south.id)].into(),
        vec![Bson::from(vec![1, 2]), doc! { "$gt": "" }.into()].into(),
        "$$ROOT".into(),
    ];
    let readings = t.odm.database().collection::<Document>("readings");
    for (at, held) in hostile.iter().enumerate() {
        for (title, odm) in both_ways(&t.odm) {
            let new = reading(south.id, 1);
            new.insert(&odm).await.unwrap();
            let spoil = doc! { "$set": { "station": held } };
            let by_id = doc! { "_id": new.id };
            readings.update_one(by_id, spoil).await.unwrap();
            let (fields, to) = (Reading::fields(), Some(north.id));
            let moved = if at % 2 == 0 {
                Reading::update(&odm, new.id).set(fields.station, to).await
            } else {
                let only = Reading::update_many(&odm, fields.id.eq(new.id));
                only.set(fields.station, to).await
            };
            moved.unwrap_or_else(|error| panic!("{title}, {held}: {error}"));
        }
    }
    settle(&t.odm).await;
    // A child had left one of the parents without the library.
    t.odm.verify().only::<Station>().repair().await.unwrap();
    assert_right(&t.odm, "all have moved").await;
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "traps_films")]
struct Film {
    #[serde(rename = "_id")]
    id: Id<Film, i32>,
    #[rollup(count, of = "Ticket", via = "film")]
    sold: i64,
    #[rollup(max, of = "Ticket", via = "film", field = "price")]
    dearest: Option<f64>,
    #[recent(of = "Ticket", via = "film", sort = "id", limit = 2)]
    last: Vec<TicketLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "traps_viewers")]
struct Viewer {
    #[serde(rename = "_id")]
    id: Id<Viewer, i32>,
    #[rollup(sum, of = "Ticket", via = "viewer", field = "price")]
    spent: f64,
    #[recent(of = "Ticket", via = "viewer", sort = "id", limit = 2)]
    last: Vec<TicketLine>,
}

/// A ticket, which is deleted with its film. Its viewer has paid for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "traps_tickets")]
struct Ticket {
    #[serde(rename = "_id")]
    id: Id<Ticket, i32>,
    #[parent_ref(on_delete = "cascade")]
    film: Id<Film, i32>,
    #[parent_ref]
    viewer: Id<Viewer, i32>,
    price: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Ticket")]
struct TicketLine {
    #[serde(rename = "_id")]
    id: Id<Ticket, i32>,
}

async fn cinema(test: &str, films: i32) -> (Harness, Viewer) {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Film>().only::<Viewer>();
    sync.only::<Ticket>().await.unwrap();
    let viewer = Viewer {
        id: Id::from_key(1),
        spent: 0.0,
        last: Vec::new(),
    };
    viewer.insert(&t.odm).await.unwrap();
    t.given(&(0..films).map(film).collect::<Vec<_>>()).await;
    (t, viewer)
}

fn film(id: i32) -> Film {
    Film {
        id: Id::from_key(id),
        sold: 7,
        dearest: Some(7.0),
        last: Vec::new(),
    }
}

fn ticket(id: i32, film: i32) -> Ticket {
    Ticket {
        id: Id::from_key(id),
        film: Id::from_key(film),
        viewer: Id::from_key(1),
        price: 0.1 * f64::from(id),
    }
}

#[tokio::test]
async fn children_that_go_by_a_cascade_leave_their_other_parents() {
    let (t, viewer) = cinema("traps_cascade", 3).await;
    for (title, odm) in both_ways(&t.odm) {
        let tickets: Vec<Ticket> = (0..6).map(|id| ticket(id, id % 3)).collect();
        Ticket::insert_many(&odm, &tickets).await.unwrap();
        Film::delete(&odm, Id::from_key(2)).await.unwrap();
        let viewer = Viewer::get(&odm, viewer.id).await.unwrap();
        assert!((viewer.spent - 0.1 * 8.0).abs() < 1e-12, "{title}");
        let last: Vec<i32> = viewer.last.iter().map(|line| *line.id.key()).collect();
        assert_eq!(last, [3, 4], "{title}");
        Ticket::delete_many(&odm, doc! {})
            .everything()
            .await
            .unwrap();
        film(2).insert(&odm).await.unwrap();
        settle(&t.odm).await;
        assert!(t.odm.verify().only::<Film>().await.unwrap().is_empty());
    }
}

/// Asserts that the fields of every film are correct for its tickets. The test computes the expected values without the
/// library.
async fn assert_films(odm: &Odm, title: &str) {
    let mut tickets: BTreeMap<i32, Vec<Ticket>> = BTreeMap::new();
    for ticket in Ticket::find(odm)
        .sort(Ticket::fields().id.asc())
        .await
        .unwrap()
    {
        tickets.entry(*ticket.film.key()).or_default().push(ticket);
    }
    for film in Film::find(odm).await.unwrap() {
        let own = tickets.remove(film.id.key()).unwrap_or_default();
        let dearest = own.iter().map(|it| it.price).max_by(f64::total_cmp);
        let last = own[own.len().saturating_sub(2)..].iter();
        let expected = Film {
            id: film.id,
            sold: i64::try_from(own.len()).unwrap(),
            dearest,
            last: last.map(|it| TicketLine { id: it.id }).collect(),
        };
        assert_eq!(film, expected, "{title}");
    }
}

/// The writes affect more parents than fit into one transaction.
#[tokio::test]
async fn update_many_and_delete_many_reach_thousands_of_parents() {
    const PARENTS: i32 = 1_050;
    let (t, _) = cinema("traps_thousands", PARENTS).await;
    let tickets: Vec<Ticket> = (0..PARENTS).map(|id| ticket(id, id)).collect();
    Ticket::insert_many(&t.odm, &tickets).await.unwrap();
    assert_films(&t.odm, "inserted").await;
    let fields = Ticket::fields();
    Ticket::update_many(&t.odm, doc! {})
        .inc(fields.price, 5.0)
        .await
        .unwrap();
    assert_films(&t.odm, "changed").await;
    Ticket::update_many(&t.odm, fields.price.gt(50.0))
        .set(fields.film, Id::from_key(0))
        .await
        .unwrap();
    assert_films(&t.odm, "moved to one").await;
    Ticket::delete_many(&t.odm, fields.price.gt(20.0))
        .await
        .unwrap();
    assert_films(&t.odm, "deleted").await;
    settle(&t.odm).await;
    assert_films(&t.odm, "at the end").await;
}

/// The order in which doubles are added changes only the rounding of their sum.
#[tokio::test]
async fn a_sum_of_doubles_differs_from_its_children_by_no_more_than_rounding() {
    let (t, viewer) = cinema("traps_doubles", 1).await;
    let mut expected: Vec<Ticket> = Vec::new();
    for round in 0..6 {
        let new: Vec<Ticket> = (0..40).map(|id| ticket(round * 40 + id, 0)).collect();
        let (first, last) = new.split_at(20);
        Ticket::insert_many(&t.odm, first).await.unwrap();
        for ticket in last {
            ticket.insert(&t.odm).deferred().await.unwrap();
        }
        expected.extend(new);
        let changed = expected.remove(3);
        Ticket::delete(&t.odm, changed.id).await.unwrap();
        expected[7].price *= 1.1;
        Ticket::update(&t.odm, expected[7].id)
            .set(Ticket::fields().price, expected[7].price)
            .await
            .unwrap();
        t.odm.run_pending_jobs().await.unwrap();
        let sum: f64 = expected.iter().map(|ticket| ticket.price).sum();
        let spent = Viewer::get(&t.odm, viewer.id).await.unwrap().spent;
        assert!((spent - sum).abs() <= 1e-12 * sum, "{spent} and {sum}");
        let drift = t.odm.verify().only::<Viewer>().await.unwrap();
        assert!(drift.is_empty(), "{drift}");
    }
    settle(&t.odm).await;
}

/// Each write of a child uses the child's state at that moment of the transaction, however often the child is written.
#[tokio::test]
async fn several_children_of_one_parent_in_one_transaction_count_once_each() {
    let t = weather("traps_several").await;
    let (north, south) = (station("north"), station("south"));
    t.given(&[north.clone(), south.clone()]).await;
    let fields = Reading::fields();
    let old = reading(north.id, 40);
    old.insert(&t.odm).await.unwrap();
    for (round, deferred) in [(1, false), (2, true)] {
        let first = round * 10;
        let new: Vec<Reading> = (first..first + 4).map(|n| reading(north.id, n)).collect();
        let inside = async |tx: mongo_odm::Tx| {
            for one in &new {
                let insert = one.insert(&tx);
                let insert = if deferred { insert.deferred() } else { insert };
                insert.await?;
            }
            Reading::update(&tx, new[0].id).set(fields.rain, 70).await?;
            Reading::update(&tx, new[0].id).inc(fields.rain, 1).await?;
            let to_south = Reading::update(&tx, new[1].id).set(fields.station, Some(south.id));
            let to_south = if deferred {
                to_south.deferred()
            } else {
                to_south
            };
            to_south.await?;
            let back = Reading::update(&tx, new[1].id).set(fields.station, Some(north.id));
            back.await?;
            Reading::delete(&tx, new[2].id).await?;
            let again = Reading {
                celsius: Some(-3.5),
                ..new[2].clone()
            };
            again.insert(&tx).await?;
            Reading::update_many(&tx, fields.station.eq(Some(north.id)))
                .inc(fields.rain, 1)
                .await?;
            Ok(())
        };
        t.odm.transaction(inside).await.unwrap();
        if !deferred {
            assert_right(&t.odm, "at once").await;
        }
        settle(&t.odm).await;
        assert_right(&t.odm, &format!("round {round}")).await;
    }
}

/// Your code can store an `int` in the field of another type: `doc! { "$set": { "price": 9 } }`.
#[tokio::test]
async fn a_value_of_another_number_type_can_be_the_new_maximum() {
    let (t, _) = cinema("traps_types", 1).await;
    for (title, odm) in both_ways(&t.odm) {
        let tickets = [ticket(1, 0), ticket(2, 0)];
        Ticket::insert_many(&odm, &tickets).await.unwrap();
        let rise = doc! { "$set": { "price": 9_i32 } };
        Ticket::update(&odm, tickets[0].id)
            .with(rise)
            .await
            .unwrap();
        let dearest = Film::get(&odm, Id::from_key(0)).await.unwrap().dearest;
        assert_eq!(dearest, Some(9.0), "{title}");
        let fall = doc! { "$set": { "price": 0.05 } };
        Ticket::update(&odm, tickets[0].id)
            .with(fall)
            .await
            .unwrap();
        assert_films(&odm, title).await;
        let gone = Ticket::delete_many(&odm, doc! {}).everything();
        gone.await.unwrap();
    }
}
