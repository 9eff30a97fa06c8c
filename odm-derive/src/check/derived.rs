//! Copies, recent lists, rollups and links.

use crate::{
    error::Errors,
    hygiene::plain,
    ir::{Record, RollupKind, Via},
};

/// A field is kept by one attribute, and a struct has one links array.
pub(crate) fn one_writer(record: &Record, errors: &mut Errors) {
    for field in &record.fields {
        let writers = field.derived_by();
        let Some((first, rest)) = writers.split_first() else {
            continue;
        };
        for again in rest {
            let message = format!("`{first}` writes this field already; remove `{again}`");
            errors.at(again, message);
        }
    }
    for again in record
        .fields
        .iter()
        .filter_map(|field| field.links.as_ref())
        .skip(1)
    {
        errors.at(
            again,
            "a struct has one array of `links`; remove this attribute",
        );
    }
}

/// A copy has a reference that ties it to its source.
pub(crate) fn copies(record: &Record, errors: &mut Errors) {
    for field in &record.fields {
        let Some(copy) = &field.copy else { continue };
        let source = &copy.from;
        match &copy.via {
            Some(Via::Field(via)) => match record.field(via) {
                Some(key) if key.reference.is_some() => {}
                Some(_) => errors.at(
                    via,
                    format!("`via` names `{0}`, which is not a reference; add `#[refs(one)]` or `#[parent_ref]` to `{0}`", plain(via)),
                ),
                None => errors.at(via, no_such_field(record, &plain(via))),
            },
            Some(Via::Model(_)) => {}
            None if record.references().next().is_some() => {}
            None => errors.at(
                &copy.attribute,
                format!("nothing here refers to the source of `{source}`; add a reference beside the copy, or name the one on the other side with `via = \"Model.field\"`"),
            ),
        }
    }
}

fn no_such_field(record: &Record, name: &str) -> String {
    let known: Vec<_> = record.fields.iter().map(crate::ir::Field::name).collect();
    let known: Vec<_> = known.iter().map(String::as_str).collect();
    let remedy = crate::error::did_you_mean(name, &known)
        .unwrap_or_else(|| "name a reference of this struct, or write `Model.field`".to_owned());
    format!("`{}` has no field `{name}`; {remedy}", record.name())
}

/// Everything but a count computes something of a field.
pub(crate) fn rollups(record: &Record, errors: &mut Errors) {
    for rollup in record
        .fields
        .iter()
        .filter_map(|field| field.rollup.as_ref())
    {
        match (rollup.kind, &rollup.field) {
            (RollupKind::Count, Some(field)) => {
                errors.at(
                    field,
                    "`count` counts documents; remove `field`, or write `sum`",
                );
            }
            (RollupKind::Count, None) | (_, Some(_)) => {}
            (kind, None) => {
                let remedy = "write `field = \"amount\"`, the field of a child";
                let message = format!("`{}` needs `field`; {remedy}", kind.word());
                errors.at(&rollup.attribute, message);
            }
        }
    }
}

/// A recent list has room for an entry.
pub(crate) fn bounds(record: &Record, errors: &mut Errors) {
    for recent in record
        .fields
        .iter()
        .filter_map(|field| field.recent.as_ref())
    {
        if recent.limit.value == 0 {
            let message = "`limit = 0` leaves no room for an entry; write at least 1";
            errors.at(&recent.limit.written, message);
        }
    }
}
