//! Finds the owners of references to deleted documents, and determines which keys no longer exist in any document.

use std::collections::HashSet;

use mongodb::bson::{Bson, Document, doc};

use crate::{
    batches::{parts_of, size_of},
    client::{
        command::{AggregateCommand, FindCommand, simple},
        odm::Exec,
        place::Place,
    },
    derived::follow::deleted_document::DeletedDocuments,
    error::Result,
    graph::StoredReference,
    value::{
        key::{JoinKey, any_of},
        path::each_value,
    },
};

/// Returns the query for the owners of references to the given keys. The query uses the collation of the index on the
/// reference.
pub(super) fn owners(rule: &StoredReference, keys: &[Bson], place: Place) -> FindCommand {
    let filter = any_of(&rule.path(), keys.to_vec());
    FindCommand::new(place, filter).collation(simple())
}

/// Splits keys or ids into parts that fit into one statement. Usually there is only one part.
pub(super) fn in_statements(keys: &[Bson], exec: &Exec) -> Vec<Vec<Bson>> {
    let parts = parts_of(keys, usize::MAX, exec.settings().key_bytes(), size_of);
    parts.map(<[Bson]>::to_vec).collect()
}

/// Returns those of the given keys that no remaining document has. A key can still exist because the document was
/// stored again, or because two documents have the same key. References to such a key are not dangling. `place` selects
/// the documents to search.
pub(super) async fn keys_without_document(
    rule: &StoredReference,
    mut keys: Vec<JoinKey>,
    place: &Place,
    going: &DeletedDocuments,
    exec: &Exec,
) -> Result<Vec<JoinKey>> {
    let (path, collection) = (rule.target.path.as_str(), rule.target.model.collection);
    let mut held = HashSet::new();
    let wanted: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    for some in in_statements(&wanted, exec) {
        let mut filter = any_of(path, some);
        if going.count(collection) > 0 {
            // The conditions are combined by `$and`. Otherwise, if the key is the `_id`, the second condition on `_id`
            // would replace the first one.
            let stays = doc! { "_id": { "$nin": going.ids(collection) } };
            filter = doc! { "$and": [filter, stays] };
        }
        let pipeline = vec![
            doc! { "$match": filter },
            // Many documents may share a key, so the `$group` stage returns each key only once.
            doc! { "$group": { "_id": format!("${path}") } },
        ];
        let find = AggregateCommand::new(place.clone(), pipeline);
        let find = find.collation((path != "_id").then(simple));
        for found in exec.documents(find).await? {
            add_all(&found, &mut held);
        }
    }
    keys.retain(|key| !held.contains(key));
    Ok(keys)
}

/// Adds the keys in one group. If the key's path contains arrays, the group's `_id` is an array of keys.
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
