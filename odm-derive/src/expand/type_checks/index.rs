//! Generates the checks for the fields of indexes.

use std::collections::HashSet;

use quote::quote_spanned;
use syn::LitStr;

use super::question::Checks;
use crate::{
    hygiene::ends,
    ir::{Field, Index, IndexKey, IndexKind, Number},
};

impl Checks<'_> {
    /// Checks an index that is declared on a field (`of`) or on the struct.
    pub(super) fn index(&mut self, index: &Index, of: Option<&Field>) {
        let first_of = |key: &IndexKey| {
            let field = self.record.field(key.path.fields.first()?)?;
            Some((field, key.path.fields.len() == 1))
        };
        let fields: Vec<_> = match of {
            Some(field) => vec![(field, true)],
            None => index.keys.iter().filter_map(first_of).collect(),
        };
        for (field, _) in fields.iter().filter(|(_, is_whole)| *is_whole) {
            self.sorted_dates(field, index);
            if let Some(expire) = &index.expire_after_secs {
                self.expires(field, expire);
            }
            if let (Some(locale), [_]) = (&index.locale, fields.as_slice()) {
                self.collated(field, locale);
            }
        }
        for (kind, (field, is_whole)) in index.kinds().into_iter().zip(&fields) {
            match kind {
                IndexKind::Hashed => self.hashes_one_value(field, index),
                IndexKind::TwoDSphere if *is_whole => self.holds_places(field, index),
                _ => {}
            }
        }
        self.one_array_in_index(index);
    }

    /// Rejects a hashed index on an array, because the server cannot hash arrays.
    fn hashes_one_value(&mut self, field: &Field, index: &Index) {
        let span = index.attribute.span();
        let message = format!(
            "`{}.{}` is an array, which the server rejects under a `hashed` key; write the key as `1`",
            self.record.name(),
            field.name()
        );
        let array = self.record.is_array(field);
        let holds = quote_spanned!(span=> !#array);
        self.assert(span, span, &holds, &message);
    }

    /// Checks that a field with a `2dsphere` index can contain a location. The server rejects
    /// values that are neither `GeoJSON` nor coordinates.
    fn holds_places(&mut self, field: &Field, index: &Index) {
        // The user's codec may store the value as `GeoJSON`.
        if field.codec.is_some() {
            return;
        }
        let (ty, span) = (&field.ty, index.attribute.span());
        let message = format!(
            "`{}.{}` is not a location, and the server rejects other values under a `2dsphere` key; make it a struct with `type` and \
             `coordinates` (GeoJSON) or `[f64; 2]`, longitude first",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(span=>
            !__odm::TypeProbe::<#ty>::TEXT
                && !__odm::TypeProbe::<#ty>::NUMBER
                && !__odm::TypeProbe::<#ty>::TEXTLESS
        );
        self.assert(span, span, &holds, &message);
    }

    /// Rejects an index on dates that are stored as text, because such dates do not sort in
    /// chronological order.
    fn sorted_dates(&mut self, field: &Field, index: &Index) {
        if !field.uses_codec("with::text") {
            return;
        }
        let (ty, span) = (&field.ty, index.attribute.span());
        let message = format!(
            "`{}.{}` is a date that is stored as text, which does not sort in the order of time; write `with = \
             \"mongo_odm::with::native\"`, or remove it from the index",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(span=> !__odm::TypeProbe::<#ty>::DATE);
        self.assert(span, span, &holds, &message);
    }

    /// Checks that a TTL index is on a date. The server silently ignores other values.
    fn expires(&mut self, field: &Field, expire: &Number) {
        // The user's codec may store the value as a date. Dates that are stored as text are
        // reported by `sorted_dates`.
        if field.codec.is_some() {
            return;
        }
        let (ty, (first, last)) = (&field.ty, ends(&expire.written));
        let message = format!(
            "`{}.{}` is not stored as a date, so no document would expire; make it a `DateTime`, or a date of another \
             crate with `#[serde(with = \"mongo_odm::with::native\")]`",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(last=> __odm::TypeProbe::<#ty>::DATE);
        self.assert(first, last, &holds, &message);
    }

    /// Checks that an index that has a collation is on a string field, because a collation does not affect other
    /// values.
    fn collated(&mut self, field: &Field, locale: &LitStr) {
        // The user's codec may store the value as text.
        if field.codec.is_some() {
            return;
        }
        let (ty, span) = (&field.ty, locale.span());
        let message = format!(
            "`{}.{}` is not text, and a locale only affects text; remove `locale`",
            self.record.name(),
            field.name()
        );
        let holds = quote_spanned!(span=>
            !__odm::TypeProbe::<#ty>::NUMBER && !__odm::TypeProbe::<#ty>::DATE
        );
        self.assert(span, span, &holds, &message);
    }

    /// Rejects an index on two arrays, because the server does not support it.
    fn one_array_in_index(&mut self, index: &Index) {
        let mut names = HashSet::new();
        // A text index can contain several arrays. A location may itself be an array of coordinates.
        let is_plain =
            |key: &&IndexKey| matches!(key.kind, IndexKind::Ascending | IndexKind::Descending);
        let keys = index.keys.iter().filter(is_plain);
        // Several keys may be inside the same array.
        let fields = keys.filter_map(|key| self.record.field(key.path.fields.first()?));
        let fields: Vec<&Field> = fields.filter(|field| names.insert(field.name())).collect();
        if fields.len() < 2 {
            return;
        }
        let arrays = fields.iter().map(|field| self.record.is_array(field));
        let names: Vec<_> = fields
            .iter()
            .map(|field| format!("`{}`", field.name()))
            .collect();
        let message = format!(
            "at most one field of an index can be an array, but several of {} are; move the others to another index",
            names.join(", ")
        );
        let span = index.attribute.span();
        let holds = quote_spanned!(span=> 0 #(+ (#arrays as usize))* < 2);
        self.assert(span, span, &holds, &message);
    }
}
