//! Finds values of one collection that are keys of another: the server is asked for those of the sample.

use mongodb::bson::{Bson, Document, doc};

use super::{
    names::fits,
    read::excused,
    report::{CollectionSurvey, PathSurvey, ReferenceSurvey, Survey},
    tally::VALUES,
};
use crate::{
    command::{FindCommand, simple},
    error::Result,
    key::{JoinKey, any_of},
    odm::{Exec, Odm},
    path::each_raw_value,
    place::Place,
};

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
    is_named: bool,
}

/// Looks up all candidates: one `find` for each.
pub(crate) async fn find(odm: &Odm, survey: &mut Survey) -> Result<()> {
    let exec = Exec::on(odm.clone());
    let (mut references, mut notes) = (Vec::new(), Vec::new());
    for candidate in candidates(&survey.collections) {
        match candidate.look_up(&exec).await {
            Ok(found) if is_reference(&found, &candidate) => references.push(found),
            Ok(_) => {}
            Err(error) => notes.push(excused(&candidate.target.name, error)?),
        }
    }
    survey.references = best(references);
    survey.notes.append(&mut notes);
    Ok(())
}

fn candidates(collections: &[CollectionSurvey]) -> Vec<Candidate<'_>> {
    let mut all = Vec::new();
    for from in collections {
        for path in from.paths.iter().filter(|path| may_refer(path)) {
            for target in collections {
                let keys = target.paths.iter().filter(|key| is_key(key, target));
                all.extend(keys.filter_map(|key| Candidate::new(from, path, target, key)));
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
    path.path == "_id" || is_unique(path, of) || {
        let different = path.values.len() as u64;
        let is_small = of.documents.is_some_and(|documents| documents <= SMALL);
        is_small && different >= 2 && different * 100 >= path.present.min(VALUES as u64) * 95
    }
}

fn is_unique(path: &PathSurvey, of: &CollectionSurvey) -> bool {
    of.indexes.iter().any(|index| {
        let is_unique = index.options.get_bool("unique").unwrap_or_default();
        // The server finds nothing by an index that lacks documents, or that compares in another way.
        let others = ["partialFilterExpression", "hidden", "collation"];
        let finds = !others.iter().any(|it| index.options.contains_key(it));
        is_unique && finds && index.keys.len() == 1 && index.keys.contains_key(&path.path)
    })
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
        let is_named = fits(path.name()?, &target.name, &key.path, &from.name);
        let candidate = Self {
            from,
            path,
            target,
            key,
            is_named,
        };
        (is_named || candidate.speaks_for_itself()).then_some(candidate)
    }

    /// Whether values of this kind are not found by chance: ids are, and long texts; numbers are everywhere.
    fn speaks_for_itself(&self) -> bool {
        if self.key.path != "_id" {
            // Fields of one name that are unique at the other side.
            let is_same = self.path.name() == self.key.name();
            return is_same
                && self.from.name != self.target.name
                && is_unique(self.key, self.target)
                && !is_unique(self.path, self.from);
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
    async fn look_up(&self, exec: &Exec) -> Result<ReferenceSurvey> {
        let (asked, key) = (self.values(), &self.key.path);
        let filter: Document = any_of(key, asked.clone());
        let place = Place::whole(self.target.name.clone());
        let find = FindCommand::new(place, filter).select(doc! { "_id": 0, key: 1 });
        let collation = (key != "_id").then(simple);
        let mut there = std::collections::HashSet::new();
        let mut found = |_: &str, raw: &mongodb::bson::RawDocument| {
            each_raw_value(raw, key, &mut |value| {
                there.insert(JoinKey::from_raw(value));
            });
            Ok(())
        };
        exec.find(find.all().collation(collation), &mut found)
            .await?;
        let is_there = |value: &Bson| there.contains(&JoinKey::from(value.clone()));
        let found = asked.iter().filter(|value| is_there(value)).count();
        let dangling = asked.iter().filter(|value| !is_there(value));
        Ok(ReferenceSurvey {
            collection: self.from.name.clone(),
            path: self.path.path.clone(),
            target: self.target.name.clone(),
            key: key.clone(),
            asked: asked.len() as u64,
            found: found as u64,
            dangling: dangling.take(SHOWN).cloned().collect(),
            is_named: self.is_named,
        })
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

/// Keeps the best reference of each path: to an `_id`, named after its target, with the fewest values that lead nowhere.
fn best(mut references: Vec<ReferenceSurvey>) -> Vec<ReferenceSurvey> {
    references.sort_by(|a, b| {
        let place = |it: &ReferenceSurvey| (it.collection.clone(), it.path.clone());
        let worth = |it: &ReferenceSurvey| (it.is_named, it.found, it.key == "_id");
        place(a)
            .cmp(&place(b))
            .then_with(|| worth(b).cmp(&worth(a)))
    });
    references
        .dedup_by(|other, best| (&other.collection, &other.path) == (&best.collection, &best.path));
    references
}
