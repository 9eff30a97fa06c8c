//! The comparison of shard keys, and the report of `shard_collections`.

use std::fmt;

use mongodb::bson::{Document, doc};

use crate::{index::write_lists, mongosh};

/// A collection that a model declares as sharded.
///
/// `Display` writes the mongosh statement that shards the collection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShardedCollection {
    /// The name of the database.
    pub database: String,
    /// The name of the collection.
    pub collection: String,
    /// The declared shard key, such as `{ host: 1, _id: "hashed" }`.
    pub key: Document,
}

impl ShardedCollection {
    /// Returns the command that shards the collection.
    pub(super) fn command(&self) -> Document {
        let namespace = format!("{}.{}", self.database, self.collection);
        // A shard key compares strings with the simple collation, even if the collection has a different default
        // collation.
        let simple = doc! { "locale": "simple" };
        doc! { "shardCollection": namespace, "key": self.key.clone(), "collation": simple }
    }
}

impl fmt::Display for ShardedCollection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (database, collection) = (&self.database, &self.collection);
        let key = mongosh::document(&self.key);
        write!(f, "sh.shardCollection(\"{database}.{collection}\", {key})")
    }
}

/// A collection whose shard key on the server differs from the declared one.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShardKeyChange {
    /// The collection as its models declare it.
    pub wanted: ShardedCollection,
    /// The shard key on the server.
    pub existing: Document,
}

impl fmt::Display for ShardKeyChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let existing = mongosh::document(&self.existing);
        let (collection, key) = (&self.wanted.collection, mongosh::document(&self.wanted.key));
        write!(
            f,
            "`{collection}` is sharded by {existing}, but its models declare {key}; use `reshardCollection`, or correct the \
             models"
        )
    }
}

/// The difference between the declared shard keys and those on the server.
///
/// `Display` writes one mongosh statement for each collection that
/// [`shard_collections`](crate::Odm::shard_collections) would shard.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ShardingDiff {
    /// The collections that are not sharded.
    pub missing: Vec<ShardedCollection>,
    /// The collections that are sharded by a key other than the declared one.
    pub different: Vec<ShardKeyChange>,
    /// The names of the collections that are sharded as declared.
    pub present: Vec<String>,
}

impl ShardingDiff {
    /// Returns whether all collections are sharded as declared.
    ///
    /// # Examples
    ///
    /// See [`DiffSharding`](super::DiffSharding).
    pub const fn is_in_sync(&self) -> bool {
        self.missing.is_empty() && self.different.is_empty()
    }

    /// Adds the comparison of one collection. `existing` is the collection's shard key on the server.
    pub(super) fn add(&mut self, wanted: ShardedCollection, existing: Option<&Document>) {
        match existing {
            None => self.missing.push(wanted),
            Some(existing) if is_same_key(existing, &wanted.key) => {
                self.present.push(wanted.collection);
            }
            Some(existing) => self.different.push(ShardKeyChange {
                wanted,
                existing: existing.clone(),
            }),
        }
    }
}

/// Whether two shard keys are the same. The server may store a `1` as a different numeric type.
pub(crate) fn is_same_key(existing: &Document, wanted: &Document) -> bool {
    let shown = |key: &Document| {
        let fields = key.iter().map(|(path, kind)| match kind.as_str() {
            Some(kind) => format!("{path}:{kind}"),
            None => path.clone(),
        });
        fields.collect::<Vec<_>>()
    };
    shown(existing) == shown(wanted)
}

impl fmt::Display for ShardingDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for wanted in &self.missing {
            writeln!(f, "{wanted}")?;
        }
        for change in &self.different {
            writeln!(f, "// {change}")?;
        }
        write!(f, "// as declared: {}", self.present.len())
    }
}

/// The report of [`shard_collections`](crate::Odm::shard_collections).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ShardingReport {
    /// The names of the collections that the call sharded.
    pub sharded: Vec<String>,
    /// The collections that are sharded by a key other than the declared one. The call left these collections
    /// unchanged.
    pub different: Vec<ShardKeyChange>,
    /// The names of the collections that were already sharded as declared.
    pub present: Vec<String>,
}

/// Writes one line for each list that is not empty.
impl fmt::Display for ShardingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let different = self.different.iter().map(|it| it.wanted.collection.clone());
        let lists = [
            ("sharded", self.sharded.clone()),
            ("as declared", self.present.clone()),
            ("sharded by another key, unchanged", different.collect()),
        ];
        write_lists(f, lists, "no models with a shard key")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logs() -> ShardedCollection {
        ShardedCollection {
            database: "shop".into(),
            collection: "logs".into(),
            key: doc! { "host": 1, "_id": "hashed" },
        }
    }

    #[test]
    fn a_diff_has_the_statements_and_the_other_keys() {
        let mut diff = ShardingDiff::default();
        diff.add(logs(), None);
        diff.add(logs(), Some(&doc! { "host": 1.0, "_id": "hashed" }));
        diff.add(logs(), Some(&doc! { "host": "hashed" }));
        assert_eq!(
            diff.to_string(),
            "sh.shardCollection(\"shop.logs\", { host: 1, _id: \"hashed\" })\n\
             // `logs` is sharded by { host: \"hashed\" }, but its models declare { host: 1, _id: \"hashed\" }; use \
             `reshardCollection`, or correct the models\n\
             // as declared: 1"
        );
        assert!(!diff.is_in_sync());
    }
}
