//! Adds values for the fields that an insert fills in, so that an incomplete document can be read into the struct of
//! its model. The insert replaces these values, except for copies without a source.
//!
//! | field | value |
//! |---|---|
//! | `Option`, or field with `#[serde(default)]` | null, or no value |
//! | summary, recent list | the value without children |
//! | copy | the blank value of the source's type: an empty text, zero, an empty array |

use mongodb::bson::{Binary, Bson, DateTime, Decimal128, Document, Timestamp, Uuid, oid::ObjectId};

use super::computed_field::value_without_children;
use crate::{
    error::{Error, Result},
    model::shape::{CopyShape, FieldShape, Maintained, ModelShape, walk},
    value::{bson_form::BsonForm, path::join},
};

/// The maximum depth of copies of copies, and of structs inside structs.
const DEEPEST: usize = 16;

/// Adds a value for each missing field that the library fills in.
///
/// # Errors
///
/// [`Error::Invalid`] if a required copy has a type for which the library does not know a value.
pub(crate) fn fill_blanks(model: &'static ModelShape, document: &mut Document) -> Result<()> {
    fill_blanks_or(model, document, &Document::new())
}

/// Like [`fill_blanks`]. If the library knows no value for the type of a required copy, takes the value from `other`.
pub(crate) fn fill_blanks_or(
    model: &'static ModelShape,
    document: &mut Document,
    other: &Document,
) -> Result<()> {
    fill(model.fields, document, Some(other), "").map_err(|path| unknown(model, &path))
}

fn unknown(model: &'static ModelShape, path: &str) -> Error {
    let name = model.name;
    Error::invalid(format!(
        "`{name}.{path}` is a copy of a type that has no blank value, so an insert without the field is not possible; add \
         `#[serde(default)]` to the field of `{name}`, or make it an `Option`"
    ))
    .in_model(model)
}

/// Adds the missing fields of a struct. Takes a value without a known blank value from the same field of `other`. Fails
/// with the path of a field if no value is known for this field.
fn fill(
    fields: &'static [FieldShape],
    document: &mut Document,
    other: Option<&Document>,
    prefix: &str,
) -> Result<(), String> {
    for field in fields {
        let path = join(prefix, field.stored);
        let inner = field.embed.map(|embed| embed().shape.fields);
        match (inner, document.get_mut(field.stored)) {
            (Some(inner), _) if field.flatten => fill(inner, document, other, prefix)?,
            (Some(inner), Some(value)) => {
                let other = other.and_then(|other| other.get(field.stored));
                fill_structs(inner, value, other, &path)?;
            }
            (_, Some(_)) => {}
            (_, None) if field.may_be_missing() || !is_filled(field) => {}
            (_, None) => {
                let other = || other.and_then(|other| other.get(field.stored)).cloned();
                let value = blank(field, DEEPEST).or_else(other).ok_or(path)?;
                document.insert(field.stored, value);
            }
        }
    }
    Ok(())
}

/// Adds the missing fields of the struct in a value, or of all structs in an array.
fn fill_structs(
    fields: &'static [FieldShape],
    value: &mut Bson,
    other: Option<&Bson>,
    path: &str,
) -> Result<(), String> {
    match value {
        Bson::Document(document) => fill(fields, document, other.and_then(Bson::as_document), path),
        Bson::Array(items) => {
            let others = other.and_then(Bson::as_array);
            items.iter_mut().enumerate().try_for_each(|(at, item)| {
                let other = others.and_then(|others| others.get(at));
                fill_structs(fields, item, other, path)
            })
        }
        _ => Ok(()),
    }
}

/// Returns the path of a required snapshot that a new document, or a struct inside it, does not contain.
pub(crate) fn lacking_snapshot(
    fields: &'static [FieldShape],
    document: &Document,
    prefix: &str,
) -> Option<String> {
    fields.iter().find_map(|field| {
        let path = join(prefix, field.stored);
        let inner = field.embed.map(|embed| embed().shape.fields);
        let all = match (inner, document.get(field.stored)) {
            (Some(inner), _) if field.flatten => return lacking_snapshot(inner, document, prefix),
            (_, None) => {
                let is_required = !(field.optional || field.may_be_missing());
                return (field.is_snapshot() && is_required).then_some(path);
            }
            (_, Some(Bson::Array(items))) => items.as_slice(),
            (_, Some(value)) => std::slice::from_ref(value),
        };
        let mut structs = all.iter().filter_map(Bson::as_document);
        structs.find_map(|it| lacking_snapshot(inner?, it, &path))
    })
}

/// Whether the library sets the field while it inserts a document. `query::maintained` sets most maintained fields.
const fn is_filled(field: &FieldShape) -> bool {
    field.derived.is_some() || matches!(field.maintained, Some(Maintained::DeletedAt))
}

/// Returns a value that the type of a field can store. Returns `None` if the type is not known.
fn blank(field: &FieldShape, depth: usize) -> Option<Bson> {
    let depth = depth.checked_sub(1)?;
    if field.optional {
        return Some(Bson::Null);
    }
    if field.array {
        return Some(Bson::Array(Vec::new()));
    }
    if let Some(embed) = field.embed {
        return blank_struct(embed().shape.fields, depth);
    }
    if let Some(copy) = field.copy_shape() {
        return blank_copy(copy, depth);
    }
    let empty = field.derived.as_ref().and_then(value_without_children);
    empty.or_else(|| blank_value(&field.form?()))
}

fn blank_struct(fields: &'static [FieldShape], depth: usize) -> Option<Bson> {
    let mut document = Document::new();
    for field in fields.iter().filter(|field| !field.may_be_missing()) {
        match blank(field, depth)? {
            Bson::Document(inner) if field.flatten => document.extend(inner),
            value => {
                document.insert(field.stored, value);
            }
        }
    }
    Some(document.into())
}

/// Returns the blank value of a copy's source, because a copy has the type of its source.
fn blank_copy(copy: &CopyShape, depth: usize) -> Option<Bson> {
    let path = (copy.path)();
    let fields = walk((copy.source)().fields);
    let source = fields.iter().find(|field| field.path == path)?;
    blank(source.shape, depth)
}

fn blank_value(form: &BsonForm) -> Option<Bson> {
    Some(match form {
        BsonForm::Any => return None,
        BsonForm::Types(names) => return blank_of_type(names.first()?),
        BsonForm::Names(names) => (*names.first()?).into(),
        BsonForm::Document => Document::new().into(),
        BsonForm::Array(_) => Bson::Array(Vec::new()),
        BsonForm::Nullable(_) => Bson::Null,
    })
}

/// Returns the blank value of a BSON type. `name` is the server's name for the type, such as `"objectId"`.
fn blank_of_type(name: &str) -> Option<Bson> {
    Some(match name {
        "string" => Bson::String(String::new()),
        "bool" => Bson::Boolean(false),
        "int" | "long" => Bson::Int32(0),
        "double" => Bson::Double(0.0),
        "objectId" => ObjectId::from_bytes([0; 12]).into(),
        "date" => DateTime::from_millis(0).into(),
        "decimal" => Bson::Decimal128("0".parse::<Decimal128>().ok()?),
        "binData" => Binary::from(Uuid::from_bytes([0; 16])).into(),
        "timestamp" => Bson::Timestamp(Timestamp {
            time: 0,
            increment: 0,
        }),
        _ => return None,
    })
}
