//! Finds values in one collection that are keys of documents in another. The sampled values are looked up in the
//! possible target collections with `$in`.
//!
//! Values are treated as references if they exist in the target and the field name matches. The name does not matter
//! for values that cannot be equal by coincidence: `ObjectId`s, UUIDs and long strings. For numbers, a matching name is
//! always necessary, because small numbers are keys in almost every collection.

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

/// Share of the values that must exist in the target before a reference is reported.
const ENOUGH: f64 = 0.5;

/// A collection with at most this many documents may be searched without an index.
const SMALL: u64 = 20_000;

/// Smallest number of distinct strings for which a reference does not require a matching field name.
const TELLING: u64 = 8;

/// Largest number of dangling values that the report contains for one reference.
const SHOWN: usize = 5;

/// A path with values that may be keys of a target collection.
struct Candidate<'s> {
    from: &'s CollectionSurvey,
    path: &'s PathSurvey,
    target: &'s CollectionSurvey,
    key: &'s PathSurvey,
    likeness: Likeness,
}

/// Looks up the values of all candidates. The survey must contain samples. Sends one `find` for each candidate, and one
/// more for each possible copy.
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

/// Whether the values at a path can be references. All values must have the same type, and it must be a type that keys
/// can have.
fn may_refer(path: &PathSurvey) -> bool {
    const KEYS: [&str; 5] = ["objectId", "int", "long", "string", "binData"];
    let is_key = path.only_type().is_some_and(|name| KEYS.contains(&name));
    is_key && path.path != "_id" && !path.values.is_empty()
}

/// Whether the values at a path identify documents. This is the case for the `_id`, for a path that has a unique index,
/// and for a path that has almost only distinct values.
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
        // A reference to a unique field can be named after the collection, like a reference to the `_id`: `label`
        // refers to `labels.slug`. For numbers, a similarity to the name of the collection is not sufficient evidence
        // of such a reference.
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

    /// Returns a candidate for the `_id` of the collection in a `DBRef`. Returns `None` if the `DBRef`s at a path refer
    /// to several collections, because the survey does not know which key belongs to which collection.
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

    /// Whether the equality of the values is sufficient evidence of a reference, even if the path does not contain the
    /// name of the collection. Equal ids and equal long strings are sufficient, but equal numbers can be a coincidence.
    fn speaks_for_itself(&self) -> bool {
        if self.key.path != "_id" {
            // For a key other than `_id`, the field and the key must have the same name, and only the key may be
            // unique.
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

    /// Looks up the values in the target. Returns the reference and, for each value, whether it exists in the target.
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

/// Whether enough of the values exist in the target for the path to count as a reference.
fn is_reference(found: &ReferenceSurvey, candidate: &Candidate<'_>) -> bool {
    let is_random = matches!(candidate.path.only_type(), Some("objectId" | "binData"));
    let enough = if found.is_named || is_random {
        ENOUGH
    } else {
        0.95
    };
    found.share() >= enough
}

/// Returns the name in a path that describes the target. For `author.id`, the result is `author`, because `id` does not
/// describe a target.
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
