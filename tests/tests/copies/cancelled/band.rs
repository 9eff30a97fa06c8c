//! A source with all kinds of derived data, and all kinds of writes to this source.

use mongo_odm::{
    Executor, Result,
    bson::{Bson, Document},
    prelude::*,
};

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cancelled_bands")]
pub struct Band {
    #[serde(rename = "_id")]
    pub id: Id<Band>,
    pub name: String,
}

/// A song, which is deleted with its band.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cancelled_songs")]
pub struct Song {
    #[serde(rename = "_id")]
    pub id: Id<Song>,
    #[parent_ref(on_delete = "cascade")]
    pub band: Id<Band>,
    #[denorm(from = Band.name)]
    pub name: String,
}

/// A cover, which contains a copy of a copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cancelled_covers")]
pub struct Cover {
    #[serde(rename = "_id")]
    pub id: Id<Cover>,
    #[parent_ref(on_delete = "cascade")]
    pub song: Id<Song>,
    #[denorm(from = Song.name)]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cancelled_posters")]
pub struct Poster {
    #[serde(rename = "_id")]
    pub id: Id<Poster>,
    #[refs(one, on_delete = "nullify")]
    pub band: Option<Id<Band>>,
    #[denorm(from = Band.name)]
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Guest {
    #[refs(one, on_delete = "pull")]
    pub band: Id<Band>,
    #[denorm(from = Band.name)]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cancelled_festivals")]
pub struct Festival {
    #[serde(rename = "_id")]
    pub id: Id<Festival>,
    pub guests: Vec<Guest>,
}

const BANDS: &str = "cancelled_bands";
const SONGS: &str = "cancelled_songs";
const COVERS: &str = "cancelled_covers";
const POSTERS: &str = "cancelled_posters";
const FESTIVALS: &str = "cancelled_festivals";
const COLLECTIONS: [&str; 5] = [BANDS, SONGS, COVERS, POSTERS, FESTIVALS];

/// A kind of write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Insert,
    InsertMany,
    Update,
    UpdateMany,
    Save,
    Replace,
    Upsert,
    UpsertNew,
    FindOneAndUpdate,
    Relink,
    Delete,
    DeleteMany,
}

impl Kind {
    pub const ALL: [Self; 12] = [
        Self::Insert,
        Self::InsertMany,
        Self::Update,
        Self::UpdateMany,
        Self::Save,
        Self::Replace,
        Self::Upsert,
        Self::UpsertNew,
        Self::FindOneAndUpdate,
        Self::Relink,
        Self::Delete,
        Self::DeleteMany,
    ];

    /// Applies this kind of write to the stored documents.
    pub async fn write(self, odm: &impl Executor, stored: &Stored, name: &str) -> Result<()> {
        let (bands, fields) = (&stored.bands, Band::fields());
        let [band, other] = bands;
        let named = Band {
            id: band.id,
            name: name.to_owned(),
        };
        match self {
            // The inserted songs have the old names, which the library corrects.
            Self::Insert => drop(song(band).insert(odm).await?),
            Self::InsertMany => drop(Song::insert_many(odm, &bands.each_ref().map(song)).await?),
            Self::Update => drop(Band::update(odm, band.id).set(fields.name, name).await?),
            Self::UpdateMany => {
                let both = fields.id.is_in(bands.each_ref().map(|band| band.id));
                drop(Band::update_many(odm, both).set(fields.name, name).await?);
            }
            Self::Save => drop(named.save(odm).await?),
            Self::Replace => drop(named.replace(odm).await?),
            Self::Upsert => {
                let one = Band::upsert(odm, fields.id.eq(band.id));
                drop(one.set(fields.name, name).await?);
            }
            Self::UpsertNew => {
                let new = Band::upsert(odm, fields.id.eq(stored.awaited));
                drop(new.set(fields.name, name).await?);
            }
            Self::FindOneAndUpdate => {
                let one = Band::find_one_and_update(odm, fields.id.eq(band.id));
                drop(one.set(fields.name, name).await?);
            }
            Self::Relink => {
                let song = Song::update(odm, stored.song.id);
                drop(song.set(Song::fields().band, other.id).await?);
            }
            Self::Delete => drop(Band::delete(odm, band.id).await?),
            Self::DeleteMany => {
                let both = fields.id.is_in(bands.each_ref().map(|band| band.id));
                drop(Band::delete_many(odm, both).await?);
            }
        }
        Ok(())
    }
}

/// Lists the kinds with the ways in which their copies are updated. With jobs, only the most different kinds are
/// listed.
pub fn ways(odm: &Odm) -> Vec<(&'static str, Odm, Kind)> {
    let inline = Kind::ALL.map(|kind| ("inline", odm.clone(), kind));
    let with_jobs = [
        Kind::InsertMany,
        Kind::Update,
        Kind::UpsertNew,
        Kind::Delete,
    ];
    let with_jobs = with_jobs.map(|kind| ("job", by_jobs(odm), kind));
    inline.into_iter().chain(with_jobs).collect()
}

/// The documents that are stored before a write.
#[derive(Clone, Debug)]
pub struct Stored {
    bands: [Band; 2],
    song: Song,
    /// A band that does not exist yet, but to which other documents refer.
    awaited: Id<Band>,
}

pub async fn index(odm: &Odm) {
    let sync = odm.sync_indexes().only::<Song>().only::<Cover>();
    sync.only::<Poster>().only::<Festival>().await.unwrap();
}

impl Stored {
    /// Replaces all stored documents by two bands and documents that depend on them.
    pub async fn anew(odm: &Odm) -> Self {
        for collection in COLLECTIONS.iter().chain(&["_odm_jobs", "_odm_cursors"]) {
            let collection = odm.database().collection::<Document>(collection);
            collection.delete_many(doc! {}).await.unwrap();
        }
        let bands = ["one", "two"].map(|name| Band {
            id: Id::new(),
            name: name.to_owned(),
        });
        Band::insert_many(odm, &bands).await.unwrap();
        let songs: Vec<Song> = bands
            .iter()
            .flat_map(|band| [song(band), song(band)])
            .collect();
        Song::insert_many(odm, &songs).await.unwrap();
        let covers: Vec<Cover> = songs.iter().map(cover).collect();
        Cover::insert_many(odm, &covers).await.unwrap();
        Poster::insert_many(odm, &bands.each_ref().map(poster))
            .await
            .unwrap();
        let guests = bands.iter().map(guest).collect();
        let festival = Festival {
            id: Id::new(),
            guests,
        };
        festival.insert(odm).await.unwrap();
        // The id of this band is old. A write that refers to a missing band with a recent id stores a job.
        let awaited = Id::from(ObjectId::from_bytes([1; 12]));
        let early = doc! { "_id": ObjectId::new(), "band": ObjectId::from_bytes([1; 12]), "name": Bson::Null };
        put(odm, POSTERS, [early]).await;
        let song = songs.first().unwrap().clone();
        Self {
            bands,
            song,
            awaited,
        }
    }
}

fn song(band: &Band) -> Song {
    Song {
        id: Id::new(),
        band: band.id,
        name: band.name.clone(),
    }
}

fn cover(song: &Song) -> Cover {
    Cover {
        id: Id::new(),
        song: song.id,
        name: song.name.clone(),
    }
}

fn poster(band: &Band) -> Poster {
    Poster {
        id: Id::new(),
        band: Some(band.id),
        name: Some(band.name.clone()),
    }
}

fn guest(band: &Band) -> Guest {
    Guest {
        band: band.id,
        name: band.name.clone(),
    }
}

/// All stored documents except jobs.
pub async fn everything(odm: &Odm) -> Vec<Vec<Document>> {
    let mut everything = Vec::new();
    for collection in COLLECTIONS {
        everything.push(all(odm, collection).await);
    }
    everything
}

/// Lists the documents whose copies differ from their source. Compares raw documents.
pub async fn strays(odm: &Odm) -> Vec<Document> {
    let (bands, songs) = (all(odm, BANDS).await, all(odm, SONGS).await);
    let mut strays = Vec::new();
    let mut compare = |found: &[Document], key: &str, sources: &[Document]| {
        for document in found.iter().filter(|it| it.get(key) != Some(&Bson::Null)) {
            let source = sources.iter().find(|it| it.get("_id") == document.get(key));
            let awaited = document.get_object_id(key).unwrap().bytes() == [1; 12];
            let named = source.map(|it| it.get("name"));
            if named.unwrap_or(awaited.then_some(&Bson::Null)) != document.get("name") {
                strays.push(document.clone());
            }
        }
    };
    compare(&songs, "band", &bands);
    compare(&all(odm, COVERS).await, "song", &songs);
    compare(&all(odm, POSTERS).await, "band", &bands);
    for festival in all(odm, FESTIVALS).await {
        let guests = festival.get_array("guests").unwrap().iter();
        let guests: Vec<_> = guests.map(|it| it.as_document().unwrap().clone()).collect();
        compare(&guests, "band", &bands);
    }
    strays
}

/// Asserts that all copies equal their source after all committed jobs have run.
pub async fn expect_together(odm: &Odm, context: &str) {
    // Waits for the work after the commit that dropped calls have left.
    odm.finish_writes().await;
    settle(odm).await;
    assert_eq!(strays(odm).await, Vec::<Document>::new(), "{context}");
}
