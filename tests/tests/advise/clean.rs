//! Databases for which the advisor must not report a finding.

use mongo_odm::{
    bson::{Bson, doc},
    prelude::*,
};
use mongo_odm_tools::OdmTools;
use odm_tests::{
    Harness,
    shop::{Host, LogMsg, Part, Person, Product, Task, host, messages, parts, product},
};

use crate::{
    models::{Album, Basket, Club, Member, Track},
    seeds::{array, numbered, stored},
};

async fn assert_clean(t: &Harness) {
    let advice = t.odm.advise().await.unwrap();
    assert!(advice.is_empty(), "{advice}");
    let advice = mongo_odm_tools::advise(&t.odm).await.unwrap();
    assert!(advice.is_empty(), "without models: {advice}");
}

#[tokio::test]
async fn products_with_their_parts_and_their_indexes() {
    let t = Harness::new("advise_clean_1").await;
    t.odm
        .sync_indexes()
        .only::<Product>()
        .only::<Part>()
        .await
        .unwrap();
    let parts = parts(400);
    t.given(&parts).await;
    let products: Vec<_> = (0..200)
        .map(|n| {
            product(
                n,
                parts
                    .iter()
                    .cycle()
                    .skip(usize::try_from(n).unwrap())
                    .take(20),
            )
        })
        .collect();
    t.given(&products).await;
    let some = Product::find(&t.odm).limit(100).await.unwrap();
    for _ in 0..120 {
        Product::join_parts(&some, &t.odm).await.unwrap();
    }
    assert_clean(&t).await;
}

#[tokio::test]
async fn arrays_that_have_room_under_their_max() {
    let t = Harness::new("advise_clean_2").await;
    stored(&t, "baskets", numbered(200, "items", |n| array(n % 38))).await;
    stored(&t, "pages", numbered(200, "words", |n| array(n % 200))).await;
    assert_clean(&t).await;
    assert_eq!(Basket::count(&t.odm).await.unwrap(), 200);
}

/// The bound of the array is declared for the collection of the model, not for its archive.
#[tokio::test]
async fn the_archive_of_a_model() {
    let t = Harness::new("advise_clean_archive").await;
    let deleted = numbered(3, "lines", |n| array(11_000 + n));
    stored(&t, "receipts_archive", deleted).await;
    let advice = t.odm.advise().await.unwrap();
    assert_eq!((advice.len(), advice.collections), (0, 0), "{advice}");
}

#[tokio::test]
async fn messages_of_hosts() {
    let t = Harness::new("advise_clean_3").await;
    t.odm
        .sync_indexes()
        .only::<Host>()
        .only::<LogMsg>()
        .await
        .unwrap();
    let hosts: Vec<_> = (0..5).map(host).collect();
    t.given(&hosts).await;
    for host in &hosts {
        t.given(&messages(host, 300)).await;
    }
    for host in &hosts {
        host.load_messages(&t.odm).limit(10).await.unwrap();
    }
    LogMsg::find(&t.odm).limit(1).await.unwrap();
    assert_clean(&t).await;
}

#[tokio::test]
async fn two_way_references_whose_both_sides_are_read() {
    let t = Harness::new("advise_clean_4").await;
    t.odm
        .sync_indexes()
        .only::<Person>()
        .only::<Task>()
        .only::<Club>()
        .only::<Member>()
        .await
        .unwrap();
    let clubs: Vec<_> = (0..3)
        .map(|n| Club {
            id: Id::from(n),
            name: "go".into(),
            members: Vec::new(),
        })
        .collect();
    t.given(&clubs).await;
    let members: Vec<_> = (0..150)
        .map(|n| Member {
            id: Id::from(n),
            club: Id::from(n % 3),
        })
        .collect();
    t.given(&members).await;
    let clubs = Club::find(&t.odm).await.unwrap();
    let members = Club::join_members(&clubs, &t.odm).await.unwrap();
    assert_eq!(members.of(&clubs[0]).count(), 50);
    assert_clean(&t).await;
}

#[tokio::test]
async fn a_database_with_a_few_documents_and_no_indexes() {
    let t = Harness::new("advise_clean_5").await;
    let track = |n: i32| doc! { "_id": n, "name": "t", "album": 1 };
    stored(&t, "tracks", (0..5).map(track)).await;
    stored(&t, "albums", [doc! { "_id": 1, "name": "a" }]).await;
    stored(&t, "streets", [doc! { "_id": 1, "town": "none" }]).await;
    stored(
        &t,
        "settings",
        [doc! { "_id": "colour", "value": Bson::Null }],
    )
    .await;
    Album::find(&t.odm).await.unwrap();
    Track::find(&t.odm).await.unwrap();
    assert_clean(&t).await;
}
