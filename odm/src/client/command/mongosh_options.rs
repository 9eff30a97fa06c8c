//! Converts the options of statements to the form that mongosh uses.

use std::time::Duration;

use mongodb::{
    bson::{Bson, Document, doc},
    options::{
        Collation, Hint, ReadConcern, ReadPreference, SelectionCriteria, UpdateModifications,
        WriteConcern,
    },
};
use serde::Serialize;

/// A document that contains the options that were set.
#[derive(Debug, Default)]
pub(super) struct MongoshOptions(pub(super) Document);

impl MongoshOptions {
    /// Adds an option if it is set.
    pub(super) fn with(mut self, name: &str, value: Option<impl Into<Bson>>) -> Self {
        if let Some(value) = value {
            self.0.insert(name, value);
        }
        self
    }

    /// Adds a boolean option if it is enabled.
    pub(super) fn flag(self, name: &str, is_on: bool) -> Self {
        self.with(name, is_on.then_some(true))
    }

    pub(super) fn hint(self, hint: Option<&Hint>) -> Self {
        self.with("hint", hint.map(self::hint))
    }

    pub(super) fn collation(self, collation: Option<&Collation>) -> Self {
        self.with("collation", collation.map(encoded))
    }

    pub(super) fn bypass_validation(self, bypasses: Option<bool>) -> Self {
        self.with("bypassDocumentValidation", bypasses)
    }

    pub(super) fn max_time(self, time: Option<Duration>) -> Self {
        self.with("maxTimeMS", time.map(millis))
    }

    pub(super) fn read_concern(self, concern: Option<&ReadConcern>) -> Self {
        self.with("readConcern", concern.map(encoded))
    }

    pub(super) fn write_concern(self, concern: Option<&WriteConcern>) -> Self {
        self.with("writeConcern", concern.map(encoded))
    }

    pub(super) fn read_preference(self, criteria: Option<&SelectionCriteria>) -> Self {
        self.with("readPreference", criteria.and_then(mode))
    }
}

pub(super) fn hint(hint: &Hint) -> Bson {
    match hint {
        Hint::Keys(keys) => Bson::Document(keys.clone()),
        Hint::Name(name) => Bson::String(name.clone()),
        _ => Bson::Null,
    }
}

/// Returns a driver option in its BSON form.
pub(super) fn encoded(option: &impl Serialize) -> Bson {
    crate::value::codec::encode_value(option).unwrap_or(Bson::Null)
}

/// Returns a number as `Int32` if possible, because mongosh shows `Int64` as `NumberLong`.
pub(super) fn number(number: i64) -> Bson {
    i32::try_from(number).map_or(Bson::Int64(number), Bson::Int32)
}

pub(super) fn millis(time: Duration) -> Bson {
    number(i64::try_from(time.as_millis()).unwrap_or(i64::MAX))
}

/// Returns the mode of a read preference, or `None` if the criteria are a predicate that selects
/// servers.
pub(super) fn mode(criteria: &SelectionCriteria) -> Option<Bson> {
    let SelectionCriteria::ReadPreference(preference) = criteria else {
        return None;
    };
    let mode = match preference {
        ReadPreference::Primary => "primary",
        ReadPreference::Secondary { .. } => "secondary",
        ReadPreference::PrimaryPreferred { .. } => "primaryPreferred",
        ReadPreference::SecondaryPreferred { .. } => "secondaryPreferred",
        ReadPreference::Nearest { .. } => "nearest",
        _ => return None,
    };
    Some(mode.into())
}

pub(super) fn modifications(update: &UpdateModifications) -> Bson {
    match update {
        UpdateModifications::Document(operators) => operators.clone().into(),
        UpdateModifications::Pipeline(stages) => stages.clone().into(),
        _ => doc! {}.into(),
    }
}
