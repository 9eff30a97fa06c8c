//! Finds copies that differ from their source. The check has three steps, and each step reads less data than the
//! previous one.
//!
//! | step | contents |
//! |---|---|
//! | [`groups`] | groups the copies by key and value, with one aggregation |
//! | [`compare`](mod@compare) | compares the groups with the sources, by the same rules as writes |
//! | [`confirmation`] | reads the suspects again, in one transaction with their sources and jobs |

mod compare;
mod confirmation;
mod groups;
pub(super) mod repair;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, RawDocument, RawDocumentBuf};

use super::{
    Invariant, Invariants, Query, Repairing, Scope,
    finding::Drifted,
    group::Group,
    list,
    walk::{Confirmed, Seen, SuspectStream, Walked, suspect_stream},
};
use crate::{
    batches::parts,
    client::{
        command::{FindCommand, simple},
        odm::Exec,
        place::Place,
        plan::Statement,
    },
    derived::values::{Resolved, SourceValues, read_sources, tied},
    error::Result,
    graph::{Nulls, Sources, graph},
    model::shape::{AnyModel, ModelShape},
    value::key::JoinKey,
};
use compare::{Copies, compare};
use confirmation::Suspects;
use groups::value_name;

/// Number of groups that the check compares after one read of their sources. If the sources store the keys, fewer
/// groups are compared at a time, because many sources can contain the same key.
const GROUPS: usize = 5_000;
const GROUPS_BY_SOURCE: usize = 1_000;

/// Number of keys in one query for documents. Each key may require a separate condition.
const KEYS: usize = 100;

/// The groups of copies that have the same key. The key is `None` for null references.
struct CopiesOfKey {
    key: Option<JoinKey>,
    groups: Vec<RawDocumentBuf>,
}

/// Lists all extended references that have copies. The arrays of two-way references do not count as copies, because the
/// check of two-way references compares these arrays.
pub(super) fn all(scope: &Scope<'_>) -> Invariants {
    let compared = graph().references.iter().filter_map(|reference| {
        let fields = reference.fields.iter().enumerate();
        let copied = fields.filter(|(_, field)| field.fold.key_of_elements().is_none());
        let copied: BTreeSet<usize> = copied.map(|(at, _)| at).collect();
        (!copied.is_empty()).then(|| reference.part(&copied))
    });
    let copies = compared.map(|reference| {
        let beside = reference.key_beside_copies().and_then(|key| {
            let mut references = scope.references.iter();
            references.find(|it| it.stored.is_at(&reference.target, &key))
        });
        Copies {
            nulls: beside.map_or(Nulls::Allowed, |it| it.stored.nulls()),
            reference,
        }
    });
    list(copies)
}

/// Whether a reference has copies. If so, the check of these copies also covers the reference.
pub(super) fn has_copies(model: &ModelShape, key_path: &str) -> bool {
    let mut references = graph().copied_into(model.documents());
    references.any(|it| it.key_beside_copies().as_deref() == Some(key_path))
}

impl Invariant for Copies {
    fn names(&self) -> Vec<String> {
        vec![self.reference.name.clone()]
    }

    fn models(&self) -> Vec<&'static ModelShape> {
        let models = [&self.reference.target, &self.reference.source];
        models.map(AnyModel::shape).to_vec()
    }

    fn query(&self) -> Query {
        Query::Aggregate(groups::aggregate(&self.reference).into())
    }

    fn repair(self: Arc<Self>, repairing: Repairing<'_>) -> BoxFuture<'_, Result<()>> {
        Box::pin(async move { repair::repair(&self.reference, repairing).await })
    }

    fn plan(&self, findings: &[&Drifted], grace: Duration) -> Vec<Statement> {
        repair::plan(&self.reference, findings, grace)
    }
}

impl Walked for Copies {
    type Item = CopiesOfKey;
    type Suspects = Suspects;

    fn read(&self, raw: &RawDocument) -> Seen<CopiesOfKey> {
        let item = Group::read(raw).map(|group| CopiesOfKey {
            key: group.key(),
            groups: vec![raw.to_owned()],
        });
        item.map_or(Seen::UnreadableKey, Seen::Item)
    }

    fn batch_size(&self) -> usize {
        match self.reference.sources() {
            Sources::OneById => GROUPS,
            Sources::FirstByKey | Sources::All => GROUPS_BY_SOURCE,
        }
    }

    fn places(&self, item: &CopiesOfKey) -> u64 {
        item.groups().map(|group| group.count).sum()
    }

    /// Joins the groups that have the same key, so that a key that cannot be compared causes only one finding.
    fn join(batch: Vec<CopiesOfKey>) -> Vec<CopiesOfKey> {
        let mut joined: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for item in batch {
            joined.entry(item.key).or_default().extend(item.groups);
        }
        let joined = joined.into_iter();
        let joined = joined.map(|(key, groups)| CopiesOfKey { key, groups });
        joined.collect()
    }

    async fn suspects(
        &self,
        batch: &[CopiesOfKey],
        exec: &Exec,
    ) -> Result<SuspectStream<Suspects>> {
        let keys = batch.iter().filter_map(|it| it.key.clone());
        let resolved = read_sources(&self.reference, keys, exec).await?;
        let differing = batch.iter().filter(|it| it.differ(self, &resolved));
        let differing: Vec<_> = differing.map(|it| it.key.clone()).collect();
        let of_keys = |keys: Vec<JoinKey>, no_key| Suspects {
            copies: self.clone(),
            keys,
            no_key,
            lo: None,
        };
        let no_key = differing.contains(&None);
        let no_key = no_key.then(|| of_keys(Vec::new(), true));
        let keys: Vec<JoinKey> = differing.into_iter().flatten().collect();
        let keys = parts(&keys, KEYS, JoinKey::size);
        let with_key = keys.map(|keys| of_keys(keys.to_vec(), false));
        Ok(suspect_stream(no_key.into_iter().chain(with_key)))
    }

    async fn confirm(&self, suspects: Suspects, exec: &Exec) -> Result<Confirmed<Suspects>> {
        confirmation::read(suspects, exec).await
    }

    async fn document_with(&self, item: &CopiesOfKey, exec: &Exec) -> Option<Bson> {
        let key = item.key.as_ref()?.to_bson();
        let place = Place::at(&self.reference.target);
        let find = FindCommand::new(place, tied(&self.reference, &[key]));
        let find = find.first().collation(simple());
        exec.ids(find).await.ok()?.pop()
    }

    fn key_path(&self) -> String {
        self.reference.key_path()
    }
}

impl CopiesOfKey {
    fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        self.groups.iter().filter_map(|raw| Group::read(raw))
    }

    /// Whether some of the copies differ from their source.
    fn differ(&self, copies: &Copies, resolved: &Resolved) -> bool {
        let key = self.key.as_ref();
        let source = SourceValues::of_key(resolved, key);
        self.groups().any(|group| {
            let copy = |at| group.value(&value_name(at));
            !compare(copies, source, key, copy).is_empty()
        })
    }
}
