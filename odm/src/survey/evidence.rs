//! Which of several collections a reference leads to.

use std::{cmp::Reverse, collections::BTreeMap};

use super::{
    names::Likeness,
    report::{ReferenceSurvey, TargetSurvey, UndecidedSurvey},
};

/// A reference that may be, with what speaks for it.
#[derive(Debug)]
pub(super) struct Evidence {
    pub(super) reference: ReferenceSurvey,
    pub(super) likeness: Likeness,
    /// Whether the key is the `_id`.
    pub(super) is_id: bool,
    /// Whether a unique index is on the key.
    pub(super) is_unique: bool,
}

impl Evidence {
    /// What decides, the first of it that differs: names, then values, then keys.
    const fn rank(&self) -> (Likeness, u64, bool, bool) {
        let found = self.reference.found;
        (self.likeness, found, self.is_id, self.is_unique)
    }

    fn target(&self) -> TargetSurvey {
        TargetSurvey {
            target: self.reference.target.clone(),
            key: self.reference.key.clone(),
            found: self.reference.found,
        }
    }
}

/// Keeps the reference of each path for which more speaks than for all others; where two are equal, none.
pub(super) fn decide(all: Vec<Evidence>) -> (Vec<ReferenceSurvey>, Vec<UndecidedSurvey>) {
    let mut of_paths = BTreeMap::<_, Vec<Evidence>>::new();
    for it in all {
        let place = (it.reference.collection.clone(), it.reference.path.clone());
        of_paths.entry(place).or_default().push(it);
    }
    let (mut decided, mut undecided) = (Vec::new(), Vec::new());
    for (_, mut candidates) in of_paths {
        candidates.sort_by_key(|it| Reverse(it.rank()));
        let mut others = candidates.into_iter();
        let Some(best) = others.next() else {
            continue;
        };
        let others: Vec<_> = others.collect();
        if others.first().is_some_and(|it| it.rank() == best.rank()) {
            undecided.push(tie(best, &others));
        } else {
            decided.push(won(best, &others));
        }
    }
    (decided, undecided)
}

/// A reference, with the other collections whose names fit as well, or that have more of the values.
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(target: &str, likeness: Likeness, found: u64, key: &str) -> Evidence {
        Evidence {
            reference: ReferenceSurvey {
                collection: "posts".to_owned(),
                path: "user".to_owned(),
                target: target.to_owned(),
                key: key.to_owned(),
                asked: 10,
                found,
                dangling: Vec::new(),
                is_named: likeness.is_named(),
                rivals: Vec::new(),
            },
            likeness,
            is_id: key == "_id",
            is_unique: false,
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
        let named = evidence("users", Whole, 6, "_id");
        let rest = [
            evidence("app_users", Part, 10, "_id"),
            evidence("a", Nothing, 3, "_id"),
        ];
        let all = std::iter::once(named).chain(rest).collect();
        let expected = "posts.user -> users._id: 6 of 10 values found; also app_users._id: 10";
        assert_eq!(shown(all), expected);
        let all = vec![
            evidence("a", Nothing, 9, "_id"),
            evidence("b", Nothing, 10, "email"),
        ];
        let expected = "posts.user -> b.email: 10 of 10 values found; also a._id: 9";
        assert_eq!(shown(all), expected);
        let all = vec![
            evidence("b", Nothing, 10, "email"),
            evidence("b", Nothing, 10, "_id"),
        ];
        assert_eq!(shown(all), "posts.user -> b._id: 10 of 10 values found");
    }

    #[test]
    fn two_that_are_equal_are_both_told_and_none_taken() {
        use Likeness::{Nothing, Part};
        let all = vec![
            evidence("a", Part, 10, "_id"),
            evidence("b", Part, 10, "_id"),
            evidence("c", Part, 9, "_id"),
            evidence("d", Nothing, 10, "_id"),
        ];
        let expected = "posts.user: 10 values, keys of a._id (10), b._id (10) or c._id (9)";
        assert_eq!(shown(all), expected);
    }
}
