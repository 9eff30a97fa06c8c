//! Checks and enables the pre-images of collections, which are the documents as they were before each change.
//!
//! The server keeps pre-images for a collection if an option of the collection is set. So `sync_indexes` also sets this
//! option, and `index_diff` lists the collections that lack it.

use std::collections::BTreeSet;

use mongodb::{
    bson::{Document, doc},
    results::CollectionType,
};

use super::server::NAMESPACE_NOT_FOUND;
use crate::{
    client::{
        command::{Command, ListCollectionsCommand, RunCommand},
        odm::{Exec, Odm},
    },
    error::{Error, NAMESPACE_EXISTS, Result},
};

/// Returns those of the given collections that do not keep pre-images or do not exist. Sends one `listCollections`, or
/// nothing if no collections are given.
///
/// # Errors
///
/// [`Error::Invalid`] if one of them is a view or a time series collection, which cannot keep pre-images.
pub(crate) async fn without_pre_images(
    odm: &Odm,
    collections: &BTreeSet<&str>,
) -> Result<Vec<String>> {
    if collections.is_empty() {
        return Ok(Vec::new());
    }
    let exec = Exec::on(odm.clone());
    let listed = exec.send(ListCollectionsCommand::new()).await?;
    let mut special = listed
        .iter()
        .filter(|it| !matches!(it.collection_type, CollectionType::Collection));
    if let Some(special) = special.find(|it| collections.contains(it.name.as_str())) {
        return Err(Error::invalid(format!(
            "a model of `{}` has `pre_images`, but views and time series collections cannot keep pre-images; remove \
             `pre_images` from the model",
            special.name
        )));
    }
    let enabled = listed.iter().filter(|collection| {
        let images = collection
            .options
            .change_stream_pre_and_post_images
            .as_ref();
        images.is_some_and(|images| images.enabled)
    });
    let enabled: BTreeSet<&str> = enabled.map(|it| it.name.as_str()).collect();
    let lacking = collections.difference(&enabled);
    Ok(lacking.map(|name| (*name).to_owned()).collect())
}

/// Enables pre-images on a collection, and creates the collection if it does not exist.
pub(crate) async fn enable(odm: &Odm, collection: &str) -> Result<()> {
    let exec = Exec::on(odm.clone());
    let changed = exec.send(change(collection)).await;
    match changed.map_err(|error| (error.server_code(), error)) {
        Err((Some(NAMESPACE_NOT_FOUND), _)) => {}
        changed => return changed.map(drop).map_err(|(_, error)| error),
    }
    let command = doc! { "create": collection, "changeStreamPreAndPostImages": enabled() };
    let created = exec.send(RunCommand::command("create", command)).await;
    match created {
        Err(error) if error.server_code() == Some(NAMESPACE_EXISTS) => {
            exec.send(change(collection)).await.map(drop)
        }
        created => created.map(drop),
    }
}

/// Returns the statement that enables pre-images, in mongosh syntax.
pub(super) fn enabling_statement(collection: &str) -> String {
    change(collection).statement().to_string()
}

fn change(collection: &str) -> RunCommand {
    let command = doc! { "collMod": collection, "changeStreamPreAndPostImages": enabled() };
    RunCommand::command("collMod", command)
}

fn enabled() -> Document {
    doc! { "enabled": true }
}
