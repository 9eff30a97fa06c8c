//! A finding of `odm check`.

use std::fmt;

use mongo_odm::__tools::mongosh_value;
use mongodb::bson::Bson;
use serde_json::{Value, json};

use crate::{advise, cli::output::json_of};

/// A difference between the models and the database, as `odm check` reports it.
#[derive(Debug)]
pub(super) struct Finding {
    rule: &'static str,
    collection: String,
    message: String,
    /// Number of affected documents or values in the sample, and number of all documents or values
    /// that were checked.
    share: Option<(u64, u64)>,
    example: Option<Bson>,
}

impl Finding {
    pub(super) fn new(rule: &'static str, collection: &str, message: &str) -> Self {
        Self {
            rule,
            collection: collection.to_owned(),
            message: message.to_owned(),
            share: None,
            example: None,
        }
    }

    /// Converts a finding of the advisor to a finding of this command.
    pub(super) fn of_advice(found: &advise::Finding) -> Self {
        let rule = found.name.rsplit('.').next().unwrap_or_default();
        let message = format!("{}; remedy: {}", found.evidence, found.change);
        Self::new(rule, &found.collection, &message)
    }

    /// Sets how many of the sampled documents or values are affected, and how many were checked.
    pub(super) fn of(mut self, count: u64, all: u64) -> Self {
        self.share = Some((count, all));
        self
    }

    /// Sets the `_id` of an affected document.
    pub(super) fn example(mut self, id: Option<Bson>) -> Self {
        self.example = id;
        self
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "rule": self.rule,
            "collection": self.collection,
            "message": self.message,
            "count": self.share.map(|(count, _)| count),
            "of": self.share.map(|(_, all)| all),
            "example": self.example.as_ref().map(json_of),
        })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.collection.is_empty() {
            write!(f, "{}: ", self.collection)?;
        }
        f.write_str(&self.message)?;
        if let Some((count, all)) = self.share {
            write!(f, "; {count} of {all} in the sample")?;
        }
        if let Some(id) = &self.example {
            write!(f, ", `_id` {}", mongosh_value(id))?;
        }
        Ok(())
    }
}
