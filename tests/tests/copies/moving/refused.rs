//! Documents that cannot be moved. They are reported, and no existing document is overwritten.

use mongo_odm::{Error, ErrorKind};

use super::*;

/// An owner, with which the documents that it owns are deleted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_owners")]
struct Owner {
    #[serde(rename = "_id")]
    id: Id<Owner, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_owned")]
struct Owned {
    #[serde(rename = "_id")]
    id: Id<Owned, i64>,
    #[parent_ref(on_delete = "cascade")]
    owner: Id<Owner, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_school", kind(doc_type = "owner"))]
struct NewOwner {
    #[serde(rename = "_id")]
    id: Id<NewOwner, i64>,
}

/// A friend, whose friends refer to it in the same field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_friends")]
struct Friend {
    #[serde(rename = "_id")]
    id: Id<Friend, i64>,
    #[refs(many, inverse = "friends")]
    friends: Vec<Id<Friend, i64>>,
}

#[tokio::test]
async fn an_id_of_another_kind_is_an_error_before_anything_is_written() {
    let t = students("moving_taken", 20).await;
    let class = Class {
        id: Id::from_key(new_id(12)),
        name: "a class".to_owned(),
    };
    class.insert(&t.odm).await.unwrap();
    for moving in [there(&t.odm).overwrite(), there(&t.odm).delete_moved()] {
        let error = moving.batch_size(10).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::IdTaken);
        let message = "`Student` (of the kind \"student\") with the `_id` \"S012\" cannot be stored in `moving_school`: \
            a document of the kind \"class\" has it; give the moved document another `_id`";
        assert_eq!(error.to_string(), message);
        assert!(matches!(error, Error::IdTaken { id, .. } if *id == "S012".into()));
        assert_eq!(Class::get(&t.odm, &class.id).await.unwrap(), class);
        // The batch before the error is moved.
        assert_eq!(Student::count(&t.odm).await.unwrap(), 10);
    }
    let error = there(&t.odm).check().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::IdTaken);
    // Without the conflicting document, the move continues.
    Class::delete(&t.odm, &class.id).await.unwrap();
    let report = there(&t.odm).delete_moved().await.unwrap();
    assert_eq!(
        (report.moved, report.deleted, report.resumed),
        (10, 20, true)
    );
}

#[tokio::test]
async fn two_documents_with_one_id_are_an_error() {
    let t = students("moving_twice", 5).await;
    let moving = t.odm.move_documents(|old: OldStudent| Student {
        id: Id::from_key("S".to_owned()),
        ..new(old)
    });
    let error = moving.clone().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::IdTaken);
    assert!(
        error
            .to_string()
            .contains("the `OldStudent` with the `_id`"),
        "{error}"
    );
    assert_eq!(Student::count(&t.odm).await.unwrap(), 0);
    // In separate batches, the second document is not treated as a different version of the first.
    let report = moving.clone().restart().batch_size(1).await.unwrap();
    assert_eq!((report.moved, report.differing.len()), (1, 4));
    let drift = moving.check().await.unwrap();
    assert_eq!((drift.compared, drift.differing.len()), (5, 4));
}

/// The two documents can be far apart, and can be equal.
#[tokio::test]
async fn a_check_finds_two_documents_that_become_one() {
    let t = students("moving_alike", 0).await;
    let alike = |id: i64| {
        doc! {
            "_id": id, "name": format!("student {}", id % 1_050), "score": 0.5, "mentor": 1_i64, "mentor_name": "",
            "first_mentor": "",
        }
    };
    put(&t.odm, "moving_students", (0..1_100).map(alike)).await;
    let moving = t.odm.move_documents(|old: OldStudent| Student {
        id: Id::from_key(new_id(old.id.key() % 1_050)),
        ..new(old)
    });
    let report = moving.clone().await.unwrap();
    assert_eq!((report.moved, report.present), (1_050, 50));
    let drift = moving.check().await.unwrap();
    assert_eq!((drift.compared, drift.found), (1_100, 50));
    assert_eq!(drift.differing.len(), 50);
    settle(&t.odm).await;
}

#[tokio::test]
async fn documents_that_cannot_be_moved_are_reported_and_left() {
    let t = students("moving_failed", 12).await;
    let odm = &t.odm;
    put(odm, "moving_students", [doc! { "_id": 50_i64, "name": 1 }]).await;
    put(
        odm,
        "moving_students",
        [doc! { "_id": "text", "name": "no number" }],
    )
    .await;
    let twin = doc! {
        "_id": 51_i64, "name": "student 2", "score": 0.5, "mentor": 1_i64, "mentor_name": "", "first_mentor": "",
    };
    put(odm, "moving_students", [twin]).await;
    validate(
        odm,
        "moving_school",
        doc! { "name": { "$ne": "student 7" } },
    )
    .await;
    let report = there(odm).delete_moved().await.unwrap();
    assert_eq!(
        (report.looked_at, report.moved, report.deleted),
        (15, 11, 11)
    );
    let mut failed = report.failed;
    failed.sort_by_key(ToString::to_string);
    assert_eq!(
        failed,
        ["text".into(), 50_i64.into(), 51_i64.into(), 7_i64.into()]
    );
    let left = stored(&t, "moving_students").await;
    assert_eq!(left.len(), 4);
    let drift = there(odm).check().await.unwrap();
    assert_eq!((drift.failed.len(), drift.missing.len()), (2, 2));
    assert_eq!(
        drift.left_over.len(),
        11,
        "what was deleted is no document of the source"
    );
    settle(odm).await;
}

#[tokio::test]
async fn a_delete_that_others_follow_is_refused() {
    let t = students("moving_rules", 1).await;
    let id = Id::from_key(1);
    t.given(&[Owner { id }]).await;
    let goes_along = Owned {
        id: Id::from_key(1),
        owner: id,
    };
    t.given(&[goes_along]).await;
    let moving = t.odm.move_documents(|old: Owner| NewOwner {
        id: Id::from_key(*old.id.key()),
    });
    let error = moving.clone().delete_moved().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("`Owned.owner`"), "{error}");
    assert_eq!(NewOwner::count(&t.odm).await.unwrap(), 0);
    assert_eq!(moving.await.unwrap().moved, 1);
    // A deleted friend is no longer in any array of the other friends.
    let friends = t.odm.move_documents(|old: Friend| NewOwner {
        id: Id::from_key(*old.id.key()),
    });
    let error = friends.delete_moved().await.unwrap_err();
    assert!(
        error.to_string().contains("`Friend.friends <-> "),
        "{error}"
    );
    let same = t.odm.move_documents(|it: Owner| it);
    assert_eq!(same.await.unwrap_err().kind(), ErrorKind::Invalid);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_notes")]
struct OldNote {
    #[serde(rename = "_id")]
    id: Id<OldNote, i64>,
    owner: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "moving_new_notes")]
struct NewNote {
    #[serde(rename = "_id")]
    id: Id<NewNote, i64>,
    #[parent_ref(exists)]
    owner: Id<Owner, i64>,
}

#[tokio::test]
async fn a_document_without_its_target_does_not_stop_the_others() {
    let t = students("moving_no_target", 0).await;
    let owner = Owner {
        id: Id::from_key(1),
    };
    owner.insert(&t.odm).await.unwrap();
    let old = |id: i64| doc! { "_id": id, "owner": if id == 5 { 9_i64 } else { 1 } };
    put(&t.odm, "moving_notes", (1..=10).map(old)).await;
    let report = t.odm.move_documents(|old: OldNote| NewNote {
        id: Id::from_key(*old.id.key()),
        owner: Id::from_key(old.owner),
    });
    let report = report.await.unwrap();
    assert_eq!((report.moved, report.failed), (9, vec![5_i64.into()]));
    assert_eq!(NewNote::count(&t.odm).await.unwrap(), 9);
}
