//! Chapter 15: the operation of a program with copies and summaries.

use mongo_odm::{Drift, JobsReport, RepairReport, Settings, Settle, bson::Document, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "vendors")]
struct Vendor {
    #[serde(rename = "_id")]
    id: Id<Vendor, String>,
    name: String,
    #[rollup(count, of = "Offer", via = "vendor")]
    offers: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "offers")]
struct Offer {
    #[serde(rename = "_id")]
    id: Id<Offer, i32>,
    #[parent_ref]
    vendor: Id<Vendor, String>,
    #[denorm(from = "Vendor.name")]
    vendor_name: String,
}

async fn work(odm: &Odm, shutdown: impl Future<Output = ()>) -> mongo_odm::Result<JobsReport> {
    odm.worker().run_until(shutdown).await
}

/// Lists the jobs of one relation.
async fn jobs(odm: &Odm, relation: &str) -> mongo_odm::Result<String> {
    let jobs = odm.jobs().relation(relation).limit(20).await?;
    let lines = jobs
        .iter()
        .map(|job| format!("{:?}: {} of {}", job.state, job.name, job.key));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

async fn verify(odm: &Odm) -> mongo_odm::Result<Drift> {
    odm.verify().only::<Offer>().await
}

async fn repair(odm: &Odm) -> mongo_odm::Result<RepairReport> {
    odm.verify().only::<Offer>().repair().await
}

async fn alert(odm: &Odm) -> mongo_odm::Result<Option<String>> {
    let health = odm.health().await?;
    Ok((!health.is_good()).then(|| format!("{health:?}")))
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().await?;
    let settings = Settings::default()
        .settle(Settle::Manual)
        .program("shop 1.4");
    let odm = odm.with_settings(settings);
    let vendor = Vendor {
        id: Id::from_key("acme".into()),
        name: "Acme".into(),
        offers: 0,
    };
    vendor.insert(&odm).await?;
    let offers = [1, 2, 3].map(|id| Offer {
        id: Id::from_key(id),
        vendor: vendor.id.clone(),
        vendor_name: String::new(),
    });
    Offer::insert_many(&odm, &offers).deferred().await?;
    let rename = Vendor::update(&odm, &vendor.id).set(Vendor::fields().name, "Acme Ltd");
    rename.deferred().await?;
    chapter.shows(jobs(&odm, "offers.vendor <- vendors._id").await?);
    assert_eq!(alert(&odm).await?, None);
    let report = odm.run_pending_jobs().await?;
    chapter.shows(report);
    work(&odm, std::future::ready(())).await?;
    chapter.shows(jobs(&odm, "offers.vendor <- vendors._id").await?);
    chapter.stores(&odm, "vendors").await?;

    odm.database()
        .collection::<Document>("_odm_jobs")
        .delete_many(doc! {})
        .await?;
    let offers = odm.database().collection::<Document>("offers");
    let foreign = doc! { "$set": { "vendor_name": "Acme Inc" } };
    offers.update_one(doc! { "_id": 2 }, foreign).await?;
    let foreign = doc! { "$set": { "vendor": "nobody" } };
    offers.update_one(doc! { "_id": 3 }, foreign).await?;
    let drift = verify(&odm).await?;
    chapter.shows(&drift);
    chapter.shows(repair(&odm).await?);
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("15-operating", program).await;
}
