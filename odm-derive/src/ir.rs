//! The attributes of an item as values, with the user's tokens.

mod path;
mod record;
mod word;

use proc_macro2::{Ident, TokenStream};
use syn::{Generics, LitStr, Path, Type, Visibility};

/// The derive that reads the item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derive {
    Model,
    Embedded,
    Projection,
    SingleCollection,
}

/// A struct that has a derive.
pub(crate) struct Record {
    pub(crate) ident: Ident,
    /// Type parameters, which only an embedded struct can have.
    pub(crate) generics: Generics,
    pub(crate) vis: Visibility,
    /// The name of the struct of handles.
    pub(crate) handles: Ident,
    /// The path of the library: `::mongo_odm`, or the value of `crate = ".."`.
    pub(crate) library: Path,
    pub(crate) role: Role,
    /// Whether serde rejects unknown fields.
    pub(crate) strict: bool,
    /// Whether serde rejects and reports one of its own attributes.
    pub(crate) is_refused_by_serde: bool,
    /// Whether the struct also has the derive `Projection`. In this case, only `Projection` emits the items that both
    /// derives would emit.
    pub(crate) also_projection: bool,
    /// Relations that other models store.
    pub(crate) reverse: Vec<Reverse>,
    /// Stored fields, in the order of the struct.
    pub(crate) fields: Vec<Field>,
    /// Fields that serde skips.
    pub(crate) skipped: Vec<Ident>,
}

/// An enum of references: a polymorphic reference.
pub(crate) struct Polymorphic {
    /// The two fields that serde stores, as a struct: the kind and the key.
    pub(crate) record: Record,
    /// The variants that have a key.
    pub(crate) variants: Vec<Variant>,
    /// Whether all variants have a key.
    pub(crate) complete: bool,
    /// The enum that `load_all` returns. Its variants have the same names.
    pub(crate) loaded: Option<Path>,
}

/// `Product(Id<Product>)`
pub(crate) struct Variant {
    /// The name of the variant, and the type of its key.
    pub(crate) field: Field,
    /// The target of the key.
    pub(crate) reference: Reference,
    /// The stored name of the variant, followed by its aliases.
    pub(crate) kinds: Vec<String>,
    /// The tokens of the name.
    pub(crate) named_by: TokenStream,
}

/// An enum with `#[derive(SingleCollection)]`.
pub(crate) struct SingleCollection {
    /// The fields that the documents of all kinds have, as a struct.
    pub(crate) record: Record,
    /// The field that distinguishes the kinds, from `#[serde(tag = "..")]`.
    pub(crate) tag: Option<LitStr>,
    /// Whether the enum has `#[serde(rename_all = "..")]`.
    pub(crate) has_case: bool,
    pub(crate) kinds: Vec<KindVariant>,
    pub(crate) other: Option<OtherVariant>,
}

/// `Class(Class)`
pub(crate) struct KindVariant {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The stored name of the variant.
    pub(crate) stored: String,
    /// The tokens of the name.
    pub(crate) named_by: TokenStream,
}

/// `#[serde(untagged)] Other(Document)`
pub(crate) struct OtherVariant {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
}

/// The purpose of a struct.
pub(crate) enum Role {
    Model(Model),
    Embedded {
        /// The model in `from = "Model"`.
        from: Option<Path>,
    },
    /// The model in `of`. None if it is missing.
    Projection(Option<Path>),
}

/// `#[model(..)]`
#[derive(Default)]
pub(crate) struct Model {
    pub(crate) collection: Option<LitStr>,
    pub(crate) indexes: Vec<Index>,
    pub(crate) kind: Option<Kind>,
}

/// `kind(doc_type = "class")`: the kind of a model in a collection that has several kinds.
pub(crate) struct Kind {
    /// The stored field.
    pub(crate) field: String,
    /// The tokens of the field.
    pub(crate) written: TokenStream,
    pub(crate) value: LitStr,
    /// Whether documents without the field also have this kind.
    pub(crate) default: bool,
}

/// `has_many(messages = "LogMsg.host")` or `has_one(..)`: a relation that another model stores.
pub(crate) struct Reverse {
    pub(crate) name: Ident,
    /// The reference in the other model.
    pub(crate) path: ModelPath,
    /// Whether the relation is a `has_one`.
    pub(crate) single: bool,
    /// The field of this struct that the reference is compared with.
    pub(crate) key: Option<Ident>,
    pub(crate) scope: Scope,
}

/// A stored field.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The name in documents.
    pub(crate) stored: String,
    /// The tokens of the stored name.
    pub(crate) named_by: TokenStream,
    /// `#[serde(flatten)]`
    pub(crate) flatten: bool,
    /// Whether serde fills a missing field with a default.
    pub(crate) default: bool,
    /// The option `alias`.
    pub(crate) alias: Option<TokenStream>,
    /// The option that makes serde leave the field out of some documents.
    pub(crate) left_out: Option<TokenStream>,
    /// The function of `#[serde(skip_serializing_if = "..")]`.
    pub(crate) skips: Option<TokenStream>,
    pub(crate) codec: Option<Codec>,
    pub(crate) embed: Option<Embed>,
    pub(crate) reference: Option<Reference>,
    /// A reference that stores the model of its target.
    pub(crate) polymorphic: Option<Reference>,
    pub(crate) index: Option<Index>,
    pub(crate) copy: Option<Copy>,
    pub(crate) recent: Option<Recent>,
    pub(crate) rollup: Option<Rollup>,
    pub(crate) links: Option<Links>,
}

/// `#[serde(with = "..")]`, or `serialize_with` and `deserialize_with`.
pub(crate) struct Codec {
    /// The text that identifies the codec.
    pub(crate) text: String,
    /// The function that writes. None for the serde form of the type.
    pub(crate) serialize: Option<TokenStream>,
    /// The function that reads. None for the serde form of the type.
    pub(crate) deserialize: Option<TokenStream>,
    pub(crate) written: TokenStream,
}

/// `#[embed]`
pub(crate) struct Embed {
    pub(crate) max: Option<Number>,
    /// The delete rule that replaces the rule of the reference in the struct.
    pub(crate) on_delete: Option<Rule>,
}

/// `#[refs(..)]` or `#[parent_ref]`
pub(crate) struct Reference {
    pub(crate) attribute: Ident,
    pub(crate) kind: ReferenceKind,
    /// The name of the relation, if it is not the name of the field.
    pub(crate) name: Option<Ident>,
    pub(crate) polymorphic: Option<TokenStream>,
    /// The target, if the type does not contain it.
    pub(crate) to: Option<ModelPath>,
    pub(crate) inverse: Option<Ident>,
    pub(crate) max: Option<Number>,
    pub(crate) on_delete: Option<Rule>,
    /// Whether writes reject dangling references.
    pub(crate) exists: Option<TokenStream>,
    pub(crate) scope: Scope,
}

/// The filter for the documents that a relation loads, and their order. A load can replace the order.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    /// `sort(time = -1)`
    pub(crate) sort: Vec<SortKey>,
    /// `filter = "open"`: a function that returns the filter.
    pub(crate) filter: Option<Path>,
}

/// `time = -1`
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

/// `#[denorm(..)]`
pub(crate) struct Copy {
    pub(crate) attribute: Ident,
    pub(crate) from: ModelPath,
    pub(crate) via: Option<Via>,
    pub(crate) snapshot: bool,
    pub(crate) on_delete: Option<Rule>,
}

/// `on_delete = "restrict"`
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
    /// A field of the same struct.
    Field(Ident),
    /// A field of the source.
    Model(ModelPath),
}

/// `#[recent(..)]`
pub(crate) struct Recent {
    pub(crate) attribute: Ident,
    pub(crate) of: Path,
    pub(crate) via: FieldPath,
    pub(crate) sort: FieldPath,
    pub(crate) limit: Number,
    /// Whether the list starts with the largest value.
    pub(crate) descending: bool,
    pub(crate) filter: Option<Path>,
}

/// `#[rollup(..)]`
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

/// `#[links]`
pub(crate) struct Links {
    pub(crate) attribute: Ident,
    pub(crate) form: LinksForm,
    /// The field of a link that contains the id. None for `target`.
    pub(crate) target: Option<Ident>,
    /// The field of a link that contains the kind. None for the field in the model's `kind(..)`.
    pub(crate) kind: Option<Ident>,
    pub(crate) max: Option<Number>,
    /// The separator between two ids. None for a slash.
    pub(crate) separator: Option<LitStr>,
    /// Whether documents of this model store only the link to themselves.
    pub(crate) one_sided: Option<TokenStream>,
}

/// The stored form of links.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinksForm {
    /// Structs with the id and the kind of a document.
    Structs,
    /// Ids: `form = "ids"`.
    Ids,
    /// A text instead of an array, which contains the ids of the parent and of the document: `form = "prefix"`.
    Prefix,
}

/// `#[index(..)]`, or `index(..)` in `#[model(..)]`
pub(crate) struct Index {
    pub(crate) attribute: Ident,
    /// The keys of an index that is declared on the struct. Empty for an index on a field.
    pub(crate) keys: Vec<IndexKey>,
    pub(crate) name: Option<LitStr>,
    pub(crate) unique: Option<TokenStream>,
    /// Whether the index contains documents of all kinds.
    pub(crate) all_kinds: Option<TokenStream>,
    pub(crate) sparse: Option<TokenStream>,
    pub(crate) expire_after_secs: Option<Number>,
    pub(crate) partial: Option<LitStr>,
    pub(crate) locale: Option<LitStr>,
    pub(crate) strength: Option<Number>,
    /// The kind of the key, for an index on a field.
    pub(crate) kind: IndexKind,
}

/// `parts.id = -1`
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

/// `Account` or `Account.owner.id`: a model, or a field of it.
pub(crate) struct ModelPath {
    pub(crate) model: Path,
    pub(crate) fields: Vec<Ident>,
}

/// `owner` or `owner.id`: a field of a known struct.
#[derive(Clone)]
pub(crate) struct FieldPath {
    /// The segments. There is at least one.
    pub(crate) fields: Vec<Ident>,
}

/// A number, with the user's tokens.
pub(crate) struct Number {
    pub(crate) value: u32,
    pub(crate) written: TokenStream,
}
