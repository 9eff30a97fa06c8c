//! Where a document does not fit its type, found with the decoder alone.
//!
//! A decoder reads the elements of a document in their order and stops at the first that does not fit. So
//! the rest behind an element is replaced by one that no decoder can read: if the error stays the same, the
//! decoder had stopped before it. That needs no decoder of its own for each type, which a program would
//! have to compile.

use mongodb::bson::{RawDocument, spec::ElementType};

use super::elements::{document_of, elements};
use crate::path::join;

/// An element of a type that BSON does not have.
const UNREADABLE: &[u8] = &[0x7e, b'?', 0];

/// Decodes a document again; an error is returned as its text.
pub(super) type Again<'a> = &'a dyn Fn(&[u8]) -> Option<String>;

/// Finds the path of the value that does not fit; none for the document itself.
pub(super) fn failing_path(
    document: &RawDocument,
    message: &str,
    again: Again<'_>,
) -> Option<String> {
    let fails = |whole: Vec<u8>| again(&whole).as_deref() == Some(message);
    let mut path = String::new();
    within(document, &fails, &mut path);
    (!path.is_empty()).then_some(path)
}

/// Adds the path within a document; `fails` tells whether the error stays the same with other bytes in its
/// place.
fn within(document: &RawDocument, fails: &dyn Fn(Vec<u8>) -> bool, path: &mut String) {
    let Ok(elements) = elements(document) else {
        return;
    };
    let bytes_of = |count: usize| -> Vec<u8> {
        let first = elements.iter().take(count);
        first.flat_map(|(_, bytes)| *bytes).copied().collect()
    };
    let fails_in_first = |count: usize| {
        let mut bytes = bytes_of(count);
        bytes.extend_from_slice(UNREADABLE);
        fails(document_of(&bytes))
    };
    // A decoder that has not looked inside, or fails at the end, where a field is missing.
    if fails_in_first(0) || !fails_in_first(elements.len()) {
        return;
    }
    let counts: Vec<usize> = (1..elements.len()).collect();
    let at = counts.partition_point(|&count| !fails_in_first(count));
    let Some(&(name, element)) = elements.get(at) else {
        return;
    };
    *path = join(path, name);
    let Some((head, inner)) = inner_document(name, element) else {
        return;
    };
    let before = bytes_of(at);
    let fails_inside = |inner: Vec<u8>| fails(document_of(&[&before, head, &inner].concat()));
    within(inner, &fails_inside, path);
}

/// Splits an element with a document or an array into its type and name, and its value.
fn inner_document<'a>(name: &str, element: &'a [u8]) -> Option<(&'a [u8], &'a RawDocument)> {
    let of_type = |of: ElementType| element.first() == Some(&(of as u8));
    if !of_type(ElementType::EmbeddedDocument) && !of_type(ElementType::Array) {
        return None;
    }
    let (head, value) = element.split_at_checked(1 + name.len() + 1)?;
    Some((head, RawDocument::from_bytes(value).ok()?))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use mongodb::bson::{Bson, Document, RawDocumentBuf, doc, oid::ObjectId};
    use serde::Deserialize;

    use super::super::decode;
    use crate::error::Error;

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "decoded alone")]
    struct Order {
        id: ObjectId,
        lines: Vec<Line>,
        by_name: Option<HashMap<String, Line>>,
        pay: Option<Pay>,
        other: Option<Bson>,
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "decoded alone")]
    struct Line {
        id: i32,
        prices: [f64; 2],
    }

    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "decoded alone")]
    enum Pay {
        Card { number: String },
        Cash,
    }

    fn line() -> Document {
        doc! { "id": 1, "prices": [1.0, 2.0] }
    }

    fn order(more: Document) -> Document {
        let mut order = doc! { "id": ObjectId::new(), "lines": [line(), line()] };
        order.extend(more);
        order
    }

    fn path_of<T: serde::de::DeserializeOwned + std::fmt::Debug>(document: &Document) -> String {
        let raw = RawDocumentBuf::try_from(document).unwrap();
        match decode::<T>("orders", &raw).unwrap_err() {
            Error::Decode { path, .. } => path,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn the_path_leads_to_the_value_that_does_not_fit() {
        for (more, path) in [
            (doc! { "id": true }, "id"),
            (doc! { "lines": 1 }, "lines"),
            (doc! { "lines": [line(), 1, line()] }, "lines.1"),
            (doc! { "lines": [line(), { "id": "1" }] }, "lines.1.id"),
            (
                doc! { "lines": [line(), { "prices": [1.0, 2.0], "id": "1", "x": 1 }, 2] },
                "lines.1.id",
            ),
            (
                doc! { "lines": [{ "id": 1, "prices": [1.0, "2"] }] },
                "lines.0.prices.1",
            ),
            // Too short: what is missing is missing in the array.
            (
                doc! { "lines": [{ "id": 1, "prices": [1.0] }] },
                "lines.0.prices",
            ),
            // A field is missing in the line, one of the same name is there outside.
            (
                doc! { "lines": [line(), { "prices": [1.0, 2.0] }] },
                "lines.1",
            ),
            (doc! { "by_name": { "a": line(), "b": [] } }, "by_name.b"),
            (
                doc! { "pay": { "Card": { "number": 1 } } },
                "pay.Card.number",
            ),
            (doc! { "pay": "Cheque" }, "pay"),
        ] {
            // Before, between and after fields that fit.
            let mut document = order(more.clone());
            assert_eq!(path_of::<Order>(&document), path, "{document}");
            document.extend(doc! { "zz": 1, "zzz": { "a": [1] } });
            assert_eq!(path_of::<Order>(&document), path, "{document}");
            let mut first = more.clone();
            let whole = order(doc! {});
            first.extend(
                whole
                    .into_iter()
                    .filter(|(name, _)| !more.contains_key(name)),
            );
            assert_eq!(path_of::<Order>(&first), path, "{first}");
        }
    }

    #[test]
    fn without_a_value_that_is_wrong_there_is_no_path() {
        let mut missing = order(doc! {});
        missing.remove("lines");
        assert_eq!(path_of::<Order>(&missing), "(document)");
        assert_eq!(path_of::<Order>(&doc! {}), "(document)");
    }
}
