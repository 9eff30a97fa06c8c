//! Checks the attributes that make the library write a field.

use super::copy::one_name;
use crate::{
    error::Errors,
    hygiene::plain,
    ir::{Field, Record, RollupKind},
};

/// Checks that each field has at most one attribute that makes the library write the field.
pub(crate) fn one_writer(record: &Record, errors: &mut Errors) {
    for field in &record.fields {
        let writers = field.derived_by();
        let Some((first, rest)) = writers.split_first() else {
            continue;
        };
        one_name(
            field,
            "is written by the library under one name, and serde rejects documents with both names",
            errors,
        );
        for again in rest {
            let message = format!("`{first}` already writes this field; remove `{again}`");
            errors.at(again, message);
        }
        if record.model().is_some() && field.is_id() {
            let message = format!(
                "`{}` writes its field, and an id never changes; put it on another field",
                plain(first)
            );
            errors.at(first, message);
        }
    }
}

/// Checks that each summary has a `field`, unless it is a count.
pub(crate) fn rollups(record: &Record, errors: &mut Errors) {
    for field in &record.fields {
        let Some(rollup) = &field.rollup else {
            continue;
        };
        if rollup.kind == RollupKind::Count {
            without_codec(field, "a count is stored as a number", errors);
        }
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

/// Rejects a codec on a field whose stored form the library determines.
fn without_codec(field: &Field, form: &str, errors: &mut Errors) {
    if let Some(codec) = field.codec.as_ref().filter(|_| field.is_written_by_codec()) {
        let message = format!(
            "{form}, so `{}` cannot have a codec; remove `with` or `serialize_with`",
            field.name()
        );
        errors.at(&codec.written, message);
    }
}

/// Checks the `limit` of recent lists.
pub(crate) fn bounds(record: &Record, errors: &mut Errors) {
    for field in &record.fields {
        let Some(recent) = &field.recent else {
            continue;
        };
        without_codec(
            field,
            "the library writes the entries of a recent list",
            errors,
        );
        if recent.limit.value == 0 {
            let message = "`limit = 0` leaves no room for an entry; write at least 1";
            errors.at(&recent.limit.written, message);
        }
        if let Some(max) = field.max() {
            let message = "`limit` is already the bound of a recent list; remove `max`";
            errors.at(&max.written, message);
        }
    }
}
