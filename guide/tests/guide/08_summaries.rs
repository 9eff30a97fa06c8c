//! Chapter 8: fields that the library computes from the children of a document.

use mongo_odm::{
    Average, BackfillReport, Drift, Error, Filter, InsertReport, RepairReport, Settings, Settle,
    UpdateReport, bson::Document, prelude::*,
};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "fund_campaigns")]
struct Campaign {
    #[serde(rename = "_id")]
    id: Id<Campaign, String>,
    title: String,
    #[rollup(count, of = "Donation", via = "campaign")]
    donations: i64,
    #[rollup(sum, of = "Donation", via = "campaign", field = "amount")]
    raised: i64,
    #[rollup(max, of = "Donation", via = "campaign", field = "amount")]
    largest: Option<i64>,
    #[recent(of = "Donation", via = "campaign", sort = "time", limit = 2, desc)]
    latest: Vec<DonationLine>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "fund_donations")]
struct Donation {
    #[serde(rename = "_id")]
    id: Id<Donation, i32>,
    #[parent_ref]
    campaign: Id<Campaign, String>,
    donor: String,
    amount: i64,
    time: i64,
}

#[derive(Debug, Serialize, Deserialize, Projection)]
#[projection(of = "Donation")]
struct DonationLine {
    donor: String,
    amount: i64,
    time: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "fund_printers")]
struct Printer {
    #[serde(rename = "_id")]
    id: Id<Printer, String>,
    #[rollup(count, of = "Flyer", via = "printer", filter = "Flyer::is_waiting")]
    waiting: i64,
    #[rollup(average, of = "Flyer", via = "printer", field = "pages")]
    pages: Average,
    #[refs(many, inverse = "printer", max = 3)]
    flyers: Vec<Id<Flyer, i32>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "fund_flyers")]
struct Flyer {
    #[serde(rename = "_id")]
    id: Id<Flyer, i32>,
    #[parent_ref(inverse = "flyers")]
    printer: Id<Printer, String>,
    pages: i32,
    printed: bool,
}

impl Flyer {
    fn is_waiting() -> Filter<Self> {
        Self::fields().printed.eq(false)
    }
}

fn campaign(id: &str, title: &str) -> Campaign {
    Campaign {
        id: Id::from_key(id.into()),
        title: title.into(),
        donations: 0,
        raised: 0,
        largest: None,
        latest: Vec::new(),
    }
}

fn donation(id: i32, donor: &str, amount: i64) -> Donation {
    Donation {
        id: Id::from_key(id),
        campaign: Id::from_key("well".into()),
        donor: donor.into(),
        amount,
        time: i64::from(id) * 100,
    }
}

/// Describes the effect of a write on the summaries.
fn described(report: &InsertReport) -> String {
    let lines = report.copies.iter().map(|it| {
        let (relation, forms, guarantee) = (&it.relation, &it.forms, it.guarantee);
        format!("{relation}: {forms:?}, {guarantee:?}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

async fn donate_at_once(odm: &Odm, donations: Vec<Donation>) -> mongo_odm::Result<()> {
    let insert = |donation: Donation| {
        let odm = odm.clone();
        tokio::spawn(async move { donation.insert(&odm).await })
    };
    let tasks: Vec<_> = donations.into_iter().map(insert).collect();
    for task in tasks {
        task.await.unwrap()?;
    }
    Ok(())
}

async fn printed(odm: &Odm, flyer: &Id<Flyer, i32>) -> mongo_odm::Result<UpdateReport> {
    Flyer::update(odm, flyer)
        .set(Flyer::fields().printed, true)
        .await
}

async fn up_to_date(odm: &Odm, id: &Id<Campaign, String>) -> mongo_odm::Result<Campaign> {
    Campaign::get(odm, id).fresh().await
}

async fn verify(odm: &Odm) -> mongo_odm::Result<Drift> {
    odm.verify().only::<Campaign>().await
}

async fn repair(odm: &Odm) -> mongo_odm::Result<RepairReport> {
    odm.verify().only::<Campaign>().repair().await
}

async fn backfill(odm: &Odm) -> mongo_odm::Result<BackfillReport> {
    odm.backfill::<Campaign>().await
}

async fn accept(odm: &Odm, flyer: &Flyer) -> mongo_odm::Result<bool> {
    match flyer.insert(odm).await {
        Ok(_) => Ok(true),
        Err(Error::BoundExceeded { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

async fn writes(chapter: &mut Chapter, odm: &Odm) -> mongo_odm::Result<()> {
    chapter.stores(odm, "fund_donations").await?;
    chapter.stores(odm, "fund_campaigns").await?;
    let report = chapter
        .sends(odm, async { donation(3, "Eva", 700).insert(odm).await })
        .await?;
    chapter.shows(described(&report));
    let id = Id::from_key("well".into());
    let by_hand = Campaign::update(odm, &id).with(doc! { "$set": { "donations": 7 } });
    chapter.shows(by_hand.await.unwrap_err());
    // The donation is neither in the list nor the largest. Two finds show that both fields stay unchanged.
    let ann = Id::from_key(1);
    let deleted = odm.observe(async { Donation::delete(odm, ann).await });
    assert_eq!(deleted.await.sent.len(), 8);
    Ok(())
}

/// The parent of a child may be stored later, and a save of an old struct changes no summary.
async fn parents(odm: &Odm) -> mongo_odm::Result<()> {
    let late = |id| Donation {
        campaign: Id::from_key("late".into()),
        ..donation(id, "Pia", 30)
    };
    Donation::insert_many(odm, &[late(301), late(302)]).await?;
    let campaign = campaign("late", "Too late");
    campaign.insert(odm).await?;
    let stored = Campaign::get(odm, &campaign.id).await?;
    assert_eq!((stored.donations, stored.latest.len()), (2, 2));
    campaign.save(odm).await?;
    let stored = Campaign::get(odm, &campaign.id).await?;
    assert_eq!((stored.donations, stored.raised), (2, 60));
    // One update for all children, and a second one if a child belongs between two elements of the list.
    let many: Vec<Donation> = (400..1400).map(late).collect();
    let inserted = odm.observe(async { Donation::insert_many(odm, &many).await });
    assert_eq!(inserted.await.sent.len(), 3);
    let inserted = odm.observe(async { late(303).insert(odm).await });
    assert_eq!(inserted.await.sent.len(), 4);
    Donation::delete_many(odm, Donation::fields().campaign.eq(&campaign.id)).await?;
    let stored = Campaign::get(odm, &campaign.id).await?;
    assert_eq!(
        (stored.donations, stored.raised, stored.largest),
        (0, 0, None)
    );
    Campaign::delete(odm, &campaign.id).await?;
    Ok(())
}

/// Inserts a donation while another transaction writes the campaign.
async fn conflict(chapter: &mut Chapter, odm: &Odm) -> mongo_odm::Result<()> {
    let campaigns = odm.database().collection::<Document>("fund_campaigns");
    let mut other = odm.database().client().start_session().await?;
    other.start_transaction().await?;
    let title = doc! { "$set": { "title": "Two wells" } };
    let update = campaigns.update_one(doc! { "_id": "well" }, title);
    update.session(&mut other).await?;
    let report = donation(4, "Kim", 300).insert(odm).await?;
    chapter.shows(described(&report));
    other.abort_transaction().await?;
    chapter
        .sends(odm, async { donation(5, "Leo", 50).insert(odm).await })
        .await?;
    Ok(())
}

async fn hot(chapter: &mut Chapter, odm: &Odm) -> mongo_odm::Result<()> {
    conflict(chapter, odm).await?;
    let id = Id::from_key("well".into());
    assert_eq!(Campaign::get(odm, &id).await?.donations, 2);
    assert_eq!(up_to_date(odm, &id).await?.donations, 4);
    let later = donation(6, "Ole", 20).insert(odm).deferred().await?;
    assert!(described(&later).ends_with("[Delta], Eventual"));
    let many = (100..200).map(|id| donation(id, "Lea", 10)).collect();
    donate_at_once(odm, many).await?;
    let fresh = up_to_date(odm, &id).await?;
    chapter.shows(format!("{} donations: {}", fresh.donations, fresh.raised));
    Ok(())
}

async fn maintenance(chapter: &mut Chapter, odm: &Odm) -> mongo_odm::Result<()> {
    let old = |name: &str| odm.database().collection::<Document>(name);
    let bus = doc! { "_id": "bus", "title": "A bus" };
    old("fund_campaigns").insert_one(bus).await?;
    let gift =
        |id| doc! { "_id": id, "campaign": "bus", "donor": "Max", "amount": 90_i64, "time": id };
    let gifts = [gift(201_i64), gift(202)];
    old("fund_donations").insert_many(gifts).await?;
    chapter.shows(backfill(odm).await?);
    // A program without the library increments the count.
    let count = doc! { "$inc": { "donations": 1_i64 } };
    old("fund_campaigns")
        .update_one(doc! { "_id": "bus" }, count)
        .await?;
    chapter.shows(verify(odm).await?);
    chapter.shows(repair(odm).await?);
    let bus = Campaign::get(odm, Id::from_key("bus".into())).await?;
    assert_eq!((bus.donations, bus.raised), (2, 180));
    Ok(())
}

async fn flyers(chapter: &mut Chapter, odm: &Odm) -> mongo_odm::Result<()> {
    let printer = Printer {
        id: Id::from_key("p1".into()),
        waiting: 0,
        pages: Average::default(),
        flyers: Vec::new(),
    };
    printer.insert(odm).await?;
    let flyer = |id| Flyer {
        id: Id::from_key(id),
        printer: printer.id.clone(),
        pages: id * 10,
        printed: false,
    };
    assert!(accept(odm, &flyer(1)).await?);
    assert!(accept(odm, &flyer(2)).await?);
    assert!(accept(odm, &flyer(3)).await?);
    let first = Id::from_key(1);
    let update = odm.observe(printed(odm, &first)).await;
    let aggregations = update.sent.iter().filter(|it| it.command == "aggregate");
    assert_eq!(aggregations.count(), 1);
    chapter.stores(odm, "fund_printers").await?;
    assert!(!accept(odm, &flyer(4)).await?);
    chapter.shows(flyer(4).insert(odm).await.unwrap_err());
    Ok(())
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let sync = odm.sync_indexes().only::<Campaign>().only::<Donation>();
    sync.only::<Printer>().only::<Flyer>().await?;
    let odm = odm.with_settings(Settings::default().settle(Settle::Manual));
    campaign("well", "A well").insert(&odm).await?;
    donation(1, "Ann", 500).insert(&odm).await?;
    donation(2, "Bob", 2000).insert(&odm).await?;
    writes(chapter, &odm).await?;
    parents(&odm).await?;
    flyers(chapter, &odm).await?;
    hot(chapter, &odm).await?;
    maintenance(chapter, &odm).await?;
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("08-summaries", program).await;
}
