//! Rule 3 for indexes: an index over an array has one entry per element.

use mongo_odm::{__tools::path::covers, IndexSpec};

use super::{
    found::{Found, figures},
    length::{Length, length_of},
};
use crate::{
    advise::{
        rule::Severity,
        seen::{Entries, SeenArray, SeenCollection},
        thresholds::Thresholds,
        words::count,
    },
    statements,
};

/// Reports indexes in which one document has at least `index_entries` entries (check A5).
pub(in crate::advise) fn index_entries(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    let mut found: Vec<(&SeenArray, Found)> = Vec::new();
    for index in &seen.indexes.indexes {
        let over = |array: &SeenArray| index.keys.keys().any(|key| covers(&array.path, key));
        let arrays = seen.arrays.iter().filter(|array| over(array));
        let arrays = arrays.filter_map(|array| Some((array, array.entries.as_ref()?)));
        let Some((array, entries)) = arrays.max_by_key(|(_, it)| it.most) else {
            continue;
        };
        // Arrays of references are skipped, because check R7 reports them.
        let is_said = found.iter().any(|(known, _)| known.path == array.path)
            || length_of(seen, array, t) == Length::ManyReferences;
        if entries.most >= t.index_entries && !is_said {
            found.push((array, many_entries(seen, array, entries, index)));
        }
    }
    found.into_iter().map(|(_, found)| found).collect()
}

fn many_entries(
    seen: &SeenCollection,
    array: &SeenArray,
    held: &Entries,
    index: &IndexSpec,
) -> Found {
    let subject = seen.at(&array.path);
    let (name, entries) = (&index.name, count(held.most));
    let key = index.keys.keys().cloned().collect::<Vec<_>>().join(", ");
    Found {
        severity: Severity::Warning,
        figures: figures([("entries", held.most), ("p99", held.p99)]),
        example: Some(held.id.clone()),
        evidence: format!(
            "the index `{name}` on {key} has {entries} entries for one document, 99 of 100 documents have up to {} ({})",
            count(held.p99),
            seen.sample()
        ),
        cost_now: format!(
            "an insert or a delete of that `{}` writes {entries} entries of `{name}`",
            subject.owner()
        ),
        change: match subject.shape.and_then(|it| it.reference.as_ref()) {
            Some(_) => subject.turned_round(),
            None => format!(
                "no index on `{key}` if no query searches for single elements; otherwise {}",
                subject.turned_round()
            ),
        },
        cost_after: "each document has one entry in the index".to_owned(),
        check: format!(
            "`{}.stats().indexSizes[\"{name}\"]` is smaller, because no document has {entries} entries",
            statements::collection(&seen.name)
        ),
        subject,
    }
}
