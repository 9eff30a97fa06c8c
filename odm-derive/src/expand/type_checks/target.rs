//! Generates the checks on the type of a reference, which no other module checks.
//!
//! `#[refs(many)] parts: Vec<Part>` is the most common first mistake. The derive emits the type of a field in about
//! twenty places, and the compiler would report an error at each of them. So only the assertions in this module check
//! the type, and their messages contain the remedy. All other generated code compiles with any type:
//!
//! - Shapes use `TypeProbe`, which has constants for every type.
//! - Generated methods have a bound that the compiler checks only where a method is called
//!   (`model/reference/method_bounds.rs` in the library).

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;

use super::{
    super::tokens::{probed, written_target},
    question::{Checks, assertion},
};
use crate::{
    hygiene::{ends, inner_type, second_type, text, written_id},
    ir::{Field, Reference, Role},
};

impl Checks<'_> {
    /// Checks that the type of a reference without `to` is an `Id` or contains one. The compiler shows only the first
    /// assertion that fails.
    pub(super) fn is_reference(&mut self, field: &Field, reference: &Reference) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let place = format!("`{}.{}`", self.record.name(), field.name());
        let mistakes = match written_target(ty) {
            Some(model) => [no_key(ty, &place)]
                .into_iter()
                .flatten()
                .chain([
                    no_model(&self.record.lead(field, reference), model, &place),
                    no_list(ty, &place),
                    other_key(model, &place),
                ])
                .collect(),
            None => vec![
                whole_documents(ty, &place),
                polymorphic(ty, &place),
                plain_key(ty, &place),
                embedded(ty, &place),
                no_keys(ty, &place),
            ],
        };
        let mut is_reference = probed(ty, "REFERENCE");
        // If a projection repeats an invalid reference of its model, only the derive of the model reports the mistake.
        if let Role::Projection(Some(of)) = &self.record.role {
            let (of, name) = (self.record.named(of), field.name());
            is_reference = quote!(#is_reference || __odm::refers(<#of as __odm::HasFields>::__ODM_FIELDS, #name));
        }
        let checks = mistakes.into_iter().map(|(holds, message)| {
            let holds = quote_spanned!(last=> #is_reference || #holds);
            assertion(first, last, &holds, &message)
        });
        self.asserts.push(quote!(const _: () = { #(#checks;)* };));
    }
}

/// A condition that is false if the user made a certain mistake, and the error message about that mistake.
type Mistake = (TokenStream, String);

fn whole_documents(ty: &Type, place: &str) -> Mistake {
    let model = innermost(ty);
    let is_model = probed(model, "MODEL");
    let (model, id) = (
        text(model),
        around_innermost(ty, |model| format!("Id<{model}>")),
    );
    let message = format!(
        "{place} contains whole `{model}` documents; write `{id}`, or `#[embed]` and a struct with `#[derive(Embedded)]`"
    );
    (quote!(!#is_model), message)
}

fn no_model(lead: &TokenStream, model: &Type, place: &str) -> Mistake {
    let model = text(model);
    let message = format!(
        "{place} refers to `{model}`, which is not a model; add `#[derive(Model)]` and `#[model(collection = \"..\")]` to `{model}`"
    );
    (probed(lead, "LEADS_TO_MODEL"), message)
}

/// Checks that the key type of an id implements `Key`. The key may be one of the user's own types.
fn no_key(ty: &Type, place: &str) -> Option<Mistake> {
    let id = written_id(ty)?;
    let key = second_type(id)?;
    let (written, key) = (text(id), text(key));
    let message = format!(
        "{place} contains `{written}`, but `{key}` is not a key; add an empty `impl mongo_odm::Key for {key}`"
    );
    Some((probed(id, "ONE_KEY"), message))
}

fn no_list(ty: &Type, place: &str) -> Mistake {
    let (one, many) = (probed(ty, "ONE_KEY"), probed(ty, "MANY_KEYS"));
    let written = text(ty);
    let message = format!(
        "{place} is not a reference: `{written}` is not an array of ids; write `Vec`, or `VecDeque`, `HashSet`, `BTreeSet`, `Box<[T]>`, `[T; N]` or `SmallVec` (with the feature `smallvec`), or for one id \
         `Option`, `Box`, `Arc` or `Rc`"
    );
    (quote!((#one || #many)), message)
}

fn other_key(model: &Type, place: &str) -> Mistake {
    let model = text(model);
    let message = format!(
        "{place} has another type of key than the `_id` of `{model}`; give both the same type of key"
    );
    (quote!(false), message)
}

fn polymorphic(ty: &Type, place: &str) -> Mistake {
    let holds = probed(ty, "POLYMORPHIC");
    let message =
        format!("{place} contains an enum of references; add `polymorphic` to the attribute");
    (quote!(!#holds), message)
}

fn plain_key(ty: &Type, place: &str) -> Mistake {
    let (one, many) = (probed(ty, "ONE_KEY"), probed(ty, "MANY_KEYS"));
    let id = around_innermost(ty, |key| format!("Id<Model, {key}>"));
    let message = format!(
        "{place} is a plain key without a model; write `to = \"Model\"` in the attribute, or the type `{id}`"
    );
    (quote!(!(#one || #many)), message)
}

/// Checks that an embedded struct contains exactly one reference. If that reference is invalid, another check reports
/// the mistake.
fn embedded(ty: &Type, place: &str) -> Mistake {
    let (embed, inner) = (probed(ty, "EMBED"), probed(ty, "FLAT"));
    let name = text(innermost(ty));
    let message = format!(
        "{place} is not a reference: `{name}` contains none or several; write `#[refs(one)]` on exactly one field of `{name}`, or `#[embed]` instead of this attribute"
    );
    (
        quote!((#embed.is_none() || __odm::has_one_reference(#inner))),
        message,
    )
}

fn no_keys(ty: &Type, place: &str) -> Mistake {
    let embed = probed(ty, "EMBED");
    let written = text(ty);
    let message = format!(
        "{place} is not a reference: `{written}` contains no ids; write `Id<Model>`, an `Option` or `Vec` of it, or an `Embedded` with exactly one reference"
    );
    (quote!(#embed.is_some()), message)
}

fn innermost(ty: &Type) -> &Type {
    inner_type(ty).map_or(ty, innermost)
}

/// Returns the text of a type in which the innermost type is replaced: `Vec<Id<Part>>` for `Vec<Part>`.
fn around_innermost(ty: &Type, other: impl Fn(&str) -> String) -> String {
    let inner = text(innermost(ty));
    let (before, after) = text(ty)
        .split_once(&inner)
        .map_or_else(Default::default, |(before, after)| {
            (before.to_owned(), after.to_owned())
        });
    format!("{before}{}{after}", other(&inner))
}
