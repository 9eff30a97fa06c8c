//! Computes the lengths and sizes of arrays, and the numbers of elements per document.

use mongo_odm::__tools::size_of;
use mongodb::bson::{Bson, Document, RawDocumentBuf};

use super::growth;
use crate::{
    advise::seen::{Entries, LargestArray, SeenArray},
    survey::{CollectionSurvey, Lengths, PathStep, PathSurvey},
};

/// Smallest number of documents from which the advisor concludes that arrays of equal length have a fixed length.
const SAME: u64 = 100;

/// Lists the arrays in a sample. Sends nothing.
pub(super) fn of(found: &CollectionSurvey) -> Vec<SeenArray> {
    let growth = growth::of(found);
    let arrays = found.paths.iter().filter(|it| !it.path.ends_with("[]"));
    let arrays = arrays.filter_map(|it| {
        let lengths = it.lengths.as_ref()?;
        let held = Held::of(&found.sample, &it.steps);
        Some(SeenArray {
            path: it.path.replace("[]", ""),
            p95: lengths.p95,
            p99: lengths.p99,
            longest: lengths.max,
            longest_id: lengths.longest.clone(),
            bytes: held.longest.and_then(bytes_of),
            largest: held.largest.and_then(|(items, id)| {
                Some(LargestArray {
                    bytes: bytes_of(items)?,
                    elements: items.len() as u64,
                    id: id.clone(),
                })
            }),
            entries: entries(held.entries),
            is_fixed: is_fixed(it, lengths),
            growth: growth.get(&it.path).copied(),
        })
    });
    arrays.collect()
}

/// Whether all arrays have the same length, as vectors do.
fn is_fixed(path: &PathSurvey, lengths: &Lengths) -> bool {
    lengths.min == lengths.max && path.documents >= SAME
}

/// The arrays at one path.
#[derive(Default)]
struct Held<'d> {
    longest: Option<&'d [Bson]>,
    /// The array with the most bytes, and the `_id` of its document.
    largest: Option<(&'d [Bson], &'d Bson)>,
    /// For each document, the number of elements in all its arrays at the path, and the document's `_id`.
    entries: Vec<(u64, &'d Bson)>,
}

impl<'d> Held<'d> {
    fn of(sample: &'d [Document], steps: &[PathStep]) -> Self {
        let (mut held, mut most) = (Self::default(), 0);
        for document in sample {
            let id = document.get("_id").unwrap_or(&Bson::Null);
            let mut entries = 0;
            each(document, steps, &mut |items| {
                entries += items.len() as u64;
                if held.longest.is_none_or(|known| known.len() < items.len()) {
                    held.longest = Some(items);
                }
                let bytes: usize = items.iter().map(size_of).sum();
                if held.largest.is_none() || most < bytes {
                    (held.largest, most) = (Some((items, id)), bytes);
                }
            });
            held.entries.push((entries, id));
        }
        held
    }
}

fn each<'d>(document: &'d Document, steps: &[PathStep], found: &mut dyn FnMut(&'d [Bson])) {
    if let Some((PathStep::Field(name), rest)) = steps.split_first()
        && let Some(value) = document.get(name)
    {
        each_below(value, rest, found);
    }
}

fn each_below<'d>(value: &'d Bson, steps: &[PathStep], found: &mut dyn FnMut(&'d [Bson])) {
    match (value, steps.split_first()) {
        (Bson::Array(items), None) => found(items),
        (Bson::Array(items), Some((PathStep::Each, rest))) => {
            for item in items {
                each_below(item, rest, found);
            }
        }
        (Bson::Document(inner), Some(_)) => each(inner, steps, found),
        _ => {}
    }
}

/// Returns the stored size of an array in bytes.
fn bytes_of(items: &[Bson]) -> Option<u64> {
    /// The number of bytes that a document adds to the size of its only array, if the array's name is empty.
    const AROUND: u64 = 7;
    let mut alone = Document::new();
    alone.insert("", items.to_vec());
    let raw = RawDocumentBuf::try_from(&alone).ok()?;
    Some((raw.as_bytes().len() as u64).saturating_sub(AROUND))
}

/// Returns the maximum and the 99th percentile of the numbers of elements per document, counted over all arrays at a
/// path. Returns `None` if no array was found, for example because the path contains field names that are values.
fn entries(mut of_documents: Vec<(u64, &Bson)>) -> Option<Entries> {
    of_documents.sort_by_key(|(entries, _)| *entries);
    let (most, id) = of_documents.last().filter(|(most, _)| *most > 0)?;
    let rank = (of_documents.len() * 99).div_ceil(100);
    let (p99, _) = of_documents.get(rank.saturating_sub(1))?;
    Some(Entries {
        most: *most,
        p99: *p99,
        id: (*id).clone(),
    })
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    #[test]
    fn arrays_in_arrays_are_counted_together_and_the_largest_is_not_the_longest() {
        let text = "x".repeat(100);
        let sample = vec![
            doc! { "_id": 1, "groups": [{ "names": [1, 2, 3] }, { "names": [4] }, { "other": 1 }] },
            doc! { "_id": 2, "groups": [{ "names": [&text] }] },
        ];
        let paths = crate::survey::fields(&sample);
        let arrays = of(&CollectionSurvey {
            paths,
            sample,
            ..CollectionSurvey::default()
        });
        let [groups, names] = arrays.as_slice() else {
            panic!("not two arrays: {arrays:?}");
        };
        assert_eq!(names.path, "groups.names");
        let entries = |array: &SeenArray| array.entries.as_ref().map(|it| (it.most, it.id.clone()));
        assert_eq!(entries(groups), Some((3, Bson::Int32(1))));
        assert_eq!(entries(names), Some((4, Bson::Int32(1))));
        // The array has a length (4 bytes) and an end (1 byte). Each element has a type (1 byte), a position (2) and a
        // number (4).
        assert_eq!((names.longest, names.bytes), (3, Some(5 + 3 * 7)));
        let largest = names.largest.as_ref().unwrap();
        assert_eq!((largest.elements, &largest.id), (1, &Bson::Int32(2)));
        assert_eq!(largest.bytes, 5 + 3 + 4 + 101);
    }
}
