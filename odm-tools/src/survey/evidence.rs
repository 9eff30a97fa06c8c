//! Decides which of several collections a reference refers to.
//!
//! 1. A `DBRef` contains the name of its target collection.
//! 2. Otherwise, the candidates are ranked by the similarity of the names, then by the number of found values, and then
//!    by the key (`_id`, unique index).
//! 3. If the best two candidates are equal, neither is chosen, and both are reported in `Survey::undecided`. Candidates
//!    are also reported as undecided if the values are divided among several collections. So the findings of `advise`
//!    never depend on a guess.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{
    names::Likeness,
    report::{ReferenceSurvey, TargetSurvey, UndecidedSurvey},
};

/// A possible reference and its evidence.
#[derive(Debug)]
pub(super) struct Evidence {
    pub(super) reference: ReferenceSurvey,
    pub(super) likeness: Likeness,
    /// Whether the key is the target's `_id`.
    pub(super) is_id: bool,
    /// Whether the key has a unique index.
    pub(super) is_unique: bool,
    /// Whether each looked-up value exists in the target, in the order of the values.
    pub(super) there: Vec<bool>,
    /// Whether enough of the values exist in the target for the path to count as a reference.
    pub(super) is_enough: bool,
}

/// Whether more than 90 % of the values exist in a collection. With a smaller share, the values may be keys of several
/// collections.
pub(crate) const fn is_sure(found: u64, asked: u64) -> bool {
    found * 10 > asked * 9
}

impl Evidence {
    /// Returns the rank of a candidate: first by names, then by values, then by keys.
    const fn rank(&self) -> (Likeness, u64, bool, bool) {
        let found = self.reference.found;
        (self.likeness, found, self.is_id, self.is_unique)
    }

    /// Whether the collection of another candidate contains values that this candidate's collection lacks.
    fn leaves_some_to(&self, other: &Self) -> bool {
        let mut both = self.there.iter().zip(&other.there);
        self.reference.target != other.reference.target && both.any(|(mine, its)| *its && !mine)
    }

    fn target(&self) -> TargetSurvey {
        TargetSurvey {
            target: self.reference.target.clone(),
            key: self.reference.key.clone(),
            found: self.reference.found,
        }
    }
}

/// Selects the best candidate for each path. A path is undecided if its best two candidates are equal, or if its values
/// are divided among several collections.
pub(super) fn decide(all: Vec<Evidence>) -> (Vec<ReferenceSurvey>, Vec<UndecidedSurvey>) {
    let mut of_paths = BTreeMap::<_, Vec<Evidence>>::new();
    for it in all {
        let place = (it.reference.collection.clone(), it.reference.path.clone());
        of_paths.entry(place).or_default().push(it);
    }
    let (mut decided, mut undecided) = (Vec::new(), Vec::new());
    for (_, mut candidates) in of_paths {
        candidates.sort_by_key(|it| Reverse((it.is_enough, it.rank())));
        let mut others = candidates.into_iter();
        let Some(best) = others.next() else {
            continue;
        };
        let mut others: Vec<_> = others.collect();
        if let Some(divided) = divided(&best, &others) {
            undecided.push(divided);
        }
        // A collection that contains only a few of the values matters only if the values are divided.
        else if best.is_enough {
            others.retain(|it| it.is_enough);
            if others.first().is_some_and(|it| it.rank() == best.rank()) {
                undecided.push(tie(best, &others));
            } else {
                decided.push(won(best, &others));
            }
        }
    }
    (decided, undecided)
}

/// Returns the collections among which the values are divided. Values are divided if no collection contains nearly all
/// of them, and other collections contain some of the remaining values. If the best collection contains too few values
/// for a reference, the collections together must contain nearly all values.
fn divided(best: &Evidence, others: &[Evidence]) -> Option<UndecidedSurvey> {
    let asked = best.reference.asked;
    if is_sure(best.reference.found, asked) {
        return None;
    }
    let mut all = vec![best];
    for other in others.iter().filter(|it| best.leaves_some_to(it)) {
        if all
            .iter()
            .all(|it| it.reference.target != other.reference.target)
        {
            all.push(other);
        }
    }
    let is_there = |at: &usize| all.iter().any(|it| it.there.get(*at) == Some(&true));
    let together = (0..best.there.len()).filter(is_there).count() as u64;
    if all.len() < 2 || !best.is_enough && !is_sure(together, asked) {
        return None;
    }
    all.sort_by_key(|it| Reverse(it.reference.found));
    Some(UndecidedSurvey {
        collection: best.reference.collection.clone(),
        path: best.reference.path.clone(),
        asked,
        candidates: all.into_iter().map(Evidence::target).collect(),
        is_divided: true,
    })
}

/// Returns the selected reference. Other collections are its rivals if their names are equally similar or if they
/// contain more of the values.
fn won(best: Evidence, others: &[Evidence]) -> ReferenceSurvey {
    let (likeness, mut reference) = (best.likeness, best.reference);
    let rivals = others.iter().filter(|it| {
        let is_close = it.likeness == likeness || it.reference.found > reference.found;
        is_close && it.reference.target != reference.target
    });
    reference.rivals = rivals.map(Evidence::target).collect();
    reference
}

fn tie(best: Evidence, others: &[Evidence]) -> UndecidedSurvey {
    let as_named = others.iter().filter(|it| it.likeness == best.likeness);
    let candidates = std::iter::once(best.target()).chain(as_named.map(Evidence::target));
    UndecidedSurvey {
        candidates: candidates.collect(),
        collection: best.reference.collection,
        path: best.reference.path,
        asked: best.reference.asked,
        is_divided: false,
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    /// Returns a candidate for which the first `found` of 100 values exist.
    fn evidence(target: &str, likeness: Likeness, found: u64, key: &str) -> Evidence {
        with(target, likeness, 0..found, key)
    }

    fn with(target: &str, likeness: Likeness, there: Range<u64>, key: &str) -> Evidence {
        let found = there.end - there.start;
        Evidence {
            reference: ReferenceSurvey {
                collection: "posts".to_owned(),
                path: "user".to_owned(),
                target: target.to_owned(),
                key: key.to_owned(),
                asked: 100,
                found,
                dangling: Vec::new(),
                is_named: likeness.is_named(),
                rivals: Vec::new(),
            },
            likeness,
            is_id: key == "_id",
            is_unique: false,
            there: (0..100).map(|at| there.contains(&at)).collect(),
            is_enough: found >= 50,
        }
    }

    fn shown(all: Vec<Evidence>) -> String {
        let (decided, undecided) = decide(all);
        let decided = decided.iter().map(ToString::to_string);
        let undecided = undecided.iter().map(ToString::to_string);
        decided.chain(undecided).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn names_decide_before_values_and_values_before_keys() {
        use Likeness::{Nothing, Part, Whole};
        let named = evidence("users", Whole, 95, "_id");
        let rest = [
            evidence("app_users", Part, 100, "_id"),
            evidence("a", Nothing, 60, "_id"),
        ];
        let all = std::iter::once(named).chain(rest).collect();
        let expected = "posts.user -> users._id: 95 of 100 values found; also app_users._id: 100";
        assert_eq!(shown(all), expected);
        let all = vec![
            evidence("a", Nothing, 99, "_id"),
            evidence("b", Nothing, 100, "email"),
        ];
        let expected = "posts.user -> b.email: 100 of 100 values found; also a._id: 99";
        assert_eq!(shown(all), expected);
        let all = vec![
            evidence("b", Nothing, 100, "email"),
            evidence("b", Nothing, 100, "_id"),
        ];
        assert_eq!(shown(all), "posts.user -> b._id: 100 of 100 values found");
    }

    #[test]
    fn two_that_are_equal_are_both_told_and_none_taken() {
        use Likeness::{Nothing, Part};
        let all = vec![
            evidence("a", Part, 100, "_id"),
            evidence("b", Part, 100, "_id"),
            evidence("c", Part, 99, "_id"),
            evidence("d", Nothing, 100, "_id"),
        ];
        let expected = "posts.user: 100 values, keys of a._id (100), b._id (100) or c._id (99)";
        assert_eq!(shown(all), expected);
    }

    #[test]
    fn values_that_are_divided_among_collections_are_no_reference_to_one() {
        use Likeness::{Nothing, Whole};
        let two = |likeness, first, there| {
            shown(vec![
                evidence("users", likeness, first, "_id"),
                with("bots", Nothing, there, "_id"),
            ])
        };
        let both = |users, bots| {
            format!("posts.user: 100 values, keys of users._id ({users}) and bots._id ({bots})")
        };
        assert_eq!(two(Nothing, 60, 60..100), both(60, 40));
        assert_eq!(two(Whole, 90, 90..95), both(90, 5));
        // A collection that contains more than 90 % of the values is the target. A collection that contains fewer is
        // also the target if the remaining values do not exist in any other collection.
        let one = |found| format!("posts.user -> users._id: {found} of 100 values found");
        assert_eq!(two(Nothing, 91, 91..100), one(91));
        assert_eq!(two(Nothing, 60, 20..60), one(60));
        // Each collection contains only a few values. The values are keys if the collections together contain nearly
        // all of them.
        assert_eq!(two(Nothing, 49, 49..92), both(49, 43));
        assert_eq!(two(Nothing, 40, 49..89), "");
    }
}
