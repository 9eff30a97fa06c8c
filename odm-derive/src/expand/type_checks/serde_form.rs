//! Generates the checks for fields that serde flattens or leaves out.

use proc_macro2::TokenStream;
use quote::quote_spanned;

use super::question::{Checks, may_be_missing};
use crate::{hygiene::ends, ir::Field};

impl Checks<'_> {
    /// Checks that serde can read the documents from which it leaves out the field.
    pub(super) fn left_out(&mut self, field: &Field, option: &TokenStream) {
        if field.flatten || self.record.is_projection() {
            return;
        }
        let place = format!("{}.{}", self.record.name(), field.name());
        let problem = format!("`{option}` may leave `{place}` out of a document");
        self.read_without(field, option, &problem);
    }

    /// Checks that serde can read the documents without a field that it never writes (`skip_serializing`).
    pub(super) fn skipped(&mut self, field: &Field) {
        if let Some(option) = &field.left_out {
            let place = format!("{}.{}", self.record.name(), field.name());
            let problem = format!("`{option}` leaves `{place}` out of each document");
            self.read_without(field, option, &problem);
        }
    }

    fn read_without(&mut self, field: &Field, option: &TokenStream, problem: &str) {
        if field.default {
            return;
        }
        let (first, last) = ends(option);
        let holds = may_be_missing(field, last);
        let message = format!(
            "{problem}, and such a document cannot be read; add `default` to the `#[serde(..)]` of the field"
        );
        self.assert(first, last, &holds, &message);
    }

    /// Checks that serde can flatten the type, and that no field of the type has the same name as another
    /// field.
    pub(super) fn flattened(&mut self, field: &Field) {
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let (record, name) = (self.record.name(), field.name());
        let message = format!(
            "`{record}.{name}` is flattened, but serde flattens only structs and maps; remove `flatten`"
        );
        let probe = quote_spanned!(last=> __odm::TypeProbe::<#ty>);
        let holds = quote_spanned!(last=> !(#probe::ARRAY || #probe::NUMBER || #probe::TEXT || #probe::DATE));
        self.assert(first, last, &holds, &message);
        let inner = quote_spanned!(last=> #probe::FLAT);
        for other in self
            .record
            .fields
            .iter()
            .filter(|it| it.ident != field.ident)
        {
            let (stored, other_name) = (&other.stored, other.name());
            let holds = if !other.flatten {
                quote_spanned!(last=> !__odm::stores(#inner, #stored))
            } else if other_name < name {
                let ty = &other.ty;
                quote_spanned!(last=> !__odm::store_same(#inner, __odm::TypeProbe::<#ty>::FLAT))
            } else {
                continue;
            };
            let message = format!(
                "`{record}.{name}` and `{record}.{other_name}` store a field of the same name in one document, because \
                 serde flattens; rename one of the two"
            );
            self.assert(first, last, &holds, &message);
        }
    }
}
