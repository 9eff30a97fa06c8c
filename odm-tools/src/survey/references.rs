//! Finds values of one collection that are keys of another. The server is asked with `$in` for the values of the
//! sample.
//!
//! A reference needs found values and a name that fits. The name does not matter for values that are not found by
//! accident: `ObjectId`, UUIDs, long texts. For numbers from 1 on it does, because they are keys of almost every
//! collection.

use mongo_odm::{
    __tools::{Reads, any_of, path::each_raw_value},
    JoinKey, Result,
};
use mongodb::bson::{Bson, Document, doc};

use super::{
    copies, dbrefs,
    evidence::{Evidence, decide},
    names::{Likeness, is_mere_key, likeness},
    read::excused,
    report::{CollectionSurvey, PathStep, PathSurvey, ReferenceSurvey, Survey},
    tally::VALUES,
};
use crate::{statements::all, statements::simple_collation};

/// The share of the values that must be there.
const ENOUGH: f64 = 0.5;

/// Up to how many documents a collection is looked up without an index.
const SMALL: u64 = 20_000;

/// From how many values on texts and numbers say something by themselves.
const TELLING: u64 = 8;

/// How many dangling values are shown.
const SHOWN: usize = 5;

/// A path whose values may be keys.
struct Candidate<'s> {
    from: &'s CollectionSurvey,
    path: &'s PathSurvey,
    target: &'s CollectionSurvey,
    key: &'s PathSurvey,
    likeness: Likeness,
}

/// Looks up all candidates: one `find` for each, and one more for what may be a copy. The survey has samples.
pub(crate) async fn find(reads: &Reads, survey: &mut Survey) -> Result<()> {
    let (mut evidence, mut notes) = (Vec::new(), Vec::new());
    for candidate in candidates(survey) {
        match candidate.look_up(reads).await {
            Ok((found, there)) if found.found > 0 => {
                evidence.push(candidate.evidence(found, there));
            }
            Ok(_) => {}
            Err(error) => notes.push(excused(&candidate.target.name, error)?),
        }
    }
    (survey.references, survey.undecided) = decide(evidence);
    survey.notes.append(&mut notes);
    copies::take_out(reads, survey).await
}

fn candidates(survey: &Survey) -> Vec<Candidate<'_>> {
    let (collections, mut all) = (&survey.collections, Vec::new());
    for from in collections {
        for path in from.paths.iter().filter(|path| may_refer(path)) {
            let named = dbrefs::collections(path, from, &survey.database);
            for target in collections {
                let keys = target.paths.iter().filter(|key| is_key(key, target));
                all.extend(keys.filter_map(|key| match &named {
                    None => Candidate::new(from, path, target, key),
                    Some(named) => Candidate::said(from, path, target, key, named),
                }));
            }
        }
    }
    all
}

/// Whether something at a path could be a reference: one type, which keys have.
fn may_refer(path: &PathSurvey) -> bool {
    const KEYS: [&str; 5] = ["objectId", "int", "long", "string", "binData"];
    let is_key = path.only_type().is_some_and(|name| KEYS.contains(&name));
    is_key && path.path != "_id" && !path.values.is_empty()
}

/// Whether documents are told apart by a path: `_id`, a unique index, or values that almost all differ.
fn is_key(path: &PathSurvey, of: &CollectionSurvey) -> bool {
    if path.steps.len() != 1 {
        return false;
    }
    path.path == "_id" || of.has_unique(&path.path) || {
        let different = path.values.len() as u64;
        let is_small = of.documents.is_some_and(|documents| documents <= SMALL);
        is_small && different >= 2 && different * 100 >= path.present.min(VALUES as u64) * 95
    }
}

impl<'s> Candidate<'s> {
    fn new(
        from: &'s CollectionSurvey,
        path: &'s PathSurvey,
        target: &'s CollectionSurvey,
        key: &'s PathSurvey,
    ) -> Option<Self> {
        let is_itself = from.name == target.name && path.path == key.path;
        if is_itself || path.only_type() != key.only_type() {
            return None;
        }
        let name = telling_name(path)?;
        let named = |key: &str| likeness(name, &target.name, key, &from.name);
        let mut likeness = named(&key.path);
        // `label` of `labels.slug`: what only one document has stands for its `_id`, unless it is a number.
        let is_number = matches!(path.only_type(), Some("int" | "long"));
        if from.name != target.name && !is_number && target.has_unique(&key.path) {
            likeness = likeness.max(named("_id"));
        }
        let candidate = Self {
            from,
            path,
            target,
            key,
            likeness,
        };
        let may_be = candidate.likeness.is_named() || candidate.speaks_for_itself();
        may_be.then_some(candidate)
    }

    /// A `DBRef` leads to the `_id` of the collection that it names. Of several names the survey does not know which keys
    /// go with which.
    fn said(
        from: &'s CollectionSurvey,
        path: &'s PathSurvey,
        target: &'s CollectionSurvey,
        key: &'s PathSurvey,
        named: &[&str],
    ) -> Option<Self> {
        let is_said = named == [target.name.as_str()] && key.path == "_id";
        let is_one = is_said && path.only_type() == key.only_type();
        is_one.then_some(Self {
            from,
            path,
            target,
            key,
            likeness: Likeness::Said,
        })
    }

    fn evidence(&self, reference: ReferenceSurvey, there: Vec<bool>) -> Evidence {
        Evidence {
            is_enough: is_reference(&reference, self),
            there,
            likeness: self.likeness,
            is_id: self.key.path == "_id",
            is_unique: self.target.has_unique(&self.key.path),
            reference,
        }
    }

    /// Whether values of this kind are not found by chance: ids are, and long texts; numbers are everywhere.
    fn speaks_for_itself(&self) -> bool {
        if self.key.path != "_id" {
            // Fields of one name that are unique at the other side.
            let is_same = self.path.name() == self.key.name();
            return is_same
                && self.from.name != self.target.name
                && self.target.has_unique(&self.key.path)
                && !self.from.has_unique(&self.path.path);
        }
        match self.path.only_type() {
            Some("objectId" | "binData") => true,
            Some("string") => {
                let texts = self
                    .path
                    .values
                    .iter()
                    .filter_map(|(value, _)| value.as_str());
                let (count, letters) = texts.fold((0, 0), |(n, sum), it| (n + 1, sum + it.len()));
                count >= TELLING && letters as u64 >= 6 * count
            }
            _ => false,
        }
    }

    fn values(&self) -> Vec<Bson> {
        self.path
            .values
            .iter()
            .map(|(value, _)| value.clone())
            .collect()
    }

    /// Asks which of the values are keys of the target.
    async fn look_up(&self, reads: &Reads) -> Result<(ReferenceSurvey, Vec<bool>)> {
        let (asked, key) = (self.values(), &self.key.path);
        let filter: Document = any_of(key, asked.clone());
        let mut options = all(doc! { "_id": 0, key: 1 });
        options.collation = (key != "_id").then(simple_collation);
        let found = reads.find_raw(&self.target.name, filter, options, usize::MAX);
        let mut there = std::collections::HashSet::new();
        for raw in found.await?.0 {
            each_raw_value(&raw, key, &mut |value| {
                there.insert(JoinKey::from_raw(value));
            });
        }
        let is_there = |value: &Bson| there.contains(&JoinKey::from(value.clone()));
        let there: Vec<bool> = asked.iter().map(is_there).collect();
        let found = there.iter().filter(|is_there| **is_there).count();
        let dangling = asked.iter().zip(&there).filter(|(_, is_there)| !**is_there);
        let dangling = dangling.map(|(value, _)| value);
        let reference = ReferenceSurvey {
            collection: self.from.name.clone(),
            path: self.path.path.clone(),
            target: self.target.name.clone(),
            key: key.clone(),
            asked: asked.len() as u64,
            found: found as u64,
            dangling: dangling.take(SHOWN).cloned().collect(),
            is_named: self.likeness.is_named(),
            rivals: Vec::new(),
        };
        Ok((reference, there))
    }
}

/// Whether enough values were found.
fn is_reference(found: &ReferenceSurvey, candidate: &Candidate<'_>) -> bool {
    let is_random = matches!(candidate.path.only_type(), Some("objectId" | "binData"));
    let enough = if found.is_named || is_random {
        ENOUGH
    } else {
        0.95
    };
    found.share() >= enough
}

/// Returns the name that may tell where the values of a path lead: `author` of `author.id`, whose last name says nothing.
fn telling_name(path: &PathSurvey) -> Option<&str> {
    let names = path.steps.iter().rev().filter_map(|step| match step {
        PathStep::Field(name) => Some(name.as_str()),
        PathStep::Each | PathStep::AnyField => None,
    });
    let mut last = names.take(2);
    let own = last.next()?;
    let outer = last.next().filter(|_| is_mere_key(own));
    Some(outer.unwrap_or(own))
}
