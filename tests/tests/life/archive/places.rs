//! Reads of the archive, its indexes, tenants, kinds, hooks, plans and change streams.

use std::pin::pin;

use futures_util::TryStreamExt;
use mongo_odm::{
    Error, Tx,
    action::DocumentChange,
    bson::{Document, doc},
    prelude::*,
};

use super::*;
use crate::models::assert_verified;

#[tokio::test]
async fn only_deleted_reads_the_archive() {
    let t = library("arch_reads").await;
    let odm = &t.odm;
    Volume::delete_many(odm, Volume::fields().pages.lte(20))
        .await
        .unwrap();
    let fields = Volume::fields();
    let found = Volume::find(odm).only_deleted().sort(fields.id.asc());
    let found: Vec<Volume> = found.await.unwrap();
    assert_eq!(
        found.iter().map(|it| it.pages).collect::<Vec<_>>(),
        [10, 20]
    );
    assert_eq!(Volume::count(odm).only_deleted().await.unwrap(), 2);
    let one: Volume = Volume::get(odm, id(1)).only_deleted().await.unwrap();
    assert_eq!(one.pages, 10);
    assert!(Volume::get(odm, id(1)).await.is_err());
    assert!(Volume::get(odm, id(3)).only_deleted().await.is_err());
    let pages = Volume::distinct(odm, fields.pages).only_deleted();
    assert_eq!(pages.await.unwrap(), [10, 20]);
    let shelf: Shelf = Shelf::get(odm, id(1)).await.unwrap();
    let of_shelf = shelf.load_volumes(odm).only_deleted().await.unwrap();
    assert_eq!(of_shelf.len(), 2);
    assert_eq!(shelf.load_volumes(odm).await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_archive_has_the_indexes_of_the_model_without_unique() {
    let t = library("arch_indexes").await;
    let archive = t
        .odm
        .database()
        .collection::<Document>("arch_shelves_archive");
    let indexes: Vec<_> = archive
        .list_indexes()
        .await
        .unwrap()
        .try_collect()
        .await
        .unwrap();
    let code = indexes.iter().find(|it| it.keys.contains_key("code"));
    let options = code.unwrap().options.as_ref().unwrap();
    assert_eq!(options.unique, None);
    let volumes = t
        .odm
        .database()
        .collection::<Document>("arch_volumes_archive");
    let names = volumes.list_index_names().await.unwrap();
    assert!(names.contains(&"shelf_1".to_owned()), "{names:?}");
    let diff = t.odm.index_diff().only::<Shelf>().await.unwrap();
    assert!(diff.is_in_sync(), "{diff}");
    volumes.drop_indexes().await.unwrap();
    let diff = t.odm.index_diff().only::<Volume>().await.unwrap();
    let missing: Vec<_> = diff.missing.iter().map(|it| &*it.collection).collect();
    assert!(!missing.is_empty());
    assert!(missing.iter().all(|it| *it == "arch_volumes_archive"));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_parcels", tenant = "org", on_delete = "archive")]
struct Parcel {
    #[serde(rename = "_id")]
    id: Id<Parcel, i64>,
    org: Option<i64>,
}

fn parcel(number: i64) -> Parcel {
    let id = id(number);
    Parcel { id, org: None }
}

#[tokio::test]
async fn an_archive_is_limited_to_the_tenant() {
    let t = library("arch_tenants").await;
    let (one, two) = (t.odm.for_tenant(1_i64), t.odm.for_tenant(2_i64));
    parcel(1).insert(&one).await.unwrap();
    parcel(2).insert(&two).await.unwrap();
    Parcel::delete(&one, id(1)).await.unwrap();
    Parcel::delete(&two, id(2)).await.unwrap();
    assert_eq!(Parcel::count(&one).only_deleted().await.unwrap(), 1);
    assert_eq!(Parcel::restore(&one, id(2)).await.unwrap().restored, 0);
    assert_eq!(Parcel::purge(&one, id(2)).await.unwrap().deleted, 0);
    // The other tenant cannot replace an archived document.
    parcel(1).insert(&two).await.unwrap();
    let taken = Parcel::delete(&two, id(1)).await.unwrap_err();
    let Error::DuplicateKey {
        other_tenant: true, ..
    } = &taken
    else {
        panic!("{taken}")
    };
    let text = taken.to_string();
    let parts = [
        "`arch_parcels_archive` (`Parcel`)",
        "_id: ",
        "another tenant",
        "purge it",
    ];
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    assert_eq!(Parcel::count(&two).await.unwrap(), 1);
    assert_eq!(Parcel::count(&one).only_deleted().await.unwrap(), 1);
    Parcel::purge(&two, id(1)).await.unwrap();
    assert_eq!(Parcel::restore(&one, id(1)).await.unwrap().restored, 1);
    let everyone = t.odm.all_tenants();
    let all = Parcel::delete_many(&everyone, Filter::all()).everything();
    assert_eq!(all.await.unwrap().deleted, 1);
    assert_eq!(Parcel::count(&everyone).only_deleted().await.unwrap(), 2);
    assert!(matches!(
        Parcel::restore(&t.odm, id(1)).await,
        Err(Error::Invalid { .. })
    ));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "arch_prints",
    kind(doc_type = "poster"),
    tenant = "org",
    on_delete = "archive"
)]
struct Poster {
    #[serde(rename = "_id")]
    id: Id<Poster, i64>,
    org: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "arch_prints",
    kind(doc_type = "flyer"),
    tenant = "org",
    on_delete = "archive"
)]
struct Flyer {
    #[serde(rename = "_id")]
    id: Id<Flyer, i64>,
    org: Option<i64>,
}

#[tokio::test]
async fn a_document_replaces_an_archived_one_of_another_kind_but_not_of_another_tenant() {
    let t = library("arch_other_kind").await;
    let (one, two) = (t.odm.for_tenant(1_i64), t.odm.for_tenant(2_i64));
    let poster = Poster {
        id: id(1),
        org: None,
    };
    poster.insert(&one).await.unwrap();
    Poster::delete(&one, id(1)).await.unwrap();
    let flyer = Flyer {
        id: id(1),
        org: None,
    };
    flyer.insert(&two).await.unwrap();
    let taken = Flyer::delete(&two, id(1)).await.unwrap_err();
    assert!(
        matches!(
            taken,
            Error::DuplicateKey {
                other_tenant: true,
                ..
            }
        ),
        "{taken}"
    );
    assert_eq!(Flyer::count(&two).await.unwrap(), 1);
    assert_eq!(Poster::count(&one).only_deleted().await.unwrap(), 1);
    Flyer::purge(&two, id(1)).await.unwrap();

    flyer.insert(&one).await.unwrap();
    assert_eq!(Flyer::delete(&one, id(1)).await.unwrap().deleted, 1);
    assert_eq!(Poster::restore(&one, id(1)).await.unwrap().restored, 0);
    assert_eq!(Flyer::restore(&one, id(1)).await.unwrap().restored, 1);
    assert!(ids_in(&one, "arch_prints_archive").await.is_empty());
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "arch_shapes",
    kind(doc_type = "ring"),
    on_delete = "archive"
)]
struct Ring {
    #[serde(rename = "_id")]
    id: Id<Ring, i64>,
    #[index(unique)]
    code: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_shapes", kind(doc_type = "cube"))]
struct Cube {
    #[serde(rename = "_id")]
    id: Id<Cube, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "lowercase")]
enum Figure {
    Ring(Ring),
    Cube(Cube),
}

#[tokio::test]
async fn one_kind_of_a_collection_can_have_an_archive() {
    let t = library("arch_kinds").await;
    let odm = &t.odm;
    odm.sync_indexes().only::<Ring>().await.unwrap();
    let code = "c".to_owned();
    t.given(&[Ring { id: id(1), code }]).await;
    t.given(&[Cube { id: id(2) }]).await;
    Ring::delete(odm, id(1)).await.unwrap();
    Cube::delete(odm, id(2)).await.unwrap();
    assert_eq!(Figure::count(odm).await.unwrap(), 0);
    assert_eq!(ids_in(odm, "arch_shapes_archive").await, [1]);
    assert_eq!(Ring::count(odm).only_deleted().await.unwrap(), 1);
    Ring::restore(odm, id(1)).await.unwrap();
    assert_eq!(Figure::count(odm).await.unwrap(), 1);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_letters", on_delete = "archive", hooks)]
struct Letter {
    #[serde(rename = "_id")]
    id: Id<Letter, i64>,
    #[parent_ref(on_delete = "cascade")]
    binder: Id<Binder, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_binders", on_delete = "archive")]
struct Binder {
    #[serde(rename = "_id")]
    id: Id<Binder, i64>,
}

/// An entry that the hook of a letter writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_events")]
struct Entry {
    #[serde(rename = "_id")]
    id: Id<Entry>,
}

impl Hooks for Letter {
    async fn before_insert(&mut self, tx: &Tx) -> mongo_odm::Result<()> {
        Entry { id: Id::new() }.insert(tx).await?;
        Ok(())
    }

    async fn before_delete(&self, tx: &Tx) -> mongo_odm::Result<()> {
        Entry { id: Id::new() }.insert(tx).await?;
        if self.id == id(13) {
            return Err(Error::custom("refused"));
        }
        Ok(())
    }
}

#[tokio::test]
async fn a_delete_calls_the_hook_once_and_a_restore_calls_none() {
    let t = library("arch_hooks").await;
    let odm = &t.odm;
    let letter = |number| Letter {
        id: id(number),
        binder: id(1),
    };
    t.given(&[Binder { id: id(1) }]).await;
    t.given(&[letter(1), letter(2)]).await;
    assert_eq!(Entry::count(odm).await.unwrap(), 2);
    Letter::delete(odm, id(1)).await.unwrap();
    assert_eq!(Entry::count(odm).await.unwrap(), 3);
    Binder::delete(odm, id(1)).await.unwrap();
    assert_eq!(Entry::count(odm).await.unwrap(), 4);
    Binder::restore(odm, id(1)).await.unwrap();
    assert_eq!(Entry::count(odm).await.unwrap(), 4);
    t.given(&[letter(13)]).await;
    assert!(Binder::delete(odm, id(1)).await.is_err());
    assert_eq!(Entry::count(odm).await.unwrap(), 5);
    assert_eq!(ids_in(odm, "arch_binders").await, [1]);
    assert_eq!(Letter::restore(odm, id(1)).await.unwrap().restored, 1);
    assert_verified(odm).await;
}

#[tokio::test]
async fn a_stream_reports_the_delete_and_the_restore() {
    let t = library("arch_events").await;
    let odm = &t.odm;
    let mut events = pin!(Mark::watch(odm).await.unwrap());
    let mut next = async || events.try_next().await.unwrap().unwrap().change;
    Mark::delete(odm, id(1)).await.unwrap();
    assert!(matches!(next().await, DocumentChange::Deleted { id: mark, .. } if mark == id(1)));
    Mark::restore(odm, id(1)).await.unwrap();
    let DocumentChange::Restored { document, .. } = next().await else {
        panic!("expected the restore");
    };
    assert_eq!(document.unwrap().id, id(1));
    mark(9, 1).insert(odm).await.unwrap();
    assert!(matches!(next().await, DocumentChange::Inserted(_)));
    Mark::purge(odm, id(9)).await.unwrap();
    assert!(matches!(next().await, DocumentChange::Deleted { .. }));
}

#[tokio::test]
async fn a_plan_contains_the_statements_of_the_move() {
    let t = library("arch_plan").await;
    let odm = &t.odm;
    let plan = Mark::delete(odm, id(1)).plan().unwrap().to_string();
    let position = |statement: &str| plan.find(statement).unwrap_or_else(|| panic!("{plan}"));
    let stored = position("db.arch_marks_archive.insertOne(");
    assert!(stored < position("db.arch_marks.deleteMany("), "{plan}");
    let plan = Mark::restore(odm, id(1)).plan().unwrap().to_string();
    assert!(plan.contains("db.arch_marks.insertOne("), "{plan}");
    assert!(plan.contains("db.arch_marks_archive.deleteMany("), "{plan}");
    let (_, sent) = t.sent(Mark::delete(odm, id(1)).into_future()).await;
    assert_eq!(
        sent,
        [
            "find",
            "find",
            "delete",
            "insert",
            "delete",
            "commitTransaction"
        ]
    );
}

/// A model without an archive, whose parent has one.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "arch_bad_children")]
struct BadChild {
    #[serde(rename = "_id")]
    id: Id<BadChild, i64>,
    #[parent_ref(on_delete = "cascade")]
    parent: Id<BadParent, i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "arch_bad_parents", on_delete = "archive")]
struct BadParent {
    #[serde(rename = "_id")]
    id: Id<BadParent, i64>,
}

/// A model in the collection of an archive.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "arch_bad_copies_archive")]
struct BadCopy {
    #[serde(rename = "_id")]
    id: Id<BadCopy, i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "arch_bad_copies", on_delete = "archive")]
struct BadOriginal {
    #[serde(rename = "_id")]
    id: Id<BadOriginal, i64>,
}

#[tokio::test]
async fn wrong_declarations_of_archives_are_rejected() {
    let all = mongo_odm::check_models().unwrap_err().to_string();
    let child = all.lines().find(|line| line.contains("`BadChild.parent`"));
    assert!(
        child.unwrap().contains("`on_delete = \"archive\"`"),
        "{all}"
    );
    assert!(
        all.contains("which is the collection of `BadCopy`"),
        "{all}"
    );
    let t = library("arch_mistakes").await;
    let refused = BadParent::delete(&t.odm, id(1)).await.unwrap_err();
    assert!(matches!(refused, Error::Declaration(_)), "{refused}");
}

#[tokio::test]
async fn a_parent_without_an_archive_removes_its_archived_children() {
    let t = library("arch_plain_parent").await;
    let odm = &t.odm;
    t.given(&[Desk { id: id(1) }]).await;
    let drawer = |number| Drawer {
        id: id(number),
        desk: id(1),
    };
    t.given(&[drawer(1), drawer(2)]).await;
    Drawer::delete(odm, id(1)).await.unwrap();
    Desk::delete(odm, id(1)).await.unwrap();
    assert!(ids_in(odm, "arch_drawers").await.is_empty());
    assert!(ids_in(odm, "arch_drawers_archive").await.is_empty());
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "arch_desks")]
struct Desk {
    #[serde(rename = "_id")]
    id: Id<Desk, i64>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "arch_drawers", on_delete = "archive")]
struct Drawer {
    #[serde(rename = "_id")]
    id: Id<Drawer, i64>,
    #[parent_ref(on_delete = "cascade")]
    desk: Id<Desk, i64>,
}
