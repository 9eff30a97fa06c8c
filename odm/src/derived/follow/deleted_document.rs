//! The set of documents that one call deletes.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Bson, Document};

use crate::{derived::values::Image, value::key::JoinKey};

/// The ids of the documents that one call deletes, by collection.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeletedDocuments(HashMap<&'static str, HashSet<JoinKey>>);

impl DeletedDocuments {
    pub(super) fn add(&mut self, collection: &'static str, ids: impl IntoIterator<Item = Bson>) {
        let known = self.0.entry(collection).or_default();
        known.extend(ids.into_iter().map(JoinKey::from));
    }

    pub(super) fn contains(&self, collection: &str, document: &Document) -> bool {
        id_of(document).is_some_and(|id| self.contains_id(collection, &id.into()))
    }

    pub(super) fn contains_id(&self, collection: &str, id: &JoinKey) -> bool {
        let ids = self.0.get(collection);
        ids.is_some_and(|ids| ids.contains(id))
    }

    pub(super) fn count(&self, collection: &str) -> usize {
        self.0.get(collection).map_or(0, HashSet::len)
    }

    pub(super) fn ids(&self, collection: &str) -> Vec<Bson> {
        let ids = self.0.get(collection).into_iter().flatten();
        ids.map(JoinKey::to_bson).collect()
    }
}

fn id_of(document: &Document) -> Option<Bson> {
    document.get("_id").cloned()
}

pub(super) fn ids_of(documents: &[Image]) -> Vec<Bson> {
    documents.iter().filter_map(id_of).collect()
}
