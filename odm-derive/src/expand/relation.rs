//! Generates the methods of relations: `load_*`, `join_*` and `count_*`.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Type, ext::IdentExt, spanned::Spanned};

use super::{
    docs::RelationDocs,
    reference::target_path,
    tokens::{around, handle, leads_to, of_model, probed},
};
use crate::{
    hygiene::{ends, moved, plain, prefixed},
    ir::{Field, Record, Reference, Reverse, Scope, SortKey},
};

pub(super) fn relations(record: &Record) -> TokenStream {
    let owner = record.ty();
    let (generics, bounds) = (record.impl_parameters(), record.where_bounds());
    let mut names = HashSet::new();
    let relations: Vec<_> = relations_of(record)
        .filter(|relation| names.insert(plain(relation.name)))
        .collect();
    let names = relations.iter().map(|relation| relation.named(record));
    let names: TokenStream = names.collect();
    let consts = relations.iter().filter(|of| of.polymorphic.is_none());
    let consts = consts.map(|relation| relation.constant(record));
    let methods: Vec<_> = relations
        .iter()
        .map(|relation| relation.methods(record))
        .collect();
    let block = (!methods.is_empty()).then(|| {
        quote! {
            #[automatically_derived]
            impl #generics #owner #bounds {
                #(#consts)*
                #(#methods)*
            }
        }
    });
    quote!(#names #block)
}

/// A relation of the derived struct. Either the derived struct or another model stores the reference.
struct Relation<'r> {
    name: &'r Ident,
    many: bool,
    target: TokenStream,
    /// A type that implements `Leads` if the target is a model.
    lead: TokenStream,
    /// The bound on the methods, which requires that the relation refers to the target. The compiler checks this bound
    /// only where a method is called.
    bound: TokenStream,
    /// The field's type, if the reference is polymorphic. The caller of a method then chooses the target.
    polymorphic: Option<&'r Type>,
    /// The body of a closure that passes each key of `__odm_owner` to `__odm_found`. Both are parameters of the
    /// closure.
    keys: TokenStream,
    /// A function that returns the path of the target's field with which the keys are compared.
    path: TokenStream,
    scope: Option<&'r Scope>,
    docs: RelationDocs,
}

fn relations_of(record: &Record) -> impl Iterator<Item = Relation<'_>> {
    let owns = record.owns_relations();
    let stored = record.references().filter(move |_| owns);
    let stored = stored.map(|(field, reference)| stored_here(record, field, reference));
    let reverse = record.reverse.iter();
    let reverse = reverse.map(|relation| stored_there(record, relation));
    let polymorphic = record.polymorphic().filter(move |_| owns);
    let polymorphic = polymorphic.map(|(field, reference)| several(record, field, reference));
    stored.chain(reverse).chain(polymorphic)
}

fn several<'r>(record: &Record, field: &'r Field, reference: &'r Reference) -> Relation<'r> {
    let (name, ty) = (&field.ident, &field.ty);
    Relation {
        name: reference.name(field),
        many: reference.is_many(),
        target: quote!(__OdmTarget),
        lead: quote!(__odm::Of<'static, __OdmTarget>),
        bound: around(ty, &quote!(), &quote!(: __odm::PolymorphicTo<__OdmTarget>)),
        polymorphic: Some(ty),
        keys: quote!(__odm::PolymorphicTo::<__OdmTarget>::each_key_to(&__odm_owner.#name, __odm_found)),
        path: quote!(<#ty as __odm::PolymorphicTo<__OdmTarget>>::target_path),
        scope: None,
        docs: RelationDocs::polymorphic(record, field, reference.is_many()),
    }
}

fn stored_here<'r>(record: &Record, field: &'r Field, reference: &'r Reference) -> Relation<'r> {
    Relation {
        name: reference.name(field),
        many: reference.is_many(),
        target: record.target(field, reference),
        lead: record.lead(field, reference),
        bound: record.leads(field, reference),
        polymorphic: None,
        keys: each_key(field),
        path: target_path(record, field, reference),
        scope: Some(&reference.scope),
        docs: RelationDocs::stored(record, field, reference),
    }
}

/// Generates a call that passes each key of a field to a function.
fn each_key(field: &Field) -> TokenStream {
    let (_, last) = ends(&field.ty);
    let name = moved(&field.ident, last);
    let each_key = probed(&field.ty, "EACH_KEY");
    let arguments = quote!(&__odm_owner.#name, __odm_found);
    let arguments = quote_spanned!(last=> (#arguments));
    quote!(#each_key #arguments)
}

fn stored_there<'r>(record: &Record, relation: &'r Reverse) -> Relation<'r> {
    let reference = record.handle(&relation.path);
    let target = record.named(&relation.path.model);
    let keys = match record.key_of(relation) {
        Some(key) => each_key(key),
        None if record.model().is_some() => {
            quote!(__odm::owner_keys(__odm_owner, #reference.shape(), __odm_found))
        }
        // The missing key is reported by `check::reverse`.
        None => quote!({}),
    };
    Relation {
        name: &relation.name,
        many: !relation.single,
        lead: of_model(&target, &quote!('static)),
        bound: leads_to(&target),
        target,
        polymorphic: None,
        keys,
        path: quote!(|| #reference.__reference_path()),
        scope: Some(&relation.scope),
        docs: RelationDocs::stored_there(record, relation),
    }
}

impl Relation<'_> {
    fn const_ident(&self) -> Ident {
        format_ident!("__ODM_{}", self.name.unraw().to_string().to_uppercase())
    }

    /// Returns the name of the type that identifies the relation.
    fn marker(&self) -> Ident {
        format_ident!("__OdmBy_{}", plain(self.name))
    }

    /// Generates the type that identifies the relation. Join results have this type as a parameter, so that the
    /// results of two relations cannot be confused.
    fn named(&self, record: &Record) -> TokenStream {
        let owner = record.ty();
        let (generics, bounds) = (record.impl_parameters(), record.where_bounds());
        let (marker, name) = (self.marker(), plain(self.name));
        quote! {
            #[allow(missing_docs, missing_debug_implementations, unreachable_pub, non_camel_case_types)]
            pub enum #marker {}
            #[automatically_derived]
            impl #generics __odm::Related<{ __odm::relation_name(#name) }> for #owner #bounds {
                type Relation = #marker;
            }
        }
    }

    fn constant(&self, record: &Record) -> TokenStream {
        let (name, value, marker) = (self.const_ident(), self.value(record), self.marker());
        let ty = around(
            &self.lead,
            &quote!(__odm::Relation < Self,),
            &quote!(, #marker >),
        );
        quote!(const #name: #ty = #value;)
    }

    fn value(&self, record: &Record) -> TokenStream {
        let Self {
            lead, keys, path, ..
        } = self;
        let title = format!("{}.{}", record.name(), plain(self.name));
        let (first, last) = ends(lead);
        let (sorted, filtered) = (self.sorted(), self.filtered());
        let marker = self.marker();
        let new = quote_spanned!(first=> __odm::Relation::<Self, #lead, #marker>::new);
        let arguments = quote!(#title, |__odm_owner, __odm_found| #keys, #path);
        let arguments = quote_spanned!(last=> (#arguments));
        quote!(#new #arguments #sorted #filtered)
    }

    fn sorted(&self) -> Option<TokenStream> {
        let keys = self.scope?.sort.iter().map(|SortKey { path, descending }| {
            let order = if *descending { "desc" } else { "asc" };
            let order = Ident::new(order, path.last_span());
            let field = handle(&self.target, &path.fields);
            quote!(#field.#order())
        });
        let sort = keys.reduce(|first, next| quote!(#first.then(#next)))?;
        Some(quote!(.sorted(|| #sort.into_document())))
    }

    fn filtered(&self) -> Option<TokenStream> {
        let filter = self.scope?.filter.as_ref()?;
        let target = &self.target;
        let filter = quote_spanned!(filter.span()=> __odm::relation_filter::<#target>(#filter));
        Some(quote!(.filtered(|| #filter)))
    }

    fn methods(&self, record: &Record) -> TokenStream {
        let Self {
            name,
            many,
            target,
            docs,
            ..
        } = self;
        let RelationDocs {
            load: load_doc,
            join: join_doc,
            ..
        } = docs;
        let (vis, load, join) = (&record.vis, prefixed("load", name), prefixed("join", name));
        let (builder, load_call, join_call) = if *many {
            (quote!(__odm::LoadMany<), "load_many", "join")
        } else {
            (quote!(__odm::LoadOne<), "load_one", "join_one")
        };
        let loaded = around(target, &builder, &quote!(>));
        let marker = self.marker();
        let joined = quote!(, #marker >);
        let joined = around(target, &quote!(__odm::Join < Self,), &joined);
        let load_call = self.call(record, load_call, &quote!(self, odm));
        let join_call = self.call(record, join_call, &quote!(owners, odm));
        let (target, bound) = (self.generic(), &self.bound);
        let generics = target.iter();
        let lifetime = quote!('a #(, #generics)*);
        let generics = target.iter();
        let count = many.then(|| self.count(record));
        let place = self.place();
        quote_spanned! {place=>
            #[doc = #load_doc]
            #[doc(alias = "populate")]
            #[track_caller]
            #vis fn #load #(<#generics>)* (&self, odm: &(impl __odm::Executor + ?::core::marker::Sized)) -> #loaded where #bound, {
                #load_call
            }
            #[doc = #join_doc]
            #[track_caller]
            #vis fn #join<#lifetime>(
                owners: impl ::core::iter::IntoIterator<Item = &'a Self>,
                odm: &(impl __odm::Executor + ?::core::marker::Sized),
            ) -> #joined where #bound, {
                #join_call
            }
            #count
        }
    }

    fn count(&self, record: &Record) -> TokenStream {
        let (vis, count, doc) = (&record.vis, prefixed("count", self.name), &self.docs.count);
        let call = self.call(record, "count", &quote!(self, odm));
        let (target, bound) = (self.generic(), &self.bound);
        let generics = target.iter();
        let place = self.place();
        let counted = around(&self.target, &quote!(__odm::CountRelated<), &quote!(>));
        quote_spanned! {place=>
            #[doc = #doc]
            #[track_caller]
            #vis fn #count #(<#generics>)* (&self, odm: &(impl __odm::Executor + ?::core::marker::Sized)) -> #counted where #bound, {
                #call
            }
        }
    }

    /// Returns the location of the relation's name, at which the compiler reports a method with a duplicate name.
    fn place(&self) -> Span {
        Span::call_site().located_at(self.name.span())
    }

    /// Returns the type parameter of a method for which the caller chooses the target.
    fn generic(&self) -> Option<TokenStream> {
        self.polymorphic
            .map(|_| quote!(__OdmTarget: __odm::Described))
    }

    /// Generates a call to a method of the relation. The tokens of the call have the span of the target, so that
    /// the compiler reports a wrong target there.
    fn call(&self, record: &Record, method: &str, arguments: &TokenStream) -> TokenStream {
        if self.polymorphic.is_some() {
            let (relation, method) = (self.value(record), format_ident!("{method}"));
            return quote!(#relation.#method(#arguments));
        }
        let (first, last) = ends(&self.target);
        let (mut relation, method) = (self.const_ident(), Ident::new(method, last));
        relation.set_span(last);
        let owner = quote_spanned!(first=> Self::);
        let arguments = quote_spanned!(last=> (#arguments));
        quote_spanned!(last=> #owner #relation.#method #arguments)
    }
}
