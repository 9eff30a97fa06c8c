//! The models of the literature: "6 Rules of Thumb for MongoDB Schema Design".

use mongo_odm::prelude::*;

/// An address, embedded: one-to-few.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Address {
    /// The street.
    pub street: String,
    /// The city.
    pub city: String,
    /// The country code.
    pub cc: String,
}

impl Address {
    /// Returns an address that contains the given number.
    pub fn number(number: usize) -> Self {
        Self {
            street: format!("{number} Avenue Q"),
            city: "New York".into(),
            cc: "USA".into(),
        }
    }
}

/// A person with addresses and, two-way, tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "people")]
pub struct Person {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Person>,
    /// The name.
    pub name: String,
    /// The addresses.
    #[embed(max = 3)]
    pub addresses: Vec<Address>,
    /// The tasks.
    #[refs(many, inverse = "owner", max = 5)]
    pub tasks: Vec<Id<Task>>,
}

/// A task with its owner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "tasks")]
pub struct Task {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Task>,
    /// The description of the work.
    pub description: String,
    /// The date by which the task must be done.
    #[index]
    pub due_date: DateTime,
    /// The person who does the task.
    #[parent_ref(inverse = "tasks")]
    pub owner: Id<Person>,
}

/// A product with references to its parts: one-to-many.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "products", index(keys(name = 1, manufacturer = 1)))]
pub struct Product {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Product>,
    /// The name.
    pub name: String,
    /// The manufacturer's name.
    pub manufacturer: String,
    /// The number in the catalogue.
    #[index(unique)]
    pub catalog_number: i64,
    /// The parts, in the order of assembly.
    #[refs(many)]
    pub parts: Vec<Id<Part>>,
}

/// A part. Its `products` are the products that refer to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "parts", has_many(products = "Product.parts"))]
pub struct Part {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Part>,
    /// The number on the part.
    #[index(unique)]
    pub partno: String,
    /// The name.
    pub name: String,
    /// The quantity in stock.
    pub qty: i64,
    /// The cost of its production.
    pub cost: f64,
    /// The sales price.
    pub price: f64,
}

/// The name of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Part")]
pub struct PartName {
    /// The name.
    pub name: String,
}

/// A host with its log messages: one-to-squillions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hosts", has_many(messages = "LogMsg.host"))]
pub struct Host {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<Host>,
    /// The name.
    pub name: String,
    /// The address.
    #[index(unique)]
    pub ipaddr: String,
}

/// A message in a log, which refers to its host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "logmsg", index(keys(host = 1, time = -1)))]
pub struct LogMsg {
    /// The id.
    #[serde(rename = "_id")]
    pub id: Id<LogMsg>,
    /// The time of the event.
    pub time: DateTime,
    /// The text.
    pub message: String,
    /// The host that has sent the message.
    #[parent_ref]
    pub host: Id<Host>,
}

/// Time and text of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "LogMsg")]
pub struct LogLine {
    /// The time of the event.
    pub time: DateTime,
    /// The text.
    pub message: String,
}

/// Returns a part with a number in its name.
pub fn part(number: i64) -> Part {
    Part {
        id: Id::new(),
        partno: format!("{number:06}-aff"),
        name: format!("#{number} grommet"),
        qty: 94,
        cost: 0.94,
        price: 3.99,
    }
}

/// Returns `count` parts, numbered from 0.
pub fn parts(count: i64) -> Vec<Part> {
    (0..count).map(part).collect()
}

/// Returns a product that refers to parts.
pub fn product<'a>(number: i64, parts: impl IntoIterator<Item = &'a Part>) -> Product {
    Product {
        id: Id::new(),
        name: format!("left-handed smoke shifter {number}"),
        manufacturer: "Acme Corp".to_owned(),
        catalog_number: number,
        parts: parts.into_iter().map(|part| part.id).collect(),
    }
}

/// Returns a host with a number in its address.
pub fn host(number: u8) -> Host {
    Host {
        id: Id::new(),
        name: format!("goofy{number}.example.com"),
        ipaddr: format!("127.66.66.{number}"),
    }
}

/// Returns messages of a host, one per second.
pub fn messages(host: &Host, count: i64) -> Vec<LogMsg> {
    let message = |second: i64| LogMsg {
        id: Id::new(),
        time: DateTime::from_millis(1_395_600_000_000 + second * 1_000),
        message: format!("cpu is on fire {second}"),
        host: host.id,
    };
    (0..count).map(message).collect()
}
