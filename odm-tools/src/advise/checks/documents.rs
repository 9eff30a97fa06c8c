//! Rule 3, applied to the size of whole documents.

use mongodb::bson::doc;

use super::found::{Found, aggregation, figures};
use crate::advise::{
    rule::Severity,
    seen::{SeenArray, SeenCollection, SeenUnfit},
    subject::Subject,
    thresholds::Thresholds,
    words::{bytes, count, percent, share},
};

/// The server's maximum document size in bytes.
const LIMIT: u64 = 16 << 20;

/// Reports large documents (check D2).
pub(in crate::advise) fn large(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let largest = seen.sizes.largest;
    if largest <= t.large_document || largest > t.huge_document {
        return Vec::new();
    }
    by_size(seen, t, Severity::Warning)
}

/// Reports documents that are close to the server's size limit (check D3).
pub(in crate::advise) fn huge(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    if seen.sizes.largest <= t.huge_document {
        return Vec::new();
    }
    by_size(seen, t, Severity::Serious)
}

/// Reports the largest document and its largest field. If a long array is the cause, check A4 reports this array
/// instead.
fn by_size(seen: &SeenCollection, t: &Thresholds, severity: Severity) -> Vec<Found> {
    let largest = seen.sizes.largest;
    let most = |array: &SeenArray| {
        array
            .largest
            .as_ref()
            .is_some_and(|it| it.bytes > largest / 2)
    };
    let is_too_long = |array: &SeenArray| {
        let bytes = array.largest.as_ref().map_or(0, |it| it.bytes);
        bytes > t.array_bytes || array.longest > t.unbounded_array
    };
    if seen
        .arrays
        .iter()
        .any(|array| most(array) && is_too_long(array))
    {
        return Vec::new();
    }
    let part = seen.sizes.heaviest.as_ref();
    let subject = match part {
        Some((path, _)) => seen.at(path),
        None => seen.subject(),
    };
    let heaviest = part
        .map(|(path, bytes)| (path.as_str(), *bytes))
        .unwrap_or_default();
    let owner = subject.owner().to_owned();
    vec![Found {
        severity,
        figures: figures([
            ("largest", largest),
            ("median", seen.sizes.median),
            ("heaviest_field", heaviest.1),
        ]),
        example: seen.sizes.largest_id.clone(),
        evidence: format!(
            "the largest document has {} ({} of the server's limit of 16 MB), half of the documents have up to {}; \
            the field with {} of the largest is `{}` ({})",
            bytes(largest),
            share(largest, LIMIT),
            bytes(seen.sizes.median),
            bytes(heaviest.1),
            heaviest.0,
            seen.sample()
        ),
        cost_now: format!(
            "each read of that `{owner}` transfers {}, each write stores all of it again, and a write fails if the \
            document would exceed 16 MB",
            bytes(largest)
        ),
        change: if subject.shape.is_some_and(|shape| shape.array) {
            subject.turned_round()
        } else {
            format!(
                "another model for `{}` with `#[refs(one)]` at `{owner}` to it, or a projection of `{owner}` \
                without it for lists",
                heaviest.0
            )
        },
        cost_after: format!(
            "a read of the `{owner}` transfers {}",
            bytes(largest.saturating_sub(heaviest.1))
        ),
        check: format!(
            "{} shows less than {}",
            aggregation(
                &seen.name,
                vec![
                    doc! { "$sample": { "size": 1_000 } },
                    doc! { "$group": { "_id": null, "largest": { "$max": { "$bsonSize": "$$ROOT" } } } },
                ]
            ),
            bytes(t.large_document)
        ),
        subject,
    }]
}

/// Reports documents that cannot be decoded as their model (check C3).
pub(in crate::advise) fn undecodable(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let unfit = seen.unfit.iter();
    let unfit = unfit.filter(|it| percent(it.count, it.documents) > t.undecodable * 100.0);
    unfit.map(|it| does_not_decode(seen, it)).collect()
}

fn does_not_decode(seen: &SeenCollection, it: &SeenUnfit) -> Found {
    let subject = Subject::collection(&seen.name, &[it.model]);
    let subject = match it.path.as_str() {
        "" => subject,
        path => subject.at(path),
    };
    let (title, model) = (subject.title(), it.model.name);
    Found {
        severity: Severity::Serious,
        figures: figures([("documents", it.documents), ("undecodable", it.count)]),
        example: it.example.clone(),
        evidence: format!(
            "{} of {} documents of `{model}` ({}) do not decode at `{title}`: {} ({})",
            count(it.count),
            count(it.documents),
            share(it.count, it.documents),
            it.message,
            seen.sample()
        ),
        cost_now: format!(
            "every find, page and join of `{model}` fails with `Decode` if it reads one of them"
        ),
        change: if it.message.contains("missing field") {
            format!(
                "`Option<..>` or `#[serde(default)]` at the field of `{model}` that is missing in `{title}`, or an update that sets it"
            )
        } else {
            format!(
                "`Option<..>` at `{title}` for a null, an enum with `#[serde(untagged)]` for two types, or an \
                update of `{}` that converts `{}` to one type",
                seen.name,
                subject.path()
            )
        },
        cost_after: format!("all documents of `{}` can be read", seen.name),
        check: format!(
            "`odm check` of the operator's command, or `odm.advise()` again: all of `{model}` decode"
        ),
        subject,
    }
}
