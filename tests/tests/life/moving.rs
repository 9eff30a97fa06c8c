//! Deleted documents that are moved to another model.

use mongo_odm::{
    ErrorKind,
    bson::{Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use crate::models::settings;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_old_parents")]
struct OldParent {
    #[serde(rename = "_id")]
    id: Id<OldParent, i64>,
    #[deleted_at]
    deleted: Option<DateTime>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_old_children")]
struct OldChild {
    #[serde(rename = "_id")]
    id: Id<OldChild, i64>,
    #[parent_ref(on_delete = "cascade")]
    parent: Id<OldParent, i64>,
    #[deleted_at]
    deleted: Option<DateTime>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_new_parents")]
struct NewParent {
    #[serde(rename = "_id")]
    id: Id<NewParent, i64>,
    #[deleted_at]
    removed: Option<DateTime>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_new_children")]
struct NewChild {
    #[serde(rename = "_id")]
    id: Id<NewChild, i64>,
    #[parent_ref(on_delete = "cascade")]
    parent: Id<NewParent, i64>,
    #[deleted_at]
    removed: Option<DateTime>,
}

#[tokio::test]
async fn a_moved_document_is_restored_with_its_children() {
    let mut t = Harness::long_declared("life_moved").await;
    t.odm = t.odm.with_settings(settings());
    let odm = &t.odm;
    let sync = odm.sync_indexes().only::<OldChild>();
    sync.only::<NewChild>().await.unwrap();
    let (parent, deleted) = (Id::from_key(1), None);
    OldParent {
        id: parent,
        deleted,
    }
    .insert(odm)
    .await
    .unwrap();
    for number in 1..=2 {
        let id = Id::from_key(number);
        let child = OldChild {
            id,
            parent,
            deleted,
        };
        child.insert(odm).await.unwrap();
    }
    OldChild::delete(odm, Id::from_key(2)).await.unwrap();
    OldParent::delete(odm, parent).await.unwrap();
    let parents = odm.move_documents(|old: OldParent| NewParent {
        id: Id::from_key(old.id.into_key()),
        removed: old.deleted,
    });
    assert_eq!(parents.await.unwrap().moved, 1);
    let children = || {
        odm.move_documents(|old: OldChild| NewChild {
            id: Id::from_key(old.id.into_key()),
            parent: Id::from_key(old.parent.into_key()),
            removed: old.deleted,
        })
    };
    assert_eq!(children().await.unwrap().moved, 2);
    assert_eq!(children().await.unwrap().present, 2);
    let restored = NewParent::restore(odm, Id::from_key(1)).await.unwrap();
    assert_eq!((restored.restored, restored.cascaded[0].restored), (1, 1));
    let live = NewChild::find(odm).await.unwrap();
    assert_eq!(live.len(), 1);
    assert_eq!(live[0].id, Id::from_key(1));
}

#[tokio::test]
async fn a_deleted_target_document_is_overwritten() {
    let mut t = Harness::long_declared("life_moved_again").await;
    t.odm = t.odm.with_settings(settings());
    let odm = &t.odm;
    let (id, deleted) = (Id::from_key(1), None);
    OldParent { id, deleted }.insert(odm).await.unwrap();
    let parents = || {
        let new = odm.move_documents(|old: OldParent| NewParent {
            id: Id::from_key(old.id.into_key()),
            removed: old.deleted,
        });
        new.overwrite()
    };
    OldParent::delete(odm, id).await.unwrap();
    assert_eq!(parents().await.unwrap().moved, 1);
    OldParent::restore(odm, id).await.unwrap();
    assert_eq!(parents().await.unwrap().overwritten, 1);
    assert_eq!(NewParent::count(odm).await.unwrap(), 1);
    assert_eq!(parents().await.unwrap().present, 1);
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_mixed", tenant = "org")]
struct Mixed {
    #[serde(rename = "_id")]
    id: Id<Mixed, i64>,
    org: String,
    #[deleted_at]
    deleted: Option<DateTime>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_split_parents", tenant = "org")]
struct SplitParent {
    #[serde(rename = "_id")]
    id: Id<SplitParent, i64>,
    org: String,
    #[deleted_at]
    deleted: Option<DateTime>,
    #[rollup(count, of = "SplitChild", via = "parent")]
    children: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_split_children", tenant = "org")]
struct SplitChild {
    #[serde(rename = "_id")]
    id: Id<SplitChild, i64>,
    org: String,
    #[parent_ref]
    parent: Id<SplitParent, i64>,
    #[deleted_at]
    deleted: Option<DateTime>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "life_assigned", tenant = "org")]
struct Assigned {
    #[serde(rename = "_id")]
    id: Id<Assigned, i64>,
    org: Option<String>,
}

/// The move is the first call of the library in this database. So it creates the collection of cursors before its first
/// transaction.
#[tokio::test]
async fn a_model_with_a_tenant_is_split_with_its_deleted_documents() {
    let t = Harness::new("life_split").await;
    let odm = t.odm.with_settings(settings());
    let old = t.database().collection("life_mixed");
    let deleted = doc! { "_id": 2_i64, "org": "a", "deleted": DateTime::now() };
    old.insert_many([doc! { "_id": 1_i64, "org": "a" }, deleted])
        .await
        .unwrap();
    t.forget();
    let parents = || {
        odm.move_documents(|old: Mixed| SplitParent {
            id: Id::from_key(old.id.into_key()),
            org: old.org,
            deleted: old.deleted,
            children: 0,
        })
    };
    let children = odm.move_documents(|old: Mixed| SplitChild {
        id: Id::from_key(old.id.into_key()),
        org: old.org,
        parent: Id::from_key(old.id.into_key()),
        deleted: old.deleted,
    });
    assert_eq!(parents().await.unwrap().moved, 2);
    let names = t.recorder().commands();
    let at = |of: &dyn Fn(&Document) -> bool| names.iter().position(|sent| of(&sent.command));
    let index = at(&|it| it.get_str("createIndexes").ok() == Some("_odm_cursors")).unwrap();
    let begun = at(&|it| it.contains_key("startTransaction")).unwrap();
    assert!(index < begun, "{index} {begun}");
    let report = children.await.unwrap();
    assert_eq!((report.moved, report.failed), (2, vec![]));
    assert_eq!(parents().delete_moved().await.unwrap().deleted, 2);
    let assigned = |org: Option<&'static str>| {
        odm.move_documents(move |old: SplitParent| Assigned {
            id: Id::from_key(old.id.into_key()),
            org: org.map(str::to_owned),
        })
    };
    // A document without a tenant would be hidden from the handles of all tenants. A deleted document would become a
    // live document, so it is not read.
    let report = assigned(None).await.unwrap();
    assert_eq!((report.looked_at, report.failed), (1, vec![1_i64.into()]));
    assert_eq!(assigned(Some("a")).await.unwrap().moved, 1);
    let other = assigned(Some("b")).overwrite().delete_moved();
    assert_eq!(other.await.unwrap_err().kind(), ErrorKind::IdTaken);
}
