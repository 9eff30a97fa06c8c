//! Computes the folded fields for a key from all documents that contain this key. Folded fields are summaries, recent
//! lists and two-way arrays.

use mongodb::bson::{Bson, Document, doc};

use super::expected_value::{Resolved, Values};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{AggregateCommand, FindCommand, simple, unknown},
        odm::Exec,
        place::Place,
    },
    error::{Error, Result},
    graph::{Copied, ExtendedReference, fold::Unheld},
    value::key::{JoinKey, any_of},
};

/// Largest number of keys in one aggregation.
const KEYS_AT_ONCE: usize = 1_000;

/// From this number of keys on, the library first searches for any child. Usually, so many parents are new.
const MANY: usize = 100;

/// Largest number of keys in one such search.
const KEYS_IN_SEARCH: usize = 10_000;

/// Computes the values for the given keys, including keys without children. Sends one aggregation for every 1,000 keys.
/// For 100 keys or more, sends a `find` for every 10,000 keys, and no aggregation if there are no children.
///
/// For each key, the aggregation runs a `$lookup`, which uses the index on the reference. For a recent list, this
/// `$lookup` reads only the children that belong in the list. A `$group` over all keys would read every child.
pub(super) async fn compute(
    reference: &ExtendedReference,
    keys: &[Bson],
    exec: &Exec,
) -> Result<Resolved> {
    let mut computed = Resolved::default();
    for keys in parts(keys, KEYS_IN_SEARCH, size_of) {
        if keys.len() >= MANY && has_no_children(reference, keys, exec).await? {
            let of_none = values(reference, &Document::new())?;
            let keys = keys.iter().cloned().map(JoinKey::from);
            computed.extend(keys.map(|key| (key, of_none.clone())));
            continue;
        }
        for keys in parts(keys, KEYS_AT_ONCE, size_of) {
            aggregate(reference, keys, &mut computed, exec).await?;
        }
    }
    Ok(computed)
}

/// Whether no document contains one of the keys, and the values depend only on such documents.
async fn has_no_children(
    reference: &ExtendedReference,
    keys: &[Bson],
    exec: &Exec,
) -> Result<bool> {
    let mut fields = reference.fields.iter();
    if fields.any(|copied| copied.fold.stored_part().is_some()) {
        return Ok(false);
    }
    let place = Place::at(&reference.source).durable();
    let find = FindCommand::new(place, any_of(&reference.source_key, keys.to_vec()));
    let is_any = exec.any(find.collation(simple()).finds_none()).await?;
    Ok(!is_any)
}

/// Computes the values for the given keys on the server.
async fn aggregate(
    reference: &ExtendedReference,
    keys: &[Bson],
    computed: &mut Resolved,
    exec: &Exec,
) -> Result<()> {
    let place = Place::database()
        .for_model(reference.source.shape())
        .durable();
    let aggregate = AggregateCommand::new(place, pipeline(reference, keys));
    let rows = exec.open_lookups(aggregate.collation(simple())).await?;
    rows.for_each(|row| {
        let row = Document::try_from(row).map_err(mongodb::error::Error::from)?;
        if let Some(key) = row.get("k") {
            computed.insert(JoinKey::from(key.clone()), values(reference, &row)?);
        }
        Ok(())
    })
    .await?;
    if exec.is_paper() {
        let keys = keys.iter().cloned().map(JoinKey::from);
        computed.extend(keys.map(|key| (key.clone(), planned(reference, &key))));
    }
    Ok(())
}

/// Returns placeholders, which a plan shows instead of the values.
fn planned(reference: &ExtendedReference, key: &JoinKey) -> Values {
    let key = key.to_bson();
    let fields = reference.fields.iter();
    let now = fields.map(|copied| Some(unknown(&format!("{} of {key} now", copied.from))));
    Values(now.collect())
}

fn pipeline(reference: &ExtendedReference, keys: &[Bson]) -> Vec<Document> {
    let keys = keys.iter();
    let keys: Vec<Bson> = keys
        // `$documents` evaluates expressions, so a key such as `$name` would be interpreted as a path.
        .map(|key| doc! { "k": { "$literal": key.clone() } }.into())
        .collect();
    let mut stages = vec![doc! { "$documents": keys }];
    for (at, copied) in reference.fields.iter().enumerate() {
        let lines = copied.fold.stages(path_of(copied));
        if !lines.is_empty() {
            stages.push(lookup(reference, copied.condition(), lines, &name(at, "")));
        }
        if let Some(part) = copied.fold.stored_part() {
            stages.push(stored(reference, copied, &name(at, part)));
        }
    }
    for (number, filter) in filters(reference).into_iter().enumerate() {
        let group = group(reference, filter.as_ref());
        if group.len() > 1 {
            let group = vec![doc! { "$group": group }];
            stages.push(lookup(reference, filter, group, &group_name(number)));
        }
    }
    stages
}

/// Lists the distinct conditions of the fields.
fn filters(reference: &ExtendedReference) -> Vec<Option<Document>> {
    let mut filters = Vec::new();
    for condition in reference.fields.iter().map(Copied::condition) {
        if !filters.contains(&condition) {
            filters.push(condition);
        }
    }
    filters
}

/// Returns the `$group` stage for all fields that have the same condition.
fn group(reference: &ExtendedReference, filter: Option<&Document>) -> Document {
    let mut group = doc! { "_id": null };
    let fields = reference.fields.iter().enumerate();
    for (at, copied) in fields.filter(|(_, copied)| copied.condition().as_ref() == filter) {
        let accumulators = copied.fold.accumulators(path_of(copied)).into_iter();
        group.extend(accumulators.map(|(part, it)| (name(at, part), it.into())));
    }
    group
}

fn lookup(
    reference: &ExtendedReference,
    filter: Option<Document>,
    stages: Vec<Document>,
    name: &str,
) -> Document {
    let scope = Place::at(&reference.source).scope(filter.unwrap_or_default());
    let scope = (!scope.is_empty()).then(|| doc! { "$match": scope });
    let pipeline: Vec<Document> = scope.into_iter().chain(stages).collect();
    doc! { "$lookup": {
        "from": reference.source.collection(),
        "localField": "k",
        "foreignField": &reference.source_key,
        "pipeline": pipeline,
        "as": name,
    } }
}

/// Returns the `$lookup` stage that reads the stored value of a field.
fn stored(reference: &ExtendedReference, copied: &Copied, name: &str) -> Document {
    let found = vec![
        doc! { "$limit": 1 },
        doc! { "$project": { &copied.to: 1, "_id": 0 } },
    ];
    doc! { "$lookup": {
        "from": reference.target.collection(),
        "localField": "k",
        "foreignField": &reference.key,
        "pipeline": Place::at(&reference.target).scope_stages(found),
        "as": name,
    } }
}

fn values(reference: &ExtendedReference, row: &Document) -> Result<Values> {
    let groups = (0..filters(reference).len()).filter_map(|number| {
        let group = row.get_array(group_name(number)).ok()?.first()?;
        group.as_document()
    });
    let groups: Vec<&Document> = groups.collect();
    let value = |(at, copied): (usize, &Copied)| {
        let computed = |part: &str| {
            let name = name(at, part);
            if part == "stored" {
                let found = row.get_array(&name).ok()?.first()?.as_document()?;
                return found.get(&copied.to).cloned();
            }
            let mut of_groups = groups.iter().filter_map(|group| group.get(&name));
            row.get(&name).or_else(|| of_groups.next()).cloned()
        };
        let value = copied.fold.value(computed);
        let value = value.map_err(|why| unheld(reference, copied, why, row));
        value.map(Some)
    };
    let values = reference.fields.iter().enumerate().map(value);
    Ok(Values(values.collect::<Result<_>>()?))
}

/// Returns the error for a value that does not fit into the field. The error contains the id of the parent, so that the
/// caller can continue with the other parents.
fn unheld(reference: &ExtendedReference, copied: &Copied, why: Unheld, row: &Document) -> Error {
    let is_id = reference.key == "_id";
    let id = row.get("k").filter(|_| is_id).cloned().map(Box::new);
    if let Unheld::Full { len, max } = why {
        return Error::BoundExceeded {
            model: reference.target.name(),
            id,
            field: copied.to.clone(),
            max,
            len: Some(len),
        };
    }
    Error::Overflow {
        model: reference.target.name(),
        collection: reference.target.collection().to_owned(),
        id,
        field: copied.to.clone(),
        summary: copied.from.clone(),
        children: reference.source.name(),
    }
}

fn path_of(copied: &Copied) -> &str {
    copied.reads.first().map_or("_id", String::as_str)
}

fn group_name(number: usize) -> String {
    format!("g{number}")
}

fn name(at: usize, part: &str) -> String {
    format!("v{at}{part}")
}
