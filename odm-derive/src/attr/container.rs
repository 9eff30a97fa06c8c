//! Reads the struct itself, and the options in `#[model(..)]`, `#[embedded(..)]` and `#[projection(..)]`.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{
    Data, DeriveInput, Fields, FieldsNamed, GenericParam, Generics, Path, Type, Variant,
    parse_quote,
};

use super::{
    habits, index, kind,
    options::{Options, single},
    place, relation,
};
use crate::{
    error::Errors,
    hygiene::plain,
    ir::{Derive, Field, Model, Record, Reverse, Role},
};

/// Returns the named fields of a struct. Reports an error if the struct has lifetime parameters, or if it has other
/// parameters and is not an embedded struct.
pub(crate) fn fields<'i>(
    derive: Derive,
    input: &'i DeriveInput,
    errors: &mut Errors,
) -> Option<&'i FieldsNamed> {
    let is_owned = input.generics.lifetimes().next().is_none();
    let can_be_generic = derive == Derive::Embedded && is_owned;
    if !can_be_generic {
        refuse_generics(derive, input, errors);
    }
    let fields = named_fields(derive, input, errors)?;
    if fields.named.is_empty() {
        errors.at(
            &input.ident,
            "a struct without fields stores nothing; add a field",
        );
    }
    (can_be_generic || input.generics.params.is_empty()).then_some(fields)
}

pub(crate) fn refuse_generics(derive: Derive, input: &DeriveInput, errors: &mut Errors) {
    let one = match derive {
        Derive::SingleCollection => "enum",
        Derive::Model | Derive::Embedded | Derive::Projection => "struct",
    };
    let remedy = format!("write one {one} for each type that is stored");
    refuse_parameters(derive.name(), &remedy, &input.generics, errors);
}

/// Reports the parameters of a type that must not have any. `remedy` applies to parameters that are not lifetimes.
pub(crate) fn refuse_parameters(
    derive: &str,
    remedy: &str,
    generics: &Generics,
    errors: &mut Errors,
) {
    let is_lifetime = |param: &GenericParam| matches!(param, GenericParam::Lifetime(_));
    if generics.params.is_empty() {
        return;
    }
    let message = if generics.params.iter().all(is_lifetime) {
        format!(
            "`{derive}` cannot borrow; remove the lifetime, and store owned values such as `String`"
        )
    } else {
        format!("`{derive}` cannot be generic; {remedy}")
    };
    errors.at(generics, message);
}

fn named_fields<'i>(
    derive: Derive,
    input: &'i DeriveInput,
    errors: &mut Errors,
) -> Option<&'i FieldsNamed> {
    let name = derive.name();
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => return Some(fields),
            Fields::Unnamed(_) => errors.at(
                &input.ident,
                format!("`{name}` needs named fields; on a tuple struct that stores one value, derive only serde"),
            ),
            Fields::Unit => errors.at(
                &input.ident,
                format!("`{name}` needs named fields; a unit struct stores nothing"),
            ),
        },
        Data::Enum(data) => errors.at(
            data.enum_token,
            format!("`{name}` needs a struct; on an enum that is a value in a document, derive only serde"),
        ),
        Data::Union(data) => errors.at(
            data.union_token,
            format!("`{name}` needs a struct; serde cannot store a union"),
        ),
    }
    None
}

/// Returns the name of the struct that contains the field handles: `PartFields`.
///
/// If this name occurs in the tokens of the user's struct, it is probably the name of one of the user's types. The
/// struct of handles then gets a name that begins with `__Odm`.
pub(super) fn handles(input: &DeriveInput) -> Ident {
    let usual = format!("{}Fields", plain(&input.ident));
    let written = input.to_token_stream().to_string();
    let name = if written.contains(&usual) {
        format!("__Odm{usual}")
    } else {
        usual
    };
    Ident::new(&name, input.ident.span())
}

/// Returns the record of an enum that is not generic. `fields` are the fields that serde stores for the enum.
pub(super) fn record_of_enum(
    input: &DeriveInput,
    library: Path,
    role: Role,
    reverse: Vec<Reverse>,
    fields: Vec<Field>,
) -> Record {
    Record {
        ident: input.ident.clone(),
        generics: Generics::default(),
        vis: input.vis.clone(),
        handles: handles(input),
        library,
        role,
        strict: false,
        is_refused_by_serde: false,
        also_projection: false,
        reverse,
        fields,
        skipped: Vec::new(),
    }
}

/// Returns the type of a variant's only field, if the field is unnamed.
pub(super) fn only_field(variant: &Variant) -> Option<&Type> {
    let mut fields = variant.fields.iter();
    match (&variant.fields, fields.next(), fields.next()) {
        (Fields::Unnamed(_), Some(field), None) => Some(&field.ty),
        _ => None,
    }
}

/// The options in the attribute that belongs to the derive, such as `#[model(..)]`.
pub(crate) struct Container {
    pub(crate) library: Path,
    pub(crate) role: Role,
    pub(crate) reverse: Vec<Reverse>,
    /// The enum that `load_all` returns. The option `loaded = ".."` on an enum of references specifies this enum.
    pub(crate) loaded: Option<Path>,
}

pub(crate) fn container(derive: Derive, input: &DeriveInput, errors: &mut Errors) -> Container {
    let attribute = single(&input.attrs, derive.attribute(), errors);
    let Some(attribute) = attribute else {
        if !habits::name_a_collection(input) {
            missing(derive, input, errors);
        }
        return Container {
            library: default_library(),
            role: empty_role(derive),
            reverse: Vec::new(),
            loaded: None,
        };
    };
    if derive == Derive::Embedded {
        place::says_nothing(attribute, errors);
    }
    let mut options = Options::read(attribute, errors);
    let library = options.path("crate", "\"mongo_odm\"");
    let role = match derive {
        Derive::Model => Role::Model(model(&mut options)),
        Derive::Embedded => Role::Embedded {
            from: options.path("from", "\"Model\""),
        },
        Derive::Projection => {
            let of = options.struct_path("of", "\"Model\"");
            options.require("of", of.as_ref(), "write `of = \"Model\"`");
            Role::Projection(of)
        }
        Derive::SingleCollection => Role::Embedded { from: None },
    };
    let loaded = match derive {
        Derive::Embedded => options.path("loaded", "\"SubjectDocument\""),
        Derive::Model | Derive::Projection | Derive::SingleCollection => None,
    };
    let mut reverse = Vec::new();
    for (attribute, single) in [("has_many", false), ("has_one", true)] {
        for item in options.take_all(attribute) {
            reverse.extend(relation::reverse(item, single, options.errors));
        }
    }
    options.finish();
    Container {
        library: library.unwrap_or_else(default_library),
        role,
        reverse,
        loaded,
    }
}

fn missing(derive: Derive, input: &DeriveInput, errors: &mut Errors) {
    let remedy = match derive {
        Derive::Model => "add `#[model(collection = \"..\")]`",
        Derive::Projection => "add `#[projection(of = \"Model\")]`",
        Derive::Embedded | Derive::SingleCollection => return,
    };
    errors.at(
        &input.ident,
        format!("`{}` needs its attribute; {remedy}", derive.name()),
    );
}

fn empty_role(derive: Derive) -> Role {
    match derive {
        Derive::Model => Role::Model(Model::default()),
        Derive::Embedded | Derive::SingleCollection => Role::Embedded { from: None },
        Derive::Projection => Role::Projection(None),
    }
}

fn model(options: &mut Options<'_>) -> Model {
    let collection = options.text("collection");
    options.require(
        "collection",
        collection.as_ref(),
        "write `collection = \"..\"`",
    );
    let indexes = options.take_all("index");
    let indexes = indexes
        .into_iter()
        .filter_map(|item| index::compound(item, options.errors))
        .collect();
    let kind = options.take("kind");
    let pre_images = options.word("pre_images");
    let archive = options.archive();
    let tenant = options.name("tenant", "\"org\"");
    let shard_key = options.take("shard_key");
    let shard_key = shard_key.map(|item| index::shard_key(item, options.errors));
    let validate = options.word("validate");
    let validate = validate.filter(|_| !options.is_refused("validate"));
    let hooks = options.word("hooks");
    let hooks = hooks.filter(|_| !options.is_refused("hooks"));
    Model {
        collection,
        indexes,
        kind: kind.and_then(|item| kind::kind(item, options.errors)),
        pre_images: pre_images.is_some(),
        archive,
        tenant,
        shard_key: shard_key.unwrap_or_default(),
        validate,
        hooks,
    }
}

/// Reads the path of the library and the role from the attribute of an item that this derive does not support. Ignores
/// errors about the attribute's options.
pub(crate) fn role_alone(derive: Derive, input: &DeriveInput) -> (Path, Role) {
    let mut errors = Errors::default();
    let Container { library, role, .. } = container(derive, input, &mut errors);
    // The item is already rejected, so errors about its options would only be distracting.
    drop(errors.finish());
    (library, role)
}

pub(crate) fn default_library() -> Path {
    parse_quote!(::mongo_odm)
}
