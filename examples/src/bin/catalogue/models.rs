//! The models of "6 Rules of Thumb for `MongoDB` Schema Design". Each pattern has its own models.
//!
//! Every struct is a serde struct, so serde determines the stored names and encodings. The
//! attributes add the references between the structs.

use mongo_odm::prelude::*;

/// An address is always part of a person, so it is embedded and has no id.
#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
pub struct Address {
    pub street: String,
    pub city: String,
    pub cc: String,
}

/// One-to-few: the addresses are embedded in the person. Two-way reference: a person refers to
/// tasks, and each task refers to its owner.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "people", index(keys(addresses.city = 1)))]
pub struct Person {
    /// `Id<Person>` is stored as an `ObjectId`. The compiler rejects the id of a different model.
    #[serde(rename = "_id")]
    pub id: Id<Person>,
    #[index]
    pub name: String,
    /// An array in a document must not grow without bound, so this array has a `max`. A push that
    /// would exceed `max` is rejected.
    #[embed(max = 5)]
    pub addresses: Vec<Address>,
    /// `inverse` specifies the field in `Task` that refers back. The compiler checks that this
    /// field refers back.
    #[refs(many, inverse = "owner", max = 2000)]
    pub tasks: Vec<Id<Task>>,
}

/// The other side of the two-way reference between people and tasks.
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

/// A projection that contains only the name of a person.
#[derive(Debug, Deserialize, Projection)]
#[projection(of = "Person")]
pub struct PersonName {
    pub name: String,
}

/// One-to-many: a product stores the ids of its parts in the order of assembly. If a part is needed
/// twice, the array contains its id twice.
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

/// Many-to-many: a part is used in many products. The ids are stored only in `Product.parts`.
/// `has_many` reads these references from the side of the part, so there is no second array to keep
/// in sync.
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

/// A projection is a type. A join that requests this type reads only these fields from the server.
#[derive(Debug, Deserialize, Projection)]
#[projection(of = "Part")]
pub struct PartPrice {
    pub name: String,
    pub price: f64,
}

/// One-to-squillions: a host has more messages than fit into a document, so the messages refer to
/// the host.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "hosts", has_many(messages = "LogMsg.host"))]
pub struct Host {
    #[serde(rename = "_id")]
    pub id: Id<Host>,
    pub name: String,
    #[index(unique)]
    pub ipaddr: String,
}

/// The index contains the reference first and then the time. So the newest messages of a host are
/// read from one end of its index range, no matter how many messages there are.
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

/// A projection that contains the time and the text of a message.
#[derive(Debug, Deserialize, Projection)]
#[projection(of = "LogMsg")]
pub struct LogLine {
    pub time: DateTime,
    pub message: String,
}
