//! A program into which no model is linked. Calls such as `index_diff` must fail, because a report
//! without differences would be misleading.

#![allow(clippy::unwrap_used, reason = "tests: they panic to fail")]

use mongo_odm::{Error, Odm};
use mongo_odm_testkit::TestDb;

async fn refused<T>(test: &str, ask: impl AsyncFnOnce(Odm) -> mongo_odm::Result<T>) {
    assert!(mongo_odm::models().is_empty());
    let database = TestDb::new(test).await.unwrap();
    let Err(error) = ask(Odm::new(database.database())).await else {
        panic!("a program without models got an answer");
    };
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    assert!(
        error.to_string().contains("`mongo_odm::link!(models);`"),
        "{error}"
    );
}

#[tokio::test]
async fn no_index_is_compared() {
    refused("unlinked_diff", async |odm: Odm| odm.index_diff().await).await;
}

#[tokio::test]
async fn no_index_is_created() {
    refused("unlinked_sync", async |odm: Odm| odm.sync_indexes().await).await;
}

#[tokio::test]
async fn nothing_is_verified() {
    refused("unlinked_verify", async |odm: Odm| odm.verify().await).await;
}

#[tokio::test]
async fn nothing_is_planned_to_be_verified() {
    refused("unlinked_plan", async |odm: Odm| odm.verify().plan()).await;
}
