//! Deletes sources, and does what the references to them say (`on_delete`).

use mongodb::{
    bson::{Bson, Document, doc},
    options::UpdateModifications,
};

use super::{
    change::{Change, entries, keys_of_rule},
    follow::{Follow, Followed, follow},
};
use crate::{
    command::{Delete, Find, Update},
    copy::{Image, Images, Rule, graph, key_condition, projection, simple},
    error::{Error, Result},
    key::{JoinKey, any_of},
    odm::Exec,
    outbox::{Phase, record_all},
    path::{each_value, join},
    place::Place,
    shape::OnDelete,
};

/// Deletes documents in a transaction, with everything that follows; returns how many there were.
pub(crate) async fn delete(
    place: &Place,
    ids: Vec<Bson>,
    how: Follow,
    exec: &Exec,
) -> Result<(u64, Followed)> {
    let collection = place.name();
    let images = Images::of(collection).with(exec.foreign(collection).await?);
    let rules: Vec<&'static Rule> = graph().rules(collection).collect();
    let paths = images
        .references
        .iter()
        .flat_map(|reference| reference.source_paths());
    let paths = paths.chain(rules.iter().map(|rule| rule.target_key.as_str()));
    let by_ids = doc! { "_id": key_condition(&ids) };
    let read = Find::new(place.clone(), by_ids.clone()).select(projection(paths));
    let before = exec.documents(read.all()).await?;
    for rule in rules
        .iter()
        .filter(|rule| rule.policy == OnDelete::Restrict)
    {
        restrict(rule, &before, &ids, exec).await?;
    }
    let mut changes = Vec::new();
    for image in &before {
        let change = Change::new(collection, &images, Some(image), None);
        changes.extend(change);
    }
    if !exec.in_transaction() {
        // Without a transaction the job comes first: a crash leaves it, and it finds the source gone.
        let entries = entries(&changes, Phase::Run);
        record_all(&entries, exec).await?;
    }
    let deleted = exec.send(Delete::many(place.clone(), by_ids)).await?;
    let acting: Vec<_> = rules.into_iter().filter(|rule| rule.acts()).collect();
    let how = if how == Follow::Converge && !fits(&acting, &before, exec).await? {
        Follow::Deferred
    } else {
        how
    };
    let mut followed = Followed::default();
    if how != Follow::Deferred && exec.in_transaction() {
        for rule in acting {
            for key in keys_of_rule(rule, &before) {
                let ids = owner_ids(rule, &key, None, &[], exec).await?;
                let (_, more) = Box::pin(unlink_as(rule, &key, ids, how, exec)).await?;
                followed.extend(more);
            }
        }
    }
    followed.extend(follow(changes, how, exec).await?);
    Ok((deleted, followed))
}

/// Refuses a delete while others refer to the document; those that are deleted with it do not count.
async fn restrict(rule: &Rule, before: &[Image], ids: &[Bson], exec: &Exec) -> Result<()> {
    let keys: Vec<Bson> = keys_of_rule(rule, before)
        .iter()
        .map(JoinKey::to_bson)
        .collect();
    if keys.is_empty() {
        return Ok(());
    }
    let mut others = Document::new();
    if rule.owner.collection == rule.target.collection {
        others.insert("_id", doc! { "$nin": ids.to_vec() });
    }
    let key = projection([rule.key_path().as_str()]);
    let owner = owners(rule, keys.clone()).and(others);
    let owner = owner.select(key).first().finds_none();
    let Some(owner) = exec.documents(owner).await?.pop() else {
        return Ok(());
    };
    let mut by = Bson::Null;
    each_value(&owner, &rule.key_path(), &mut |key| {
        if keys.contains(key) {
            by = key.clone();
        }
    });
    let error = Error::Restricted {
        model: rule.target.name,
        collection: rule.target.collection,
        reference: rule.name.clone(),
        key: Box::new(by),
    };
    exec.poison(&error);
    Err(error)
}

/// Whether the documents that rules act on are few enough for one transaction.
async fn fits(rules: &[&'static Rule], before: &[Image], exec: &Exec) -> Result<bool> {
    let mut left = exec.settings().inline_copies;
    for rule in rules {
        let keys: Vec<Bson> = keys_of_rule(rule, before)
            .iter()
            .map(JoinKey::to_bson)
            .collect();
        let mut some = owners(rule, keys).all();
        some.options.limit = i64::try_from(left + 1).ok();
        let found = exec.ids(some).await?;
        match left.checked_sub(found.len() as u64) {
            Some(rest) => left = rest,
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// Returns the query for documents that refer to some keys: under the collation of their index.
fn owners(rule: &Rule, keys: Vec<Bson>) -> Find {
    let filter = any_of(&rule.key_path(), keys);
    Find::new(Place::of(rule.owner), filter).collation(simple())
}

/// Lists the ids of documents that refer to a key, in their order, but for some.
async fn owner_ids(
    rule: &Rule,
    key: &JoinKey,
    size: Option<usize>,
    except: &[Bson],
    exec: &Exec,
) -> Result<Vec<Bson>> {
    let mut others = Document::new();
    if !except.is_empty() {
        others.insert("_id", doc! { "$nin": except.to_vec() });
    }
    let some = owners(rule, vec![key.to_bson()]).and(others);
    let mut some = some.sort(doc! { "_id": 1 }).all();
    some.options.limit = size.and_then(|size| i64::try_from(size).ok());
    exec.ids(some).await
}

/// Finds the document that [`unlink`] would begin with.
pub(crate) async fn first_owner(
    rule: &Rule,
    key: &JoinKey,
    except: &[Bson],
    exec: &Exec,
) -> Result<Option<Bson>> {
    Ok(owner_ids(rule, key, Some(1), except, exec).await?.pop())
}

/// Does what a rule says to some of the documents that refer to a deleted one, unless it is there
/// again; returns how many it were.
pub(crate) async fn unlink(
    rule: &Rule,
    key: &JoinKey,
    size: usize,
    except: &[Bson],
    exec: &Exec,
) -> Result<u64> {
    let ids = owner_ids(rule, key, Some(size), except, exec).await?;
    let done = unlink_as(rule, key, ids, Follow::Deferred, exec);
    Ok(Box::pin(done).await?.0)
}

async fn unlink_as(
    rule: &Rule,
    key: &JoinKey,
    ids: Vec<Bson>,
    how: Follow,
    exec: &Exec,
) -> Result<(u64, Followed)> {
    if ids.is_empty() || !rule.acts() || is_there(rule, key, exec).await? {
        return Ok((0, Followed::default()));
    }
    if rule.policy == OnDelete::Cascade {
        return Box::pin(delete(&Place::of(rule.owner), ids, how, exec)).await;
    }
    let (place, collection) = (Place::of(rule.owner), rule.owner.collection);
    let (update, array_filters) = removal(rule, key);
    let images = Images::of(collection).with(exec.foreign(collection).await?);
    let images = images.touched_by(&UpdateModifications::Document(update.clone()));
    let before = images.by_ids(&place, &ids, exec).await?;
    let count = ids.len() as u64;
    let by_ids = doc! { "_id": key_condition(&ids) };
    let update = Update::many(
        place.clone().durable(),
        by_ids,
        UpdateModifications::Document(update),
    );
    let update = update.array_filters(array_filters).collation(simple());
    exec.send(update.hint(doc! { "_id": 1 })).await?;
    let after = images.by_ids(&place, &ids, exec).await?;
    let changes = Change::between(collection, &images, before, &after);
    Ok((count, follow(changes, how, exec).await?))
}

/// Whether a document has the key after all: it was deleted and made again.
async fn is_there(rule: &Rule, key: &JoinKey, exec: &Exec) -> Result<bool> {
    let filter = any_of(&rule.target_key, vec![key.to_bson()]);
    let collation = (rule.target_key != "_id").then(simple);
    let find = Find::new(Place::of(rule.target), filter).collation(collation);
    exec.any(find.finds_none()).await
}

/// Returns the update that removes a key, with the copies beside it.
fn removal(rule: &Rule, key: &JoinKey) -> (Document, Vec<Document>) {
    let key_value = doc! { "$eq": key.to_bson() };
    let mut filters = rule.place.array_filters(&rule.key, &key_value.into());
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
        return (doc! { "$pullAll": { path: [key.to_bson()] } }, filters);
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
    let element = any_of(&rule.place.relative(&rule.key), vec![key.to_bson()]);
    (doc! { "$pull": { path: element } }, filters)
}
