//! The update that takes keys of deleted documents out of others.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    copy::{Rule, graph, key_condition},
    path::join,
    shape::OnDelete,
};

/// Returns the update that removes keys, with the copies beside them, and its array filters.
pub(super) fn removal(rule: &Rule, keys: &[Bson]) -> (Document, Vec<Document>) {
    let key = key_condition(keys);
    let mut filters = rule.place.array_filters(&rule.key, &key);
    if let (OnDelete::Nullify, Some(whole)) = (rule.policy, &rule.whole) {
        filters.truncate(whole.arrays.len());
        return (
            doc! { "$set": { whole.update_path(""): Bson::Null } },
            filters,
        );
    }
    if rule.policy == OnDelete::Nullify {
        let mut set = doc! { rule.place.update_path(&rule.key): Bson::Null };
        for reference in graph().within(rule.owner.collection) {
            if reference.place == rule.place && reference.key == rule.key {
                let optional = reference.fields.iter().filter(|copied| copied.optional);
                set.extend(optional.map(|it| (reference.place.update_path(&it.to), Bson::Null)));
            }
        }
        return (doc! { "$set": set }, filters);
    }
    if rule.many {
        let path = rule.place.update_path(&rule.key);
        return (doc! { "$pull": { path: key } }, filters);
    }
    // The element goes as a whole: its array is named, and only the arrays above it are searched.
    filters.pop();
    let mut path = String::new();
    for (level, array) in rule.place.arrays.iter().enumerate() {
        path = join(&path, array);
        if level + 1 < rule.place.arrays.len() {
            path = format!("{path}.$[l{level}]");
        }
    }
    let element = doc! { rule.place.relative(&rule.key): key };
    (doc! { "$pull": { path: element } }, filters)
}
