//! The pipeline of a derive, from tokens to impls.
//!
//! 1. `recover` parses the item. Parts that cannot be parsed are left out.
//! 2. `attr` reads the attributes into a value of `ir`, which keeps the spans of the user's tokens.
//! 3. `check` applies the rules that depend on more than one attribute. This step is skipped if step 1 has left out a
//!    part of the item, because a rule may depend on that part.
//! 4. `expand` emits the impls. Each file in `expand` generates one part of the output. If there are errors, `fallback`
//!    emits the errors and substitute impls. Without these impls, every use of the struct would cause another error.
//!
//! All steps add their errors to one `Errors`, each with the tokens that caused it. So one build reports all mistakes
//! in a struct.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Data, DataEnum, DeriveInput, Path};

use crate::{
    attr, check,
    error::Errors,
    expand, fallback,
    ir::{Derive, Record},
    recover,
};

/// Generates the impls for an item, or reports all of the item's errors together with substitute impls.
pub(crate) fn derive(derive: Derive, input: TokenStream) -> TokenStream {
    let mut errors = Errors::default();
    let Some(input) = recover::input(input, &mut errors) else {
        return errors.finish().unwrap_or_default();
    };
    // If a part of the item could not be parsed, a check that depends on this part would report a false error.
    let is_whole = errors.is_empty();
    if let Some(again) = attr::derived_again(derive, &input) {
        return twice(derive, &again, errors);
    }
    if attr::is_model(&input) && matches!(derive, Derive::Embedded | Derive::Projection) {
        return already_a_model(derive, &input, errors);
    }
    attr::misplaced(derive, &input, &mut errors);
    if let (Derive::Embedded, Data::Enum(data)) = (derive, &input.data) {
        return polymorphic(&input, data, is_whole, errors);
    }
    if derive == Derive::SingleCollection {
        return single_collection(&input, is_whole, errors);
    }
    let record: Option<Record> = attr::record(derive, &input, &mut errors);
    if let (Some(record), true) = (&record, is_whole) {
        check::record(record, &mut errors);
    }
    match (record, errors.finish()) {
        (Some(record), None) => expand::record(&record),
        (Some(record), Some(errors)) => fallback::record(&record, &errors),
        (None, errors) => fallback::foreign(derive, &input, errors.as_ref()),
    }
}

/// Reports a trait that is derived twice. The second derive emits the impls.
fn twice(derive: Derive, again: &Path, mut errors: Errors) -> TokenStream {
    let name = derive.name();
    errors.at(
        again,
        format!("`{name}` is derived twice; remove one of the two"),
    );
    errors.finish().unwrap_or_default()
}

/// Reports a model that also derives `Embedded` or `Projection`. Only the derive of `Model` emits impls.
fn already_a_model(derive: Derive, input: &DeriveInput, mut errors: Errors) -> TokenStream {
    let name = &input.ident;
    let message = if derive == Derive::Projection {
        format!(
            "`{name}` is a `Model`, which reads whole documents; remove `Projection`, and write a separate struct for some of the fields"
        )
    } else {
        format!(
            "`{name}` is a `Model` with its own collection; remove `Embedded`, and refer to it by `Id<{name}>`, \
             or remove `Model` and `#[model(..)]`"
        )
    };
    errors.push(syn::Error::new(Span::call_site(), message));
    errors.finish().unwrap_or_default()
}

/// Generates the impls for an enum of references.
fn polymorphic(
    input: &DeriveInput,
    data: &DataEnum,
    is_whole: bool,
    mut errors: Errors,
) -> TokenStream {
    let read = attr::polymorphic(input, data, &mut errors);
    if let (Some(read), true) = (&read, is_whole) {
        check::polymorphic(read, &mut errors);
    }
    match (read, errors.finish()) {
        (Some(read), errors) => {
            let impls = expand::polymorphic(&read, errors.is_none());
            quote!(#errors #impls)
        }
        (None, errors) => fallback::foreign(Derive::Embedded, input, errors.as_ref()),
    }
}

/// Generates the impls for an enum that derives `SingleCollection`.
fn single_collection(input: &DeriveInput, is_whole: bool, mut errors: Errors) -> TokenStream {
    let read = match &input.data {
        Data::Enum(data) => attr::single_collection(input, data, &mut errors),
        Data::Struct(_) | Data::Union(_) => {
            let message = "`SingleCollection` needs an enum with a variant for each kind; on a struct derive `Model`";
            errors.at(&input.ident, message);
            None
        }
    };
    if let (Some(read), true) = (&read, is_whole) {
        check::single_collection(read, &mut errors);
    }
    match (read, errors.finish()) {
        (Some(read), errors) => {
            let impls = expand::single_collection(&read, errors.is_some());
            quote!(#errors #impls)
        }
        (None, Some(errors)) => fallback::foreign(Derive::SingleCollection, input, Some(&errors)),
        (None, None) => TokenStream::new(),
    }
}
