//! Finds copies: fields next to a reference that have the same values as a field of the target document.
//!
//! The values are looked up in the target collection. The sampled pairs of key and value are then compared with the
//! found documents.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
};

use mongo_odm::{
    __tools::{
        Reads, any_of,
        path::{each_raw_value, each_value},
    },
    JoinKey, Result,
};
use mongodb::bson::{Bson, Document, doc};

use super::{
    read::excused,
    report::{CopySurvey, PathStep, PathSurvey, ReferenceSurvey, Survey},
};
use crate::{statements::all, statements::simple_collation};

/// Percentage of values that must equal the source field for a field to count as a copy. The remaining values may be
/// stale copies.
pub(crate) const EQUAL: u64 = 98;

/// Largest number of distinct values that are looked up.
const VALUES: usize = 300;

/// Distinct values, each with the keys that were found next to the value.
type Pairs = BTreeMap<JoinKey, HashSet<JoinKey>>;

/// Moves copies from the list of references to the list of copies. Sends one `find` for each possible copy.
pub(super) async fn take_out(reads: &Reads, survey: &mut Survey) -> Result<()> {
    let (mut copies, mut notes) = (Vec::new(), Vec::new());
    for (weaker, better) in doubtful(survey) {
        let is_known = copies.iter().any(|it| is_of(it, weaker));
        let pairs = pairs(survey, better, weaker);
        if is_known || pairs.len() < 2 {
            continue;
        }
        match agree(reads, better, weaker, &pairs).await {
            Ok(true) => copies.push(CopySurvey {
                collection: weaker.collection.clone(),
                path: weaker.path.clone(),
                keys: better.path.clone(),
                target: weaker.target.clone(),
                from: weaker.key.clone(),
            }),
            Ok(false) => {}
            Err(error) => notes.push(excused(&weaker.target, error)?),
        }
    }
    let is_copy = |it: &ReferenceSurvey| copies.iter().any(|copy| is_of(copy, it));
    survey.references.retain(|it| !is_copy(it));
    survey.copies = copies;
    survey.notes.append(&mut notes);
    Ok(())
}

fn is_of(copy: &CopySurvey, reference: &ReferenceSurvey) -> bool {
    copy.collection == reference.collection && copy.path == reference.path
}

/// Lists pairs of references that are in the same struct and have the same target. Each pair consists of a weaker and a
/// better reference. The pairs for the same weaker reference are sorted by the quality of the better one, and then by
/// the similarity of the paths.
fn doubtful(survey: &Survey) -> Vec<(&ReferenceSurvey, &ReferenceSurvey)> {
    let mut all = Vec::new();
    for weaker in &survey.references {
        let mut betters: Vec<_> = survey
            .references
            .iter()
            .filter(|it| it.collection == weaker.collection && it.target == weaker.target)
            .filter(|it| rank(survey, it) > rank(survey, weaker) && are_beside(survey, it, weaker))
            .collect();
        betters.sort_by_key(|it| {
            let same = it.path.chars().zip(weaker.path.chars());
            let same = same.take_while(|(one, other)| one == other).count();
            Reverse((rank(survey, it), same))
        });
        all.extend(betters.into_iter().map(|better| (weaker, better)));
    }
    all
}

/// Returns the quality of a reference's key: the `_id` is best, then a key with a unique index.
fn rank(survey: &Survey, reference: &ReferenceSurvey) -> (bool, bool) {
    let target = survey.collection(&reference.target);
    let is_unique = target.is_some_and(|it| it.has_unique(&reference.key));
    (reference.key == "_id", is_unique)
}

/// Whether two paths are fields of the same struct.
fn are_beside(survey: &Survey, one: &ReferenceSurvey, other: &ReferenceSurvey) -> bool {
    let place = |it: &ReferenceSurvey| place_of(survey, it);
    let (one, other) = (place(one), place(other));
    one.is_some() && one.map(|it| it.0) == other.map(|it| it.0)
}

/// Returns the path of the struct that contains a reference, and the name of the field. Returns `None` for elements of
/// arrays and for maps.
fn place_of(survey: &Survey, reference: &ReferenceSurvey) -> Option<(String, String)> {
    let path: &PathSurvey = survey
        .collection(&reference.collection)?
        .path(&reference.path)?;
    let (PathStep::Field(name), above) = path.steps.split_last()? else {
        return None;
    };
    let names = above.iter().filter_map(|step| match step {
        PathStep::Field(name) => Some(name.as_str()),
        PathStep::Each | PathStep::AnyField => None,
    });
    let is_map = above.contains(&PathStep::AnyField);
    (!is_map).then(|| (names.collect::<Vec<_>>().join("."), name.clone()))
}

/// Lists the sampled values of the weaker reference, each with the keys next to it.
fn pairs(survey: &Survey, better: &ReferenceSurvey, weaker: &ReferenceSurvey) -> Pairs {
    let mut pairs = Pairs::new();
    let (Some((above, key)), Some((_, value))) =
        (place_of(survey, better), place_of(survey, weaker))
    else {
        return pairs;
    };
    let mut add = |inner: &Document| {
        if let (Some(key), Some(value)) = (inner.get(&key), inner.get(&value)) {
            let value = JoinKey::from(value.clone());
            if pairs.len() < VALUES || pairs.contains_key(&value) {
                let keys = pairs.entry(value).or_default();
                keys.insert(JoinKey::from(key.clone()));
            }
        }
    };
    let sample = survey.collection(&weaker.collection).map(|it| &it.sample);
    for document in sample.into_iter().flatten() {
        if above.is_empty() {
            add(document);
        } else {
            each_value(document, &above, &mut |inner| {
                inner.as_document().into_iter().for_each(&mut add);
            });
        }
    }
    pairs
}

/// Whether nearly all values equal a field of the documents to which the keys next to them refer.
async fn agree(
    reads: &Reads,
    better: &ReferenceSurvey,
    weaker: &ReferenceSurvey,
    pairs: &Pairs,
) -> Result<bool> {
    let asked: Vec<Bson> = pairs.keys().map(JoinKey::to_bson).collect();
    let mut wanted = doc! { "_id": 0 };
    for name in [&better.key, &weaker.key] {
        wanted.insert(name, 1);
    }
    let mut options = all(wanted);
    options.collation = Some(simple_collation());
    let filter = any_of(&weaker.key, asked);
    let found = reads.find_raw(&weaker.target, filter, options, usize::MAX);
    let (mut known, mut equal) = (HashSet::new(), HashSet::new());
    for raw in found.await?.0 {
        let mut keys = Vec::new();
        each_raw_value(&raw, &better.key, &mut |key| {
            keys.push(JoinKey::from_raw(key));
        });
        each_raw_value(&raw, &weaker.key, &mut |value| {
            let value = JoinKey::from_raw(value);
            let beside = pairs.get(&value);
            let beside = beside.into_iter().flatten();
            equal.extend(
                beside
                    .filter(|it| keys.contains(it))
                    .map(|it| (value.clone(), it.clone())),
            );
            known.insert(value);
        });
    }
    let known = pairs.iter().filter(|(value, _)| known.contains(value));
    let compared: usize = known.map(|(_, keys)| keys.len()).sum();
    Ok(compared > 0 && equal.len() as u64 * 100 >= compared as u64 * EQUAL)
}
