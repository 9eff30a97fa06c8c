//! The same documents as plain serde structs, for code that does not use the library.

use mongo_odm::prelude::{DateTime, Deserialize, ObjectId, Serialize};

/// A product with the ids of its parts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Product {
    /// The id of the product.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The name of the product.
    pub name: String,
    /// The manufacturer of the product.
    pub manufacturer: String,
    /// The product's number in the catalogue.
    pub catalog_number: i64,
    /// The ids of the parts, in the order of assembly.
    pub parts: Vec<ObjectId>,
}

/// A part of a product.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The id of the part.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The number that is printed on the part.
    pub partno: String,
    /// The name of the part.
    pub name: String,
    /// Number of parts in stock. In the benchmarks, it is the position in the collection.
    pub qty: i64,
    /// The cost of making the part.
    pub cost: f64,
    /// The price of the part.
    pub price: f64,
}

/// The name of a part, as a projection returns it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PartName {
    /// The id of the part.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The name of the part.
    pub name: String,
}

/// A product with its parts, as `$lookup` returns it.
#[derive(Clone, Debug, Deserialize)]
pub struct ProductWith<P> {
    /// The ids of the parts, in the order of assembly.
    pub parts: Vec<ObjectId>,
    /// The documents of the parts, each of them once, in the order in which the server found them.
    pub documents: Vec<P>,
}

/// A host that sends log messages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Host {
    /// The id of the host.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The name of the host.
    pub name: String,
    /// The address of the host.
    pub ipaddr: String,
}

/// A message in a log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LogMsg {
    /// The id of the message.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    /// The time of the message.
    pub time: DateTime,
    /// The text of the message.
    pub message: String,
    /// The id of the host that sent the message.
    pub host: ObjectId,
}

/// A host with its messages, as `$lookup` returns it.
#[derive(Clone, Debug, Deserialize)]
pub struct HostWithMessages {
    /// The messages, newest first.
    pub messages: Vec<LogMsg>,
}

/// A document that has an id to which other documents refer.
pub trait Identified {
    /// Returns the id of the document.
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
