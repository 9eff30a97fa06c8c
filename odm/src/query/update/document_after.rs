//! Computes the document after an update from the document before the update.
//!
//! `findAndModify` does not report whether it has changed the document. If derived data depends on an update, the
//! library determines `UpdateReport::modified` by a comparison:
//!
//! 1. `findAndModify` returns the document before the update.
//! 2. If the update only sets and unsets whole fields, this module computes the document after the update.
//! 3. Otherwise a `find` reads the document after the update.

use mongodb::{
    bson::{Bson, Document, RawDocument, RawDocumentBuf},
    options::UpdateModifications,
};

use crate::client::command::is_unknown;

/// Returns the state of a document after an update that only sets and unsets whole fields and increments the version.
/// Returns `None` if only the server can compute this state. `version` is the stored name of the version field.
///
/// Only the server can compute the document if a path is inside an array, or if the embedded document that should
/// contain the field does not exist. The same applies if the update adds several fields, because the server determines
/// their order.
pub(crate) fn known_after(
    before: &RawDocument,
    update: &UpdateModifications,
    version: Option<&str>,
) -> Option<RawDocumentBuf> {
    let (document, new) = computed_after(before, update, version)?;
    (new <= 1).then_some(document)
}

/// Returns the state of a document after an update, and the number of fields that the update has added. Unlike
/// [`known_after`], this function also returns a document whose new fields the server might store in a different order.
pub(crate) fn computed_after(
    before: &RawDocument,
    update: &UpdateModifications,
    version: Option<&str>,
) -> Option<(RawDocumentBuf, usize)> {
    let UpdateModifications::Document(operators) = update else {
        return None;
    };
    let mut document = Document::try_from(before).ok()?;
    let mut new = 0;
    for (operator, fields) in operators {
        for (path, value) in fields.as_document()? {
            let was_there = match operator.as_str() {
                // The server replaces an empty timestamp with the current time.
                "$set" if matches!(value, Bson::Timestamp(_)) => return None,
                "$set" => put_known(&mut document, path, Some(value))?,
                "$unset" => put_known(&mut document, path, None)?,
                "$inc" if version == Some(path) => increment(&mut document, path, value)?,
                _ => return None,
            };
            new += usize::from(operator != "$unset" && !was_there);
        }
    }
    Some((RawDocumentBuf::try_from(&document).ok()?, new))
}

/// Increments the version of a document. Returns whether there was already a version, or `None` if only the server
/// knows the type of the result.
fn increment(document: &mut Document, version: &str, by: &Bson) -> Option<bool> {
    let before = match document.get(version) {
        None => None,
        Some(Bson::Int64(before)) => Some(*before),
        Some(Bson::Int32(before)) => Some(i64::from(*before)),
        // In a plan, the version is unknown.
        Some(before) if is_unknown(before) => return Some(true),
        Some(_) => return None,
    };
    document.insert(version, before.unwrap_or(0).checked_add(by.as_i64()?)?);
    Some(before.is_some())
}

/// Writes a value at a path, or removes the value there. Returns whether there was already a value at the path, or
/// `None` if the path passes through something other than a document.
fn put_known(document: &mut Document, path: &str, value: Option<&Bson>) -> Option<bool> {
    if let Some((head, rest)) = path.split_once('.') {
        return put_known(document.get_mut(head)?.as_document_mut()?, rest, value);
    }
    Some(match value {
        Some(value) => document.insert(path, value.clone()).is_some(),
        None => document.remove(path).is_some(),
    })
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn after(update: Document) -> Option<Document> {
        after_with(update, None)
    }

    fn after_with(update: Document, version: Option<&str>) -> Option<Document> {
        let before = doc! { "_id": 1, "a": { "b": 1, "c": [{ "d": 1 }] }, "e": 2, "f": null };
        let before = RawDocumentBuf::try_from(&before).unwrap();
        let after = known_after(&before, &UpdateModifications::Document(update), version)?;
        Some(Document::try_from(&*after).unwrap())
    }

    #[test]
    fn fields_keep_their_places_and_a_new_one_is_the_last() {
        let set = doc! { "$set": { "a.b": 3, "g": "new" }, "$unset": { "e": "" } };
        let known = doc! { "_id": 1, "a": { "b": 3, "c": [{ "d": 1 }] }, "f": null, "g": "new" };
        assert_eq!(after(set), Some(known));
        let below = doc! { "$set": { "a.n": 3 } };
        let known =
            doc! { "_id": 1, "a": { "b": 1, "c": [{ "d": 1 }], "n": 3 }, "e": 2, "f": null };
        assert_eq!(after(below), Some(known));
    }

    #[test]
    fn a_version_is_increased_where_it_is() {
        let inc = |path: &str| after_with(doc! { "$inc": { path: 1_i64 } }, Some(path));
        let known = doc! { "_id": 1, "a": { "b": 1, "c": [{ "d": 1 }] }, "e": 3_i64, "f": null };
        assert_eq!(inc("e"), Some(known));
        assert_eq!(inc("v").unwrap().get("v"), Some(&Bson::Int64(1)));
        assert_eq!(inc("f"), None);
        assert_eq!(after(doc! { "$inc": { "e": 1_i64 } }), None);
    }

    #[test]
    fn what_the_server_alone_knows_is_left_to_it() {
        let time = Bson::Timestamp(mongodb::bson::Timestamp {
            time: 0,
            increment: 0,
        });
        for update in [
            doc! { "$set": { "y": 1, "x": 2 } },
            doc! { "$set": { "a.c.0.d": 2 } },
            doc! { "$set": { "a.c.$[].d": 2 } },
            doc! { "$set": { "h.i": 2 } },
            doc! { "$set": { "f.i": 2 } },
            doc! { "$set": { "e": time } },
            doc! { "$unset": { "a.c.0": "" } },
            doc! { "$inc": { "e": 2 } },
            doc! { "$push": { "a.c": 2 } },
        ] {
            assert_eq!(after(update.clone()), None, "{update}");
        }
        let pipeline = UpdateModifications::Pipeline(vec![doc! { "$set": { "e": 1 } }]);
        let before = RawDocumentBuf::new();
        assert_eq!(known_after(&before, &pipeline, None), None);
    }
}
