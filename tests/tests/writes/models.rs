//! Models without derived data, with derived data, with soft delete and with a tenant.

use mongo_odm::{Error, Patch, Presence, Update, bson::Bson, prelude::*};
use odm_tests::Harness;

/// A document that no derived data depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_pages")]
pub struct Page {
    #[serde(rename = "_id")]
    pub id: Id<Page, i64>,
    #[index(unique)]
    pub text: String,
    #[version]
    #[serde(default)]
    pub version: i64,
}

#[derive(Debug, Default, Deserialize, Patch)]
#[patch(of = "Page")]
#[serde(default)]
pub struct PagePatch {
    pub text: Presence<String>,
}

/// A document without maintained fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_notes")]
pub struct Note {
    #[serde(rename = "_id")]
    pub id: Id<Note, i64>,
    #[index(unique)]
    pub text: String,
    #[serde(default)]
    pub stars: i64,
}

/// A source of copies, which also contains a summary.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_writers")]
pub struct Writer {
    #[serde(rename = "_id")]
    pub id: Id<Writer, i64>,
    pub name: String,
    #[rollup(count, of = Essay, via = writer)]
    pub essays: i64,
    #[version]
    #[serde(default)]
    pub version: i64,
}

/// A document that contains a copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_essays")]
pub struct Essay {
    #[serde(rename = "_id")]
    pub id: Id<Essay, i64>,
    pub text: String,
    #[parent_ref(on_delete = "cascade")]
    pub writer: Id<Writer, i64>,
    #[denorm(from = Writer.name, via = writer)]
    #[serde(default)]
    pub writer_name: String,
    #[version]
    #[serde(default)]
    pub version: i64,
}

/// A document that a delete marks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_drafts")]
pub struct Draft {
    #[serde(rename = "_id")]
    pub id: Id<Draft, i64>,
    pub text: String,
    #[deleted_at]
    pub deleted_at: Option<DateTime>,
    #[version]
    #[serde(default)]
    pub version: i64,
}

/// A document of a tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_items", tenant = "org")]
pub struct Item {
    #[serde(rename = "_id")]
    pub id: Id<Item, i64>,
    pub org: i64,
    pub stars: i64,
}

/// A document with hooks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_hooked", hooks)]
pub struct Hooked {
    #[serde(rename = "_id")]
    pub id: Id<Hooked, i64>,
    pub text: String,
    pub slug: String,
}

impl Hooks for Hooked {
    async fn before_insert(&mut self, _: &Tx) -> mongo_odm::Result<()> {
        if self.text == "refused" {
            return Err(Error::custom(std::io::Error::other("refused")));
        }
        self.slug = "inserted".into();
        Ok(())
    }

    async fn before_update(&self, change: &mut Update<Self>, _: &Tx) -> mongo_odm::Result<()> {
        change.set(Hooked::fields().slug, "updated");
        Ok(())
    }
}

pub fn id<M: Model<Id = Id<M, i64>>>(number: i64) -> Id<M, i64> {
    Id::from_key(number)
}

pub fn page(number: i64) -> Page {
    Page {
        id: Id::from_key(number),
        text: format!("page {number}"),
        version: 0,
    }
}

pub fn note(number: i64) -> Note {
    Note {
        id: Id::from_key(number),
        text: format!("note {number}"),
        stars: 0,
    }
}

pub fn writer(number: i64) -> Writer {
    Writer {
        id: Id::from_key(number),
        name: format!("writer {number}"),
        essays: 0,
        version: 0,
    }
}

pub fn essay(number: i64, writer: i64) -> Essay {
    Essay {
        id: Id::from_key(number),
        text: format!("essay {number}"),
        writer: Id::from_key(writer),
        writer_name: String::new(),
        version: 0,
    }
}

pub fn draft(number: i64) -> Draft {
    Draft {
        id: Id::from_key(number),
        text: format!("draft {number}"),
        deleted_at: None,
        version: 0,
    }
}

pub fn item(number: i64, org: i64) -> Item {
    Item {
        id: Id::from_key(number),
        org,
        stars: 0,
    }
}

pub fn hooked(number: i64, text: &str) -> Hooked {
    Hooked {
        id: Id::from_key(number),
        text: text.into(),
        slug: String::new(),
    }
}

/// Opens a database with the indexes of these models.
pub async fn opened(test: &str) -> Harness {
    let t = Harness::long_declared(test).await;
    t.odm.sync_indexes().await.unwrap();
    // A handle asks the server once whether it supports transactions.
    writer(0).insert(&t.odm).await.unwrap();
    t.forget();
    t
}

/// Asserts that a write failed because the stored version was not the expected one.
pub fn assert_conflict<T: std::fmt::Debug>(
    done: mongo_odm::Result<T>,
    number: i64,
    versions: (i64, Option<i64>),
) {
    match done {
        Err(Error::Conflict {
            id,
            expected,
            found,
            ..
        }) => {
            let found = (*id, expected, found);
            assert_eq!(found, (Bson::Int64(number), versions.0, versions.1));
        }
        other => panic!("{other:?}"),
    }
}
