//! Generates the checks for projections.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::{
    super::tokens::handle,
    copy::other_names,
    question::{Checks, codec_of, may_be_missing},
};
use crate::{hygiene::ends, ir::Field};

impl Checks<'_> {
    /// Checks that the model has a field of the same name, type and stored form.
    pub(super) fn projected(&mut self, field: &Field, of: &TokenStream) {
        // For an embedded struct, the generated shape already contains this check.
        if field.embed.is_none() {
            let (ty, (first, last)) = (&field.ty, ends(&field.ty));
            let handle = handle(of, std::slice::from_ref(&field.ident));
            let check = Ident::new("__projected_as", first);
            let argument = quote_spanned!(last=> ::<#ty>());
            self.calls.push(quote!(#handle.#check #argument;));
        }
        self.flattened_alike(field, of);
        self.projected_as_stored(field, of);
        if field.flatten {
            return self.flattened_projection(field);
        }
        let (name, stored) = (field.name(), &field.stored);
        let codec = codec_of(field);
        let message = format!(
            "`{0}.{name}` reads `{stored}`, and `{of}` stores `{name}` under another name or with another codec; give both the same `rename` and `with`",
            self.record.name(),
        );
        let (first, last) = ends(&field.named_by);
        let holds = quote_spanned!(last=>
            __odm::find_field(<#of as __odm::HasFields>::__ODM_FIELDS, #name).is_none()
                || __odm::read_stored_name(<#of as __odm::HasFields>::__ODM_FIELDS, #name, #stored, #codec)
        );
        self.assert(first, last, &holds, &message);
    }

    /// Checks that the fields of a flattened type are known, because the projection requests each field by its
    /// name.
    fn flattened_projection(&mut self, field: &Field) {
        if field.embed.is_some() {
            return;
        }
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let place = format!("`{}.{}`", self.record.name(), field.name());
        let message = format!(
            "{place} flattens a type with unknown fields, but a projection requests fields by name; flatten the embedded struct, or \
             a `Projection` of it with `#[embed]`, or remove the field"
        );
        let has_codec = field.codec.is_some();
        let holds = quote_spanned!(last=> !#has_codec && __odm::TypeProbe::<#ty>::EMBED.is_some());
        self.assert(first, last, &holds, &message);
        let message = format!(
            "{place} flattens a struct with a flattened map or with an `alias`, but a projection requests fields by name; flatten a \
             `Projection` of the struct with `#[embed]`, or rename the field in the stored documents (`$rename`) and remove `alias`"
        );
        let holds = quote_spanned!(last=> __odm::have_known_names(__odm::TypeProbe::<#ty>::FLAT));
        self.assert(first, last, &holds, &message);
    }

    /// Checks that serde flattens the field either in both structs or in neither of them.
    fn flattened_alike(&mut self, field: &Field, of: &TokenStream) {
        let (name, flatten, (first, last)) = (field.name(), field.flatten, ends(&field.ty));
        let message = if flatten {
            format!("serde does not flatten `{of}.{name}`; remove `flatten` here")
        } else {
            format!("serde flattens `{of}.{name}`; write `#[serde(flatten)]` here, too")
        };
        let fields = quote_spanned!(last=> <#of as __odm::HasFields>::__ODM_FIELDS);
        let holds = quote_spanned!(last=> __odm::is_flattened_as(#fields, #name, #flatten));
        self.assert(first, last, &holds, &message);
    }

    /// Checks that the projection can read a document without the field if the model can. Also checks that the
    /// field does not have an `alias` in the model.
    fn projected_as_stored(&mut self, field: &Field, of: &TokenStream) {
        let (name, (first, last)) = (field.name(), ends(&field.ty));
        let fields = quote_spanned!(last=> <#of as __odm::HasFields>::__ODM_FIELDS);
        let holds = quote_spanned!(last=> !__odm::is_aliased(#fields, #name));
        self.assert(first, last, &holds, &other_names(&format!("`{of}.{name}`")));
        if field.default {
            return;
        }
        let may_be_missing = may_be_missing(field, last);
        let message = format!(
            "`{}.{name}` is required, but `{of}.{name}` may be missing from a document; add `#[serde(default)]` to it here, too",
            self.record.name(),
        );
        let holds = quote_spanned!(last=> __odm::is_required(#fields, #name) || #may_be_missing);
        self.assert(first, last, &holds, &message);
    }
}
