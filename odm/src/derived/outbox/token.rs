//! The pending work of a write, as a value that can be sent to another process.
//!
//! A token contains relations and keys. It contains no versions and no ids of deltas:
//!
//! - Jobs coalesce, so the version of a job does not show whether one change was followed. But a pass of the job that
//!   begins after the change has followed it. `wait` runs such a pass, or waits for the runner that runs it. It ends
//!   when the job is not due any more.
//! - Deltas of a key are folded as far as one snapshot contains them.

use std::collections::BTreeSet;

use mongodb::bson::{Bson, Document};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::Error as _};

use super::job::JobId;
use crate::{
    client::odm::Commit,
    error::{Error, Result},
    value::{
        codec::{read_hex, write_hex},
        key::JoinKey,
    },
};

/// What a write has left to be done: the relations and keys whose jobs and deltas it has stored. The report of the
/// write has it (`report.token()`), and [`Odm::wait`](crate::Odm::wait) waits for it.
///
/// It names what is stale, not which change made it so. It is as large as what it names, a key for each source or
/// parent, and empty if the write left nothing: if no report of a relation says
/// [`Eventual`](crate::Guarantee::Eventual). Its serialized form, hexadecimal text, may travel to another service that
/// waits in the place of this one. It is not encrypted.
///
/// `find_one_and_update` returns its document and no report, and an error such as
/// [`Error::InsertMany`](crate::Error::InsertMany) has no token. Read copies and summaries with
/// [`fresh`](crate::action::Get::fresh) after them.
///
/// The token of a write in a transaction of the user names what the commit makes to be done. It can be waited for and
/// serialized when it is committed, and is refused before.
#[derive(Clone, Debug, Default)]
pub struct Token {
    left: BTreeSet<JobId>,
    /// The commit that the write is a part of.
    commit: Option<Commit>,
}

impl Token {
    /// Returns whether the write left nothing to be done.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Adds what is stale.
    pub(crate) fn add(&mut self, left: impl IntoIterator<Item = JobId>) {
        self.left.extend(left);
    }

    /// Adds what another part of the same write has left.
    pub(crate) fn merge(&mut self, part: Self) {
        self.left.extend(part.left);
        self.commit = part.commit.or(self.commit.take());
    }

    /// Lists the pending jobs and deltas.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = &JobId> {
        self.left.iter()
    }

    /// Makes it one of a write that is not committed yet.
    pub(crate) fn until(&mut self, commit: Commit) {
        self.commit = Some(commit);
    }

    /// Returns what is stale.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] before the write is committed.
    pub(crate) fn committed(&self) -> Result<&BTreeSet<JobId>> {
        match &self.commit {
            Some(commit) if !commit.is_done() => Err(Error::invalid(
                "the write of this token is not committed, so that nobody but its transaction sees what it has left; \
                 return the token from the closure, and use it when `transaction` has returned",
            )),
            _ => Ok(&self.left),
        }
    }

    fn to_document(left: &BTreeSet<JobId>) -> Document {
        let mut keys_of = Document::new();
        for id in left {
            let keys = keys_of.entry(id.relation.clone());
            if let Bson::Array(keys) = keys.or_insert_with(|| Bson::Array(Vec::new())) {
                keys.push(id.key.to_bson());
            }
        }
        keys_of
    }

    fn of_document(keys_of: Document) -> Option<Self> {
        let mut token = Self::default();
        for (relation, keys) in keys_of {
            let Bson::Array(keys) = keys else {
                return None;
            };
            let ids = keys.into_iter().map(|key| JobId {
                relation: relation.clone(),
                key: JoinKey::from(key),
            });
            token.add(ids);
        }
        Some(token)
    }
}

/// By what they name.
impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.left == other.left
    }
}

impl Serialize for Token {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let left = self.committed().map_err(S::Error::custom)?;
        let mut text = String::new();
        write_hex(&Self::to_document(left), &mut text).map_err(S::Error::custom)?;
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Token {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let token = read_hex(&text).and_then(Self::of_document);
        token.ok_or_else(|| D::Error::custom("this is not the token of a write"))
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::oid::ObjectId;

    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_written() {
        let name = |relation: &str, key: Bson| JobId {
            relation: relation.to_owned(),
            key: JoinKey::from(key),
        };
        let mut token = Token::default();
        assert!(token.is_empty());
        token.add([
            name("stations._id <- readings.station", ObjectId::new().into()),
            name("stations._id <- readings.station", "$a".into()),
            name("logmsg.host <- hosts._id", 7.into()),
        ]);
        let text = serde_json::to_string(&token).unwrap();
        assert_eq!(serde_json::from_str::<Token>(&text).unwrap(), token);
        assert!(serde_json::from_str::<Token>("\"00\"").is_err());
    }

    #[test]
    fn a_token_is_kept_back_until_its_write_is_committed() {
        let mut token = Token::default();
        let commit = Commit::default();
        token.until(commit.clone());
        let refused = serde_json::to_string(&token).unwrap_err().to_string();
        assert!(refused.contains("is not committed"), "{refused}");
        commit.done();
        assert!(serde_json::to_string(&token).is_ok());
    }
}
