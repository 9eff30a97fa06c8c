//! The place to which a statement applies: a collection, the kind of a model, and the shard key.
//!
//! A `Place` adds the following to every statement of a model:
//!
//! - The kind of the documents, in filters and in new documents. New documents get their kind before anything is sent,
//!   and a document of a different kind is rejected.
//! - The tenant of the handle, if the application sends the statement and the model has a tenant.
//! - The condition that the documents are not deleted, if the statement applies only to live documents.
//! - The shard key, if the statement applies to a single document.
//! - The read and write concern, for statements on the library's own collections.

mod document_kind;
mod self_link;
mod shard_key;
mod tenancy;
mod visibility;

pub(crate) use self_link::refuse_unreadable_link;
pub(crate) use shard_key::Shards;
use tenancy::Tenancy;
pub(crate) use tenancy::{check_tenant, without_tenant};
pub(crate) use visibility::{Visibility, visibility_setters};

use std::borrow::Cow;

use mongodb::{
    Collection, Database,
    bson::{Bson, Document, RawDocumentBuf, doc},
    options::{ReadConcern, ReadPreference, SelectionCriteria, WriteConcern},
};

use crate::{
    error::{FailedStatement, Result},
    model::shape::{AnyModel, DocumentSet, KindShape, ModelShape},
    value::path::equality_in,
};

/// A collection, the kind of a model in the collection, and the shard key. Because of this type, other houses do not
/// need to know which collections contain several kinds.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    collection: Cow<'static, str>,
    model: Option<AnyModel>,
    /// The model that errors and observed statements mention, even for statements on the whole database.
    about: Option<&'static ModelShape>,
    /// Whether reads and writes outside of transactions have the concern `majority`.
    durable: bool,
    visibility: Visibility,
    tenancy: Tenancy,
}

impl Place {
    /// Returns the place for all stored documents of a model, including deleted ones. Statements of the application
    /// apply only to live documents; see [`live`](Self::live).
    pub(crate) const fn of(model: &'static ModelShape) -> Self {
        Self {
            collection: Cow::Borrowed(model.collection),
            model: Some(AnyModel::Linked(model)),
            about: Some(model),
            durable: false,
            visibility: Visibility::All,
            tenancy: Tenancy::All,
        }
    }

    /// Returns the place for the documents of a model that is the owner or the target of an extended reference.
    pub(crate) fn at(model: &AnyModel) -> Self {
        Self {
            collection: match model {
                AnyModel::Linked(model) => model.collection.into(),
                AnyModel::Foreign(_) => model.collection().to_owned().into(),
            },
            model: Some(model.clone()),
            about: model.linked(),
            durable: false,
            visibility: Visibility::All,
            tenancy: Tenancy::All,
        }
    }

    /// Returns the place for a whole collection, including documents of all kinds.
    pub(crate) fn whole_collection(collection: impl Into<Cow<'static, str>>) -> Self {
        Self {
            collection: collection.into(),
            model: None,
            about: None,
            durable: false,
            visibility: Visibility::All,
            tenancy: Tenancy::All,
        }
    }

    /// Returns the place for the database, for statements without a collection.
    pub(crate) fn database() -> Self {
        Self::whole_collection("")
    }

    /// Sets the model that errors mention for a statement on the whole database.
    pub(crate) fn for_model(mut self, model: &'static ModelShape) -> Self {
        self.about = Some(model);
        self
    }

    /// Requests the concern `majority` for reads and writes outside of transactions.
    pub(crate) fn durable(mut self) -> Self {
        self.durable = true;
        self
    }

    /// Describes a failed statement at this place, for errors.
    pub(crate) fn failed(&self, command: &'static str) -> FailedStatement {
        FailedStatement {
            command,
            collection: match (self.name(), self.about) {
                ("", about) => about.map(|model| model.collection.to_owned()),
                (name, _) => Some(name.to_owned()),
            },
            model: self.about.map(|model| model.name),
        }
    }

    /// Returns the name of the collection, or an empty name for the database.
    pub(crate) fn name(&self) -> &str {
        &self.collection
    }

    /// Returns the model, or `None` for a whole collection.
    pub(crate) fn model(&self) -> Option<&'static ModelShape> {
        self.model.as_ref()?.linked()
    }

    /// Returns the model that errors and observed statements mention.
    pub(crate) const fn subject(&self) -> Option<&'static ModelShape> {
        self.about
    }

    /// Returns the set of the model's documents, or `None` for a whole collection.
    pub(crate) fn documents(&self) -> Option<DocumentSet<'static>> {
        self.model().map(ModelShape::documents)
    }

    /// Returns the kind of the model, if it has one.
    pub(crate) fn kind(&self) -> Option<KindShape<'_>> {
        self.model.as_ref()?.kind()
    }

    /// Returns the kind of the model, and the condition that matches its documents.
    fn condition(&self) -> Option<(KindShape<'_>, Document)> {
        let kind = self.kind()?;
        Some((kind, kind.condition()))
    }

    /// Restricts a filter to the kind of the model, to the tenant, and to the live or deleted documents that the
    /// statement applies to.
    pub(crate) fn scope(&self, filter: Document) -> Document {
        self.scope_to_kind(self.scope_to_tenant(self.scope_to_visible(filter)))
    }

    fn scope_to_kind(&self, filter: Document) -> Document {
        match self.condition() {
            None => filter,
            // The server rejects an upsert that has two equality conditions on one field.
            Some((kind, _))
                if equality_in(&filter, kind.field).and_then(Bson::as_str) == Some(kind.value) =>
            {
                filter
            }
            Some((kind, condition)) if filter.contains_key(kind.field) => {
                doc! { "$and": [condition, filter] }
            }
            Some((_, mut scoped)) => {
                scoped.extend(filter);
                scoped
            }
        }
    }

    /// Restricts an aggregation in the same way as [`scope`](Self::scope) restricts a filter. Usually the condition becomes
    /// the first stage. Stages that must themselves be first either include the condition or precede it.
    pub(crate) fn scope_stages(&self, mut stages: Vec<Document>) -> Vec<Document> {
        let condition = self.scope(Document::new());
        if condition.is_empty() {
            return stages;
        }
        let first = stages.first_mut().and_then(|stage| {
            let (name, stage) = stage.iter_mut().next()?;
            Some((name.as_str(), stage))
        });
        let matching = doc! { "$match": condition };
        match first {
            Some(("$match", Bson::Document(filter))) => {
                *filter = self.scope(std::mem::take(filter));
            }
            Some(("$geoNear", Bson::Document(near))) => {
                let query = near.get_document("query").cloned().unwrap_or_default();
                near.insert("query", self.scope(query));
            }
            // These stages return statistics about the whole collection, which cannot be restricted.
            Some(("$collStats" | "$indexStats" | "$planCacheStats", _)) => {}
            Some(("$search" | "$vectorSearch", _)) => stages.insert(1, matching),
            _ => stages.insert(0, matching),
        }
        stages
    }

    /// Writes the fields that the library maintains into a document: the kind, and the document's link to itself.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for a document of a different kind.
    pub(crate) fn stamp(&self, document: RawDocumentBuf) -> Result<RawDocumentBuf> {
        self.stamp_self_link(self.stamp_kind(document)?)
    }

    /// Returns the driver's handle to the collection.
    pub(crate) fn open<T: Send + Sync>(&self, database: &Database) -> Collection<T> {
        database.collection(&self.collection)
    }

    /// If the place is durable, sets the read concern `majority` and the read preference for the primary, unless your
    /// code has already set them. In a transaction, sets neither.
    pub(crate) fn read_safely(
        &self,
        in_transaction: bool,
        concern: &mut Option<ReadConcern>,
        criteria: &mut Option<SelectionCriteria>,
    ) {
        if self.durable && !in_transaction {
            concern.get_or_insert_with(ReadConcern::majority);
            criteria.get_or_insert(SelectionCriteria::ReadPreference(ReadPreference::Primary));
        }
    }

    /// Sets the write concern `majority` if the place is durable and no other concern is set. Removes the write concern
    /// in a transaction, where only the commit may have a write concern.
    pub(crate) fn write_safely(&self, in_transaction: bool, concern: &mut Option<WriteConcern>) {
        if in_transaction {
            *concern = None;
        } else if self.durable {
            concern.get_or_insert_with(WriteConcern::majority);
        }
    }
}

#[cfg(test)]
#[allow(
    clippy::unnecessary_fallible_conversions,
    reason = "patterns are strings in one major of BSON and C strings in the other"
)]
mod tests {
    use mongodb::bson::Regex;

    use super::*;
    use crate::model::shape::{IndexKey, IndexKind};

    static CLASS: ModelShape =
        ModelShape::new("Class", "students_classes", &[]).kind(KindShape::new("doc_type", "class"));
    static PLAIN: ModelShape = ModelShape::new("Part", "parts", &[]).shard_key(&[
        IndexKey::new(|| "host".to_owned(), IndexKind::Ascending),
        IndexKey::new(|| "_id".to_owned(), IndexKind::Hashed),
    ]);

    #[test]
    fn stages_that_stand_first_take_the_kind_into_them() {
        let place = Place::of(&CLASS);
        let text = doc! { "$text": { "$search": "x" } };
        assert_eq!(
            place.scope_stages(vec![doc! { "$match": text.clone() }]),
            [doc! { "$match": { "doc_type": "class", "$text": { "$search": "x" } } }]
        );
        assert_eq!(
            place.scope_stages(vec![doc! { "$geoNear": { "near": [0, 0] } }]),
            [doc! { "$geoNear": { "near": [0, 0], "query": { "doc_type": "class" } } }]
        );
        let stats = vec![doc! { "$indexStats": {} }];
        assert_eq!(place.scope_stages(stats.clone()), stats);
    }

    #[test]
    fn a_model_without_a_kind_leaves_statements_as_they_are() {
        let place = Place::of(&PLAIN);
        assert_eq!(place.scope(doc! { "a": 1 }), doc! { "a": 1 });
        assert_eq!(place.scope_stages(Vec::new()), Vec::<Document>::new());
        let stored = RawDocumentBuf::try_from(&doc! {}).unwrap();
        assert_eq!(place.stamp(stored.clone()).unwrap(), stored);
        let log = doc! { "_id": 1, "host": 7, "message": "cpu" };
        let stored = RawDocumentBuf::try_from(&log).unwrap();
        let one = place.filter_of_document(Bson::Int32(1), &stored);
        assert_eq!(one, doc! { "_id": 1, "host": 7 });
        assert_eq!(place.missing_in_key(&one), None);
        let missing = place.missing_in_key(&doc! { "_id": 1, "host": { "$gt": 1 } });
        assert_eq!(missing.as_deref(), Some("host"));
        let pattern = Bson::RegularExpression(Regex {
            pattern: "a".try_into().unwrap(),
            options: "".try_into().unwrap(),
        });
        let shards = |filter| place.shards(&filter, false).map(|it| it.to_string());
        for (filter, shown) in [
            (one, "[1 shard]"),
            (
                doc! { "_id": { "$in": [1, 2] }, "$and": [{ "host": 7 }] },
                "[2 of n shards]",
            ),
            (doc! { "host": 7 }, "[shards of one prefix]"),
            (doc! { "_id": 1 }, "[all shards]"),
            (doc! { "host": pattern.clone() }, "[all shards]"),
            (
                doc! { "host": { "$in": [7, pattern.clone()] } },
                "[all shards]",
            ),
        ] {
            assert_eq!(shards(filter).as_deref(), Some(shown));
        }
        let text = doc! { "_id": 1, "host": "Bern" };
        assert_eq!(place.shards(&text, true), Some(Shards::All));
        assert_eq!(Place::of(&CLASS).shards(&doc! { "_id": 1 }, false), None);
    }
}
