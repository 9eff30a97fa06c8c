//! The models: log messages that have a copy of the address of their host, and products that have
//! copies of the names of their parts.

use mongo_odm::prelude::*;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "copied_hosts")]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Host>,
    pub(crate) name: String,
    pub(crate) ipaddr: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "copying_logmsg")]
pub(crate) struct LogMsg {
    #[serde(rename = "_id")]
    pub(crate) id: Id<LogMsg>,
    pub(crate) time: DateTime,
    pub(crate) message: String,
    #[parent_ref]
    pub(crate) host: Id<Host>,
    #[denorm(from = Host.ipaddr)]
    pub(crate) ipaddr: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "copied_parts")]
pub(crate) struct Part {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Part>,
    pub(crate) partno: String,
    pub(crate) name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
pub(crate) struct Line {
    #[refs(one)]
    pub(crate) id: Id<Part>,
    #[denorm(from = Part.name)]
    pub(crate) name: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "copying_products")]
pub(crate) struct Product {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Product>,
    pub(crate) name: String,
    #[embed]
    #[refs(many)]
    pub(crate) parts: Vec<Line>,
}

pub(crate) fn host(number: usize) -> Host {
    Host {
        id: Id::new(),
        name: format!("goofy{number}.example.com"),
        ipaddr: address(number),
    }
}

/// Returns a different address for each number below 2^24.
pub(crate) fn address(number: usize) -> String {
    let byte = |shift: u32| (number >> shift) & 255;
    format!("10.{}.{}.{}", byte(16), byte(8), byte(0))
}

pub(crate) fn message(number: usize, host: &Host) -> LogMsg {
    LogMsg {
        id: Id::new(),
        time: time(number),
        message: text(number),
        host: host.id,
        ipaddr: host.ipaddr.clone(),
    }
}

pub(crate) fn time(number: usize) -> DateTime {
    let second = i64::try_from(number).unwrap_or_default();
    DateTime::from_millis(1_395_600_000_000 + second * 1_000)
}

pub(crate) fn text(number: usize) -> String {
    format!("{number:08} the CPU is on fire, and the fan is, too: 97 C")
}

pub(crate) fn part(number: usize) -> Part {
    Part {
        id: Id::new(),
        partno: format!("{number:06}-aff-012"),
        name: part_name(number),
    }
}

pub(crate) fn part_name(number: usize) -> String {
    format!("#{number:08} ABS grommet")
}

/// Returns a product that consists of the given parts.
pub(crate) fn product<'a>(number: usize, parts: impl IntoIterator<Item = &'a Part>) -> Product {
    let line = |part: &Part| Line {
        id: part.id,
        name: part.name.clone(),
    };
    Product {
        id: Id::new(),
        name: format!("left-handed smoke shifter {number}"),
        parts: parts.into_iter().map(line).collect(),
    }
}
