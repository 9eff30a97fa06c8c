//! Chapter 10: the values that a reader can see, and when.

use std::time::Duration;

use mongo_odm::{Settings, Settle, Token, UpdateReport, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "artists")]
struct Artist {
    #[serde(rename = "_id")]
    id: Id<Artist, String>,
    name: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "albums")]
struct Album {
    #[serde(rename = "_id")]
    id: Id<Album, String>,
    title: String,
    #[parent_ref]
    artist: Id<Artist, String>,
    #[denorm(from = "Artist.name")]
    artist_name: String,
}

fn artist(id: &str, name: &str) -> Artist {
    Artist {
        id: Id::from_key(id.into()),
        name: name.into(),
    }
}

fn album(id: &str, title: &str, artist: &Artist) -> Album {
    Album {
        id: Id::from_key(id.into()),
        title: title.into(),
        artist: artist.id.clone(),
        artist_name: artist.name.clone(),
    }
}

async fn rename(odm: &Odm, nina: &Artist, name: &str) -> mongo_odm::Result<UpdateReport> {
    Artist::update(odm, &nina.id)
        .set(Artist::fields().name, name)
        .await
}

async fn rename_later(odm: &Odm, nina: &Artist, name: &str) -> mongo_odm::Result<String> {
    let report = Artist::update(odm, &nina.id)
        .set(Artist::fields().name, name)
        .deferred()
        .await?;
    Ok(serde_json::to_string(report.token()).unwrap())
}

async fn wait(odm: &Odm, token: &str) -> mongo_odm::Result<()> {
    let token: Token = serde_json::from_str(token).unwrap();
    odm.wait(&token).timeout(Duration::from_secs(5)).await
}

/// Describes the effect of a write on the copies.
fn described(report: &UpdateReport) -> String {
    let lines = report.copies.iter().map(|copies| {
        let (relation, changed) = (&copies.relation, copies.modified);
        format!("{relation}: {changed} documents, {:?}", copies.guarantee)
    });
    lines.collect::<Vec<_>>().join("\n")
}

async fn in_one_snapshot(odm: &Odm) -> mongo_odm::Result<Vec<Album>> {
    Album::find(odm).snapshot().await
}

async fn up_to_date(odm: &Odm, id: &Id<Album, String>) -> mongo_odm::Result<Album> {
    Album::get(odm, id).fresh().await
}

async fn at_most_two_seconds_old(odm: &Odm, id: &Id<Album, String>) -> mongo_odm::Result<Album> {
    let bound = Duration::from_secs(2);
    Album::get(odm, id).fresh_within(bound).await
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    odm.sync_indexes().only::<Artist>().only::<Album>().await?;
    let odm = odm.with_settings(Settings::default().settle(Settle::Manual));
    let nina = artist("nina", "Eunice Waymon");
    nina.insert(&odm).await?;
    let albums = [
        album("album-1", "Little Girl Blue", &nina),
        album("album-2", "Pastel Blues", &nina),
    ];
    Album::insert_many(&odm, &albums).await?;
    chapter.stores(&odm, "artists").await?;
    chapter.stores(&odm, "albums").await?;

    let report = chapter
        .outlines(&odm, rename(&odm, &nina, "Nina Simone"))
        .await?;
    chapter.shows(described(&report));

    let small = odm.with_settings(odm.settings().clone().inline_copies(1));
    let report = chapter
        .outlines(&small, rename(&small, &nina, "Dr. Simone"))
        .await?;
    chapter.shows(described(&report));

    let token = rename_later(&odm, &nina, "Nina Simone").await?;
    let id = &albums[0].id;
    assert_eq!(Album::get(&odm, id).await?.artist_name, "Dr. Simone");
    wait(&odm, &token).await?;
    assert_eq!(Album::get(&odm, id).await?.artist_name, "Nina Simone");

    rename_later(&odm, &nina, "Nina").await?;
    let old = at_most_two_seconds_old(&odm, id).await?;
    assert_eq!(old.artist_name, "Nina Simone");
    assert_eq!(up_to_date(&odm, id).await?.artist_name, "Nina");
    chapter.outlines(&odm, up_to_date(&odm, id)).await?;
    assert_eq!(in_one_snapshot(&odm).await?.len(), 2);
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("10-consistency", program).await;
}
