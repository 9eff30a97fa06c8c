//! A workshop: tools, drawers that contain tools, and notes about both.

use std::time::Duration;

use mongo_odm::{Error, Settings, Settle, bson::Bson, prelude::*};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "makers")]
pub struct Maker {
    #[serde(rename = "_id")]
    pub id: Id<Maker, i64>,
    #[index(unique)]
    pub code: String,
}

/// References in every form that a document can contain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "tools")]
pub struct Tool {
    #[serde(rename = "_id")]
    pub id: Id<Tool, i64>,
    pub name: String,
    #[refs(one, exists)]
    pub maker: Option<Id<Maker, i64>>,
    #[refs(one, to = "Maker.code", exists)]
    pub brand: Option<String>,
    #[refs(many, exists)]
    pub spares: Vec<Id<Tool, i64>>,
    #[refs(many, exists)]
    pub ends: [Option<Id<Tool, i64>>; 2],
    #[embed]
    pub uses: Vec<Use>,
    #[embed]
    #[refs(one, exists)]
    pub best: Option<Plain>,
    /// Without `exists`, the library does not check whether the target exists.
    #[refs(one)]
    pub rival: Option<Id<Tool, i64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Use {
    #[refs(one, exists)]
    pub with: Id<Tool, i64>,
    pub times: i32,
}

/// The field that embeds this struct declares `exists`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Plain {
    #[refs(one)]
    pub tool: Id<Tool, i64>,
}

pub fn id<M>(number: i64) -> Id<M, i64> {
    Id::from_key(number)
}

pub fn maker(number: i64) -> Maker {
    Maker {
        id: id(number),
        code: format!("M{number}"),
    }
}

pub fn tool(number: i64) -> Tool {
    Tool {
        id: id(number),
        name: format!("tool {number}"),
        maker: None,
        brand: None,
        spares: Vec::new(),
        ends: [None; 2],
        uses: Vec::new(),
        best: None,
        rival: None,
    }
}

/// A database in which only the test runs jobs. Their last look happens immediately.
pub async fn workshop(test: &str) -> Harness {
    let mut t = Harness::long_declared(test).await;
    let settings = Settings::default()
        .settle(Settle::Manual)
        .grace(Duration::ZERO);
    t.odm = t.odm.with_settings(settings);
    t
}

/// Returns the field and the missing keys of an error `NoTarget`.
pub fn refused<T: std::fmt::Debug>(done: mongo_odm::Result<T>) -> (String, Vec<Bson>) {
    match done.unwrap_err() {
        Error::NoTarget { field, keys, .. } => (field, keys),
        error => panic!("{error:?}"),
    }
}

/// Returns the expected value of `refused`.
pub fn no<const N: usize>(field: &str, keys: [i64; N]) -> (String, Vec<Bson>) {
    (field.to_owned(), keys.map(Bson::Int64).to_vec())
}

/// Fails if `verify` finds anything.
pub async fn expect_no_drift(odm: &mongo_odm::Odm) {
    let drift = odm.verify().await.unwrap();
    assert!(drift.items.is_empty(), "{:?}", drift.items);
}
