//! Documents that are about to be written, and the copies in them.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use foldhash::fast::RandomState;
use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, RawDocumentBuf, doc};

use crate::{
    copy::{
        graph::Tie,
        place::{Place, raw_value_at},
        resolve::Resolved,
        tuple::{Expected, Source, expected},
    },
    error::Result,
    key::JoinKey,
    path::put,
};

pub(super) fn id_of(document: &RawDocument) -> Option<Bson> {
    Bson::try_from(document.get("_id").ok()??).ok()
}

/// Lists the keys of a tie in documents, each once.
pub(crate) fn keys_in<'d>(
    tie: &Tie,
    documents: impl IntoIterator<Item = &'d RawDocument>,
) -> Vec<JoinKey> {
    let (mut keys, mut seen) = (Vec::new(), HashSet::with_hasher(RandomState::default()));
    for document in documents {
        tie.place.each(document, &mut |inner| {
            if let Some(value) = raw_value_at(inner, &tie.key) {
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

fn source_of<'r>(resolved: &'r Resolved, key: Option<RawBsonRef<'_>>) -> Source<'r> {
    let key = key.map(JoinKey::from_raw);
    match key.filter(|key| !key.is_null()) {
        None => Source::NoKey,
        Some(key) => resolved.get(&key).map_or(Source::Gone, Source::Is),
    }
}

pub(crate) fn differs(tie: &Tie, resolved: &Resolved, document: &RawDocument) -> bool {
    let mut found = false;
    tie.place.each(document, &mut |inner| {
        let source = source_of(resolved, raw_value_at(inner, &tie.key));
        found |=
            expected(tie, source).any(|(copied, value)| !value.is(raw_value_at(inner, &copied.to)));
    });
    found
}

/// Gives documents the values of their sources, each value encoded once.
pub(super) struct Copier<'r> {
    tie: &'r Tie,
    resolved: &'r Resolved,
    /// Whether key and copies are fields of the document itself.
    flat: bool,
    /// Copies as elements of a document. The first has no bytes: a field that is to be taken out.
    encoded: Vec<Vec<u8>>,
    /// Where they are, by the number of the copied field and the address of its value.
    places: HashMap<(usize, usize), usize, RandomState>,
}

impl<'r> Copier<'r> {
    pub(super) fn new(tie: &'r Tie, resolved: &'r Resolved) -> Self {
        let mut paths = tie.fields.iter().map(|it| &it.to).chain([&tie.key]);
        Self {
            tie,
            resolved,
            flat: tie.place == Place::root() && paths.all(|path| !path.contains('.')),
            encoded: vec![Vec::new()],
            places: HashMap::default(),
        }
    }

    /// Returns a document with the values of its sources; none if it has them.
    pub(super) fn filled(&mut self, document: &RawDocument) -> Result<Option<RawDocumentBuf>> {
        if self.flat {
            return self.spliced(document);
        }
        let needed = differs(self.tie, self.resolved, document);
        needed
            .then(|| rebuilt(self.tie, self.resolved, document))
            .transpose()
    }

    /// The same where key and copies are fields of the document itself. The others are not decoded:
    /// for an insert of 1,000 documents that is a millisecond.
    fn spliced(&mut self, document: &RawDocument) -> Result<Option<RawDocumentBuf>> {
        let elements = elements(document)?;
        let value_of = |name: &str| {
            let mut elements = elements.iter();
            elements.find(|it| it.name == name).map(|it| it.value)
        };
        let mut copies = Vec::new();
        let source = source_of(self.resolved, value_of(&self.tie.key));
        for (at, (copied, value)) in expected(self.tie, source).enumerate() {
            if !value.is(value_of(&copied.to)) {
                let place = self.encode(at, &copied.to, value.stored())?;
                copies.push((copied.to.as_str(), place));
            }
        }
        if copies.is_empty() {
            return Ok(None);
        }
        let bytes_of = |place: usize| self.encoded.get(place).map_or(&[][..], Vec::as_slice);
        let copies = copies.into_iter();
        splice(
            &elements,
            copies.map(|(name, place)| (name, bytes_of(place))),
        )
        .map(Some)
    }

    fn encode(&mut self, at: usize, name: &str, value: Option<&Bson>) -> Result<usize> {
        let Some(value) = value else { return Ok(0) };
        match self.places.entry((at, std::ptr::from_ref(value).addr())) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(place) => {
                self.encoded.push(encoded(name, value)?);
                Ok(*place.insert(self.encoded.len() - 1))
            }
        }
    }
}

/// Puts encoded elements into a document, or takes those without bytes out of it.
fn splice<'c>(
    elements: &[Element<'_>],
    copies: impl Iterator<Item = (&'c str, &'c [u8])>,
) -> Result<RawDocumentBuf> {
    let mut copies: Vec<_> = copies.collect();
    let lengths = elements.iter().map(|it| it.bytes.len());
    let lengths = lengths.chain(copies.iter().map(|(_, bytes)| bytes.len()));
    let mut bytes = Vec::with_capacity(size_of::<i32>() + lengths.sum::<usize>() + 1);
    bytes.extend_from_slice(&[0; size_of::<i32>()]);
    for element in elements {
        match copies.iter().position(|(copy, _)| *copy == element.name) {
            Some(at) => bytes.extend_from_slice(copies.remove(at).1),
            None => bytes.extend_from_slice(element.bytes),
        }
    }
    for (_, copy) in copies {
        bytes.extend_from_slice(copy);
    }
    bytes.push(0);
    let length = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
    for (byte, of_length) in bytes.iter_mut().zip(length.to_le_bytes()) {
        *byte = of_length;
    }
    Ok(RawDocumentBuf::from_bytes(bytes).map_err(mongodb::error::Error::from)?)
}

/// Returns the bytes of a field.
fn encoded(name: &str, value: &Bson) -> Result<Vec<u8>> {
    let alone = RawDocumentBuf::try_from(&doc! { name: value.clone() });
    let alone = alone.map_err(mongodb::error::Error::from)?;
    let elements = elements(&alone)?;
    Ok(elements.first().map_or(Vec::new(), |it| it.bytes.to_vec()))
}

/// Few documents with copies have more fields; a list of so many is still a small allocation.
const USUAL_FIELDS: usize = 12;

/// An element of a document.
struct Element<'d> {
    name: &'d str,
    value: RawBsonRef<'d>,
    /// Its type, name and value, as they are stored.
    bytes: &'d [u8],
}

#[allow(
    clippy::useless_asref,
    reason = "names are strings in one major of BSON and C strings in the other"
)]
fn elements(document: &RawDocument) -> Result<Vec<Element<'_>>> {
    let all = document.as_bytes();
    let mut elements: Vec<Element<'_>> = Vec::with_capacity(USUAL_FIELDS);
    let mut rest = all.get(size_of::<i32>()..).unwrap_or_default();
    for element in document {
        let (name, value) = element.map_err(mongodb::error::Error::from)?;
        let name: &str = name.as_ref();
        // The name is a part of these bytes, after its type: there the element before it ends.
        let start = name.as_ptr().addr() - 1 - rest.as_ptr().addr();
        let (before, from_here) = rest.split_at_checked(start).unwrap_or_default();
        if let Some(last) = elements.last_mut() {
            last.bytes = before;
        }
        rest = from_here;
        elements.push(Element {
            name,
            value,
            bytes: rest,
        });
    }
    // The last byte ends the document.
    if let Some(last) = elements.last_mut() {
        last.bytes = rest.split_last().map_or(rest, |(_, bytes)| bytes);
    }
    Ok(elements)
}

fn rebuilt(tie: &Tie, resolved: &Resolved, document: &RawDocument) -> Result<RawDocumentBuf> {
    let mut owned = Document::try_from(document).map_err(mongodb::error::Error::from)?;
    tie.place.each_mut(&mut owned, &mut |inner| {
        let key = crate::path::value_at(inner, &tie.key).cloned();
        let key = key.map(JoinKey::from).filter(|key| !key.is_null());
        let source = match &key {
            None => Source::NoKey,
            Some(key) => resolved.get(key).map_or(Source::Gone, Source::Is),
        };
        for (copied, value) in expected(tie, source) {
            if value != Expected::Any {
                put(inner, &copied.to, value.stored().cloned());
            }
        }
    });
    Ok(RawDocumentBuf::try_from(&owned).map_err(mongodb::error::Error::from)?)
}

#[cfg(test)]
mod tests {
    use mongodb::bson::{DateTime, Timestamp, oid::ObjectId};

    use super::*;

    fn raw(document: &Document) -> RawDocumentBuf {
        RawDocumentBuf::try_from(document).unwrap()
    }

    #[test]
    fn a_spliced_document_is_the_one_that_is_built_anew() {
        let document = doc! {
            "_id": ObjectId::new(), "name": "old", "n": 7, "long": 8_i64, "x": 1.5, "yes": true,
            "nothing": null, "at": DateTime::from_millis(5), "stamp": Timestamp { time: 1, increment: 2 },
            "inner": { "name": "kept", "items": [1, "two", { "three": 3 }] }, "gone": "soon",
            "largest": Bson::MaxKey, "empty": {},
        };
        let long = Bson::from("a longer value than before");
        let inner = Bson::from(doc! { "deep": [1] });
        let copies = [
            ("new", encoded("new", &inner).unwrap()),
            ("name", encoded("name", &long).unwrap()),
            ("gone", Vec::new()),
            ("n", encoded("n", &Bson::Null).unwrap()),
            ("absent", Vec::new()),
        ];
        let copies = copies.iter().map(|(name, bytes)| (*name, &**bytes));
        let mut expected = document.clone();
        expected.insert("name", long.clone());
        expected.insert("n", Bson::Null);
        expected.insert("new", inner.clone());
        expected.remove("gone");
        let stored = raw(&document);
        let spliced = splice(&elements(&stored).unwrap(), copies).unwrap();
        assert_eq!(Document::try_from(&*spliced).unwrap(), expected);
        let names = |document: &RawDocument| {
            let names = elements(document).unwrap().into_iter();
            names.map(|it| it.name.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(
            names(&spliced),
            expected.keys().cloned().collect::<Vec<_>>()
        );
    }

    #[test]
    fn an_empty_document_can_be_spliced() {
        let value = encoded("a", &Bson::Int32(1)).unwrap();
        let empty = raw(&doc! {});
        let copies = std::iter::once(("a", &*value));
        let spliced = splice(&elements(&empty).unwrap(), copies).unwrap();
        assert_eq!(spliced, raw(&doc! { "a": 1 }));
    }
}
