//! Formats values as Rust code.

use mongo_odm::bson::{Bson, Document};

use crate::declaration::{Field, What};

/// Generates a value of a field, or of an element of its array.
pub(super) fn value(field: &Field, value: &Bson, is_element: bool) -> String {
    let one = |value: &Bson| match (&field.what, value) {
        (What::Embed(embed), Bson::Document(part)) => {
            format!("read::<{}>(doc! {})", embed.name, document(part))
        }
        (What::About(about), Bson::Document(part)) => {
            format!("read::<{}>(doc! {})", about.name, document(part))
        }
        (What::Key(it) | What::Keys(it), Bson::Int64(key)) if it.by.is_none() => {
            format!("Id::from_key({key})")
        }
        (_, Bson::Null) => "None".to_owned(),
        (_, Bson::String(_)) if matches!(field.what, What::Texts(_)) => {
            format!("{}.to_owned()", literal(value))
        }
        _ => literal(value),
    };
    match value {
        Bson::Array(all) if !is_element => {
            format!(
                "vec![{}]",
                all.iter().map(one).collect::<Vec<_>>().join(", ")
            )
        }
        value => one(value),
    }
}

/// Generates a document for the macro `doc!`.
pub(super) fn document(document: &Document) -> String {
    let fields: Vec<String> = document
        .iter()
        .map(|(name, value)| format!("\"{name}\": {}", literal(value)))
        .collect();
    if fields.is_empty() {
        "{}".to_owned()
    } else {
        format!("{{ {} }}", fields.join(", "))
    }
}

/// Generates a value for the macro `doc!`.
pub(super) fn literal(value: &Bson) -> String {
    match value {
        Bson::Int64(value) => format!("{value}_i64"),
        Bson::Int32(value) => value.to_string(),
        Bson::Double(value) => format!("{value:?}"),
        Bson::String(text) => format!("{text:?}"),
        Bson::Null => "null".to_owned(),
        Bson::Document(it) => document(it),
        Bson::Array(all) => format!(
            "[{}]",
            all.iter().map(literal).collect::<Vec<_>>().join(", ")
        ),
        other => other.to_string(),
    }
}
