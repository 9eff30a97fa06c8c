//! The difference between the indexes of one collection and those that models need.

use crate::{
    error::Result,
    index::{IndexDiff, desired, server::OnServer},
    model::shape::ModelShape,
};

impl OnServer {
    /// Compares the indexes with those that the models need; none if the models need no index.
    pub fn diff(
        &self,
        models: &[&'static ModelShape],
        collection: &'static str,
    ) -> Result<Option<IndexDiff>> {
        let mut wanted = desired(models, &[collection])?;
        let wanted = wanted.remove(collection);
        wanted
            .map(|wanted| IndexDiff::of_collection(wanted, self))
            .transpose()
    }
}
