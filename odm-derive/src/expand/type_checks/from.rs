//! Generates the checks for structs that are created from a document.

use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

use super::{super::tokens::of_model, question::Checks};
use crate::hygiene::{ends, moved, text};

impl Checks<'_> {
    /// Checks that each field is either the model's key or a copy of one of the model's fields.
    pub(super) fn from(&mut self, source: &Path) {
        let (record, model) = (self.record, text(source));
        let by_hand = format!(
            "or write `impl From<&{model}> for {}` by hand",
            record.name()
        );
        for field in &record.fields {
            let name = field.name();
            let (lead, place, message) = match (&field.copy, field.key()) {
                (Some(copy), _) => (
                    of_model(&record.named(&copy.from.model), &quote!('static)),
                    copy.from.model.to_token_stream(),
                    format!(
                        "`{name}` is a copy of another model, but `from` is `{model}`; copy a field of `{model}`, {by_hand}"
                    ),
                ),
                (None, Some(reference)) => (
                    record.lead(field, reference),
                    field.ty.to_token_stream(),
                    format!(
                        "`{name}` refers to another model, but `from` is `{model}`; refer to `{model}`, {by_hand}"
                    ),
                ),
                (None, None) => continue,
            };
            let (first, last) = ends(&place);
            let (lead, model) = (moved(&lead, last), record.named_at(source, last));
            // If `from` is not a model, another error reports this mistake.
            let same = quote_spanned!(last=> !__odm::TypeProbe::<#model>::MODEL || __odm::TypeProbe::<(#lead, #model)>::LEADS);
            self.assert(first, last, &same, &message);
        }
    }
}
