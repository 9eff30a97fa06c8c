//! Compares the stored documents with those of the naive model.

use std::collections::BTreeSet;

use mongo_odm::bson::{Bson, Document};

use crate::{
    declaration::{Declaration, Field, Form, Missing, What},
    derive::source_key,
    naive::life::{DELETE, RESTORING},
    world::{World, key, targets},
};

/// The fields that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// All fields.
    All,
    /// Only the fields that the user sets, because derived data may still be updated.
    Owned,
}

/// Lists the differences between an expected and a stored state.
pub fn differences(
    all: &Declaration,
    expected: &World,
    stored: &World,
    which: Which,
) -> Vec<String> {
    let mut compare = Compare {
        all,
        which,
        expected,
        stored,
        found: Vec::new(),
    };
    let places: BTreeSet<_> = expected.0.keys().chain(stored.0.keys()).collect();
    for (model, id) in places {
        let name = format!("{} {id}", all.model(*model).name);
        match (expected.get(*model, *id), stored.get(*model, *id)) {
            (Some(expected), Some(stored)) => {
                compare.unknown(&name, *model, stored);
                compare.fields(&name, &all.model(*model).fields, expected, stored);
            }
            (Some(_), None) => compare.found.push(format!("{name} should be stored")),
            (None, Some(_)) => compare.found.push(format!("{name} should not be stored")),
            (None, None) => {}
        }
    }
    compare.found
}

struct Compare<'a> {
    all: &'a Declaration,
    which: Which,
    expected: &'a World,
    stored: &'a World,
    found: Vec<String>,
}

impl Compare<'_> {
    /// Reports stored fields that the model's struct does not have.
    fn unknown(&mut self, name: &str, model: usize, stored: &Document) {
        let mut known = vec!["_id", "kind", DELETE, RESTORING];
        add_names(&self.all.model(model).fields, &mut known);
        let unknown = stored.keys().filter(|it| !known.contains(&it.as_str()));
        self.found
            .extend(unknown.map(|it| format!("{name}: `{it}` is no field")));
    }

    fn fields(&mut self, path: &str, fields: &[Field], expected: &Document, stored: &Document) {
        for field in fields {
            if self.which == Which::Owned && field.is_derived()
                || self.is_dangling(field, expected, stored)
                || self.copies_dangling(field, expected, stored)
            {
                continue;
            }
            if let What::Links(_) = field.what {
                self.links(path, field, expected, stored);
                continue;
            }
            if let What::Embed(embed) = &field.what
                && embed.form == Form::Flat
            {
                self.fields(path, &embed.fields, expected, stored);
                continue;
            }
            let path = format!("{path}.{}", field.stored);
            self.value(
                &path,
                field,
                expected.get(&field.stored),
                stored.get(&field.stored),
            );
        }
    }

    fn value(&mut self, path: &str, field: &Field, expected: Option<&Bson>, stored: Option<&Bson>) {
        match (&field.what, expected, stored) {
            (What::Embed(embed), Some(Bson::Document(a)), Some(Bson::Document(b))) => {
                self.fields(path, &embed.fields, a, b);
            }
            (What::Embed(embed), Some(Bson::Array(a)), Some(Bson::Array(b)))
                if a.len() == b.len() =>
            {
                for (at, pair) in a.iter().zip(b).enumerate() {
                    let (Bson::Document(a), Bson::Document(b)) = pair else {
                        continue;
                    };
                    self.fields(&format!("{path}[{at}]"), &embed.fields, a, b);
                }
            }
            _ if is_same(field, expected, stored) => {}
            _ => self.found.push(format!(
                "{path} should be {}, and is {}",
                show(expected),
                show(stored)
            )),
        }
    }

    /// Compares links, except those whose target does not exist: a pending delete may still have to remove them.
    fn links(&mut self, path: &str, field: &Field, expected: &Document, stored: &Document) {
        let links = |document: &Document| {
            let mut ids = targets(field, document);
            ids.retain(|id| {
                self.expected
                    .0
                    .keys()
                    .any(|(model, it)| it == id && self.all.model(*model).kind.is_some())
            });
            ids.sort_unstable();
            ids
        };
        let (expected, stored) = (links(expected), links(stored));
        if expected != stored {
            self.found.push(format!(
                "{path}.{} should lead to {expected:?}, and leads to {stored:?}",
                field.stored
            ));
        }
    }

    /// Returns whether a copy has the value that it must have without its source: unchanged, or null if its rule is
    /// `nullify`.
    fn is_dangling(&self, field: &Field, part: &Document, stored: &Document) -> bool {
        let What::Copy(copy) = &field.what else {
            return false;
        };
        let key = source_key(self.all, copy, part).filter(|_| !copy.snapshot);
        let is_gone = key.is_some_and(|key| self.expected.get(copy.model, key).is_none());
        let is_null = stored.get(&field.stored).is_none_or(|it| *it == Bson::Null);
        is_gone && (!copy.nullify || is_null)
    }

    /// Returns whether a copy equals a copy whose own source does not exist.
    fn copies_dangling(&self, field: &Field, part: &Document, stored: &Document) -> bool {
        let What::Copy(copy) = &field.what else {
            return false;
        };
        let key = source_key(self.all, copy, part).filter(|_| !copy.snapshot);
        let [expected, source] = [self.expected, self.stored]
            .map(|world| key.and_then(|key| world.get(copy.model, key)));
        let (Some(expected), Some(source)) = (expected, source) else {
            return false;
        };
        let from = self.all.model(copy.model).field(&copy.field);
        let is_dangling = self.is_dangling(from, expected, source)
            || self.copies_dangling(from, expected, source);
        is_dangling && is_same(field, source.get(&from.stored), stored.get(&field.stored))
    }
}

fn add_names<'f>(fields: &'f [Field], names: &mut Vec<&'f str>) {
    for field in fields {
        match &field.what {
            What::Embed(embed) if embed.form == Form::Flat => add_names(&embed.fields, names),
            _ => names.push(&field.stored),
        }
    }
}

fn is_same(field: &Field, expected: Option<&Bson>, stored: Option<&Bson>) -> bool {
    let is_optional = matches!(field.missing, Missing::Null | Missing::Skipped);
    let present = |value: Option<&Bson>| {
        value
            .filter(|it| !is_optional || **it != Bson::Null)
            .filter(|it| !(field.is_derived() && field.missing == Missing::Default && is_empty(it)))
            .cloned()
    };
    let (expected, stored) = (present(expected), present(stored));
    let is_set = match &field.what {
        What::Follows(..) => true,
        What::Keys(reference) => reference.inverse.is_some(),
        _ => false,
    };
    match (&expected, &stored) {
        (Some(Bson::Array(a)), Some(Bson::Array(b))) if is_set => sorted(a) == sorted(b),
        _ => expected == stored,
    }
}

/// Returns whether a value is the one that `#[serde(default)]` produces for a missing field.
fn is_empty(value: &Bson) -> bool {
    match value {
        Bson::Int32(number) => *number == 0,
        Bson::Int64(number) => *number == 0,
        Bson::Double(number) => *number == 0.0,
        Bson::Array(all) => all.is_empty(),
        Bson::Document(mean) => mean.values().all(is_empty),
        _ => false,
    }
}

fn sorted(ids: &[Bson]) -> Vec<Option<i64>> {
    let mut ids: Vec<_> = ids.iter().map(|id| key(Some(id))).collect();
    ids.sort_unstable();
    ids
}

/// Shows a value.
pub fn show(value: Option<&Bson>) -> String {
    value.map_or_else(|| "missing".to_owned(), Bson::to_string)
}
