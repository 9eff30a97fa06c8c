//! `#[recent(..)]` and `#[rollup(..)]`: lists and summaries that the library keeps.

use proc_macro2::TokenStream;
use syn::Attribute;

use super::options::{Options, single};
use crate::{
    error::Errors,
    ir::{Recent, Rollup, RollupKind},
};

pub(crate) fn recent(attrs: &[Attribute], errors: &mut Errors) -> Option<Recent> {
    let attribute = single(attrs, "recent", errors)?;
    let mut options = Options::read(attribute, errors);
    let of = options.path("of", "\"Child\"");
    let via = options.field_path("via", "\"parent\"");
    let sort = options.field_path("sort", "\"time\"");
    let limit = options.number("limit");
    let descending = options.word("desc").is_some();
    let filter = options.path("filter", "\"function\"");
    for (absent, names, remedy) in [
        (
            of.is_none(),
            &["of"][..],
            "write `of = \"Child\"`, the model of the documents in the list",
        ),
        (
            via.is_none(),
            &["via"][..],
            "write `via = \"parent\"`, the field of a child that leads here",
        ),
        (
            sort.is_none(),
            &["sort"][..],
            "write `sort = \"time\"`, the field of a child that orders the list",
        ),
        (
            limit.is_none(),
            &["limit"][..],
            "write `limit = 1000`, the length at which old entries leave",
        ),
    ] {
        if absent {
            options.missing(names, remedy);
        }
    }
    let attribute = options.attribute().clone();
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

pub(crate) fn rollup(attrs: &[Attribute], errors: &mut Errors) -> Option<Rollup> {
    let attribute = single(attrs, "rollup", errors)?;
    let mut options = Options::read(attribute, errors);
    let kind = rollup_kind(&mut options);
    let of = options.path("of", "\"Child\"");
    let via = options.field_path("via", "\"parent\"");
    let field = options.field_path("field", "\"amount\"");
    let filter = options.path("filter", "\"function\"");
    for (absent, names, remedy) in [
        (
            of.is_none(),
            &["of"][..],
            "write `of = \"Child\"`, the model of the documents that are summed up",
        ),
        (
            via.is_none(),
            &["via"][..],
            "write `via = \"parent\"`, the field of a child that leads here",
        ),
    ] {
        if absent {
            options.missing(names, remedy);
        }
    }
    let attribute = options.attribute().clone();
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
        .filter_map(|(name, kind)| Some((kind, options.word(name)?)))
        .collect();
    for (_, again) in kinds.iter().skip(1) {
        let message = "`rollup` computes one thing; give the second one a field of its own";
        options.errors.at(again, message);
    }
    if kinds.is_empty() {
        options.missing(
            &["count", "sum", "average", "min", "max"],
            "write `#[rollup(count, ..)]`",
        );
    }
    match &kinds[..] {
        [(kind, _)] => Some(*kind),
        _ => None,
    }
}
