//! What is asked about summaries of children.

use quote::quote;

use super::{
    super::{derived::rolled_up, tokens::handle},
    question::{Checks, codec_of},
};
use crate::ir::{Field, Rollup, RollupKind};

impl Checks<'_> {
    /// The field holds what is made of the children, whose field is stored in the same form.
    pub(super) fn rollup(&mut self, field: &Field, rollup: &Rollup) {
        self.leads_here(&rollup.of, &rollup.via);
        let Some(of) = &rollup.field else {
            if rollup.kind == RollupKind::Count {
                self.of_type(field, &quote!(__odm::check_count), None);
            }
            return;
        };
        let value = handle(&self.record.named(&rollup.of), &of.fields);
        // The description of a sum asks for it.
        if rollup.kind != RollupKind::Sum {
            let check = rolled_up(field, rollup, &value);
            self.calls.push(quote!(#check;));
        }
        let codec = match rollup.kind {
            RollupKind::Min | RollupKind::Max => codec_of(field),
            _ => quote!(::core::option::Option::None),
        };
        let span = of.last_span();
        let message = format!(
            "`{}.{}` is computed by the server of what is stored, and this field of the child is stored with another `with`; compute of a field that is stored in the same form",
            self.record.name(),
            field.name(),
        );
        let holds = quote!(__odm::source(|| #value).has_codec(#codec));
        self.assert(span, span, &holds, &message);
    }
}
