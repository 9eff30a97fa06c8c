//! The update that takes keys of deleted documents out of others.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    copy::{Rule, graph, key_condition},
    key::{any_of, is_obeyed},
    path::join,
    shape::OnDelete,
};

/// Returns the update that removes keys, with the copies beside them, and its array filters.
pub(super) fn removal(rule: &Rule, keys: &[Bson]) -> (Document, Vec<Document>) {
    let mut filters = filters_of(rule, keys);
    if let (OnDelete::Nullify, Some(whole)) = (rule.policy, &rule.whole) {
        filters.truncate(whole.arrays.len());
        return (
            doc! { "$set": { whole.update_path(""): Bson::Null } },
            filters,
        );
    }
    if rule.policy == OnDelete::Nullify {
        let mut set = doc! { rule.place.update_path(&rule.key): Bson::Null };
        for reference in graph().within(rule.owner.documents()) {
            if reference.place == rule.place && reference.key == rule.key {
                let optional = reference.fields.iter().filter(|copied| copied.optional);
                set.extend(optional.map(|it| (reference.place.update_path(&it.to), Bson::Null)));
            }
        }
        return (doc! { "$set": set }, filters);
    }
    if rule.many {
        let path = rule.place.update_path(&rule.key);
        return (doc! { "$pullAll": { path: keys.to_vec() } }, filters);
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
    let element = any_of(&rule.place.relative(&rule.key), keys.to_vec());
    (doc! { "$pull": { path: element } }, filters)
}

/// Returns the array filters for elements with one of the keys. The server would obey a pattern in a list.
fn filters_of(rule: &Rule, keys: &[Bson]) -> Vec<Document> {
    let (apart, others): (Vec<Bson>, Vec<Bson>) = keys.iter().cloned().partition(is_obeyed);
    let others = Some(others).filter(|keys| !keys.is_empty());
    let groups = apart.into_iter().map(|key| vec![key]).chain(others);
    let filters = groups.map(|keys| rule.place.array_filters(&rule.key, &key_condition(&keys)));
    let either = |(one, other): (Document, Document)| doc! { "$or": [one, other] };
    filters
        .reduce(|all, more| all.into_iter().zip(more).map(either).collect())
        .unwrap_or_default()
}
