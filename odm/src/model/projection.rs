//! Builds the projection that a query sends to the server.

use mongodb::bson::{Bson, Document};

use super::{
    derive_traits::Projection,
    shape::{StructShape, inclusion, projected_paths},
};
use crate::{
    error::{Error, Result},
    value::path::{beginnings, covers, overlap},
};

/// The projection for a query, including the join key that the caller requires.
#[derive(Clone, Debug, Default)]
pub(crate) struct Projected {
    /// The projection in the server's syntax. If it is `None`, the server sends documents in full.
    pub(crate) document: Option<Document>,
    /// A path that the server returns only for the join. The library removes the value at this path before decoding,
    /// because the struct would reject it.
    pub(crate) strip: Option<String>,
}

/// The form in which a projection is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProjectedBy {
    /// The fields of a struct.
    Struct,
    /// The fields of a struct that rejects unknown fields.
    StrictStruct,
    /// A document in the server's syntax, which your code provides. The document can contain computed values.
    Document,
}

impl ProjectedBy {
    pub(crate) const fn of_struct(strict: bool) -> Self {
        if strict {
            Self::StrictStruct
        } else {
            Self::Struct
        }
    }
}

impl Projected {
    /// Builds the projection for a projection type. The server's reply must also contain the path `key`.
    pub(crate) fn of_type<T, V: Projection<T>>(key: Option<&str>) -> Self {
        if V::__ODM_WHOLE {
            Self::default()
        } else {
            Self::new(V::SHAPE, V::__ODM_STRICT, key)
        }
    }

    /// Prepares a projection that your code provides in the server's syntax. Adds `key` if the server's reply would not
    /// contain it.
    pub(crate) fn plain(mut document: Document, key: Option<&str>) -> Result<Self> {
        if let Some(key) = key {
            add_key(&mut document, key)?;
        }
        Ok(Self {
            document: Some(document),
            strip: None,
        })
    }

    /// Builds the projection for a struct. The server's reply must also contain the path `key`.
    pub(crate) fn new(shape: &'static StructShape, strict: bool, key: Option<&str>) -> Self {
        let mut paths = projected_paths(shape.fields);
        let asked = key.is_none_or(|key| paths.iter().any(|path| covers(path, key)));
        let strip = key
            .filter(|_| strict && !asked)
            .and_then(|key| path_added_for(key, &paths));
        if let (Some(key), false) = (key, asked) {
            // The server rejects a projection that lists both `parts.id` and `parts.id.x`. The shorter path includes
            // the longer path.
            paths.retain(|path| !covers(key, path));
            paths.push(key.to_owned());
        }
        Self {
            document: Some(inclusion(shape.fields, &paths)),
            strip,
        }
    }

    /// Builds a projection that includes a single path.
    pub(crate) fn only_path(path: &str) -> Self {
        Self {
            document: Some(inclusion(&[], &[path.to_owned()])),
            strip: None,
        }
    }
}

/// Returns whether a projection lists the fields to include, so that the server leaves out all other fields.
pub(crate) fn includes(document: &Document) -> bool {
    let is_shown = |(_, value): (&String, &Bson)| !is_excluded(value);
    let deciding = || document.iter().filter(|(_, value)| !is_neutral(value));
    let mut others = deciding().filter(|(path, _)| *path != "_id").peekable();
    match others.peek() {
        Some(_) => others.any(is_shown),
        None => deciding().any(is_shown),
    }
}

/// Whether a value in a projection has no effect on which other fields the server returns: `$meta`, and the `$slice` of
/// a `find`, which has numbers only.
fn is_neutral(value: &Bson) -> bool {
    let operator = value.as_document().and_then(|value| value.iter().next());
    match operator {
        Some((name, _)) if name == "$meta" => true,
        Some((name, Bson::Array(slice))) if name == "$slice" => {
            slice.first().is_some_and(is_number)
        }
        Some((name, slice)) if name == "$slice" => is_number(slice),
        _ => false,
    }
}

/// Returns the path at which a projection computes a value, if this path overlaps the path of the given key. The reply
/// then contains a computed value instead of the stored value.
pub(crate) fn computed<'d>(document: &'d Document, key: &str) -> Option<&'d str> {
    let is_plain = |value: &Bson| is_number(value) || matches!(value, Bson::Boolean(_));
    let mut overlapping = document.iter().filter(|(path, _)| overlap(path, key));
    let computed = overlapping.find(|(_, value)| !is_plain(value))?;
    Some(computed.0.as_str())
}

const fn is_number(value: &Bson) -> bool {
    matches!(value, Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_))
}

/// Adds a join key to a projection that your code provides. The projection either includes or excludes fields.
fn add_key(document: &mut Document, key: &str) -> Result<()> {
    if let Some(path) = computed(document, key) {
        return Err(Error::invalid(format!(
            "the projection computes `{path}`, but the join needs the stored value; write `\"{key}\": 1`, and give the \
             computed value another name"
        )));
    }
    let includes = includes(document);
    let hidden = document
        .iter()
        .find(|(path, value)| is_excluded(value) && covers(path, key));
    match hidden {
        Some((path, _)) if path == "_id" && includes => {
            document.insert("_id", 1);
        }
        Some((path, _)) => {
            return Err(Error::invalid(format!(
                "the projection excludes `{path}`, which the join needs; do not exclude it"
            )));
        }
        None if includes && key != "_id" && !document.keys().any(|path| covers(path, key)) => {
            let below: Vec<String> = document
                .keys()
                .filter(|path| covers(key, path))
                .cloned()
                .collect();
            for path in below {
                document.remove(path);
            }
            document.insert(key, 1);
        }
        None => {}
    }
    Ok(())
}

/// Returns whether this value excludes a field in a projection.
pub(crate) fn is_excluded(value: &Bson) -> bool {
    matches!(
        value,
        Bson::Int32(0) | Bson::Int64(0) | Bson::Boolean(false)
    ) || matches!(value, Bson::Double(zero) if *zero == 0.0)
}

/// Returns the path that the server's reply contains only because of a join key. The result is the shortest beginning
/// of the key's path below which no other field is requested.
pub(crate) fn path_added_for(key: &str, paths: &[String]) -> Option<String> {
    let mut parents = beginnings(key);
    let alone = parents.find(|parent| !paths.iter().any(|path| covers(parent, path)));
    alone.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{RawDocumentBuf, doc};

    use super::*;
    use crate::model::shape::{Containers, EmbeddedStruct, FieldShape};
    use crate::value::path::without_path;

    const NAME: StructShape = StructShape::new("PartName", &[FieldShape::new("name", "name")]);

    #[test]
    fn computed_values_do_not_include_fields() {
        for all in [
            doc! { "score": { "$meta": "textScore" } },
            doc! { "tags": { "$slice": 2 }, "_id": 0 },
            doc! { "tags": { "$slice": [1, 2] }, "name": 0 },
        ] {
            assert!(!includes(&all), "{all}");
        }
        for some in [
            doc! { "_id": 1, "score": { "$meta": "textScore" } },
            doc! { "name": 1, "_id": 0 },
            doc! { "first": { "$slice": ["$tags", 1] } },
        ] {
            assert!(includes(&some), "{some}");
        }
    }

    #[test]
    fn a_join_adds_its_key_only_to_projections_that_include_fields() {
        let sliced = doc! { "tags": { "$slice": 2 } };
        let plain = Projected::plain(sliced.clone(), Some("owner")).unwrap();
        assert_eq!(plain.document, Some(sliced));
        let plain = Projected::plain(doc! { "_id": 1 }, Some("owner")).unwrap();
        assert_eq!(plain.document, Some(doc! { "_id": 1, "owner": 1 }));
    }

    #[test]
    fn a_join_key_is_not_computed() {
        for (computed, path) in [
            (doc! { "owner": { "$literal": 1 } }, "owner"),
            (doc! { "owner": "x" }, "owner"),
            (doc! { "owner.id": { "$add": ["$a", 1] } }, "owner.id"),
        ] {
            let error = Projected::plain(computed, Some("owner")).unwrap_err();
            let expected = format!("the projection computes `{path}`");
            assert!(error.to_string().contains(&expected), "{error}");
        }
    }

    #[test]
    fn a_key_below_a_projected_field_is_not_asked_for_twice() {
        const PARTS: StructShape = StructShape::new("P", &[FieldShape::new("parts", "parts")]);
        let projected = Projected::new(&PARTS, true, Some("parts.id"));
        assert_eq!(projected.document, Some(doc! { "parts": 1, "_id": 0 }));
        assert_eq!(projected.strip, None);
    }

    #[test]
    fn a_strict_struct_never_sees_the_key_it_did_not_ask_for() {
        const LINE: StructShape = StructShape::new("L", &[FieldShape::new("n", "n")]);
        const LINES: StructShape = StructShape::new(
            "P",
            &[FieldShape::new("lines", "lines").of_type(
                true,
                false,
                Some(|| EmbeddedStruct::new(&LINE, Containers::NONE)),
            )],
        );
        let reply = doc! { "name": "a", "lines": [{ "id": 1, "n": 2 }] };
        let raw = RawDocumentBuf::try_from(&reply).unwrap();
        let stripped = |shape: &'static StructShape| {
            let path = Projected::new(shape, true, Some("lines.id")).strip.unwrap();
            Document::try_from(&*without_path(&raw, &path).unwrap()).unwrap()
        };
        assert_eq!(stripped(&NAME), doc! { "name": "a" });
        assert_eq!(
            stripped(&LINES),
            doc! { "name": "a", "lines": [{ "n": 2 }] }
        );
    }
}
