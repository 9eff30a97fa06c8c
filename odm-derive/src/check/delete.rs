//! Checks delete rules (`on_delete`).

use crate::{
    error::Errors,
    ir::{Copy, Field, OnDelete, Record, Reference, Rule, Via},
};

/// Checks that each delete rule is valid for the reference, embedded struct or copy that declares it.
pub(crate) fn rules(record: &Record, errors: &mut Errors) {
    for field in &record.fields {
        if let Some(reference) = &field.reference {
            of_reference(record, field, reference, errors);
        }
        if let Some(rule) = field.rule_of_embed() {
            of_embed(record, field, rule, errors);
        }
        if let Some(copy) = &field.copy {
            of_copy(copy, errors);
        }
    }
}

fn of_reference(record: &Record, field: &Field, reference: &Reference, errors: &mut Errors) {
    let Some(rule) = &reference.on_delete else {
        return;
    };
    let place = format!("`{}.{}`", record.name(), field.name());
    let remedy = match rule.policy {
        _ if record.is_projection() => {
            "`on_delete` belongs to the model; remove it from the projection".to_owned()
        }
        _ if field.copy.is_some() => {
            format!("{place} is a copy; write `on_delete` at the reference that it is a copy of")
        }
        OnDelete::Nullify if reference.is_many() => {
            format!(
                "`nullify` needs a single reference, and {place} is an array; write `pull`, which removes the element"
            )
        }
        // In an embedded struct, `pull` removes the whole struct from the array that contains it.
        OnDelete::Pull if !reference.is_many() && record.model().is_some() => {
            format!(
                "`pull` removes an element of an array, and {place} is a single reference; write `nullify` and make it an `Option`, or write `cascade` or `restrict`"
            )
        }
        _ => return,
    };
    errors.at(&rule.written, remedy);
}

/// Checks the rule in `#[embed(on_delete = "..")]`. The field must not have another rule, and serde must not flatten
/// it.
fn of_embed(record: &Record, field: &Field, rule: &Rule, errors: &mut Errors) {
    let reference = field.reference.as_ref();
    let remedy = if record.is_projection() {
        "`on_delete` belongs to the model; remove it from the projection".to_owned()
    } else if field.copy.is_some() {
        format!(
            "`{}.{}` is a copy; write `on_delete` where the source has it",
            record.name(),
            field.name()
        )
    } else if let Some(title) = reference
        .filter(|of| of.on_delete.is_some())
        .map(Reference::title)
    {
        format!("`{title}` already has `on_delete`; remove one of them")
    } else if field.flatten {
        "`on_delete` needs a field of its own, and serde flattens this one; write it at the reference inside the flattened struct".to_owned()
    } else {
        return;
    };
    errors.at(&rule.written, remedy);
}

fn of_copy(copy: &Copy, errors: &mut Errors) {
    let Some(rule) = &copy.on_delete else { return };
    let word = rule.policy.word();
    let remedy = match rule.policy {
        OnDelete::Restrict | OnDelete::Cascade | OnDelete::Pull => {
            format!(
                "`{word}` is a rule of references; write `on_delete = \"{word}\"` at the reference, or `nullify` or `keep` at the copy"
            )
        }
        OnDelete::Nullify if copy.snapshot => {
            "a `snapshot` keeps its value; remove `on_delete`, or `snapshot`".to_owned()
        }
        OnDelete::Nullify | OnDelete::Keep if matches!(copy.via, Some(Via::Model(_))) => {
            "this copy always becomes null when no source refers to the document; remove `on_delete`"
                .to_owned()
        }
        OnDelete::Nullify | OnDelete::Keep => return,
    };
    errors.at(&rule.written, remedy);
}
