//! Finds stale copies in the sample.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use mongo_odm::{
    __tools::{is_behind, path::value_at},
    DerivedKind, JoinKey, Result,
    shape::ModelShape,
};
use mongodb::bson::{Bson, Document};

use super::{
    Reader, excuse, note,
    statements::{KEYS, again, by_keys},
};
use crate::{
    advise::{
        derived::DerivedField,
        need::Need,
        seen::{SeenCollection, SeenCopies, SeenDatabase},
        subject::may_hold,
    },
    paths::each_struct,
};

/// A copy, the key stored next to it, and the `_id` of the document that contains both.
#[derive(PartialEq)]
struct OneCopy {
    id: Bson,
    key: JoinKey,
    value: Bson,
}

/// The copies in one field. Each copy is stored next to its key and has a single source document.
struct PlainCopies<'d> {
    of: &'d DerivedField,
    relation: &'d str,
    /// The path of the struct that contains the key and the copy, and the paths of both within this struct.
    place: &'d str,
    key: &'d str,
    copy: &'d str,
    model: &'static ModelShape,
    source: &'static ModelShape,
}

impl<'d> PlainCopies<'d> {
    /// Returns the copies of a field if their keys are the `_id`s of the sources. Only `verify` checks other copies,
    /// because special rules apply to them.
    fn from_field(of: &'d DerivedField, seen: &SeenDatabase) -> Option<Self> {
        let derived = of.derived.as_ref()?;
        let key = &derived.via.as_ref()?.path;
        let relation = derived.relation.as_deref()?;
        // The name of a relation contains the path of the target's key only if the key is not `_id`.
        let is_plain = relation.ends_with(&format!(".{key} <- {}", derived.from.model));
        if derived.kind != DerivedKind::Copy || !is_plain {
            return None;
        }
        let (place, copy) = of.path.rsplit_once('.').unwrap_or(("", &of.path));
        let key = match place {
            "" => key.as_str(),
            place => key.strip_prefix(place)?.strip_prefix('.')?,
        };
        Some(Self {
            of,
            relation,
            place,
            key,
            copy,
            model: seen.model(&of.collection, &of.model)?,
            source: seen.model(&derived.from.collection, &derived.from.model)?,
        })
    }

    /// Returns the path of the source.
    fn from(&self) -> &'d str {
        let derived = self.of.derived.as_ref();
        derived.map_or("", |derived| derived.from.path.as_str())
    }
}

/// Looks up the sources of the sampled copies. Sends one `find` for each copied field. If copies differ from their
/// sources, also sends an aggregation over the jobs and a second pair of `find`s.
pub(super) async fn read(
    reader: &Reader,
    seen: &mut SeenCollection,
    sample: &[Document],
) -> Result<()> {
    let database = Arc::clone(&seen.database);
    if database.jobs.is_none() {
        return Ok(());
    }
    let name = seen.name.clone();
    let own = database.derived.iter().filter(|it| it.collection == name);
    for copies in own.filter_map(|it| PlainCopies::from_field(it, &database)) {
        match look(reader, &copies, sample, &name).await {
            Ok(Some(found)) => seen.stale.push(found),
            Ok(None) => seen.has_jobs = true,
            Err(error) => note(seen, Need::Targets, excuse(error)?),
        }
    }
    Ok(())
}

/// Returns the stale copies. Returns `None` if copies differ but a pending job may still update them.
async fn look(
    reader: &Reader,
    copies: &PlainCopies<'_>,
    sample: &[Document],
    collection: &str,
) -> Result<Option<SeenCopies>> {
    let all = copies_in(copies, sample);
    let mut found = SeenCopies {
        path: copies.of.path.clone(),
        source: format!("{}.{}", copies.source.name, copies.from()),
        relation: copies.relation.to_owned(),
        copies: all.len() as u64,
        stale: 0,
        example: None,
    };
    let differ = stale(reader, copies, all).await?;
    if !differ.is_empty() {
        // The jobs are read before the second lookup. If a job ends between these two reads, the second lookup sees the
        // job's updates.
        reader.in_time()?;
        let jobs = reader.reads.odm().jobs().relations().await?;
        if is_behind(copies.relation, &jobs) {
            return Ok(None);
        }
        let ids = differ
            .iter()
            .map(|(it, _)| JoinKey::from(it.id.clone()))
            .collect();
        let documents = again(reader, collection, &ids).await?;
        let mut still = stale(reader, copies, copies_in(copies, &documents)).await?;
        still.retain(|it| differ.contains(it));
        found.stale = still.len() as u64;
        let first = still.into_iter().next();
        found.example = first.map(|(it, source)| (it.id, it.value, source));
    }
    Ok(Some(found))
}

fn copies_in(copies: &PlainCopies<'_>, documents: &[Document]) -> Vec<OneCopy> {
    let mut all = Vec::new();
    for document in documents.iter().filter(|it| may_hold(copies.model, it)) {
        let Some(id) = document.get("_id") else {
            continue;
        };
        each_struct(document, copies.place, &mut |inner| {
            let key = value_at(inner, copies.key).cloned().map(JoinKey::from);
            if let Some(key) = key.filter(|key| !key.is_null() && all.len() < KEYS) {
                all.push(OneCopy {
                    id: id.clone(),
                    key,
                    value: inner.get(copies.copy).cloned().unwrap_or(Bson::Null),
                });
            }
        });
    }
    all
}

/// Returns the copies that differ from an existing source, each with the value of the source.
async fn stale(
    reader: &Reader,
    copies: &PlainCopies<'_>,
    all: Vec<OneCopy>,
) -> Result<Vec<(OneCopy, Bson)>> {
    let keys: BTreeSet<_> = all.iter().map(|copy| copy.key.clone()).collect();
    let wanted = [copies.from().to_owned()];
    let found = by_keys(reader, copies.source, "_id", &keys, &wanted).await?;
    let mut sources = BTreeMap::new();
    for document in found {
        let value = value_at(&document, copies.from())
            .cloned()
            .unwrap_or(Bson::Null);
        if let Some(id) = document.get("_id") {
            sources.insert(JoinKey::from(id.clone()), value);
        }
    }
    let differ = all.into_iter().filter_map(|copy| {
        let source = sources.get(&copy.key)?;
        // A missing field counts as null, both in the source and in the copy.
        (*source != copy.value).then(|| (copy, source.clone()))
    });
    Ok(differ.collect())
}
