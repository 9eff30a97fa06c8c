//! What is asked about the fields of indexes.

use quote::quote_spanned;

use super::question::Checks;
use crate::{
    hygiene::ends,
    ir::{Field, Index, Number},
};

impl Checks<'_> {
    /// Asks about an index of a field, or of the struct.
    pub(super) fn index(&mut self, index: &Index, of: Option<&Field>) {
        let record = self.record;
        let first = |key: &'_ crate::ir::IndexKey| {
            let name = key.path.fields.first()?;
            Some((record.field(name)?, key.path.fields.len() == 1))
        };
        let fields: Vec<_> = match of {
            Some(field) => vec![(field, true)],
            None => index.keys.iter().filter_map(first).collect(),
        };
        let whole = fields.iter().filter(|(_, is_whole)| *is_whole);
        for (field, _) in whole.clone() {
            self.sorted_dates(field, index);
        }
        if let (Some(expire), Some((field, _))) = (&index.expire_after_secs, whole.clone().next()) {
            self.expires(field, expire);
        }
        let mut starts: Vec<&Field> = fields.iter().map(|(field, _)| *field).collect();
        starts.dedup_by_key(|field| field.name());
        self.one_array_in_index(index, &starts);
    }

    /// Dates as text are not in the order of time.
    fn sorted_dates(&mut self, field: &Field, index: &Index) {
        if !is_text(field) {
            return;
        }
        let (ty, span) = (&field.ty, index.attribute.span());
        let message = format!(
            "`{}.{}` is a date that is stored as text, which is not in the order of time; write `with = \
             \"mongo_odm::with::native\"`, or leave it out of the index",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(span=> !__odm::TypeProbe::<#ty>::DATE);
        self.assert(span, span, &holds, &message);
    }

    /// The server deletes by dates alone, and ignores other values without a word.
    fn expires(&mut self, field: &Field, expire: &Number) {
        let of_user = field.codec.is_some() && !is_text(field);
        let (ty, (first, last)) = (&field.ty, ends(&expire.written));
        let message = format!(
            "`{}.{}` is not stored as a date, so that no document would expire; make it a `DateTime`, or a date of another \
             crate with `#[serde(with = \"mongo_odm::with::native\")]`",
            self.record.name(),
            field.name()
        );
        if !of_user && !is_text(field) {
            let holds = quote_spanned!(last=> __odm::TypeProbe::<#ty>::DATE);
            self.assert(first, last, &holds, &message);
        }
    }

    /// The server has no index over two arrays.
    fn one_array_in_index(&mut self, index: &Index, fields: &[&Field]) {
        let types = fields.iter().map(|field| &field.ty);
        if types.len() < 2 {
            return;
        }
        let names: Vec<_> = fields
            .iter()
            .map(|field| format!("`{}`", field.name()))
            .collect();
        let message = format!(
            "an index has one array at most, and more of {} are; keep one array, and make another index for the other",
            names.join(", ")
        );
        let span = index.attribute.span();
        let holds = quote_spanned!(span=> 0 #(+ (__odm::TypeProbe::<#types>::ARRAY as usize))* < 2);
        self.assert(span, span, &holds, &message);
    }
}

/// Whether a field is stored as text by the module of the library.
fn is_text(field: &Field) -> bool {
    let codec = field.codec.as_ref();
    codec.is_some_and(|codec| codec.text.replace(' ', "").ends_with("with::text"))
}
