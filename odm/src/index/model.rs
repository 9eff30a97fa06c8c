//! An index in the form in which the driver creates it.

use std::time::Duration;

use mongodb::{
    IndexModel,
    bson::{Bson, Document},
    options::{Collation, CollationStrength, IndexOptions},
};

use super::spec::IndexSpec;
use crate::error::Result;

impl IndexSpec {
    /// Returns the index for `createIndexes`.
    pub(super) fn to_model(&self) -> Result<IndexModel> {
        let collation = self.options.get_document("collation").ok();
        let mut options = IndexOptions::default();
        options.name = Some(self.name.clone());
        options.unique = self.options.get_bool("unique").ok();
        options.sparse = self.options.get_bool("sparse").ok();
        options.expire_after = unsigned(&self.options, "expireAfterSeconds")
            .map(|seconds| Duration::from_secs(seconds.into()));
        options.partial_filter_expression = self
            .options
            .get_document("partialFilterExpression")
            .ok()
            .cloned();
        options.collation = collation.map(to_collation).transpose()?;
        Ok(IndexModel::builder()
            .keys(self.keys.clone())
            .options(options)
            .build())
    }
}

fn to_collation(declared: &Document) -> Result<Collation> {
    let strength = unsigned(declared, "strength")
        .map(CollationStrength::try_from)
        .transpose()?;
    let locale = declared.get_str("locale").unwrap_or_default();
    Ok(Collation::builder()
        .locale(locale)
        .strength(strength)
        .build())
}

fn unsigned(options: &Document, name: &str) -> Option<u32> {
    match options.get(name)? {
        Bson::Int32(int) => u32::try_from(*int).ok(),
        Bson::Int64(int) => u32::try_from(*int).ok(),
        _ => None,
    }
}
