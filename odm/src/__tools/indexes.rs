//! Compares the indexes of one collection with those that the models require.

use crate::{
    error::Result,
    index::{IndexDiff, desired, server::OnServer},
    model::shape::ModelShape,
};

impl OnServer {
    /// Compares the indexes of a collection with those that the models require. Returns `None` if
    /// the models do not require any.
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
