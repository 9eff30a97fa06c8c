//! Conditions that compare a stored struct with a struct in the application, but ignore copies.
//!
//! The copies in a loaded struct stay as they were read, whereas the stored copies follow their sources. Therefore
//! `pull` and filters compare only the other fields. Snapshots are compared, because they do not change. `$addToSet`
//! does not require such a condition, because the library updates the copies in its elements first.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    model::shape::{FieldShape, StructShape, any_field},
    value::{key::add_equality, path::join},
};

/// Conditions for an array element that is equal to one of several operands.
pub(crate) struct SameElements {
    /// The conditions, with one document for each operand that is a struct.
    pub(crate) structs: Vec<Document>,
    /// Whether `None` is one of the operands.
    pub(crate) has_none: bool,
}

/// Returns the conditions for an element that equals one of the operands.
///
/// Returns `None` if the server can compare the operands itself because the elements do not contain copies, or because
/// no operand is a struct.
pub(crate) fn same_elements(field: Option<&FieldShape>, operands: &[Bson]) -> Option<SameElements> {
    let embedded = embedded_with_copies(field?)?;
    let structs = operands.iter().filter_map(Bson::as_document);
    let structs: Vec<Document> = structs.map(|it| conditions_on(embedded, it, "")).collect();
    (!structs.is_empty()).then(|| SameElements {
        has_none: structs.len() < operands.len(),
        structs,
    })
}

/// Returns a filter that compares a field with a struct that contains copies, or with a list of such structs. An array
/// also matches if it contains the struct.
///
/// `array` is the path of the innermost array around the field. All conditions must be true for the same element of
/// this array.
pub(crate) fn same_value(
    field: &FieldShape,
    path: &str,
    array: Option<&str>,
    value: &Bson,
) -> Option<Document> {
    let embedded = embedded_with_copies(field)?;
    match value {
        Bson::Document(element) if field.array => {
            let conditions = conditions_on(embedded, element, "");
            Some(doc! { path: { "$elemMatch": conditions } })
        }
        Bson::Document(_) => same_element(field, path, array, value),
        Bson::Array(_) if field.array && array.is_none() => {
            let mut conditions = Document::new();
            same_field(field, value, path, &mut conditions);
            Some(conditions)
        }
        _ => None,
    }
}

/// Returns a filter for documents that contain a given struct at the path of a field or of one array element.
pub(crate) fn same_element(
    field: &FieldShape,
    path: &str,
    array: Option<&str>,
    value: &Bson,
) -> Option<Document> {
    let (embedded, value) = (embedded_with_copies(field)?, value.as_document()?);
    let Some(array) = array else {
        return Some(conditions_on(embedded, value, path));
    };
    let inside = path.strip_prefix(array)?.strip_prefix('.')?;
    let conditions = conditions_on(embedded, value, inside);
    Some(doc! { array: { "$elemMatch": conditions } })
}

fn conditions_on(shape: &StructShape, value: &Document, path: &str) -> Document {
    let mut conditions = Document::new();
    same_struct(shape, value, path, &mut conditions);
    conditions
}

fn embedded_with_copies(field: &FieldShape) -> Option<&'static StructShape> {
    let embedded = field.embed?();
    any_field(embedded.fields, FieldShape::is_synchronized_copy).then_some(embedded.shape)
}

/// Adds one condition for each field of a struct that is stored at a path.
fn same_struct(shape: &StructShape, value: &Document, path: &str, conditions: &mut Document) {
    let fields = fields_of(shape.fields);
    for (name, stored) in value {
        let field = fields.iter().find(|field| field.stored == name);
        let path = join(path, name);
        match field {
            Some(field) if field.is_synchronized_copy() => {}
            Some(field) => same_field(field, stored, &path, conditions),
            // The value belongs to a flattened map.
            None => add_equality(conditions, path, stored.clone()),
        }
    }
    let is_missing =
        |field: &&&FieldShape| !field.is_synchronized_copy() && !value.contains_key(field.stored);
    for field in fields.iter().filter(is_missing) {
        add_equality(conditions, join(path, field.stored), Bson::Null);
    }
}

/// Lists the fields of a struct and of all structs that are flattened into it.
fn fields_of(fields: &'static [FieldShape]) -> Vec<&'static FieldShape> {
    let mut all = Vec::new();
    for field in fields {
        match field.embed.filter(|_| field.flatten) {
            Some(embed) => all.extend(fields_of(embed().fields)),
            None if field.flatten => {}
            None => all.push(field),
        }
    }
    all
}

fn same_field(field: &FieldShape, value: &Bson, path: &str, conditions: &mut Document) {
    match (embedded_with_copies(field), value) {
        (Some(inner), Bson::Document(value)) => same_struct(inner, value, path, conditions),
        (Some(inner), Bson::Array(items)) => {
            let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
            conditions.insert(path, doc! { "$size": length });
            for (at, item) in items.iter().enumerate() {
                let path = join(path, &at.to_string());
                match item {
                    Bson::Document(item) => same_struct(inner, item, &path, conditions),
                    item => add_equality(conditions, path, item.clone()),
                }
            }
        }
        (_, value) => add_equality(conditions, path.to_owned(), value.clone()),
    }
}
