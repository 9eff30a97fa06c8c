//! Reads `#[recent(..)]` and `#[rollup(..)]`, which declare lists and summaries that the library
//! writes.

use proc_macro2::TokenStream;
use syn::{Attribute, Path};

use super::options::{Options, single};
use crate::{
    error::Errors,
    hygiene::plain,
    ir::{FieldPath, Recent, Rollup, RollupKind},
};

/// The remedy for a missing `via`.
const VIA: &str = "write `via = \"parent\"`, the field of a child that refers to this model";

pub(crate) fn recent(attrs: &[Attribute], errors: &mut Errors) -> Option<Recent> {
    let attribute = single(attrs, "recent", errors)?;
    let mut options = Options::read(attribute, errors);
    let of = options.path("of", "\"Child\"");
    let via = options.field_path("via", "\"parent\"");
    let example = if options.is_negative("sort") {
        "\"time\", desc"
    } else {
        "\"time\""
    };
    let sort = options.field_path("sort", example);
    let limit = options.number("limit");
    let descending = options.word("desc").is_some();
    let filter = options.path("filter", "\"function\"");
    let remedy = "write `of = \"Child\"`, the model of the documents in the list";
    options.require("of", of.as_ref(), remedy);
    options.require("via", via.as_ref(), VIA);
    let remedy = "write `sort = \"time\"`, the field of a child that orders the list";
    options.require("sort", sort.as_ref(), remedy);
    let remedy = "write `limit = 1000`, the largest length of the list";
    options.require("limit", limit.as_ref(), remedy);
    let attribute = options.attribute().clone();
    let via = of_child("via", via, of.as_ref(), options.errors);
    let sort = of_child("sort", sort, of.as_ref(), options.errors);
    options.finish();
    Some(Recent {
        attribute,
        of: of?,
        via: via?,
        sort: sort?,
        limit: limit?,
        descending,
        filter,
    })
}

/// Rejects a path that starts with the model in `of`, because the path must start with a field of that model.
fn of_child(
    name: &str,
    path: Option<FieldPath>,
    of: Option<&Path>,
    errors: &mut Errors,
) -> Option<FieldPath> {
    let path = path?;
    let model = of.and_then(|of| of.segments.last()).map(|last| &last.ident);
    if let [first, fields @ ..] = &path.fields[..]
        && Some(first) == model
    {
        let rest = fields.iter().map(plain).collect::<Vec<_>>().join(".");
        let remedy = if rest.is_empty() {
            format!("write `{name} = \"field\"`")
        } else {
            format!("write `{name} = \"{rest}\"`")
        };
        let message = format!("`{name}` already starts in `{first}`, because of `of`; {remedy}");
        errors.at(&path, message);
        // The derive continues with the corrected path, so that the mistake does not cause a second
        // error.
        let fields = fields.to_vec();
        return (!fields.is_empty()).then_some(FieldPath { fields });
    }
    Some(path)
}

pub(crate) fn rollup(attrs: &[Attribute], errors: &mut Errors) -> Option<Rollup> {
    let attribute = single(attrs, "rollup", errors)?;
    let mut options = Options::read(attribute, errors);
    let kind = rollup_kind(&mut options);
    let of = options.path("of", "\"Child\"");
    let via = options.field_path("via", "\"parent\"");
    let field = options.field_path("field", "\"amount\"");
    let filter = options.path("filter", "\"function\"");
    let remedy = "write `of = \"Child\"`, the model of the children";
    options.require("of", of.as_ref(), remedy);
    options.require("via", via.as_ref(), VIA);
    let attribute = options.attribute().clone();
    let via = of_child("via", via, of.as_ref(), options.errors);
    let field = of_child("field", field, of.as_ref(), options.errors);
    options.finish();
    Some(Rollup {
        attribute,
        kind: kind?,
        of: of?,
        via: via?,
        field,
        filter,
    })
}

fn rollup_kind(options: &mut Options<'_>) -> Option<RollupKind> {
    let kinds: Vec<(RollupKind, TokenStream)> = RollupKind::ALL
        .into_iter()
        .filter_map(|kind| Some((kind, options.word(kind.word())?)))
        .collect();
    for (_, again) in kinds.iter().skip(1) {
        let message = "`rollup` computes one value; move the second one to a field of its own";
        options.errors.at(again, message);
    }
    if kinds.is_empty() {
        let words = RollupKind::ALL.map(RollupKind::word);
        options.missing(&words, "write `#[rollup(count, ..)]`");
    }
    match &kinds[..] {
        [(kind, _)] => Some(*kind),
        _ => None,
    }
}
