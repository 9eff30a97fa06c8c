//! Checks references, embedded structs, and relations for which other models store the reference.

use std::collections::HashMap;

use proc_macro2::Ident;
use quote::ToTokens;

use crate::{
    error::Errors,
    hygiene::plain,
    ir::{Field, Record, Role, Scope},
};

/// Checks that each `max` is on an array, is at least 1, and is declared only once.
pub(crate) fn arrays(record: &Record, errors: &mut Errors) {
    for field in &record.fields {
        let embedded = field.embed.as_ref().and_then(|embed| embed.max.as_ref());
        let referred = field.any_reference();
        let referred = referred.and_then(|reference| reference.max.as_ref());
        for max in [embedded, referred].into_iter().flatten() {
            if max.value == 0 {
                let remedy = "write at least 1, or remove the field";
                errors.at(
                    &max.written,
                    format!("`max = 0` leaves no room for an element; {remedy}"),
                );
            }
        }
        if let (Some(_), Some(max)) = (embedded, referred) {
            errors.at(
                &max.written,
                "`embed` already has `max`; remove one of them",
            );
        }
        let one = field
            .any_reference()
            .filter(|reference| !reference.is_many());
        if let Some(max) = one.and_then(|reference| reference.max.as_ref()) {
            let remedy = "remove it, or write `#[refs(many)]` and make the field a `Vec`";
            errors.at(
                &max.written,
                format!("`max` belongs to `refs(many)`; {remedy}"),
            );
        }
    }
}

/// Rejects a reference attribute without `to` on the id of a model, because such an id would refer to its own document.
pub(crate) fn own_id(record: &Record, errors: &mut Errors) {
    if record.model().is_none() {
        return;
    }
    let ids = record.references().filter(|(field, _)| field.is_id());
    for (field, reference) in ids.filter(|(_, reference)| reference.to.is_none()) {
        errors.at(
            &reference.attribute,
            format!(
                "`{0}.{1}` is the id of the `{0}` itself, and does not refer to another document; remove `{2}`",
                record.name(),
                field.name(),
                reference.attribute,
            ),
        );
    }
}

/// Rejects codecs on references, because the library compares keys in the serde form of the key's type.
pub(crate) fn codecs(record: &Record, errors: &mut Errors) {
    for (field, _) in record.references().chain(record.polymorphic()) {
        if let Some(codec) = &field.codec {
            let remedy = "make its key a newtype with `impl Key`";
            let message = format!(
                "`{}.{}` is a reference, which cannot have a codec; {remedy}",
                record.name(),
                field.name()
            );
            errors.at(&codec.written, message);
        }
    }
}

/// Checks that the names of relations are unique, because the generated methods are named after them.
pub(crate) fn methods(record: &Record, errors: &mut Errors) {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for (field, reference) in record.references().chain(record.polymorphic()) {
        let name = plain(reference.name(field));
        if let Some(first) = seen.insert(name.clone(), reference.title()) {
            clash(reference.name(field), &name, first, errors);
        }
    }
    for relation in &record.reverse {
        let name = plain(&relation.name);
        if let Some(first) = seen.insert(name.clone(), relation.title()) {
            clash(&relation.name, &name, first, errors);
        }
    }
}

fn clash(place: &Ident, name: &str, first: &str, errors: &mut Errors) {
    let message = format!("`{first}` already has a relation `{name}`; choose another name");
    errors.at(place, message);
}

/// Rejects sort orders on references to a single document. Also rejects sort orders and filters on polymorphic
/// references.
pub(crate) fn scopes(record: &Record, errors: &mut Errors) {
    for (_, reference) in record.references().filter(|(_, of)| !of.is_many()) {
        unordered(&reference.scope, reference.title(), errors);
    }
    for relation in record.reverse.iter().filter(|of| of.single) {
        unordered(&relation.scope, relation.title(), errors);
    }
    for (_, reference) in record.polymorphic() {
        let Scope { sort, filter } = &reference.scope;
        let sorted = sort.first().map(|key| key.path.to_token_stream());
        let filtered = filter.as_ref().map(ToTokens::to_token_stream);
        if let Some(place) = sorted.or(filtered) {
            let message = "the targets of a polymorphic reference have different fields; remove `sort` and `filter`, and call `.sort(..)` and `.filter(..)` on the load";
            errors.at(place, message);
        }
    }
}

fn unordered(scope: &Scope, title: &str, errors: &mut Errors) {
    if let Some(key) = scope.sort.first() {
        let message = format!("`{title}` loads one document, which has no order; remove `sort`");
        errors.at(&key.path, message);
    }
}

/// Rejects attributes on a flattened field if the attribute requires a stored field of its own.
pub(crate) fn flattened(record: &Record, errors: &mut Errors) {
    for field in record.fields.iter().filter(|field| field.flatten) {
        for attribute in refused_when_flattened(field) {
            let name = plain(attribute);
            errors.at(
                attribute,
                format!("`{name}` needs a field of its own, and serde flattens this one; remove `flatten`, or put `{name}` inside the flattened struct"),
            );
        }
        if let Some(max) = field.max() {
            errors.at(
                &max.written,
                "`max` needs an array, and serde flattens this field; remove one of the two",
            );
        }
    }
}

fn refused_when_flattened(field: &Field) -> Vec<&Ident> {
    let reference = field
        .reference
        .as_ref()
        .map(|reference| &reference.attribute);
    let index = field.index.as_ref().map(|index| &index.attribute);
    // A flattened polymorphic reference is stored as two fields of the document, which is not possible for an array.
    let many = field.polymorphic.as_ref().filter(|of| of.is_many());
    let many = many.map(|reference| &reference.attribute);
    let mut attributes = field.derived_by();
    // `check::maintained` reports maintained fields with a different remedy, because only a model can have them.
    attributes.retain(|name| !field.maintained.iter().any(|it| it.attribute == **name));
    attributes.extend(many);
    attributes.extend(reference);
    attributes.extend(index);
    attributes
}

/// Rejects `inverse` in an embedded struct. The reference belongs to the document, so the option must be on the field
/// that embeds the struct.
pub(crate) fn inverses(record: &Record, errors: &mut Errors) {
    if !matches!(record.role, Role::Embedded { .. }) {
        return;
    }
    for inverse in record
        .references()
        .filter_map(|(_, reference)| reference.inverse.as_ref())
    {
        let remedy = "write it at the field that embeds this struct";
        errors.at(inverse, format!("`inverse` belongs to a model; {remedy}"));
    }
}

/// Rejects `exists` on fields that the application does not write.
pub(crate) fn existing(record: &Record, errors: &mut Errors) {
    for field in &record.fields {
        let exists = field.any_reference().and_then(|of| of.exists.as_ref());
        let Some(exists) = exists else { continue };
        if record.is_projection() {
            errors.at(
                exists,
                "`exists` belongs to the model; remove it from the projection",
            );
        } else if field.copy.is_some() {
            let place = format!("`{}.{}`", record.name(), field.name());
            errors.at(
                exists,
                format!("{place} is a copy; write `exists` at the reference that it is a copy of"),
            );
        }
    }
}

/// Rejects options in a projection that affect only writes.
pub(crate) fn projections(record: &Record, errors: &mut Errors) {
    if !record.is_projection() {
        return;
    }
    for field in &record.fields {
        if let Some(max) = field.max() {
            errors.at(
                &max.written,
                "`max` belongs to the model; remove it from the projection",
            );
        }
        if let Some(inverse) = field
            .reference
            .as_ref()
            .and_then(|reference| reference.inverse.as_ref())
        {
            errors.at(
                inverse,
                "`inverse` belongs to the model; remove it from the projection",
            );
        }
    }
}
