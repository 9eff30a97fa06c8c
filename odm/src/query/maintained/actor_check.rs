//! Checks that fields can store the actor of a handle.

use mongodb::bson::Bson;

use crate::{
    error::{Error, Result},
    model::shape::{Maintained, ModelShape},
    mongosh,
};

/// Checks that the fields that a call writes can store the actor. Null means that the handle does not have an actor.
pub(super) fn check_actor(
    model: &'static ModelShape,
    writes: fn(Maintained) -> bool,
    actor: &Bson,
) -> Result<()> {
    for (field, kind) in model.maintained().filter(|(_, kind)| writes(*kind)) {
        let (Maintained::CreatedBy(ty) | Maintained::UpdatedBy(ty)) = kind else {
            continue;
        };
        if ty.accepts(actor) {
            continue;
        }
        let (name, field) = (model.name, field.name);
        let message = if *actor == Bson::Null {
            format!(
                "`{name}.{field}` stores the actor of each write, and this handle has no actor; write with \
                 `odm.acting_as(user.id)`, or make the field an `Option`"
            )
        } else {
            format!(
                "`{name}.{field}` cannot store the actor {}; pass a key of the field's type to `acting_as`",
                mongosh::value(actor)
            )
        };
        return Err(Error::invalid(message).in_model(model));
    }
    Ok(())
}
