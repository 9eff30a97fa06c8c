//! Splits a pipeline into the stages that each shard runs, the merge in the front, and the stages after the merge.

use mongodb::bson::{Bson, Document, doc};

use crate::cluster::message::reply::number;

/// Stages that treat each document individually, so that each shard can run them.
const PER_DOCUMENT: [&str; 9] = [
    "$match",
    "$project",
    "$addFields",
    "$set",
    "$unset",
    "$unwind",
    "$replaceRoot",
    "$replaceWith",
    "$redact",
];

/// Stages that return one document for each document that they read, so that they can run before a limit.
const ONE_TO_ONE: [&str; 6] = [
    "$project",
    "$addFields",
    "$set",
    "$unset",
    "$replaceRoot",
    "$replaceWith",
];

/// The name of the sort key in the documents of a shard.
pub(super) const SORT_KEY: &str = "_odm_sort_key";

/// The parts of a pipeline.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Split {
    pub(super) on_shards: Vec<Document>,
    pub(super) sort: Document,
    pub(super) skip: i64,
    /// The maximum number of documents, or 0.
    pub(super) limit: i64,
    pub(super) rest: Vec<Document>,
}

impl Split {
    pub(super) fn of(pipeline: Vec<Document>) -> Self {
        let mut split = Self::default();
        let mut stages = pipeline.into_iter().peekable();
        while let Some(stage) = stages.next_if(|stage| is_one_of(stage, &PER_DOCUMENT)) {
            split.on_shards.push(stage);
        }
        if let Some(sort) = stages.next_if(|stage| stage.get_document("$sort").is_ok()) {
            split.sort = sort.get_document("$sort").cloned().unwrap_or_default();
            split.on_shards.push(sort);
            let mut next = |name| {
                let stage = stages.next_if(|stage| stage.contains_key(name));
                stage.and_then(|stage| number(stage.get(name)?))
            };
            split.skip = next("$skip").unwrap_or_default();
            split.limit = next("$limit").unwrap_or_default();
            if split.limit > 0 {
                let limit = split.skip.saturating_add(split.limit);
                split.on_shards.push(doc! { "$limit": limit });
            }
            while let Some(stage) = stages.next_if(|stage| is_one_of(stage, &ONE_TO_ONE)) {
                split.on_shards.push(stage);
            }
        }
        split.rest = stages.collect();
        let fields = split.rest.first().and_then(fields_of_group);
        let project = fields.map(|fields| doc! { "$project": fields });
        split.on_shards.extend(project);
        if !split.sort.is_empty() {
            let key = doc! { SORT_KEY: { "$meta": "sortKey" } };
            split.on_shards.push(doc! { "$set": key });
        }
        split
    }
}

/// Returns the fields that a `$group` reads, so that the shards return nothing else. Returns `None` if the stage can
/// read the whole document.
fn fields_of_group(stage: &Document) -> Option<Document> {
    let group = stage.get_document("$group").ok()?;
    let mut fields = doc! { "_id": 1 };
    group
        .values()
        .try_for_each(|value| add_fields(value, &mut fields))?;
    Some(fields)
}

fn add_fields(value: &Bson, fields: &mut Document) -> Option<()> {
    match value {
        Bson::String(text) => {
            if let Some(path) = text.strip_prefix('$') {
                let field = path.split('.').next();
                let is_field = |field: &&str| !field.is_empty() && !field.starts_with('$');
                fields.insert(field.filter(is_field)?, 1);
            }
            Some(())
        }
        Bson::Document(inner) if inner.contains_key("$getField") => None,
        Bson::Document(inner) => inner.values().try_for_each(|it| add_fields(it, fields)),
        Bson::Array(items) => items.iter().try_for_each(|it| add_fields(it, fields)),
        _ => Some(()),
    }
}

fn is_one_of(stage: &Document, names: &[&str]) -> bool {
    stage.keys().all(|name| names.contains(&name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shard_sorts_and_limits_its_documents() {
        let first = [doc! { "$match": { "a": 1 } }, doc! { "$unwind": "$b" }];
        let sorted = [doc! { "$sort": { "b": -1 } }, doc! { "$skip": 2 }];
        let last = [
            doc! { "$limit": 3 },
            doc! { "$project": { "b": 1 } },
            doc! { "$match": { "b": 2 } },
        ];
        let split = Split::of([&first[..], &sorted, &last].concat());
        let key = doc! { "$set": { SORT_KEY: { "$meta": "sortKey" } } };
        let added = [doc! { "$limit": 5_i64 }, last[1].clone(), key];
        let expected = Split {
            on_shards: [&first[..], &sorted[..1], &added].concat(),
            sort: doc! { "b": -1 },
            skip: 2,
            limit: 3,
            rest: last[2..].to_vec(),
        };
        assert_eq!(split, expected);
    }

    #[test]
    fn a_group_runs_after_the_merge_with_the_fields_that_it_reads() {
        let sum =
            doc! { "_id": "$a.b", "n": { "$sum": { "$cond": [{ "$gt": ["$c", 1] }, "$d", 0] } } };
        let fields = doc! { "_id": 1, "a": 1, "c": 1, "d": 1 };
        let push = doc! { "_id": 1, "all": { "$push": "$$ROOT" } };
        for (group, fields) in [(sum, Some(fields)), (push, None)] {
            let first = doc! { "$match": {} };
            let rest = [doc! { "$group": group }, doc! { "$sort": { "a": 1 } }];
            let split = Split::of([std::slice::from_ref(&first), &rest[..]].concat());
            let project = fields.map(|fields| doc! { "$project": fields });
            let on_shards: Vec<Document> = [first].into_iter().chain(project).collect();
            assert_eq!((split.on_shards, split.rest), (on_shards, rest.to_vec()));
            assert!(split.sort.is_empty());
        }
    }
}
