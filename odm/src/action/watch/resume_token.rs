//! A position in a change stream, which can be sent to clients as text.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, Mutex, PoisonError},
};

use mongodb::bson::{Bson, Document, RawDocument};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    error::{Error, Result},
    value::{
        codec::{read_hex, write_hex},
        text_schema::described_as_text,
    },
};

/// A position in a change stream, usually directly after an event. To continue at this position, pass the token to
/// [`Watch::after`](super::Watch::after).
///
/// The text form of a token is hexadecimal. So a token fits into a query parameter, and into the `id` of a server-sent
/// event. The token is not encrypted, and contains the `_id` of the changed document.
///
/// # Errors
///
/// Parsing text that is not a token fails with [`Error::InvalidResumeToken`].
///
/// # Examples
///
/// ```
/// use mongo_odm::action::ResumeToken;
///
/// let error = "not a token".parse::<ResumeToken>().unwrap_err();
/// assert_eq!(error.code(), "odm.invalid_resume_token");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ResumeToken(Document);

impl ResumeToken {
    /// Returns the token of an event, which the server sends as the event's `_id`.
    pub(super) fn of_event(event: &RawDocument) -> Option<Self> {
        let token = event.get_document("_id").ok()?;
        Document::try_from(token).ok().map(Self)
    }

    pub(super) fn of_batch(token: Bson) -> Option<Self> {
        match token {
            Bson::Document(token) => Some(Self(token)),
            _ => None,
        }
    }

    /// Returns the token in the form that the server accepts.
    pub(super) fn document(&self) -> Document {
        self.0.clone()
    }
}

impl fmt::Display for ResumeToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl FromStr for ResumeToken {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let token = read_hex(text).filter(|token| token.contains_key("_data"));
        token.map(Self).ok_or_else(|| {
            let message = "this is not a resume token; watch without a token";
            Error::InvalidResumeToken(message.to_owned())
        })
    }
}

described_as_text!(ResumeToken);

impl Serialize for ResumeToken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ResumeToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

/// The position of an open stream, which the stream shares with the code that reads from the server.
#[derive(Clone, Debug)]
pub(super) struct Position(Arc<Mutex<ResumeToken>>);

impl Position {
    pub(super) fn new(token: ResumeToken) -> Self {
        Self(Arc::new(Mutex::new(token)))
    }

    pub(super) fn get(&self) -> ResumeToken {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn set(&self, token: Option<ResumeToken>) {
        if let Some(token) = token {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = token;
        }
    }
}
