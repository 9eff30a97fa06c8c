//! Aggregations that write to a collection, and so bypass the updates of derived data.

use mongo_odm::{Error, bson::Document, prelude::*};

use crate::{models::*, setting::*};

#[tokio::test]
async fn an_aggregation_that_would_write_copies_or_their_sources_is_refused() {
    let t = shop("aggregations_refused").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 2)).await;
    let renamed = doc! { "$set": { "ipaddr": "10.0.0.1" } };
    for output in [
        doc! { "$merge": { "into": "hosts" } },
        doc! { "$merge": "logmsg" },
        doc! { "$out": "hosts" },
    ] {
        let pipeline = vec![renamed.clone(), output.clone()];
        let aggregation = || Host::aggregate::<Document>(&t.odm, pipeline.clone());
        assert!(aggregation().plan().is_err(), "{output}");
        let error = aggregation().await.unwrap_err();
        assert!(matches!(error, Error::Invalid { .. }), "{output}: {error}");
        assert!(error.to_string().contains("would not follow"), "{error}");
        let inside = async |tx: mongo_odm::Tx| {
            let refused = Host::aggregate::<Document>(&tx, pipeline.clone()).await;
            assert!(matches!(refused, Err(Error::Invalid { .. })), "{output}");
            Ok(())
        };
        t.odm.transaction(inside).await.unwrap();
    }
    assert_eq!(Host::get(&t.odm, host.id).await.unwrap(), host);
    assert_eq!(stale(&t.odm, &host).await, 0);
}

#[tokio::test]
async fn an_aggregation_into_a_collection_of_its_own_is_sent() {
    let t = shop("aggregations_sent").await;
    t.given(&[host(1), host(2)]).await;
    let pipeline = vec![doc! { "$project": { "name": 1 } }, doc! { "$out": "names" }];
    let written = Host::aggregate::<Document>(&t.odm, pipeline).await;
    assert!(written.unwrap().is_empty());
    assert_eq!(all(&t.odm, "names").await.len(), 2);
}
