//! Derived data in cycles: a document is its own parent, or two models copy from each other.

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "waiting_nodes")]
struct Node {
    #[serde(rename = "_id")]
    id: Id<Node, i32>,
    #[parent_ref]
    parent: Option<Id<Node, i32>>,
    #[rollup(count, of = "Node", via = "parent")]
    children: i64,
    #[rollup(sum, of = "Node", via = "parent", field = "children")]
    grandchildren: i64,
}

fn node(id: i32, parent: Option<i32>) -> Node {
    Node {
        id: Id::from_key(id),
        parent: parent.map(Id::from_key),
        children: 0,
        grandchildren: 0,
    }
}

async fn numbers(odm: &Odm, id: i32) -> (i64, i64) {
    let node = Node::get(odm, Id::from_key(id)).await.unwrap();
    (node.children, node.grandchildren)
}

#[tokio::test]
async fn a_wait_ends_although_a_document_is_its_own_parent() {
    let t = Harness::long_declared("waiting_own_parent").await;
    let odm = t.odm.with_settings(settings());
    odm.sync_indexes().only::<Node>().await.unwrap();
    let inserted = node(1, Some(1)).insert(&odm).deferred().await.unwrap();
    odm.wait(inserted.token()).await.unwrap();
    assert_eq!(numbers(&odm, 1).await, (1, 1));
    node(2, None).insert(&odm).await.unwrap();
    node(3, Some(2)).insert(&odm).await.unwrap();
    let parent = Node::fields().parent;
    let moved = Node::update(&odm, Id::from_key(2)).set(parent, Some(Id::from_key(3)));
    let moved = moved.deferred().await.unwrap();
    odm.wait(moved.token()).await.unwrap();
    assert_eq!(
        (numbers(&odm, 2).await, numbers(&odm, 3).await),
        ((1, 1), (1, 1))
    );
}

/// Depending on the load, the second insert stores a job or has already updated its parent.
#[tokio::test]
async fn a_wait_ends_although_another_job_of_a_cycle_is_pending() {
    let t = Harness::long_declared("waiting_other_cycle").await;
    let odm = t.odm.with_settings(settings());
    odm.sync_indexes().only::<Node>().await.unwrap();
    let first = node(1, Some(1)).insert(&odm).deferred().await.unwrap();
    let second = node(2, Some(2)).insert(&odm).deferred().await.unwrap();
    odm.wait(first.token()).await.unwrap();
    assert_eq!(numbers(&odm, 1).await, (1, 1));
    odm.wait(second.token()).await.unwrap();
    assert_eq!(numbers(&odm, 2).await, (1, 1));
}
