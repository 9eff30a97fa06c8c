//! The documents that refer to deleted ones, and the keys that nobody has any more.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document, doc};

use super::deleted_document::DeletedDocuments;
use crate::{
    batches::{parts_of, size_of},
    client::{
        command::{AggregateCommand, FindCommand, simple},
        odm::Exec,
        place::Place,
    },
    error::Result,
    graph::Rule,
    value::{
        key::{JoinKey, any_of},
        path::each_value,
    },
};

/// Returns the query for documents that hold a reference: under the collation of its index.
pub(super) fn owners(rule: &Rule, keys: &[Bson]) -> FindCommand {
    let filter = any_of(&rule.key_path(), keys.to_vec());
    FindCommand::new(Place::of(rule.owner), filter).collation(simple())
}

/// Cuts keys or ids into parts that a statement can hold; mostly it is one.
pub(super) fn in_statements(keys: &[Bson], exec: &Exec) -> Vec<Vec<Bson>> {
    let parts = parts_of(keys, usize::MAX, exec.settings().range_bytes, size_of);
    parts.map(<[Bson]>::to_vec).collect()
}

/// Keeps the keys that no document has but those that are to be deleted. A reference to another is as good
/// as before: the document was made again, or shares its key with one that is deleted.
pub(super) async fn lost(
    rule: &Rule,
    mut keys: Vec<JoinKey>,
    going: &DeletedDocuments,
    exec: &Exec,
) -> Result<Vec<JoinKey>> {
    let (path, collection) = (rule.target_key.as_str(), rule.target.collection);
    let mut held = HashSet::new();
    let wanted: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    for some in in_statements(&wanted, exec) {
        let mut filter = any_of(path, some);
        if going.count(collection) > 0 {
            // In `$and`: if the key is `_id` itself, a second condition under this name would replace the first.
            let stays = doc! { "_id": { "$nin": going.ids(collection) } };
            filter = doc! { "$and": [filter, stays] };
        }
        let pipeline = vec![
            doc! { "$match": filter },
            // Many documents may share a key, and only the keys are needed.
            doc! { "$group": { "_id": format!("${path}") } },
        ];
        let find = AggregateCommand::new(Place::of(rule.target), pipeline);
        let find = find.collation((path != "_id").then(simple));
        for found in exec.documents(find).await? {
            add_all(&found, &mut held);
        }
    }
    keys.retain(|key| !held.contains(key));
    Ok(keys)
}

/// Adds the keys of one group: where there are arrays on the path, they are in arrays.
fn add_all(group: &Document, held: &mut HashSet<JoinKey>) {
    let mut arrays = Vec::new();
    each_value(group, "_id", &mut |key| arrays.push(key));
    while let Some(key) = arrays.pop() {
        if let Bson::Array(inner) = key {
            arrays.extend(inner);
        }
        held.insert(JoinKey::from(key.clone()));
    }
}
