//! Reads the attributes of fields that the library maintains in every write, such as `#[created_at]`.

use syn::{Attribute, Meta};

use super::options::single;
use crate::{
    error::Errors,
    hygiene::plain,
    ir::{Maintained, MaintainedKind},
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
