//! The models of the literature with their copies: "6 Rules of Thumb for `MongoDB` Schema Design".

use mongo_odm::prelude::*;

/// A line of a product: a part with a copy of its name, many-to-one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[embedded(from = Part)]
pub struct PartLine {
    #[refs(one)]
    pub id: Id<Part>,
    #[denorm(from = Part.name)]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "products")]
pub struct Product {
    #[serde(rename = "_id")]
    pub id: Id<Product>,
    pub name: String,
    pub manufacturer: String,
    pub catalog_number: i64,
    #[embed]
    #[refs(many)]
    pub parts: Vec<PartLine>,
}

/// A part with copies of its product, one-to-many: the key is in the product.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "parts")]
pub struct Part {
    #[serde(rename = "_id")]
    pub id: Id<Part>,
    pub partno: String,
    pub name: String,
    pub qty: i64,
    #[denorm(from = Product.name, via = Product.parts)]
    pub product_name: Option<String>,
    #[denorm(from = Product.catalog_number, via = Product.parts)]
    pub product_catalog_number: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hosts")]
pub struct Host {
    #[serde(rename = "_id")]
    pub id: Id<Host>,
    pub name: String,
    pub ipaddr: String,
}

/// A message with a copy of its host's address, one-to-squillions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "logmsg", index(keys(host = 1, time = -1)))]
pub struct LogMsg {
    #[serde(rename = "_id")]
    pub id: Id<LogMsg>,
    pub time: DateTime,
    pub message: String,
    #[parent_ref]
    pub host: Id<Host>,
    #[denorm(from = Host.ipaddr)]
    pub ipaddr: String,
}

pub fn part(number: i64) -> Part {
    Part {
        id: Id::new(),
        partno: format!("{number:03}-aff-456"),
        name: format!("#{number} grommet"),
        qty: 94,
        product_name: None,
        product_catalog_number: None,
    }
}

pub fn line(part: &Part) -> PartLine {
    part.into()
}

pub fn product<'a>(number: i64, parts: impl IntoIterator<Item = &'a Part>) -> Product {
    Product {
        id: Id::new(),
        name: format!("left-handed smoke shifter {number}"),
        manufacturer: "Acme Corp".to_owned(),
        catalog_number: number,
        parts: parts.into_iter().map(line).collect(),
    }
}

pub fn host(number: u8) -> Host {
    Host {
        id: Id::new(),
        name: format!("goofy{number}.example.com"),
        ipaddr: format!("127.66.66.{number}"),
    }
}

pub fn messages(host: &Host, count: i64) -> Vec<LogMsg> {
    let message = |second: i64| LogMsg {
        id: Id::new(),
        time: DateTime::from_millis(1_395_600_000_000 + second * 1_000),
        message: format!("cpu is on fire {second}"),
        host: host.id,
        ipaddr: host.ipaddr.clone(),
    };
    (0..count).map(message).collect()
}

/// A host with copies of all its fields in other documents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "servers")]
pub struct Server {
    #[serde(rename = "_id")]
    pub id: Id<Server>,
    pub name: String,
    pub ipaddr: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack: Option<String>,
}

/// A message with copies of all fields of its host, and with a snapshot of the host's address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "entries")]
pub struct Entry {
    #[serde(rename = "_id")]
    pub id: Id<Entry>,
    pub text: String,
    #[parent_ref]
    pub host: Id<Server>,
    #[denorm(from = Server.name)]
    pub name: String,
    #[denorm(from = Server.ipaddr)]
    pub ipaddr: String,
    #[denorm(from = Server.rack)]
    #[serde(default)]
    pub rack: Option<String>,
    #[denorm(from = Server.ipaddr, snapshot)]
    pub ipaddr_then: String,
}

pub fn server(number: u8) -> Server {
    Server {
        id: Id::new(),
        name: format!("goofy{number}.example.com"),
        ipaddr: format!("127.66.66.{number}"),
        rack: Some(format!("rack {number}")),
    }
}

pub fn entries(host: &Server, count: i64) -> Vec<Entry> {
    let entry = |number: i64| Entry {
        id: Id::new(),
        text: format!("cpu is on fire {number}"),
        host: host.id,
        name: host.name.clone(),
        ipaddr: host.ipaddr.clone(),
        rack: host.rack.clone(),
        ipaddr_then: host.ipaddr.clone(),
    };
    (0..count).map(entry).collect()
}
