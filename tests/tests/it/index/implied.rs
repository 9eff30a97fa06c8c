//! Indexes that references imply.

use mongo_odm::{
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::Harness;

use super::{listed, names};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "index_owners")]
struct Owner {
    #[serde(rename = "_id")]
    id: Id<Owner>,
    code: String,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Line {
    #[refs(one)]
    id: Id<Owner>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Order {
    #[embed]
    lines: Vec<Line>,
    #[refs(one)]
    by: Option<Id<Owner>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "index_tasks")]
struct Task {
    #[serde(rename = "_id")]
    id: Id<Task>,
    #[parent_ref]
    owner: Id<Owner>,
    #[refs(many)]
    watchers: Vec<Id<Owner>>,
    #[embed]
    #[refs(many)]
    parts: Vec<Line>,
    #[embed]
    orders: Vec<Order>,
    #[refs(many, to = "Owner.code")]
    codes: Vec<String>,
}

#[tokio::test]
async fn every_reference_implies_an_index_at_any_depth() {
    let t = Harness::new("index_implied").await;
    let report = t.odm.sync_indexes().only::<Task>().await.unwrap();
    assert_eq!(report.created.len(), 6);
    assert_eq!(
        names(&t, "index_tasks").await,
        [
            "codes_1",
            "orders.by_1",
            "orders.lines.id_1",
            "owner_1",
            "parts.id_1",
            "watchers_1"
        ]
    );
}

#[tokio::test]
async fn a_reference_by_another_key_implies_an_index_in_the_target() {
    let t = Harness::new("index_implied_target").await;
    let diff = t.odm.index_diff().only::<Owner>().await.unwrap();
    assert_eq!(
        diff.to_string(),
        "db.index_owners.createIndex({ code: 1 }, { name: \"code_1\", collation: { locale: \
         \"simple\" } })  // implied by Task.codes\n\
         // as declared: 0"
    );
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "index_hosts")]
struct Host {
    #[serde(rename = "_id")]
    id: Id<Host, String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "index_log",
    index(keys(host = 1, time = -1)),
    index(keys(message = "text"))
)]
struct LogMsg {
    #[serde(rename = "_id")]
    id: Id<LogMsg>,
    time: DateTime,
    message: String,
    #[parent_ref]
    host: Id<Host, String>,
}

#[tokio::test]
async fn a_covered_reference_gets_no_second_index() {
    let t = Harness::new("index_covered").await;
    t.odm.sync_indexes().only::<LogMsg>().await.unwrap();
    assert_eq!(
        names(&t, "index_log").await,
        ["host_1_time_-1", "message_text"]
    );
}

#[tokio::test]
async fn a_collection_with_a_case_insensitive_default_gets_simple_indexes_for_its_references() {
    let t = Harness::new("index_collation").await;
    let create = doc! { "create": "index_log", "collation": { "locale": "en", "strength": 2 } };
    t.database().database().run_command(create).await.unwrap();

    t.odm.sync_indexes().only::<LogMsg>().await.unwrap();
    let all = listed(&t, "index_log").await;
    let collations: Vec<_> = all
        .iter()
        .map(|index| {
            (
                index.get_str("name").unwrap(),
                index.contains_key("collation"),
            )
        })
        .collect();
    assert_eq!(
        collations,
        [
            ("host_1", false),
            ("host_1_time_-1", true),
            ("message_text", false)
        ]
    );
    assert!(
        t.odm
            .sync_indexes()
            .only::<LogMsg>()
            .await
            .unwrap()
            .is_unchanged()
    );

    // The library's statements use the simple collation, so the server can use the index.
    let find = doc! {
        "find": "index_log", "filter": { "host": { "$in": ["a", "b"] } },
        "collation": { "locale": "simple" },
    };
    let plan = t
        .database()
        .database()
        .run_command(doc! { "explain": find })
        .await
        .unwrap();
    assert_eq!(index_used(&plan).as_deref(), Some("host_1"));
}

fn index_used(plan: &Document) -> Option<String> {
    plan.iter().find_map(|(key, value)| match value {
        Bson::String(name) if key == "indexName" => Some(name.clone()),
        Bson::Document(inner) if key != "rejectedPlans" => index_used(inner),
        // On a cluster, the plan contains the plans of the shards.
        Bson::Array(shards) if key == "shards" => shards
            .iter()
            .filter_map(Bson::as_document)
            .find_map(index_used),
        _ => None,
    })
}
