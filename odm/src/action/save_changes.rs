//! Builds the update that `save_changes` sends: it sets the fields in which two structs differ.

use mongodb::bson::{Document, RawDocument};

use super::{UpdateOne, by_id};
use crate::{
    client::odm::Exec,
    error::{Error, Result},
    model::{derive_traits::Storable, shape::ModelShape},
    query::{
        maintained::{check_tenant_of, version_in},
        stored_document::{check_rules, encoded},
        update::{Update, changed_tenant, difference},
    },
    value::key::is_same_key,
    write::GivenVersion,
};

/// Returns the update of the fields in which `model` differs from `before`.
pub(super) fn save_changes<M: Storable>(model: &M, before: &M, exec: Exec) -> UpdateOne<M> {
    let both = check_rules(model, false);
    let both = both
        .and_then(|()| encoded(before))
        .and_then(|before| Ok((before, encoded(model)?)));
    let changes = both.and_then(|(before, after)| changes(M::SHAPE, &before, &after, &exec));
    let update = UpdateOne::new(by_id::<M>(model.stored_id()), exec);
    match changes {
        Ok((operators, expected)) => update.changing(Update::patching(operators), expected),
        Err(error) => update.changing(Update::failed(error), None),
    }
}

type Changes = (Document, Option<GivenVersion>);

/// Returns the update operators for the changed fields, and the version that the stored document must have. This
/// function is not generic, so it is compiled only once.
fn changes(
    model: &'static ModelShape,
    before: &RawDocument,
    after: &RawDocument,
    exec: &Exec,
) -> Result<Changes> {
    check_tenant_of(model, after, exec)?;
    let version = model.version().map(|field| version_in(before, field));
    let decode = |raw| Document::try_from(raw).map_err(mongodb::error::Error::from);
    let (before, after) = (decode(before)?, decode(after)?);
    if before.get("_id") != after.get("_id") {
        let message = format!(
            "`save_changes` compares two `{}` structs with different ids; pass the struct that was loaded before the change",
            model.name
        );
        return Err(Error::invalid(message).in_model(model));
    }
    if let Some(field) = model.tenant()
        && let (Some(stored), Some(given)) = (before.get(field), after.get(field))
        && !is_same_key(stored, given)
    {
        return Err(changed_tenant(model));
    }
    let expected = version.zip(before.get("_id").cloned());
    let expected = expected.map(|(version, id)| GivenVersion::new(version).of(id));
    Ok((difference(model, &before, &after)?, expected))
}
