//! The statements that the advisor sends.

use mongo_odm::{
    Odm,
    bson::{Document, doc},
    mongodb::Client,
    prelude::*,
};
use mongo_odm_testkit::{Sent, Server, Topology};
use mongo_odm_tools::OdmTools;
use odm_tests::Harness;

use crate::{
    models::{Bag, Brand, Club, Member, Shoe},
    seeds::{array, stored},
};

/// A `getMore` has no time limit of its own, because the cursor keeps the limit of the statement that opened it.
const WITHOUT: [&str; 1] = ["getMore"];

fn assert_limited(sent: &[Sent]) {
    assert!(sent.len() > 10, "little was sent: {sent:?}");
    let waited_for = sent.iter().filter(|it| it.is_round_trip());
    for statement in waited_for.filter(|it| !WITHOUT.contains(&it.name.as_str())) {
        let limit = statement.command.get("maxTimeMS");
        let limit = limit.and_then(|it| it.as_i64().or(it.as_i32().map(i64::from)));
        assert!(limit.is_some_and(|it| it > 0), "no limit: {statement}");
        assert!(statement.command.contains_key("comment"), "{statement}");
    }
}

/// A database with references, two-way references, copies, jobs, declarations, long arrays and large documents.
async fn everything(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.odm
        .sync_indexes()
        .only::<Bag>()
        .only::<Shoe>()
        .only::<Club>()
        .only::<Member>()
        .await
        .unwrap();
    let brand = |n: i32| doc! { "_id": n, "title": format!("b{n}"), "founded": 1990 };
    stored(&t, "brands", (0..30).map(brand)).await;
    let bag =
        |n: i32| doc! { "_id": n, "brand": n % 31, "brand_title": "b1", "logo": format!("{n}") };
    stored(&t, "bags", (0..1_500).map(bag)).await;
    stored(
        &t,
        "clubs",
        [doc! { "_id": 1, "name": "go", "members": array(90) }],
    )
    .await;
    let member = |n: i32| doc! { "_id": n, "club": 1 };
    stored(&t, "members", (0..120).map(member)).await;
    let large = "x".repeat(3 << 20);
    stored(
        &t,
        "pages",
        [doc! { "_id": 1, "words": array(300), "text": large }],
    )
    .await;
    let odm = t.odm.with_settings(mongo_odm::Settings::default());
    let founded = Brand::fields().founded;
    Brand::update(&odm, Id::from(1))
        .set(founded, 1850)
        .await
        .unwrap();
    let title = Brand::fields().title;
    let renamed = Brand::update(&odm, Id::from(2))
        .set(title, "new")
        .deferred();
    renamed.await.unwrap();
    t
}

#[tokio::test]
async fn every_statement_has_a_time_limit_and_a_comment() {
    let t = everything("advise_limits").await;
    t.forget();
    let advice = t.odm.advise().await.unwrap();
    assert!(!advice.is_empty(), "{advice}");
    assert_limited(&t.recorder().commands());
    t.forget();
    let advice = mongo_odm_tools::advise(&t.odm).await.unwrap();
    assert!(!advice.is_empty(), "{advice}");
    assert_limited(&t.recorder().commands());
}

/// Creates a database in which each statement of one kind fails with a timeout.
async fn slow(kind: &str) -> (Server, Odm) {
    let server = Server::builder()
        .topology(Topology::Standalone)
        .test_commands(true)
        .private()
        .start()
        .await
        .unwrap();
    let client = Client::with_options(server.client_options().await.unwrap()).unwrap();
    let database = client.database("slow");
    let pages = (0..3).map(|n| doc! { "_id": n, "words": array(11_000) });
    let pages: Vec<Document> = pages.collect();
    database
        .collection("pages")
        .insert_many(pages)
        .await
        .unwrap();
    let data = doc! { "failCommands": [kind], "errorCode": 50 };
    let fail = doc! { "configureFailPoint": "failCommand", "mode": "alwaysOn", "data": data };
    client.database("admin").run_command(fail).await.unwrap();
    (server, Odm::new(database))
}

#[tokio::test]
async fn a_statement_without_an_answer_is_named_whatever_it_is() {
    for kind in ["find", "aggregate", "listIndexes", "serverStatus"] {
        let (_server, odm) = slow(kind).await;
        let advice = odm.advise().await.unwrap();
        let is_named = |what: &str| advice.not_looked_at.iter().any(|it| it.what == what);
        let what = match kind {
            "find" => "the sample",
            "aggregate" => "`$indexStats`",
            "listIndexes" => "`listIndexes`",
            _ => "`serverStatus`",
        };
        assert!(is_named(what), "{kind}: {advice}");
        // The advice still uses everything that was read.
        if kind == "serverStatus" {
            assert_eq!(advice.len(), 1, "{advice}");
        }
    }
}

#[tokio::test]
async fn without_the_list_of_collections_nothing_is_looked_at() {
    let (_server, odm) = slow("listCollections").await;
    let advice = odm.advise().await.unwrap();
    assert_eq!((advice.len(), advice.collections), (0, 0), "{advice}");
    let unlisted = advice
        .not_looked_at
        .iter()
        .find(|it| it.what == "`listCollections`")
        .unwrap();
    for code in ["A4", "I1", "K1", "C3", "P1"] {
        assert!(unlisted.codes.contains(&code), "{advice}");
    }
}
