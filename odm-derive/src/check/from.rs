//! Checks structs that are created from a document (`from = "Model"`).
//!
//! The checks that depend on types are in `expand/type_checks/from.rs`.

use syn::Path;

use crate::{
    error::Errors,
    hygiene::text,
    ir::{Polymorphic, Record},
};

/// Checks that each field is the document's key or a copy, because `From<&Model>` cannot set any other field.
pub(crate) fn values(record: &Record, errors: &mut Errors) {
    let Some(source) = record.from() else { return };
    let (model, name) = (text(source), record.name());
    let by_hand = format!("or write `impl From<&{model}> for {name}` by hand");
    for field in &record.fields {
        if field.copy.is_none() && field.reference.is_none() {
            let field_name = field.name();
            errors.at(
                &field.ident,
                format!("`{field_name}` is neither the key of a `{model}` nor a copy of its fields; add `#[denorm(from = \"{model}.field\")]`, {by_hand}"),
            );
        }
    }
    for skipped in &record.skipped {
        let skipped_name = skipped.name();
        errors.at(
            &skipped.ident,
            format!("serde skips `{skipped_name}`, so `{model}` has no value for it; remove `skip`, {by_hand}"),
        );
    }
    one_key(record, source, &by_hand, errors);
}

fn one_key(record: &Record, source: &Path, by_hand: &str, errors: &mut Errors) {
    let mut keys = record.fields.iter().filter(|field| field.key().is_some());
    let Some(first) = keys.next() else { return };
    let model = text(source);
    for again in keys {
        let (first, name) = (first.name(), again.name());
        errors.at(
            &again.ident,
            format!("`from` needs one key, and `{first}` is already the key of the `{model}`; make `{name}` a copy with `#[denorm(from = \"{model}.field\")]`, {by_hand}"),
        );
    }
    let many = first.key().filter(|reference| reference.is_many());
    if let Some(reference) = many {
        let name = first.name();
        errors.at(
            &reference.attribute,
            format!(
                "a `{model}` has one key, but `{name}` contains many; write `#[refs(one)]`, {by_hand}"
            ),
        );
    }
}

/// Rejects `from` on an enum of references, which does not have fields that could be copied.
pub(crate) fn polymorphic(of: &Polymorphic, errors: &mut Errors) {
    if let Some(source) = of.record.from() {
        let remedy = "remove it, and write the variant with the id: `Subject::Product(id)`";
        errors.at(
            source,
            format!("`from` is only for structs with copies; {remedy}"),
        );
    }
}
