//! Values that represent the attributes of an item. The values keep the tokens that the user wrote.

mod path;
mod record;
mod test_function;
mod word;

use proc_macro2::{Ident, TokenStream};
use syn::{Generics, LitStr, Path, Type, Visibility};

pub(crate) use test_function::{TestFunction, TestIndexes, TestOptions, TestRuntime};

/// The derive macro that is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derive {
    Model,
    Embedded,
    Projection,
    SingleCollection,
}

/// A struct that has one of the derives.
pub(crate) struct Record {
    pub(crate) ident: Ident,
    /// The type parameters of the struct. Only an embedded struct can have type parameters.
    pub(crate) generics: Generics,
    pub(crate) vis: Visibility,
    /// The name of the struct that contains the field handles.
    pub(crate) handles: Ident,
    /// The path of the library. The path is `::mongo_odm` unless the attribute contains `crate = ".."`.
    pub(crate) library: Path,
    pub(crate) role: Role,
    /// Whether serde rejects unknown fields (`deny_unknown_fields`).
    pub(crate) strict: bool,
    /// Whether serde rejects one of its own attributes on the struct and reports the error.
    pub(crate) is_refused_by_serde: bool,
    /// Whether the struct also derives `Projection`. In this case, only `Projection` emits the items that both
    /// derives would emit.
    pub(crate) also_projection: bool,
    /// The relations for which other models store the reference.
    pub(crate) reverse: Vec<Reverse>,
    /// The stored fields, in the order in which the struct declares them.
    pub(crate) fields: Vec<Field>,
    /// The fields that serde does not store.
    pub(crate) skipped: Vec<Field>,
}

/// An enum of references, which is a polymorphic reference.
pub(crate) struct Polymorphic {
    /// The two fields that serde stores, the kind and the key, as if they were a struct.
    pub(crate) record: Record,
    /// The variants that contain a key.
    pub(crate) variants: Vec<Variant>,
    /// Whether every variant contains a key.
    pub(crate) complete: bool,
    /// The enum that `load_all` returns. The variants of both enums have the same names.
    pub(crate) loaded: Option<Path>,
}

/// A variant that is a reference, such as `Product(Id<Product>)`.
pub(crate) struct Variant {
    /// The name of the variant and the type of its key, in the form of a field.
    pub(crate) field: Field,
    /// The reference that the key represents.
    pub(crate) reference: Reference,
    /// The stored name of the variant, followed by its aliases.
    pub(crate) kinds: Vec<String>,
    /// The tokens that determine the stored name.
    pub(crate) named_by: TokenStream,
}

/// An enum that derives `SingleCollection`.
pub(crate) struct SingleCollection {
    /// The fields that all kinds have, as if they were a struct.
    pub(crate) record: Record,
    /// The name of the field that distinguishes the kinds, from `#[serde(tag = "..")]`.
    pub(crate) tag: Option<LitStr>,
    /// Whether the enum has `#[serde(rename_all = "..")]`.
    pub(crate) has_case: bool,
    pub(crate) kinds: Vec<KindVariant>,
    pub(crate) other: Option<OtherVariant>,
}

/// A variant for one kind, such as `Class(Class)`.
pub(crate) struct KindVariant {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The stored name of the variant.
    pub(crate) stored: String,
    /// The tokens that determine the stored name.
    pub(crate) named_by: TokenStream,
}

/// The variant for all other kinds, such as `#[serde(untagged)] Other(Document)`.
pub(crate) struct OtherVariant {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
}

/// The purpose of a struct, which depends on its derive.
pub(crate) enum Role {
    Model(Model),
    Embedded {
        /// The model in the option `from = "Model"`.
        from: Option<Path>,
    },
    /// A projection of the model in `of`. `None` if the option is missing.
    Projection(Option<Path>),
}

/// The options in `#[model(..)]`.
#[derive(Default)]
pub(crate) struct Model {
    pub(crate) collection: Option<LitStr>,
    pub(crate) indexes: Vec<Index>,
    pub(crate) kind: Option<Kind>,
    /// The option `pre_images`, which makes the server keep the documents as they were before each change.
    pub(crate) pre_images: bool,
    /// The tokens of the option `on_delete = "archive"`.
    pub(crate) archive: Option<Box<TokenStream>>,
    /// The field in the option `tenant`.
    pub(crate) tenant: Option<Ident>,
    /// The fields of the shard key, from `shard_key(host = 1)`.
    pub(crate) shard_key: Vec<IndexKey>,
    /// The tokens of the option `validate`.
    pub(crate) validate: Option<TokenStream>,
    /// The tokens of the option `hooks`.
    pub(crate) hooks: Option<TokenStream>,
}

/// The kind of a model in a collection that contains several kinds, from `kind(doc_type = "class")`.
pub(crate) struct Kind {
    /// The stored name of the field that contains the kind.
    pub(crate) field: String,
    /// The tokens of the field's name.
    pub(crate) written: TokenStream,
    pub(crate) value: LitStr,
    /// Whether documents that lack the field also have this kind.
    pub(crate) default: bool,
}

/// A relation for which another model stores the reference: `has_many(messages = "LogMsg.host")` or `has_one(..)`.
pub(crate) struct Reverse {
    pub(crate) name: Ident,
    /// The path of the reference in the other model.
    pub(crate) path: ModelPath,
    /// Whether the relation is a `has_one`.
    pub(crate) single: bool,
    /// The field of this struct with which the other model's keys are compared.
    pub(crate) key: Option<Ident>,
    pub(crate) scope: Scope,
}

/// A stored field.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The name of the field in documents.
    pub(crate) stored: String,
    /// The tokens that determine the stored name.
    pub(crate) named_by: TokenStream,
    /// Whether the field has `#[serde(flatten)]`.
    pub(crate) flatten: bool,
    /// Whether serde fills the field with a default value if it is missing.
    pub(crate) default: bool,
    /// The tokens of serde's option `alias`.
    pub(crate) alias: Option<TokenStream>,
    /// The option that makes serde leave the field out of some documents.
    pub(crate) left_out: Option<TokenStream>,
    /// The option that makes serde ignore the stored field.
    pub(crate) unread: Option<TokenStream>,
    /// The function in `#[serde(skip_serializing_if = "..")]`.
    pub(crate) skips: Option<TokenStream>,
    pub(crate) codec: Option<Codec>,
    pub(crate) embed: Option<Embed>,
    pub(crate) reference: Option<Reference>,
    /// The polymorphic reference, if the field is one.
    pub(crate) polymorphic: Option<Reference>,
    pub(crate) index: Option<Index>,
    pub(crate) copy: Option<Copy>,
    pub(crate) recent: Option<Recent>,
    pub(crate) rollup: Option<Rollup>,
    pub(crate) links: Option<Links>,
    /// The attributes that make the library maintain the field. More than one is an error.
    pub(crate) maintained: Vec<Maintained>,
}

/// The codec of a field, from `#[serde(with = "..")]`, or from `serialize_with` and `deserialize_with`.
pub(crate) struct Codec {
    /// The string that identifies the codec.
    pub(crate) text: String,
    /// The function that writes a value. `None` if the value is written in the type's own serde form.
    pub(crate) serialize: Option<TokenStream>,
    /// The function that reads a value. `None` if the value is read from the type's own serde form.
    pub(crate) deserialize: Option<TokenStream>,
    pub(crate) written: TokenStream,
}

/// The attribute `#[embed]`, which contains the options of an embedded field.
pub(crate) struct Embed {
    pub(crate) max: Option<Number>,
    /// The delete rule that replaces the rule of the reference inside the struct.
    pub(crate) on_delete: Option<Rule>,
}

/// The attribute `#[refs(..)]` or `#[parent_ref]`, which declares a reference.
pub(crate) struct Reference {
    pub(crate) attribute: Ident,
    pub(crate) kind: ReferenceKind,
    /// The name of the relation, if it differs from the name of the field.
    pub(crate) name: Option<Ident>,
    pub(crate) polymorphic: Option<TokenStream>,
    /// The target, if the type does not determine it.
    pub(crate) to: Option<ModelPath>,
    pub(crate) inverse: Option<Ident>,
    pub(crate) max: Option<Number>,
    pub(crate) on_delete: Option<Rule>,
    /// The option that rejects writes of dangling keys.
    pub(crate) exists: Option<TokenStream>,
    pub(crate) scope: Scope,
}

/// The filter on the documents that a relation loads, and the sort order of these documents. A load can replace the
/// sort order.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    /// The sort order, such as `sort(time = -1)`.
    pub(crate) sort: Vec<SortKey>,
    /// The function that returns the filter, from `filter = "open"`.
    pub(crate) filter: Option<Path>,
}

/// One key of a sort order, such as `time = -1`.
#[derive(Clone)]
pub(crate) struct SortKey {
    pub(crate) path: FieldPath,
    pub(crate) descending: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReferenceKind {
    One,
    Many,
    Parent,
}

/// The attribute `#[denorm(..)]`, which declares a copy.
pub(crate) struct Copy {
    pub(crate) attribute: Ident,
    pub(crate) from: ModelPath,
    pub(crate) via: Option<Via>,
    pub(crate) snapshot: bool,
    pub(crate) on_delete: Option<Rule>,
}

/// A delete rule, such as `on_delete = "restrict"`.
pub(crate) struct Rule {
    pub(crate) policy: OnDelete,
    pub(crate) written: TokenStream,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnDelete {
    Keep,
    Restrict,
    Cascade,
    Nullify,
    Pull,
}

/// The reference that connects a copy with its source.
pub(crate) enum Via {
    /// The reference is a field of the same struct.
    Field(Ident),
    /// The reference is a field of the source.
    Model(ModelPath),
}

/// The attribute `#[recent(..)]`, which declares a recent list.
pub(crate) struct Recent {
    pub(crate) attribute: Ident,
    pub(crate) of: Path,
    pub(crate) via: FieldPath,
    pub(crate) sort: FieldPath,
    pub(crate) limit: Number,
    /// Whether the list starts with the largest value of the sort field.
    pub(crate) descending: bool,
    pub(crate) filter: Option<Path>,
}

/// The attribute `#[rollup(..)]`, which declares a summary.
pub(crate) struct Rollup {
    pub(crate) attribute: Ident,
    pub(crate) kind: RollupKind,
    pub(crate) of: Path,
    pub(crate) via: FieldPath,
    pub(crate) field: Option<FieldPath>,
    pub(crate) filter: Option<Path>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RollupKind {
    Count,
    Sum,
    Average,
    Min,
    Max,
}

/// The attribute `#[links]`, which declares the links of a single collection.
pub(crate) struct Links {
    pub(crate) attribute: Ident,
    pub(crate) form: LinksForm,
    /// The field of a link that contains the id. `None` means the field `target`.
    pub(crate) target: Option<Ident>,
    /// The field of a link that contains the kind. `None` means that this field has the same name as the field in the
    /// model's `kind(..)`.
    pub(crate) kind: Option<Ident>,
    pub(crate) max: Option<Number>,
    /// The separator between two ids. `None` means a slash.
    pub(crate) separator: Option<LitStr>,
    /// The option `one_sided`. Documents of a model with this option store only the link to themselves.
    pub(crate) one_sided: Option<TokenStream>,
}

/// The form in which links are stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinksForm {
    /// Structs that contain the id and the kind of a document.
    Structs,
    /// Plain ids: `form = "ids"`.
    Ids,
    /// A single string instead of an array. The string contains the ids of the parent and of the document itself: `form
    /// = "prefix"`.
    Prefix,
}

/// An attribute that makes the library maintain a field of each document, such as `#[created_at]`.
pub(crate) struct Maintained {
    pub(crate) attribute: Ident,
    pub(crate) kind: MaintainedKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MaintainedKind {
    /// `#[created_at]`
    CreatedAt,
    /// `#[updated_at]`
    UpdatedAt,
    /// `#[created_by]`
    CreatedBy,
    /// `#[updated_by]`
    UpdatedBy,
    /// `#[version]`
    Version,
    /// `#[deleted_at]`
    DeletedAt,
    /// The option `tenant` in `#[model(..)]`.
    Tenant,
}

/// An index, from `#[index(..)]` or from `index(..)` in `#[model(..)]`.
pub(crate) struct Index {
    pub(crate) attribute: Ident,
    /// The keys of an index that is declared on the struct. The list is empty for an index on a field.
    pub(crate) keys: Vec<IndexKey>,
    pub(crate) name: Option<LitStr>,
    pub(crate) unique: Option<TokenStream>,
    /// The option `all_kinds`. An index with this option contains the documents of all kinds.
    pub(crate) all_kinds: Option<TokenStream>,
    pub(crate) sparse: Option<TokenStream>,
    pub(crate) expire_after_secs: Option<Number>,
    pub(crate) partial: Option<LitStr>,
    pub(crate) locale: Option<LitStr>,
    pub(crate) strength: Option<Number>,
    /// The order or type of the key, for an index on a field.
    pub(crate) kind: IndexKind,
}

/// One key of an index, such as `parts.id = -1`.
pub(crate) struct IndexKey {
    pub(crate) path: FieldPath,
    pub(crate) kind: IndexKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexKind {
    Ascending,
    Descending,
    Text,
    Hashed,
    TwoD,
    TwoDSphere,
}

/// A model or one of its fields, such as `Account` or `Account.owner.id`.
pub(crate) struct ModelPath {
    pub(crate) model: Path,
    pub(crate) fields: Vec<Ident>,
}

/// A field of a known struct, such as `owner` or `owner.id`.
#[derive(Clone)]
pub(crate) struct FieldPath {
    /// The segments of the path, at least one.
    pub(crate) fields: Vec<Ident>,
}

/// A number and the tokens that the user wrote for it.
pub(crate) struct Number {
    pub(crate) value: u32,
    pub(crate) written: TokenStream,
}
