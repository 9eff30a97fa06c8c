//! Generates the checks for recent lists and summaries.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;

use super::{
    super::{derived::rolled_up, tokens::handle},
    copy::other_names,
    question::{Checks, codec_of},
};
use crate::{
    hygiene::{ends, text},
    ir::{Field, FieldPath, Recent, Rollup, RollupKind},
};

impl Checks<'_> {
    /// Checks that the field can store the summary, and that the children's field is stored in a suitable form.
    pub(super) fn rollup(&mut self, field: &Field, rollup: &Rollup) {
        self.leads_here(&rollup.of, &rollup.via);
        self.via(&rollup.of, &rollup.via);
        let Some(of) = &rollup.field else {
            if rollup.kind == RollupKind::Count {
                self.of_type(field, &quote!(__odm::check_count), None);
            }
            return;
        };
        let value = handle(&self.record.named(&rollup.of), &of.fields);
        // For a sum, the generated shape already contains this check.
        if rollup.kind != RollupKind::Sum {
            let check = rolled_up(field, rollup, &value);
            self.calls.push(quote!(#check;));
        }
        let span = of.last_span();
        self.single(&value, span);
        self.one_name(&value, span, &rollup.of, of);
        let message = format!(
            "the server computes `{}.{}` from stored values, but this field of the child has another codec; write a field with the same stored form",
            self.record.name(),
            field.name(),
        );
        let codec = codec_of(field);
        let holds = match rollup.kind {
            RollupKind::Min | RollupKind::Max => {
                quote!(__odm::source(|| #value).has_codec(#codec))
            }
            RollupKind::Count | RollupKind::Sum | RollupKind::Average => {
                quote!(__odm::source(|| #value).is_stored_as_number())
            }
        };
        self.assert(span, span, &holds, &message);
        match rollup.kind {
            RollupKind::Sum => self.sum_of_decimals(field),
            RollupKind::Min | RollupKind::Max => self.extreme_of_text(field, rollup),
            RollupKind::Count | RollupKind::Average => {}
        }
    }

    /// Rejects a minimum or maximum of dates or decimals that are stored as text, because text does not sort in the
    /// order of these values.
    fn extreme_of_text(&mut self, field: &Field, rollup: &Rollup) {
        if !field.uses_codec("with::text") {
            return;
        }
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let message = format!(
            "the server would compare the values of `{}.{}` as text, which does not sort in their order; write \
             `#[serde(with = \"mongo_odm::with::native\")]` here and in `{}`",
            self.record.name(),
            field.name(),
            text(&rollup.of),
        );
        let holds = quote_spanned!(last=>
            !(__odm::TypeProbe::<#ty>::DATE || __odm::TypeProbe::<#ty>::NUMBER)
        );
        self.assert(first, last, &holds, &message);
    }

    /// Checks that a sum of decimals has no codec for text, because the server stores the sum as a Decimal128.
    fn sum_of_decimals(&mut self, field: &Field) {
        let Some(codec) = &field.codec else {
            return;
        };
        let (ty, text) = (&field.ty, &codec.text);
        let (first, last) = ends(&field.ty);
        let message = format!(
            "`{}.{}` is a sum that the server stores as a Decimal128; write `#[serde(with = \"mongo_odm::with::native\")]`",
            self.record.name(),
            field.name(),
        );
        let holds =
            quote_spanned!(last=> !__odm::TypeProbe::<#ty>::TEXT_FORM || __odm::is_native(#text));
        self.assert(first, last, &holds, &message);
    }

    /// Checks that each child has exactly one value by which the list can be sorted.
    pub(super) fn recent(&mut self, recent: &Recent) {
        // The generated shape already checks the elements of the list.
        self.leads_here(&recent.of, &recent.via);
        self.via(&recent.of, &recent.via);
        let sort = handle(&self.record.named(&recent.of), &recent.sort.fields);
        self.single(&sort, recent.sort.last_span());
        self.one_name(&sort, recent.sort.last_span(), &recent.of, &recent.sort);
    }

    /// Checks that the children store their reference under only one name, because the library finds the children by
    /// that name.
    fn via(&mut self, of: &Path, via: &FieldPath) {
        let handle = handle(&self.record.named(of), &via.fields);
        self.one_name(&handle, via.last_span(), of, via);
    }

    /// Checks that the children store a field under only one name.
    fn one_name(&mut self, field: &TokenStream, span: Span, of: &Path, path: &FieldPath) {
        let holds = quote!(__odm::source(|| #field).has_one_name());
        let name = format!("`{}.{path}`", text(of));
        self.assert(span, span, &holds, &other_names(&name));
    }

    /// Checks that each child has at most one value of a field.
    fn single(&mut self, field: &TokenStream, span: Span) {
        let message = "this field of the child is in an array, but each child needs one value; write a field outside of arrays";
        let holds = quote!(__odm::source(|| #field).is_single());
        self.assert(span, span, &holds, message);
    }
}
