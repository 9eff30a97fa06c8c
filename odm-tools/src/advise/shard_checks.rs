//! Runs the checks of shard keys for the command `odm check`, which reads samples of its own.

use std::sync::Arc;

use mongo_odm::{__tools::Reads, Odm, Result, models};
use mongodb::bson::{Document, RawDocumentBuf};

use super::{
    catalogue::Outcome,
    finding::Finding,
    need::Need,
    read::{excuse, growth, take_over},
    seen::{SeenCollection, SeenDatabase},
    thresholds::Thresholds,
};
use crate::survey::CollectionSurvey;

/// The checks of shard keys for one database.
#[derive(Debug)]
pub(crate) struct ShardChecks {
    database: Arc<SeenDatabase>,
    thresholds: Thresholds,
}

impl ShardChecks {
    /// Reads the shard keys and the chunks.
    pub(crate) async fn read(odm: &Odm) -> Result<Self> {
        let mut database = SeenDatabase {
            name: odm.database().name().to_owned(),
            models: models(),
            ..SeenDatabase::default()
        };
        match Reads::new(odm).sharding().await {
            Ok(sharding) => database.sharding = sharding,
            Err(error) => drop(database.unread.insert(Need::Sharding, excuse(error)?)),
        }
        let why = "the command is a separate program";
        database.unread.insert(Need::Counters, why.to_owned());
        Ok(Self {
            database: Arc::new(database),
            thresholds: Thresholds::default(),
        })
    }

    /// Returns the reason why the shard keys could not be read.
    pub(crate) fn unread(&self) -> Option<&str> {
        let why = self.database.unread.get(&Need::Sharding)?;
        Some(why)
    }

    /// Checks the shard key of a collection.
    pub(crate) fn findings(
        &self,
        of: &CollectionSurvey,
        sample: &[RawDocumentBuf],
    ) -> Vec<Finding> {
        let mut seen = SeenCollection::named(&of.name, &self.database);
        take_over(&mut seen, of);
        if let Some(key) = seen.shard_key() {
            let sample = sample.iter().map(|raw| Document::try_from(&**raw));
            let sample: Vec<_> = sample.filter_map(std::result::Result::ok).collect();
            seen.sampled = sample.len() as u64;
            seen.key_growth = growth(&key, &sample, seen.documents);
        }
        Outcome::of_shard_keys(&seen, &self.thresholds).findings
    }
}
