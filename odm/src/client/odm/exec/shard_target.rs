//! Adds the shard key to statements on one document.
//!
//! A sharded cluster rejects `findAndModify` without the shard key, and an `update` or `delete` of one document without
//! the shard key and the `_id`. If a filter does not contain these values, the library first reads them from the
//! document that the statement will change. Otherwise, no additional round trip is necessary.

use mongodb::bson::{Bson, doc, oid::ObjectId};

use super::Exec;
use crate::{
    client::{
        command::{Command, FindCommand, Target, has_array_as_id},
        id_order::id_of,
        place::{Place, Shards},
    },
    error::{Error, Result},
    value::{
        key::equality,
        path::{equality_in, projection},
    },
};

/// The result of the search for a document's shard.
enum Found<R> {
    /// The filter contains the values that the cluster requires. The statement is sent only once.
    Known,
    /// The library has added the shard key of the document to the filter.
    Added,
    /// No document matches. The value is the reply that the server would return.
    Nothing(R),
}

impl Exec {
    /// Sends a statement. If it changes one document of a sharded collection, the statement contains the shard key.
    ///
    /// A collection can be sharded although its model does not declare a shard key. In this case, the statement
    /// contains the `_id` instead. Outside a transaction, the library adds the `_id` only after the cluster has
    /// rejected the statement. In a transaction, the rejected statement would abort the transaction, so the library
    /// adds the `_id` on every cluster.
    pub(super) async fn send_to_shard<C: Command>(&self, mut command: C) -> Result<C::Reply> {
        let Some(one) = command.one_document() else {
            return Ok(Box::pin(self.send_seen(command)).await?.0);
        };
        let finds_nothing = has_array_as_id(one.filter) && one.target != Target::KeyOfInsert;
        if finds_nothing && self.odm.may_be_cluster() && !self.is_paper() {
            return Ok(one.unmatched);
        }
        let has_id = equality_in(one.filter, "_id").is_some();
        if command.place().has_shard_key() {
            return self.send_with_key(command).await;
        }
        let has_model = command.place().model().is_some();
        let can_be_sharded = has_model && self.odm.may_be_cluster();
        if has_id || !can_be_sharded || self.is_paper() {
            return Ok(Box::pin(self.send_seen(command)).await?.0);
        }
        if self.in_transaction() && self.odm.is_cluster().await? {
            return self.send_with_key(command).await;
        }
        match Box::pin(self.send_seen(command.clone())).await {
            Err(error) if error.is_about_shard_key() && !self.in_transaction() => {
                self.send_with_key(command).await
            }
            sent => Ok(sent?.0),
        }
    }

    /// Sends a statement on one document with the shard key of the document.
    ///
    /// Outside a transaction, another write can change the document after it was found. If the statement then matches
    /// no document, the library searches for a document again.
    async fn send_with_key<C: Command>(&self, command: C) -> Result<C::Reply> {
        loop {
            let mut targeted = command.clone();
            let found = self.find_shard(&mut targeted).await?;
            if let Found::Nothing(reply) = found {
                return Ok(reply);
            }
            let sent = Box::pin(self.send_seen(targeted)).await;
            let reply = sent.map_err(|error| explained(error, &command))?.0;
            let is_final = matches!(found, Found::Known) || self.in_transaction();
            if is_final || self.is_paper() || !C::is_unmatched(&reply) {
                return Ok(reply);
            }
        }
    }

    /// Rejects a statement of the application that a cluster would send to all shards, if the settings forbid it.
    pub(super) fn refuse_broadcast<C: Command>(&self, command: &C) -> Result<()> {
        let is_checked = self.settings().reject_broadcasts && self.caller().is_some();
        if !is_checked || self.after_write {
            return Ok(());
        }
        let place = command.place();
        let (Some(Shards::All), Some(model)) = (command.shards(), place.subject()) else {
            return Ok(());
        };
        let first = model.shard_key_paths().next().unwrap_or_default();
        let message = format!(
            "a cluster would send this `{}` of `{}` to all shards, which `Settings::reject_broadcasts` forbids; add a \
             condition on `{first}` to the filter; if the library has added the statement to your call, use a handle \
             without this setting",
            command.name(),
            model.name
        );
        Err(Error::invalid(message).in_model(model))
    }

    async fn find_shard<C: Command>(&self, command: &mut C) -> Result<Found<C::Reply>> {
        let mut place = command.place().clone();
        place.resolve_tenant(self.odm.tenancy())?;
        let query = command
            .search()
            .map(|it| FindCommand::of_search(&it, place.clone()));
        let (Some(query), Some(one)) = (query, command.one_document()) else {
            return Ok(Found::Known);
        };
        let Some(missing) = place.missing_in_key(one.filter) else {
            return Ok(Found::Known);
        };
        match one.target {
            Target::KeyOrId if equality_in(one.filter, "_id").is_some() => return Ok(Found::Known),
            Target::KeyOfInsert if place.has_shard_key() => {
                return Err(without_key(&place, &missing));
            }
            Target::Key | Target::KeyOrId | Target::KeyOfInsert => {}
        }
        let key = place.shard_key();
        let query = query.select(projection(key.iter().map(String::as_str)));
        let found = Box::pin(self.raw_documents(query.first())).await?.pop();
        let by_key = match &found {
            Some(found) => {
                let id = id_of(found).unwrap_or(Bson::Null);
                let mut by_key = place.filter_of_document(id, found);
                // A cluster stores a document that lacks a field of the key on the shard for null.
                for path in key {
                    if !by_key.contains_key(&path) {
                        by_key.extend(equality(path, Bson::Null));
                    }
                }
                if let Some(upsert) = one.upsert {
                    // Another write can change the document. The server would then insert a second document with the
                    // same `_id`.
                    *upsert = None;
                }
                by_key
            }
            // Without this condition, the server would create the `_id`.
            None if one.target == Target::KeyOfInsert => {
                doc! { "_id": one.inserted_id.unwrap_or_else(|| ObjectId::new().into()) }
            }
            None => return Ok(Found::Nothing(one.unmatched)),
        };
        // The filter is kept, because the positional operator `$` refers to the array element that the filter matches.
        *one.filter = doc! { "$and": [by_key, std::mem::take(one.filter)] };
        Ok(match found {
            Some(_) => Found::Added,
            None => Found::Known,
        })
    }
}

/// Adds an explanation to the error that a cluster returns if it cannot find the shard of a document because the
/// statement has a collation.
fn explained<C: Command>(error: Error, command: &C) -> Error {
    let is_collated = command.search().is_some_and(|search| search.is_collated());
    let model = command.place().subject().filter(|_| is_collated);
    let Some(model) = model.filter(|_| error.is_about_shard_key()) else {
        return error;
    };
    let name = model.name;
    Error::invalid(format!(
        "a cluster cannot change one `{name}` with a collation, because the shard key contains text: texts that are equal by \
         the collation can be on different shards; find the `{name}` with the collation, and change it by its id"
    ))
    .in_model(model)
}

fn without_key(place: &Place, missing: &str) -> Error {
    let name = place.subject().map_or("document", |model| model.name);
    let error = Error::invalid(format!(
        "an upsert of `{name}` needs the shard key in its filter, and the filter has no value for `{missing}`; add an \
         `eq` condition on this field"
    ));
    match place.subject() {
        Some(model) => error.in_model(model),
        None => error,
    }
}
