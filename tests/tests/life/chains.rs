//! Deletes and restores that follow each other while their jobs are pending: of documents that are marked, and of
//! documents that are archived.

mod random;

use mongo_odm::{
    Odm, SoftDelete, Tx,
    bson::{Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use crate::models::{assert_verified, id, settings, stored};

/// The model at the root of a tree with three levels, and the collections of the levels.
trait Tree: Model<Id = Id<Self, i64>, Key = i64> + SoftDelete + Clone {
    type Child: Model<Id = Id<Self::Child, i64>, Key = i64> + SoftDelete + Clone;
    type Leaf: Model<Id = Id<Self::Leaf, i64>, Key = i64> + SoftDelete + Clone;
    const LEVELS: [&str; 3];
    /// Stores two roots with three children each, and three leaves at each child.
    async fn fill(t: &Harness);
}

macro_rules! tree {
    ($root:ident, $child:ident, $leaf:ident, $levels:expr) => {
        impl Tree for $root {
            type Child = $child;
            type Leaf = $leaf;
            const LEVELS: [&str; 3] = $levels;

            async fn fill(t: &Harness) {
                let sync = t.odm.sync_indexes().only::<$root>();
                sync.only::<$child>().only::<$leaf>().await.unwrap();
                t.given(&[1, 2].map($root::new)).await;
                let children = (1..=6).map(|it| $child::new(it, parent_of(it)));
                t.given(&children.collect::<Vec<_>>()).await;
                let leaves = (1..=18).map(|it| $leaf::new(it, parent_of(it)));
                t.given(&leaves.collect::<Vec<_>>()).await;
            }
        }
    };
}

/// The document 1 is the parent of the documents 1 to 3 in the next level, the document 2 of 4 to 6, and so on.
const fn parent_of(number: i64) -> i64 {
    (number + 2) / 3
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "chain_roots")]
struct Root {
    #[serde(rename = "_id")]
    id: Id<Root, i64>,
    #[rollup(count, of = Child, via = root)]
    children: i64,
    name: String,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "chain_children")]
struct Child {
    #[serde(rename = "_id")]
    id: Id<Child, i64>,
    #[parent_ref(exists, on_delete = "cascade")]
    root: Id<Root, i64>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "chain_leaves")]
struct Leaf {
    #[serde(rename = "_id")]
    id: Id<Leaf, i64>,
    #[parent_ref(on_delete = "cascade")]
    child: Id<Child, i64>,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

impl Root {
    fn new(number: i64) -> Self {
        Self {
            id: id(number),
            children: 0,
            name: String::new(),
            deleted_at: None,
        }
    }
}

impl Child {
    fn new(number: i64, root: i64) -> Self {
        Self {
            id: id(number),
            root: id(root),
            deleted_at: None,
        }
    }
}

impl Leaf {
    fn new(number: i64, child: i64) -> Self {
        Self {
            id: id(number),
            child: id(child),
            deleted_at: None,
        }
    }
}

tree!(
    Root,
    Child,
    Leaf,
    ["chain_roots", "chain_children", "chain_leaves"]
);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "chain_trunks", on_delete = "archive")]
struct Trunk {
    #[serde(rename = "_id")]
    id: Id<Trunk, i64>,
    #[rollup(count, of = Branch, via = trunk)]
    branches: i64,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "chain_branches", on_delete = "archive")]
struct Branch {
    #[serde(rename = "_id")]
    id: Id<Branch, i64>,
    #[parent_ref(exists, on_delete = "cascade")]
    trunk: Id<Trunk, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "chain_twigs", on_delete = "archive")]
struct Twig {
    #[serde(rename = "_id")]
    id: Id<Twig, i64>,
    #[parent_ref(on_delete = "cascade")]
    branch: Id<Branch, i64>,
}

impl Trunk {
    fn new(number: i64) -> Self {
        Self {
            id: id(number),
            branches: 0,
            name: String::new(),
        }
    }
}

impl Branch {
    fn new(number: i64, trunk: i64) -> Self {
        Self {
            id: id(number),
            trunk: id(trunk),
        }
    }
}

impl Twig {
    fn new(number: i64, branch: i64) -> Self {
        Self {
            id: id(number),
            branch: id(branch),
        }
    }
}

tree!(
    Trunk,
    Branch,
    Twig,
    ["chain_trunks", "chain_branches", "chain_twigs"]
);

async fn tree<T: Tree>(test: &str) -> (Harness, Odm) {
    let mut t = Harness::long_declared(test).await;
    t.odm = t.odm.with_settings(settings());
    T::fill(&t).await;
    t.odm.run_pending_jobs().await.unwrap();
    let odm = t.odm.clone();
    (t, odm)
}

/// Returns the ids of the documents in a collection that are not deleted.
async fn live(odm: &Odm, collection: &str) -> Vec<i64> {
    let collection = odm.database().collection::<Document>(collection);
    let found = collection.find(doc! { "deleted_at": null });
    let mut found = found.sort(doc! { "_id": 1 }).await.unwrap();
    let mut ids = Vec::new();
    while found.advance().await.unwrap() {
        ids.push(found.current().get_i64("_id").unwrap());
    }
    ids
}

async fn counts<T: Tree>(odm: &Odm) -> [usize; 3] {
    let [roots, children, leaves] = T::LEVELS.map(|level| live(odm, level));
    [roots.await.len(), children.await.len(), leaves.await.len()]
}

async fn run_all(odm: &Odm) {
    odm.run_pending_jobs().await.unwrap();
    odm.run_pending_jobs().await.unwrap();
}

async fn delete_during_a_restore<T: Tree>(test: &str) {
    let (_t, odm) = tree::<T>(test).await;
    for runs in 0..16_usize {
        let inline = [1_000, 4, 0][runs % 3];
        let odm = odm.with_settings(settings().inline_copies(inline));
        T::delete(&odm, id(1)).await.unwrap();
        if runs & 1 != 0 {
            run_all(&odm).await;
        }
        T::restore(&odm, id(1)).deferred().await.unwrap();
        if runs & 2 != 0 {
            run_all(&odm).await;
        }
        T::delete(&odm, id(1)).await.unwrap();
        if runs & 4 != 0 {
            run_all(&odm).await;
            assert_eq!(counts::<T>(&odm).await, [1, 3, 9]);
        }
        T::restore(&odm, id(1)).deferred().await.unwrap();
        if runs & 8 != 0 {
            T::delete(&odm, id(1)).deferred().await.unwrap();
            T::restore(&odm, id(1)).await.unwrap();
        }
        run_all(&odm).await;
        assert_eq!(counts::<T>(&odm).await, [2, 6, 18], "{inline} {runs}");
    }
    assert_verified(&odm).await;
}

#[tokio::test]
async fn a_restore_after_a_delete_during_another_restore_restores_all_marked_children() {
    delete_during_a_restore::<Root>("life_chain_marked").await;
}

#[tokio::test]
async fn a_restore_after_a_delete_during_another_restore_restores_all_archived_children() {
    delete_during_a_restore::<Trunk>("life_chain_archived").await;
}

/// The delete follows a restore in the same transaction. The restore has restored the children, but not their leaves
/// yet.
async fn delete_during_a_restore_of_leaves<T: Tree>(test: &str) {
    let (_t, odm) = tree::<T>(test).await;
    let some = odm.with_settings(settings().inline_copies(4));
    T::delete(&odm, id(1)).await.unwrap();
    run_all(&odm).await;
    some.transaction(async |tx: Tx| {
        for _ in 0..2 {
            T::restore(&tx, id(1)).await?;
            T::delete(&tx, id(1)).await?;
        }
        Ok(())
    })
    .await
    .unwrap();
    run_all(&odm).await;
    assert_eq!(counts::<T>(&odm).await, [1, 3, 9]);
    T::restore(&odm, id(1)).await.unwrap();
    run_all(&odm).await;
    assert_eq!(counts::<T>(&odm).await, [2, 6, 18]);
}

#[tokio::test]
async fn deletes_during_a_restore_of_marked_leaves_lose_none() {
    delete_during_a_restore_of_leaves::<Root>("life_chain_marked_leaves").await;
}

#[tokio::test]
async fn deletes_during_a_restore_of_archived_leaves_lose_none() {
    delete_during_a_restore_of_leaves::<Trunk>("life_chain_archived_leaves").await;
}

/// The document is written, deleted and restored several times while its first restore is still pending.
#[tokio::test]
async fn writes_of_a_restored_document_keep_the_ids_of_earlier_deletes() {
    let (_t, odm) = tree::<Root>("life_chain_saved").await;
    let earlier = async || {
        let root = stored(&odm, "chain_roots", 1).await.unwrap();
        root.get_array("_odm_restoring").map_or(0, Vec::len)
    };
    for round in 0..3 {
        Root::delete(&odm, id(1)).await.unwrap();
        run_all(&odm).await;
        Root::restore(&odm, id(1)).deferred().await.unwrap();
        let mut root: Root = Root::get(&odm, id(1)).await.unwrap();
        root.name = "saved".into();
        root.save(&odm).await.unwrap();
        let update = Root::update(&odm, id(1));
        let rebuilt = update.modifications(vec![doc! { "$replaceWith": "$$ROOT" }]);
        rebuilt.await.unwrap();
        Root::delete(&odm, id(1)).await.unwrap();
        run_all(&odm).await;
        assert_eq!(counts::<Root>(&odm).await, [1, 3, 9]);
        assert_eq!(earlier().await, 1, "{round}");
        Root::restore(&odm, id(1)).deferred().await.unwrap();
        assert_eq!(earlier().await, 2, "{round}");
        run_all(&odm).await;
        assert_eq!(counts::<Root>(&odm).await, [2, 6, 18]);
    }
    Root::delete(&odm, id(1)).await.unwrap();
    assert_eq!(earlier().await, 2);
    Root::restore(&odm, id(1)).await.unwrap();
    assert_eq!(earlier().await, 0);
    assert_verified(&odm).await;
}
