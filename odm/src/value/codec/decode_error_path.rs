//! Finds the path of a value that does not match its type, by decoding changed versions of the document.
//!
//! A decoder reads the elements of a document in order and stops at the first one that does not match its type. So this
//! module replaces all elements after a position with an element that no decoder can read. If the error stays the same,
//! the decoder stopped before that position. With this method, a program does not have to compile a second decoder for
//! each type.
//!
//! Whether an element of an array or a map matches its type usually does not depend on the other elements. The same is
//! true for most fields of a struct. So the search halves the elements repeatedly, and decodes a half without the
//! elements before that half. In total, this costs about one more decoding of the whole document. If the element that
//! the search finds does not cause the same error alone, a second search includes all elements before the tested
//! position.

use std::ops::Range;

use mongodb::bson::{RawDocument, spec::ElementType};

use super::raw_elements::{document_from_elements, elements};
use crate::value::path::join;

/// An element of a type that does not exist in BSON.
const UNREADABLE: &[u8] = &[0x7e, b'?', 0];

/// Decodes a changed version of the document and returns the error message.
pub(super) type DecodeAgain<'a> = &'a dyn Fn(&[u8]) -> Option<String>;

/// Finds the path of the value that does not match its type. Returns `None` if the error is not about a field but about
/// the whole document.
pub(super) fn failing_path(
    document: &RawDocument,
    message: &str,
    again: DecodeAgain<'_>,
) -> Option<String> {
    let fails = |whole: Vec<u8>| again(&whole).as_deref() == Some(message);
    let mut path = String::new();
    add_path_within(document, &fails, &mut path);
    (!path.is_empty()).then_some(path)
}

/// Appends the rest of the path, which is inside this document. `fails` returns whether decoding other bytes in place
/// of this document causes the same error.
fn add_path_within(document: &RawDocument, fails: &dyn Fn(Vec<u8>) -> bool, path: &mut String) {
    let Ok(elements) = elements(document) else {
        return;
    };
    let (names, elements): (Vec<&str>, Vec<&[u8]>) = elements.into_iter().unzip();
    let bytes_of = |range: Range<usize>| elements.get(range).unwrap_or_default().concat();
    let fails_in = |range: Range<usize>| {
        let mut bytes = bytes_of(range);
        bytes.extend_from_slice(UNREADABLE);
        fails(document_from_elements(&bytes))
    };
    // The error occurs before the decoder reads any element.
    if elements.is_empty() || fails_in(0..0) {
        return;
    }
    let mut before = 0..0;
    let mut at = first_half_that_fails(0..elements.len(), &fails_in);
    if !fails_in(at..at + 1) {
        // The error occurs at the end of the document, because a field is missing.
        if !fails_in(0..elements.len()) {
            return;
        }
        let counts: Vec<usize> = (1..elements.len()).collect();
        at = counts.partition_point(|&count| !fails_in(0..count));
        before = 0..at;
    }
    let (Some(element), Some(name)) = (elements.get(at), names.get(at)) else {
        return;
    };
    *path = join(path, name);
    let Some((head, inner)) = inner_document(name, element) else {
        return;
    };
    let before = bytes_of(before);
    let fails_inside =
        |inner: Vec<u8>| fails(document_from_elements(&[&before, head, &inner].concat()));
    add_path_within(inner, &fails_inside, path);
}

/// Halves a range until one element is left. Each step keeps the first half if that half causes the error without the
/// other half. Otherwise, it keeps the second half.
fn first_half_that_fails(range: Range<usize>, fails_in: &dyn Fn(Range<usize>) -> bool) -> usize {
    let Range { mut start, mut end } = range;
    while end - start > 1 {
        let middle = start + (end - start) / 2;
        if fails_in(start..middle) {
            end = middle;
        } else {
            start = middle;
        }
    }
    start
}

/// Splits an element that contains a document or an array into its head (the type and the name) and its value.
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

    use crate::{error::Error, value::codec::decode};

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
            // This path is shorter than the real one, because the decoder reports a missing element at the array.
            (
                doc! { "lines": [{ "id": 1, "prices": [1.0] }] },
                "lines.0.prices",
            ),
            // The line lacks a field, and the outer document has a field of the same name.
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
            // The test places the wrong value after, between and before values that fit.
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

    /// The type of each element depends on the elements before it.
    #[test]
    fn elements_that_do_not_stand_by_themselves_are_found_with_what_is_before_them() {
        #[derive(Debug, Deserialize)]
        #[allow(dead_code, reason = "decoded alone")]
        struct Pair {
            pair: (String, i32, String),
        }
        let path = |pair: Vec<Bson>| path_of::<Pair>(&doc! { "pair": pair });
        assert_eq!(path(vec!["a".into(), "b".into(), "c".into()]), "pair.1");
        assert_eq!(path(vec!["a".into(), 1.into(), 2.into()]), "pair.2");
        assert_eq!(path(vec![1.into(), 1.into(), 2.into()]), "pair.0");
    }

    /// Counts the bytes that are decoded to find the last of many elements, instead of measuring the time.
    #[test]
    fn the_last_of_many_elements_is_found_with_few_decodings() {
        use std::cell::Cell;

        let mut lines = vec![line(); 1_000];
        lines.push(doc! { "id": "wrong" });
        let document = RawDocumentBuf::try_from(&order(doc! { "lines": lines })).unwrap();
        let read = Cell::new(0);
        let again = |bytes: &[u8]| {
            read.set(read.get() + bytes.len());
            crate::value::codec::bson_version::decode_bytes::<Order>(bytes).err()
        };
        let message = again(document.as_bytes()).unwrap();
        read.set(0);
        let path = super::failing_path(&document, &message, &again);
        assert_eq!(path.as_deref(), Some("lines.1000.id"));
        let whole = document.as_bytes().len();
        assert!(read.get() < whole * 3, "{} of {whole} bytes", read.get());
    }

    #[test]
    fn without_a_value_that_is_wrong_there_is_no_path() {
        let mut missing = order(doc! {});
        missing.remove("lines");
        assert_eq!(path_of::<Order>(&missing), "(document)");
        assert_eq!(path_of::<Order>(&doc! {}), "(document)");
    }
}
