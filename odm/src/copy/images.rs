//! The source before and after a write, as far as copies are concerned.

use std::collections::HashSet;

use mongodb::{
    bson::{Bson, Document, RawDocument, doc},
    options::UpdateModifications,
};

use super::{
    graph::{Tie, graph},
    resolve::projection,
    tuple::Tuple,
};
use crate::{
    command::{Find, Rows},
    error::Result,
    key::JoinKey,
    odm::Exec,
    path::{each_value, overlap, without_positions},
    place::Place,
};

/// A document before or after a write: what copies take from it, and its `_id`.
pub(crate) type Image = Document;

/// Which parts of the documents of a collection are copied elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Images {
    pub(crate) ties: Vec<&'static Tie>,
}

impl Images {
    /// Lists the ties whose source is in a collection.
    pub(crate) fn of(collection: &str) -> Self {
        Self {
            ties: graph().from(collection).collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ties.is_empty()
    }

    /// Keeps the ties that an update can concern.
    pub(crate) fn touched_by(mut self, update: &UpdateModifications) -> Self {
        if let UpdateModifications::Document(operators) = update {
            let written = written_paths(operators);
            self.ties.retain(|tie| {
                tie.source_paths()
                    .any(|path| written.iter().any(|written| overlap(written, path)))
            });
        }
        self
    }

    /// Adds ties that copy what a write brings along.
    pub(crate) fn with(mut self, followers: Vec<&'static Tie>) -> Self {
        for tie in followers {
            if self.ties.iter().all(|known| known.name != tie.name) {
                self.ties.push(tie);
            }
        }
        self
    }

    /// Returns the projection of everything that is copied.
    pub(crate) fn projection(&self) -> Document {
        projection(self.ties.iter().flat_map(|tie| tie.source_paths()))
    }

    /// Reads the images of documents that match: one `find`.
    pub(crate) async fn read(
        &self,
        place: &Place,
        filter: Document,
        sort: Option<Document>,
        limit: Option<i64>,
        exec: &Exec,
    ) -> Result<Vec<Image>> {
        let mut find = Find::new(place.clone(), filter)
            .select(self.projection())
            .sort(sort);
        find.options.limit = limit;
        let find = if limit.is_none() { find.all() } else { find };
        exec.documents(find).await
    }

    /// Reads the images of documents by their ids: one `find`.
    pub(crate) async fn by_ids(
        &self,
        place: &Place,
        ids: &[Bson],
        exec: &Exec,
    ) -> Result<Vec<Image>> {
        if ids.is_empty() || self.is_empty() {
            return Ok(Vec::new());
        }
        let filter = doc! { "_id": super::statement::key_condition(ids) };
        self.read(place, filter, None, None, exec).await
    }

    /// Takes the image out of a document that is about to be stored.
    pub(crate) fn take(&self, document: &RawDocument) -> Result<Image> {
        let mut image = Image::new();
        let paths = self.ties.iter().flat_map(|tie| tie.source_paths());
        for path in paths.chain(["_id"]) {
            let top = path.split('.').next().unwrap_or(path);
            if !image.contains_key(top)
                && let Ok(Some(value)) = document.get(top)
            {
                let value = Bson::try_from(value).map_err(mongodb::error::Error::from)?;
                image.insert(top, value);
            }
        }
        Ok(image)
    }

    /// Takes the images out of documents that are about to be stored.
    pub(crate) fn take_all(&self, rows: &Rows) -> Result<Vec<Image>> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        rows.iter().map(|row| self.take(row)).collect()
    }

    /// Lists the keys whose copies a write can have made old, by tie; rules are concerned by deletes alone.
    pub(crate) fn changes(
        &self,
        before: Option<&Image>,
        after: Option<&Image>,
    ) -> Vec<(&'static Tie, Vec<JoinKey>)> {
        let of_tie = |tie: &&'static Tie| {
            let changed = changed_keys(tie, before, after);
            (!changed.is_empty()).then_some((*tie, changed))
        };
        let ties = self.ties.iter();
        ties.filter(|tie| !tie.is_rule() || after.is_none())
            .filter_map(of_tie)
            .collect()
    }
}

/// Lists the stored paths that operators write to, without positions.
pub(crate) fn written_paths(operators: &Document) -> Vec<String> {
    let mut paths = Vec::new();
    for (operator, fields) in operators {
        let Bson::Document(fields) = fields else {
            continue;
        };
        for (path, value) in fields {
            paths.push(without_positions(path));
            if operator == "$rename" {
                paths.extend(value.as_str().map(without_positions));
            }
        }
    }
    paths
}

fn changed_keys(tie: &Tie, before: Option<&Image>, after: Option<&Image>) -> Vec<JoinKey> {
    let (old, new) = (keys_of(tie, before), keys_of(tie, after));
    let same_values = match (before, after) {
        (Some(before), Some(after)) => Tuple::of(tie, before) == Tuple::of(tie, after),
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

/// Lists the keys of a source, in stored order, each once.
pub(crate) fn keys_of(tie: &Tie, image: Option<&Image>) -> Vec<JoinKey> {
    let mut keys = Vec::new();
    let mut seen = HashSet::new();
    if let Some(image) = image {
        each_value(image, &tie.source_key, &mut |key| {
            let key = JoinKey::from(key.clone());
            if !key.is_null() && seen.insert(key.clone()) {
                keys.push(key);
            }
        });
    }
    keys
}
