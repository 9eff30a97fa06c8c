//! The derive macros of `mongo-odm`. The crate `mongo-odm` re-exports and documents these macros.
//!
//! The modules are a pipeline:
//!
//! 1. `attr` parses the attributes.
//! 2. `ir` contains the values of the attributes.
//! 3. `check` contains the rules that depend on more than one attribute.
//! 4. `expand` emits the impls. If there are errors, `fallback` emits substitute impls instead.

mod attr;
mod check;
mod containers;
mod derive;
mod did_you_mean;
mod error;
mod expand;
mod fallback;
mod hygiene;
mod insertable;
mod ir;
mod model_part;
mod patch;
mod recover;
mod test_function;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Derives `Model`. The crate `mongo-odm` documents this macro.
#[proc_macro_derive(
    Model,
    attributes(
        model, index, embed, refs, parent_ref, denorm, recent, rollup, links, created_at, updated_at, created_by, updated_by, version, deleted_at, serde,
        // The following attributes are registered only for the messages of `attr::habits`.
        belongs_to, many_to_one, has_many, one_to_many, has_one, one_to_one, many_to_many, has_and_belongs_to_many, reference, references, foreign_key, embeds_many, embeds_one, nested, table_name, collection, collection_name, primary_key, id, unique, indexed, rename, column, column_name, skip, timestamps, required, ttl, expires, auto_increment, computed, virtual_field, soft_delete, tenant, sea_orm
    )
)]
pub fn model(input: TokenStream) -> TokenStream {
    derive::derive(ir::Derive::Model, input.into()).into()
}

/// Derives `Embedded`. The crate `mongo-odm` documents this macro.
#[proc_macro_derive(
    Embedded,
    attributes(
        embedded, index, embed, refs, parent_ref, denorm, recent, rollup, links, created_at, updated_at, created_by, updated_by, version, deleted_at, model, serde,
        // The following attributes are registered only for the messages of `attr::habits`.
        belongs_to, many_to_one, has_many, one_to_many, has_one, one_to_one, many_to_many, has_and_belongs_to_many, reference, references, foreign_key, embeds_many, embeds_one, nested, table_name, collection, collection_name, primary_key, id, unique, indexed, rename, column, column_name, skip, timestamps, required, ttl, expires, auto_increment, computed, virtual_field, soft_delete, tenant, sea_orm
    )
)]
pub fn embedded(input: TokenStream) -> TokenStream {
    derive::derive(ir::Derive::Embedded, input.into()).into()
}

/// Derives `SingleCollection`. The crate `mongo-odm` documents this macro.
#[proc_macro_derive(SingleCollection, attributes(single_collection, serde))]
pub fn single_collection(input: TokenStream) -> TokenStream {
    derive::derive(ir::Derive::SingleCollection, input.into()).into()
}

/// Derives `Projection`. The crate `mongo-odm` documents this macro.
#[proc_macro_derive(
    Projection,
    attributes(projection, embed, refs, parent_ref, model, serde,
        // The following attributes are registered only for the messages of `attr::habits`.
        belongs_to, many_to_one, has_many, one_to_many, has_one, one_to_one, many_to_many, has_and_belongs_to_many, reference, references, foreign_key, embeds_many, embeds_one, nested, table_name, collection, collection_name, primary_key, id, unique, indexed, rename, column, column_name, skip, timestamps, required, ttl, expires, auto_increment, computed, virtual_field, soft_delete, tenant, sea_orm)
)]
pub fn projection(input: TokenStream) -> TokenStream {
    derive::derive(ir::Derive::Projection, input.into()).into()
}

/// Expands `#[mongo_odm_testkit::test]`. The crate `mongo-odm-testkit` re-exports and documents this macro.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn test(options: TokenStream, item: TokenStream) -> TokenStream {
    test_function::test_function(options.into(), &item.into()).into()
}

/// Derives `Patch`. The crate `mongo-odm` documents this macro.
#[proc_macro_derive(Patch, attributes(patch, embed, serde))]
pub fn patch(input: TokenStream) -> TokenStream {
    patch::derive(input.into()).into()
}

/// Derives `Insertable`. The crate `mongo-odm` documents this macro.
#[proc_macro_derive(Insertable, attributes(insertable, embed, serde))]
pub fn insertable(input: TokenStream) -> TokenStream {
    insertable::derive(input.into()).into()
}
