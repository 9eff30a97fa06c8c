//! Generates a struct that has one list for each kind, for an enum with
//! `#[derive(SingleCollection)]`.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::docs;
use crate::{
    hygiene::{ident, plain, snake},
    ir::{KindVariant, SingleCollection},
};

/// Generates the struct that has one list for each kind.
pub(super) fn linked(of: &SingleCollection) -> TokenStream {
    let (name, vis) = (name(of), &of.record.vis);
    let title = of.record.name();
    let doc = format!("The documents that `{title}::linked(&odm, id)` finds, by kind.");
    let kinds = of.kinds.iter().map(|kind| {
        let (list, ty) = (list(kind), &kind.ty);
        let doc = format!("Documents of the kind `{}`.", kind.stored);
        quote!(#[doc = #doc] #vis #list: ::std::vec::Vec<#ty>)
    });
    let unknown = unknown(of);
    quote! {
        #[doc = #doc]
        #[allow(dead_code, non_snake_case)]
        #vis struct #name {
            #(#kinds,)*
            /// Documents of all other kinds.
            #vis unknown: ::std::vec::Vec<#unknown>,
        }
    }
}

/// Generates the impls of the struct of lists, and the method `linked` of the enum.
pub(super) fn impls(of: &SingleCollection, has_mistakes: bool) -> TokenStream {
    let (ident, vis, name) = (&of.record.ident, &of.record.vis, name(of));
    let lists: Vec<Ident> = of.kinds.iter().map(list).collect();
    let variants = of.kinds.iter().map(|kind| &kind.ident);
    let title = plain(&name);
    let relation = format!("{}.linked", of.record.name());
    let titles = lists.iter().map(plain);
    let rest = match &of.other {
        Some(other) => {
            let other = &other.ident;
            quote! {
                __odm::FoundKind::Known(Self::#other(__odm_one)) => __odm_linked.unknown.push(__odm_one),
                // The variant for other kinds already matches every document.
                __odm::FoundKind::Unknown(_) => {}
            }
        }
        None => {
            quote!(__odm::FoundKind::Unknown(__odm_one) => __odm_linked.unknown.push(__odm_one),)
        }
    };
    // Documents of a variant that has an error are not added to any list.
    let unread = has_mistakes.then(|| quote!(_ => {}));
    let allowed = has_mistakes.then(|| quote!(#[allow(unreachable_patterns)]));
    let doc = docs::linked(&of.record);
    quote! {
        #[automatically_derived]
        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self { #(#lists: ::std::vec::Vec::new(),)* unknown: ::std::vec::Vec::new() }
            }
        }
        /// Shows the number of documents of each kind.
        #[automatically_derived]
        impl ::core::fmt::Debug for #name {
            fn fmt(&self, __odm_f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                __odm_f.debug_struct(#title)
                    #(.field(#titles, &self.#lists.len()))*
                    .field("unknown", &self.unknown.len())
                    .finish()
            }
        }
        #[automatically_derived]
        impl __odm::Grouped for #ident {
            const __ODM_LINKED: &'static str = #relation;
            type Linked = #name;
            fn group(__odm_found: ::std::vec::Vec<__odm::FoundKind<Self>>) -> #name {
                let mut __odm_linked = <#name as ::core::default::Default>::default();
                for __odm_one in __odm_found {
                    #allowed
                    match __odm_one {
                        #(__odm::FoundKind::Known(Self::#variants(__odm_one)) => {
                            __odm_linked.#lists.push(__odm_one);
                        })*
                        #rest
                        #unread
                    }
                }
                __odm_linked
            }
        }
        #[automatically_derived]
        impl #ident {
            #[doc = #doc]
            #[track_caller]
            #vis fn linked(
                odm: &(impl __odm::Executor + ?::core::marker::Sized),
                by: impl __odm::LinkedBy,
            ) -> __odm::LinkedQuery<Self> {
                __odm::LinkedQuery::new(by, odm)
            }
        }
    }
}

fn name(of: &SingleCollection) -> Ident {
    let enumeration = &of.record.ident;
    ident(&format!("{}Linked", plain(enumeration)), enumeration.span())
}

fn unknown(of: &SingleCollection) -> TokenStream {
    let library = &of.record.library;
    of.other.as_ref().map_or_else(
        || quote!(#library::bson::RawDocumentBuf),
        |other| other.ty.to_token_stream(),
    )
}

/// Returns the name of the list for a kind, such as `classes` for `Class`.
fn list(kind: &KindVariant) -> Ident {
    let name = snake(&plain(&kind.ident));
    ident(&plural(&name), kind.ident.span())
}

fn plural(name: &str) -> String {
    let hissing = ["s", "x", "z", "ch", "sh"];
    if hissing.iter().any(|end| name.ends_with(end)) {
        return format!("{name}es");
    }
    let mut letters = name.chars().rev();
    match (letters.next(), letters.next()) {
        (Some('y'), Some(before)) if !"aeiou".contains(before) => {
            format!("{}ies", name.strip_suffix('y').unwrap_or(name))
        }
        _ => format!("{name}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_plural_of_its_kind() {
        for (kind, list) in [
            ("Class", "classes"),
            ("Student", "students"),
            ("Category", "categories"),
            ("Day", "days"),
            ("Branch", "branches"),
            ("BoxOffice", "box_offices"),
        ] {
            assert_eq!(plural(&snake(kind)), list);
        }
    }
}
