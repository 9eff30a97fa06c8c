//! Documents that are about to be written, and the copies in them.

use std::collections::HashSet;

use foldhash::fast::RandomState;
use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, RawDocumentBuf, doc};

use crate::{
    codec::{document_of, elements},
    copy::{Expected, ExtendedReference, Resolved, Source, expected},
    error::Result,
    key::JoinKey,
    path::{ElementPath, each_value, put, raw_value_at},
};

pub(super) fn id_of(document: &RawDocument) -> Option<Bson> {
    Bson::try_from(document.get("_id").ok()??).ok()
}

/// Lists the keys of an extended reference in documents, each once.
pub(crate) fn keys_in<'d>(
    reference: &ExtendedReference,
    documents: impl IntoIterator<Item = &'d RawDocument>,
) -> Vec<JoinKey> {
    let (mut keys, mut seen) = (Vec::new(), HashSet::with_hasher(RandomState::default()));
    for document in documents {
        reference.place.each(document, &mut |inner| {
            if let Some(value) = raw_value_at(inner, &reference.key) {
                let key = JoinKey::from_raw(value);
                if !key.is_null() && !seen.contains(&key) {
                    seen.insert(key.clone());
                    keys.push(key);
                }
            }
        });
    }
    keys
}

/// Lists the keys of an extended reference of another program, which does not say what of its path is an array.
pub(super) fn foreign_keys_in<'d>(
    reference: &ExtendedReference,
    documents: impl IntoIterator<Item = &'d RawDocument>,
) -> Result<Vec<JoinKey>> {
    let path = reference.key_path();
    let top = path.split('.').next().unwrap_or(&path);
    let mut keys = Vec::new();
    let mut seen = HashSet::with_hasher(RandomState::default());
    for document in documents {
        let Ok(Some(value)) = document.get(top) else {
            continue;
        };
        let value = Bson::try_from(value).map_err(mongodb::error::Error::from)?;
        each_value(&doc! { top: value }, &path, &mut |key| {
            let key = JoinKey::from(key.clone());
            if !key.is_null() && seen.insert(key.clone()) {
                keys.push(key);
            }
        });
    }
    Ok(keys)
}

fn source_of<'r>(resolved: &'r Resolved, key: Option<RawBsonRef<'_>>) -> Source<'r> {
    let key = key.map(JoinKey::from_raw);
    match key.filter(|key| !key.is_null()) {
        None => Source::NoKey,
        Some(key) => resolved.get(&key).map_or(Source::Gone, Source::Is),
    }
}

pub(crate) fn differs(
    reference: &ExtendedReference,
    resolved: &Resolved,
    document: &RawDocument,
) -> bool {
    let mut found = false;
    reference.place.each(document, &mut |inner| {
        let source = source_of(resolved, raw_value_at(inner, &reference.key));
        found |= expected(reference, source)
            .any(|(copied, value)| !value.is(raw_value_at(inner, &copied.to)));
    });
    found
}

/// Returns a document with the values of its sources; none if it has them.
pub(super) fn filled(
    reference: &ExtendedReference,
    resolved: &Resolved,
    document: &RawDocument,
) -> Result<Option<RawDocumentBuf>> {
    if !differs(reference, resolved, document) {
        return Ok(None);
    }
    let mut paths = reference
        .fields
        .iter()
        .map(|it| &it.to)
        .chain([&reference.key]);
    let is_flat = reference.place == ElementPath::root() && paths.all(|path| !path.contains('.'));
    let filled = if is_flat {
        refilled(reference, resolved, document)
    } else {
        rebuilt(reference, resolved, document)
    };
    filled.map(Some)
}

/// Copies the fields of a document one by one and puts the copies in their places, where key and copies
/// are fields of the document itself. The others are not decoded: for an insert of 1,000 documents that is
/// a millisecond.
fn refilled(
    reference: &ExtendedReference,
    resolved: &Resolved,
    document: &RawDocument,
) -> Result<RawDocumentBuf> {
    let source = source_of(resolved, raw_value_at(document, &reference.key));
    let mut copies: Vec<_> = expected(reference, source)
        .filter(|(_, value)| *value != Expected::Any)
        .map(|(copied, value)| (copied.to.as_str(), value.stored()))
        .collect();
    let mut bytes = Vec::new();
    for (name, element) in elements(document)? {
        match copies.iter().position(|(copy, _)| *copy == name) {
            Some(at) => bytes.extend(encoded(copies.remove(at))?),
            None => bytes.extend_from_slice(element),
        }
    }
    for copy in copies {
        bytes.extend(encoded(copy)?);
    }
    Ok(RawDocumentBuf::from_bytes(document_of(&bytes)).map_err(mongodb::error::Error::from)?)
}

/// Returns the bytes of a field; none if it has no value.
fn encoded((name, value): (&str, Option<&Bson>)) -> Result<Vec<u8>> {
    let Some(value) = value else {
        return Ok(Vec::new());
    };
    let alone = RawDocumentBuf::try_from(&doc! { name: value.clone() });
    let alone = alone.map_err(mongodb::error::Error::from)?;
    let elements = elements(&alone)?;
    Ok(elements
        .first()
        .map_or(Vec::new(), |(_, bytes)| bytes.to_vec()))
}

fn rebuilt(
    reference: &ExtendedReference,
    resolved: &Resolved,
    document: &RawDocument,
) -> Result<RawDocumentBuf> {
    let mut owned = Document::try_from(document).map_err(mongodb::error::Error::from)?;
    reference.place.each_mut(&mut owned, &mut |inner| {
        let key = crate::path::value_at(inner, &reference.key).cloned();
        let key = key.map(JoinKey::from).filter(|key| !key.is_null());
        let source = match &key {
            None => Source::NoKey,
            Some(key) => resolved.get(key).map_or(Source::Gone, Source::Is),
        };
        for (copied, value) in expected(reference, source) {
            if value != Expected::Any {
                put(inner, &copied.to, value.stored().cloned());
            }
        }
    });
    Ok(RawDocumentBuf::try_from(&owned).map_err(mongodb::error::Error::from)?)
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;

    use super::*;
    use crate::{
        copy::{Copied, Values},
        shape::ModelShape,
    };

    static PARTS: ModelShape = ModelShape::new("Part", "parts", &[]);
    static LINES: ModelShape = ModelShape::new("Line", "lines", &[]);

    /// A reference `part` with copies `name` and `size` beside it.
    fn reference() -> &'static ExtendedReference {
        static TIE: OnceLock<ExtendedReference> = OnceLock::new();
        let copied = |name: &str| Copied {
            from: name.to_owned(),
            to: name.to_owned(),
            optional: false,
            empties: false,
        };
        TIE.get_or_init(|| ExtendedReference {
            name: "Line.part <- Part".to_owned(),
            relation: "lines.part <- parts._id".to_owned(),
            source: &PARTS,
            source_key: "_id".to_owned(),
            keys_in_source: false,
            target: &LINES,
            place: ElementPath::root(),
            key: "part".to_owned(),
            fields: vec![copied("name"), copied("size")],
            has_followers: false,
            foreign: false,
        })
    }

    #[test]
    fn a_document_that_is_copied_field_by_field_is_the_one_that_is_built_anew() {
        let values = [
            vec![Some(Bson::from("a longer name than before")), None],
            vec![Some(doc! { "deep": [1] }.into()), Some(Bson::Null)],
        ];
        let documents = [
            doc! { "_id": 1, "name": "old", "part": 7, "n": 1.5, "inner": { "name": "kept" } },
            doc! { "_id": 1, "size": 4_i64, "part": 7, "items": [1, "two", { "three": 3 }] },
            doc! { "part": 7 },
        ];
        for (values, document) in values
            .iter()
            .flat_map(|it| documents.iter().map(move |d| (it, d)))
        {
            let key = JoinKey::from(Bson::Int32(7));
            let resolved = Resolved::from_iter([(key, Values(values.clone()))]);
            let stored = RawDocumentBuf::try_from(document).unwrap();
            let one = refilled(reference(), &resolved, &stored).unwrap();
            let other = rebuilt(reference(), &resolved, &stored).unwrap();
            assert_eq!(
                Document::try_from(&*one).unwrap(),
                Document::try_from(&*other).unwrap()
            );
            assert_eq!(filled(reference(), &resolved, &one).unwrap(), None);
        }
    }
}
