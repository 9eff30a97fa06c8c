//! Checks enums that derive `SingleCollection`.

use std::collections::HashMap;

use quote::ToTokens;

use super::name;
use crate::{error::Errors, ir::SingleCollection};

/// Checks an enum over the kinds of a collection.
pub(crate) fn single_collection(of: &SingleCollection, errors: &mut Errors) {
    name::stored_names(&of.record, errors);
    one_variant_each(of, errors);
}

/// Checks that no two variants have the same model or the same kind.
fn one_variant_each(of: &SingleCollection, errors: &mut Errors) {
    let (mut models, mut names) = (HashMap::new(), HashMap::new());
    for kind in &of.kinds {
        let (name, ty) = (&kind.ident, kind.ty.to_token_stream().to_string());
        let first_of_model = *models.entry(ty).or_insert(name);
        let first_of_name = *names.entry(kind.stored.as_str()).or_insert(name);
        if first_of_model != name {
            let remedy = "remove one of them, because a model has one kind";
            let message =
                format!("`{first_of_model}` and `{name}` contain the same model; {remedy}");
            errors.at(&kind.ty, message);
        } else if first_of_name != name {
            let stored = &kind.stored;
            let message = format!(
                "`{first_of_name}` and `{name}` are both for the kind \"{stored}\"; give each the kind of its model"
            );
            errors.at(&kind.named_by, message);
        }
    }
}
