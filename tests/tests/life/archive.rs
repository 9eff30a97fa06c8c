//! Models that move their deleted documents to an archive (`on_delete = "archive"`).

mod behaviour;
mod jobs;
mod places;

use mongo_odm::{Odm, bson::Document, prelude::*};
use odm_tests::Harness;

use crate::models::{id, settings, stored};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "arch_shelves",
    on_delete = "archive",
    has_many(volumes = "Volume.shelf")
)]
pub struct Shelf {
    #[serde(rename = "_id")]
    pub id: Id<Shelf, i64>,
    pub name: String,
    #[index(unique)]
    pub code: String,
    #[rollup(count, of = Volume, via = shelf)]
    pub volumes: i64,
    #[rollup(sum, of = Volume, via = shelf, field = pages)]
    pub pages: i64,
    #[recent(of = Volume, via = shelf, sort = pages, limit = 2)]
    pub recent: Vec<VolumeLine>,
    #[created_at]
    pub created: DateTime,
    #[version]
    pub version: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = Volume)]
pub struct VolumeLine {
    #[serde(rename = "_id")]
    pub id: Id<Volume, i64>,
    pub pages: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "arch_volumes",
    on_delete = "archive",
    has_many(marks = "Mark.volume")
)]
pub struct Volume {
    #[serde(rename = "_id")]
    pub id: Id<Volume, i64>,
    pub pages: i64,
    #[parent_ref(on_delete = "cascade", exists)]
    pub shelf: Id<Shelf, i64>,
    #[denorm(from = Shelf.name, via = shelf)]
    pub shelf_name: Option<String>,
    #[denorm(from = Shelf.name, via = shelf, snapshot)]
    pub first_name: Option<String>,
    #[refs(one, on_delete = "restrict")]
    pub owner: Option<Id<Reader, i64>>,
    #[refs(many, on_delete = "pull")]
    pub tags: Vec<Id<Tag, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_marks", on_delete = "archive")]
pub struct Mark {
    #[serde(rename = "_id")]
    pub id: Id<Mark, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub volume: Id<Volume, i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_readers", on_delete = "archive")]
pub struct Reader {
    #[serde(rename = "_id")]
    pub id: Id<Reader, i64>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_tags", on_delete = "archive")]
pub struct Tag {
    #[serde(rename = "_id")]
    pub id: Id<Tag, i64>,
}

/// A model without an archive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "arch_loans")]
pub struct Loan {
    #[serde(rename = "_id")]
    pub id: Id<Loan, i64>,
    #[refs(one, on_delete = "nullify")]
    pub reader: Option<Id<Reader, i64>>,
    #[denorm(from = Reader.name, via = reader)]
    pub reader_name: Option<String>,
}

fn shelf(number: i64) -> Shelf {
    Shelf {
        id: id(number),
        name: format!("shelf {number}"),
        code: format!("s{number}"),
        volumes: 0,
        pages: 0,
        recent: Vec::new(),
        created: DateTime::MIN,
        version: 0,
    }
}

fn volume(number: i64, shelf: i64) -> Volume {
    Volume {
        id: id(number),
        pages: number * 10,
        shelf: id(shelf),
        shelf_name: None,
        first_name: None,
        owner: None,
        tags: Vec::new(),
    }
}

fn mark(number: i64, volume: i64) -> Mark {
    Mark {
        id: id(number),
        volume: id(volume),
    }
}

fn reader(number: i64) -> Reader {
    let name = format!("reader {number}");
    let id = id(number);
    Reader { id, name }
}

/// Opens a database with the indexes of the models. The shelf 1 has the volumes 1 to 3, with two marks at volume 1, and
/// the shelf 2 has the volume 4 with one mark.
async fn library(test: &str) -> Harness {
    let mut t = Harness::long_declared(test).await;
    t.odm = t.odm.with_settings(settings());
    let sync = t.odm.sync_indexes().only::<Shelf>().only::<Volume>();
    let sync = sync.only::<Mark>().only::<Reader>().only::<Tag>();
    sync.only::<Loan>().await.unwrap();
    t.given(&[shelf(1), shelf(2)]).await;
    t.given(&[volume(1, 1), volume(2, 1), volume(3, 1), volume(4, 2)])
        .await;
    t.given(&[mark(1, 1), mark(2, 1), mark(3, 4)]).await;
    t.odm.run_pending_jobs().await.unwrap();
    t.forget();
    t
}

/// Returns the ids in a collection, read without the library.
async fn ids_in(odm: &Odm, collection: &str) -> Vec<i64> {
    let documents = odm.database().collection::<Document>(collection);
    let sorted = documents.find(Document::new());
    let mut found = sorted
        .sort(mongo_odm::bson::doc! { "_id": 1 })
        .await
        .unwrap();
    let mut ids = Vec::new();
    while found.advance().await.unwrap() {
        ids.push(found.current().get_i64("_id").unwrap());
    }
    ids
}

/// Returns the ids of the volumes and marks, and of the archived volumes and marks.
async fn places(odm: &Odm) -> [Vec<i64>; 4] {
    [
        ids_in(odm, "arch_volumes").await,
        ids_in(odm, "arch_marks").await,
        ids_in(odm, "arch_volumes_archive").await,
        ids_in(odm, "arch_marks_archive").await,
    ]
}

async fn archived(odm: &Odm, collection: &str, number: i64) -> Option<Document> {
    stored(odm, &format!("{collection}_archive"), number).await
}
