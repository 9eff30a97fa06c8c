//! Generates the impls for polymorphic references, which are enums of references.
//!
//! - Each impl of `PolymorphicTo<Model>` returns only the keys of that model. The caller specifies the model, and the
//!   relation works like the relation of any other reference. So the library does not need a list of model names, and
//!   never reads a collection that the caller did not request.
//! - The user declares the enum of loaded documents (`loaded = ".."`). The derive generates the code that creates the
//!   variants of this enum.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::Path;

use super::{
    docs, embedded, fields, reference, shape,
    tokens::{probed, wrap},
    type_checks,
};
use crate::ir::{Polymorphic, Record, Variant};

/// Generates the impls for an enum. `checks` is false if there are errors. In that case, no checks are generated.
pub(crate) fn polymorphic(of: &Polymorphic, checks: bool) -> TokenStream {
    let record = &of.record;
    let fields = fields::impls(record, &shapes(of));
    let embedded = embedded::embedded(record);
    let ident = &record.ident;
    let keys = keys(of);
    let groups = groups(of);
    let targets = groups.iter().map(|group| to(of, group));
    let methods = methods(record);
    let loaded = of.loaded.iter().map(|loaded| load_all(of, loaded));
    let checks = checks.then(|| type_checks::variants(of));
    let items = quote! {
        #fields
        #embedded
        __odm::inventory::submit! {
            __odm::RegisteredEmbedded(<#ident as __odm::Embedded>::SHAPE)
        }
        #keys
        #[automatically_derived]
        impl __odm::Polymorphic for #ident {}
        #(#targets)*
        #methods
        #(#loaded)*
        #checks
    };
    wrap(&record.library, &items)
}

/// Generates the shapes of the two stored fields. The second field is the key, and its shape lists the target models.
fn shapes(of: &Polymorphic) -> TokenStream {
    let targets = groups(of).into_iter().filter_map(|group| {
        let kinds = group.iter().flat_map(|variant| &variant.kinds);
        let kinds = quote!(&[#(#kinds),*]);
        let Variant {
            field, reference, ..
        } = group.into_iter().next()?;
        let lead = of.record.lead(field, reference);
        let model = probed(&lead, "TARGET");
        let path = reference::target_path(&of.record, field, reference);
        Some(quote!(__odm::TargetShape::new(#model, #path).kinds(#kinds)))
    });
    let targets = quote!(.targets(&[#(#targets),*]));
    let fields = of.record.fields.iter().enumerate().map(|(number, field)| {
        let shape = shape::one(&of.record, field);
        let targets = (number == 1).then_some(&targets);
        quote!(#shape #targets)
    });
    quote!(&[#(#fields),*])
}

/// Groups the variants by the tokens of their model.
fn groups(of: &Polymorphic) -> Vec<Vec<&Variant>> {
    let mut groups: Vec<(String, Vec<&Variant>)> = Vec::new();
    for variant in &of.variants {
        let target = of.record.target(&variant.field, &variant.reference);
        let target = target.to_string();
        match groups.iter_mut().find(|(of, _)| *of == target) {
            Some((_, group)) => group.push(variant),
            None => groups.push((target, vec![variant])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Generates the impl that returns the keys of one model.
fn to(of: &Polymorphic, group: &[&Variant]) -> Option<TokenStream> {
    let Variant {
        field, reference, ..
    } = group.first()?;
    let ident = &of.record.ident;
    let target = of.record.target(field, reference);
    let path = reference::target_path(&of.record, field, reference);
    let keys = keys_of(of, group);
    Some(quote! {
        #[automatically_derived]
        impl __odm::PolymorphicTo<#target> for #ident {
            fn each_key_to(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
                #keys
            }
            fn target_path() -> ::std::string::String {
                (#path)()
            }
        }
    })
}

/// Generates the impl that returns the keys of all variants.
fn keys(of: &Polymorphic) -> TokenStream {
    let ident = &of.record.ident;
    let keys = keys_of(of, &of.variants.iter().collect::<Vec<_>>());
    let path = of.record.fields.last().map(reference::push_path);
    quote! {
        #[automatically_derived]
        impl __odm::Keys for #ident {
            type Key = __odm::AnyKey;
            type Knows = __odm::Several;
            const __ODM_MANY: bool = false;
            fn each_key(&self, __odm_found: &mut dyn ::core::ops::FnMut(__odm::KeySlot)) {
                #keys
            }
            fn push_inner_path(__odm_path: &mut ::std::string::String) {
                #path
            }
        }
    }
}

/// Generates a `match` that passes the key in each of the given variants to a function.
fn keys_of(of: &Polymorphic, variants: &[&Variant]) -> TokenStream {
    let complete = of.complete && variants.len() == of.variants.len();
    let others = (!complete).then(|| quote!(_ => {}));
    let variants = variants.iter().map(|variant| &variant.field.ident);
    quote! {
        match self {
            #(Self::#variants(__odm_key) => __odm::Keys::each_key(__odm_key, __odm_found),)*
            #others
        }
    }
}

/// Generates the methods `load` and `join` of the enum.
fn methods(record: &Record) -> TokenStream {
    let (ident, vis, title) = (&record.ident, &record.vis, record.name());
    let docs::RelationDocs { load, join, .. } = docs::RelationDocs::of_enum(record);
    let relation = quote! {
        __odm::Relation::<Self, __odm::Of<'static, __OdmTarget>>::new(
            #title,
            |__odm_owner, __odm_found| {
                __odm::PolymorphicTo::<__OdmTarget>::each_key_to(__odm_owner, __odm_found)
            },
            <Self as __odm::PolymorphicTo<__OdmTarget>>::target_path,
        )
    };
    quote! {
        #[automatically_derived]
        impl #ident {
            #[doc = #load]
            #[track_caller]
            #vis fn load<__OdmTarget: __odm::Described>(
                &self,
                odm: &(impl __odm::Executor + ?::core::marker::Sized),
            ) -> __odm::LoadOne<__OdmTarget>
            where
                Self: __odm::PolymorphicTo<__OdmTarget>,
            {
                #relation.load_one(self, odm)
            }
            #[doc = #join]
            #[track_caller]
            #vis fn join<'a, __OdmTarget: __odm::Described>(
                owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
                odm: &(impl __odm::Executor + ?::core::marker::Sized),
            ) -> __odm::Join<Self, __OdmTarget, __odm::Unnamed>
            where
                Self: __odm::PolymorphicTo<__OdmTarget>,
            {
                #relation.join_one(owners, odm)
            }
        }
    }
}

/// Generates the method `load_all` and the impls that it requires.
fn load_all(of: &Polymorphic, loaded: &Path) -> TokenStream {
    let record = &of.record;
    let (ident, vis) = (&record.ident, &record.vis);
    let groups = groups(of);
    let targets = groups.iter().filter_map(|group| {
        let Variant {
            field, reference, ..
        } = group.first()?;
        Some(record.target(field, reference))
    });
    let targets: Vec<_> = targets.collect();
    let variants = groups.iter().zip(&targets).map(|(group, target)| {
        let others =
            (!of.complete || groups.len() > 1).then(|| quote!(_ => ::core::option::Option::None,));
        let names: Vec<_> = group.iter().map(|variant| &variant.field.ident).collect();
        let document = names.iter().map(|name| {
            Ident::new("__odm_document", Span::call_site().located_at(name.span()))
        });
        let document: Vec<_> = document.collect();
        quote! {
            #[automatically_derived]
            impl __odm::LoadsTo<#target> for #ident {
                fn variant(&self) -> ::core::option::Option<fn(#target) -> #loaded> {
                    match self {
                        #(Self::#names(_) => ::core::option::Option::Some(|#document| #loaded::#names(#document)),)*
                        #others
                    }
                }
            }
        }
    });
    let doc = docs::load_all(record);
    quote! {
        #(#variants)*
        #[automatically_derived]
        impl __odm::LoadsAll for #ident {
            type Loaded = #loaded;
            const __ODM_TARGETS: &'static [__odm::LoadTarget<Self>] =
                &[#(__odm::LoadTarget::of::<#targets>()),*];
        }
        #[automatically_derived]
        impl #ident {
            #[doc = #doc]
            #[track_caller]
            #vis fn load_all<'a>(
                references: impl ::core::iter::IntoIterator<Item = &'a Self>,
                odm: &(impl __odm::Executor + ?::core::marker::Sized),
            ) -> __odm::LoadAll<#loaded> {
                __odm::LoadAll::of(references, odm)
            }
        }
    }
}
