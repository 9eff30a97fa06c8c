//! Rule 3: arrays should not grow without bound.
//!
//! Source: "6 Rules of Thumb", rule 3. Do not embed more than a couple of hundred documents of the "many" side. Do
//! not store more than a couple of thousand references in an array.

use mongo_odm::{__tools::path::covers, IndexSpec};
use mongodb::bson::doc;

use super::{
    found::{Found, aggregation, figures},
    length::{Length, length_of},
};
use crate::advise::{
    rule::Severity,
    seen::{LargestArray, SeenArray, SeenCollection},
    subject::Subject,
    thresholds::Thresholds,
    words::{bytes, count, roomy, share},
};

/// Calls a check once for each array in a collection, with the array and its length class.
fn each(
    seen: &SeenCollection,
    t: &Thresholds,
    make: impl Fn(&SeenArray, Subject, Length) -> Option<Found>,
) -> Vec<Found> {
    let arrays = seen.arrays.iter();
    let found = arrays.filter_map(|array| {
        let length = length_of(seen, array, t);
        make(array, seen.at(&array.path), length)
    });
    found.collect()
}

/// Returns the evidence text about the lengths of an array in the sample.
fn lengths(seen: &SeenCollection, array: &SeenArray) -> String {
    let held = array.bytes.map(|it| format!(" with {}", bytes(it)));
    format!(
        "99 of 100 arrays in `{}` have up to {} elements, the longest {}{} ({})",
        seen.at(&array.path).title(),
        count(array.p99),
        count(array.longest),
        held.unwrap_or_default(),
        seen.sample()
    )
}

/// Returns a mongosh statement that shows the longest arrays in a sample. Its result shows whether all arrays are
/// shorter than `below`.
fn look(seen: &SeenCollection, array: &SeenArray, below: u64) -> String {
    let path = &array.path;
    if seen
        .field(path)
        .is_some_and(|field| field.stored.arrays_above > 0)
    {
        return format!(
            "`odm.advise()` again: the longest `{path}` of `{}` is below {}",
            seen.name,
            count(below)
        );
    }
    let length =
        doc! { "$size": { "$cond": [{ "$isArray": format!("${path}") }, format!("${path}"), []] } };
    let stages = vec![
        doc! { "$sample": { "size": 1_000 } },
        doc! { "$project": { "length": length } },
        doc! { "$sort": { "length": -1 } },
        doc! { "$limit": 5 },
    ];
    format!(
        "{} shows less than {}",
        aggregation(&seen.name, stages),
        count(below)
    )
}

/// Returns the text about the cost of reading and writing a document that contains the array.
fn price(seen: &SeenCollection, array: &SeenArray, subject: &Subject) -> String {
    let whole = array.bytes.map_or_else(
        || format!("up to {} elements", count(array.longest)),
        |it| format!("up to {} elements ({})", count(array.longest), bytes(it)),
    );
    format!(
        "each read of `{}` transfers {whole}, unless a projection omits `{}`, and each write of it stores the whole \
        document of `{}` again",
        subject.owner(),
        array.path,
        seen.name
    )
}

/// Reports arrays that are close to their `max` (check A1).
pub(in crate::advise) fn near_bound(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    each(seen, t, |array, subject, length| {
        let Length::NearBound(max) = length else {
            return None;
        };
        let left = max.saturating_sub(array.longest);
        let title = subject.title();
        Some(Found {
            severity: if left == 0 {
                Severity::Serious
            } else {
                Severity::Warning
            },
            figures: figures([("longest", array.longest), ("max", max), ("p99", array.p99)]),
            example: Some(array.longest_id.clone()),
            evidence: format!(
                "{} of {} elements that `max` permits ({}), space for {}; {}",
                count(array.longest),
                count(max),
                share(array.longest, max),
                count(left),
                lengths(seen, array)
            ),
            cost_now: format!(
                "a write of element {} in `{title}` fails with `BoundExceeded`",
                count(max + 1)
            ),
            change: format!(
                "{} if the growth ends soon; otherwise {}",
                subject.bounded(roomy(array.longest)),
                subject.turned_round()
            ),
            cost_after: format!(
                "space for {} elements in each `{}`, or one small document for each element and one indexed `find` \
                to read them",
                count(roomy(array.longest)),
                subject.owner()
            ),
            check: look(seen, array, roomy(array.longest)),
            subject,
        })
    })
}

/// Reports arrays without `max` that are long in at least 1 % of the documents, or that grow with the age of their
/// documents (check A2).
pub(in crate::advise) fn without_bound(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    each(seen, t, |array, subject, length| {
        let growing = match length {
            Length::Growing(growing) => Some(growing),
            Length::Long => None,
            _ => return None,
        };
        let (max, title) = (roomy(array.longest), subject.title());
        let mut found = Found {
            severity: Severity::Note,
            change: format!(
                "{}, or if the growth continues: {}",
                subject.bounded(max),
                subject.turned_round()
            ),
            ..unbounded(seen, array, subject, max)
        };
        if let Some(growing) = growing {
            found.evidence = growing.evidence(&title, t);
            found.figures.extend(figures(growing.figures()));
        }
        Some(found)
    })
}

/// Reports arrays without `max` that have more than `very_long_array` elements (check A3).
pub(in crate::advise) fn very_long(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    each(seen, t, |array, subject, length| {
        (length == Length::VeryLong).then(|| Found {
            severity: Severity::Warning,
            ..unbounded(seen, array, subject, t.very_long_array)
        })
    })
}

/// Reports arrays that have more than `unbounded_array` elements or `array_bytes` bytes (check A4).
pub(in crate::advise) fn without_end(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    each(seen, t, |array, subject, length| {
        let found = (length == Length::Unbounded).then(|| Found {
            severity: Severity::Serious,
            ..unbounded(seen, array, subject, t.long_array)
        })?;
        let largest = array.largest.as_ref();
        let by_bytes = largest.filter(|_| array.longest <= t.unbounded_array);
        Some(match by_bytes {
            Some(largest) => of_bytes((seen, array), largest, found, t),
            None => found,
        })
    })
}

/// Changes a finding of check A4 so that it reports bytes instead of elements. Bytes are reported for arrays that have
/// few but large elements.
fn of_bytes(
    (seen, array): (&SeenCollection, &SeenArray),
    largest: &LargestArray,
    found: Found,
    t: &Thresholds,
) -> Found {
    let (path, elements) = (&array.path, count(largest.elements));
    let whole = SeenArray {
        longest: largest.elements,
        bytes: Some(largest.bytes),
        ..array.clone()
    };
    Found {
        figures: figures([
            ("longest", array.longest),
            ("p99", array.p99),
            ("elements", largest.elements),
            ("bytes", largest.bytes),
        ]),
        example: Some(largest.id.clone()),
        evidence: format!(
            "the largest array in `{}` has {} in {elements} elements; 99 of 100 have up to {} elements ({})",
            found.subject.title(),
            bytes(largest.bytes),
            count(array.p99),
            seen.sample()
        ),
        cost_now: price(seen, &whole, &found.subject),
        cost_after: format!(
            "a write of one element stores only that element; the {elements} elements of the largest `{path}` are \
            read with one indexed `find`, or in pages"
        ),
        check: format!(
            "`odm.advise()` again: the largest `{path}` of `{}` is below {}",
            seen.name,
            bytes(t.array_bytes)
        ),
        ..found
    }
}

/// Reports long arrays of references to children that also refer to their parent (check R7).
pub(in crate::advise) fn two_way_array(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    each(seen, t, |array, subject, length| {
        (length == Length::ManyReferences).then(|| {
            let mut found = Found {
                severity: Severity::Warning,
                ..unbounded(seen, array, subject, t.long_array)
            };
            let mut indexes = seen.indexes.indexes.iter();
            let over = |index: &&IndexSpec| index.keys.keys().any(|key| covers(&array.path, key));
            if let Some(index) = indexes.find(over) {
                found.cost_now = format!(
                    "{}; the index `{}` has an entry for each of {}",
                    found.cost_now,
                    index.name,
                    count(array.longest)
                );
            }
            found
        })
    })
}

/// Builds the parts that all findings about arrays without `max` have in common. The findings recommend storing the
/// elements of these arrays as separate documents.
fn unbounded(seen: &SeenCollection, array: &SeenArray, subject: Subject, below: u64) -> Found {
    let bytes = array.bytes.unwrap_or_default();
    Found {
        severity: Severity::Note,
        figures: figures([
            ("longest", array.longest),
            ("p99", array.p99),
            ("bytes", bytes),
        ]),
        example: Some(array.longest_id.clone()),
        evidence: lengths(seen, array),
        cost_now: price(seen, array, &subject),
        change: subject.turned_round(),
        cost_after: format!(
            "a write of one element stores only that element; the {} elements of the longest `{}` are read with one \
            indexed `find`, or in pages",
            count(array.longest),
            array.path
        ),
        check: look(seen, array, below),
        subject,
    }
}

/// Reports arrays that are many times longer than the other arrays at the same path (check A6).
pub(in crate::advise) fn outlier(seen: &SeenCollection, t: &Thresholds) -> Vec<Found> {
    each(seen, t, |array, subject, length| {
        (length == Length::Outlier).then(|| {
            let keep = roomy(array.p95);
            Found {
                severity: Severity::Warning,
                figures: figures([
                    ("longest", array.longest),
                    ("p95", array.p95),
                    ("p99", array.p99),
                ]),
                evidence: format!(
                    "95 of 100 arrays in `{}` have up to {} elements, and the longest {} ({})",
                    subject.title(),
                    count(array.p95),
                    count(array.longest),
                    seen.sample()
                ),
                change: format!(
                    "{} for most documents, and for the few with more elements: {}",
                    subject.bounded(keep),
                    subject.turned_round()
                ),
                ..unbounded(seen, array, subject, keep)
            }
        })
    })
}
