//! Computes properties of a struct, its fields and their attributes.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Path, Type};

use super::{
    Copy, Field, Index, IndexKind, Kind, Links, MaintainedKind, Model, ModelPath, Number, OnDelete,
    Record, Reference, ReferenceKind, Reverse, Role, Rule, SingleCollection, Via,
};
use crate::hygiene::{mentions, plain};

impl Record {
    pub(crate) fn name(&self) -> String {
        plain(&self.ident)
    }

    pub(crate) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }

    /// Returns whether the tokens contain a type parameter or const parameter of the struct.
    pub(crate) fn is_of_parameter(&self, tokens: &impl ToTokens) -> bool {
        let types = self.generics.type_params().map(|of| &of.ident);
        let values = self.generics.const_params().map(|of| &of.ident);
        types.chain(values).any(|name| mentions(tokens, name))
    }

    pub(crate) fn model(&self) -> Option<&Model> {
        match &self.role {
            Role::Model(model) => Some(model),
            Role::Embedded { .. } | Role::Projection(_) => None,
        }
    }

    pub(crate) fn kind(&self) -> Option<&Kind> {
        self.model()?.kind.as_ref()
    }

    /// Returns the field that stores the kind, if the struct declares such a field.
    pub(crate) fn field_of_kind(&self) -> Option<&Field> {
        let kind = self.kind()?;
        let mut fields = self.fields.iter().filter(|field| !field.flatten);
        fields.find(|field| field.stored == kind.field)
    }

    /// Returns the field that the library maintains in the given way.
    pub(crate) fn maintained_field(&self, kind: MaintainedKind) -> Option<&Field> {
        let is_of_kind = |field: &&Field| field.maintained.iter().any(|it| it.kind == kind);
        self.fields.iter().find(is_of_kind)
    }

    /// Returns whether deleted documents are marked or moved to an archive.
    pub(crate) fn keeps_deleted(&self) -> bool {
        let archive = self.model().and_then(|model| model.archive.as_ref());
        archive.is_some() || self.maintained_field(MaintainedKind::DeletedAt).is_some()
    }

    /// Returns whether serde rejects or collects the fields of a document that the struct does not declare.
    pub(crate) fn sees_undeclared_fields(&self) -> bool {
        self.strict || self.fields.iter().any(|field| field.flatten)
    }

    /// Returns all indexes that the struct and its fields declare.
    pub(crate) fn indexes(&self) -> impl Iterator<Item = &Index> {
        let of_fields = self.fields.iter().filter_map(|field| field.index.as_ref());
        let of_struct = self.model().map_or(&[][..], |model| &model.indexes);
        of_fields.chain(of_struct)
    }

    pub(crate) fn is_projection(&self) -> bool {
        matches!(self.role, Role::Projection(_))
    }

    /// Returns whether this derive emits the methods of the relations. If the struct has two derives, only `Projection`
    /// emits these methods.
    pub(crate) fn owns_relations(&self) -> bool {
        self.is_projection() || !self.also_projection
    }

    /// Returns the field that other documents use to refer to this struct, if the derive can determine that field.
    pub(crate) fn key_of(&self, reverse: &Reverse) -> Option<&Field> {
        match &reverse.key {
            Some(key) => self.field(key),
            None => self.id_field().filter(|_| self.is_projection()),
        }
    }

    /// Returns the field that contains the links, and its attribute.
    pub(crate) fn links(&self) -> Option<(&Field, &Links)> {
        let mut fields = self.fields.iter();
        fields.find_map(|field| Some((field, field.links.as_ref()?)))
    }

    pub(crate) fn id_field(&self) -> Option<&Field> {
        self.fields.iter().find(|field| field.is_id())
    }

    pub(crate) fn field(&self, name: &Ident) -> Option<&Field> {
        self.fields.iter().find(|field| field.name() == plain(name))
    }

    /// Returns the fields that are references to one model.
    pub(crate) fn references(&self) -> impl Iterator<Item = (&Field, &Reference)> {
        self.fields
            .iter()
            .filter_map(|field| Some((field, field.reference.as_ref()?)))
    }

    /// Returns the references that can connect a copy with its source. The result is the reference in `via`, or all
    /// single references.
    pub(crate) fn keys_of_copy<'r>(
        &'r self,
        copied: &'r Field,
        copy: &'r Copy,
    ) -> impl Iterator<Item = (&'r Field, &'r Reference)> {
        self.references().filter(move |(field, reference)| {
            let named = match &copy.via {
                Some(Via::Field(via)) => plain(via) == field.name(),
                Some(Via::Model(_)) => false,
                // A reference that is a copy itself is excluded, because it changes with its own source.
                None => field.copy.is_none(),
            };
            named && !reference.is_many() && field.ident != copied.ident
        })
    }

    /// Returns the fields that are arrays of references.
    pub(crate) fn arrays_of_keys(&self) -> impl Iterator<Item = &Field> {
        let many = self
            .references()
            .filter(|(_, reference)| reference.is_many());
        many.map(|(field, _)| field)
    }

    /// Returns the model in `from = "Model"`.
    pub(crate) fn from(&self) -> Option<&Path> {
        match &self.role {
            Role::Embedded { from } => from.as_ref(),
            Role::Model(_) | Role::Projection(_) => None,
        }
    }

    /// Returns the fields that are polymorphic references.
    pub(crate) fn polymorphic(&self) -> impl Iterator<Item = (&Field, &Reference)> {
        self.fields
            .iter()
            .filter_map(|field| Some((field, field.polymorphic.as_ref()?)))
    }

    /// Returns the polymorphic reference in an embedded struct, if the struct contains no other reference. An embedded
    /// struct that contains exactly one reference counts as a reference itself.
    pub(crate) fn inner_polymorphic(&self) -> Option<&Field> {
        if self.model().is_some() || self.references().next().is_some() {
            return None;
        }
        let mut fields = self.polymorphic();
        let (field, _) = fields.next().filter(|_| fields.next().is_none())?;
        Some(field)
    }

    /// Returns the reference in an embedded struct, if there is exactly one. An embedded struct that contains exactly
    /// one reference counts as a reference itself.
    pub(crate) fn inner_reference(&self) -> Option<(&Field, &Reference)> {
        if self.model().is_some() {
            return None;
        }
        let mut references = self.references();
        references.next().filter(|_| references.next().is_none())
    }
}

impl Field {
    /// Returns a field that does not have any attributes.
    pub(crate) const fn plain(
        ident: Ident,
        ty: Type,
        stored: String,
        named_by: TokenStream,
    ) -> Self {
        Self {
            ident,
            ty,
            stored,
            named_by,
            flatten: false,
            default: false,
            alias: None,
            left_out: None,
            unread: None,
            skips: None,
            codec: None,
            embed: None,
            reference: None,
            polymorphic: None,
            index: None,
            copy: None,
            recent: None,
            rollup: None,
            links: None,
            maintained: Vec::new(),
        }
    }

    /// Returns the field's reference, unless the field is a copy.
    pub(crate) fn key(&self) -> Option<&Reference> {
        self.reference.as_ref().filter(|_| self.copy.is_none())
    }

    /// Returns the field's reference, which may be polymorphic.
    pub(crate) fn any_reference(&self) -> Option<&Reference> {
        self.reference.as_ref().or(self.polymorphic.as_ref())
    }

    pub(crate) fn name(&self) -> String {
        plain(&self.ident)
    }

    /// Returns whether the field uses this codec of the library, such as `with::text`.
    pub(crate) fn uses_codec(&self, module: &str) -> bool {
        let codec = self.codec.as_ref();
        let above = codec.and_then(|codec| codec.text.strip_suffix(module));
        above.is_some_and(|above| above.is_empty() || above.ends_with("::"))
    }

    /// Returns whether a codec determines the stored form of the field (`with` or `serialize_with`).
    pub(crate) fn is_written_by_codec(&self) -> bool {
        let codec = self.codec.as_ref();
        codec.is_some_and(|codec| codec.serialize.is_some())
    }

    /// Returns whether a codec reads the field (`with` or `deserialize_with`). Serde then does not read a missing
    /// `Option` as `None`.
    pub(crate) fn is_read_by_codec(&self) -> bool {
        let codec = self.codec.as_ref();
        codec.is_some_and(|codec| codec.deserialize.is_some())
    }

    pub(crate) fn is_id(&self) -> bool {
        self.stored == "_id" && !self.flatten
    }

    /// Returns the names of all attributes that make the library write the field.
    pub(crate) fn derived_by(&self) -> Vec<&Ident> {
        let copy = self.copy.as_ref().map(|copy| &copy.attribute);
        let recent = self.recent.as_ref().map(|recent| &recent.attribute);
        let rollup = self.rollup.as_ref().map(|rollup| &rollup.attribute);
        let links = self.links.as_ref().map(|links| &links.attribute);
        let maintained = self.maintained.iter().map(|it| &it.attribute);
        [copy, recent, rollup, links]
            .into_iter()
            .flatten()
            .chain(maintained)
            .collect()
    }

    /// Returns the delete rule in `#[embed(on_delete = "..")]`.
    pub(crate) fn rule_of_embed(&self) -> Option<&Rule> {
        self.embed.as_ref()?.on_delete.as_ref()
    }

    /// Returns whether the field's type is a Rust reference. Serde cannot read such a value from a document.
    pub(crate) fn is_borrowed(&self) -> bool {
        matches!(self.ty, Type::Reference(_))
    }

    /// Returns the bound on the array, from the attribute that declares it.
    pub(crate) fn max(&self) -> Option<&Number> {
        let embedded = self.embed.as_ref().and_then(|embed| embed.max.as_ref());
        let referred = self.any_reference();
        let referred = referred.and_then(|reference| reference.max.as_ref());
        let linked = self.links.as_ref().and_then(|links| links.max.as_ref());
        embedded.or(referred).or(linked)
    }
}

impl SingleCollection {
    /// Returns the fields in `shared(..)`. The list does not include the id and the kind.
    pub(crate) fn shared(&self) -> impl Iterator<Item = &Field> {
        let own = 1 + usize::from(self.tag.is_some());
        self.record.fields.iter().skip(own)
    }
}

impl Reverse {
    /// Returns the name of the attribute, for error messages.
    pub(crate) fn title(&self) -> &'static str {
        if self.single { "has_one" } else { "has_many" }
    }
}

impl Reference {
    /// Returns the name of the relation, such as `parts` for the method `load_parts`.
    pub(crate) fn name<'r>(&'r self, field: &'r Field) -> &'r Ident {
        self.name.as_ref().unwrap_or(&field.ident)
    }

    pub(crate) fn is_many(&self) -> bool {
        self.kind == ReferenceKind::Many
    }

    /// Returns the tokens of `on_delete` if the option declares this rule.
    pub(crate) fn deletes_by(&self, policy: OnDelete) -> Option<&TokenStream> {
        written(self.on_delete.as_ref(), policy)
    }

    /// Returns the name of the attribute, for error messages.
    pub(crate) fn title(&self) -> &'static str {
        match self.kind {
            ReferenceKind::One => "#[refs(one)]",
            ReferenceKind::Many => "#[refs(many)]",
            ReferenceKind::Parent => "#[parent_ref]",
        }
    }
}

fn written(rule: Option<&Rule>, policy: OnDelete) -> Option<&TokenStream> {
    rule.filter(|rule| rule.policy == policy)
        .map(|rule| &rule.written)
}

impl Copy {
    /// Returns the tokens of `on_delete` if the option declares this rule.
    pub(crate) fn deletes_by(&self, policy: OnDelete) -> Option<&TokenStream> {
        written(self.on_delete.as_ref(), policy)
    }

    /// Returns the path of the reference if the source stores it.
    pub(crate) fn keys_in_source(&self) -> Option<&ModelPath> {
        match &self.via {
            Some(Via::Model(path)) => Some(path),
            Some(Via::Field(_)) | None => None,
        }
    }
}

impl Index {
    /// Returns the order or type of each key.
    pub(crate) fn kinds(&self) -> Vec<IndexKind> {
        if self.keys.is_empty() {
            return vec![self.kind];
        }
        self.keys.iter().map(|key| key.kind).collect()
    }
}
