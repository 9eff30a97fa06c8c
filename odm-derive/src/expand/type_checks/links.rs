//! Generates the checks for the stored form of links.

use quote::{ToTokens, quote, quote_spanned};

use super::{super::links, question::Checks};
use crate::{
    hygiene::ends,
    ir::{Field, Links, LinksForm},
};

impl Checks<'_> {
    /// Checks that the field's type matches the form of the links.
    pub(super) fn links(&mut self, field: &Field, of: &Links) {
        match of.form {
            LinksForm::Structs => self.fields_of_links(field, of),
            LinksForm::Ids => self.own(field, of.attribute.span(), &quote!(__is_array())),
            LinksForm::Prefix => {
                let (ty, (first, last)) = (&field.ty, ends(&field.ty));
                let holds =
                    quote_spanned!(last=> __odm::TypeProbe::<(#ty, ::std::string::String)>::SAME);
                let message = format!(
                    "`{}` contains the ids of a parent and of the document in one text; make it a `String`",
                    field.name()
                );
                self.assert(first, last, &holds, &message);
            }
        }
    }

    fn fields_of_links(&mut self, field: &Field, of: &Links) {
        let (target, kind) = links::names(self.record, of);
        let elements = links::elements(field);
        for (name, written, option) in [(target, &of.target, "target"), (kind, &of.kind, "kind")] {
            let place = written.as_ref().unwrap_or(&of.attribute).to_token_stream();
            let (first, last) = ends(&place);
            let holds = quote_spanned!(last=> __odm::has_name(#elements, #name));
            let message = format!(
                "a link has no field `{name}`; write `#[links({option} = \"..\")]` with the field of a link for {}",
                if option == "target" {
                    "the id of a document"
                } else {
                    "its kind"
                },
            );
            self.assert(first, last, &holds, &message);
        }
    }
}
