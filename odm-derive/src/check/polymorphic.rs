//! Checks polymorphic references.

use std::collections::HashMap;

use quote::ToTokens;

use super::{from, name, reverse};
use crate::{
    error::Errors,
    ir::{Polymorphic, Record, Variant},
};

/// Checks an enum of references.
pub(crate) fn polymorphic(of: &Polymorphic, errors: &mut Errors) {
    name::stored_names(&of.record, errors);
    one_key_each(&of.variants, errors);
    one_name_each(&of.variants, errors);
    from::polymorphic(of, errors);
    reverse::polymorphic(of, errors);
}

/// Checks that all variants for the same model use the same key, because a join searches by one field
/// of the model.
fn one_key_each(variants: &[Variant], errors: &mut Errors) {
    let mut seen = HashMap::new();
    for Variant {
        field, reference, ..
    } in variants
    {
        let Some(to) = &reference.to else { continue };
        let key = to.to_token_stream().to_string();
        let model = to.model.to_token_stream().to_string();
        let first = seen
            .entry(model)
            .or_insert_with(|| (field.name(), key.clone()));
        if first.1 != key {
            let (first, name) = (&first.0, field.name());
            let remedy = "write the same field in both";
            errors.at(
                to,
                format!("`{first}` and `{name}` refer to one model by different keys; {remedy}"),
            );
        }
    }
}

/// Checks that the variants have different stored names.
fn one_name_each(variants: &[Variant], errors: &mut Errors) {
    let mut seen = HashMap::new();
    for variant in variants {
        let name = variant.field.name();
        for kind in &variant.kinds {
            let first = seen.entry(kind.as_str()).or_insert_with(|| name.clone());
            if *first != name {
                errors.at(
                    &variant.named_by,
                    format!("`{first}` and `{name}` are both stored as \"{kind}\", and serde reads both as `{first}`; rename one of them"),
                );
            }
        }
    }
}

/// Rejects options that require a single target model.
pub(crate) fn fields(record: &Record, errors: &mut Errors) {
    for (_, reference) in record.polymorphic() {
        let to = reference.to.as_ref().map(ToTokens::to_token_stream);
        let inverse = reference.inverse.as_ref().map(ToTokens::to_token_stream);
        let rule = reference.on_delete.as_ref();
        let rule = rule.map(|rule| rule.written.clone());
        for (name, written) in [("to", to), ("inverse", inverse), ("on_delete", rule)] {
            let remedy = "remove it, because the variants of the enum contain the targets";
            let message = format!("`{name}` is only for a reference to one model; {remedy}");
            if let Some(written) = written {
                errors.at(written, message);
            }
        }
    }
}
