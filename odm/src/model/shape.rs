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
mod given_checks;
mod hooks;
mod index;
mod index_kind;
mod links;
mod maintained;
mod on_delete;
mod projection_document;
mod walk;

use mongodb::bson::{Bson, Document, doc};
use serde::Serialize;

pub use crate::value::codec::FieldValue;
pub(crate) use any_model::AnyModel;
#[doc(hidden)]
pub use const_checks::{
    are_arrays, declares, find_field, has_kind, has_one_reference, have_known_names, is_aliased,
    is_array, is_flattened_as, is_key, is_required, kind_is, kind_is_in, names_back, position,
    pulls, read_stored_name, refers, same_codec, same_collection, same_stored_name, same_text,
    store_same, stores,
};
#[doc(hidden)]
pub use derived::{ChildFilter, SourceKeys};
pub use derived::{CopyShape, DerivedShape, LinksShape, RecentShape, RollupKind, RollupShape};
pub(crate) use document_set::DocumentSet;
pub use embedded_struct::Containers;
#[doc(hidden)]
pub use embedded_struct::EmbeddedStruct;
pub use field::{
    EmbedShape, FieldShape, KeyShape, ReferenceKind, ReferenceShape, SkipShape, TargetShape,
};
#[doc(hidden)]
pub use given_checks::{check_given_field, check_given_fields, check_set_of_model};
pub use hooks::HooksShape;
pub use index::{IndexKey, IndexKind, IndexShape};
pub(crate) use links::{LinkEnds, ModelLinks, id_text};
#[doc(hidden)]
pub use links::{has_name, links_of};
pub use maintained::{ActorField, ActorType, Maintained};
pub(crate) use maintained::{DELETE_ID, DELETED_AT, RESTORING};
pub use on_delete::OnDelete;
pub(crate) use projection_document::{inclusion, projected_paths};
pub use walk::{StoredField, walk};
#[doc(hidden)]
pub(crate) use walk::{any_field, stored_names_contain};

/// Generates `const` methods that set one field of a shape each, written as `name(argument: Type) => field = value`.
macro_rules! shape_setters {
    ($($(#[$doc:meta])* $name:ident($($value:ident: $type:ty)?) => $field:ident = $stored:expr;)*) => {
        $(
            $(#[$doc])*
            pub const fn $name(mut self $(, $value: $type)?) -> Self {
                self.$field = $stored;
                self
            }
        )*
    };
}

use shape_setters;

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
    /// The models of the kinds, if this type is an enum over the kinds of a collection.
    pub(crate) variants: &'static [&'static Self],
    /// Whether the enum has a variant for documents of other kinds.
    pub(crate) has_other: bool,
    /// The indexes that the struct declares with `index(..)`.
    pub indexes: &'static [IndexShape],
    /// The relations that the struct declares with `has_many(..)` and `has_one(..)`.
    pub has_many: &'static [HasManyShape],
    /// The kind of the documents, if the model describes only one kind in its collection.
    pub kind: Option<KindShape<'static>>,
    /// The fields of the shard key, which can be ascending or hashed.
    pub shard_key: &'static [IndexKey],
    /// Whether the server keeps the documents as they were before each change, for use in change streams.
    pub pre_images: bool,
    /// The collection to which a delete moves documents, if the model declares `on_delete = "archive"`.
    pub archive: Option<&'static str>,
    /// The hooks that the library calls in writes of the documents.
    pub hooks: Option<HooksShape>,
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

#[doc(hidden)]
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

#[doc(hidden)]
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
            variants: &[],
            has_other: false,
            indexes: &[],
            has_many: &[],
            kind: None,
            shard_key: &[],
            pre_images: false,
            archive: None,
            hooks: None,
        }
    }

    shape_setters! {
        /// Restricts the model to the documents of one kind.
        kind(kind: KindShape<'static>) => kind = Some(kind);

        /// Sets the models of the kinds, for an enum over the kinds of a collection.
        variants(variants: &'static [&'static Self]) => variants = variants;

        /// Declares that the enum over the kinds of a collection has a variant for documents of other kinds.
        and_others() => has_other = true;

        /// Sets the fields of the shard key.
        shard_key(keys: &'static [IndexKey]) => shard_key = keys;

        /// Declares that the server keeps the documents as they were before each change, for use in change streams.
        pre_images() => pre_images = true;

        /// Declares that a delete moves documents to another collection.
        archive(collection: &'static str) => archive = Some(collection);

        /// Adds the hooks of the model.
        hooks(hooks: HooksShape) => hooks = Some(hooks);

        /// Adds the indexes that the struct declares.
        indexes(indexes: &'static [IndexShape]) => indexes = indexes;

        /// Adds the relations for which other models store the reference.
        has_many(relations: &'static [HasManyShape]) => has_many = relations;
    }

    /// Lists the fields that the library maintains. Only the fields of the model itself can be maintained, not the
    /// fields of embedded structs.
    pub(crate) fn maintained(&self) -> impl Iterator<Item = (&'static FieldShape, Maintained)> {
        let fields = self.fields.iter();
        fields.filter_map(|field| Some((field, field.maintained?)))
    }

    /// Returns the stored name of the version field, if the model has such a field.
    pub(crate) fn version(&self) -> Option<&'static str> {
        self.maintained_name(|kind| matches!(kind, Maintained::Version))
    }

    /// Returns the stored name of the field with `#[deleted_at]`, if the model has such a field.
    pub(crate) fn deleted_at(&self) -> Option<&'static str> {
        self.maintained_name(|kind| matches!(kind, Maintained::DeletedAt))
    }

    /// Lists the stored names of the fields with `#[deleted_at]`: the field of the model, or the fields of an enum's
    /// kinds.
    pub(crate) fn deletion_fields(&self) -> impl Iterator<Item = &'static str> {
        let names = self
            .variants
            .iter()
            .filter_map(|variant| variant.deleted_at());
        let mut all: Vec<_> = self.deleted_at().into_iter().chain(names).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter()
    }

    /// Returns the shape of one document. For an enum, the kind of the document determines the shape. `kind` reads the
    /// document's kind from the field with the given name.
    pub(crate) fn shape_of_kind<'d>(&self, kind: impl Fn(&str) -> Option<&'d str>) -> &Self {
        let is_of = |variant: &&&'static Self| {
            let shape = variant.kind.as_ref();
            shape.is_some_and(|shape| match kind(shape.field) {
                Some(value) => value == shape.value,
                None => shape.is_default,
            })
        };
        self.variants.iter().find(is_of).map_or(self, |it| *it)
    }

    /// Returns the stored name of the field with `#[deleted_at]` for one document. For an enum, the kind of the
    /// document determines the field. `kind` reads the document's kind from the field with the given name.
    pub(crate) fn deletion_field_of<'d>(
        &self,
        kind: impl Fn(&str) -> Option<&'d str>,
    ) -> Option<&'static str> {
        self.shape_of_kind(kind).deleted_at()
    }

    /// Returns a condition that matches only documents of kinds whose field with `#[deleted_at]` has the given stored
    /// name. Returns `None` if the type reads only documents whose field has this name.
    pub(crate) fn kinds_with_deletion(&self, field: &str) -> Option<Document> {
        let has = |variant: &&&'static Self| variant.deleted_at() == Some(field);
        if !self.has_other && self.variants.iter().all(|variant| has(&variant)) {
            return None;
        }
        let kinds = self.variants.iter().filter(has);
        let kinds = kinds.filter_map(|variant| variant.kind.as_ref());
        let (mut name, mut values) = ("", Vec::new());
        for kind in kinds {
            name = kind.field;
            values.push(Bson::from(kind.value));
            values.extend(kind.is_default.then_some(Bson::Null));
        }
        Some(doc! { name: { "$in": values } })
    }

    /// Returns the collection of archived documents: the archive of the model, or the archive of an enum's kinds.
    pub(crate) fn archive_collection(&self) -> Option<&'static str> {
        let mut kinds = self.variants.iter();
        self.archive
            .or_else(|| kinds.find_map(|variant| variant.archive))
    }

    /// Whether the model's deleted documents can be restored.
    pub(crate) fn keeps_deleted(&self) -> bool {
        self.archive_collection().is_some() || self.deletion_fields().next().is_some()
    }

    /// Returns the stored name of the tenant field, if the model has the option `tenant`. An enum over the kinds of a
    /// collection has the tenant field of its kinds.
    pub(crate) fn tenant(&self) -> Option<&'static str> {
        self.tenant_field().map(|(field, _)| field.stored)
    }

    /// Returns the field that contains the tenant, and the type of its values.
    pub(crate) fn tenant_field(&self) -> Option<(&'static FieldShape, ActorType)> {
        let own = self.maintained().find_map(|(field, kind)| match kind {
            Maintained::Tenant(ty) => Some((field, ty)),
            _ => None,
        });
        let mut variants = self.variants.iter();
        own.or_else(|| variants.find_map(|variant| variant.tenant_field()))
    }

    /// Returns the fields of the shard key. An enum over the kinds of a collection has the shard key of its kinds.
    pub(crate) fn shard_keys(&self) -> &'static [IndexKey] {
        let kinds = self.variants.iter().map(|variant| variant.shard_key);
        let mut all = std::iter::once(self.shard_key).chain(kinds);
        all.find(|keys| !keys.is_empty()).unwrap_or_default()
    }

    /// Lists the stored paths of the shard key.
    pub(crate) fn shard_key_paths(&self) -> impl Iterator<Item = String> {
        self.shard_keys().iter().map(|key| (key.path)())
    }

    fn maintained_name(&self, is_wanted: fn(Maintained) -> bool) -> Option<&'static str> {
        let mut fields = self.maintained();
        let field = fields.find(|(_, kind)| is_wanted(*kind))?;
        Some(field.0.stored)
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
    #[doc(hidden)]
    pub const fn new(name: &'static str, fields: &'static [FieldShape]) -> Self {
        let type_name = || "";
        Self {
            name,
            fields,
            type_name,
        }
    }

    /// Sets the Rust type that the shape describes.
    #[doc(hidden)]
    pub const fn of<T: ?Sized>(mut self) -> Self {
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
    pub(crate) const fn declares(&self) -> bool {
        declares(self.fields)
    }

    /// Returns whether this is an enum of references, which is stored as a kind and a key.
    #[doc(hidden)]
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

#[doc(hidden)]
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
