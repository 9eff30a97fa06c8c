//! Rejects structs that contain declarations, but are inside a container in which the library does not find structs.

use quote::quote_spanned;

use super::{Checks, ends};
use crate::{
    containers::{arrays, hidden_types, is_map},
    ir::Field,
};

impl Checks<'_> {
    /// Rejects structs that contain copies, bounds, indexes or delete rules in maps and in arrays of arrays, because
    /// MongoDB cannot update the elements of such containers. Also rejects such structs behind a codec and in
    /// containers that are unknown to the library, because the library would ignore the declarations there.
    pub(super) fn hidden(&mut self, field: &Field) {
        let is_key = field.is_id() || field.any_reference().is_some();
        if is_key || self.record.is_projection() {
            return;
        }
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let elements = hidden_types(field);
        if elements.is_empty() {
            return;
        }
        let message = format!(
            "`{}.{}` {} structs with copies, bounds, indexes or delete rules, but {}",
            self.record.name(),
            field.name(),
            if is_map(ty) {
                "is a map of"
            } else {
                "contains"
            },
            remedy(field)
        );
        let is_followed = (!field.is_written_by_codec())
            .then(|| quote_spanned!(last=> __odm::TypeProbe::<#ty>::FOLLOWED ||));
        let holds = quote_spanned!(last=>
            #is_followed !(#(__odm::declares(__odm::TypeProbe::<#elements>::FLAT))||*)
        );
        self.assert(first, last, &holds, &message);
    }
}

fn remedy(field: &Field) -> &'static str {
    let ty = &field.ty;
    if field.is_written_by_codec() {
        "the library does not know in which form its codec stores them; remove `with` or `serialize_with` \
         (`deserialize_with` alone is possible)"
    } else if is_map(ty) {
        "MongoDB cannot update the elements of a map; make it a `Vec` of a struct with the key as a field"
    } else if arrays(ty) > 1 {
        "MongoDB cannot find the elements of an array of arrays; make it one `Vec`, or a `Vec` of a struct with the inner \
         array as a field"
    } else {
        "the library cannot see into this type; use the struct itself, or an `Option`, a `Box`, an `Arc` or an array \
         (`Vec`, `Box<[T]>`) of it"
    }
}
