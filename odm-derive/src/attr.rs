//! Parses the attributes from tokens into the values of `ir`.

mod container;
mod copy;
mod derived;
mod elsewhere;
mod field;
mod habits;
mod index;
mod item;
mod kind;
mod links;
mod maintained;
mod options;
mod path;
mod place;
mod polymorphic;
mod relation;
mod serde;
mod serde_words;
mod single_collection;
mod stored_name;
mod test_function;

use quote::quote;
use syn::DeriveInput;

pub(crate) use self::serde::has_default as has_serde_default;
pub(crate) use container::{default_library, refuse_parameters, role_alone};
pub(crate) use options::{Options, single};
pub(crate) use place::{derived_again, misplaced};
pub(crate) use polymorphic::polymorphic;
pub(crate) use single_collection::single_collection;
pub(crate) use test_function::test_options;

use crate::{
    error::Errors,
    ir::{Derive, Model, Record, Role},
};

/// Returns whether the item is also a model. A derive macro does not see the other derives in its list, so this
/// function looks for the attribute `#[model]`.
pub(crate) fn is_model(input: &DeriveInput) -> bool {
    let mut attributes = input.attrs.iter();
    attributes.any(|attribute| attribute.path().is_ident("model"))
}

/// Reads a struct and all its attributes. Returns `None` if this derive does not support the item.
pub(crate) fn record(derive: Derive, input: &DeriveInput, errors: &mut Errors) -> Option<Record> {
    let fields = container::fields(derive, input, errors)?;
    let serde = serde::container(derive, &input.attrs, errors);
    let container::Container {
        library,
        mut role,
        reverse,
        loaded,
    } = container::container(derive, input, errors);
    if let Some(loaded) = loaded {
        let message = "`loaded` is only for an enum of references; remove it";
        errors.at(loaded, message);
    }
    let (ident, (_, arguments, _)) = (&input.ident, input.generics.split_for_impl());
    let owner = quote!(#ident #arguments);
    let mut skipped = Vec::new();
    let mut stored = Vec::new();
    for field in &fields.named {
        let read = field::field(derive, &owner, field, &serde, &mut skipped, errors);
        stored.extend(read);
    }
    if let Role::Model(Model {
        tenant: Some(tenant),
        ..
    }) = &role
    {
        maintained::tenant(tenant, &mut stored, errors);
    }
    if let Role::Model(model) = &mut role {
        index::resolve_id(&mut model.shard_key, &stored);
    }
    Some(Record {
        ident: input.ident.clone(),
        generics: input.generics.clone(),
        vis: input.vis.clone(),
        handles: container::handles(input),
        library,
        role,
        strict: serde.deny_unknown_fields,
        is_refused_by_serde: serde_words::are_refused(input),
        also_projection: place::is_projected(input),
        reverse,
        fields: stored,
        skipped,
    })
}
