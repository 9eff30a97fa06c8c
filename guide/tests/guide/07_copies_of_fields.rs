//! Chapter 7: copies of fields, and the writes that update them.

use mongo_odm::{Settings, Settle, UpdateReport, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
#[embedded(from = Band)]
struct BandLine {
    #[refs(one)]
    band: Id<Band, String>,
    #[denorm(from = "Band.name")]
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "fest_stages")]
struct Stage {
    #[serde(rename = "_id")]
    id: Id<Stage, String>,
    name: String,
    price: i32,
    #[embed(max = 50)]
    #[refs(many)]
    bands: Vec<BandLine>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "fest_bands")]
struct Band {
    #[serde(rename = "_id")]
    id: Id<Band, String>,
    name: String,
    #[denorm(from = "Stage.name", via = "Stage.bands")]
    stage_name: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "fest_tickets")]
struct Ticket {
    #[serde(rename = "_id")]
    id: Id<Ticket, i32>,
    #[parent_ref]
    stage: Id<Stage, String>,
    #[denorm(from = "Stage.name")]
    stage_name: String,
    #[denorm(from = "Stage.price", snapshot)]
    price: i32,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "fest_sponsors")]
struct Sponsor {
    #[serde(rename = "_id")]
    id: Id<Sponsor, i32>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "fest_posters")]
struct Poster {
    #[serde(rename = "_id")]
    id: Id<Poster, i32>,
    #[refs(one)]
    sponsor: Option<Id<Sponsor, i32>>,
    #[denorm(from = "Sponsor.name", on_delete = "nullify")]
    name: Option<String>,
    #[denorm(from = "Sponsor.name", snapshot)]
    printed: Option<String>,
}

fn band(id: &str, name: &str) -> Band {
    Band {
        id: Id::from_key(id.into()),
        name: name.into(),
        stage_name: None,
    }
}

async fn store(odm: &Odm) -> mongo_odm::Result<()> {
    let bands = [band("foxes", "Foxes"), band("owls", "Owls")];
    Band::insert_many(odm, &bands).await?;
    let stage = Stage {
        id: Id::from_key("main".into()),
        name: "Main Stage".into(),
        price: 40,
        bands: bands.iter().map(BandLine::from).collect(),
    };
    stage.insert(odm).await?;
    Ok(())
}

fn ticket(number: i32, stage: &Id<Stage, String>, price: i32) -> Ticket {
    Ticket {
        id: Id::from_key(number),
        stage: stage.clone(),
        stage_name: String::new(),
        price,
    }
}

async fn sell(odm: &Odm, number: i32, stage: &Id<Stage, String>) -> mongo_odm::Result<()> {
    let ticket = Ticket {
        id: Id::from_key(number),
        stage: stage.clone(),
        stage_name: String::new(), // any value
        price: 0,                  // any value
    };
    ticket.insert(odm).await?;
    Ok(())
}

async fn sell_at_agreed_price(odm: &Odm, ticket: &Ticket) -> mongo_odm::Result<()> {
    ticket.insert(odm).keep_snapshots().await?;
    Ok(())
}

async fn rename_band(odm: &Odm, owls: &Band) -> mongo_odm::Result<UpdateReport> {
    Band::update(odm, &owls.id)
        .set(Band::fields().name, "The Owls")
        .await
}

async fn add_band(odm: &Odm, stage: &Stage, band: &Band) -> mongo_odm::Result<UpdateReport> {
    Stage::update(odm, &stage.id)
        .push(Stage::fields().bands, BandLine::from(band))
        .await
}

async fn rename_stage(odm: &Odm, stage: &Stage, name: &str) -> mongo_odm::Result<UpdateReport> {
    Stage::update(odm, &stage.id)
        .set(Stage::fields().name, name)
        .await
}

/// Describes the effect of a write on the copies.
fn described(report: &UpdateReport) -> String {
    let lines = report.copies.iter().map(|copies| {
        let (relation, changed) = (&copies.relation, copies.modified);
        format!("{relation}: {changed} changed, {:?}", copies.guarantee)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Makes writes whose effects the chapter describes without showing their code.
async fn stated(odm: &Odm, main: &Id<Stage, String>) -> mongo_odm::Result<()> {
    let ticket = async |number| Ticket::get(odm, Id::from_key(number)).await;
    let owls = &Id::from_key("owls".to_owned());
    let place = async || Band::get(odm, owls).await.map(|band| band.stage_name);
    let hill: Id<Stage, String> = Id::from_key("hill".into());

    // The document with the reference is stored before its target.
    sell(odm, 5, &hill).await?;
    let early = ticket(5).await?;
    assert_eq!((early.stage_name.as_str(), early.price), ("", 0));
    let stage = Stage {
        id: hill.clone(),
        name: "Hill Stage".into(),
        price: 30,
        bands: vec![BandLine::from(&Band::get(odm, owls).await?)],
    };
    stage.insert(odm).await?;
    let early = ticket(5).await?;
    assert_eq!((early.stage_name.as_str(), early.price), ("Hill Stage", 0));

    // If two stages have the same band, the band copies from the stage with the lowest `_id`.
    assert_eq!(place().await?.as_deref(), Some("Hill Stage"));
    for stage in [&hill, main] {
        let is_owls = BandLine::fields().band.eq(owls);
        Stage::update(odm, stage)
            .pull_where(Stage::fields().bands, is_owls)
            .await?;
        let expected = (stage == &hill).then_some("River Stage");
        assert_eq!(place().await?.as_deref(), expected);
    }

    // If the reference changes, the copy changes, but the snapshot does not.
    Ticket::update(odm, Id::from_key(1))
        .set(Ticket::fields().stage, &hill)
        .await?;
    let moved = ticket(1).await?;
    assert_eq!((moved.stage_name.as_str(), moved.price), ("Hill Stage", 40));

    // A save of a struct with an old copy.
    let old = Ticket {
        stage_name: "an old name".into(),
        ..moved
    };
    old.save(odm).await?;
    assert_eq!(ticket(1).await?.stage_name, "Hill Stage");

    // If the source does not exist, a copy keeps its value.
    Stage::delete(odm, &hill).await?;
    assert_eq!(ticket(1).await?.stage_name, "Hill Stage");
    Ok(())
}

/// Removes a reference, and deletes the target of a reference.
async fn stated_of_ends(odm: &Odm) -> mongo_odm::Result<()> {
    let sponsor = Sponsor {
        id: Id::from_key(1),
        name: "Bank".into(),
    };
    sponsor.insert(odm).await?;
    let poster = |number| Poster {
        id: Id::from_key(number),
        sponsor: Some(sponsor.id),
        name: None,
        printed: None,
    };
    Poster::insert_many(odm, &[poster(1), poster(2)]).await?;
    Poster::update(odm, Id::from_key(1))
        .set(Poster::fields().sponsor, None)
        .await?;
    Sponsor::delete(odm, sponsor.id).await?;
    for poster in Poster::find(odm).await? {
        let copies = (poster.name.as_deref(), poster.printed.as_deref());
        assert_eq!(copies, (None, Some("Bank")), "{}", poster.id);
    }
    Ok(())
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let sync = odm.sync_indexes().only::<Stage>().only::<Band>();
    sync.only::<Ticket>().only::<Poster>().await?;
    let odm = odm.with_settings(Settings::default().settle(Settle::Manual));
    store(&odm).await?;
    let main: Id<Stage, String> = Id::from_key("main".into());
    sell(&odm, 1, &main).await?;
    sell(&odm, 2, &main).await?;
    chapter.stores(&odm, "fest_stages").await?;
    chapter.stores(&odm, "fest_bands").await?;
    chapter.stores(&odm, "fest_tickets").await?;
    chapter.outlines(&odm, sell(&odm, 3, &main)).await?;

    let owls = Band::get(&odm, Id::from_key("owls".into())).await?;
    let report = chapter.outlines(&odm, rename_band(&odm, &owls)).await?;
    chapter.shows(described(&report));
    chapter.stores(&odm, "fest_stages").await?;

    let bees = band("bees", "Bees");
    bees.insert(&odm).await?;
    let stage = Stage::get(&odm, &main).await?;
    chapter
        .outlines(&odm, add_band(&odm, &stage, &bees))
        .await?;
    chapter.stores(&odm, "fest_bands").await?;

    let report = rename_stage(&odm, &stage, "Lake Stage").await?;
    chapter.shows(described(&report));
    let small = odm.with_settings(odm.settings().clone().inline_copies(2));
    let report = rename_stage(&small, &stage, "River Stage").await?;
    chapter.shows(described(&report));

    Stage::update(&odm, &main)
        .set(Stage::fields().price, 45)
        .await?;
    sell_at_agreed_price(&odm, &ticket(4, &main, 20)).await?;
    chapter.stores(&odm, "fest_tickets").await?;
    let verify = odm.verify().only::<Stage>().only::<Band>();
    assert!(verify.only::<Ticket>().await?.items.is_empty());
    stated(&odm, &main).await?;
    stated_of_ends(&odm).await?;

    let refused = Ticket::update(&odm, Id::from_key(1))
        .with(doc! { "$set": { "stage_name": "Hill Stage" } })
        .await;
    chapter.shows(refused.unwrap_err());
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("07-copies-of-fields", program).await;
}
