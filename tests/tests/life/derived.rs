//! Summaries, recent lists and copies of deleted documents.

use mongo_odm::{Odm, prelude::*};

use crate::models::*;

async fn summary(odm: &Odm, number: i64) -> (i64, i64, Option<i64>, i64, Vec<i64>) {
    let project: Project = Project::get(odm, id(number)).with_deleted().await.unwrap();
    let recent = project.recent.iter().map(|it| it.number).collect();
    (
        project.tasks,
        project.hours,
        project.longest,
        project.done,
        recent,
    )
}

#[tokio::test]
async fn summaries_lose_a_deleted_child_and_regain_a_restored_one() {
    let t = filled("life_summaries").await;
    let odm = &t.odm;
    let all = (3, 60, Some(30), 1, vec![1, 2, 3]);
    assert_eq!(summary(odm, 1).await, all);
    Task::delete(odm, id(3)).await.unwrap();
    assert_eq!(summary(odm, 1).await, (2, 30, Some(20), 1, vec![1, 2]));
    assert_verified(odm).await;
    Task::delete(odm, id(2)).await.unwrap();
    assert_eq!(summary(odm, 1).await, (1, 10, Some(10), 0, vec![1]));
    Task::restore(odm, id(3)).await.unwrap();
    Task::restore(odm, id(2)).await.unwrap();
    assert_eq!(summary(odm, 1).await, all);
    assert_verified(odm).await;
}

/// A parent with summaries that can be updated with additions only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_rooms")]
struct Room {
    #[serde(rename = "_id")]
    id: Id<Room, i64>,
    #[rollup(count, of = Guest, via = room)]
    guests: i64,
    #[rollup(sum, of = Guest, via = room, field = bags)]
    bags: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_guests")]
struct Guest {
    #[serde(rename = "_id")]
    id: Id<Guest, i64>,
    bags: i64,
    #[parent_ref]
    room: Id<Room, i64>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[tokio::test]
async fn a_count_and_a_sum_are_not_recomputed() {
    let t = board("life_additions").await;
    t.odm
        .sync_indexes()
        .only::<Room>()
        .only::<Guest>()
        .await
        .unwrap();
    t.given(&[Room {
        id: id(1),
        guests: 0,
        bags: 0,
    }])
    .await;
    let guest = |number| Guest {
        id: id(number),
        bags: number,
        room: id(1),
        deleted_at: None,
    };
    t.given(&[guest(1), guest(2), guest(3)]).await;
    t.odm.run_pending_jobs().await.unwrap();
    for (write, expected) in [("delete", (2, 4)), ("restore", (3, 6)), ("purge", (2, 4))] {
        t.forget();
        match write {
            "delete" => _ = Guest::delete(&t.odm, id(2)).await.unwrap(),
            "restore" => _ = Guest::restore(&t.odm, id(2)).await.unwrap(),
            _ => _ = Guest::purge(&t.odm, id(2)).await.unwrap(),
        }
        let computed = odm_tests::sent::commands(&t, "aggregate");
        let computed = computed
            .iter()
            .filter(|it| it.to_string().contains(r#""from": "life_guests""#));
        let computed: Vec<_> = computed.collect();
        assert!(computed.is_empty(), "{write}: {computed:#?}");
        let room: Room = Room::get(&t.odm, id(1)).await.unwrap();
        assert_eq!((room.guests, room.bags), expected, "{write}");
    }
    // The purge of a deleted guest does not change a summary.
    Guest::delete(&t.odm, id(1)).await.unwrap();
    Guest::purge(&t.odm, id(1)).await.unwrap();
    let room: Room = Room::get(&t.odm, id(1)).await.unwrap();
    assert_eq!((room.guests, room.bags), (1, 3));
}

#[tokio::test]
async fn jobs_and_deltas_count_no_deleted_child() {
    let t = filled("life_deferred").await;
    let odm = &by_jobs(&t.odm);
    Task::delete(odm, id(3)).deferred().await.unwrap();
    Task::delete(odm, id(1)).deferred().await.unwrap();
    Task::restore(odm, id(1)).deferred().await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    assert_eq!(summary(odm, 1).await, (2, 30, Some(20), 1, vec![1, 2]));
    assert_verified(odm).await;
}

#[tokio::test]
async fn copies_of_a_deleted_source_keep_following_it() {
    let t = filled("life_copies").await;
    let odm = &t.odm;
    Task::delete(odm, id(1)).await.unwrap();
    let name = Project::fields().name;
    Project::update(odm, id(1))
        .set(name, "renamed")
        .await
        .unwrap();
    odm.run_pending_jobs().await.unwrap();
    let task: Task = Task::get(odm, id(1)).with_deleted().await.unwrap();
    assert_eq!(task.project_name.as_deref(), Some("renamed"));
    assert_verified(odm).await;
    Task::restore(odm, id(1)).await.unwrap();
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_child_that_moves_between_parents_is_counted_once() {
    let t = filled("life_move").await;
    let odm = &t.odm;
    Task::update(odm, id(1))
        .set(Task::fields().project, id(2))
        .await
        .unwrap();
    Task::delete(odm, id(1)).await.unwrap();
    assert_eq!(summary(odm, 1).await.0, 2);
    assert_eq!(summary(odm, 2).await.0, 1);
    Task::restore(odm, id(1)).await.unwrap();
    assert_eq!(summary(odm, 2).await.0, 2);
    assert_verified(odm).await;
}

#[tokio::test]
async fn verify_finds_a_summary_that_counts_a_deleted_child() {
    let t = filled("life_verify").await;
    let odm = &t.odm;
    Task::delete(odm, id(1)).await.unwrap();
    odm.run_pending_jobs().await.unwrap();
    let projects = odm
        .database()
        .collection::<mongo_odm::bson::Document>("life_projects");
    let wrong = mongo_odm::bson::doc! { "$set": { "tasks": 3_i64 } };
    projects
        .update_one(mongo_odm::bson::doc! { "_id": 1_i64 }, wrong)
        .await
        .unwrap();
    assert!(!odm.verify().await.unwrap().is_empty());
    odm.verify().repair().await.unwrap();
    assert_eq!(summary(odm, 1).await.0, 2);
    assert_verified(odm).await;
}
