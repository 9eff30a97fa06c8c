//! The shape of one field in a model, an embedded struct or a projection.
//!
//! For a field that has `skip_serializing_if`, the derive emits the function `FieldShape::skips`. The library calls
//! this function with a value from the application or with a stored value. All code that writes a field uses this
//! function: `set`, `nullify` and copies. Therefore an update never stores a value that serde would leave out.

use mongodb::bson::Bson;
use serde::Serialize;

use super::{
    CopyShape, DerivedShape, EmbeddedStruct, IndexShape, LinksShape, Maintained, ModelShape,
    OnDelete, RecentShape, RollupShape, shape_setters,
};
use crate::value::{bson_form::DescribeForm, codec::FieldValue};

/// The shape of one stored field.
#[derive(Debug)]
#[non_exhaustive]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each says another thing of the field, and none excludes another"
)]
pub struct FieldShape {
    /// The name of the Rust field.
    pub name: &'static str,
    /// The field's name in the document, as serde writes it.
    pub stored: &'static str,
    /// The type of the Rust field as written in the source, without module paths. The string is empty if the type is
    /// not known.
    pub written: &'static str,
    /// Whether serde writes the fields of the embedded struct in place of this field (`#[serde(flatten)]`).
    pub flatten: bool,
    /// Whether the field is stored as an array.
    pub array: bool,
    /// Whether the field is an `Option` and can be null.
    pub optional: bool,
    /// Whether serde has a default value for documents without the field (`#[serde(default)]`).
    pub default: bool,
    /// The function that decides which values serde leaves out of a document (`#[serde(skip_serializing_if)]`).
    pub skips: Option<SkipShape>,
    /// Whether serde also reads the field under other names (`#[serde(alias)]`).
    pub aliased: bool,
    /// Whether serde ignores the stored value when it reads a document (`#[serde(skip_deserializing)]`).
    pub(crate) unread: bool,
    /// The function that returns the BSON types of the stored values. `None` if they are not known, as for a field that
    /// has a codec.
    pub(crate) form: Option<DescribeForm>,
    /// The embedded struct and the containers around it.
    pub embed: Option<EmbedShape>,
    /// The structs inside a container that the library does not know. These structs cannot contain declarations.
    pub(crate) hidden: &'static [Option<EmbedShape>],
    /// The maximum number of elements in the array.
    pub max: Option<u32>,
    /// The reference that the field stores.
    pub reference: Option<ReferenceShape>,
    /// The delete rule for the embedded struct, which applies when the target of its reference is deleted. This rule
    /// replaces the reference's own rule.
    pub on_delete: Option<OnDelete>,
    /// Whether the library rejects a write that adds a dangling key.
    pub exists: bool,
    /// Whether each value of the field also stores the model of its target, because the reference is polymorphic.
    pub polymorphic: bool,
    /// The possible target models of the keys in this field, if the field belongs to a polymorphic reference.
    pub targets: &'static [TargetShape],
    /// The index that is declared on the field.
    pub index: Option<IndexShape>,
    /// The path of the `serde(with)` module or function that encodes the field.
    pub codec: Option<&'static str>,
    /// Whether the codec only writes the field (`serialize_with`), so serde reads a missing `Option` as `None`.
    pub(crate) only_written_by_codec: bool,
    /// The shape of the copy, the recent list, or the summary that the field stores.
    pub derived: Option<DerivedShape>,
    /// The shape of the links, if the field contains links of the Single Collection Pattern.
    pub links: Option<LinksShape>,
    /// The meaning of the field, if the library maintains it in every write.
    pub maintained: Option<Maintained>,
}

/// A function that returns the shape of an embedded struct.
pub type EmbedShape = fn() -> EmbeddedStruct;

/// A function that decides which values of a field serde leaves out of a document.
#[derive(Clone, Copy, Debug)]
pub struct SkipShape(for<'v> fn(FieldValue<'v>) -> bool);

impl SkipShape {
    /// Returns whether serde leaves the value out of a document.
    pub(crate) fn skips(self, value: FieldValue<'_>) -> bool {
        (self.0)(value)
    }
}

/// Function pointers cannot be compared reliably. The field determines the function, so the comparison ignores the
/// function.
impl PartialEq for SkipShape {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[doc(hidden)]
impl FieldShape {
    /// Describes a field without any declarations.
    pub const fn new(name: &'static str, stored: &'static str) -> Self {
        Self {
            name,
            stored,
            written: "",
            flatten: false,
            array: false,
            optional: false,
            default: false,
            skips: None,
            aliased: false,
            unread: false,
            form: None,
            embed: None,
            hidden: &[],
            max: None,
            reference: None,
            on_delete: None,
            exists: false,
            polymorphic: false,
            targets: &[],
            index: None,
            codec: None,
            only_written_by_codec: false,
            derived: None,
            links: None,
            maintained: None,
        }
    }

    /// Returns whether the library must maintain the field, because it declares a copy, a bound, an index, a delete
    /// rule, or a check that the target exists.
    pub const fn declares(&self) -> bool {
        let of_reference = match &self.reference {
            Some(reference) => {
                !matches!(reference.on_delete, OnDelete::Keep) || reference.inverse.is_some()
            }
            None => false,
        };
        of_reference
            || self.max.is_some()
            || self.on_delete.is_some()
            || self.exists
            || self.index.is_some()
            || self.derived.is_some()
            || self.links.is_some()
    }

    /// Returns the shape of the copy, if the field is a copy.
    pub const fn copy_shape(&self) -> Option<&CopyShape> {
        match &self.derived {
            Some(DerivedShape::Copy(copy)) => Some(copy),
            _ => None,
        }
    }

    /// Returns the shape of the recent list, if the field is a recent list.
    pub const fn recent_shape(&self) -> Option<&RecentShape> {
        match &self.derived {
            Some(DerivedShape::Recent(recent)) => Some(recent),
            _ => None,
        }
    }

    /// Returns whether the field is a snapshot, which the library writes once.
    pub(crate) const fn is_snapshot(&self) -> bool {
        matches!(self.copy_shape(), Some(copy) if copy.snapshot)
    }

    /// Returns whether the field is a copy that follows its source.
    pub(crate) const fn is_synchronized_copy(&self) -> bool {
        matches!(self.copy_shape(), Some(copy) if !copy.snapshot)
    }

    /// Returns whether the library always replaces the value of the field with the value of its source.
    pub(crate) const fn is_synchronized(&self) -> bool {
        self.derived.is_some() && !self.is_snapshot()
    }

    /// Returns whether serde can read a document without the field.
    ///
    /// Serde reads a missing `Option` as `None` only if a codec does not read the field.
    pub(crate) const fn may_be_missing(&self) -> bool {
        let is_read_by_codec = self.codec.is_some() && !self.only_written_by_codec;
        self.default || (self.optional && !is_read_by_codec)
    }

    /// Whether the application reads null if the field is missing: the field is an `Option`, and serde either leaves
    /// out no values, or also leaves out null.
    pub(crate) fn reads_missing_as_null(&self) -> bool {
        self.optional && (self.skips.is_none() || self.skips_null())
    }

    /// Sets the properties that follow from the field's type: whether it is an array or an `Option`, and the embedded
    /// struct.
    pub const fn of_type(mut self, array: bool, optional: bool, embed: Option<EmbedShape>) -> Self {
        self.array = array;
        self.optional = optional;
        self.embed = embed;
        self
    }

    /// Sets the functions that return the BSON types of the stored values. A form that the library knows takes
    /// precedence over a traced form.
    pub const fn form(mut self, known: Option<DescribeForm>, traced: Option<DescribeForm>) -> Self {
        self.form = match known {
            Some(_) => known,
            None => traced,
        };
        self
    }

    /// Returns whether serde leaves the field out if its value would be stored as null.
    pub(crate) fn skips_null(&self) -> bool {
        let null = FieldValue::Stored(&Bson::Null);
        self.skips.is_some_and(|it| it.skips(null))
    }

    /// Returns whether serde leaves out a value that changes a result, so that the server does not find the value. The
    /// null of an `Option` does not change a result, and neither does `none`, such as a zero in a sum.
    pub(crate) fn lacks_values(&self, none: &Bson) -> bool {
        let lacks =
            |skips: SkipShape| *none == Bson::Null || !skips.skips(FieldValue::Stored(none));
        !self.optional && self.maintained.is_none() && self.skips.is_some_and(lacks)
    }

    shape_setters! {
        /// Sets the structs inside a container that the library does not know.
        #[must_use]
        hides(hidden: &'static [Option<EmbedShape>]) => hidden = hidden;

        /// Declares that serde has a default value for documents without the field.
        default() => default = true;

        /// Sets the function that decides which values serde leaves out of a document.
        skips(skips: for<'v> fn(FieldValue<'v>) -> bool) => skips = Some(SkipShape(skips));

        /// Declares that serde also reads the field under other names.
        aliased() => aliased = true;

        /// Declares that serde ignores the stored value when it reads a document.
        unread() => unread = true;

        /// Sets the text of the field's type, which pictures and documentation show.
        written(ty: &'static str) => written = ty;

        /// Declares that serde writes the fields of the embedded struct in place of this field.
        flatten() => flatten = true;

        /// Sets the maximum number of elements.
        max(max: u32) => max = Some(max);

        /// Declares that the field is a reference.
        reference(reference: ReferenceShape) => reference = Some(reference);

        /// Sets the delete rule for the embedded struct, which applies when the target of its reference is deleted.
        on_delete(policy: OnDelete) => on_delete = Some(policy);

        /// Declares that the library rejects a write that adds a dangling key.
        exists() => exists = true;

        /// Declares that the field is a polymorphic reference, so each value also stores the model of its target.
        polymorphic() => polymorphic = true;

        /// Sets the possible target models of a polymorphic reference.
        targets(targets: &'static [TargetShape]) => targets = targets;

        /// Adds an index whose only key is this field.
        index(index: IndexShape) => index = Some(index);

        /// Sets the module or function that encodes the field.
        codec(path: &'static str) => codec = Some(path);

        /// Declares that the codec only writes the field.
        only_written_by_codec() => only_written_by_codec = true;

        /// Marks the field as a copy.
        copy(copy: CopyShape) => derived = Some(DerivedShape::Copy(copy));

        /// Marks the field as a recent list.
        recent(recent: RecentShape) => derived = Some(DerivedShape::Recent(recent));

        /// Marks the field as a summary.
        rollup(rollup: RollupShape) => derived = Some(DerivedShape::Rollup(rollup));

        /// Marks the field as the links of the Single Collection Pattern.
        links(links: LinksShape) => links = Some(links);

        /// Declares that the library maintains the field in every write.
        maintained(maintained: Maintained) => maintained = Some(maintained);
    }
}

/// The attribute that declares a reference: a reference to one document, an array of references, or a reference to a
/// parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ReferenceKind {
    /// `#[refs(one)]`: a reference to one document.
    One,
    /// `#[refs(many)]`: an array of child references.
    Many,
    /// `#[parent_ref]`: a child's reference to its parent.
    Parent,
}

/// The shape of a reference.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReferenceShape {
    /// The attribute that declares the reference.
    pub kind: ReferenceKind,
    /// The target model.
    pub target: fn() -> &'static ModelShape,
    /// The target's field with which the keys are compared. `None` means the `_id`.
    pub key: Option<KeyShape>,
    /// The stored path from the field to the keys, if the keys are inside an embedded struct.
    pub inner: fn() -> String,
    /// The field of the target that refers back to this model.
    pub inverse: Option<&'static str>,
    /// The delete rule.
    pub on_delete: OnDelete,
}

#[doc(hidden)]
impl ReferenceShape {
    /// Describes a reference to the `_id` of the model `target`.
    pub const fn new(
        kind: ReferenceKind,
        target: fn() -> &'static ModelShape,
        inner: fn() -> String,
    ) -> Self {
        Self {
            kind,
            target,
            key: None,
            inner,
            inverse: None,
            on_delete: OnDelete::Keep,
        }
    }

    shape_setters! {
        /// Sets the target's field with which the keys are compared. The default is `_id`.
        key(key: KeyShape) => key = Some(key);

        /// Sets the target's field with which the keys are compared. The derive calls this function for an embedded
        /// struct that contains one reference, because only the struct's type determines that field.
        keyed(key: Option<KeyShape>) => key = key;

        /// Sets the field of the target that refers back to this model.
        inverse(field: &'static str) => inverse = Some(field);

        /// Sets the delete rule.
        on_delete(policy: OnDelete) => on_delete = policy;
    }

    /// Returns the stored path of the target's field with which the keys are compared.
    pub fn target_path(&self) -> String {
        self.key
            .map_or_else(|| "_id".to_owned(), |key| (key.path)())
    }
}

/// The target's field with which the keys of a reference are compared.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KeyShape {
    /// The stored path of the field in the target.
    pub path: fn() -> String,
    /// The name of the struct that declares the field: the target, or a struct inside the target.
    pub holder: &'static str,
    /// The position of the field in the struct that declares it.
    pub field: usize,
}

#[doc(hidden)]
impl KeyShape {
    /// Describes the field at the position `field` of the struct `holder`.
    pub const fn new(path: fn() -> String, holder: &'static str, field: usize) -> Self {
        Self {
            path,
            holder,
            field,
        }
    }
}

/// One of the possible target models of a polymorphic reference.
#[derive(Debug)]
#[non_exhaustive]
pub struct TargetShape {
    /// The target model.
    pub model: fn() -> &'static ModelShape,
    /// The stored path of the target's field with which the keys are compared.
    pub key: fn() -> String,
    /// The stored variant names that identify a key of this model.
    pub kinds: &'static [&'static str],
}

#[doc(hidden)]
impl TargetShape {
    /// Describes a target model and the path of its field with which the keys are compared.
    pub const fn new(model: fn() -> &'static ModelShape, key: fn() -> String) -> Self {
        Self {
            model,
            key,
            kinds: &[],
        }
    }

    /// Sets the stored variant names that identify a key of this model.
    pub const fn kinds(mut self, kinds: &'static [&'static str]) -> Self {
        self.kinds = kinds;
        self
    }
}
