//! Rejects structs with declarations in a container whose elements the library does not know.

use quote::quote_spanned;
use syn::Type;

use super::{Checks, ends};
use crate::{
    containers::{arguments, arrays, is_map, is_seen_through, name},
    ir::Field,
};

impl Checks<'_> {
    /// Rejects structs that contain copies, bounds, indexes or delete rules in maps and in arrays of arrays, because
    /// MongoDB cannot update their elements. Also rejects them in containers that are unknown to the library, where it
    /// would ignore them.
    pub(super) fn hidden(&mut self, field: &Field) {
        let is_key = field.is_id() || field.any_reference().is_some();
        if is_key || self.record.is_projection() {
            return;
        }
        let (ty, (first, last)) = (&field.ty, ends(&field.ty));
        let elements = hidden_types(ty);
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
            remedy(ty)
        );
        let holds = quote_spanned!(last=>
            __odm::TypeProbe::<#ty>::FOLLOWED || !(#(__odm::declares(__odm::TypeProbe::<#elements>::FLAT))||*)
        );
        self.assert(first, last, &holds, &message);
    }
}

fn remedy(ty: &Type) -> &'static str {
    if is_map(ty) {
        "MongoDB cannot update the elements of a map; make it a `Vec` of a struct with the key as a field"
    } else if arrays(ty) > 1 {
        "MongoDB cannot find the elements of an array of arrays; make it one `Vec`, or a `Vec` of a struct with the inner \
         array as a field"
    } else {
        "the library cannot see into this type; use the struct itself, or an `Option`, a `Box`, an `Arc` or an array \
         (`Vec`, `Box<[T]>`) of it"
    }
}

/// Types that are not embedded structs. `Id` is a key of the struct that it names.
const PLAIN: &[&str] = &[
    "String",
    "bool",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "f32",
    "f64",
    "char",
    "str",
    "Id",
    "ObjectId",
    "DateTime",
    "Bson",
    "Document",
    "Uuid",
    "Decimal128",
    "PhantomData",
];

/// Returns the types inside a field type that could be embedded structs which the library does not find. The list is
/// empty for the usual types, which saves compile time.
fn hidden_types(ty: &Type) -> Vec<&Type> {
    let mut found = Vec::new();
    if !is_seen_through(ty) || arrays(ty) > 1 {
        collect(ty, &mut found);
    }
    found
}

fn collect<'a>(ty: &'a Type, found: &mut Vec<&'a Type>) {
    if name(ty).is_some_and(|name| PLAIN.contains(&name.as_str())) {
        return;
    }
    for inner in arguments(ty) {
        let is_plain = name(inner).is_some_and(|name| PLAIN.contains(&name.as_str()));
        if !is_plain && matches!(inner, Type::Path(_) | Type::Array(_) | Type::Tuple(_)) {
            found.push(inner);
        }
        collect(inner, found);
    }
}
