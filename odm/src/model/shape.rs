//! Shapes: `const` descriptions of all models. The derive emits them, and all other parts of the library read them.
//!
//! A shape contains names but no values: fields and their stored names, references, copies, bounds and indexes.
//! Shapes refer to each other through function pointers, so that two models can refer to each other.

mod any_model;
mod const_checks;
mod derived;
mod document_set;
mod embedded_struct;
mod error_context;
mod field;
mod index;
mod links;
mod maintained;
mod on_delete;
mod projection_document;
mod walk;

use mongodb::bson::{Bson, Document, doc};
use serde::Serialize;

pub use crate::value::codec::FieldValue;
pub(crate) use any_model::AnyModel;
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
pub use maintained::Maintained;
pub use on_delete::OnDelete;
pub(crate) use projection_document::{inclusion, projected_paths};
pub use walk::{StoredField, walk};

/// The shape of a model, which describes a collection and the documents in it.
///
/// Loads, index synchronization and verification read shapes. A shape itself sends nothing to the server.
#[derive(Debug)]
#[non_exhaustive]
pub struct ModelShape {
    /// The name of the Rust struct.
    pub name: &'static str,
    /// The collection that stores the documents.
    pub collection: &'static str,
    /// The fields, in the order in which the struct declares them.
    pub fields: &'static [FieldShape],
    /// The indexes that the struct declares with `index(..)`.
    pub indexes: &'static [IndexShape],
    /// The relations that the struct declares with `has_many(..)` and `has_one(..)`.
    pub has_many: &'static [HasManyShape],
    /// The kind of the documents, if the model is only a part of its collection.
    pub kind: Option<KindShape<'static>>,
    /// The stored paths of the shard key.
    pub shard_key: &'static [&'static str],
}

/// The field value that distinguishes the documents of a model from other documents in the same collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct KindShape<'n> {
    /// The stored name of the field that contains the kind.
    pub field: &'n str,
    /// The value of this field in the model's documents.
    pub value: &'n str,
    /// Whether documents that lack the field also belong to this kind.
    pub is_default: bool,
}

impl<'n> KindShape<'n> {
    /// Describes the documents that have the given value in the given field.
    pub const fn new(field: &'n str, value: &'n str) -> Self {
        Self {
            field,
            value,
            is_default: false,
        }
    }

    /// Returns a filter for documents of this kind.
    pub(crate) fn condition(&self) -> Document {
        if self.is_default {
            doc! { self.field: { "$in": [self.value, Bson::Null] } }
        } else {
            doc! { self.field: self.value }
        }
    }

    /// Declares that documents that lack the field also belong to this kind.
    pub const fn or_missing(mut self) -> Self {
        self.is_default = true;
        self
    }
}

impl ModelShape {
    /// Describes a model that does not declare indexes or relations.
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

    /// Restricts the model to the documents of one kind.
    pub const fn kind(mut self, kind: KindShape<'static>) -> Self {
        self.kind = Some(kind);
        self
    }

    /// Sets the stored paths of the shard key.
    pub const fn shard_key(mut self, paths: &'static [&'static str]) -> Self {
        self.shard_key = paths;
        self
    }

    /// Adds the indexes that the struct declares.
    pub const fn indexes(mut self, indexes: &'static [IndexShape]) -> Self {
        self.indexes = indexes;
        self
    }

    /// Adds the relations for which other models store the reference.
    pub const fn has_many(mut self, relations: &'static [HasManyShape]) -> Self {
        self.has_many = relations;
        self
    }

    /// Lists the fields that the library maintains. Only the fields of the model itself can be maintained, not those of
    /// embedded structs.
    pub(crate) fn maintained(&self) -> impl Iterator<Item = (&'static FieldShape, Maintained)> {
        let fields = self.fields.iter();
        fields.filter_map(|field| Some((field, field.maintained?)))
    }

    /// Returns the stored name of the version, if the model has one.
    pub(crate) fn version(&self) -> Option<&'static str> {
        let mut fields = self.maintained();
        let version = fields.find(|(_, kind)| *kind == Maintained::Version)?;
        Some(version.0.stored)
    }
}

/// The shape of an embedded struct or a projection.
#[derive(Debug)]
#[non_exhaustive]
pub struct StructShape {
    /// The name of the Rust struct.
    pub name: &'static str,
    /// The fields, in the order in which the struct declares them.
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

    /// Sets the Rust type that the shape describes.
    pub const fn of<T>(mut self) -> Self {
        self.type_name = std::any::type_name::<T>;
        self
    }

    /// Returns whether two shapes describe the same type.
    ///
    /// The addresses of the shapes cannot be compared, because the compiler may keep several copies of a constant.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.name == other.name && (self.type_name)() == (other.type_name)()
    }

    /// Returns whether the library must maintain a field of the struct when the struct is inside a document.
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

/// The shape of `has_many(name = "Child.field")` or `has_one(..)`: a relation for which the other model stores the
/// reference.
#[derive(Debug)]
#[non_exhaustive]
pub struct HasManyShape {
    /// The name of the relation, as in `load_<name>`.
    pub name: &'static str,
    /// The model that contains the references to this model.
    pub target: fn() -> &'static ModelShape,
    /// The stored path of the reference in the target, for example `parts.id`.
    pub path: fn() -> String,
    /// Whether at most one document refers to each document of this model.
    pub single: bool,
}

impl HasManyShape {
    /// Describes a relation for which the model `target` stores the reference at `path`.
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

    /// Declares that at most one document refers to each document of this model, as for `has_one`.
    pub const fn single(mut self) -> Self {
        self.single = true;
        self
    }
}
