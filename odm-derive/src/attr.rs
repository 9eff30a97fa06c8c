//! The grammar of the attributes.

mod case;
mod container;
mod derived;
mod field;
mod index;
mod item;
mod options;
mod path;
mod relation;
mod serde;
mod variant;

use syn::{Attribute, DeriveInput};

pub(crate) use container::role_alone;
pub(crate) use variant::polymorphic;

use crate::{error::Errors, ir::Record};

/// Which derive reads the struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Derive {
    Model,
    Embedded,
    Projection,
}

impl Derive {
    /// Returns the name of the trait.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Model => "Model",
            Self::Embedded => "Embedded",
            Self::Projection => "Projection",
        }
    }

    /// Returns the name of the attribute on the struct.
    pub(crate) const fn attribute(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Embedded => "embedded",
            Self::Projection => "projection",
        }
    }
}

/// Reads a struct with all its attributes; nothing if it is no struct that can have them.
pub(crate) fn record(derive: Derive, input: &DeriveInput, errors: &mut Errors) -> Option<Record> {
    let fields = container::fields(derive, input, errors)?;
    let serde = serde::container(derive, &input.attrs, errors);
    let (library, role) = container::role(derive, input, errors);
    let all = fields.named.len();
    let fields: Vec<_> = fields
        .named
        .iter()
        .filter_map(|field| field::field(derive, &input.ident, field, &serde, errors))
        .collect();
    Some(Record {
        ident: input.ident.clone(),
        vis: input.vis.clone(),
        library,
        role,
        strict: serde.deny_unknown_fields,
        also_projection: input
            .attrs
            .iter()
            .any(|attr| attr.path().is_ident("projection")),
        whole: fields.len() == all,
        fields,
    })
}

/// Returns the attribute of a name; a second one is reported.
fn single<'a>(attrs: &'a [Attribute], name: &str, errors: &mut Errors) -> Option<&'a Attribute> {
    let mut found = attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident(name));
    let first = found.next();
    for again in found {
        let remedy = match name {
            "index" => "declare the second index with `index(keys(..))` in `#[model(..)]`",
            _ => "put all options into one of them",
        };
        errors.at(again, format!("`#[{name}]` is given twice; {remedy}"));
    }
    first
}
