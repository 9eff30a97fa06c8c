//! Chapter 9: documents of several kinds in one collection, with links between them.

use mongo_odm::{DeleteReport, Settings, Settle, UpdateReport, bson::Document, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Link {
    target: String,
    kind: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(
    collection = "conf_entries",
    kind(kind = "talk"),
    index(keys(title = 1), all_kinds)
)]
struct Talk {
    #[serde(rename = "_id")]
    id: Id<Talk, String>,
    title: String,
    #[index]
    minutes: i32,
    #[links(max = 5)]
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "conf_entries", kind(kind = "speaker"))]
struct Speaker {
    #[serde(rename = "_id")]
    id: Id<Speaker, String>,
    title: String,
    #[index(unique)]
    email: String,
    #[links]
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "conf_entries", kind(kind = "room"))]
struct Room {
    #[serde(rename = "_id")]
    id: Id<Room, String>,
    title: String,
    #[links(one_sided)]
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[single_collection(shared(title: String))]
enum Entry {
    Talk(Talk),
    Speaker(Speaker),
    Room(Room),
    #[serde(untagged)]
    Other(Document),
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "conf_papers", kind(kind = "paper"))]
struct Paper {
    #[serde(rename = "_id")]
    id: Id<Paper, i32>,
    title: String,
    #[links(form = "prefix", one_sided)]
    #[serde(default)]
    family: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "conf_papers", kind(kind = "review"))]
struct Review {
    #[serde(rename = "_id")]
    id: Id<Review, i32>,
    stars: i32,
    #[links(form = "prefix")]
    #[serde(default)]
    family: String,
}

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Submission {
    Paper(Paper),
    Review(Review),
}

fn talk(id: &str, title: &str) -> Talk {
    Talk {
        id: Id::from_key(id.into()),
        title: title.into(),
        minutes: 45,
        links: Vec::new(),
    }
}

fn speaker(id: &str, title: &str) -> Speaker {
    Speaker {
        id: Id::from_key(id.into()),
        title: title.into(),
        email: format!("{id}@example.org"),
        links: Vec::new(),
    }
}

fn room(id: &str, title: &str) -> Room {
    Room {
        id: Id::from_key(id.into()),
        title: title.into(),
        links: Vec::new(),
    }
}

async fn program_of(odm: &Odm) -> mongo_odm::Result<Vec<String>> {
    let mut lines = Vec::new();
    let entries = Entry::find(odm).sort(Entry::fields().title.asc());
    for entry in entries.await? {
        lines.push(match entry {
            Entry::Talk(talk) => format!("{}: {} minutes", talk.title, talk.minutes),
            Entry::Speaker(speaker) => format!("{}: {}", speaker.title, speaker.email),
            Entry::Room(room) => room.title,
            Entry::Other(document) => format!("unknown kind: {document}"),
        });
    }
    Ok(lines)
}

async fn long_talks_and_rooms(odm: &Odm) -> mongo_odm::Result<Vec<Entry>> {
    let long = Entry::of_kind(Talk::fields().minutes.gt(40));
    let rooms = Entry::of_kind(Filter::<Room>::all());
    Entry::find(odm).filter(long | rooms).await
}

async fn page_of(odm: &Odm, talk: &str) -> mongo_odm::Result<String> {
    let found = Entry::linked(odm, talk).await?;
    let speakers = found.speakers.iter().map(|it| it.title.as_str());
    let speakers: Vec<&str> = speakers.collect();
    Ok(format!("{}: {}", found.talks[0].title, speakers.join(", ")))
}

async fn with_room(odm: &Odm, talk: &Talk) -> mongo_odm::Result<String> {
    let found = Entry::linked(odm, talk).await?;
    Ok(format!("{found:?}"))
}

async fn speakers(odm: &Odm, talk: &Talk) -> mongo_odm::Result<Vec<Speaker>> {
    let by_name = Speaker::fields().title.asc();
    Speaker::linked_to(odm, talk).sort(by_name).limit(10).await
}

async fn talks_of_all(odm: &Odm) -> mongo_odm::Result<()> {
    let speakers = Speaker::find(odm).await?;
    let talks = Talk::join_linked(&speakers, odm).await?;
    for speaker in &speakers {
        println!("{}: {} talks", speaker.title, talks.of(speaker).count());
    }
    Ok(())
}

async fn delete(odm: &Odm, talk: &Id<Talk, String>) -> mongo_odm::Result<DeleteReport> {
    Talk::delete(odm, talk).await
}

/// Lists the links of each document.
async fn links(odm: &Odm) -> mongo_odm::Result<String> {
    let all = odm.database().collection::<Document>("conf_entries");
    let mut cursor = all.find(doc! {}).sort(doc! { "_id": 1 }).await?;
    let mut lines = Vec::new();
    while cursor.advance().await? {
        let entry = cursor.deserialize_current()?;
        let links = entry.get_array("links").unwrap().iter();
        let targets = links.map(|it| it.as_document().unwrap().get_str("target").unwrap());
        let targets = targets.collect::<Vec<_>>().join(", ");
        lines.push(format!("{}: {targets}", entry.get_str("_id").unwrap()));
    }
    Ok(lines.join("\n"))
}

async fn store(odm: &Odm) -> mongo_odm::Result<()> {
    let (ada, max) = (speaker("ada", "Ada Moss"), speaker("max", "Max Birk"));
    let (rust, hall) = (talk("rust", "Rust"), room("hall", "Hall"));
    ada.insert(odm).await?;
    max.insert(odm).await?;
    rust.insert(odm).await?;
    hall.insert(odm).await?;
    rust.link(odm, [&ada, &max]).await?;
    rust.link(odm, &hall).await?;
    Ok(())
}

async fn kinds(chapter: &mut Chapter, odm: &Odm) -> mongo_odm::Result<()> {
    let lines = chapter.sends(odm, program_of(odm)).await?;
    chapter.shows(lines.join("\n"));
    chapter.sends(odm, long_talks_and_rooms(odm)).await?;
    Ok(())
}

async fn speaks(odm: &Odm, max: &Speaker, rust: &Talk) -> mongo_odm::Result<UpdateReport> {
    max.link(odm, rust).await
}

async fn change_links(chapter: &mut Chapter, odm: &Odm) -> mongo_odm::Result<()> {
    let max = Speaker::get(odm, Id::from_key("max".into())).await?;
    let rust = Talk::get(odm, Id::from_key("rust".into())).await?;
    max.unlink(odm, &rust).await?;
    chapter.outlines(odm, speaks(odm, &max, &rust)).await?;
    Ok(())
}

async fn loads(chapter: &mut Chapter, odm: &Odm) -> mongo_odm::Result<()> {
    let page = chapter.sends(odm, page_of(odm, "rust")).await?;
    chapter.shows(page);
    let rust = Talk::get(odm, Id::from_key("rust".into())).await?;
    let found = chapter.sends(odm, with_room(odm, &rust)).await?;
    chapter.shows(found);
    chapter.sends(odm, speakers(odm, &rust)).await?;
    chapter.sends(odm, talks_of_all(odm)).await?;
    let talks = Talk::linked_to(odm, &room("hall", "Hall")).await?;
    let rooms = Room::linked_to(odm, &rust).await?;
    assert_eq!((talks.len(), rooms.len()), (1, 1));
    // With only an id, `linked` cannot find documents of one-sided models, because these do not store their links.
    assert_eq!(Entry::linked(odm, "rust").await?.rooms.len(), 0);
    Ok(())
}

/// Checks the rules of kinds and of links.
async fn rules(odm: &Odm) -> mongo_odm::Result<()> {
    // An id is unique over all kinds, and a model reads only documents of its own kind.
    let same_id = talk("ada", "Ada").insert(odm).await.unwrap_err();
    assert_eq!(same_id.code(), "odm.duplicate_key");
    let other_kind = Talk::get(odm, Id::from_key("ada".into())).await;
    assert_eq!(other_kind.unwrap_err().code(), "odm.not_found");
    // A save keeps the links, and a repeated link changes nothing.
    let before = links(odm).await?;
    let ada = speaker("ada", "Ada Moss");
    ada.save(odm).await?;
    let repeated = ada.link(odm, &talk("rust", "Rust")).await?;
    assert_eq!((repeated.modified, links(odm).await?), (0, before.clone()));
    // The insert of a document completes a link that was stored before. Removing a link removes both ends.
    let later = talk("later", "Later");
    ada.link(odm, &later).await?;
    later.insert(odm).await?;
    assert!(links(odm).await?.contains("later: later, ada"));
    later.unlink(odm, &ada).deferred().await?;
    assert!(links(odm).await?.contains("ada: ada, rust\n"));
    // A document has at most five links, including the one to itself.
    let many: Vec<_> = ["a", "b", "c", "d", "e"].map(|id| speaker(id, id)).into();
    Speaker::insert_many(odm, &many).await?;
    let full = later.link(odm, &many).await.unwrap_err();
    assert_eq!(full.code(), "odm.bound_exceeded");
    Speaker::delete_many(
        odm,
        Speaker::fields().id.is_in(many.iter().map(|it| &it.id)),
    )
    .await?;
    Talk::delete(odm, &later.id).await?;
    // A document of an unknown kind.
    let entries = odm.database().collection::<Document>("conf_entries");
    let sponsor = doc! { "_id": "acme", "kind": "sponsor", "title": "Acme" };
    entries.insert_one(sponsor).await?;
    assert!(program_of(odm).await?[0].starts_with("unknown kind"));
    entries.delete_one(doc! { "_id": "acme" }).await?;
    // A talk that was stored with a shell, without the link to itself.
    let raw = doc! { "_id": "raw", "kind": "talk", "title": "Raw", "minutes": 5, "links": [] };
    entries.insert_one(raw).await?;
    assert_eq!(odm.verify().only::<Talk>().await?.len(), 1);
    odm.verify().only::<Talk>().repair().await?;
    assert!(links(odm).await?.contains("raw: raw"));
    Talk::delete(odm, Id::from_key("raw".into())).await?;
    assert_eq!(links(odm).await?, before);
    Ok(())
}

async fn family(chapter: &mut Chapter, odm: &Odm) -> mongo_odm::Result<()> {
    for id in [10, 100] {
        let paper = Paper {
            id: Id::from_key(id),
            title: format!("Paper {id}"),
            family: String::new(),
        };
        paper.insert(odm).await?;
    }
    for (id, paper) in [(1, 10), (2, 10), (3, 100)] {
        let review = Review {
            id: Id::from_key(id),
            stars: 4,
            family: paper.to_string(),
        };
        review.insert(odm).await?;
    }
    chapter.stores(odm, "conf_papers").await?;
    let found = chapter
        .sends(odm, async { Submission::linked(odm, 10).await })
        .await?;
    assert_eq!((found.papers.len(), found.reviews.len()), (1, 2));
    Ok(())
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let diff = odm.index_diff().only::<Talk>().only::<Speaker>();
    let diff = diff.only::<Room>().await?;
    let sync = odm.sync_indexes().only::<Talk>().only::<Speaker>();
    sync.only::<Room>().only::<Paper>().only::<Review>().await?;
    let odm = odm.with_settings(Settings::default().settle(Settle::Manual));
    store(&odm).await?;
    rules(&odm).await?;
    chapter.stores(&odm, "conf_entries").await?;
    kinds(chapter, &odm).await?;
    change_links(chapter, &odm).await?;
    loads(chapter, &odm).await?;
    family(chapter, &odm).await?;
    // A single update changes all linked documents.
    let rust = Id::from_key("rust".into());
    let deleted = odm.observe(delete(&odm, &rust)).await;
    let statements = deleted.sent.iter().map(|it| it.statement.to_string());
    let pulls = statements.filter(|it| it.starts_with("db.conf_entries.updateMany"));
    assert_eq!((deleted.value?.deleted, pulls.count()), (1, 1));
    chapter.shows(links(&odm).await?);
    chapter.shows(diff);
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("09-single-collection", program).await;
}
