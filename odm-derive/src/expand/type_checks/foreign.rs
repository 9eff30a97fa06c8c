//! Generates the checks for types from other crates.

use proc_macro2::Ident;
use quote::{quote, quote_spanned};

use super::question::Checks;
use crate::{hygiene::ends, ir::Field};

impl Checks<'_> {
    /// Checks that a field has a codec if its type is from another crate and there is a matching BSON type.
    ///
    /// The fields of a projection are not checked, because another check compares them with the model's fields.
    pub(super) fn stored_form(&mut self, field: &Field) {
        if field.codec.is_none() && field.embed.is_none() && !self.record.is_projection() {
            let is_key = field.is_id() || field.reference.is_some();
            self.no_foreign_type(field, is_key);
        }
    }

    pub(super) fn no_foreign_type(&mut self, field: &Field, is_key: bool) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let check = if is_key { "check_key" } else { "check_value" };
        let check = Ident::new(check, first);
        let checked = quote_spanned!(first=> __odm::#check);
        let foreign = quote_spanned!(last=> (__odm::TypeProbe::<#ty>::FOREIGN));
        self.asserts.push(quote!(const _: () = #checked #foreign;));
    }
}
