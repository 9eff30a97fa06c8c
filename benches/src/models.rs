//! The models for the benchmarks of joins.

use mongo_odm::prelude::*;

/// A product that refers to its parts.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "products")]
pub struct Product {
    /// The id of the product.
    #[serde(rename = "_id")]
    pub id: Id<Product>,
    /// The name of the product.
    pub name: String,
    /// The manufacturer of the product.
    pub manufacturer: String,
    /// The product's number in the catalogue.
    pub catalog_number: i64,
    /// The ids of the parts, in the order of assembly.
    #[refs(many)]
    pub parts: Vec<Id<Part>>,
}

/// A part of a product.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "parts")]
pub struct Part {
    /// The id of the part.
    #[serde(rename = "_id")]
    pub id: Id<Part>,
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

/// A projection that contains only the name of a part.
#[derive(Clone, Debug, Serialize, Deserialize, Projection)]
#[projection(of = "Part")]
pub struct PartName {
    /// The id of the part.
    #[serde(rename = "_id")]
    pub id: Id<Part>,
    /// The name of the part.
    pub name: String,
}

/// A host that has log messages.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "hosts", has_many(messages = "LogMsg.host"))]
pub struct Host {
    /// The id of the host.
    #[serde(rename = "_id")]
    pub id: Id<Host>,
    /// The name of the host.
    pub name: String,
    /// The address of the host.
    pub ipaddr: String,
}

/// A log message, which refers to its host.
#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "logmsg", index(keys(host = 1, time = -1)))]
pub struct LogMsg {
    /// The id of the message.
    #[serde(rename = "_id")]
    pub id: Id<LogMsg>,
    /// The time of the message.
    pub time: DateTime,
    /// The text of the message.
    pub message: String,
    /// The host that sent the message.
    #[parent_ref]
    pub host: Id<Host>,
}
