//! A server without transactions, on which the target cannot be checked together with the write.

use std::sync::Arc;

use mongo_odm::{Error, ErrorKind, Odm, prelude::*};
use mongo_odm_testkit::{Server, TestDb, Topology};

use crate::models::*;

#[tokio::test]
async fn a_standalone_server_refuses_what_it_cannot_keep() {
    let server = Server::builder().private().topology(Topology::Standalone);
    let server = Arc::new(server.start().await.unwrap());
    let database = TestDb::builder("exists_standalone").server(server);
    let database = database.open().await.unwrap();
    let odm = Odm::new(database.database());
    let error = tool(1).insert(&odm).await.unwrap_err();
    assert!(
        matches!(error, Error::ExistsNeedsTransactions { .. }),
        "{error:?}"
    );
    assert_eq!(error.kind(), ErrorKind::NeedsReplicaSet);
    assert_eq!(
        error.to_string(),
        "`Tool.maker` has `exists`, which is checked in the transaction of the write, and a standalone server has no \
         transactions; run it as a replica set (`--replSet`, one node is enough), or remove `exists`"
    );
    let set = Tool::update(&odm, id(1))
        .set(Tool::fields().maker, id(1))
        .await;
    assert!(matches!(
        set.unwrap_err(),
        Error::ExistsNeedsTransactions { .. }
    ));
    // A write without a key needs no transaction.
    Tool::update(&odm, id(1))
        .set(Tool::fields().name, "a")
        .await
        .unwrap();
    maker(1).insert(&odm).await.unwrap();
    Maker::delete(&odm, id(1)).await.unwrap();
}
