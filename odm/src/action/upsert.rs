//! Builder returned by `upsert`.

use mongodb::{
    bson::{Document, oid::ObjectId},
    options::{UpdateModifications, UpdateOptions},
};

use super::{
    update::bounded,
    write_builder::{bulk_operation, hooks_setter, write_builder},
};
use crate::{
    client::odm::Exec,
    derived::follow::FanOut,
    error::{Error, Result},
    model::{
        array_bound::check_filter,
        derive_traits::{Described, IdOf},
    },
    query::{
        filter::Filter,
        update::{Update, UpdateOperators, reject_incomplete_upsert},
    },
    setters::option_setters,
    write::{self, BoundedUpdate, UpsertReport, id_in_filter},
};

/// An update of one document that matches the filter, or an insert if none matches:
/// `Part::upsert(&odm, filter).set(..)`.
///
/// An inserted document gets its values from the equality conditions in the filter and from the update. The library
/// fills in the copies in this document. Use `set` or [`set_on_insert`](UpdateOperators::set_on_insert) to give a value
/// to each field, except for an `Option` and for a field that has `#[serde(default)]`. See the example at
/// [`Documents::upsert`](crate::Documents::upsert).
///
/// # Sends
///
/// One `update` with `upsert`. If the model has derived data or the update can exceed a bound, the call sends a
/// transaction instead: a `find`, a `findAndModify`, and the statements of [`UpdateOne`](super::UpdateOne). If the
/// model has [hooks](crate::Hooks), the call sends the same transaction. If `before_insert` changes an inserted
/// document, the transaction then replaces this document. If the model has a
/// [shard key](derive@crate::Model#sharded-collections), the filter must contain the shard key.
///
/// # Index
///
/// Declare a unique index on the fields in the filter. Without this index, two concurrent upserts can insert two
/// documents. With a unique index, one of the two upserts fails with a duplicate key error, and your code can repeat
/// that upsert.
///
/// # Limits
///
/// If the call sends a transaction, and it has a collation that treats two ids as equal that are documents with strings,
/// the other document with such an id can be updated.
///
/// # Errors
///
/// The errors of [`UpdateOne`](super::UpdateOne), and [`Error::Invalid`] in these cases:
///
/// - The model's id is not an `ObjectId`, and neither the filter nor the update contains the id. The server would
///   generate an `ObjectId`.
/// - An inserted document would lack required fields, so the model could not read the document. The library cannot
///   check this if the update is a pipeline.
/// - The filter contains a different [kind](derive@crate::Model#kinds-of-documents-in-one-collection) from that of the
///   model.
///
/// The call fails with a duplicate key error if a document of a different kind already has the `_id` of the new
/// document. The call fails with [`Error::Deleted`] if the document with this `_id` is deleted.
#[must_use = "an upsert is sent when it is awaited"]
#[derive(Debug)]
pub struct Upsert<M> {
    filter: Filter<M>,
    update: Update<M>,
    options: UpdateOptions,
    fan_out: FanOut,
    exec: Exec,
}

impl<M: Described> Upsert<M> {
    pub(crate) fn new(filter: Filter<M>, exec: Exec) -> Self {
        let mut options = UpdateOptions::default();
        options.upsert = Some(true);
        Self {
            filter,
            update: Update::new(),
            options,
            fan_out: FanOut::default(),
            exec,
        }
    }

    hooks_setter!();
    option_setters!(hint, collation, comment, let_vars, write_concern);
    option_setters!(@ any options: UpdateOptions);

    fn into_write(self) -> Result<(write::UpsertWrite, Exec)> {
        let mut update = bounded(self.filter, self.update, self.options, &self.exec)?;
        refuse_patch(&update)?;
        check_filter(M::SHAPE, &update.filter)?;
        let server_makes_ids =
            std::any::TypeId::of::<<M::Id as IdOf<M>>::Key>() == std::any::TypeId::of::<ObjectId>();
        if !server_makes_ids && !has_id(&update) {
            return Err(Error::invalid(format!(
                "an upsert of `{}` needs its `_id`: the server would make up an ObjectId; filter by \
                 the id, or add `set_on_insert` with it",
                M::SHAPE.name
            ))
            .in_model(M::SHAPE));
        }
        update.fan_out = self.fan_out;
        let keeps = update.fan_out.snapshots_are_given;
        reject_incomplete_upsert(M::SHAPE, (&update.filter, &update.update), keeps)
            .map_err(|error| error.in_model(M::SHAPE))?;
        Ok((write::UpsertWrite(update), self.exec))
    }
}

write_builder!([M: Described] Upsert<M>: write::UpsertWrite => UpsertReport, "upsert");
bulk_operation!([M: Described] Upsert<M>: Upsert);

/// Rejects a patch that an upsert cannot apply to a new document.
fn refuse_patch(update: &BoundedUpdate) -> Result<()> {
    let name = update.model.name;
    let message = if let Some(path) = update.parents.first() {
        format!(
            "an upsert cannot change single fields of `{name}.{path}`, because a new document lacks the struct; set \
             `{path}` as a whole, or use `update`"
        )
    } else if update.is_empty() {
        format!(
            "the upsert of `{name}` has an empty patch and no other operators; add `set`, or use `update`"
        )
    } else {
        return Ok(());
    };
    Err(Error::invalid(message).in_model(update.model))
}

fn has_id(write: &BoundedUpdate) -> bool {
    let sets_id = |operator: &str, operators: &Document| {
        operators
            .get_document(operator)
            .is_ok_and(|fields| fields.contains_key("_id"))
    };
    id_in_filter(&write.filter).is_some()
        || match &write.update {
            UpdateModifications::Document(operators) => {
                sets_id("$setOnInsert", operators) || sets_id("$set", operators)
            }
            _ => true,
        }
}

impl<M> UpdateOperators<M> for Upsert<M> {
    fn update_mut(&mut self) -> &mut Update<M> {
        &mut self.update
    }
}
