//! Compares the shard keys on a sharded cluster with the models, and shards the collections that are not sharded.

pub(crate) mod catalog;
pub(crate) mod sharding_diff;

use std::collections::BTreeMap;

use catalog::sharded_collections;
pub use sharding_diff::{ShardKeyChange, ShardedCollection, ShardingDiff, ShardingReport};

use crate::{
    action::model::Model,
    client::{
        command::RunCommand,
        odm::{Exec, Odm, into_future, traced_call},
    },
    error::{Error, Result},
    index::{IndexSpec, server, shard_key, shard_key_index},
    model::{registry::ModelSelection, shape::ModelShape},
};

const ADMIN: &str = "admin";

impl Odm {
    /// Returns a builder that shards the collections of models that declare a shard key
    /// ([`shard_key`](derive@crate::Model#sharded-collections)).
    ///
    /// # Sends
    ///
    /// The statements of [`ShardCollections`].
    ///
    /// # Errors
    ///
    /// The errors of [`ShardCollections`].
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
    /// println!("{}", odm.shard_collections().diff().await?);
    /// println!("{}", odm.shard_collections().await?);
    /// # Ok(()) }
    /// ```
    pub fn shard_collections(&self) -> ShardCollections {
        ShardCollections {
            diff: DiffSharding {
                odm: self.clone(),
                only: ModelSelection::default(),
            },
        }
    }
}

/// Builder that compares the shard keys of the models with those on the server; returned by
/// [`ShardCollections::diff`].
///
/// # Sends
///
/// One `hello`, and one `find` in the database `config`. The call changes nothing.
///
/// # Errors
///
/// - [`Error::Invalid`] if the server is not a sharded cluster, or if no model is linked into the program
/// - driver errors
///
/// # Examples
///
/// ```no_run
/// # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
/// let diff = odm.shard_collections().diff().await?;
/// if !diff.is_in_sync() {
///     println!("{diff}");
/// }
/// # Ok(()) }
/// ```
#[must_use = "nothing is compared until it is awaited"]
#[derive(Clone, Debug)]
pub struct DiffSharding {
    odm: Odm,
    only: ModelSelection,
}

/// Builder that shards collections; returned by [`shard_collections`](Odm::shard_collections).
///
/// # Sends
///
/// 1. One `hello`, and one `find` in the database `config`.
/// 2. For each collection that is not sharded: one `listIndexes`.
/// 3. For each of these collections: one `createIndexes` for an index that begins with the shard key, and one
///    `shardCollection`. If a declared index begins with the shard key and contains all documents, the call creates this
///    index.
///
/// # Guarantees
///
/// - A collection that is sharded by a key other than the declared one is not changed. The report lists such
///   collections. To change the key, use MongoDB's command `reshardCollection`.
/// - The archive of a model (`on_delete = "archive"`) gets the same shard key as the model's collection.
/// - If all collections are sharded as declared, the call changes nothing.
///
/// # Errors
///
/// - [`Error::Invalid`] if the server is not a sharded cluster, or if no model is linked into the program
/// - [`Error::Declaration`] if the indexes of a collection contradict each other, or if a cluster cannot enforce a unique
///   index
/// - driver errors
///
/// # Examples
///
/// ```no_run
/// # use mongo_odm::prelude::*;
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "logs", shard_key(host = 1, _id = "hashed"))]
/// # struct Log { #[serde(rename = "_id")] id: Id<Log>, host: i32 }
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let report = odm.shard_collections().only::<Log>().await?;
/// println!("{report}");
/// # Ok(()) }
/// ```
#[must_use = "nothing is sharded until it is awaited"]
#[derive(Clone, Debug)]
pub struct ShardCollections {
    diff: DiffSharding,
}

impl ShardCollections {
    /// Shards only the collection of the model `M`. Call this method again to add more collections.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// odm.shard_collections().only::<Book>().await?;
    /// # Ok(()) }
    /// ```
    pub fn only<M: Model>(mut self) -> Self {
        self.diff.only.add(M::SHAPE);
        self
    }

    /// Returns a builder that compares the shard keys and changes nothing.
    ///
    /// # Examples
    ///
    /// See [`DiffSharding`].
    pub fn diff(self) -> DiffSharding {
        self.diff
    }

    async fn run(self) -> Result<ShardingReport> {
        let odm = self.diff.odm.clone();
        let models = self.diff.only.models()?;
        let diff = self.diff.run().await?;
        let mut report = ShardingReport {
            present: diff.present,
            different: diff.different,
            ..ShardingReport::default()
        };
        let mut indexes = Vec::new();
        for wanted in &diff.missing {
            indexes.push(index_of(&odm, &models, wanted).await?);
        }
        for (wanted, index) in diff.missing.into_iter().zip(indexes) {
            shard(&odm, &wanted, index).await?;
            report.sharded.push(wanted.collection);
        }
        Ok(report)
    }
}

impl DiffSharding {
    async fn run(self) -> Result<ShardingDiff> {
        let mut wanted = BTreeMap::new();
        for model in self.only.models()? {
            let key = shard_key(model);
            if !key.is_empty() && self.only.includes(model.documents()) {
                // An archive grows like the collection whose deleted documents it contains, so it needs the same shard
                // key.
                let collections = [Some(model.collection), model.archive];
                for collection in collections.into_iter().flatten() {
                    wanted.insert(collection.to_owned(), key.clone());
                }
            }
        }
        let on_server = sharded_collections(&self.odm).await?;
        let on_server = on_server.ok_or_else(not_a_cluster)?;
        let database = self.odm.database().name();
        let mut diff = ShardingDiff::default();
        for (collection, key) in wanted {
            let existing = on_server.get(&collection);
            let wanted = ShardedCollection {
                database: database.to_owned(),
                collection,
                key,
            };
            diff.add(wanted, existing.map(|it| &it.key));
        }
        Ok(diff)
    }
}

fn not_a_cluster() -> Error {
    Error::invalid(
        "this server is not a sharded cluster; connect to a `mongos`, or do not call `shard_collections`",
    )
}

/// Returns the index that the cluster needs for the shard key. Sends one `listIndexes`, because the default collation
/// of the collection determines which declared indexes support the shard key.
async fn index_of(
    odm: &Odm,
    models: &[&'static ModelShape],
    wanted: &ShardedCollection,
) -> Result<IndexSpec> {
    let (collection, key) = (wanted.collection.as_str(), &wanted.key);
    let is_sharded_by_key = |model: &&&'static ModelShape| {
        let is_stored_here = model.collection == collection || model.archive == Some(collection);
        is_stored_here && shard_key(model) == *key
    };
    let Some(model) = models.iter().find(is_sharded_by_key) else {
        return Ok(IndexSpec::implied_keys(
            collection,
            key.clone(),
            String::new(),
        ));
    };
    let default = server::list(odm, collection).await?.collation;
    shard_key_index(models, model, (collection, key), default.as_ref())
}

async fn shard(odm: &Odm, wanted: &ShardedCollection, index: IndexSpec) -> Result<()> {
    server::create(odm, &[index]).await?;
    let admin = Exec::on(odm.in_database(ADMIN));
    let command = RunCommand::command("shardCollection", wanted.command());
    admin.send(command).await.map(drop)
}

into_future!(
    [] ShardCollections => ShardingReport,
    |it| traced_call("shard_collections", it.run())
);

into_future!([] DiffSharding => ShardingDiff, |it| traced_call("sharding_diff", it.run()));
