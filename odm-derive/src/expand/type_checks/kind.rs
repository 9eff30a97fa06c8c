//! Generates the check for the field that stores the kind.

use proc_macro2::Ident;
use quote::{quote, quote_spanned};

use super::question::Checks;
use crate::hygiene::ends;

impl Checks<'_> {
    /// If the struct declares the kind field, checks that a string can be read into the field's type. A field that has
    /// a codec is not checked.
    pub(super) fn kind(&mut self) {
        let field = self.record.field_of_kind();
        let Some(field) = field.filter(|field| field.codec.is_none()) else {
            return;
        };
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let check = Ident::new("check_kind", first);
        let checked = quote_spanned!(first=> __odm::#check);
        let holds = if field.embed.is_some() {
            quote_spanned!(last=> (false))
        } else {
            quote_spanned!(last=> (!__odm::TypeProbe::<#ty>::TEXTLESS
                && !__odm::TypeProbe::<#ty>::ARRAY
                && !__odm::TypeProbe::<#ty>::NUMBER
                && __odm::TypeProbe::<#ty>::EMBED.is_none()))
        };
        self.asserts.push(quote!(const _: () = #checked #holds;));
    }
}
