//! The cluster time.

use std::sync::{Mutex, PoisonError};

use mongodb::bson::{Document, Timestamp};

/// The newest cluster time that was seen in any message.
#[derive(Debug, Default)]
pub(crate) struct Clock(Mutex<Option<(Timestamp, Document)>>);

impl Clock {
    /// Reads the cluster time of a message.
    pub(crate) fn note(&self, message: &Document) {
        let Ok(new) = message.get_document("$clusterTime") else {
            return;
        };
        let Ok(time) = new.get_timestamp("clusterTime") else {
            return;
        };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref().is_none_or(|(known, _)| *known < time) {
            *known = Some((time, new.clone()));
        }
    }

    pub(crate) fn now(&self) -> Option<Timestamp> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().map(|(time, _)| *time)
    }

    /// Adds `operationTime` to a reply. Like `mongos`, uses the cluster time if the time of the operation is not known.
    pub(crate) fn add_operation_time(&self, reply: &mut Document) {
        if let (Some(now), false) = (self.now(), reply.contains_key("operationTime")) {
            reply.insert("operationTime", now);
        }
    }

    /// Adds the newest cluster time to a message.
    pub(crate) fn add_to(&self, message: &mut Document) {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, document)) = known.as_ref() {
            message.insert("$clusterTime", document.clone());
        }
    }
}
