//! Reads the attributes of fields that the library maintains in every write, such as `#[created_at]`.

use proc_macro2::Ident;
use syn::{Attribute, Meta};

use super::options::single;
use crate::{
    did_you_mean::did_you_mean,
    error::Errors,
    hygiene::plain,
    ir::{Field, Maintained, MaintainedKind},
};

pub(crate) fn maintained(attrs: &[Attribute], errors: &mut Errors) -> Vec<Maintained> {
    let kinds = MaintainedKind::NAMED.iter();
    let found = kinds.filter_map(|(name, kind)| {
        let attribute = single(attrs, name, errors)?;
        without_options(attribute, errors);
        let attribute = attribute.path().get_ident()?.clone();
        let kind = *kind;
        Some(Maintained { attribute, kind })
    });
    found.collect()
}

/// Marks the field that the option `tenant` of `#[model(..)]` specifies. The library sets this field in every new
/// document.
pub(crate) fn tenant(name: &Ident, fields: &mut [Field], errors: &mut Errors) {
    let wanted = plain(name);
    if let Some(field) = fields
        .iter_mut()
        .find(|field| plain(&field.ident) == wanted)
    {
        field.maintained.push(Maintained {
            attribute: Ident::new("tenant", name.span()),
            kind: MaintainedKind::Tenant,
        });
        return;
    }
    let names: Vec<String> = fields.iter().map(|field| plain(&field.ident)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let remedy = did_you_mean(&wanted, &names)
        .unwrap_or_else(|| format!("add a field such as `{wanted}: Id<Org>`"));
    errors.at(
        name,
        format!("the struct has no field `{wanted}`; {remedy}"),
    );
}

fn without_options(attribute: &Attribute, errors: &mut Errors) {
    if matches!(attribute.meta, Meta::Path(_)) {
        return;
    }
    let name = attribute.path().get_ident().map(plain).unwrap_or_default();
    errors.at(
        &attribute.meta,
        format!("`{name}` has no options; write `#[{name}]`"),
    );
}
