//! A child that is changed or deleted while the delta of its insert is pending. No reader sees the second write without
//! the first.

mod readers;

use std::collections::HashSet;

use futures_util::StreamExt;
use mongo_odm::{Guarantee, Settings, Settle};

use super::*;

/// A hall with an unsigned count of its guests. None of its fields are recomputed when a guest leaves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "halls")]
struct Hall {
    #[serde(rename = "_id")]
    id: Id<Hall>,
    #[rollup(count, of = "Guest", via = "hall")]
    guests: u64,
    #[rollup(sum, of = "Guest", via = "hall", field = "paid")]
    paid: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "guests")]
struct Guest {
    #[serde(rename = "_id")]
    id: Id<Guest>,
    #[parent_ref]
    hall: Id<Hall>,
    paid: i64,
}

/// A scale. Only the server can add a weight that is not finite, so such a weight is left to a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "scales")]
struct Scale {
    #[serde(rename = "_id")]
    id: Id<Scale>,
    #[rollup(count, of = "Crate", via = "scale")]
    crates: u64,
    #[rollup(sum, of = "Crate", via = "scale", field = "weight")]
    weight: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "scale_crates")]
struct Crate {
    #[serde(rename = "_id")]
    id: Id<Crate>,
    #[parent_ref]
    scale: Id<Scale>,
    weight: f64,
}

/// A shelf with the ids of its books and with their count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "behind_shelves")]
struct Shelf {
    #[serde(rename = "_id")]
    id: Id<Shelf>,
    #[refs(many, inverse = "shelf")]
    books: Vec<Id<Book>>,
    #[rollup(count, of = "Book", via = "shelf")]
    count: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "behind_books")]
struct Book {
    #[serde(rename = "_id")]
    id: Id<Book>,
    #[parent_ref(inverse = "books")]
    shelf: Id<Shelf>,
}

const HALL: Hall = Hall {
    id: Id::from_key(ObjectId::from_bytes([1; 12])),
    guests: 0,
    paid: 0,
};

async fn halls(test: &str, count: u8) -> (Harness, Vec<Hall>) {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Hall>().only::<Guest>();
    sync.await.unwrap();
    let hall = |number| Hall {
        id: Id::from_key(ObjectId::from_bytes([number; 12])),
        ..HALL
    };
    let halls: Vec<Hall> = (0..count).map(hall).collect();
    t.given(&halls).await;
    (t, halls)
}

fn guest(hall: &Hall, paid: i64) -> Guest {
    Guest {
        id: Id::new(),
        hall: hall.id,
        paid,
    }
}

/// Returns how many guests a hall has and what they paid, as a reader sees it.
async fn seen(odm: &Odm, hall: &Hall) -> (u64, i64) {
    let hall = Hall::get(odm, hall.id).await.unwrap();
    (hall.guests, hall.paid)
}

async fn deltas(odm: &Odm) -> u64 {
    count(odm, "_odm_deltas", doc! {}).await
}

#[tokio::test]
async fn a_child_that_goes_before_its_insert_is_folded_is_not_taken_from_the_count() {
    let (t, halls) = halls("behind_delete", 1).await;
    let hall = &halls[0];
    let gone = guest(hall, -5);
    gone.insert(&t.odm).deferred().await.unwrap();
    assert_eq!(seen(&t.odm, hall).await, (0, 0));
    let report = Guest::delete(&t.odm, gone.id).await.unwrap();
    assert_eq!(
        report.copies[0].guarantee,
        Guarantee::Eventual,
        "{report:?}"
    );
    assert_eq!(seen(&t.odm, hall).await, (0, 0));
    t.odm.wait(report.token()).await.unwrap();
    assert_eq!(seen(&t.odm, hall).await, (0, 0));
    assert_eq!(deltas(&t.odm).await, 0);
    settle(&t.odm).await;
    assert!(t.odm.verify().only::<Hall>().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_child_that_changes_before_its_insert_is_folded_changes_no_sum() {
    let (t, halls) = halls("behind_change", 1).await;
    let hall = &halls[0];
    let (first, stays) = (guest(hall, 7), guest(hall, 1));
    stays.insert(&t.odm).await.unwrap();
    first.insert(&t.odm).deferred().await.unwrap();
    let paid = Guest::fields().paid;
    Guest::update(&t.odm, first.id).set(paid, 3).await.unwrap();
    assert_eq!(seen(&t.odm, hall).await, (1, 1));
    Guest::update(&t.odm, first.id).inc(paid, 3).await.unwrap();
    Guest::update_many(&t.odm, Guest::fields().id.eq(first.id))
        .inc(paid, 3)
        .await
        .unwrap();
    assert_eq!(seen(&t.odm, hall).await, (1, 1));
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(seen(&t.odm, hall).await, (2, 10));
    assert_eq!(deltas(&t.odm).await, 0);
}

/// No delta is pending for the second parent.
#[tokio::test]
async fn a_child_that_moves_before_its_insert_is_folded_is_counted_once() {
    let (t, halls) = halls("behind_move", 2).await;
    let (from, to) = (&halls[0], &halls[1]);
    let moved = guest(from, 7);
    moved.insert(&t.odm).deferred().await.unwrap();
    let hall = Guest::fields().hall;
    Guest::update(&t.odm, moved.id)
        .set(hall, to.id)
        .await
        .unwrap();
    assert_eq!(seen(&t.odm, from).await, (0, 0));
    assert_eq!(seen(&t.odm, to).await, (1, 7));
    // The guest moves back while the delta of its first move is pending.
    Guest::update(&t.odm, moved.id)
        .set(hall, from.id)
        .await
        .unwrap();
    assert_eq!(seen(&t.odm, from).await, (0, 0));
    assert_eq!(seen(&t.odm, to).await, (0, 0));
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(seen(&t.odm, from).await, (1, 7));
    assert_eq!(seen(&t.odm, to).await, (0, 0));
    settle(&t.odm).await;
}

#[tokio::test]
async fn an_atomic_write_folds_what_waits_for_its_parent() {
    let (t, halls) = halls("behind_atomic", 2).await;
    let (hall, other) = (&halls[0], &halls[1]);
    let (gone, stays) = (guest(hall, 7), guest(hall, 2));
    gone.insert(&t.odm).deferred().await.unwrap();
    stays.insert(&t.odm).deferred().await.unwrap();
    guest(other, 1).insert(&t.odm).deferred().await.unwrap();
    let report = Guest::delete(&t.odm, gone.id).atomic().await.unwrap();
    assert_eq!(report.copies[0].guarantee, Guarantee::Atomic, "{report:?}");
    assert_eq!(seen(&t.odm, hall).await, (1, 2));
    assert_eq!(seen(&t.odm, other).await, (0, 0));
    assert_eq!(deltas(&t.odm).await, 1);
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(seen(&t.odm, hall).await, (1, 2));
    assert_eq!(seen(&t.odm, other).await, (1, 1));
    settle(&t.odm).await;
}

#[tokio::test]
async fn an_atomic_write_behind_more_than_one_fold_takes_computes_its_parent_again() {
    let (t, halls) = halls("behind_atomic_many", 1).await;
    let hall = &halls[0];
    let mut last = guest(hall, 0);
    for number in 0..1_005 {
        last = guest(hall, number);
        last.insert(&t.odm).deferred().await.unwrap();
    }
    Guest::delete(&t.odm, last.id).atomic().await.unwrap();
    assert_eq!(seen(&t.odm, hall).await, (1_004, 1_003 * 1_004 / 2));
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(seen(&t.odm, hall).await, (1_004, 1_003 * 1_004 / 2));
    assert_eq!(deltas(&t.odm).await, 0);
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_child_whose_insert_is_left_to_a_job_is_not_taken_from_the_count() {
    for how in ["delete", "atomic", "deferred", "transaction"] {
        let t = empty(&format!("behind_job_{how}")).await;
        let sync = t.odm.sync_indexes().only::<Scale>().only::<Crate>();
        sync.await.unwrap();
        let scale = Scale {
            id: Id::new(),
            crates: 0,
            weight: 0.0,
        };
        scale.insert(&t.odm).await.unwrap();
        let heavy = Crate {
            id: Id::new(),
            scale: scale.id,
            weight: f64::INFINITY,
        };
        heavy.insert(&t.odm).deferred().await.unwrap();
        let crates = async || Scale::get(&t.odm, scale.id).await.unwrap().crates;
        assert_eq!((crates().await, deltas(&t.odm).await), (0, 0), "{how}");
        let delete = Crate::delete(&t.odm, heavy.id);
        match how {
            "delete" => drop(delete.await.unwrap()),
            "atomic" => drop(delete.atomic().await.unwrap()),
            "deferred" => drop(delete.deferred().await.unwrap()),
            _ => {
                let inside = async |tx: mongo_odm::Tx| Crate::delete(&tx, heavy.id).await;
                drop(t.odm.transaction(inside).await.unwrap());
            }
        }
        assert_eq!(crates().await, 0, "{how}");
        settle(&t.odm).await;
        assert_eq!((crates().await, deltas(&t.odm).await), (0, 0), "{how}");
    }
}

/// Another program has written the parent, or has deleted a child without the library.
#[tokio::test]
async fn a_count_that_is_too_small_is_computed_again_and_not_negative() {
    let (t, halls) = halls("behind_drift", 1).await;
    let hall = &halls[0];
    let guests: Vec<Guest> = (0..3).map(|paid| guest(hall, paid)).collect();
    Guest::insert_many(&t.odm, &guests).await.unwrap();
    let stored = t.odm.database().collection::<Document>("halls");
    let drift = doc! { "$set": { "guests": 1_i64 } };
    stored
        .update_one(doc! { "_id": hall.id }, drift)
        .await
        .unwrap();
    Guest::delete_many(&t.odm, Guest::fields().paid.lt(2))
        .await
        .unwrap();
    assert_eq!(seen(&t.odm, hall).await, (1, 2));
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_child_that_goes_before_its_insert_is_folded_never_comes_into_a_list_or_an_array() {
    let t = empty("behind_array").await;
    t.odm
        .sync_indexes()
        .only::<Shelf>()
        .only::<Book>()
        .await
        .unwrap();
    let shelf = Shelf {
        id: Id::new(),
        books: Vec::new(),
        count: 0,
    };
    shelf.insert(&t.odm).await.unwrap();
    let books: Vec<Book> = (0..4)
        .map(|_| Book {
            id: Id::new(),
            shelf: shelf.id,
        })
        .collect();
    for book in &books {
        book.insert(&t.odm).deferred().await.unwrap();
    }
    for (gone, book) in books.iter().enumerate() {
        Book::delete(&t.odm, book.id).await.unwrap();
        let stored = Shelf::get(&t.odm, shelf.id).await.unwrap();
        assert!(!stored.books.contains(&book.id), "{stored:?}");
        assert!(stored.count <= 4 - gone as u64, "{stored:?}");
    }
    t.odm.run_pending_jobs().await.unwrap();
    let stored = Shelf::get(&t.odm, shelf.id).await.unwrap();
    assert_eq!((stored.books.len(), stored.count), (0, 0));
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_list_and_a_count_of_children_that_go_before_they_are_folded_are_right() {
    let t = weather("behind_lists").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    let waiting: Vec<Reading> = (0..6).map(|number| reading(north.id, number)).collect();
    for new in &waiting {
        new.insert(&t.odm).deferred().await.unwrap();
    }
    for gone in waiting.iter().rev() {
        Reading::delete(&t.odm, gone.id).await.unwrap();
        let stored = Station::get(&t.odm, north.id).await.unwrap();
        assert!(stored.latest.iter().all(|line| line.id != gone.id));
        assert!((0..=6).contains(&stored.readings), "{stored:?}");
        assert!((0..=15).contains(&stored.rain), "{stored:?}");
    }
    t.odm.run_pending_jobs().await.unwrap();
    assert_right(&t.odm, "folded").await;
    settle(&t.odm).await;
}

/// The clock of the program that inserted the children is ahead of the clocks of the programs that delete them, so the
/// delta of the insert has the largest id. One fold takes 1,000 deltas.
#[tokio::test]
async fn deltas_are_folded_in_the_order_of_the_server_and_not_of_their_ids() {
    let (t, halls) = halls("behind_clocks", 1).await;
    let hall = &halls[0];
    let guests: Vec<Guest> = (0..1_100).map(|_| guest(hall, 1)).collect();
    Guest::insert_many(&t.odm, &guests)
        .deferred()
        .await
        .unwrap();
    let stored = t.odm.database().collection::<Document>("_odm_deltas");
    let mut insert = stored.find_one_and_delete(doc! {}).await.unwrap().unwrap();
    insert.insert("_id", ObjectId::from_bytes([0xFF; 12]));
    stored.insert_one(&insert).await.unwrap();
    for gone in &guests[..1_050] {
        Guest::delete(&t.odm, gone.id).deferred().await.unwrap();
    }
    assert_eq!(deltas(&t.odm).await, 1_051);

    let written = t.odm.database().collection::<Document>("halls");
    let mut written = written.watch().await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(seen(&t.odm, hall).await, (50, 50));
    let mut values = Vec::new();
    while values.last() != Some(&50) {
        let event = written.next().await.unwrap().unwrap();
        let changed = event.update_description.unwrap().updated_fields;
        values.push(changed.get_i64("guests").unwrap());
    }
    assert!(values.len() > 1, "one fold has taken all: {values:?}");
    assert!(
        values.iter().all(|it| (0..=1_100).contains(it)),
        "{values:?}"
    );
    settle(&t.odm).await;
}
