//! What the user said, with the tokens that said it.

mod path;
mod record;
mod word;

use proc_macro2::{Ident, TokenStream};
use syn::{Generics, LitStr, Path, Type, Visibility};

/// Which derive reads the struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derive {
    Model,
    Embedded,
    Projection,
    SingleCollection,
}

/// One struct with a derive on it.
pub(crate) struct Record {
    pub(crate) ident: Ident,
    /// The parameters of an embedded struct.
    pub(crate) generics: Generics,
    pub(crate) vis: Visibility,
    /// The name of the struct of handles.
    pub(crate) handles: Ident,
    /// The path of the library, `::mongo_odm` unless `crate = ".."` says otherwise.
    pub(crate) library: Path,
    pub(crate) role: Role,
    /// Whether serde refuses unknown fields.
    pub(crate) strict: bool,
    /// Whether serde refuses one of its attributes, and says so itself.
    pub(crate) is_refused_by_serde: bool,
    /// Whether `Projection` is derived besides, which then emits what both would.
    pub(crate) also_projection: bool,
    /// The relations that other models store.
    pub(crate) reverse: Vec<Reverse>,
    /// The fields that are stored, in the order of the struct.
    pub(crate) fields: Vec<Field>,
    /// The fields that serde skips.
    pub(crate) skipped: Vec<Ident>,
}

/// One enum with a derive on it: a polymorphic reference.
pub(crate) struct Polymorphic {
    /// The two fields that serde stores, as if it were a struct: its kind and its key.
    pub(crate) record: Record,
    /// The variants that hold a key.
    pub(crate) variants: Vec<Variant>,
    /// Whether there are no others.
    pub(crate) complete: bool,
    /// The enum of documents that they are loaded as, with variants of the same names.
    pub(crate) loaded: Option<Path>,
}

/// `Product(Id<Product>)`
pub(crate) struct Variant {
    /// Its name, and the type of its key.
    pub(crate) field: Field,
    /// What the key leads to.
    pub(crate) reference: Reference,
    /// What serde stores beside the key: its name, and the names that it is read by.
    pub(crate) kinds: Vec<String>,
    /// The tokens that gave the name.
    pub(crate) named_by: TokenStream,
}

/// An enum over several kinds of documents in one collection.
pub(crate) struct SingleCollection {
    /// The fields that the documents of all kinds have, as if it were a struct.
    pub(crate) record: Record,
    /// The field that tells the kinds apart, as serde knows it.
    pub(crate) tag: Option<LitStr>,
    /// Whether serde puts the names of all variants into another case.
    pub(crate) has_case: bool,
    pub(crate) kinds: Vec<KindVariant>,
    pub(crate) other: Option<OtherVariant>,
}

/// `Class(Class)`
pub(crate) struct KindVariant {
    pub(crate) ident: Ident,
    /// The model.
    pub(crate) ty: Type,
    /// The name that serde knows the variant by.
    pub(crate) stored: String,
    /// The tokens that gave the name.
    pub(crate) named_by: TokenStream,
}

/// `#[serde(untagged)] Other(Document)`
pub(crate) struct OtherVariant {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
}

/// What the struct is for.
pub(crate) enum Role {
    Model(Model),
    Embedded {
        /// The model that `from = "Model"` makes the struct out of.
        from: Option<Path>,
    },
    /// A view of another struct; nothing when `of` is missing.
    Projection(Option<Path>),
}

/// `#[model(..)]`
#[derive(Default)]
pub(crate) struct Model {
    pub(crate) collection: Option<LitStr>,
    pub(crate) indexes: Vec<Index>,
    pub(crate) kind: Option<Kind>,
}

/// `kind(doc_type = "class")`: the documents of the model in a collection of several.
pub(crate) struct Kind {
    /// The stored field.
    pub(crate) field: String,
    /// The tokens that named the field.
    pub(crate) written: TokenStream,
    pub(crate) value: LitStr,
    /// Whether documents without the field are of the kind too.
    pub(crate) default: bool,
}

/// `has_many(messages = "LogMsg.host")` or `has_one(..)`: a relation that the other side stores.
pub(crate) struct Reverse {
    pub(crate) name: Ident,
    /// The reference on the other side.
    pub(crate) path: ModelPath,
    /// Whether it is `has_one`.
    pub(crate) single: bool,
    /// The field that the reference is compared with.
    pub(crate) key: Option<Ident>,
    pub(crate) scope: Scope,
}

/// A stored field.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The name in the document.
    pub(crate) stored: String,
    /// The tokens that gave the stored name.
    pub(crate) named_by: TokenStream,
    /// `#[serde(flatten)]`
    pub(crate) flatten: bool,
    /// Whether serde has a value for documents without the field.
    pub(crate) default: bool,
    /// The option by which serde reads the field under another name, too.
    pub(crate) alias: Option<TokenStream>,
    /// The option by which serde leaves the field out of some documents.
    pub(crate) left_out: Option<TokenStream>,
    /// The function of `#[serde(skip_serializing_if = "..")]`.
    pub(crate) skips: Option<TokenStream>,
    pub(crate) codec: Option<Codec>,
    pub(crate) embed: Option<Embed>,
    pub(crate) reference: Option<Reference>,
    /// A reference whose values say themselves which model they lead to.
    pub(crate) polymorphic: Option<Reference>,
    pub(crate) index: Option<Index>,
    pub(crate) copy: Option<Copy>,
    pub(crate) recent: Option<Recent>,
    pub(crate) rollup: Option<Rollup>,
    pub(crate) links: Option<Links>,
}

/// `#[serde(with = "..")]`, or the two halves of it.
pub(crate) struct Codec {
    /// The text by which two codecs are compared.
    pub(crate) text: String,
    /// The function that writes; the type's own serde form when absent.
    pub(crate) serialize: Option<TokenStream>,
    /// The function that reads; the type's own serde form when absent.
    pub(crate) deserialize: Option<TokenStream>,
    pub(crate) written: TokenStream,
}

/// `#[embed]`
pub(crate) struct Embed {
    pub(crate) max: Option<Number>,
    /// What a delete does, in the place of what the reference in the struct says.
    pub(crate) on_delete: Option<Rule>,
}

/// `#[refs(..)]` or `#[parent_ref]`
pub(crate) struct Reference {
    pub(crate) attribute: Ident,
    pub(crate) kind: ReferenceKind,
    /// What the methods are named after, if not after the field.
    pub(crate) name: Option<Ident>,
    pub(crate) polymorphic: Option<TokenStream>,
    /// The target, where the type does not say it.
    pub(crate) to: Option<ModelPath>,
    pub(crate) inverse: Option<Ident>,
    pub(crate) max: Option<Number>,
    pub(crate) on_delete: Option<Rule>,
    /// Whether a write must not bring a key that leads to no document.
    pub(crate) exists: Option<TokenStream>,
    pub(crate) scope: Scope,
}

/// Which documents of a relation are loaded, and in which order, unless a load says otherwise.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    /// `sort(time = -1)`
    pub(crate) sort: Vec<SortKey>,
    /// `filter = "open"`, a function that returns the filter.
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

/// The reference that ties a copy to its source.
pub(crate) enum Via {
    /// A field of the same struct.
    Field(Ident),
    /// A field of the source's side.
    Model(ModelPath),
}

/// `#[recent(..)]`
pub(crate) struct Recent {
    pub(crate) attribute: Ident,
    pub(crate) of: Path,
    pub(crate) via: FieldPath,
    pub(crate) sort: FieldPath,
    pub(crate) limit: Number,
    /// Whether the list begins with the newest.
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
    /// The field of a link that holds the id, if it is not `target`.
    pub(crate) target: Option<Ident>,
    /// The field of a link that holds the kind, if it is not called as that of the model.
    pub(crate) kind: Option<Ident>,
    pub(crate) max: Option<Number>,
    /// What stands between two ids, if it is no slash.
    pub(crate) separator: Option<LitStr>,
    /// Whether the other side alone holds the links.
    pub(crate) one_sided: Option<TokenStream>,
}

/// What an element of the links array is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinksForm {
    /// A struct with an id and the kind of its document.
    Structs,
    /// An id: `form = "ids"`.
    Ids,
    /// There is no array, and a text with the id of the parent and that of the document: `form = "prefix"`.
    Prefix,
}

/// `#[index(..)]`, or `index(..)` in `#[model(..)]`
pub(crate) struct Index {
    pub(crate) attribute: Ident,
    /// The keys of an index of the struct; none for an index of a field.
    pub(crate) keys: Vec<IndexKey>,
    pub(crate) name: Option<LitStr>,
    pub(crate) unique: Option<TokenStream>,
    /// Whether documents of other kinds are in it as well.
    pub(crate) all_kinds: Option<TokenStream>,
    pub(crate) sparse: Option<TokenStream>,
    pub(crate) expire_after_secs: Option<Number>,
    pub(crate) partial: Option<LitStr>,
    pub(crate) locale: Option<LitStr>,
    pub(crate) strength: Option<Number>,
    /// The kind of the only key of an index of a field.
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

/// `Account` or `Account.owner.id`: a model, and a field of it.
pub(crate) struct ModelPath {
    pub(crate) model: Path,
    pub(crate) fields: Vec<Ident>,
}

/// `owner` or `owner.id`: a field of a struct that is known already.
#[derive(Clone)]
pub(crate) struct FieldPath {
    /// At least one.
    pub(crate) fields: Vec<Ident>,
}

/// A number that was written as a literal.
pub(crate) struct Number {
    pub(crate) value: u32,
    pub(crate) written: TokenStream,
}
