//! Joins of random graphs return the same documents as a naive lookup of each key.

use mongo_odm::{Settings, bson::Bson, prelude::*, relation::Slot};
use odm_tests::Harness;
use proptest::{
    prelude::*,
    test_runner::{TestCaseError, TestRunner},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "nodes",
    has_many(heads = "Net.nodes", leaves = "Leaf.node")
)]
struct Node {
    #[serde(rename = "_id")]
    id: Id<Node, i64>,
    run: i64,
    weight: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "nets")]
struct Net {
    #[serde(rename = "_id")]
    id: Id<Net>,
    run: i64,
    rank: i32,
    #[refs(many)]
    nodes: Vec<Option<Id<Node, i64>>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "leaves", index(keys(node = 1, rank = -1)))]
struct Leaf {
    #[serde(rename = "_id")]
    id: Id<Leaf>,
    rank: i32,
    #[parent_ref]
    node: Option<Id<Node, i64>>,
}

/// Runs random cases in one database of the test.
fn run<S: Strategy>(
    test: &str,
    cases: &S,
    check: &impl AsyncFn(&Harness, S::Value) -> Result<(), TestCaseError>,
) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let t = runtime.block_on(Harness::new(test));
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new(config);
    let result = runner.run(cases, |case| runtime.block_on(check(&t, case)));
    result.unwrap_or_else(|error| panic!("{error}"));
}

/// A random graph: which of thirty keys exist, and the documents that refer to them.
#[derive(Clone, Debug)]
struct Graph {
    run: i64,
    present: Vec<bool>,
    arrays: Vec<Vec<Option<i64>>>,
    children: Vec<Option<i64>>,
}

const KEYS: i64 = 30;

impl Graph {
    fn id(&self, key: i64) -> Id<Node, i64> {
        Id::from_key(self.run * 1_000 + key)
    }

    /// Returns all nodes, and the stored ones among them.
    fn nodes(&self) -> (Vec<Node>, Vec<Node>) {
        let node = |key: i64| Node {
            id: self.id(key),
            run: self.run,
            weight: i32::try_from(key % 4).unwrap(),
        };
        let all: Vec<_> = (0..KEYS).map(node).collect();
        let stored = all
            .iter()
            .zip(&self.present)
            .filter(|(_, present)| **present);
        let stored = stored.map(|(node, _)| node.clone()).collect();
        (all, stored)
    }

    fn nets(&self) -> Vec<Net> {
        let net = |(rank, keys): (i32, &Vec<Option<i64>>)| Net {
            id: Id::new(),
            run: self.run,
            rank,
            nodes: keys.iter().map(|key| key.map(|key| self.id(key))).collect(),
        };
        (0..).zip(&self.arrays).map(net).collect()
    }

    fn leaves(&self) -> Vec<Leaf> {
        // The ranks are shuffled and all different.
        let leaf = |(at, key): (i32, &Option<i64>)| Leaf {
            id: Id::new(),
            rank: at * 37 % 101,
            node: key.map(|key| self.id(key)),
        };
        (0..).zip(&self.children).map(leaf).collect()
    }
}

fn graphs() -> impl Strategy<Value = Graph> {
    let key = || prop::option::weighted(0.9, 0..KEYS);
    let present = prop::collection::vec(prop::bool::weighted(0.8), usize::try_from(KEYS).unwrap());
    let arrays = prop::collection::vec(prop::collection::vec(key(), 0..12), 0..8);
    let children = prop::collection::vec(key(), 0..60);
    (any::<u32>(), present, arrays, children).prop_map(|(run, present, arrays, children)| Graph {
        run: i64::from(run),
        present,
        arrays,
        children,
    })
}

fn settings() -> impl Strategy<Value = Settings> {
    (1_usize..40, 1_usize..6, 0_usize..6, 1_usize..4).prop_map(|(from, least, more, in_flight)| {
        Settings::default()
            .split_from(from)
            .range(least, least + more)
            .in_flight(in_flight)
    })
}

/// Looks up each key with a separate call.
async fn naive(odm: &Odm, net: &Net) -> Vec<Slot<Node>> {
    let mut slots = Vec::new();
    for key in &net.nodes {
        slots.push(match key {
            None => Slot::Null,
            Some(id) => match Node::find_one(odm)
                .filter(Node::fields().id.eq(*id))
                .await
                .unwrap()
            {
                Some(node) => Slot::Found(node),
                None => Slot::Missing(mongo_odm::JoinKey::from(Bson::from(*id.key()))),
            },
        });
    }
    slots
}

fn owned(slot: &Slot<&Node>) -> Slot<Node> {
    match slot {
        Slot::Found(node) => Slot::Found((*node).clone()),
        Slot::Missing(key) => Slot::Missing(key.clone()),
        _ => Slot::Null,
    }
}

async fn check_references(
    t: &Harness,
    graph: &Graph,
    split: Settings,
    limit: usize,
) -> Result<(), TestCaseError> {
    let (_, stored) = graph.nodes();
    let nets = graph.nets();
    t.given(&stored).await;
    let odm = t.odm.with_settings(split);
    let joined = Net::join_nodes(&nets, &odm).await.unwrap();
    let limited = Net::join_nodes(&nets, &odm)
        .limit_each(limit)
        .await
        .unwrap();
    let sorted = Net::join_nodes(&nets, &odm)
        .sort(doc! { "weight": 1, "_id": -1 })
        .limit_each(limit)
        .await
        .unwrap();
    let counts = Net::join_nodes(&nets, &odm).count_each().await.unwrap();
    for net in &nets {
        let slots = naive(&t.odm, net).await;
        let found: Vec<Node> = slots.iter().cloned().filter_map(Slot::found).collect();
        prop_assert_eq!(
            joined.slots_of(net).iter().map(owned).collect::<Vec<_>>(),
            slots.clone()
        );
        prop_assert!(joined.of(net).eq(&found));
        prop_assert!(limited.of(net).eq(found.iter().take(limit)));
        prop_assert_eq!(&net.load_nodes(&odm).await.unwrap(), &found);
        prop_assert_eq!(net.load_nodes(&odm).slots().await.unwrap(), slots);
        let cut = net.load_nodes(&odm).skip(1).limit(limit).await.unwrap();
        prop_assert!(cut.iter().eq(found.iter().skip(1).take(limit)));
        let mut once = found;
        once.sort_by_key(|node| (node.weight, std::cmp::Reverse(*node.id.key())));
        once.dedup();
        prop_assert!(sorted.of(net).eq(once.iter().take(limit)));
        prop_assert_eq!(counts.of(net), once.len() as u64);
        prop_assert_eq!(net.count_nodes(&odm).await.unwrap(), once.len() as u64);
    }
    let mut documents: Vec<i64> = joined
        .documents()
        .iter()
        .map(|node| *node.id.key())
        .collect();
    documents.sort_unstable();
    let decoded = documents.len();
    documents.dedup();
    prop_assert_eq!(documents.len(), decoded, "each document is decoded once");
    Ok(())
}

async fn check_children(
    t: &Harness,
    graph: &Graph,
    split: Settings,
    limit: usize,
) -> Result<(), TestCaseError> {
    let (nodes, _) = graph.nodes();
    let (nets, leaves) = (graph.nets(), graph.leaves());
    t.given(&nets).await;
    t.given(&leaves).await;
    let odm = t.odm.with_settings(split);
    let all = Node::join_leaves(&nodes, &odm).await.unwrap();
    let newest = || Leaf::fields().rank.desc();
    let limited = Node::join_leaves(&nodes, &odm)
        .sort(newest())
        .limit_each(limit)
        .await
        .unwrap();
    let counts = Node::join_leaves(&nodes, &odm).count_each().await.unwrap();
    let heads = Node::join_heads(&nodes, &odm).await.unwrap();
    let head_counts = Node::join_heads(&nodes, &odm).count_each().await.unwrap();
    let top = Node::join_heads(&nodes, &odm)
        .sort(Net::fields().rank.desc())
        .limit_each(limit)
        .await
        .unwrap();
    for node in &nodes {
        let mut own: Vec<&Leaf> = leaves
            .iter()
            .filter(|leaf| leaf.node == Some(node.id))
            .collect();
        own.sort_by_key(|leaf| std::cmp::Reverse(leaf.rank));
        let mut joined: Vec<&Leaf> = all.of(node).collect();
        joined.sort_by_key(|leaf| std::cmp::Reverse(leaf.rank));
        prop_assert_eq!(&joined, &own);
        prop_assert!(limited.of(node).eq(own.iter().copied().take(limit)));
        prop_assert_eq!(counts.of(node), own.len() as u64);

        let using: Vec<&Net> = nets
            .iter()
            .filter(|net| net.nodes.contains(&Some(node.id)))
            .collect();
        let mut found: Vec<&Net> = heads.of(node).collect();
        found.sort_by_key(|net| net.rank);
        prop_assert_eq!(&found, &using);
        prop_assert_eq!(head_counts.of(node), using.len() as u64);
        prop_assert!(top.of(node).eq(using.into_iter().rev().take(limit)));
    }
    Ok(())
}

#[test]
fn a_join_equals_the_lookup_of_each_key() {
    let cases = (graphs(), settings(), 1_usize..5);
    run("a_join_equals_the_lookup", &cases, &async |t,
                                                    (
        graph,
        split,
        limit,
    )| {
        clear(t, &graph).await;
        check_references(t, &graph, split, limit).await
    });
}

#[test]
fn a_join_of_children_equals_the_filter_of_all_children() {
    let cases = (graphs(), settings(), 1_usize..5);
    run("a_join_of_children_equals", &cases, &async |t,
                                                     (
        graph,
        split,
        limit,
    )| {
        clear(t, &graph).await;
        check_children(t, &graph, split, limit).await
    });
}

#[test]
fn keys_at_any_path_are_found_as_the_server_finds_them() {
    // Arrays of arrays of keys, and the key that is searched.
    let keys = prop::collection::vec(prop::collection::vec(0_i64..6, 0..4), 0..4);
    let cases = (keys, any::<bool>(), 0_i64..6);
    run("keys_at_any_path", &cases, &async |t,
                                            (
        keys,
        nested,
        wanted,
    )| {
        check_path(t, &keys, nested, wanted).await
    });
}

/// Removes the documents of a case, because shrinking repeats the case with the same keys.
async fn clear(t: &Harness, graph: &Graph) {
    let from = graph.run * 1_000;
    let own = doc! { "$gte": from, "$lt": from + 1_000 };
    for (collection, filter) in [
        ("nodes", doc! { "_id": own.clone() }),
        ("nets", doc! { "nodes": { "$elemMatch": own.clone() } }),
        ("leaves", doc! { "node": own }),
    ] {
        t.database()
            .collection(collection)
            .delete_many(filter)
            .await
            .unwrap();
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "roots", has_many(deep = "Deep.outer"))]
struct Root {
    #[serde(rename = "_id")]
    id: Id<Root, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Inner {
    #[refs(many)]
    keys: Vec<Id<Root, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Outer {
    #[embed]
    #[refs(many)]
    inner: Vec<Inner>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "deep")]
struct Deep {
    #[serde(rename = "_id")]
    id: Id<Deep>,
    #[embed]
    #[refs(many)]
    outer: Vec<Outer>,
}

/// Stores the same keys in two nested arrays or in a single one, and compares the result with the server's.
async fn check_path(
    t: &Harness,
    shape: &[Vec<i64>],
    nested: bool,
    wanted: i64,
) -> Result<(), TestCaseError> {
    let inner = |keys: &Vec<i64>| Inner {
        keys: keys.iter().map(|key| Id::from_key(*key)).collect(),
    };
    let outer = if nested {
        shape
            .iter()
            .map(|keys| Outer {
                inner: vec![inner(keys)],
            })
            .collect()
    } else {
        vec![Outer {
            inner: shape.iter().map(inner).collect(),
        }]
    };
    let deep = Deep {
        id: Id::new(),
        outer,
    };
    t.database()
        .collection("deep")
        .delete_many(doc! {})
        .await
        .unwrap();
    t.given(std::slice::from_ref(&deep)).await;
    let roots: Vec<Root> = [wanted, 99]
        .map(|key| Root {
            id: Id::from_key(key),
        })
        .into();
    let filter = doc! { "outer.inner.keys": wanted };
    let expected = t
        .database()
        .collection("deep")
        .count_documents(filter)
        .await
        .unwrap();
    let joined = Root::join_deep(&roots, &t.odm).await.unwrap();
    prop_assert_eq!(joined.of(&roots[0]).len() as u64, expected);
    prop_assert_eq!(joined.of(&roots[1]).len(), 0);
    let counts = Root::join_deep(&roots, &t.odm).count_each().await.unwrap();
    prop_assert_eq!(counts.of(&roots[0]), expected);
    let limited = Root::join_deep(&roots, &t.odm).limit_each(3).await.unwrap();
    prop_assert_eq!(limited.of(&roots[0]).len() as u64, expected);
    prop_assert_eq!(
        roots[0].load_deep(&t.odm).await.unwrap().len() as u64,
        expected
    );
    Ok(())
}
