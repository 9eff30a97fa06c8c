//! Checks the links array of a model.

use crate::{
    error::Errors,
    ir::{Field, Links, LinksForm, Record},
};

/// Checks that only models that have a kind contain links, that each model contains at most one array of links, and
/// that the options of the array match its form.
pub(crate) fn links(record: &Record, errors: &mut Errors) {
    let all = record.fields.iter();
    let mut all = all.filter_map(|field| Some((field, field.links.as_ref()?)));
    let Some((field, links)) = all.next() else {
        return;
    };
    for (_, again) in all {
        let message = "a struct has one array of `links`; remove this attribute";
        errors.at(&again.attribute, message);
    }
    owner(record, links, errors);
    stored(field, links, errors);
    options(links, errors);
}

fn owner(record: &Record, links: &Links, errors: &mut Errors) {
    if record.model().is_none() {
        let message = "only documents have links, and this struct is inside of one; write `#[links]` in the model";
        errors.at(&links.attribute, message);
    } else if record.kind().is_none() {
        let message = "`links` refer to documents of several kinds in one collection, and this model has no kind; write \
                       `kind(doc_type = \"..\")` in `#[model(..)]`";
        errors.at(&links.attribute, message);
    }
}

fn stored(field: &Field, links: &Links, errors: &mut Errors) {
    if field.flatten {
        let message =
            "serde flattens this field, but links need a field of their own; remove `flatten`";
        errors.at(&links.attribute, message);
    }
    if let Some(codec) = &field.codec {
        let message = "links are stored in their own form; remove `with`";
        errors.at(&codec.written, message);
    }
    if let Some(reference) = field.any_reference() {
        let message = format!(
            "`links` refer to documents of all kinds, and `{}` to those of one; remove one of the two",
            reference.title()
        );
        errors.at(&reference.attribute, message);
    }
}

fn options(links: &Links, errors: &mut Errors) {
    if let Some(max) = links.max.as_ref().filter(|max| max.value == 0) {
        let message =
            "`max = 0` leaves no room for the link of a document to itself; write at least 1";
        errors.at(&max.written, message);
    }
    if let (Some(max), Some(_)) = (&links.max, &links.one_sided) {
        let message = "with `one_sided` the array has one link, to its own document; remove `max`";
        errors.at(&max.written, message);
    }
    of_form(links, errors);
}

/// Rejects options that have no effect in this form of links.
fn of_form(links: &Links, errors: &mut Errors) {
    let form = links.form.word();
    if links.form != LinksForm::Structs {
        for name in [&links.target, &links.kind].into_iter().flatten() {
            let message =
                format!("with `form = \"{form}\"` a link has no fields; remove this option");
            errors.at(name, message);
        }
    }
    match (&links.separator, &links.max) {
        (Some(separator), _) if links.form != LinksForm::Prefix => {
            let message =
                "`separator` is only for `form = \"prefix\"`; add this form, or remove `separator`";
            errors.at(separator, message);
        }
        (Some(separator), _) if separator.value().is_empty() => {
            errors.at(
                separator,
                "the separator is empty; write `separator = \"/\"`",
            );
        }
        (_, Some(max)) if links.form == LinksForm::Prefix && links.one_sided.is_none() => {
            let message = "a prefix contains the id of one parent; remove `max`";
            errors.at(&max.written, message);
        }
        _ => {}
    }
}
