//! Reads the validators of a database, and writes the validator of a collection.

use std::collections::BTreeMap;

use mongodb::{
    bson::Document,
    options::{ValidationAction, ValidationLevel},
    results::{CollectionSpecification, CollectionType},
};

use super::spec::Validator;
use crate::{
    client::{
        command::ListCollectionsCommand,
        odm::{Exec, Odm},
    },
    error::{NAMESPACE_EXISTS, Result},
};

const NAMESPACE_NOT_FOUND: i32 = 26;

/// A collection on the server, and its validator.
#[derive(Debug)]
pub(crate) struct OnServer {
    /// The validator. `None` if the collection does not have one.
    pub(super) validator: Option<Document>,
    pub(super) level: ValidationLevel,
    pub(super) action: ValidationAction,
    /// Whether the collection is a view or a time series, which cannot have a validator.
    pub(super) is_special: bool,
}

impl OnServer {
    fn read(listed: CollectionSpecification) -> Self {
        let options = listed.options;
        Self {
            validator: options.validator.filter(|it| !it.is_empty()),
            level: options.validation_level.unwrap_or(ValidationLevel::Strict),
            action: options.validation_action.unwrap_or(ValidationAction::Error),
            is_special: !matches!(listed.collection_type, CollectionType::Collection),
        }
    }
}

/// Returns the collections of the database by name. Sends one `listCollections`.
pub(crate) async fn list(odm: &Odm) -> Result<BTreeMap<String, OnServer>> {
    let exec = Exec::on(odm.clone());
    let listed = exec.send(ListCollectionsCommand::new()).await?;
    let by_name = |it: CollectionSpecification| (it.name.clone(), OnServer::read(it));
    Ok(listed.into_iter().map(by_name).collect())
}

/// Sets the validator of a collection with `collMod`, or creates the collection with `create` if it does not exist.
/// Sends the other command if the first one fails because another program has created or dropped the collection at the
/// same time.
pub(crate) async fn write(odm: &Odm, validator: &Validator) -> Result<()> {
    let (first, second, lost_race) = if validator.is_new_collection {
        ("create", "collMod", NAMESPACE_EXISTS)
    } else {
        ("collMod", "create", NAMESPACE_NOT_FOUND)
    };
    let exec = Exec::on(odm.clone());
    match exec.send(validator.command(first)).await {
        Err(error) if error.server_code() == Some(lost_race) => {
            exec.send(validator.command(second)).await.map(drop)
        }
        written => written.map(drop),
    }
}
