//! Calls that need the tenant in a special way: upserts, text searches, aggregations that write, and handles with an
//! unusable tenant.

use mongo_odm::{
    Error, Odm, SingleCollection,
    bson::{Bson, Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use crate::models::{id, settings, stored};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "life_stalls",
    tenant = "market",
    index(keys(label = "text"))
)]
struct Stall {
    #[serde(rename = "_id")]
    id: Id<Stall, i64>,
    market: String,
    #[index(unique)]
    label: String,
    #[serde(default)]
    rent: i64,
}

/// A model whose text index ends with the tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "life_coupons",
    tenant = "market",
    index(keys(label = "text", market = 1))
)]
struct Coupon {
    #[serde(rename = "_id")]
    id: Id<Coupon, i64>,
    market: String,
    label: String,
}

/// A model without a tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_goods")]
struct Good {
    #[serde(rename = "_id")]
    id: Id<Good, i64>,
    market: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_signs", kind(kind = "poster"), tenant = "market")]
struct Poster {
    #[serde(rename = "_id")]
    id: Id<Poster, i64>,
    market: Option<ObjectId>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "kind")]
enum Sign {
    #[serde(rename = "poster")]
    Poster(Poster),
}

fn stall(number: i64, market: &str, label: &str) -> Stall {
    Stall {
        id: id(number),
        market: market.to_owned(),
        label: label.to_owned(),
        rent: 0,
    }
}

/// Opens a database and handles for two markets. North has the stall 1, and south the stall 2 with the same label.
async fn markets(test: &str) -> (Harness, Odm, Odm) {
    let mut t = Harness::long_declared(test).await;
    t.odm = t.odm.with_settings(settings());
    t.odm.sync_indexes().only::<Stall>().await.unwrap();
    let (north, south) = (t.odm.for_tenant("north"), t.odm.for_tenant("south"));
    stall(1, "north", "red cheese")
        .insert(&north)
        .await
        .unwrap();
    stall(2, "south", "red cheese")
        .insert(&south)
        .await
        .unwrap();
    (t, north, south)
}

fn assert_mentions<T: std::fmt::Debug>(result: mongo_odm::Result<T>, words: &[&str]) {
    let error = result.unwrap_err();
    assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
    let text = error.to_string();
    assert!(words.iter().all(|word| text.contains(word)), "{text}");
}

#[tokio::test]
async fn a_struct_of_another_tenant_is_an_error_of_the_client() {
    let (_t, north, _) = markets("tenant_struct_other").await;
    let (new, mut old) = (stall(3, "south", "blue"), stall(1, "north", "red cheese"));
    old.market = "south".to_owned();
    for error in [
        new.insert(&north).await.unwrap_err(),
        old.save(&north).await.unwrap_err(),
        old.replace(&north).await.unwrap_err(),
    ] {
        assert!(matches!(error, Error::Invalid { .. }), "{error:?}");
        let kind = error.kind();
        assert_eq!(kind.code(), "odm.invalid_document");
        assert_eq!(kind.http_status(), 422);
        assert_eq!(kind.http_message(), "some fields have invalid values");
    }
}

#[tokio::test]
async fn the_filter_of_an_upsert_may_contain_the_own_tenant() {
    let (t, north, _) = markets("tenant_upsert_own").await;
    let f = Stall::fields();
    for (number, odm) in [(3, &north), (4, &north.all_tenants())] {
        let filter = f.id.eq(id::<Stall>(number)) & f.market.eq("north");
        let label = format!("stall {number}");
        for rent in [1, 2] {
            let upsert = Stall::upsert(odm, filter.clone()).set(f.rent, rent);
            upsert.set(f.label, label.as_str()).await.unwrap();
        }
        let now = Stall::get(&north, id(number)).await.unwrap();
        assert_eq!((now.market.as_str(), now.rent), ("north", 2));
    }
    let forms = [
        doc! { "_id": 5_i64, "market": "north" },
        doc! { "_id": 6_i64, "market": { "$eq": "north" } },
        doc! { "$and": [{ "market": "north" }, { "$and": [{ "_id": 7_i64 }] }] },
        doc! { "_id": 8_i64, "market": { "$ne": "south" } },
    ];
    for (filter, number) in forms.into_iter().zip(5..) {
        let upsert = Stall::upsert(&north, Filter::from(filter));
        let upsert = upsert.set(f.label, format!("stall {number}"));
        upsert.await.unwrap();
        let new = stored(&t.odm, "life_stalls", number).await.unwrap();
        assert_eq!(new.get_str("market").unwrap(), "north");
    }
    let filter = f.id.eq(id::<Stall>(10)) & f.market.eq("north");
    let operation = Stall::upsert(&north, filter).set(f.label, "bulk");
    let report = north.bulk_write().add(operation).await.unwrap();
    assert_eq!(report.counts.upserted.len(), 1);
}

#[tokio::test]
async fn an_upsert_with_another_tenant_in_its_filter_is_rejected() {
    let (t, north, _) = markets("tenant_upsert_other").await;
    let f = Stall::fields();
    let filter = f.id.eq(id::<Stall>(2)) & f.market.eq("south");
    t.forget();
    let upsert = || Stall::upsert(&north, filter.clone()).set(f.label, "blue");
    let words = ["`Stall.market`", "\"south\"", "\"north\"", "for_tenant"];
    assert_mentions(upsert().await, &words);
    let bulk = north.bulk_write().add(upsert()).await.unwrap_err();
    assert!(bulk.to_string().contains("\"south\""), "{bulk}");
    assert_eq!(t.all_names(), [""; 0]);
}

#[tokio::test]
async fn a_handle_with_a_tenant_of_another_type_is_rejected() {
    let (t, ..) = markets("tenant_type").await;
    let number = t.odm.for_tenant(7_i64);
    let null = t.odm.for_tenant(Bson::Null);
    let operator = t.odm.for_tenant(doc! { "$ne": "north" });
    let text = t.odm.for_tenant(ObjectId::new().to_hex());
    let stall = stall(1, "north", "red cheese");
    t.forget();
    for (odm, word) in [(&number, "7"), (&null, "null"), (&operator, "$ne")] {
        let words = ["`Stall.market`", "for_tenant", word];
        assert_mentions(Stall::find(odm).await, &words);
        assert_mentions(Stall::find(odm).plan(), &words);
        assert_mentions(Stall::get(odm, id(1)).await, &words);
        assert_mentions(Stall::count(odm).await, &words);
        assert_mentions(Stall::exists(odm).await, &words);
        assert_mentions(Stall::distinct(odm, Stall::fields().rent).await, &words);
        let rows = Stall::aggregate::<Document>(odm, vec![doc! { "$count": "n" }]);
        assert_mentions(rows.await, &words);
        assert_mentions(Stall::delete(odm, id(1)).await, &words);
        assert_mentions(stall.insert(odm).await, &words);
        assert_mentions(stall.save(odm).await, &words);
        assert_mentions(Stall::watch(odm).await.map(drop), &words);
    }
    for odm in [&text, &null] {
        assert_mentions(Poster::find(odm).await, &["`Poster.market`"]);
        assert_mentions(Sign::find(odm).await, &["market"]);
    }
    assert_eq!(t.all_names(), [""; 0]);
    // Calls of models without a tenant ignore it.
    assert_eq!(Good::count(&null).await.unwrap(), 0);
}

#[tokio::test]
async fn a_text_search_needs_one_tenant() {
    let (t, north, _) = markets("tenant_text").await;
    let all = north.all_tenants();
    let f = Stall::fields();
    assert_eq!(Stall::find(&north).text("cheese").await.unwrap().len(), 1);
    let in_filter = Stall::find(&all)
        .text("cheese")
        .filter(f.market.eq("south"));
    assert_eq!(in_filter.by_score().await.unwrap().len(), 1);
    t.forget();
    let words = ["text", "`market`", "for_tenant"];
    let search = || Filter::<Stall>::text("cheese");
    assert_mentions(Stall::find(&all).text("cheese").await, &words);
    assert_mentions(Stall::find(&all).text("cheese").plan(), &words);
    assert_mentions(Stall::count(&all).filter(search()).await, &words);
    assert_mentions(Stall::exists(&all).filter(search()).await, &words);
    assert_mentions(Stall::distinct(&all, f.rent).filter(search()).await, &words);
    let rent = Stall::update_many(&all, search()).set(f.rent, 1);
    assert_mentions(rent.await, &words);
    assert_eq!(t.all_names(), [""; 0]);
}

#[tokio::test]
async fn a_text_index_that_ends_with_the_tenant_serves_all_tenants() {
    let t = Harness::new("tenant_text_last").await;
    let all = t.odm.with_settings(settings()).all_tenants();
    all.sync_indexes().only::<Coupon>().await.unwrap();
    for (number, market) in [(1, "north"), (2, "south")] {
        let coupon = Coupon {
            id: id(number),
            market: market.to_owned(),
            label: "red cheese".to_owned(),
        };
        coupon.insert(&all).await.unwrap();
    }
    assert_eq!(Coupon::find(&all).text("cheese").await.unwrap().len(), 2);
    let north = all.for_tenant("north");
    assert_eq!(Coupon::find(&north).text("cheese").await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_handle_returns_its_tenant() {
    let (t, north, _) = markets("tenant_getter").await;
    assert_eq!(north.tenant(), Some(&Bson::from("north")));
    assert_eq!(t.odm.tenant(), None);
    assert_eq!(north.all_tenants().tenant(), None);
    let inside = north.transaction(async |tx| Ok::<_, Error>(tx.odm().tenant().cloned()));
    assert_eq!(inside.await.unwrap(), Some("north".into()));
}

#[tokio::test]
async fn save_changes_rejects_another_tenant() {
    let (t, north, _) = markets("tenant_save_changes").await;
    let before = Stall::get(&north, id(1)).await.unwrap();
    let mut after = before.clone();
    after.market = "south".to_owned();
    after.rent = 9;
    let words = ["`Stall.market`"];
    assert_mentions(after.save_changes(&north, &before).await, &words);
    assert_mentions(
        after.save_changes(&north.all_tenants(), &before).await,
        &words,
    );
    assert_mentions(after.save_changes(&north, &after).await, &words);
    let kept = stored(&t.odm, "life_stalls", 1).await.unwrap();
    assert_eq!(kept.get_i64("rent").unwrap(), 0);
    after.market = "north".to_owned();
    after
        .save_changes(&north.all_tenants(), &before)
        .await
        .unwrap();
    let changed = stored(&t.odm, "life_stalls", 1).await.unwrap();
    assert_eq!(changed.get_i64("rent").unwrap(), 9);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_licences", tenant = "market")]
struct Licence {
    #[serde(rename = "_id")]
    id: Id<Licence, i64>,
    market: String,
    #[version]
    version: i64,
}

#[tokio::test]
async fn a_save_with_a_version_names_the_other_tenant() {
    let t = Harness::new("tenant_save_version").await;
    let all = t.odm.with_settings(settings()).all_tenants();
    let mut licence = Licence {
        id: id(1),
        market: "north".to_owned(),
        version: 0,
    };
    licence = licence.insert(&all).returning().await.unwrap();
    licence.market = "south".to_owned();
    let words = ["`market`", "cannot change the tenant"];
    assert_mentions(licence.save(&all).await, &words);
}

#[tokio::test]
async fn an_aggregation_of_one_tenant_does_not_write_to_a_model_with_a_tenant() {
    let (t, north, south) = markets("tenant_output").await;
    let good = Good {
        id: id(2),
        market: "north".to_owned(),
    };
    good.insert(&north).await.unwrap();
    let stages = [
        doc! { "$merge": { "into": "life_stalls" } },
        doc! { "$out": "life_stalls" },
    ];
    for stage in &stages {
        for odm in [&north, &t.odm] {
            let rows = Good::aggregate::<Document>(odm, vec![stage.clone()]);
            assert_mentions(rows.await, &["life_stalls", "tenant"]);
            let rows = Good::aggregate::<Document>(odm, vec![stage.clone()]);
            assert_mentions(rows.plan(), &["life_stalls", "tenant"]);
        }
        let rows = Stall::aggregate::<Document>(&south, vec![stage.clone()]);
        assert_mentions(rows.await, &["life_stalls", "tenant"]);
    }
    let theirs = Stall::get(&south, id(2)).await.unwrap();
    assert_eq!(theirs.label, "red cheese");
    let merge = vec![stages[0].clone()];
    let merged = Stall::aggregate::<Document>(&north.all_tenants(), merge);
    merged.await.unwrap();
    let copies = vec![doc! { "$out": "life_stall_copies" }];
    Stall::aggregate::<Document>(&north, copies).await.unwrap();
    let written = t.odm.database().collection::<Document>("life_stall_copies");
    assert_eq!(written.count_documents(doc! {}).await.unwrap(), 1);
}

/// A model with a hook, which runs before the tenant is set for the last time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_booths", tenant = "market", hooks)]
struct Booth {
    #[serde(rename = "_id")]
    id: Id<Booth, i64>,
    market: String,
}

impl Hooks for Booth {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn an_unordered_insert_rejects_only_the_documents_of_other_tenants() {
    let (t, north, _) = markets("life_tenant_unordered").await;
    let positions = |error: Error| match error {
        Error::InsertMany {
            inserted, rejected, ..
        } => {
            let rejected = rejected.into_iter().map(|it| (it.index, it.id));
            (inserted, rejected.collect::<Vec<_>>())
        }
        other => panic!("{other}"),
    };
    let rejected = vec![(1, Some(Bson::Int64(12)))];
    let stalls = [
        stall(11, "north", "bread"),
        stall(12, "south", "butter"),
        stall(13, "north", "beer"),
    ];
    let refused = Stall::insert_many(&north, &stalls).unordered().await;
    assert_eq!(positions(refused.unwrap_err()), (2, rejected.clone()));
    assert_eq!(Stall::count(&north).await.unwrap(), 3);

    let booth = |number: i64, market: &str| Booth {
        id: id(number),
        market: market.to_owned(),
    };
    let booths = [booth(11, "north"), booth(12, "south"), booth(13, "north")];
    let refused = Booth::insert_many(&north, &booths).unordered().await;
    assert_eq!(positions(refused.unwrap_err()), (2, rejected));
    assert_eq!(Booth::count(&t.odm.all_tenants()).await.unwrap(), 2);
}
