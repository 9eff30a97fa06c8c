//! One field of a model, an embedded struct or a projection.
//!
//! The derive emits `FieldShape::skips` for `skip_serializing_if`: a call of that function with a value of the
//! application or a stored value. Everything in the library that writes a field uses it: `set`, `nullify`, copies. So a
//! field that serde leaves out is not stored by an update.

use mongodb::bson::Bson;
use serde::Serialize;

use super::{
    CopyShape, EmbeddedStruct, IndexShape, LinksShape, ModelShape, OnDelete, RecentShape,
    RollupShape,
};
use crate::value::codec::FieldValue;

/// The description of one stored field.
#[derive(Debug)]
#[non_exhaustive]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each says another thing of the field, and none excludes another"
)]
pub struct FieldShape {
    /// The name of the Rust field.
    pub name: &'static str,
    /// The name in the document, as serde writes it.
    pub stored: &'static str,
    /// The type of the Rust field, without the paths to what it names; empty where it is not known.
    pub written: &'static str,
    /// Whether serde writes the fields of this field in its place (`#[serde(flatten)]`).
    pub flatten: bool,
    /// Whether the field holds an array.
    pub array: bool,
    /// Whether the field is an `Option` and can be null.
    pub optional: bool,
    /// Whether serde has a value for documents without the field (`#[serde(default)]`).
    pub default: bool,
    /// How to ask whether serde leaves a value out of a document (`#[serde(skip_serializing_if)]`).
    pub skips: Option<SkipShape>,
    /// Whether serde reads the field under other names, too (`#[serde(alias)]`).
    pub aliased: bool,
    /// The struct that the field embeds, alone or in an array.
    pub embed: Option<EmbedShape>,
    /// The largest number of elements that the array may hold.
    pub max: Option<u32>,
    /// The reference that the field stores.
    pub reference: Option<ReferenceShape>,
    /// What happens to the struct that the field embeds when the target of its reference is deleted, in the
    /// place of what the reference says.
    pub on_delete: Option<OnDelete>,
    /// Whether a write must not bring a key to the field that leads to no document.
    pub exists: bool,
    /// Whether the values of the field say themselves which model they lead to.
    pub polymorphic: bool,
    /// What the keys in the field may lead to, if it belongs to a polymorphic reference.
    pub targets: &'static [TargetShape],
    /// The indexes declared at the field.
    pub index: Option<IndexShape>,
    /// The path of the `serde(with)` module or function that encodes the field.
    pub codec: Option<&'static str>,
    /// The denormalized copy that the field holds.
    pub copy: Option<CopyShape>,
    /// The capped list of recent documents that the field holds.
    pub recent: Option<RecentShape>,
    /// The running summary that the field holds.
    pub rollup: Option<RollupShape>,
    /// The links of the Single Collection Pattern.
    pub links: Option<LinksShape>,
}

/// How to reach the shape of an embedded struct.
pub type EmbedShape = fn() -> EmbeddedStruct;

/// Says whether serde leaves a value of a field out of a document.
#[derive(Clone, Copy, Debug)]
pub struct SkipShape(for<'v> fn(FieldValue<'v>) -> bool);

impl SkipShape {
    /// Whether serde leaves the value out.
    pub(crate) fn skips(self, value: FieldValue<'_>) -> bool {
        (self.0)(value)
    }
}

/// The field says which function it is.
impl PartialEq for SkipShape {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl FieldShape {
    /// Describes a plain field.
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
            embed: None,
            max: None,
            reference: None,
            on_delete: None,
            exists: false,
            polymorphic: false,
            targets: &[],
            index: None,
            codec: None,
            copy: None,
            recent: None,
            rollup: None,
            links: None,
        }
    }

    /// Whether something is declared that the library keeps: a copy, a bound, an index, what a delete does, that
    /// something exists.
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
            || self.copy.is_some()
            || self.recent.is_some()
            || self.rollup.is_some()
            || self.links.is_some()
    }

    /// Whether a document without the field can be read. What serde does with a missing `Option`, it does not do
    /// where the field has a codec.
    pub(crate) const fn may_be_missing(&self) -> bool {
        self.default || (self.optional && self.codec.is_none())
    }

    /// Takes over what the type of the field tells: whether it is an array, whether it is an `Option`, and what it
    /// embeds.
    pub const fn of_type(mut self, array: bool, optional: bool, embed: Option<EmbedShape>) -> Self {
        self.array = array;
        self.optional = optional;
        self.embed = embed;
        self
    }

    /// Says that serde has a value for documents without the field.
    pub const fn default(mut self) -> Self {
        self.default = true;
        self
    }

    /// Says which values serde leaves out of a document.
    pub const fn skips(mut self, skips: for<'v> fn(FieldValue<'v>) -> bool) -> Self {
        self.skips = Some(SkipShape(skips));
        self
    }

    /// Whether serde leaves the value out that would be stored as null.
    pub(crate) fn skips_null(&self) -> bool {
        let null = FieldValue::Stored(&Bson::Null);
        self.skips.is_some_and(|it| it.skips(null))
    }

    /// Says that serde reads the field under other names, too.
    pub const fn aliased(mut self) -> Self {
        self.aliased = true;
        self
    }

    /// Says how the type of the field is written, for readers.
    pub const fn written(mut self, ty: &'static str) -> Self {
        self.written = ty;
        self
    }

    /// Marks the field as flattened by serde.
    pub const fn flatten(mut self) -> Self {
        self.flatten = true;
        self
    }

    /// Sets the largest number of elements.
    pub const fn max(mut self, max: u32) -> Self {
        self.max = Some(max);
        self
    }

    /// Adds a reference.
    pub const fn reference(mut self, reference: ReferenceShape) -> Self {
        self.reference = Some(reference);
        self
    }

    /// Says what happens when the target of the reference in the embedded struct is deleted.
    pub const fn on_delete(mut self, policy: OnDelete) -> Self {
        self.on_delete = Some(policy);
        self
    }

    /// Says that a write must not bring a key to the field that leads to no document.
    pub const fn exists(mut self) -> Self {
        self.exists = true;
        self
    }

    /// Says that the values of the field say themselves which model they lead to.
    pub const fn polymorphic(mut self) -> Self {
        self.polymorphic = true;
        self
    }

    /// Says what the keys of a polymorphic reference may lead to.
    pub const fn targets(mut self, targets: &'static [TargetShape]) -> Self {
        self.targets = targets;
        self
    }

    /// Adds an index declared at the field; its only key is the field itself.
    pub const fn index(mut self, index: IndexShape) -> Self {
        self.index = Some(index);
        self
    }

    /// Names the module or function that encodes the field.
    pub const fn codec(mut self, path: &'static str) -> Self {
        self.codec = Some(path);
        self
    }

    /// Marks the field as a denormalized copy.
    pub const fn copy(mut self, copy: CopyShape) -> Self {
        self.copy = Some(copy);
        self
    }

    /// Marks the field as a capped list of recent documents.
    pub const fn recent(mut self, recent: RecentShape) -> Self {
        self.recent = Some(recent);
        self
    }

    /// Marks the field as a running summary.
    pub const fn rollup(mut self, rollup: RollupShape) -> Self {
        self.rollup = Some(rollup);
        self
    }

    /// Marks the field as the links of the Single Collection Pattern.
    pub const fn links(mut self, links: LinksShape) -> Self {
        self.links = Some(links);
        self
    }
}

/// What a reference is for its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ReferenceKind {
    /// `#[refs(one)]`: a reference to one document.
    One,
    /// `#[refs(many)]`: an array of child references.
    Many,
    /// `#[parent_ref]`: the reference of a child to its parent.
    Parent,
}

/// The description of a reference.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReferenceShape {
    /// What the reference is for its owner.
    pub kind: ReferenceKind,
    /// The model that is referred to.
    pub target: fn() -> &'static ModelShape,
    /// The field of the target that the keys are compared with; `_id` when absent.
    pub key: Option<KeyShape>,
    /// The stored path from the field to the keys, when the field embeds them.
    pub inner: fn() -> String,
    /// The field of the target that refers back.
    pub inverse: Option<&'static str>,
    /// What happens when the target is deleted.
    pub on_delete: OnDelete,
}

impl ReferenceShape {
    /// Describes a reference to the `_id` of `target`.
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

    /// Compares the keys with another field of the target than its `_id`.
    pub const fn key(mut self, key: KeyShape) -> Self {
        self.key = Some(key);
        self
    }

    /// Takes over what the type of the field tells: what an embedded struct with one reference
    /// compares its keys with.
    pub const fn keyed(mut self, key: Option<KeyShape>) -> Self {
        self.key = key;
        self
    }

    /// Names the field of the target that refers back.
    pub const fn inverse(mut self, field: &'static str) -> Self {
        self.inverse = Some(field);
        self
    }

    /// Says what happens when the target is deleted.
    pub const fn on_delete(mut self, policy: OnDelete) -> Self {
        self.on_delete = policy;
        self
    }

    /// Returns the stored path in the target that the keys are compared with.
    pub fn target_path(&self) -> String {
        self.key
            .map_or_else(|| "_id".to_owned(), |key| (key.path)())
    }
}

/// The field that the keys of a reference are compared with.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KeyShape {
    /// Its stored path in the target.
    pub path: fn() -> String,
    /// The struct that declares it: the target, or one that the target embeds.
    pub holder: &'static str,
    /// Its position in that struct.
    pub field: usize,
}

impl KeyShape {
    /// Describes the field at a position of the struct `holder`.
    pub const fn new(path: fn() -> String, holder: &'static str, field: usize) -> Self {
        Self {
            path,
            holder,
            field,
        }
    }
}

/// One of the models that a polymorphic reference may lead to.
#[derive(Debug)]
#[non_exhaustive]
pub struct TargetShape {
    /// The model that is referred to.
    pub model: fn() -> &'static ModelShape,
    /// The stored path in it that the keys are compared with.
    pub key: fn() -> String,
    /// What is stored beside the keys that lead to it: the names of variants.
    pub kinds: &'static [&'static str],
}

impl TargetShape {
    /// Describes a model whose keys are at a path.
    pub const fn new(model: fn() -> &'static ModelShape, key: fn() -> String) -> Self {
        Self {
            model,
            key,
            kinds: &[],
        }
    }

    /// Names what is stored beside the keys that lead to the model.
    pub const fn kinds(mut self, kinds: &'static [&'static str]) -> Self {
        self.kinds = kinds;
        self
    }
}
