//! Hosts that store their newest messages, the number of messages, and the time of the latest
//! message.

use mongo_odm::prelude::*;

/// Number of messages that a host stores in its list.
pub(crate) const LIST: usize = 1_000;

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "summarizing_hosts")]
pub(crate) struct Host {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Host>,
    pub(crate) name: String,
    #[recent(of = "LogMsg", via = "host", sort = "time", limit = 1000)]
    pub(crate) logmsgs: Vec<LogLine>,
    #[rollup(count, of = "LogMsg", via = "host")]
    pub(crate) messages: i64,
    #[rollup(max, of = "LogMsg", via = "host", field = "time")]
    pub(crate) last_seen: Option<DateTime>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "summarized_logmsg")]
pub(crate) struct LogMsg {
    #[serde(rename = "_id")]
    pub(crate) id: Id<LogMsg>,
    #[parent_ref]
    pub(crate) host: Id<Host>,
    pub(crate) time: DateTime,
    pub(crate) message: String,
}

/// The part of a message that a host stores. The `_id` is included, because otherwise two lines of
/// the same time could not be distinguished.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "LogMsg")]
pub(crate) struct LogLine {
    pub(crate) time: DateTime,
    pub(crate) message: String,
}

/// Returns a host with the list and the summaries of its messages. The messages are given oldest
/// first.
pub(crate) fn host(number: usize, id: Id<Host>, messages: &[LogMsg]) -> Host {
    let newest = messages.len().saturating_sub(LIST);
    let line = |message: &LogMsg| LogLine {
        time: message.time,
        message: message.message.clone(),
    };
    Host {
        id,
        name: format!("goofy{number}.example.com"),
        logmsgs: messages.iter().skip(newest).map(line).collect(),
        messages: i64::try_from(messages.len()).unwrap_or_default(),
        last_seen: messages.last().map(|message| message.time),
    }
}

pub(crate) fn message(number: usize, host: Id<Host>) -> LogMsg {
    LogMsg {
        id: Id::new(),
        host,
        time: time(number),
        message: text(number),
    }
}

/// Returns a different time for each number.
pub(crate) fn time(number: usize) -> DateTime {
    let millis = i64::try_from(number).unwrap_or_default();
    DateTime::from_millis(1_395_600_000_000 + millis)
}

pub(crate) fn text(number: usize) -> String {
    format!("{number:08} the CPU is on fire, and the fan is, too: 97 C")
}
