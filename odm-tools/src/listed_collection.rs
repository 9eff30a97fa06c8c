//! The collections and views in the reply to `listCollections`.

use mongo_odm::{__tools::Reads, Result};
use mongodb::{
    bson::Document,
    results::{CollectionSpecification, CollectionType},
};

/// A collection or view that `listCollections` returned.
#[derive(Clone, Debug)]
pub(crate) struct ListedCollection {
    pub(crate) name: String,
    pub(crate) is_view: bool,
    pub(crate) is_timeseries: bool,
    pub(crate) is_capped: bool,
    /// The collection or view that a view reads, and the view's pipeline.
    pub(crate) view_on: Option<String>,
    pub(crate) pipeline: Vec<Document>,
}

impl From<CollectionSpecification> for ListedCollection {
    fn from(it: CollectionSpecification) -> Self {
        Self {
            name: it.name,
            is_view: matches!(it.collection_type, CollectionType::View),
            is_timeseries: matches!(it.collection_type, CollectionType::Timeseries),
            is_capped: it.options.capped.unwrap_or_default(),
            view_on: it.options.view_on,
            pipeline: it.options.pipeline.unwrap_or_default(),
        }
    }
}

/// Lists the collections and views. Sends one `listCollections`.
pub(crate) async fn list_collections(reads: &Reads) -> Result<Vec<ListedCollection>> {
    let listed = reads.collections().await?;
    Ok(listed.into_iter().map(ListedCollection::from).collect())
}
