//! The place where a page ends, as text that may travel through a client.

use std::{fmt, str::FromStr};

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, RawDocumentBuf, doc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::error::{Error, Result};

/// Where the next page starts: the sorted values of the last document of a page.
///
/// Its text form, hexadecimal, suits a query parameter. It is not encrypted, and a token of another
/// sort is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct PageToken {
    /// The sort that the token belongs to.
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

    /// Returns the filter for the documents after the token.
    pub(super) fn after(&self, sort: &Document) -> Result<Document> {
        if self.sort != *sort {
            return Err(Error::Invalid(format!(
                "the page token belongs to the sort {}, not to {}; start at the first page",
                crate::shell::document(&self.sort),
                crate::shell::document(sort)
            )));
        }
        Ok(super::after(sort, &self.values))
    }

    fn to_bytes(&self) -> Option<RawDocumentBuf> {
        let token = doc! { "s": self.sort.clone(), "v": self.values.clone() };
        RawDocumentBuf::try_from(&token).ok()
    }

    fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        let raw = RawDocumentBuf::from_bytes(bytes).ok()?;
        let mut token = Document::try_from(&*raw).ok()?;
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

fn value_at(document: &RawDocument, path: &str) -> Result<Bson> {
    let mut place = Some(document);
    let mut segments = path.split('.').peekable();
    while let (Some(segment), Some(inside)) = (segments.next(), place) {
        let value = inside.get(segment).ok().flatten();
        if segments.peek().is_none() {
            let value = value.map_or(Some(Bson::Null), |value| Bson::try_from(value).ok());
            return check_value(path, value.unwrap_or(Bson::Null));
        }
        if let Some(RawBsonRef::Array(_)) = value {
            return Err(no_place(path, "or lies in, an array"));
        }
        place = value.and_then(RawBsonRef::as_document);
    }
    Ok(Bson::Null)
}

fn check_value(path: &str, value: Bson) -> Result<Bson> {
    let refused = match &value {
        Bson::Array(_) => "an array",
        Bson::Double(number) if number.is_nan() => "not-a-number",
        _ => return Ok(value),
    };
    Err(no_place(path, refused))
}

fn no_place(path: &str, refused: &str) -> Error {
    Error::Invalid(format!(
        "a page cannot end at a document whose `{path}`, by which it is sorted, is {refused}"
    ))
}

impl fmt::Display for PageToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.to_bytes().ok_or(fmt::Error)?;
        bytes
            .as_bytes()
            .iter()
            .try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for PageToken {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bytes: Option<Vec<u8>> = text
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
            .collect();
        bytes.and_then(Self::from_bytes).ok_or_else(|| {
            Error::Invalid("this is not a page token; start at the first page".to_owned())
        })
    }
}

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
