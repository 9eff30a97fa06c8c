//! The models of the library.

use mongo_odm::prelude::*;

/// A product with references to its parts.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "products")]
pub struct Product {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Product>,
    /// The name.
    pub name: String,
    /// Who makes it.
    pub manufacturer: String,
    /// The number in the catalogue.
    pub catalog_number: i64,
    /// The parts, in the order of assembly.
    #[refs(many)]
    pub parts: Vec<Id<Part>>,
}

/// A part.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "parts")]
pub struct Part {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Part>,
    /// The number on the part.
    pub partno: String,
    /// The name.
    pub name: String,
    /// How many are in stock; here its place in the collection.
    pub qty: i64,
    /// What it costs to make.
    pub cost: f64,
    /// What it sells for.
    pub price: f64,
}

/// The name of a part.
#[derive(Clone, Debug, Serialize, Deserialize, Projection)]
#[projection(of = "Part")]
pub struct PartName {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Part>,
    /// The name.
    pub name: String,
}

/// A host with its log messages.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "hosts", has_many(messages = "LogMsg.host"))]
pub struct Host {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Host>,
    /// The name.
    pub name: String,
    /// The address.
    pub ipaddr: String,
}

/// A message in a log, which refers to its host.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "logmsg", index(keys(host = 1, time = -1)))]
pub struct LogMsg {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<LogMsg>,
    /// When.
    pub time: DateTime,
    /// What.
    pub message: String,
    /// Where.
    #[parent_ref]
    pub host: Id<Host>,
}
