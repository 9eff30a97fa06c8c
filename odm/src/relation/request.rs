//! The `find` of a load or a join: filter, sort, options and batch size.

use std::{ops::Range, sync::Arc};

use mongodb::{
    bson::{Bson, Document, RawDocument, doc},
    options::{AggregateOptions, FindOptions},
};

use super::{
    key_index::KeyIndex,
    key_number::{KeyNumber, index},
    key_ranges::Cut,
};
use crate::{
    client::{
        command::{FindCommand, batch_size_for, simple},
        odm::Exec,
        place::{Place, Visibility},
        plan::Plan,
    },
    error::{Error, Result},
    model::{projection::Projected, shape::ModelShape},
    observe::{
        slow_statements::followed,
        stats::{Asked, Related},
    },
    query::filter::ElementCondition,
    value::{
        decode::Decode,
        key::{JoinKey, any_of},
        path::without_path,
    },
};

/// The part of the sorted documents that is in the result: `skip` documents are left out, and at most `limit` documents
/// follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) skip: usize,
    pub(crate) limit: Option<usize>,
}

impl Window {
    /// Returns whether the result contains every document.
    pub(crate) const fn is_open(self) -> bool {
        self.skip == 0 && self.limit.is_none()
    }

    /// Removes the documents outside the window.
    pub(crate) fn cut(self, documents: &mut Vec<u32>) {
        documents.drain(..self.skip.min(documents.len()));
        documents.truncate(self.limit.unwrap_or(usize::MAX));
    }
}

/// The query on the target, without the keys.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The name of the relation, for messages.
    pub(crate) relation: &'static str,
    pub(crate) target: &'static ModelShape,
    /// The documents of the target that are visible to the query.
    place: Place,
    /// The stored path of the target's field with which the keys are compared.
    pub(crate) path: String,
    pub(crate) filter: Option<Document>,
    /// Conditions on the elements that contain the key, from the outermost array inwards.
    pub(super) elements: Vec<ElementCondition>,
    pub(crate) sort: Option<Document>,
    pub(crate) skip: Option<u64>,
    pub(crate) limit: Option<i64>,
    pub(crate) projected: Projected,
    pub(crate) options: FindOptions,
    /// How often each key occurs, or empty if every key occurs only once. A document is decoded once for each reference
    /// to it, because target types do not have to implement `Clone`.
    pub(crate) repeats: Arc<[u32]>,
    /// The keys of this range, if there are several ranges. If a document has keys in two ranges, the server returns
    /// the document for both ranges, and each range considers only its own keys.
    pub(crate) range: Option<Range<KeyNumber>>,
}

impl Request {
    /// Describes a query that reads documents of `target` in full.
    pub(crate) fn new(
        relation: &'static str,
        target: &'static ModelShape,
        path: String,
        place: Place,
    ) -> Self {
        Self {
            relation,
            target,
            place,
            path,
            filter: None,
            elements: Vec::new(),
            sort: None,
            skip: None,
            limit: None,
            projected: Projected::default(),
            options: FindOptions::default(),
            repeats: Arc::default(),
            range: None,
        }
    }

    /// Returns the error for a reference to a single document that has several targets.
    pub(crate) fn ambiguous(&self, key: &JoinKey, found: usize) -> Error {
        Error::Ambiguous {
            relation: self.relation.to_owned(),
            model: self.target.name,
            collection: self.target.collection,
            path: self.path.clone(),
            key: Box::new(key.to_bson()),
            found,
            with_deleted: self.place.sees_live_and_deleted(),
        }
    }

    /// Returns the options for an aggregation that is sent instead of a `find`. The library cannot remove documents
    /// from counts and groups afterwards, so the server must compare keys byte by byte.
    pub(super) fn aggregate_options(&self, keys: &KeyIndex) -> AggregateOptions {
        let FindOptions {
            collation,
            hint,
            comment,
            max_time,
            let_vars,
            allow_disk_use,
            read_concern,
            selection_criteria,
            ..
        } = self.options.clone();
        let mut options = AggregateOptions::default();
        options.collation = collation.or_else(|| keys.has_collation().then(simple));
        options.hint = hint;
        options.comment = comment;
        options.max_time = max_time;
        options.let_vars = let_vars;
        options.allow_disk_use = allow_disk_use;
        options.read_concern = read_concern;
        options.selection_criteria = selection_criteria;
        options
    }

    /// Returns whether the server can also find documents that have other keys. This is possible if your code has set a
    /// collation on which the comparison of the keys depends.
    pub(super) fn finds_other_keys(&self, keys: &KeyIndex) -> bool {
        self.options.collation.is_some() && keys.has_collation()
    }

    /// Returns the relation and the model of the documents, for spans and errors.
    pub(super) const fn relation_and_model(&self) -> (&'static str, &'static ModelShape) {
        (self.relation, self.target)
    }

    /// Counts a call in the statistics. Returns the counters to which the caller adds the number of returned documents.
    pub(super) fn count_call(&self, asked: Asked, keys: &KeyIndex, exec: &Exec) -> Related {
        let related = followed(self.relation_and_model(), asked, keys.len(), exec);
        related.projected(self.projected.document.as_ref());
        related
    }

    /// Rejects a hint, which has no effect if the server searches each key separately.
    pub(super) fn refuse_hint(&self) -> Result<()> {
        if self.options.hint.is_none() {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "a hint has no effect on `{}`, because the server searches each key separately to limit its documents; \
             remove `hint` or `limit_each`",
            self.relation
        )))
    }

    /// Returns whether a condition can exclude documents of the target that have one of the keys. A document of a
    /// different kind or tenant is not a document of the target, so a reference to it is dangling.
    pub(super) fn is_filtered(&self) -> bool {
        self.filter.is_some() || !self.elements.is_empty() || self.place.hides_documents()
    }

    /// Returns the place of the documents that are visible to the query.
    pub(super) fn target_place(&self) -> Place {
        self.place.clone()
    }

    /// Sets which documents of the target are visible to the query.
    pub(super) fn see(&mut self, visibility: Visibility) {
        self.place = self.place.clone().seeing(visibility);
    }

    /// Adds a condition to the filter.
    pub(crate) fn narrow(&mut self, filter: Document) {
        if filter.is_empty() {
            return;
        }
        self.filter = Some(match self.filter.take() {
            None => filter,
            Some(before) => doc! { "$and": [before, filter] },
        });
    }

    /// Returns the statements as a plan.
    pub(crate) fn plan(&self, keys: &KeyIndex, exec: &Exec) -> Result<Plan> {
        if self.returns_keys(keys) {
            let ranges = self.checked_ranges(keys, exec)?.into_iter();
            return exec.plan_reads(ranges.map(|range| self.matched_aggregation(range, keys)));
        }
        exec.plan_reads(self.queries(keys, exec)?)
    }

    /// Returns the queries, one for each range of the sorted keys.
    pub(crate) fn queries(&self, keys: &KeyIndex, exec: &Exec) -> Result<Vec<FindCommand>> {
        let ranges = self.checked_ranges(keys, exec)?;
        Ok(ranges
            .into_iter()
            .map(|range| self.query(range, keys))
            .collect())
    }

    /// Returns the ranges of the keys. Fails if the server must sort or limit all documents together but the keys
    /// require several ranges.
    pub(super) fn checked_ranges(
        &self,
        keys: &KeyIndex,
        exec: &Exec,
    ) -> Result<Vec<Range<KeyNumber>>> {
        let cut = if self.needs_all_keys() {
            Cut::BySize
        } else {
            Cut::ByNumber
        };
        let ranges = keys.ranges(exec.settings(), cut);
        if self.needs_all_keys() && ranges.len() > 1 {
            return Err(Error::TooManyKeys {
                relation: self.relation.to_owned(),
                model: self.target.name,
                collection: self.target.collection,
                keys: index(keys.len()),
            });
        }
        Ok(ranges)
    }

    /// Returns a request for one range of keys.
    pub(super) fn for_range(&self, range: Range<KeyNumber>, keys: &KeyIndex) -> Self {
        // A document has one `_id`, which is in one range. But with a collation, the document may also match a key in
        // another range.
        let in_several = self.path != "_id" || keys.has_collation();
        Self {
            range: in_several.then_some(range),
            ..self.clone()
        }
    }

    /// Decodes a document. If the projection includes the key only for the join, the key is removed first.
    pub(crate) fn decode<V>(&self, decode: Decode<V>, document: &RawDocument) -> Result<V> {
        let strip = self.projected.strip.as_deref();
        let stripped = strip.and_then(|path| without_path(document, path));
        let part = stripped.as_deref().unwrap_or(document);
        decode.part(self.target.collection, part, document)
    }

    /// Returns whether the server must have all keys at once.
    const fn needs_all_keys(&self) -> bool {
        self.sort.is_some() || self.skip.is_some() || self.limit.is_some()
    }

    /// Returns the query for a range of keys.
    pub(crate) fn query(&self, range: Range<KeyNumber>, keys: &KeyIndex) -> FindCommand {
        let values = keys.values(range);
        let mut options = self.options.clone();
        options.projection.clone_from(&self.projected.document);
        options.sort.clone_from(&self.sort);
        options.skip = self.skip;
        options.limit = self.limit;
        // If the first reply can contain all possible documents, there is only one round trip. Keys that are not unique
        // can have more documents, which `getMore` reads.
        options.batch_size = match self.limit {
            Some(limit) => batch_size_for(limit.unsigned_abs()),
            None if self.path == "_id" => batch_size_for(values.len() as u64),
            // There can be many children per key. The server limits the first batch to 16 MB.
            None => Some(100_000),
        };
        let cut = self.skip.is_some() || self.limit.is_some();
        if options.collation.is_none() && (self.path != "_id" || cut) && keys.has_collation() {
            // Keys are compared byte by byte, even if the collection has a different default collation. On `_id`, the
            // default is kept if possible, because the index has this collation. The library's own comparison then
            // drops documents that have other keys. However, the library cannot drop documents that the server has
            // already counted for a skip or a limit.
            options.collation = Some(simple());
        }
        let mut find = FindCommand::new(self.target_place(), self.filter_for(values));
        find.options = options;
        find
    }

    fn filter_for(&self, keys: Vec<Bson>) -> Document {
        let elements = self.keys_filter(keys.clone());
        let by_key = any_of(&self.path, keys);
        let narrowing: Vec<Document> = self.filter.clone().into_iter().chain(elements).collect();
        if narrowing.is_empty() {
            return by_key;
        }
        let clauses: Vec<Document> = [by_key].into_iter().chain(narrowing).collect();
        doc! { "$and": clauses }
    }
}
