//! Finds documents that use values as field names.

use mongodb::bson::{Bson, Document};

use crate::{
    advise::seen::SeenMap,
    survey::{CollectionSurvey, PathStep, is_value},
};

/// Finds the paths in a sample at which field names are values. Returns these paths, each with the largest document at
/// the path. Sends nothing.
pub(super) fn of(found: &CollectionSurvey) -> Vec<SeenMap> {
    let maps = found.paths.iter().filter_map(|it| {
        let (last, above) = it.steps.split_last()?;
        let is_first = !above.contains(&PathStep::AnyField);
        (*last == PathStep::AnyField && is_first).then_some(above)
    });
    let maps = maps.filter_map(|steps| largest(&found.sample, steps));
    maps.chain(top(&found.sample)).collect()
}

/// Returns the sampled document with the most top-level field names that are values.
fn top(sample: &[Document]) -> Option<SeenMap> {
    let values = |document: &Document| document.keys().filter(|name| is_value(name)).count();
    let longest = sample.iter().max_by_key(|document| values(document))?;
    let name = longest.keys().find(|name| is_value(name))?;
    Some(SeenMap {
        path: String::new(),
        longest: values(longest) as u64,
        longest_id: longest.get("_id").unwrap_or(&Bson::Null).clone(),
        name: name.clone(),
    })
}

fn largest(sample: &[Document], steps: &[PathStep]) -> Option<SeenMap> {
    let mut largest: Option<(&Document, &Bson)> = None;
    for document in sample {
        let id = document.get("_id").unwrap_or(&Bson::Null);
        each(document, steps, &mut |map| {
            if largest.is_none_or(|(known, _)| known.len() < map.len()) {
                largest = Some((map, id));
            }
        });
    }
    let (map, id) = largest?;
    Some(SeenMap {
        path: names(steps),
        longest: map.len() as u64,
        longest_id: id.clone(),
        name: map.keys().next()?.clone(),
    })
}

fn each<'d>(document: &'d Document, steps: &[PathStep], found: &mut dyn FnMut(&'d Document)) {
    match steps.split_first() {
        None => found(document),
        Some((PathStep::Field(name), rest)) => {
            if let Some(value) = document.get(name) {
                each_below(value, rest, found);
            }
        }
        Some(_) => {}
    }
}

fn each_below<'d>(value: &'d Bson, steps: &[PathStep], found: &mut dyn FnMut(&'d Document)) {
    match (value, steps.split_first()) {
        (Bson::Array(items), Some((PathStep::Each, rest))) => {
            for item in items {
                each_below(item, rest, found);
            }
        }
        (Bson::Document(inner), _) => each(inner, steps, found),
        _ => {}
    }
}

fn names(steps: &[PathStep]) -> String {
    let names = steps.iter().filter_map(|step| match step {
        PathStep::Field(name) => Some(name.as_str()),
        PathStep::Each | PathStep::AnyField => None,
    });
    names.collect::<Vec<_>>().join(".")
}
