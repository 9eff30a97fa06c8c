//! Questions on what the user said.

use std::fmt;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

use super::{
    Copy, Field, FieldPath, HasMany, Index, IndexKind, Model, ModelPath, Record, Reference,
    ReferenceKind, Role, RollupKind, Via,
};
use crate::hygiene::plain;

impl Record {
    pub(crate) fn name(&self) -> String {
        plain(&self.ident)
    }

    pub(crate) fn model(&self) -> Option<&Model> {
        match &self.role {
            Role::Model(model) => Some(model),
            Role::Embedded | Role::Projection(_) => None,
        }
    }

    pub(crate) fn is_projection(&self) -> bool {
        matches!(self.role, Role::Projection(_))
    }

    /// Returns whether this derive emits what a second derive on the struct would emit too.
    pub(crate) fn owns_relations(&self) -> bool {
        self.is_projection() || !self.also_projection
    }

    pub(crate) fn has_many(&self) -> &[HasMany] {
        self.model().map_or(&[], |model| &model.has_many)
    }

    pub(crate) fn id_field(&self) -> Option<&Field> {
        self.fields.iter().find(|field| field.is_id())
    }

    pub(crate) fn field(&self, name: &Ident) -> Option<&Field> {
        self.fields.iter().find(|field| field.name() == plain(name))
    }

    /// Lists the fields that refer to other documents.
    pub(crate) fn references(&self) -> impl Iterator<Item = (&Field, &Reference)> {
        self.fields
            .iter()
            .filter_map(|field| Some((field, field.reference.as_ref()?)))
    }

    /// Returns the only reference of a struct inside documents: the struct stands for its key.
    pub(crate) fn inner_reference(&self) -> Option<(&Field, &Reference)> {
        if self.model().is_some() {
            return None;
        }
        let mut references = self.references();
        references.next().filter(|_| references.next().is_none())
    }
}

impl Field {
    pub(crate) fn name(&self) -> String {
        plain(&self.ident)
    }

    pub(crate) fn is_id(&self) -> bool {
        self.stored == "_id" && !self.flatten
    }

    /// Lists the attributes that make the library write the field, as the user wrote them.
    pub(crate) fn derived_by(&self) -> Vec<&Ident> {
        let copy = self.copy.as_ref().map(|copy| &copy.attribute);
        let recent = self.recent.as_ref().map(|recent| &recent.attribute);
        let rollup = self.rollup.as_ref().map(|rollup| &rollup.attribute);
        [copy, recent, rollup, self.links.as_ref()]
            .into_iter()
            .flatten()
            .collect()
    }

    /// Returns the bound of the array, of whichever attribute gives it.
    pub(crate) fn max(&self) -> Option<&super::Number> {
        let embedded = self.embed.as_ref().and_then(|embed| embed.max.as_ref());
        let referred = self
            .reference
            .as_ref()
            .and_then(|reference| reference.max.as_ref());
        embedded.or(referred)
    }
}

impl Reference {
    pub(crate) fn is_many(&self) -> bool {
        self.kind == ReferenceKind::Many
    }

    /// Returns the attribute as the user wrote it, for messages.
    pub(crate) fn title(&self) -> &'static str {
        match self.kind {
            ReferenceKind::One => "#[refs(one)]",
            ReferenceKind::Many => "#[refs(many)]",
            ReferenceKind::Parent => "#[parent_ref]",
        }
    }
}

impl Copy {
    /// Returns the reference when the source stores it.
    pub(crate) fn keys_in_source(&self) -> Option<&ModelPath> {
        match &self.via {
            Some(Via::Model(path)) => Some(path),
            Some(Via::Field(_)) | None => None,
        }
    }
}

impl Index {
    /// Lists the kinds of all keys.
    pub(crate) fn kinds(&self) -> Vec<IndexKind> {
        if self.keys.is_empty() {
            return vec![self.kind];
        }
        self.keys.iter().map(|key| key.kind).collect()
    }
}

impl RollupKind {
    pub(crate) const ALL: [(&'static str, Self); 5] = [
        ("count", Self::Count),
        ("sum", Self::Sum),
        ("average", Self::Average),
        ("min", Self::Min),
        ("max", Self::Max),
    ];

    /// Returns the option that names the kind.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Average => "average",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

impl ModelPath {
    /// Returns the place of the last segment.
    pub(crate) fn last_span(&self) -> Span {
        self.fields
            .last()
            .map_or_else(|| self.model.span(), Ident::span)
    }
}

impl ToTokens for ModelPath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { model, fields } = self;
        tokens.extend(quote!(#model #(.#fields)*));
    }
}

impl fmt::Display for ModelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = &self.model;
        f.write_str(&quote!(#model).to_string().replace(' ', ""))?;
        self.fields
            .iter()
            .try_for_each(|field| write!(f, ".{}", plain(field)))
    }
}

impl FieldPath {
    /// Returns the place of the last segment.
    pub(crate) fn last_span(&self) -> Span {
        self.fields.last().map_or_else(Span::call_site, Ident::span)
    }
}

impl ToTokens for FieldPath {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let fields = &self.fields;
        tokens.extend(quote!(#(#fields).*));
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.fields.iter().map(plain).collect();
        f.write_str(&names.join("."))
    }
}

impl fmt::Display for Via {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => f.write_str(&plain(field)),
            Self::Model(path) => path.fmt(f),
        }
    }
}
