//! The validator of a collection, and the statement that sets it.

use std::fmt;

use mongodb::{
    bson::{Document, doc},
    options::{ValidationAction, ValidationLevel},
};

use crate::{
    client::command::{Command, RunCommand},
    value::codec::encode_value,
};

/// The validator of one collection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Validator {
    /// The name of the collection.
    pub collection: String,
    /// The `$jsonSchema` that documents must match.
    pub rules: Document,
    /// Whether the server checks all updates, or only updates of documents that are valid before the update.
    pub level: ValidationLevel,
    /// Whether the server rejects an invalid document, or only logs it.
    pub action: ValidationAction,
    /// Whether the collection does not exist yet.
    pub(super) is_new_collection: bool,
}

impl Validator {
    /// Returns the command that sets the validator: `create` or `collMod`.
    pub(super) fn command(&self, name: &'static str) -> RunCommand {
        let mut command = doc! {
            name: &self.collection,
            "validator": { "$jsonSchema": self.rules.clone() },
        };
        // The driver's types always have a BSON form.
        if let Ok(level) = encode_value(&self.level) {
            command.insert("validationLevel", level);
        }
        if let Ok(action) = encode_value(&self.action) {
            command.insert("validationAction", action);
        }
        RunCommand::command(name, command)
    }
}

/// Writes the mongosh statement that sets the validator.
impl fmt::Display for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.is_new_collection {
            "create"
        } else {
            "collMod"
        };
        self.command(name).statement().fmt(f)
    }
}
