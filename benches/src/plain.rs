//! The same documents as plain serde structs, for code without the library.

use mongo_odm::prelude::{DateTime, Deserialize, ObjectId, Serialize};

/// A product with the ids of its parts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Product {
    /// The id.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The name.
    pub name: String,
    /// Who makes it.
    pub manufacturer: String,
    /// The number in the catalogue.
    pub catalog_number: i64,
    /// The parts, in the order of assembly.
    pub parts: Vec<ObjectId>,
}

/// A part.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The id.
    #[serde(rename = "_id")]
    pub id: ObjectId,
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartName {
    /// The id.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The name.
    pub name: String,
}

/// A product with its parts, as `$lookup` returns it.
#[derive(Clone, Debug, Deserialize)]
pub struct ProductWith<P> {
    /// The parts, in the order of assembly.
    pub parts: Vec<ObjectId>,
    /// The documents of the parts, each once, in the order in which the server met them.
    pub documents: Vec<P>,
}

/// A host.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Host {
    /// The id.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The name.
    pub name: String,
    /// The address.
    pub ipaddr: String,
}

/// A message in a log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LogMsg {
    /// The id.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// When.
    pub time: DateTime,
    /// What.
    pub message: String,
    /// Where.
    pub host: ObjectId,
}

/// A host with its messages, as `$lookup` returns it.
#[derive(Clone, Debug, Deserialize)]
pub struct HostWithMessages {
    /// The messages, newest first.
    pub messages: Vec<LogMsg>,
}

/// A document with an id that other documents refer to.
pub trait Identified {
    /// Returns the id.
    fn id(&self) -> ObjectId;
}

impl Identified for Part {
    fn id(&self) -> ObjectId {
        self.id
    }
}

impl Identified for PartName {
    fn id(&self) -> ObjectId {
        self.id
    }
}
