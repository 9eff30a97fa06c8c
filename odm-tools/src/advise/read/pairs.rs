//! Compares fields with those of other documents, to distinguish copies from coincidences.

use std::collections::{BTreeMap, BTreeSet};

use mongo_odm::{__tools::path::join, JoinKey};
use mongodb::bson::Bson;

use crate::{
    advise::seen::{SeenByHand, SeenReference},
    survey::EQUAL,
};

/// Smallest number of compared pairs from which a field can be recognized as a copy.
const PAIRS: u64 = 20;

/// Smallest numbers of distinct keys and distinct values from which a field is recognized as a copy, if the field name
/// matches the source.
const NAMED: (usize, usize) = (10, 5);

/// Smallest numbers of distinct keys and distinct values if the field name does not match the source. Without a
/// matching name, all values must also be strings.
const UNNAMED: (usize, usize) = (20, 20);

/// A key and the small fields next to it.
pub(super) struct Beside {
    /// The `_id` of the document that contains the key.
    pub(super) id: Bson,
    pub(super) key: JoinKey,
    pub(super) fields: Vec<(String, Bson)>,
}

/// The small fields next to a key, and the small fields of the key's target.
pub(super) struct Pair<'p> {
    pub(super) beside: &'p Beside,
    pub(super) target: &'p [(String, Bson)],
}

/// A comparison of two fields, one of which may be a copy of the other.
#[derive(Default)]
struct Compared<'p> {
    pairs: u64,
    equal: u64,
    /// Number of values that are equal to the key. Such values are not evidence of a copy.
    equal_to_key: u64,
    keys: BTreeSet<&'p JoinKey>,
    values: BTreeMap<JoinKey, u64>,
    are_texts: bool,
    differs: Option<&'p Bson>,
    first: Option<&'p Bson>,
}

/// Lists the fields whose values show that they are copies, each with the source that matches best.
pub(super) fn agreement(reference: &SeenReference, pairs: &[Pair<'_>]) -> Vec<SeenByHand> {
    let fields: BTreeSet<_> = names(pairs.iter().map(|it| it.beside.fields.as_slice()));
    let sources: BTreeSet<_> = names(pairs.iter().map(|it| it.target));
    let found = fields.into_iter().filter_map(|field| {
        let each = sources.iter().map(|from| {
            let is_named = is_named(reference, field, from);
            (is_named, compared(pairs, field, from), *from)
        });
        let copies = each.filter(|(is_named, compared, _)| compared.is_copy(*is_named));
        let best = copies.max_by_key(|(is_named, compared, _)| (*is_named, compared.equal))?;
        Some(best.1.seen(reference, field, best.2))
    });
    found.collect()
}

fn names<'p>(all: impl Iterator<Item = &'p [(String, Bson)]>) -> BTreeSet<&'p str> {
    all.flatten().map(|(name, _)| name.as_str()).collect()
}

/// Whether the name of a field matches its source, with or without the name of the reference. For example, the fields
/// `name`, `customerName` and `customer_name` next to `customer_id` match the source `name`.
fn is_named(reference: &SeenReference, field: &str, from: &str) -> bool {
    let name = reference.path.rsplit('.').next().unwrap_or_default();
    let (key, field, from) = (plain(name), plain(field), plain(from));
    let stem = key.strip_suffix("id").unwrap_or(&key);
    field == from || field == format!("{stem}{from}")
}

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn compared<'p>(pairs: &[Pair<'p>], field: &str, from: &str) -> Compared<'p> {
    let mut all = Compared {
        are_texts: true,
        ..Compared::default()
    };
    for pair in pairs {
        let (value, source) = (named(&pair.beside.fields, field), named(pair.target, from));
        if let (Some(value), Some(source)) = (value, source) {
            all.add(pair.beside, value, source);
        }
    }
    all
}

fn named<'f>(fields: &'f [(String, Bson)], name: &str) -> Option<&'f Bson> {
    let mut fields = fields.iter();
    fields.find_map(|(known, value)| (known == name).then_some(value))
}

impl<'p> Compared<'p> {
    fn add(&mut self, beside: &'p Beside, value: &Bson, source: &Bson) {
        self.pairs += 1;
        self.first.get_or_insert(&beside.id);
        self.keys.insert(&beside.key);
        self.are_texts &= value.as_str().is_some();
        let value = JoinKey::from(value.clone());
        self.equal_to_key += u64::from(value == beside.key);
        if value == JoinKey::from(source.clone()) {
            self.equal += 1;
        } else {
            self.differs.get_or_insert(&beside.id);
        }
        *self.values.entry(value).or_default() += 1;
    }

    /// Whether so many values are equal that they must be copies. There must be many different keys and values, and no
    /// value may occur in more than half of the pairs.
    fn is_copy(&self, is_named: bool) -> bool {
        let (keys, values) = if is_named { NAMED } else { UNNAMED };
        let most = self.values.values().max().copied().unwrap_or_default();
        // If many keys share each value, the values do not depend on the key. An example is the name of a tenant.
        let is_own = self.values.len() * 4 >= self.keys.len();
        let is_varied = is_own && self.values.len() >= values && most * 2 <= self.pairs;
        let is_equal = self.pairs >= PAIRS && self.equal * 100 >= self.pairs * EQUAL;
        let says_more = self.equal_to_key * 2 < self.pairs;
        let may_be = is_named || self.are_texts;
        may_be && is_equal && is_varied && says_more && self.keys.len() >= keys
    }

    fn seen(&self, reference: &SeenReference, field: &str, from: &str) -> SeenByHand {
        let above = reference
            .path
            .rsplit_once('.')
            .map_or("", |(above, _)| above);
        let example = self.differs.or(self.first);
        SeenByHand {
            path: join(above, field),
            keys_path: reference.path.clone(),
            target: reference.target.clone(),
            from: from.to_owned(),
            is_named: is_named(reference, field, from),
            pairs: self.pairs,
            equal: self.equal,
            keys: self.keys.len() as u64,
            values: self.values.len() as u64,
            example: example.cloned().unwrap_or(Bson::Null),
        }
    }
}
