//! The set of documents that one call deletes.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Bson, Document};

use crate::{
    derived::values::Image,
    graph::StoredReference,
    model::shape::ModelShape,
    value::{key::JoinKey, path::each_value},
};

/// The documents that one call deletes.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeletedDocuments {
    /// The known ids, by collection.
    ids: HashMap<&'static str, HashSet<JoinKey>>,
    /// References with `cascade`, and keys. The call or its jobs delete the documents that contain these keys.
    cascades: Vec<(&'static StoredReference, HashSet<JoinKey>)>,
}

impl DeletedDocuments {
    pub(super) fn add(&mut self, collection: &'static str, ids: impl IntoIterator<Item = Bson>) {
        let known = self.ids.entry(collection).or_default();
        known.extend(ids.into_iter().map(JoinKey::from));
    }

    /// Adds all documents that contain one of the given keys in a reference with `cascade`. Only
    /// [`contains_owner`](Self::contains_owner) considers these documents.
    pub(super) fn add_owners(
        &mut self,
        cascade: &'static StoredReference,
        keys: impl IntoIterator<Item = JoinKey>,
    ) {
        self.cascades.push((cascade, keys.into_iter().collect()));
    }

    pub(super) fn contains(&self, collection: &str, document: &Document) -> bool {
        id_of(document).is_some_and(|id| self.contains_id(collection, &id.into()))
    }

    /// Whether the set contains this document of the model, by its id or by one of its keys.
    pub(super) fn contains_owner(&self, model: &ModelShape, document: &Document) -> bool {
        let has_key = |(cascade, keys): &(&StoredReference, HashSet<JoinKey>)| {
            let mut has_key = false;
            each_value(document, &cascade.path(), &mut |key| {
                has_key |= keys.contains(&JoinKey::from(key.clone()));
            });
            has_key
        };
        self.contains(model.collection, document) || self.cascades_to(model).any(has_key)
    }

    /// Lists the paths of the keys by which [`contains_owner`](Self::contains_owner) recognizes documents of the model.
    pub(super) fn paths(&self, model: &ModelShape) -> impl Iterator<Item = String> {
        self.cascades_to(model).map(|(cascade, _)| cascade.path())
    }

    fn cascades_to(
        &self,
        model: &ModelShape,
    ) -> impl Iterator<Item = &(&'static StoredReference, HashSet<JoinKey>)> {
        let all = self.cascades.iter();
        all.filter(|(cascade, _)| cascade.model.documents() == model.documents())
    }

    pub(super) fn contains_id(&self, collection: &str, id: &JoinKey) -> bool {
        let ids = self.ids.get(collection);
        ids.is_some_and(|ids| ids.contains(id))
    }

    pub(super) fn count(&self, collection: &str) -> usize {
        self.ids.get(collection).map_or(0, HashSet::len)
    }

    pub(super) fn ids(&self, collection: &str) -> Vec<Bson> {
        let ids = self.ids.get(collection).into_iter().flatten();
        ids.map(JoinKey::to_bson).collect()
    }
}

fn id_of(document: &Document) -> Option<Bson> {
    document.get("_id").cloned()
}

pub(super) fn ids_of(documents: &[Image]) -> Vec<Bson> {
    documents.iter().filter_map(id_of).collect()
}
