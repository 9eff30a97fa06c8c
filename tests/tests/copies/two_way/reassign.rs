//! `reassign_*`: changes the owner if the stored owner is still the one that was loaded.

use mongo_odm::{Error, ErrorKind, Result, bson::Bson};
use odm_tests::planned::assert_sent;

use super::*;

/// Asserts that an error contains the loaded and the present owner.
#[track_caller]
fn assert_reassigned<T: std::fmt::Debug>(
    result: Result<T>,
    task: Id<Task>,
    (loaded, now): (Option<&Person>, Option<&Person>),
) {
    let error = result.unwrap_err();
    assert_eq!(
        (error.kind(), error.code()),
        (ErrorKind::Reassigned, "odm.reassigned")
    );
    let Error::Reassigned {
        model,
        collection,
        field,
        id,
        expected,
        present,
        ..
    } = error
    else {
        panic!("{error:?}")
    };
    assert_eq!(
        (model, collection, field.as_str()),
        ("Task", "two_way_tasks", "owner")
    );
    let key = |person: Option<&Person>| person.map_or(Bson::Null, |person| person.id.into());
    assert_eq!(Id::<Task>::try_from(*id).unwrap(), task);
    assert_eq!((*expected, *present), (key(loaded), key(now)));
}

async fn load(odm: &Odm, task: &Task) -> Task {
    Task::get(odm, task.id).await.unwrap()
}

#[tokio::test]
async fn a_reassign_moves_both_ends_and_all_copies() {
    for (title, by_job) in [("inline", false), ("job", true)] {
        let (t, kate, nicky) = office(&format!("reassign_{title}")).await;
        let odm = if by_job {
            by_jobs(&t.odm)
        } else {
            t.odm.clone()
        };
        let right = async |step: &str| assert_both_ends(&t.odm, &format!("{title}, {step}")).await;
        let (write, errand) = (task(&kate, "write"), errand(&kate, "milk"));
        write.insert(&odm).await.unwrap();
        errand.insert(&odm).await.unwrap();
        let report = write.reassign_owner(&odm, nicky.id).await.unwrap();
        assert_eq!((report.matched, report.modified), (1, 1));
        assert!(!report.copies.is_empty());
        right("another owner").await;
        assert_eq!(load(&t.odm, &write).await.owner, Some(nicky.id));
        load(&t.odm, &write)
            .await
            .reassign_owner(&odm, None)
            .await
            .unwrap();
        right("nobody").await;
        assert_eq!(load(&t.odm, &write).await.owner, None);
        load(&t.odm, &write)
            .await
            .reassign_owner(&odm, kate.id)
            .await
            .unwrap();
        right("one again").await;
        // A missing field and null both mean that there is no owner.
        let unset = Task::update(&odm, write.id).unset(Task::fields().owner);
        unset.await.unwrap();
        let nobodys = load(&t.odm, &write).await;
        nobodys.reassign_owner(&odm, Some(nicky.id)).await.unwrap();
        right("from a missing one").await;
        errand.reassign_runner(&odm, nicky.id).await.unwrap();
        right("a line with a copy").await;
        settle(&t.odm).await;
    }
}

#[tokio::test]
async fn a_task_that_somebody_else_has_reassigned_stays_with_the_present_owner() {
    let (t, kate, nicky) = office("reassign_late").await;
    let write = task(&kate, "write");
    write.insert(&t.odm).await.unwrap();
    let reassign = Task::update(&t.odm, write.id).set(Task::fields().owner, nicky.id);
    reassign.await.unwrap();
    let late = write.reassign_owner(&t.odm, None);
    let (late, sent) = t.sent(async { late.await }).await;
    assert_eq!(sent, ["findAndModify", "find", "abortTransaction"]);
    let text = late.as_ref().unwrap_err().to_string();
    let [task_id, kate_id, nicky_id] = [
        write.id.to_string(),
        kate.id.to_string(),
        nicky.id.to_string(),
    ];
    assert_eq!(
        text,
        format!(
            "`Task.owner` of the document ObjectId(\"{task_id}\") of `two_way_tasks` is ObjectId(\"{nicky_id}\") by \
             now, and no longer ObjectId(\"{kate_id}\"); load the document again, and reassign it if that is still right"
        )
    );
    assert_reassigned(late, write.id, (Some(&kate), Some(&nicky)));
    let nobodys = Task {
        owner: None,
        ..write.clone()
    };
    let late = nobodys.reassign_owner(&t.odm, kate.id).await;
    assert_reassigned(late, write.id, (None, Some(&nicky)));
    let unset = Task::update(&t.odm, write.id).unset(Task::fields().owner);
    unset.await.unwrap();
    let late = write.reassign_owner(&t.odm, nicky.id).await;
    assert_reassigned(late, write.id, (Some(&kate), None));
    let late = write.reassign_owner(&t.odm, kate.id).await;
    assert_reassigned(late, write.id, (Some(&kate), None));
    assert_eq!(load(&t.odm, &write).await.owner, None);
    assert_both_ends(&t.odm, "late").await;
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_task_that_is_gone_is_not_found() {
    let (t, kate, nicky) = office("reassign_gone").await;
    let gone = task(&kate, "gone");
    for owner in [Some(nicky.id), Some(kate.id), None] {
        let refused = gone.reassign_owner(&t.odm, owner).await.unwrap_err();
        let Error::NotFound { model, filter, .. } = &refused else {
            panic!("{refused:?}")
        };
        assert_eq!((*model, &**filter), ("Task", &doc! { "_id": gone.id }));
    }
    assert_eq!(count(&t.odm, "two_way_tasks", doc! {}).await, 0);
    assert_both_ends(&t.odm, "gone").await;
}

#[tokio::test]
async fn the_owner_that_it_has_is_asked_for_and_not_written() {
    let (t, kate, _) = office("reassign_same").await;
    let write = task(&kate, "write");
    write.insert(&t.odm).await.unwrap();
    let same = write.reassign_owner(&t.odm, kate.id);
    let (report, sent) = t.sent(async { same.await }).await;
    let report = report.unwrap();
    assert_eq!((report.matched, report.modified), (1, 0));
    assert_eq!((sent, report.copies.len()), (vec!["find".to_owned()], 0));
    let inside = async |tx: mongo_odm::Tx| write.reassign_owner(&tx, kate.id).await;
    assert_eq!(t.odm.transaction(inside).await.unwrap().modified, 0);
    assert_both_ends(&t.odm, "same").await;
}

#[tokio::test]
async fn a_transaction_may_go_on_after_a_reassign_that_came_late() {
    let (t, kate, nicky) = office("reassign_transaction").await;
    let (write, teach) = (task(&kate, "write"), task(&kate, "teach"));
    t.given(&[write.clone(), teach.clone()]).await;
    let stale = Task {
        owner: Some(nicky.id),
        ..write.clone()
    };
    let inside = async |tx: mongo_odm::Tx| {
        let late = stale.reassign_owner(&tx, None).await;
        assert_reassigned(late, write.id, (Some(&nicky), Some(&kate)));
        teach.reassign_owner(&tx, nicky.id).await?;
        // The read uses the snapshot of the transaction.
        let moved = Task::get(&tx, teach.id).await?;
        moved.reassign_owner(&tx, None).await?;
        write.reassign_owner(&tx, nicky.id).await?;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
    assert_both_ends(&t.odm, "committed").await;
    let owners = (
        load(&t.odm, &write).await.owner,
        load(&t.odm, &teach).await.owner,
    );
    assert_eq!(owners, (Some(nicky.id), None));
    let rolled_back = async |tx: mongo_odm::Tx| {
        load(&t.odm, &write)
            .await
            .reassign_owner(&tx, kate.id)
            .await?;
        Err::<(), _>(Error::custom("no"))
    };
    t.odm.transaction(rolled_back).await.unwrap_err();
    assert_eq!(load(&t.odm, &write).await.owner, Some(nicky.id));
    assert_both_ends(&t.odm, "rolled back").await;
}

#[tokio::test]
async fn an_owner_whose_array_is_full_is_refused() {
    let (t, kate, nicky) = office("reassign_full").await;
    let tasks: Vec<Task> = (0..5).map(|n| task(&kate, &n.to_string())).collect();
    t.given(&tasks).await;
    let other = task(&nicky, "of another");
    other.insert(&t.odm).await.unwrap();
    let refused = other.reassign_owner(&t.odm, kate.id).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::BoundExceeded, "{refused}");
    assert_eq!(load(&t.odm, &other).await.owner, Some(nicky.id));
    tasks[0].reassign_owner(&t.odm, nicky.id).await.unwrap();
    other.reassign_owner(&t.odm, kate.id).await.unwrap();
    assert_both_ends(&t.odm, "full").await;
}

#[tokio::test]
async fn a_reassign_can_be_planned_and_tried() {
    let (t, kate, nicky) = office("reassign_plan").await;
    let write = task(&kate, "write");
    write.insert(&t.odm).await.unwrap();
    for owner in [Some(kate.id), Some(nicky.id)] {
        let reassign = || write.reassign_owner(&t.odm, owner).comment("why");
        let tried = reassign().dry_run().await.unwrap();
        assert_eq!(load(&t.odm, &write).await.owner, Some(kate.id));
        let plan = reassign().plan().unwrap();
        t.forget();
        let done = reassign().await.unwrap();
        assert_sent(&t, "reassign", &plan);
        assert_eq!(
            (tried.matched, tried.modified),
            (done.matched, done.modified)
        );
    }
    assert_both_ends(&t.odm, "done").await;
}

/// A desk, whose reference to its user is in a struct with a copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "two_way_desks")]
struct Desk {
    #[serde(rename = "_id")]
    id: Id<Desk>,
    #[parent_ref(inverse = "desks")]
    user: Option<User>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct User {
    #[refs(one)]
    id: Id<Sitter, String>,
    #[denorm(from = "Sitter.name")]
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "two_way_sitters")]
struct Sitter {
    #[serde(rename = "_id")]
    id: Id<Sitter, String>,
    name: String,
    #[refs(many, inverse = "user")]
    desks: Vec<Id<Desk>>,
}

fn sitter(key: &str) -> Sitter {
    Sitter {
        id: Id::from_key(key.to_owned()),
        name: format!("{key}."),
        desks: Vec::new(),
    }
}

fn user(key: &str) -> User {
    User {
        id: Id::from_key(key.to_owned()),
        name: "old".to_owned(),
    }
}

/// The collation of the desks ignores case, but keys are nevertheless compared byte by byte.
#[tokio::test]
async fn a_reference_in_a_struct_is_reassigned_with_its_copies() {
    let t = empty("reassign_struct").await;
    let collation = mongo_odm::mongodb::options::Collation::builder()
        .locale("en".to_owned())
        .strength(mongo_odm::mongodb::options::CollationStrength::Secondary)
        .build();
    let create = t.odm.database().create_collection("two_way_desks");
    create.collation(collation).await.unwrap();
    let sync = t.odm.sync_indexes().only::<Desk>().only::<Sitter>();
    sync.await.unwrap();
    t.given(&["kate", "KATE", "nicky"].map(sitter)).await;
    let id = Id::new();
    let desk = |key: &str| Desk {
        id,
        user: Some(user(key)),
    };
    desk("kate").insert(&t.odm).await.unwrap();
    let late = desk("KATE").reassign_user(&t.odm, user("nicky")).await;
    let Err(Error::Reassigned {
        field,
        expected,
        present,
        ..
    }) = late
    else {
        panic!("{late:?}")
    };
    let keys = (expected.as_str(), present.as_str());
    assert_eq!(
        (field.as_str(), keys),
        ("user.id", (Some("KATE"), Some("kate")))
    );
    desk("kate")
        .reassign_user(&t.odm, user("nicky"))
        .await
        .unwrap();
    let stored = Desk::get(&t.odm, id).await.unwrap().user.unwrap();
    assert_eq!(
        (stored.id.key().as_str(), stored.name.as_str()),
        ("nicky", "nicky.")
    );
    desk("nicky").reassign_user(&t.odm, None).await.unwrap();
    let nobodys = Desk::get(&t.odm, id).await.unwrap();
    assert_eq!(nobodys.user, None);
    nobodys.reassign_user(&t.odm, user("KATE")).await.unwrap();
    let owner = Sitter::get(&t.odm, Id::from_key("KATE".to_owned()));
    assert_eq!(owner.await.unwrap().desks, [id]);
    let drift = t.odm.verify().only::<Desk>().only::<Sitter>().await;
    assert!(drift.unwrap().is_empty());
}
