//! Generates the checks for the fields of a shard key.

use quote::quote_spanned;

use super::question::Checks;
use crate::ir::{MaintainedKind, Model};

impl Checks<'_> {
    /// Rejects arrays, which the server does not accept in a shard key, and fields that can be null.
    pub(super) fn shard_key(&mut self, model: &Model) {
        for key in &model.shard_key {
            let Some(first) = key.path.fields.first() else {
                continue;
            };
            let Some(field) = self.record.field(first) else {
                continue;
            };
            let (ty, span) = (&field.ty, first.span());
            let message = format!(
                "`{}.{}` is an array, which the server rejects in a shard key; use a field with one value",
                self.record.name(),
                field.name()
            );
            let array = self.record.is_array(field);
            let holds = quote_spanned!(span=> !#array);
            self.assert(span, span, &holds, &message);
            if field
                .maintained
                .iter()
                .any(|it| it.kind == MaintainedKind::Tenant)
            {
                // The library sets the tenant of a new document.
                continue;
            }
            let message = format!(
                "`{}.{}` is an `Option`, but each document needs a value of the shard key; make the field required",
                self.record.name(),
                field.name()
            );
            let holds = quote_spanned!(span=> !__odm::TypeProbe::<#ty>::OPTION);
            self.assert(span, span, &holds, &message);
        }
    }
}
