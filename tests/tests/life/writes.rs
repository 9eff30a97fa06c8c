//! Writes to models that keep their deleted documents.

use mongo_odm::{
    Error, Tx,
    bson::{Bson, doc},
    prelude::*,
};
use mongo_odm_testkit::TestClock;

use crate::models::*;

#[tokio::test]
async fn a_delete_sets_the_time_and_the_id_of_the_delete() {
    let mut t = board("life_delete").await;
    let clock = TestClock::at(DateTime::from_millis(5));
    t.odm = clock.handle(&t.odm);
    t.given(&[member(1), member(2)]).await;

    let (report, sent) = t.sent(Member::delete(&t.odm, id(1)).into_future()).await;
    assert_eq!(report.unwrap().deleted, 1);
    assert!(sent.contains(&"update".to_owned()), "{sent:?}");
    assert!(!sent.contains(&"delete".to_owned()), "{sent:?}");
    let stored = stored(&t.odm, "life_members", 1).await.unwrap();
    assert_eq!(
        stored
            .get_datetime("deleted_at")
            .unwrap()
            .timestamp_millis(),
        5
    );
    assert!(stored.get_object_id("_odm_delete").is_ok());
    assert_eq!(Member::delete(&t.odm, id(1)).await.unwrap().deleted, 0);
    assert_eq!(
        Member::delete_many(&t.odm, Filter::all())
            .everything()
            .await
            .unwrap()
            .deleted,
        1
    );
    assert_eq!(Member::find(&t.odm).only_deleted().await.unwrap().len(), 2);
}

#[tokio::test]
async fn updates_match_no_deleted_document() {
    let t = filled("life_updates").await;
    let (odm, fields) = (&t.odm, Task::fields());
    Task::delete(odm, id(2)).await.unwrap();

    let updated = Task::update(odm, id(2)).set(fields.hours, 7).await.unwrap();
    assert_eq!(updated.matched, 0);
    let updated = Task::update_many(odm, fields.number.lt(4)).set(fields.hours, 7);
    assert_eq!(updated.await.unwrap().matched, 2);
    let found = Task::find_one_and_update(odm, fields.number.eq(2)).set(fields.hours, 7);
    assert!(found.await.unwrap().is_none());
    let hours = stored(odm, "life_tasks", 2)
        .await
        .unwrap()
        .get_i64("hours")
        .unwrap();
    assert_eq!(hours, 20);
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_deleted_document_cannot_be_saved() {
    let t = filled("life_save").await;
    let odm = &t.odm;
    let loaded: Task = Task::get(odm, id(2)).await.unwrap();
    let project: Project = Project::get(odm, id(2)).await.unwrap();
    Member::insert(&member(1), odm).await.unwrap();
    Task::delete(odm, id(2)).await.unwrap();
    Project::delete(odm, id(2)).await.unwrap();
    Member::delete(odm, id(1)).await.unwrap();

    for error in [
        loaded.save(odm).await.unwrap_err(),
        project.save(odm).await.unwrap_err(),
        member(1).save(odm).await.unwrap_err(),
        loaded.replace(odm).await.unwrap_err(),
        member(1).replace(odm).await.unwrap_err(),
    ] {
        assert!(matches!(error, Error::Deleted { .. }), "{error}");
        assert_eq!(
            (error.kind().code(), error.kind().http_status()),
            ("odm.deleted", 410)
        );
    }
    let unchanged = Task::update(odm, id(2))
        .set(Task::fields().hours, 1)
        .if_unchanged(&loaded);
    assert!(matches!(unchanged.await, Err(Error::Deleted { .. })));
    let upsert = Member::upsert(odm, Member::fields().id.eq(id::<Member>(1)));
    assert!(matches!(
        upsert.set_on_insert(Member::fields().id, id(1)).await,
        Err(Error::Deleted { .. } | Error::Invalid { .. })
    ));
    let twice = member(1).insert(odm).await.unwrap_err();
    assert!(matches!(twice, Error::DuplicateKey { .. }), "{twice}");
}

#[tokio::test]
async fn an_insert_with_the_id_of_a_deleted_document_says_that_it_is_deleted() {
    let t = filled("life_duplicate").await;
    t.given(&[member(1), member(2)]).await;
    Task::delete(&t.odm, id(2)).await.unwrap();
    Member::delete(&t.odm, id(1)).await.unwrap();

    let error = member(1).insert(&t.odm).await.unwrap_err();
    let message = error.to_string();
    assert!(message.contains("`Member::restore`"), "{message}");
    assert!(message.contains("`Member::purge`"), "{message}");
    assert!(matches!(error, Error::DuplicateKey { deleted: true, .. }));
    // The insert of a task needs a transaction.
    let error = task(2, 1).insert(&t.odm).await.unwrap_err();
    assert!(matches!(error, Error::DuplicateKey { deleted: true, .. }));

    for is_ordered in [true, false] {
        let both = [member(1), member(2)];
        let many = Member::insert_many(&t.odm, &both);
        let many = if is_ordered { many } else { many.unordered() };
        let Error::InsertMany { rejected, .. } = many.await.unwrap_err() else {
            panic!("another error");
        };
        let deleted = rejected.iter().map(|it| match &*it.reason {
            Error::DuplicateKey { deleted, .. } => *deleted,
            other => panic!("{other}"),
        });
        let expected: &[bool] = if is_ordered { &[true] } else { &[true, false] };
        assert_eq!(deleted.collect::<Vec<_>>(), expected);
    }

    let (error, sent) = t.sent(member(2).insert(&t.odm).into_future()).await;
    assert!(!error.unwrap_err().to_string().contains("restore"));
    assert_eq!(sent, ["insert", "find"]);
    let (stored, sent) = t.sent(member(3).insert(&t.odm).into_future()).await;
    assert_eq!((stored.is_ok(), sent), (true, vec!["insert".to_owned()]));
}

#[tokio::test]
async fn a_write_does_not_store_the_deleted_at_of_the_struct() {
    let t = board("life_given").await;
    let mut given = member(1);
    given.deleted_at = Some(DateTime::now());
    given.insert(&t.odm).await.unwrap();
    assert!(!is_deleted(&t.odm, "life_members", 1).await);
    given.save(&t.odm).await.unwrap();
    assert!(!is_deleted(&t.odm, "life_members", 1).await);
    t.given(&[project(1)]).await;
    task(1, 1).insert(&t.odm).await.unwrap();
    let stored = stored(&t.odm, "life_tasks", 1).await.unwrap();
    assert!(!stored.contains_key("deleted_at"), "{stored}");
    let stages = vec![doc! { "$set": { "deleted_at": "$$NOW" } }];
    let refused = Member::update(&t.odm, id(1))
        .modifications(stages)
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("deleted_at"), "{refused}");
}

#[tokio::test]
async fn a_delete_and_a_restore_increment_the_version() {
    let t = filled("life_version").await;
    let odm = &t.odm;
    let loaded: Task = Task::get(odm, id(1)).await.unwrap();
    Task::delete(odm, id(1)).await.unwrap();
    assert_eq!(Task::restore(odm, id(1)).await.unwrap().restored, 1);
    let now: Task = Task::get(odm, id(1)).await.unwrap();
    assert_eq!((now.deleted_at, now.version), (None, loaded.version + 2));
    assert!(matches!(
        loaded.save(odm).await,
        Err(Error::Conflict { .. })
    ));
    now.save(odm).await.unwrap();
}

#[tokio::test]
async fn a_restore_of_a_live_or_missing_document_does_nothing() {
    let t = filled("life_restore_nothing").await;
    assert_eq!(Task::restore(&t.odm, id(1)).await.unwrap().restored, 0);
    assert_eq!(Task::restore(&t.odm, id(99)).await.unwrap().restored, 0);
    Task::delete(&t.odm, id(1)).await.unwrap();
    assert_eq!(Task::restore(&t.odm, id(1)).await.unwrap().restored, 1);
    assert_eq!(Task::restore(&t.odm, id(1)).await.unwrap().restored, 0);
    assert_verified(&t.odm).await;
}

#[tokio::test]
async fn a_purge_removes_live_and_deleted_documents() {
    let t = filled("life_purge").await;
    let odm = &t.odm;
    Task::delete(odm, id(1)).await.unwrap();
    assert_eq!(Task::purge(odm, id(1)).await.unwrap().deleted, 1);
    assert_eq!(Task::purge(odm, id(2)).await.unwrap().deleted, 1);
    assert_eq!(stored(odm, "life_tasks", 1).await, None);
    assert_eq!(stored(odm, "life_tasks", 2).await, None);
    // The comments of task 1 were removed with it.
    assert_eq!(stored(odm, "life_comments", 1).await, None);
    assert_eq!(stored(odm, "life_comments", 2).await, None);
    Task::delete(odm, id(3)).await.unwrap();
    let old = Task::fields().deleted_at.lt(DateTime::MAX);
    assert_eq!(Task::purge_many(odm, old).await.unwrap().deleted, 1);
    let project: Project = Project::get(odm, id(1)).await.unwrap();
    assert_eq!(
        (project.tasks, project.hours, project.longest),
        (0, 0, None)
    );
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_transaction_that_fails_deletes_and_restores_nothing() {
    let t = filled("life_transaction").await;
    let odm = &t.odm;
    Task::delete(odm, id(3)).await.unwrap();
    let failed: mongo_odm::Result<()> = odm
        .transaction(async |tx: mongo_odm::Tx| {
            Task::delete(&tx, id(1)).await?;
            Task::restore(&tx, id(3)).await?;
            assert_eq!(Task::count(&tx).await?, 3);
            Err(Error::custom(std::io::Error::other("stop")))
        })
        .await;
    assert!(failed.is_err());
    assert_eq!(live::<Task>(odm).await, [1, 2, 4]);
    assert_eq!(live::<Comment>(odm).await, [1, 2, 3]);
    assert_verified(odm).await;
    let null = stored(odm, "life_tasks", 1).await.unwrap();
    assert_eq!(null.get("deleted_at"), None::<&Bson>);
}

#[tokio::test]
async fn an_update_that_returns_the_document_reports_that_it_is_deleted() {
    let t = filled("life_update_returning").await;
    let odm = &t.odm;
    Task::delete(odm, id(1)).await.unwrap();
    let hours = Task::fields().hours;
    let update = |number| Task::update(odm, id(number)).set(hours, 5);
    let error = update(1).returning().await.unwrap_err();
    assert!(matches!(error, Error::Deleted { .. }), "{error}");
    let filtered = update(1).filter(hours.gte(0));
    let error = filtered.returning().await.unwrap_err();
    assert!(matches!(error, Error::Deleted { .. }), "{error}");
    let error = update(77).returning().await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error}");
    assert_eq!(update(1).await.unwrap().matched, 0);
    assert_eq!(update(2).returning().await.unwrap().hours, 5);
    let aborted = odm
        .transaction(async |tx: Tx| {
            let hours = Task::fields().hours;
            Task::update(&tx, id(1)).set(hours, 5).returning().await
        })
        .await;
    assert!(matches!(aborted, Err(Error::Deleted { .. })), "{aborted:?}");
}

#[tokio::test]
async fn a_document_that_the_same_transaction_deletes_cannot_be_saved() {
    let t = filled("life_save_in_transaction").await;
    let odm = &t.odm;
    member(1).insert(odm).await.unwrap();
    let saved = odm
        .transaction(async |tx: Tx| {
            Member::delete(&tx, id(1)).await?;
            member(1).save(&tx).await.map(|_| ())
        })
        .await;
    let bulk = odm
        .transaction(async |tx: Tx| {
            Member::delete(&tx, id(1)).await?;
            tx.bulk_write().add(member(1).save(&tx)).await.map(|_| ())
        })
        .await;
    let upserted = odm
        .transaction(async |tx: Tx| {
            Project::delete(&tx, id(2)).await?;
            let fields = Project::fields();
            let upsert = Project::upsert(&tx, fields.id.eq(id::<Project>(2)));
            upsert
                .set(fields.name, "")
                .set(fields.slug, "new")
                .await
                .map(|_| ())
        })
        .await;
    for error in [saved, bulk, upserted].map(Result::unwrap_err) {
        assert!(error.to_string().contains("is deleted"), "{error}");
    }
    // The document may differ from the other condition, so it is unknown whether it is deleted.
    let other = odm
        .transaction(async |tx: Tx| {
            Project::delete(&tx, id(2)).await?;
            let fields = Project::fields();
            let filter = fields.id.eq(id::<Project>(2)) & fields.name.eq("x");
            let upsert = Project::upsert(&tx, filter).set(fields.slug, "new");
            upsert.await.map(|_| ())
        })
        .await;
    let error = other.unwrap_err();
    assert!(matches!(error, Error::DuplicateKey { .. }), "{error}");
    // A filter that the document does not match shows nothing about the document.
    let unmatched = odm
        .transaction(async |tx: Tx| {
            let fields = Project::fields();
            let upsert = Project::upsert(&tx, fields.id.gt(id::<Project>(70)));
            let upsert = upsert.set_on_insert(fields.id, id(1)).set(fields.name, "");
            upsert.set(fields.slug, "new").await.map(|_| ())
        })
        .await;
    let error = unmatched.unwrap_err();
    assert!(matches!(error, Error::DuplicateKey { .. }), "{error}");
}
