//! The timestamps of documents when the library changes their derived data or applies a delete rule.

use super::*;

const TASKS: &str = "maintained_tasks";
const PEOPLE: &str = "maintained_people";

async fn run_jobs(odm: &Odm) {
    odm.run_pending_jobs().await.unwrap();
}

#[tokio::test]
async fn copies_summaries_lists_and_mirrors_are_no_updates() {
    let (t, clock) = clocked("maintained_derived").await;
    for (way, odm) in both_ways(&t.odm) {
        let odm = &clock.handle(&odm);
        t.odm
            .collection::<Task>()
            .delete_many(doc! {})
            .await
            .unwrap();
        t.odm
            .collection::<Person>()
            .delete_many(doc! {})
            .await
            .unwrap();
        clock.set(at(1));
        person(1).insert(odm).await.unwrap();
        let mut owned = task(1);
        owned.owner = Some(id(1));
        clock.set(at(2));
        owned.insert(odm).await.unwrap();
        run_jobs(odm).await;
        // The insert of the task has changed the person's count, recent list and array of tasks.
        let stored = Person::get(odm, id(1)).await.unwrap();
        assert_eq!((stored.count, stored.tasks), (1, vec![id(1)]), "{way}");
        assert_eq!(
            (stored.last_update, stored.recent[0].created),
            (Some(at(2)), at(2)),
            "{way}"
        );
        assert_eq!(times(odm, PEOPLE, 1).await, (1, 1), "{way}");
        clock.set(at(3));
        let rename = Person::update(odm, id(1)).set(Person::fields().name, "other");
        rename.await.unwrap();
        run_jobs(odm).await;
        assert_eq!(
            Task::get(odm, id(1)).await.unwrap().owner_name.unwrap(),
            "other",
            "{way}"
        );
        assert_eq!(times(odm, TASKS, 1).await, (2, 2), "{way}");
        assert_eq!(times(odm, PEOPLE, 1).await, (1, 3), "{way}");
        // `last_update` is the maximum of the tasks' update times, so this summary changes, too.
        clock.set(at(4));
        let retitle = Task::update(odm, id(1)).set(Task::fields().title, "x");
        retitle.await.unwrap();
        run_jobs(odm).await;
        let last = Person::get(odm, id(1)).await.unwrap().last_update;
        assert_eq!(last, Some(at(4)), "{way}");
        assert_eq!(times(odm, PEOPLE, 1).await, (1, 3), "{way}");
    }
}

#[tokio::test]
async fn a_save_keeps_the_stored_time_for_the_list_of_the_parent() {
    let (t, clock) = clocked("maintained_list").await;
    person(1).insert(&t.odm).await.unwrap();
    let mut owned = task(1);
    owned.owner = Some(id(1));
    clock.set(at(2));
    owned.insert(&t.odm).await.unwrap();
    clock.set(at(3));
    // The `created` time in the struct differs from the stored one.
    owned.save(&t.odm).await.unwrap();
    let stored = Person::get(&t.odm, id(1)).await.unwrap();
    assert_eq!(times(&t.odm, TASKS, 1).await, (2, 3));
    assert_eq!(stored.recent[0].created, at(2));
    assert_eq!(stored.last_update, Some(at(3)));
    assert!(t.odm.verify().await.unwrap().items.is_empty());
}

#[tokio::test]
async fn reassign_and_take_update_the_children_only() {
    let (t, clock) = clocked("maintained_reassign").await;
    Person::insert_many(&t.odm, &[person(1), person(2)])
        .await
        .unwrap();
    Task::insert_many(&t.odm, &[task(1), task(2), task(3)])
        .await
        .unwrap();
    clock.set(at(2));
    let first = Task::get(&t.odm, id(1)).await.unwrap();
    first.reassign_owner(&t.odm, id(1)).await.unwrap();
    assert_eq!(times(&t.odm, TASKS, 1).await, (1, 2));
    clock.set(at(3));
    let one = Person::get(&t.odm, id(1)).await.unwrap();
    // The first task already has this owner.
    one.take_tasks(&t.odm, [id(1), id(2)]).await.unwrap();
    assert_eq!(times(&t.odm, TASKS, 1).await, (1, 2));
    assert_eq!(times(&t.odm, TASKS, 2).await, (1, 3));
    assert_eq!(times(&t.odm, TASKS, 3).await, (1, 1));
    for number in [1, 2] {
        assert_eq!(times(&t.odm, PEOPLE, number).await, (1, 1), "{number}");
    }
}

#[tokio::test]
async fn nullify_and_pull_are_updates_also_by_a_job() {
    let (t, clock) = clocked("maintained_delete_rules").await;
    for (way, odm) in both_ways(&t.odm) {
        let odm = &clock.handle(&odm);
        t.odm
            .collection::<Task>()
            .delete_many(doc! {})
            .await
            .unwrap();
        clock.set(at(1));
        Note::insert_many(odm, &[note(1), note(2)]).await.unwrap();
        let (mut one, mut two, mut three) = (task(1), task(2), task(3));
        one.note = Some(id(1));
        two.notes = vec![id(2), id(1)];
        three.notes = vec![id(2)];
        Task::insert_many(odm, &[one, two, three]).await.unwrap();
        clock.set(at(5));
        Note::delete(odm, id(1)).await.unwrap();
        run_jobs(odm).await;
        let stored = Task::get(odm, id(1)).await.unwrap();
        assert_eq!(stored.note, None, "{way}");
        assert_eq!(Task::get(odm, id(2)).await.unwrap().notes, [id(2)], "{way}");
        assert_eq!(times(odm, TASKS, 1).await, (1, 5), "{way}");
        assert_eq!(times(odm, TASKS, 2).await, (1, 5), "{way}");
        assert_eq!(times(odm, TASKS, 3).await, (1, 1), "{way}");
        Note::delete(odm, id(2)).await.unwrap();
        run_jobs(odm).await;
    }
}

#[tokio::test]
async fn a_repair_and_a_backfill_are_no_updates() {
    let (t, clock) = clocked("maintained_repair").await;
    person(1).insert(&t.odm).await.unwrap();
    let mut owned = task(1);
    owned.owner = Some(id(1));
    owned.insert(&t.odm).await.unwrap();
    clock.set(at(9));
    let wrong = doc! { "$set": { "owner_name": "wrong" } };
    let tasks = t.odm.collection::<Task>();
    tasks
        .update_one(doc! { "_id": 1 }, wrong.clone())
        .await
        .unwrap();
    t.odm.verify().await.unwrap().repair(&t.odm).await.unwrap();
    run_jobs(&t.odm).await;
    assert_eq!(
        Task::get(&t.odm, id(1)).await.unwrap().owner_name.unwrap(),
        "person 1"
    );
    assert_eq!(times(&t.odm, TASKS, 1).await, (1, 1));
    tasks.update_one(doc! { "_id": 1 }, wrong).await.unwrap();
    t.odm.backfill::<Task>().await.unwrap();
    assert_eq!(
        Task::get(&t.odm, id(1)).await.unwrap().owner_name.unwrap(),
        "person 1"
    );
    assert_eq!(times(&t.odm, TASKS, 1).await, (1, 1));
}
