//! Checks of declared indexes that the derive cannot make, because an embedded struct can belong to several models.

use mongodb::bson::{Bson, Document};

use super::spec::{IndexSpec, sign};
use crate::{
    error::{Error, Result},
    model::shape::{IndexShape, ModelShape, StoredField, walk},
    query::field::is_text,
    value::{bson_form::BsonForm, path::covers},
};

/// Checks the keys and options of a declared index.
///
/// # Errors
///
/// [`Error::Declaration`] if the server would reject the index or the documents.
pub(super) fn check_declared(
    model: &ModelShape,
    shape: &IndexShape,
    spec: &IndexSpec,
) -> Result<()> {
    if shape.sparse {
        check_sparse(model, spec)?;
    }
    check_expiring(model, spec)?;
    check_text(model, spec)?;
    check_arrays(model, spec)?;
    check_hashed(model, spec)
}

/// Rejects a TTL index on a value that is not stored as a date. The derive checks only the fields of the model itself.
fn check_expiring(model: &ModelShape, spec: &IndexSpec) -> Result<()> {
    if !spec.options.contains_key("expireAfterSeconds") {
        return Ok(());
    }
    let is_no_date = |field: &StoredField| {
        let form = field.shape.form.map(|form| form());
        field.shape.codec.is_some_and(is_text) || form.is_some_and(|form| !form.can_be("date"))
    };
    let fields = walk(model.fields).into_iter();
    let mut keys = fields.filter(|field| spec.keys.contains_key(&field.path));
    let Some(field) = keys.find(is_no_date) else {
        return Ok(());
    };
    Err(Error::Declaration(format!(
        "the index `{}` ({}) deletes documents after a date, but `{}` is not stored as a date, so no document would expire; \
         make it a `DateTime`, or a date of another crate with `#[serde(with = \"mongo_odm::with::native\")]`",
        spec.name, spec.origin, field.path
    )))
}

/// Rejects a text index on a value that is not stored as a string, because the index would not contain the value.
fn check_text(model: &ModelShape, spec: &IndexSpec) -> Result<()> {
    let is_text = |path: &str| spec.keys.get(path).and_then(Bson::as_str) == Some("text");
    let is_no_string = |field: &StoredField| {
        let form = field.shape.form.map(|form| form());
        form.is_some_and(|form| !form.can_be("string"))
    };
    let fields = walk(model.fields).into_iter();
    let mut keys = fields.filter(|field| is_text(&field.path));
    let Some(field) = keys.find(is_no_string) else {
        return Ok(());
    };
    Err(Error::Declaration(format!(
        "the text index `{}` ({}) contains `{}`, which is not stored as a string, so a search does not find its values; remove \
         the field from the index",
        spec.name, spec.origin, field.path
    )))
}

/// Rejects `sparse` on an index to which the library adds a condition or the tenant. The derive checks only the fields
/// of the model itself, because the fields of an embedded struct can belong to several models.
fn check_sparse(model: &ModelShape, spec: &IndexSpec) -> Result<()> {
    let why = if spec.options.contains_key("partialFilterExpression") {
        "is partial because of the kind or the deleted documents of the model, and an index cannot be partial and `sparse`"
    } else if model
        .tenant()
        .is_some_and(|tenant| spec.keys.contains_key(tenant))
    {
        "begins with the tenant of the model, so a `sparse` index contains all documents"
    } else {
        return Ok(());
    };
    Err(Error::Declaration(format!(
        "the index `{}` ({}) {why}; write `partial = r#\"{{\"field\": {{\"$exists\": true}}}}\"#` instead of `sparse`",
        spec.name, spec.origin
    )))
}

/// Rejects an index over two arrays, unless one of them contains the other. The server would reject each document that
/// contains both arrays, even if they are empty. The derive checks only the fields of the model itself.
fn check_arrays(model: &ModelShape, spec: &IndexSpec) -> Result<()> {
    let fields = walk(model.fields);
    let ordered = spec.keys.iter().filter(|(_, kind)| sign(kind).is_some());
    let arrays: Vec<_> = ordered.map(|(path, _)| arrays_on(&fields, path)).collect();
    let most = arrays.iter().max_by_key(|arrays| arrays.len());
    let most = most.map_or(&[][..], Vec::as_slice);
    let Some(other) = arrays.iter().find(|arrays| !most.starts_with(arrays)) else {
        return Ok(());
    };
    Err(Error::Declaration(format!(
        "the index `{}` ({}) contains keys of the arrays `{}` and `{}`, and the server rejects each document that contains \
         both; move the keys of one of them to another index",
        spec.name,
        spec.origin,
        most.last().unwrap_or(&""),
        other.last().unwrap_or(&"")
    )))
}

/// Lists the paths of the arrays that contain the field with the given path, the outermost first.
fn arrays_on<'f>(fields: &'f [StoredField], path: &str) -> Vec<&'f str> {
    let arrays = fields
        .iter()
        .filter(|field| field.shape.array && covers(&field.path, path));
    let mut arrays: Vec<&str> = arrays.map(|field| field.path.as_str()).collect();
    arrays.sort_by_key(|path| path.len());
    arrays
}

/// Rejects a hashed index on a field inside an array. With such an index, the server would reject each document.
fn check_hashed(model: &ModelShape, spec: &IndexSpec) -> Result<()> {
    let mut hashed = spec.keys.iter();
    let hashed = hashed.find(|(_, kind)| kind.as_str() == Some("hashed"));
    let Some((path, _)) = hashed else {
        return Ok(());
    };
    let is_in_array = walk(model.fields)
        .iter()
        .any(|field| field.path == *path && (field.shape.array || field.arrays_above > 0));
    if !is_in_array {
        return Ok(());
    }
    Err(Error::Declaration(format!(
        "the index `{}` ({}) is `hashed`, but `{path}` is or lies in an array, which the server cannot hash; write \
         `#[index]`",
        spec.name, spec.origin
    )))
}

/// Checks that the fields in a partial filter exist, and that their enums have the variants in the filter. The filter
/// contains the stored names of the fields and variants, not the Rust names.
///
/// An index for all kinds can have conditions on fields of other kinds, so such an index is not checked.
///
/// # Errors
///
/// [`Error::Declaration`] if a field or a variant does not exist. The message contains its name.
pub(super) fn check_partial(
    model: &ModelShape,
    shape: &IndexShape,
    filter: &Document,
    spec: &IndexSpec,
) -> Result<()> {
    let fields = walk(model.fields);
    // A flattened map can contain fields with any name.
    let is_flattened_map = |it: &StoredField| it.shape.flatten && it.shape.embed.is_none();
    if shape.all_kinds || fields.iter().any(is_flattened_map) {
        return Ok(());
    }
    let is_known = |path: &str| {
        path == "_id"
            || model.kind.is_some_and(|kind| kind.field == path)
            || fields.iter().any(|field| {
                field.path == path || (field.shape.embed.is_none() && covers(&field.path, path))
            })
    };
    let mut conditions = Vec::new();
    add_conditions(filter, &mut conditions);
    check_values(model, &fields, &conditions, spec)?;
    let mut paths = conditions.into_iter().map(|(path, _)| path);
    let Some(unknown) = paths.find(|path| !is_known(path)) else {
        return Ok(());
    };
    let by_rust_name = fields.iter().find(|field| field.shape.name == unknown);
    let remedy = by_rust_name.map_or_else(
        || "write the name of a field as it is stored".to_owned(),
        |field| format!("write `{}`, the name in documents", field.path),
    );
    Err(Error::Declaration(format!(
        "`partial` of the index `{}` ({}) has a condition on `{unknown}`, but documents of `{}` have no such field; {remedy}",
        spec.name, spec.origin, model.name
    )))
}

/// Rejects a condition on an enum that no document can match, because serde never stores the given string.
fn check_values(
    model: &ModelShape,
    fields: &[StoredField],
    conditions: &[(&str, &Bson)],
    spec: &IndexSpec,
) -> Result<()> {
    for (path, value) in conditions {
        let field = fields.iter().find(|field| field.path == *path);
        let form = field.and_then(|field| field.shape.form).map(|form| form());
        let Some(names) = form.as_ref().and_then(BsonForm::names) else {
            continue;
        };
        let mut texts = compared(value).into_iter().filter_map(Bson::as_str);
        let Some(unknown) = texts.find(|text| !names.contains(text)) else {
            continue;
        };
        return Err(Error::Declaration(format!(
            "`partial` of the index `{}` ({}) compares `{path}` with \"{unknown}\", but documents of `{}` contain only \"{}\"; \
             write the name of a variant as it is stored",
            spec.name,
            spec.origin,
            model.name,
            names.join("\", \"")
        )));
    }
    Ok(())
}

/// Lists the values that a condition compares by equality, `$eq` or `$in`.
fn compared(condition: &Bson) -> Vec<&Bson> {
    let Bson::Document(operators) = condition else {
        return vec![condition];
    };
    let listed = operators.get_array("$in").ok();
    let equal = operators.get("$eq").into_iter();
    equal.chain(listed.into_iter().flatten()).collect()
}

/// Collects the conditions of a filter, each with its path.
fn add_conditions<'f>(filter: &'f Document, conditions: &mut Vec<(&'f str, &'f Bson)>) {
    for (key, value) in filter {
        match value {
            Bson::Array(all) if key.starts_with('$') => {
                let all = all.iter().filter_map(Bson::as_document);
                all.for_each(|inner| add_conditions(inner, conditions));
            }
            _ if key.starts_with('$') => {}
            _ => conditions.push((key, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{DateTime, doc};

    use super::*;
    use crate::{
        index::IndexOrigin,
        model::shape::{Containers, EmbeddedStruct, FieldShape, StructShape},
        value::bson_form::HasBsonForm,
    };

    const INNER: StructShape = StructShape::new(
        "Login",
        &[
            FieldShape::new("at", "at").form(Some(DateTime::bson_form), None),
            FieldShape::new("text", "text").form(Some(String::bson_form), None),
            FieldShape::new("coded", "coded").codec("mongo_odm::with::text"),
        ],
    );
    const SESSION: ModelShape = ModelShape::new(
        "Session",
        "sessions",
        &[FieldShape::new("login", "login").of_type(
            false,
            false,
            Some(|| EmbeddedStruct::new(&INNER, Containers::NONE)),
        )],
    );

    #[test]
    fn a_text_index_of_a_value_that_is_no_string_is_rejected() {
        let check = |path: &str| {
            let spec = IndexSpec {
                collection: "sessions".to_owned(),
                name: "texts".to_owned(),
                keys: doc! { path: "text" },
                options: doc! {},
                origin: IndexOrigin::Declared("Session".to_owned()),
            };
            check_text(&SESSION, &spec)
        };
        check("login.text").unwrap();
        check("login.coded").unwrap();
        let message = check("login.at").unwrap_err().to_string();
        assert!(message.contains("contains `login.at`"), "{message}");
    }

    const ITEM: StructShape = StructShape::new(
        "Item",
        &[
            FieldShape::new("sku", "sku"),
            FieldShape::new("tags", "tags").of_type(true, false, None),
            FieldShape::new("notes", "notes").of_type(true, false, None),
        ],
    );
    const ORDER: ModelShape = ModelShape::new(
        "Order",
        "orders",
        &[
            FieldShape::new("items", "items").of_type(
                true,
                false,
                Some(|| EmbeddedStruct::new(&ITEM, Containers::NONE.in_array())),
            ),
            FieldShape::new("first", "first").of_type(
                false,
                false,
                Some(|| EmbeddedStruct::new(&ITEM, Containers::NONE)),
            ),
        ],
    );

    #[test]
    fn two_arrays_inside_embedded_structs_are_rejected() {
        let check = |keys: Document| {
            let spec = IndexSpec {
                collection: "orders".to_owned(),
                name: "arrays".to_owned(),
                keys,
                options: doc! {},
                origin: IndexOrigin::Declared("Order".to_owned()),
            };
            check_arrays(&ORDER, &spec)
        };
        for right in [
            doc! { "items.tags": 1, "items.sku": 1, "first.sku": 1 },
            doc! { "items.sku": 1, "items.tags": 1 },
            doc! { "first.sku": 1, "first.tags": 1 },
            doc! { "first.notes": "text", "first.tags": "text" },
        ] {
            check(right).unwrap();
        }
        for (wrong, expected) in [
            (
                doc! { "first.tags": 1, "first.notes": 1 },
                "`first.notes` and `first.tags`",
            ),
            (
                doc! { "items.tags": 1, "items.notes": 1 },
                "`items.notes` and `items.tags`",
            ),
            (
                doc! { "first.tags": 1, "items.tags": 1 },
                "`items.tags` and `first.tags`",
            ),
        ] {
            let message = check(wrong).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn an_index_that_would_delete_nothing_is_rejected() {
        let check = |path: &str| {
            let spec = IndexSpec {
                collection: "sessions".to_owned(),
                name: "expiring".to_owned(),
                keys: doc! { path: 1 },
                options: doc! { "expireAfterSeconds": 5 },
                origin: IndexOrigin::Declared("Session".to_owned()),
            };
            check_expiring(&SESSION, &spec)
        };
        check("login.at").unwrap();
        for path in ["login.text", "login.coded"] {
            let message = check(path).unwrap_err().to_string();
            let expected = format!("`{path}` is not stored as a date");
            assert!(message.contains(&expected), "{message}");
        }
    }
}
