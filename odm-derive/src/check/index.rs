//! Checks declared indexes.

use std::collections::HashSet;

use crate::{
    error::Errors,
    ir::{Index, IndexKind, Record},
};

/// Checks that the server can create each declared index.
pub(crate) fn declared(record: &Record, errors: &mut Errors) {
    let mut names = HashSet::new();
    let texts = record
        .indexes()
        .filter(|index| index.kinds().contains(&IndexKind::Text));
    for again in texts.skip(1) {
        let message = "a collection has one text index; put all its fields into `index(keys(first = \"text\", second = \"text\"))`";
        errors.at(&again.attribute, message);
    }
    stored_keys(record, errors);
    for index in record.indexes() {
        keys(index, errors);
        options(index, errors);
        unique_of_tenant(record, index, errors);
        collation(index, errors);
        if let Some(name) = &index.name {
            if name.value().is_empty() {
                errors.at(
                    name,
                    "the name of the index is empty; name it or remove `name`",
                );
            } else if !names.insert(name.value()) {
                errors.at(name, "two indexes have this name; rename one of them");
            }
        }
    }
}

/// Rejects a flattened field as the key of an index, because documents do not contain such a field.
fn stored_keys(record: &Record, errors: &mut Errors) {
    let of_model = record.model().map(|model| model.indexes.iter());
    let keys = of_model.into_iter().flatten().flat_map(|index| &index.keys);
    for key in keys {
        let [name] = key.path.fields.as_slice() else {
            continue;
        };
        if record.field(name).is_some_and(|field| field.flatten) {
            let message = format!(
                "serde flattens `{name}`, so documents have no field of this name; write a field inside it: `{name}.name = 1`"
            );
            errors.at(&key.path, message);
        }
    }
}

fn keys(index: &Index, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for key in &index.keys {
        if !seen.insert(key.path.to_string()) {
            errors.at(
                &key.path,
                format!("the index has `{}` twice; remove one of them", key.path),
            );
        }
    }
}

fn options(index: &Index, errors: &mut Errors) {
    if let Some(expire) = index
        .expire_after_secs
        .as_ref()
        .filter(|_| index.keys.len() > 1)
    {
        let remedy = "put it on an index of only the date";
        errors.at(
            &expire.written,
            format!("`expire_after_secs` needs an index with one key; {remedy}"),
        );
    }
    let expire = index.expire_after_secs.as_ref();
    if let Some(expire) = expire.filter(|expire| i32::try_from(expire.value).is_err()) {
        errors.at(
            &expire.written,
            "`expire_after_secs` is at most 2147483647, which is 68 years; write a smaller number",
        );
    }
    of_kind(index, errors);
    if let Some(unique) = index
        .unique
        .as_ref()
        .filter(|_| index.kinds().contains(&IndexKind::Hashed))
    {
        errors.at(
            unique,
            "a hashed index cannot be `unique`; remove one of the two",
        );
    }
    if let Some(partial) = &index.partial {
        let filter = partial.value();
        let filter = filter.trim();
        if !filter.starts_with('{') || !filter.ends_with('}') {
            let remedy = "write `partial = r#\"{\"qty\": {\"$gt\": 0}}\"#`";
            errors.at(
                partial,
                format!("`partial` needs a filter in extended JSON; {remedy}"),
            );
        }
    }
    if let (Some(_), Some(sparse)) = (&index.partial, &index.sparse) {
        let message = "an index is `partial` or `sparse`, not both; remove one of them";
        errors.at(sparse, message);
    }
}

/// Rejects a unique TTL index of a model with a tenant. A TTL index has only one key, so it does not begin with the
/// tenant and would be unique across all tenants.
fn unique_of_tenant(record: &Record, index: &Index, errors: &mut Errors) {
    let has_tenant = record.model().is_some_and(|model| model.tenant.is_some());
    if !has_tenant || index.expire_after_secs.is_none() {
        return;
    }
    if let Some(unique) = &index.unique {
        let message = "a TTL index does not contain the tenant, so its values would be unique across all tenants; remove \
                       `unique`, and add `index(keys(..), unique)` to `#[model(..)]`";
        errors.at(unique, message);
    }
}

/// Checks the server's rules that depend on the type of an index. Only ascending and descending indexes can expire
/// documents. Text and `2d` indexes require the simple collation.
fn of_kind(index: &Index, errors: &mut Errors) {
    let plain = [IndexKind::Ascending, IndexKind::Descending];
    let expire = index.expire_after_secs.as_ref();
    if let Some(expire) = expire.filter(|_| index.kinds().iter().any(|it| !plain.contains(it))) {
        let message = "an index of this kind cannot expire documents; put `expire_after_secs` on an index of the date with 1 or -1";
        errors.at(&expire.written, message);
    }
    let uncollated = [IndexKind::Text, IndexKind::TwoD];
    let locale = index.locale.as_ref().filter(|it| it.value() != "simple");
    if let Some(locale) = locale.filter(|_| index.kinds().iter().any(|it| uncollated.contains(it)))
    {
        let message = "an index of this kind has no collation; remove `locale`, or write `locale = \"simple\"`";
        errors.at(locale, message);
    }
}

fn collation(index: &Index, errors: &mut Errors) {
    let Some(strength) = &index.strength else {
        return;
    };
    if !(1..=5).contains(&strength.value) {
        errors.at(
            &strength.written,
            "`strength` is from 1 to 5; 2 ignores case",
        );
    }
    if index.locale.is_none() {
        errors.at(
            &strength.written,
            "`strength` needs `locale`; write `locale = \"en\"` too",
        );
    }
}
