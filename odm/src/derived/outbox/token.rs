//! Tokens: the pending work of a write, as a value that can be sent to another process.
//!
//! A token contains relations and keys. There are two reasons why a token contains neither versions of jobs nor ids of
//! deltas:
//!
//! - A stored job covers all changes to the source with its key, so its version does not show whether the copies
//!   reflect one particular change. However, every pass of the job that begins after the change writes the new values.
//!   `wait` runs such a pass, or waits until another runner has done so. The wait ends when the job is no longer due.
//! - `wait` applies the deltas that one snapshot contains for a key. Later deltas are left to their writers.

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
        text_schema::described_as_text,
    },
};

/// The pending work of a write. A token consists of the relations and keys for which the write has stored jobs or
/// deltas.
///
/// The report of a write contains the token (`report.token()`). [`Odm::wait`](crate::Odm::wait) waits until this work
/// is complete.
///
/// A token contains one key for each changed source, and for each parent that has pending deltas. The key identifies
/// which data is stale, but not which change made it stale. The token is empty if no guarantee in the report is
/// [`Eventual`](crate::Guarantee::Eventual).
///
/// You can serialize a token and send it to another service, which can then wait for the work. The serialized form is
/// hexadecimal text, which is not encrypted.
///
/// # Limits
///
/// - `find_one_and_update` returns a document instead of a report, so its caller receives no token. Errors such as
///   [`Error::InsertMany`](crate::Error::InsertMany) do not contain a token either. After these calls, read copies and
///   summaries with [`fresh`](crate::action::Get::fresh).
/// - If the write is part of your own transaction, its token is complete only after the commit. Until then, waiting for
///   the token and serializing it fail with [`Error::Invalid`](crate::Error::Invalid).
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::{Token, UpdateReport, prelude::*};
/// # async fn example(odm: Odm, report: UpdateReport) -> mongo_odm::Result<()> {
/// let token: &Token = report.token();
/// if !token.is_empty() {
///     odm.wait(token).await?;
/// }
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Token {
    left: BTreeSet<JobId>,
    /// The commit that the token has to wait for, if the write is part of a transaction.
    commit: Option<Commit>,
}

impl Token {
    /// Returns whether the token is empty, which means that the write has left no pending work.
    ///
    /// # Examples
    ///
    /// See [`Token`](Self).
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Adds jobs and deltas to the pending work.
    pub(crate) fn add(&mut self, left: impl IntoIterator<Item = JobId>) {
        self.left.extend(left);
    }

    /// Adds the pending work that another part of the same write has left.
    pub(crate) fn merge(&mut self, part: Self) {
        self.left.extend(part.left);
        self.commit = part.commit.or(self.commit.take());
    }

    /// Lists the pending jobs and deltas that the token contains.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = &JobId> {
        self.left.iter()
    }

    /// Makes the token unusable until the given commit has completed.
    pub(crate) fn until(&mut self, commit: Commit) {
        self.commit = Some(commit);
    }

    /// Returns the pending work of the committed write.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the write is not committed yet.
    pub(crate) fn committed(&self) -> Result<&BTreeSet<JobId>> {
        match &self.commit {
            Some(commit) if !commit.is_done() => Err(Error::invalid(
                "the write of this token is not committed, so only its transaction sees its jobs and deltas; \
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

/// Two tokens are equal if their pending work is the same. The commits that the tokens wait for are ignored.
impl PartialEq for Token {
    fn eq(&self, other: &Self) -> bool {
        self.left == other.left
    }
}

described_as_text!(Token);

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
