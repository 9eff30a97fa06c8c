//! The models of "6 Rules of Thumb for `MongoDB` Schema Design", one relation each.
//!
//! Every struct is a serde struct: what serde says about names and encodings is what is stored. The
//! attributes add what refers to what.

use mongo_odm::prelude::*;

/// An address has no life of its own: it is embedded, and has no id.
#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
pub struct Address {
    pub street: String,
    pub city: String,
    pub cc: String,
}

/// One-to-few: the addresses stand in the person. Two-way: the tasks know their owner as well.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "people", index(keys(addresses.city = 1)))]
pub struct Person {
    /// `Id<Person>` is stored as an `ObjectId`, and cannot be mistaken for the id of something else.
    #[serde(rename = "_id")]
    pub id: Id<Person>,
    #[index]
    pub name: String,
    /// An array in a document must not grow without bound, so it has one: a push that would exceed
    /// it is refused.
    #[embed(max = 5)]
    pub addresses: Vec<Address>,
    /// `inverse` names the field that leads back; that it does is checked at compile time.
    #[refs(many, inverse = "owner", max = 2000)]
    pub tasks: Vec<Id<Task>>,
}

/// The other side of the two-way reference.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "tasks")]
pub struct Task {
    #[serde(rename = "_id")]
    pub id: Id<Task>,
    pub description: String,
    #[index]
    pub due_date: DateTime,
    #[parent_ref(inverse = "tasks")]
    pub owner: Id<Person>,
}

/// Of a person, only the name.
#[derive(Debug, Deserialize, Projection)]
#[projection(of = "Person")]
pub struct PersonName {
    pub name: String,
}

/// One-to-many: a product holds the ids of its parts, in the order of assembly. A part that is
/// needed twice stands in the array twice.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "products", index(keys(name = 1, manufacturer = 1)))]
pub struct Product {
    #[serde(rename = "_id")]
    pub id: Id<Product>,
    pub name: String,
    pub manufacturer: String,
    #[index(unique)]
    pub catalog_number: i64,
    #[refs(many)]
    pub parts: Vec<Id<Part>>,
}

/// Many-to-many: parts are used by many products. The ids stay in `Product.parts`; `has_many` reads
/// them from this side, so that there is nothing to keep equal.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "parts", has_many(products = "Product.parts"))]
pub struct Part {
    #[serde(rename = "_id")]
    pub id: Id<Part>,
    #[index(unique)]
    pub partno: String,
    pub name: String,
    #[index]
    pub qty: i64,
    pub cost: f64,
    pub price: f64,
}

/// A projection is a type: a join that asks for it gets these fields from the server, no others.
#[derive(Debug, Deserialize, Projection)]
#[projection(of = "Part")]
pub struct PartPrice {
    pub name: String,
    pub price: f64,
}

/// One-to-squillions: a host has more messages than fit into any document, so they refer to it.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "hosts", has_many(messages = "LogMsg.host"))]
pub struct Host {
    #[serde(rename = "_id")]
    pub id: Id<Host>,
    pub name: String,
    #[index(unique)]
    pub ipaddr: String,
}

/// The index starts with the reference and goes on with the time: the newest messages of a host are
/// read from its end, however many there are.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "logmsg", index(keys(host = 1, time = -1)))]
pub struct LogMsg {
    #[serde(rename = "_id")]
    pub id: Id<LogMsg>,
    pub time: DateTime,
    pub message: String,
    #[parent_ref]
    pub host: Id<Host>,
}

/// Time and text of a message.
#[derive(Debug, Deserialize, Projection)]
#[projection(of = "LogMsg")]
pub struct LogLine {
    pub time: DateTime,
    pub message: String,
}
