//! Compares the validators that the models require with those on the server.

use std::fmt;

use mongodb::{
    bson::{Document, doc},
    options::{ValidationAction, ValidationLevel},
};

use super::{json_schema::TITLE, server::OnServer, spec::Validator};
use crate::mongosh;

/// The difference between the validators that the models require and those on the server; returned by
/// [`validator_diff`](crate::Odm::validator_diff).
///
/// `Display` writes one mongosh statement for each validator that
/// [`sync_validators`](crate::Odm::sync_validators) would write. A statement that the call sends only with
/// [`replace_foreign`](crate::maintenance::SyncValidators::replace_foreign) is written as a comment.
///
/// # Examples
///
/// ```no_run
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let diff = odm.validator_diff().await?;
/// if !diff.is_in_sync() {
///     println!("{diff}");
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ValidatorDiff {
    /// The validators for collections that do not have a validator.
    pub missing: Vec<Validator>,
    /// The validators that the library wrote, and whose rules, level or action differ from the required ones.
    pub outdated: Vec<ValidatorChange>,
    /// The validators that the library did not write. `sync_validators` keeps these validators, unless you call
    /// [`replace_foreign`](crate::maintenance::SyncValidators::replace_foreign).
    pub foreign: Vec<ValidatorChange>,
    /// The required validators that the server already has.
    pub present: Vec<Validator>,
    /// The names of models' collections that cannot have a validator, because they are views or time series.
    pub unsupported: Vec<String>,
}

/// A validator on the server that differs from the one that the models require.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ValidatorChange {
    /// The validator that the models require.
    pub wanted: Validator,
    /// The validator on the server, which can contain any query operators.
    pub existing: Document,
    /// The level on the server.
    pub existing_level: ValidationLevel,
    /// The action on the server.
    pub existing_action: ValidationAction,
}

impl ValidatorDiff {
    /// Returns whether each collection that can have a validator has the required one.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let diff = odm.sync_validators().diff().await?;
    /// assert!(diff.is_in_sync(), "{diff}");
    /// # Ok(()) }
    /// ```
    pub const fn is_in_sync(&self) -> bool {
        self.missing.is_empty() && self.outdated.is_empty() && self.foreign.is_empty()
    }

    /// Adds the comparison of one collection. If no level or action is given, an existing validator keeps its own, and
    /// a new validator gets the default.
    pub(crate) fn add(
        &mut self,
        collection: &str,
        rules: Document,
        (level, action): (Option<ValidationLevel>, Option<ValidationAction>),
        on_server: Option<&OnServer>,
    ) {
        if on_server.is_some_and(|it| it.is_special) {
            self.unsupported.push(collection.to_owned());
            return;
        }
        let present = on_server.and_then(|it| Some((it, it.validator.as_ref()?)));
        let level = level.or_else(|| present.map(|(it, _)| it.level.clone()));
        let action = action.or_else(|| present.map(|(it, _)| it.action.clone()));
        let wanted = Validator {
            collection: collection.to_owned(),
            rules,
            level: level.unwrap_or(ValidationLevel::Moderate),
            action: action.unwrap_or(ValidationAction::Error),
            is_new_collection: on_server.is_none(),
        };
        let Some((server, existing)) = present else {
            self.missing.push(wanted);
            return;
        };
        let change = ValidatorChange {
            existing: existing.clone(),
            existing_level: server.level.clone(),
            existing_action: server.action.clone(),
            wanted,
        };
        if !is_own(existing) {
            self.foreign.push(change);
        } else if change.is_needed() {
            self.outdated.push(change);
        } else {
            self.present.push(change.wanted);
        }
    }
}

impl ValidatorChange {
    fn is_needed(&self) -> bool {
        let rules = doc! { "$jsonSchema": self.wanted.rules.clone() };
        self.existing != rules
            || self.existing_level != self.wanted.level
            || self.existing_action != self.wanted.action
    }
}

/// Returns whether the library wrote a validator.
fn is_own(validator: &Document) -> bool {
    let schema = validator.get_document("$jsonSchema");
    schema.is_ok_and(|schema| schema.get_str("title").is_ok_and(|title| title == TITLE))
}

impl fmt::Display for ValidatorDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for validator in &self.missing {
            writeln!(f, "{validator}")?;
        }
        for change in &self.outdated {
            writeln!(
                f,
                "// on the server: {}",
                mongosh::document(&change.existing)
            )?;
            writeln!(f, "{}", change.wanted)?;
        }
        if !self.foreign.is_empty() {
            f.write_str("// foreign, kept without `.replace_foreign()`:\n")?;
        }
        for change in &self.foreign {
            let existing = mongosh::document(&change.existing);
            writeln!(f, "//   on the server: {existing}")?;
            writeln!(f, "// {}", change.wanted)?;
        }
        for collection in &self.unsupported {
            writeln!(
                f,
                "// `{collection}` is a view or a time series, which cannot have a validator"
            )?;
        }
        write!(f, "// as declared: {}", self.present.len())
    }
}
