//! Converts a struct to a projection in the server's syntax.
//!
//! If a projection includes `lines.name`, the server drops the elements of `lines` that are not documents, so the
//! positions of later elements change. Therefore, if a null in a field has a meaning, the projection contains an
//! expression for the whole top-level field instead of paths. The expression returns the same fields of each document,
//! and leaves all other values unchanged.

use mongodb::bson::{Bson, Document, doc};

use super::{EmbeddedStruct, FieldShape, StructShape, const_checks::has_own_other_names};

/// Lists the paths that a projection requests.
pub(crate) fn projected_paths(fields: &'static [FieldShape]) -> Vec<String> {
    let mut paths = Vec::new();
    projected_into(fields, "", &mut Vec::new(), &mut paths);
    paths
}

/// Adds the paths of a struct's fields. `above` are the structs on the path `prefix`. A struct inside a struct of the
/// same type is requested as a whole, because its depth is not limited.
fn projected_into(
    fields: &'static [FieldShape],
    prefix: &str,
    above: &mut Vec<&'static StructShape>,
    paths: &mut Vec<String>,
) {
    for field in fields {
        let path = if field.flatten {
            prefix.to_owned()
        } else {
            join(prefix, field.stored)
        };
        // A codec can store the struct in any form.
        let embed = field.embed.filter(|_| field.codec.is_none());
        let embed = embed.map(|embed| embed()).filter(|embed| {
            let is_nested = above.iter().any(|it| it.is_same(embed.shape));
            field.flatten || (has_known_names(embed) && !is_nested)
        });
        match embed {
            Some(embed) => {
                above.push(embed.shape);
                projected_into(embed.shape.fields, &path, above, paths);
                above.pop();
            }
            None => paths.push(path),
        }
    }
}

/// Returns whether serde reads a struct only from fields that have the declared names. The result is true unless the
/// struct is an enum, one of its fields has an `alias`, or the struct flattens a map.
fn has_known_names(embed: &EmbeddedStruct) -> bool {
    !embed.is_polymorphic() && !has_other_names(embed.fields)
}

fn has_other_names(fields: &[FieldShape]) -> bool {
    fields.iter().any(|field| {
        let flattened = field.embed.filter(|_| field.flatten);
        has_own_other_names(field) || flattened.is_some_and(|embed| has_other_names(embed().fields))
    })
}

/// Returns a projection that includes the given paths. `fields` are the fields of the documents. The projection
/// excludes `_id` unless a path requests it.
pub(crate) fn inclusion(fields: &'static [FieldShape], paths: &[String]) -> Document {
    let mut document = Document::new();
    for (top, below) in grouped(paths.iter().map(String::as_str)) {
        if keeps_nulls(fields, top, &below) {
            let value = expression(fields, top, &below, &format!("${top}"), 0);
            document.insert(top, value);
        } else {
            document.extend(below.into_iter().map(|path| (join(top, path), 1.into())));
        }
    }
    if !document.contains_key("_id") {
        document.insert("_id", 0);
    }
    document
}

/// Groups paths by their first segment and keeps their order. Each group contains the remaining segments of its paths.
/// If a path consists of only one segment, its remainder is empty.
fn grouped<'p>(paths: impl IntoIterator<Item = &'p str>) -> Vec<(&'p str, Vec<&'p str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for path in paths {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        match groups.iter_mut().find(|(name, _)| *name == first) {
            Some((_, rests)) => rests.push(rest),
            None => groups.push((first, vec![rest])),
        }
    }
    groups
}

/// Returns the struct that a field embeds. `name` is the stored name of the field.
fn embedded(fields: &'static [FieldShape], name: &str) -> Option<EmbeddedStruct> {
    fields.iter().find_map(|field| {
        let embed = field.embed?();
        if field.flatten {
            return embedded(embed.fields, name);
        }
        (field.stored == name && !embed.is_polymorphic()).then_some(embed)
    })
}

/// Returns whether a null in a field, or in a field below it, has a meaning. `below` are the requested paths inside the
/// field. A field that is requested as a whole keeps its nulls anyway.
fn keeps_nulls(fields: &'static [FieldShape], name: &str, below: &[&str]) -> bool {
    let embed = embedded(fields, name).filter(|_| !below.contains(&""));
    embed.is_some_and(|embed| {
        let inner = embed.shape.fields;
        let mut below = grouped(below.iter().copied()).into_iter();
        embed.containers.keeps_nulls || below.any(|(name, below)| keeps_nulls(inner, name, &below))
    })
}

/// Returns the expression that projects a field. `at` refers to the field, which may be inside arrays.
fn expression(
    fields: &'static [FieldShape],
    name: &str,
    below: &[&str],
    at: &str,
    depth: usize,
) -> Bson {
    match embedded(fields, name) {
        Some(embed) if !below.contains(&"") => {
            projection_of_struct(&embed, below, at, (embed.containers.arrays, depth))
        }
        // The whole field is returned, because it may contain the key that a join needs.
        _ => at.into(),
    }
}

/// Returns the expression that projects a struct inside a number of nested arrays. The expression does not change
/// values that are neither arrays nor documents.
fn projection_of_struct(
    embed: &EmbeddedStruct,
    below: &[&str],
    at: &str,
    (arrays, depth): (usize, usize),
) -> Bson {
    let (is_expected, shown) = if arrays > 0 {
        let item = format!("item{depth}");
        let element =
            projection_of_struct(embed, below, &format!("$${item}"), (arrays - 1, depth + 1));
        let map = doc! { "$map": { "input": at, "as": item, "in": element } };
        (doc! { "$isArray": [at] }, map)
    } else {
        let fields = grouped(below.iter().copied())
            .into_iter()
            .map(|(name, below)| {
                let at = format!("{at}.{name}");
                let value = expression(embed.shape.fields, name, &below, &at, depth);
                (name.to_owned(), value)
            });
        let is_document = doc! { "$eq": [{ "$type": at }, "object"] };
        (is_document, fields.collect())
    };
    doc! { "$cond": [is_expected, shown, at] }.into()
}

fn join(above: &str, name: &str) -> String {
    match (above, name) {
        ("", path) | (path, "") => path.to_owned(),
        (above, name) => format!("{above}.{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::shape::Containers;

    const LINE: StructShape = StructShape::new("Line", &[FieldShape::new("name", "name")]);
    const ORDER: &[FieldShape] = &[
        FieldShape::new("lines", "lines").of_type(
            true,
            false,
            Some(|| EmbeddedStruct::new(&LINE, Containers::NONE.in_option().in_array())),
        ),
        FieldShape::new("plain", "plain").of_type(
            true,
            false,
            Some(|| EmbeddedStruct::new(&LINE, Containers::NONE.in_array().in_option())),
        ),
    ];

    static COMMENT: StructShape = StructShape::new(
        "Comment",
        &[
            FieldShape::new("text", "text"),
            FieldShape::new("answers", "answers").of_type(true, false, Some(comments)),
        ],
    );

    fn comments() -> EmbeddedStruct {
        EmbeddedStruct::new(&COMMENT, Containers::NONE.in_array())
    }

    #[test]
    fn a_struct_inside_itself_is_requested_as_a_whole() {
        let fields: &[FieldShape] = const {
            &[FieldShape::new("comments", "comments").of_type(true, false, Some(comments))]
        };
        let shown = inclusion(fields, &projected_paths(fields));
        assert_eq!(
            shown,
            doc! { "comments.text": 1, "comments.answers": 1, "_id": 0 }
        );
    }

    #[test]
    fn only_a_field_whose_nulls_have_a_meaning_is_an_expression() {
        let shown = inclusion(ORDER, &projected_paths(ORDER));
        let line = doc! { "$cond": [
            { "$eq": [{ "$type": "$$item0" }, "object"] }, { "name": "$$item0.name" }, "$$item0"
        ] };
        let lines = doc! { "$map": { "input": "$lines", "as": "item0", "in": line } };
        let lines = doc! { "$cond": [{ "$isArray": ["$lines"] }, lines, "$lines"] };
        assert_eq!(shown, doc! { "lines": lines, "plain.name": 1, "_id": 0 });
        let whole = inclusion(ORDER, &["lines".to_owned()]);
        assert_eq!(whole, doc! { "lines": 1, "_id": 0 });
    }
}
