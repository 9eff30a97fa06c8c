//! Generates the checks for fields that the library maintains.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::question::Checks;
use crate::{
    hygiene::ends,
    ir::{Field, Maintained, MaintainedKind},
};

impl Checks<'_> {
    /// Checks that the field's type can store the values that the library writes.
    pub(super) fn maintained(&mut self, field: &Field, maintained: &Maintained) {
        match maintained.kind {
            MaintainedKind::CreatedAt | MaintainedKind::UpdatedAt => {
                self.date(field, maintained, &quote!(__odm::check_date));
            }
            MaintainedKind::DeletedAt => {
                self.date(field, maintained, &quote!(__odm::check_deletion_date));
            }
            // The generated impl of `Versioned` checks the type of a version, and `ActorType::of` checks the types of
            // actors and tenants.
            MaintainedKind::Version
            | MaintainedKind::CreatedBy
            | MaintainedKind::UpdatedBy
            | MaintainedKind::Tenant => {}
        }
    }

    fn date(&mut self, field: &Field, maintained: &Maintained, check: &TokenStream) {
        self.of_type(field, check, None);
        let Some(codec) = &field.codec else {
            return;
        };
        let (first, last) = ends(&codec.written);
        let text = &codec.text;
        let message = format!(
            "`#[{}]` stores a BSON date, and this codec may store something else; write \
             `with = \"mongo_odm::with::native\"`, or remove `with` at a `DateTime`",
            maintained.attribute
        );
        let holds = quote_spanned!(last=> __odm::is_native(#text));
        self.assert(first, last, &holds, &message);
    }
}
