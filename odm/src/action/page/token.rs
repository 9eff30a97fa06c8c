//! The position at the end of a page. Clients can send the position back as text.

use std::{fmt, str::FromStr};

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    error::{Error, Result},
    value::{
        codec::{read_hex, write_hex},
        path::{beginnings, raw_value_at},
        text_schema::described_as_text,
    },
};

/// The position at which the next page starts. The token contains the values of the sorted fields in the last document
/// on the previous page.
///
/// The text form of a token is hexadecimal and fits into a query parameter. The token is not encrypted.
///
/// # Errors
///
/// Parsing text that is not a token fails with [`Error::InvalidPageToken`]. Using a token for a page that has a
/// different sort fails with the same error. Tokens with more than 32 levels of documents and arrays are not accepted.
///
/// # Examples
///
/// ```
/// use mongo_odm::PageToken;
///
/// let error = "not a token".parse::<PageToken>().unwrap_err();
/// assert_eq!(error.code(), "odm.invalid_page_token");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PageToken {
    /// The sort of the page that returned the token.
    sort: Document,
    values: Vec<Bson>,
}

impl PageToken {
    pub(super) fn of(document: &RawDocument, sort: &Document) -> Result<Self> {
        let values: Result<Vec<Bson>> = sort.keys().map(|path| value_at(document, path)).collect();
        Ok(Self {
            sort: sort.clone(),
            values: values?,
        })
    }

    /// Returns the filter for the documents after the position of the token.
    pub(super) fn filter_after(&self, sort: &Document) -> Result<Document> {
        // Two equal documents can have their fields in different orders.
        if !self.sort.iter().eq(sort) {
            return Err(Error::InvalidPageToken(format!(
                "the page token belongs to the sort {}, not to {}; start at the first page",
                crate::mongosh::document(&self.sort),
                crate::mongosh::document(sort)
            )));
        }
        Ok(super::filter_after::filter_after(sort, &self.values))
    }

    /// Combines the tokens of several kinds into one token. Returns `None` if every kind has been read completely.
    pub(in crate::action) fn of_parts(parts: Vec<(&str, Self)>) -> Option<Self> {
        let mut token = Self {
            sort: Document::new(),
            values: Vec::new(),
        };
        for (name, part) in parts {
            token.sort.insert(name, Bson::Null);
            token.values.push(part.document().into());
        }
        (!token.values.is_empty()).then_some(token)
    }

    /// Returns the token for one of several kinds, or `None` if that kind has been read completely.
    pub(in crate::action) fn part(&self, name: &str) -> Result<Option<Self>> {
        if self.sort.values().any(|of_kind| *of_kind != Bson::Null) {
            let message = "the page token belongs to pages of one kind; start at the first page";
            return Err(Error::InvalidPageToken(message.to_owned()));
        }
        let mut parts = self.sort.keys().zip(&self.values);
        let part = parts.find(|(known, _)| *known == name);
        let part = part.and_then(|(_, part)| part.as_document().cloned());
        Ok(part.and_then(Self::of_document))
    }

    fn document(&self) -> Document {
        doc! { "s": self.sort.clone(), "v": self.values.clone() }
    }

    fn of_document(mut token: Document) -> Option<Self> {
        match (token.remove("s"), token.remove("v")) {
            (Some(Bson::Document(sort)), Some(Bson::Array(values)))
                if sort.len() == values.len() =>
            {
                Some(Self { sort, values })
            }
            _ => None,
        }
    }
}

/// Rejects a document that stores an array in a sorted field.
pub(super) fn check_places(document: &RawDocument, sort: &Document) -> Result<()> {
    let paths = sort.keys().filter(|path| *path != "_id");
    paths
        .into_iter()
        .try_for_each(|path| place(document, path).map(drop))
}

fn value_at(document: &RawDocument, path: &str) -> Result<Bson> {
    place(document, path)?.map_or(Ok(Bson::Null), |value| {
        Bson::try_from(value).map_err(|error| {
            Error::invalid(format!(
                "the `{path}` of a document, by which it is sorted, cannot be read: {error}"
            ))
        })
    })
}

/// Returns the value of a sorted field, or `None` if the field is missing. A missing field is sorted like null.
fn place<'d>(document: &'d RawDocument, path: &str) -> Result<Option<RawBsonRef<'d>>> {
    let is_array = |path| matches!(raw_value_at(document, path), Some(RawBsonRef::Array(_)));
    if beginnings(path).any(is_array) {
        return Err(no_place(document, path));
    }
    Ok(raw_value_at(document, path))
}

fn no_place(document: &RawDocument, path: &str) -> Error {
    let id = document.get("_id").ok().flatten();
    let id = id.and_then(|id| Bson::try_from(id).ok());
    Error::invalid(format!(
        "pages cannot be sorted by `{path}`: in the document {} it is or lies in an array, which has no \
         single place in a sort; sort by another field, or correct the document",
        crate::mongosh::document(&doc! { "_id": id })
    ))
}

impl fmt::Display for PageToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.document(), f)
    }
}

impl FromStr for PageToken {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        read_hex(text).and_then(Self::of_document).ok_or_else(|| {
            Error::InvalidPageToken("this is not a page token; start at the first page".to_owned())
        })
    }
}

described_as_text!(PageToken);

impl Serialize for PageToken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PageToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}
