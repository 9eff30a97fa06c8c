//! Images. An image contains those fields of a document on which copies depend, with their values before or after a
//! write.

use std::collections::HashSet;
use std::sync::Arc;

use mongodb::{
    bson::{Bson, Document, RawDocument, doc},
    options::UpdateModifications,
};

use super::expected_value::Values;
use crate::{
    client::{
        command::{FindCommand, Rows},
        odm::Exec,
        place::Place,
    },
    error::Result,
    graph::{Content, ExtendedReference, graph},
    model::shape::{DocumentSet, ModelLinks},
    query::update::changed_paths,
    value::{
        key::JoinKey,
        path::{each_value, overlap, projection},
    },
};

/// The `_id` of a document, and its fields on which copies depend, as they were before or after a write.
pub(crate) type Image = Document;

/// The extended references whose sources are in a set of documents. These extended references determine which fields an
/// image contains.
#[derive(Clone, Debug, Default)]
pub(crate) struct Images {
    pub(crate) references: Vec<Arc<ExtendedReference>>,
}

impl Images {
    /// Lists the extended references whose sources are in the given documents.
    pub(crate) fn of(documents: DocumentSet<'_>) -> Self {
        Self {
            references: graph().from(documents).cloned().collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.references.is_empty()
    }

    /// Keeps only the extended references with source fields that an update writes.
    pub(crate) fn touched_by(mut self, update: &UpdateModifications) -> Self {
        if let Some(written) = changed_paths(update) {
            self.references.retain(|reference| {
                reference
                    .source_paths()
                    .any(|path| written.iter().any(|written| overlap(written, path)))
            });
        }
        self
    }

    /// Adds the extended references whose sources are the copies inside the written documents.
    pub(crate) fn with_followers(mut self, followers: Vec<Arc<ExtendedReference>>) -> Self {
        for reference in followers {
            if self
                .references
                .iter()
                .all(|known| known.relation != reference.relation)
            {
                self.references.push(reference);
            }
        }
        self
    }

    /// Returns the projection that reads an image.
    pub(crate) fn projection(&self) -> Document {
        projection(self.paths())
    }

    /// Returns the projection that reads an image and one additional path.
    pub(crate) fn projection_with(&self, path: &str) -> Document {
        projection(self.paths().chain([path]))
    }

    fn paths(&self) -> impl Iterator<Item = &str> {
        let references = self.references.iter();
        references.flat_map(|reference| reference.source_paths())
    }

    /// Reads the images of all documents that match a filter. Sends one `find`.
    pub(crate) async fn read(
        &self,
        place: &Place,
        filter: Document,
        exec: &Exec,
    ) -> Result<Vec<Image>> {
        let find = FindCommand::new(place.clone(), filter).select(self.projection());
        exec.documents(find.all()).await
    }

    /// Reads the images of documents by their ids. Sends one `find`.
    pub(crate) async fn by_ids(
        &self,
        place: &Place,
        ids: &[Bson],
        exec: &Exec,
    ) -> Result<Vec<Image>> {
        if ids.is_empty() || self.is_empty() {
            return Ok(Vec::new());
        }
        let filter = doc! { "_id": super::copy_update::key_condition(ids) };
        self.read(place, filter, exec).await
    }

    /// Creates the image from a document that is already in memory.
    #[allow(
        clippy::useless_asref,
        reason = "names are strings in one major of BSON and C strings in the other"
    )]
    pub(crate) fn take(&self, document: &RawDocument) -> Result<Image> {
        let mut image = Image::new();
        let tops = self
            .paths()
            .chain(["_id"])
            .map(|path| path.split('.').next());
        let tops: HashSet<&str> = tops.flatten().collect();
        // The fields keep their stored order, because the entries of recent lists contain fields in this order.
        for element in document.iter_elements() {
            let element = element.map_err(mongodb::error::Error::from)?;
            let name: &str = element.key().as_ref();
            if tops.contains(name) {
                let value = element.value().and_then(Bson::try_from);
                image.insert(name, value.map_err(mongodb::error::Error::from)?);
            }
        }
        Ok(image)
    }

    /// Returns the images of documents that are about to be written. Returns no images if no copies depend on the
    /// documents.
    pub(crate) fn take_all(&self, rows: &Rows) -> Result<Vec<Image>> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        rows.iter().map(|row| self.take(row)).collect()
    }

    /// Lists the extended references that a write affects. Delete rules of other programs are included only if the
    /// write deletes the document.
    pub(crate) fn affected_by(
        &self,
        after: Option<&Image>,
    ) -> impl Iterator<Item = &Arc<ExtendedReference>> {
        self.references.iter().filter(move |it| match it.content() {
            Content::Derived | Content::Mirrored => true,
            Content::Absent => after.is_none(),
        })
    }

    /// Lists the delete rules of other programs that apply to the documents.
    pub(crate) fn foreign_rules(&self) -> impl Iterator<Item = &Arc<ExtendedReference>> {
        let references = self.references.iter();
        references.filter(|it| matches!(it.content(), Content::Absent))
    }

    /// Lists the extended references that a write affects, and for each of them the keys for which copies may be stale.
    pub(crate) fn changes(
        &self,
        before: Option<&Image>,
        after: Option<&Image>,
    ) -> Vec<(Arc<ExtendedReference>, Vec<JoinKey>)> {
        let of_reference = |reference: &Arc<ExtendedReference>| {
            let changed = changed_keys(reference, before, after);
            (!changed.is_empty()).then_some((Arc::clone(reference), changed))
        };
        let affected = self.affected_by(after);
        affected.filter_map(of_reference).collect()
    }
}

fn changed_keys(
    reference: &ExtendedReference,
    before: Option<&Image>,
    after: Option<&Image>,
) -> Vec<JoinKey> {
    let (old, new) = (keys_of(reference, before), keys_of(reference, after));
    let same_values = match (before, after) {
        (Some(before), Some(after)) => {
            Values::read(reference, before) == Values::read(reference, after)
        }
        _ => false,
    };
    let gone = difference(&old, &new);
    if same_values {
        gone.into_iter().chain(difference(&new, &old)).collect()
    } else {
        new.iter().cloned().chain(gone).collect()
    }
}

fn difference(left: &[JoinKey], right: &[JoinKey]) -> Vec<JoinKey> {
    let right: HashSet<&JoinKey> = right.iter().collect();
    let only = left.iter().filter(|key| !right.contains(key));
    only.cloned().collect()
}

/// Lists the keys that a source contains, in stored order and without duplicates. A document of a different kind is not
/// a source.
pub(crate) fn keys_of(reference: &ExtendedReference, image: Option<&Image>) -> Vec<JoinKey> {
    let source = image.filter(|image| reference.source.may_contain(image));
    source.map_or_else(Vec::new, |image| keys_held(reference, image))
}

/// Lists the keys that a document contains. Unlike `keys_of`, also lists the keys if the document is not a source now,
/// because it may have been a source earlier.
pub(crate) fn keys_held(reference: &ExtendedReference, image: &Image) -> Vec<JoinKey> {
    let mut keys = Vec::new();
    let mut seen = HashSet::new();
    let mut found = |key: &Bson| {
        let key = JoinKey::from(key.clone());
        if !key.is_null() && seen.insert(key.clone()) {
            keys.push(key);
        }
    };
    match &reference.links {
        None => each_value(image, &reference.source_key, &mut |key| found(key)),
        Some(links) => linked_by(links, image).for_each(found),
    }
    keys
}

/// Lists the ids of other documents to which a document links. Skips links to documents that cannot belong to the
/// model of `links`.
fn linked_by<'i>(links: &'i ModelLinks, image: &'i Image) -> impl Iterator<Item = &'i Bson> {
    let all = image.get(links.array).and_then(Bson::as_array);
    let leading = all.into_iter().flatten();
    let leading = leading.filter(|link| links.may_link_to_model(link));
    let ids = leading.filter_map(|link| links.target_of(link));
    ids.filter(|id| image.get("_id") != Some(id))
}
