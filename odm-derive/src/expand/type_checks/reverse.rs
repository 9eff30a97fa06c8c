//! Generates the checks for `has_many` and `has_one`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::{super::tokens::handle, question::Checks};
use crate::{
    hygiene::{ends, text},
    ir::{Field, Reverse, Role},
};

impl Checks<'_> {
    /// Checks that the keys of the other model's reference refer to a field of this struct.
    pub(super) fn reverse(&mut self, relation: &Reverse) {
        let reference = self.record.handle(&relation.path);
        let span = relation.path.asked_span();
        match (&self.record.role, self.record.key_of(relation)) {
            (Role::Model(_), _) => {
                let here = self.record.here(span);
                let check = quote_spanned!(span=> __leads_to::<#here, _>());
                self.calls.push(quote!(#reference.#check;));
            }
            (Role::Projection(Some(of)), Some(_)) if relation.key.is_none() => {
                let of = self.record.named_at(of, span);
                self.calls
                    .push(quote_spanned!(span=> #reference.__leads_to::<#of, _>();));
                self.compared_with_id(relation, &reference);
            }
            (_, Some(key)) => self.compared_with(relation, &reference, key),
            (_, None) => {}
        }
    }

    fn compared_with_id(&mut self, relation: &Reverse, reference: &TokenStream) {
        let (path, (first, last)) = (&relation.path, ends(&relation.path));
        let message = format!(
            "`{path}` is not compared with the `_id` of `{}`; add `key = \"field\"` with the field in the `to` of `{path}`",
            self.record.name(),
        );
        let holds = quote_spanned!(last=> __odm::compared(|| #reference).is_id());
        self.assert(first, last, &holds, &message);
    }

    fn compared_with(&mut self, relation: &Reverse, reference: &TokenStream, key: &Field) {
        let (path, (first, last)) = (&relation.path, ends(&relation.path));
        // The key of a projection is a field of the projection's model.
        let (holder, title) = match &self.record.role {
            Role::Projection(Some(of)) => (self.record.named_at(of, last), text(of)),
            _ => (self.record.here(last), self.record.name()),
        };
        let key_handle = handle(&holder, std::slice::from_ref(&key.ident));
        let name = key.name();
        let message = format!(
            "`{path}` is not compared with `{title}.{name}`; write `to = \"Model.{name}\"` there, or another field as `key`",
        );
        let holds =
            quote_spanned!(last=> __odm::compared(|| #reference).is(__odm::key_of(|| #key_handle)));
        self.assert(first, last, &holds, &message);
    }
}
