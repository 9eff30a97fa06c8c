//! Cycles of copies, which are rejected.

use std::time::Duration;

use mongo_odm::{Error, bson::oid::ObjectId, prelude::*};

use crate::{models::*, setting::*};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ring_red")]
pub struct Red {
    #[serde(rename = "_id")]
    pub id: Id<Red>,
    pub size: i32,
    #[parent_ref]
    pub green: Id<Green>,
    #[denorm(from = Green.shade)]
    pub shade: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ring_green")]
pub struct Green {
    #[serde(rename = "_id")]
    pub id: Id<Green>,
    #[parent_ref]
    pub blue: Id<Blue>,
    #[denorm(from = Blue.shade)]
    pub shade: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ring_blue")]
pub struct Blue {
    #[serde(rename = "_id")]
    pub id: Id<Blue>,
    #[parent_ref]
    pub red: Id<Red>,
    #[denorm(from = Red.shade)]
    pub shade: String,
}

/// Every write to a model of the cycle fails with an error that contains all steps of the cycle, and sends nothing.
#[tokio::test]
async fn a_write_to_a_circle_of_copies_names_every_step() {
    let t = empty("cycles").await;
    let red = Red {
        id: Id::new(),
        size: 1,
        green: Id::new(),
        shade: "dark".to_owned(),
    };
    t.forget();
    let errors = [
        red.insert(&t.odm).await.unwrap_err(),
        red.save(&t.odm).await.unwrap_err(),
        Red::update(&t.odm, red.id)
            .set(Red::fields().size, 2)
            .await
            .unwrap_err(),
        Red::update_many(&t.odm, Red::fields().size.eq(1))
            .set(Red::fields().size, 2)
            .await
            .unwrap_err(),
        Red::delete(&t.odm, red.id).await.unwrap_err(),
        Blue::delete(&t.odm, Id::<Blue>::new()).await.unwrap_err(),
        Green::upsert(&t.odm, Green::fields().id.eq(Id::new()))
            .set(Green::fields().blue, Id::new())
            .await
            .unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, Error::Declaration(_)), "{error:?}");
        let message = error.to_string();
        for step in [
            "Red.shade",
            "Green.shade",
            "Blue.shade",
            "circle",
            "#[denorm]",
        ] {
            assert!(message.contains(step), "no `{step}` in: {message}");
        }
    }
    assert!(
        t.recorder().names().is_empty(),
        "{:?}",
        t.recorder().names()
    );
    let message = mongo_odm::check_models().unwrap_err().to_string();
    assert!(message.contains("Green.shade"), "{message}");
}

/// Models outside the cycle still work.
#[tokio::test]
async fn other_models_go_on_working() {
    let t = shop("cycles_others").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 2)).await;
    let report = Host::update(&t.odm, host.id)
        .set(Host::fields().ipaddr, "10.0.0.1")
        .await
        .unwrap();
    assert_eq!(report.copies[0].modified, 2);
    settle(&t.odm).await;
}

/// Documents of these models can exist nevertheless, and refer to each other in a cycle.
#[tokio::test]
async fn a_read_of_fresh_copies_in_a_circle_is_refused() {
    let t = empty("cycles_fresh").await;
    let (red, green, blue) = (ObjectId::new(), ObjectId::new(), ObjectId::new());
    let shade = "dark";
    put(
        &t.odm,
        "ring_red",
        [doc! { "_id": red, "size": 1, "green": green, "shade": shade }],
    )
    .await;
    put(
        &t.odm,
        "ring_green",
        [doc! { "_id": green, "blue": blue, "shade": shade }],
    )
    .await;
    put(
        &t.odm,
        "ring_blue",
        [doc! { "_id": blue, "red": red, "shade": shade }],
    )
    .await;
    let fresh = Red::get(&t.odm, Id::from(red)).fresh_within(Duration::ZERO);
    let error = fresh.await.unwrap_err();
    assert!(matches!(error, Error::Declaration(_)), "{error}");
}
