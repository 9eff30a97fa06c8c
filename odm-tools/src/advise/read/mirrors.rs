//! Finds sampled keys of two-way references whose targets do not refer back.

use std::collections::{BTreeMap, BTreeSet};

use mongo_odm::{
    __tools::path::{each_value, value_through},
    JoinKey, Result,
    shape::{ModelShape, walk},
};
use mongodb::bson::{Bson, Document};

use super::{
    Reader, excuse, note,
    statements::{KEYS, again, by_keys, is_found_by},
};
use crate::advise::{
    need::Need,
    seen::{SeenCollection, SeenPair},
    subject::{ModelField, may_hold},
};

/// One side of a two-way reference.
struct Side {
    model: &'static ModelShape,
    /// The path of the keys on this side. The next two fields contain the other model, and the path in that model to
    /// which these keys refer.
    path: String,
    target: &'static ModelShape,
    target_path: String,
    /// The path of the keys in the other model, and the path to which they refer in this model.
    back: String,
    own_path: String,
}

/// Looks up the other side of each two-way reference. Sends one `find` for each two-way reference, and a second one if
/// references back are missing.
pub(super) async fn read(
    reader: &Reader,
    seen: &mut SeenCollection,
    sample: &[Document],
) -> Result<()> {
    let sides: Vec<_> = seen.fields.iter().filter_map(Side::of).collect();
    for (field, side) in sides {
        match look(reader, &side, sample).await {
            Ok(Some(pair)) => seen.pairs.push(SeenPair {
                path: field,
                ..pair
            }),
            Ok(None) => {}
            Err(error) => note(seen, Need::Targets, excuse(error)?),
        }
    }
    Ok(())
}

impl Side {
    /// Returns the side of a two-way reference that a field stores, together with the field's stored path.
    fn of(field: &ModelField) -> Option<(String, Self)> {
        let (reference, path) = field.reference()?;
        let inverse = reference.inverse?;
        let target = (reference.target)();
        let fields = walk(target.fields).into_iter();
        let back = fields.map(|stored| ModelField {
            model: target,
            stored,
        });
        let back = back
            .into_iter()
            .find(|it| it.stored.shape.name == inverse)?;
        let (back_reference, back_path) = back.reference()?;
        let side = Self {
            model: field.model,
            path,
            target,
            target_path: reference.target_path(),
            back: back_path,
            own_path: back_reference.target_path(),
        };
        Some((field.stored.path.clone(), side))
    }
}

async fn look(reader: &Reader, side: &Side, sample: &[Document]) -> Result<Option<SeenPair>> {
    let (collection, kind) = (side.target.collection, side.target.kind.as_ref());
    if !is_found_by(reader, collection, &side.target_path, kind).await? {
        return Ok(None);
    }
    let links = links(side, sample);
    let mut pair = SeenPair {
        path: side.path.clone(),
        inverse: format!("{}.{}", side.target.name, side.back),
        keys: links.len() as u64,
        one_sided: 0,
        example: None,
    };
    let lonely = one_sided(reader, side, links).await?;
    if !lonely.is_empty() {
        let ids = lonely
            .iter()
            .map(|it| JoinKey::from(it.id.clone()))
            .collect();
        let documents = again(reader, side.model.collection, &ids).await?;
        let lonely = one_sided(reader, side, self::links(side, &documents)).await?;
        pair.one_sided = lonely.len() as u64;
        pair.example = lonely.first().map(|it| it.id.clone());
    }
    Ok(Some(pair))
}

/// A key, the `_id` of the document that contains the key, and the key that the other side should contain.
struct Link {
    id: Bson,
    own: JoinKey,
    key: JoinKey,
}

fn links(side: &Side, documents: &[Document]) -> Vec<Link> {
    let mut links = Vec::new();
    for document in documents.iter().filter(|it| may_hold(side.model, it)) {
        let own = value_through(document, &side.own_path).map(JoinKey::from);
        let (Some(id), Some(own)) = (document.get("_id"), own) else {
            continue;
        };
        each_value(document, &side.path, &mut |key| {
            let key = JoinKey::from(key.clone());
            if !key.is_null() && links.len() < KEYS {
                links.push(Link {
                    id: id.clone(),
                    own: own.clone(),
                    key,
                });
            }
        });
    }
    links
}

/// Returns the keys for which the target exists but does not refer back. Keys without a target are dangling references,
/// which check R5 reports.
async fn one_sided(reader: &Reader, side: &Side, links: Vec<Link>) -> Result<Vec<Link>> {
    let keys: BTreeSet<_> = links.iter().map(|link| link.key.clone()).collect();
    let wanted = [side.target_path.clone(), side.back.clone()];
    let found = by_keys(reader, side.target, &side.target_path, &keys, &wanted).await?;
    let mut named: BTreeMap<JoinKey, BTreeSet<JoinKey>> = BTreeMap::new();
    for document in &found {
        let mut back = BTreeSet::new();
        each_value(document, &side.back, &mut |key| {
            back.insert(JoinKey::from(key.clone()));
        });
        each_value(document, &side.target_path, &mut |key| {
            named
                .entry(JoinKey::from(key.clone()))
                .or_default()
                .extend(back.clone());
        });
    }
    let is_one_sided = |link: &Link| {
        let back = named.get(&link.key);
        back.is_some_and(|back| !back.contains(&link.own))
    };
    Ok(links.into_iter().filter(is_one_sided).collect())
}
