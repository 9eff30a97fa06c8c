//! Indexes in structs that embed themselves.

use mongo_odm::prelude::*;
use odm_tests::Harness;

/// A struct that embeds itself in two fields, so the number of paths doubles at each depth.
#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct Reply<T> {
    #[index]
    likes: T,
    replies: Vec<Self>,
    best: Option<Box<Self>>,
}

/// A different type with the same name and fields.
mod old {
    use super::{Deserialize, Embedded, Serialize};

    #[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
    pub(super) struct Reply {
        #[index]
        pub(super) likes: i64,
        pub(super) replies: Vec<super::Reply<i32>>,
        pub(super) best: Option<Box<super::Reply<i32>>>,
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "it_threads")]
struct Thread {
    #[serde(rename = "_id")]
    id: Id<Thread, i64>,
    replies: Vec<Reply<i64>>,
    old: Option<old::Reply>,
}

#[tokio::test]
async fn a_struct_that_embeds_itself_is_followed_once() {
    let t = Harness::new("index_recursive").await;
    t.odm.sync_indexes().only::<Thread>().await.unwrap();
    let threads = t.database().collection("it_threads");
    let mut names = threads.list_index_names().await.unwrap();
    // On a cluster, `_id_hashed` is the index of the shard key.
    names.retain(|name| name != "_id_hashed");
    names.sort();
    let mut expected = vec!["_id_".to_owned()];
    let below = |top: &str, expected: &mut Vec<String>| {
        for inner in ["", ".replies", ".best"] {
            expected.push(format!("{top}{inner}.likes_1"));
        }
    };
    below("replies", &mut expected);
    expected.push("old.likes_1".to_owned());
    below("old.replies", &mut expected);
    below("old.best", &mut expected);
    expected.sort();
    assert_eq!(names, expected);
}
