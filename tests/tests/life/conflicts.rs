//! Deleted documents and live documents with the same unique value.

use mongo_odm::{Error, Odm, SoftDelete, prelude::*};
use odm_tests::Harness;

use crate::models::{id, settings};

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "taken_rooms")]
struct Room {
    #[serde(rename = "_id")]
    id: Id<Room, i64>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "taken_seats")]
struct Seat {
    #[serde(rename = "_id")]
    id: Id<Seat, i64>,
    #[index(unique)]
    number: i64,
    #[parent_ref(exists, on_delete = "cascade")]
    room: Option<Id<Room, i64>>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "taken_halls", on_delete = "archive")]
struct Hall {
    #[serde(rename = "_id")]
    id: Id<Hall, i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "taken_chairs", on_delete = "archive")]
struct Chair {
    #[serde(rename = "_id")]
    id: Id<Chair, i64>,
    #[index(unique)]
    number: i64,
    #[parent_ref(exists, on_delete = "cascade")]
    hall: Option<Id<Hall, i64>>,
}

fn seat(number: i64, room: Option<i64>) -> Seat {
    Seat {
        id: id(number),
        number: number % 100,
        room: room.map(id),
        deleted_at: None,
    }
}

fn chair(number: i64, hall: Option<i64>) -> Chair {
    Chair {
        id: id(number),
        number: number % 100,
        hall: hall.map(id),
    }
}

/// Deletes the parent of twelve children, stores a document with the unique value of the child 7, and restores the
/// parent.
async fn restore<P, C>(t: &Harness, parent: P, child: fn(i64, Option<i64>) -> C)
where
    P: Model<Id = Id<P, i64>> + SoftDelete,
    C: Model<Id = Id<C, i64>> + SoftDelete,
{
    let few = t.odm.with_settings(settings().inline_copies(5));
    parent.insert(&t.odm).await.unwrap();
    let children: Vec<C> = (1..=12).map(|number| child(number, Some(1))).collect();
    C::insert_many(&t.odm, &children).await.unwrap();
    P::delete(&t.odm, id(1)).await.unwrap();
    child(107, None).insert(&t.odm).await.unwrap();

    let taken = P::restore(&t.odm, id(1)).await.unwrap_err();
    assert!(matches!(taken, Error::DuplicateKey { .. }), "{taken}");
    assert_eq!(counts::<P, C>(&t.odm).await, [0, 1]);

    let taken = P::restore(&few, id(1)).atomic().await.unwrap_err();
    assert!(matches!(taken, Error::DuplicateKey { .. }), "{taken}");
    assert_eq!(counts::<P, C>(&t.odm).await, [0, 1]);

    let report = P::restore(&few, id(1)).await.unwrap();
    assert_eq!(report.restored, 1);
    few.run_pending_jobs().await.unwrap();
    assert_eq!(counts::<P, C>(&t.odm).await, [1, 12]);
    assert!(!few.jobs().await.unwrap().is_empty());

    // The next restore also restores the child that is still deleted.
    C::purge(&t.odm, id(107)).await.unwrap();
    P::delete(&few, id(1)).await.unwrap();
    P::restore(&t.odm, id(1)).await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(counts::<P, C>(&t.odm).await, [1, 12]);
}

async fn counts<P: Model, C: Model>(odm: &Odm) -> [u64; 2] {
    [P::count(odm).await.unwrap(), C::count(odm).await.unwrap()]
}

#[tokio::test]
async fn a_restore_beyond_the_limit_leaves_a_marked_child_whose_value_is_taken() {
    let mut t = Harness::long_declared("life_taken").await;
    t.odm = t.odm.with_settings(settings());
    t.odm.sync_indexes().only::<Seat>().await.unwrap();
    let room = Room {
        id: id(1),
        deleted_at: None,
    };
    restore(&t, room, seat).await;
}

#[tokio::test]
async fn a_restore_beyond_the_limit_leaves_an_archived_child_whose_value_is_taken() {
    let mut t = Harness::long_declared("life_taken_archive").await;
    t.odm = t.odm.with_settings(settings());
    t.odm.sync_indexes().only::<Chair>().await.unwrap();
    restore(&t, Hall { id: id(1) }, chair).await;
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "taken_visitors", has_one(badge = "Badge.visitor"))]
struct Visitor {
    #[serde(rename = "_id")]
    id: Id<Visitor, i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "taken_badges")]
struct Badge {
    #[serde(rename = "_id")]
    id: Id<Badge, i64>,
    #[parent_ref]
    #[index(unique)]
    visitor: Id<Visitor, i64>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[tokio::test]
async fn a_load_of_one_document_names_the_deleted_documents_that_it_also_finds() {
    let t = Harness::long_declared("life_taken_badges").await;
    let odm = &t.odm;
    odm.sync_indexes().only::<Badge>().await.unwrap();
    let visitor = Visitor { id: id(1) };
    visitor.insert(odm).await.unwrap();
    for number in [1, 2] {
        let badge = Badge {
            id: id(number),
            visitor: id(1),
            deleted_at: None,
        };
        badge.insert(odm).await.unwrap();
        if number == 1 {
            Badge::delete(odm, id(1)).await.unwrap();
        }
    }
    let loaded = visitor.load_badge(odm).await.unwrap();
    assert_eq!(loaded.unwrap().id.into_key(), 2);
    let error = visitor.load_badge(odm).with_deleted().await.unwrap_err();
    assert!(
        matches!(
            error,
            Error::Ambiguous {
                with_deleted: true,
                ..
            }
        ),
        "{error}"
    );
    let text = error.to_string();
    assert!(text.contains("may be deleted"), "{text}");
    assert!(!text.contains("make the key unique"), "{text}");
}
