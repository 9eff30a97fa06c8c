//! The `const` description of every model. The derive emits it, and all other parts of the library read it.
//!
//! A shape contains names, not values: fields and their stored names, references, copies, bounds and indexes. Shapes
//! refer to each other by function pointers, so that two models may refer to each other.

mod const_checks;
mod derived;
mod document_set;
mod embedded_struct;
mod error_context;
mod field;
mod index;
mod links;
mod on_delete;
mod projection_document;
mod walk;

use mongodb::bson::{Bson, Document, doc};
use serde::Serialize;

pub use crate::value::codec::FieldValue;
pub use const_checks::{
    are_arrays, find_field, has_kind, has_one_reference, is_aliased, is_array, is_flattened_as,
    is_key, is_required, kind_is, kind_is_in, names_back, position, pulls, refers, same_codec,
    same_collection, same_stored_name, same_text, store_same, stores,
};
pub use derived::{
    ChildFilter, CopyShape, LinksShape, RecentShape, RollupKind, RollupShape, SourceKeys,
};
pub(crate) use document_set::DocumentSet;
pub use embedded_struct::{Containers, EmbeddedStruct};
pub use field::{
    EmbedShape, FieldShape, KeyShape, ReferenceKind, ReferenceShape, SkipShape, TargetShape,
};
pub use index::{IndexKey, IndexKind, IndexShape};
pub(crate) use links::{ModelLinks, id_text};
pub use links::{has_name, links_of};
pub use on_delete::OnDelete;
pub(crate) use projection_document::{inclusion, projected_paths};
pub use walk::{StoredField, walk};

/// The description of one model: a collection and the documents in it.
///
/// Loads, index synchronization and verification read this description. It sends nothing to the server.
#[derive(Debug)]
#[non_exhaustive]
pub struct ModelShape {
    /// The name of the Rust struct.
    pub name: &'static str,
    /// The collection that stores the documents.
    pub collection: &'static str,
    /// The fields, in the order of the struct.
    pub fields: &'static [FieldShape],
    /// The indexes declared on the struct with `index(..)`.
    pub indexes: &'static [IndexShape],
    /// The relations declared with `has_many(..)` and `has_one(..)`.
    pub has_many: &'static [HasManyShape],
    /// The kind of the documents, if the model is only a part of its collection.
    pub kind: Option<KindShape>,
    /// The stored paths of the shard key.
    pub shard_key: &'static [&'static str],
}

/// The field value that distinguishes the documents of a model from others in the same collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct KindShape {
    /// The stored field.
    pub field: &'static str,
    /// Its value in the documents of the model.
    pub value: &'static str,
    /// Whether documents without the field also belong to the kind.
    pub is_default: bool,
}

impl KindShape {
    /// Describes the documents that have a value in a field.
    pub const fn new(field: &'static str, value: &'static str) -> Self {
        Self {
            field,
            value,
            is_default: false,
        }
    }

    /// Returns the filter for documents of the kind.
    pub(crate) fn condition(&self) -> Document {
        if self.is_default {
            doc! { self.field: { "$in": [self.value, Bson::Null] } }
        } else {
            doc! { self.field: self.value }
        }
    }

    /// Also includes the documents without the field.
    pub const fn or_missing(mut self) -> Self {
        self.is_default = true;
        self
    }
}

impl ModelShape {
    /// Describes a model without declared indexes and relations.
    pub const fn new(
        name: &'static str,
        collection: &'static str,
        fields: &'static [FieldShape],
    ) -> Self {
        Self {
            name,
            collection,
            fields,
            indexes: &[],
            has_many: &[],
            kind: None,
            shard_key: &[],
        }
    }

    /// Restricts the model to the documents of a kind.
    pub const fn kind(mut self, kind: KindShape) -> Self {
        self.kind = Some(kind);
        self
    }

    /// Sets the paths of the shard key.
    pub const fn shard_key(mut self, paths: &'static [&'static str]) -> Self {
        self.shard_key = paths;
        self
    }

    /// Adds the declared indexes.
    pub const fn indexes(mut self, indexes: &'static [IndexShape]) -> Self {
        self.indexes = indexes;
        self
    }

    /// Adds the relations that are stored in other models.
    pub const fn has_many(mut self, relations: &'static [HasManyShape]) -> Self {
        self.has_many = relations;
        self
    }
}

/// The description of a struct inside documents.
#[derive(Debug)]
#[non_exhaustive]
pub struct StructShape {
    /// The name of the Rust struct.
    pub name: &'static str,
    /// The fields, in the order of the struct.
    pub fields: &'static [FieldShape],
    /// The full type name, which distinguishes structs that have the same name.
    pub(crate) type_name: fn() -> &'static str,
}

impl StructShape {
    /// Describes an embedded struct or a projection.
    pub const fn new(name: &'static str, fields: &'static [FieldShape]) -> Self {
        let type_name = || "";
        Self {
            name,
            fields,
            type_name,
        }
    }

    /// Sets the described type.
    pub const fn of<T>(mut self) -> Self {
        self.type_name = std::any::type_name::<T>;
        self
    }

    /// Returns whether two descriptions belong to one type.
    ///
    /// Their addresses cannot be compared, because the compiler may keep several copies of a constant.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.name == other.name && (self.type_name)() == (other.type_name)()
    }

    /// Returns whether a field has a declaration that the library maintains when the struct is inside a document.
    pub const fn declares(&self) -> bool {
        let mut at = 0;
        while at < self.fields.len() {
            #[allow(clippy::indexing_slicing, reason = "indexing is what `const` has")]
            let field = &self.fields[at];
            if field.declares() {
                return true;
            }
            at += 1;
        }
        false
    }

    /// Returns whether this is an enum of references, which is stored as a kind and a key.
    pub fn is_polymorphic(&self) -> bool {
        self.fields.iter().any(|field| !field.targets.is_empty())
    }
}

/// One `has_many(name = "Child.field")` or `has_one(..)`: a relation that is stored in the other model.
#[derive(Debug)]
#[non_exhaustive]
pub struct HasManyShape {
    /// The name of the relation, as in `load_<name>`.
    pub name: &'static str,
    /// The model whose documents refer to this one.
    pub target: fn() -> &'static ModelShape,
    /// The stored path of the reference in the target, for example `parts.id`.
    pub path: fn() -> String,
    /// Whether at most one document refers to this one.
    pub single: bool,
}

impl HasManyShape {
    /// Describes a relation that is stored in `target` at `path`.
    pub const fn new(
        name: &'static str,
        target: fn() -> &'static ModelShape,
        path: fn() -> String,
    ) -> Self {
        Self {
            name,
            target,
            path,
            single: false,
        }
    }

    /// Declares that at most one document refers to this one: `has_one`.
    pub const fn single(mut self) -> Self {
        self.single = true;
        self
    }
}
