//! Finds copies that differ from their source, in three steps. Each step reads less than the previous one.
//!
//! | step | contents |
//! |---|---|
//! | [`groups`] | groups the copies by key and value, with one aggregation |
//! | [`compare`](mod@compare) | compares the groups with the sources, by the same rules as writes |
//! | [`confirmation`] | reads documents that differ again, in one transaction with their sources and jobs |

mod compare;
mod confirmation;
mod groups;
pub(in crate::maintenance) mod repair;

use std::collections::HashSet;

pub(in crate::maintenance) use compare::Copies;
pub(in crate::maintenance) use groups::aggregate;
use mongodb::bson::{Bson, RawDocumentBuf};

use super::{finding::Drifted, finding_stream::EventSender, options::Options, unreadable_key};
use crate::{
    batches::parts,
    client::{
        command::{FindCommand, simple},
        odm::{Exec, each_document},
        place::Place,
    },
    derived::values::{Resolved, SourceValues, read_sources, tied},
    error::Result,
    graph::{ExtendedReference, Sources},
    model::shape::AnyModel,
    value::key::JoinKey,
};
use compare::compare;
use confirmation::Suspects;
use groups::CopyGroup;

/// Number of groups that are compared with one read of their sources. If the sources store the keys, the number is
/// smaller, because many sources can contain the same key.
const GROUPS: usize = 5_000;
const GROUPS_BY_SOURCE: usize = 1_000;

/// Number of keys in one query for documents. Each key can need its own condition.
const KEYS: usize = 100;

/// Compares all copies of an extended reference with their sources, and reports those that differ.
pub(in crate::maintenance) async fn verify(
    copies: Copies,
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let reference = &copies.reference;
    let exec = Exec::on(options.odm.clone());
    let mut batches = exec.open(aggregate(reference)).await?;
    let mut groups: Vec<RawDocumentBuf> = Vec::new();
    let at_once = match reference.sources() {
        Sources::OneById => GROUPS,
        Sources::FirstByKey | Sources::All => GROUPS_BY_SOURCE,
    };
    let mut is_readable = true;
    while let Some(batch) = batches.next().await? {
        each_document(&batch, |raw| {
            if CopyGroup::read(raw).is_readable() {
                groups.push(raw.to_owned());
            } else {
                is_readable = false;
            }
            Ok(())
        })?;
        while groups.len() >= at_once {
            let rest = groups.split_off(at_once);
            differing(&copies, &groups, options, out).await?;
            groups = rest;
        }
    }
    differing(&copies, &groups, options, out).await?;
    if is_readable {
        return Ok(());
    }
    let (name, path) = (&reference.name, reference.key_path());
    unreadable_key::report(name, reference.target.shape(), &path, &options.odm, out).await
}

/// Compares groups of copies with their sources. Then reads the documents in the groups that differ.
async fn differing(
    copies: &Copies,
    groups: &[RawDocumentBuf],
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let groups: Vec<CopyGroup<'_>> = groups.iter().map(|raw| CopyGroup::read(raw)).collect();
    let keys: HashSet<JoinKey> = groups.iter().filter_map(CopyGroup::key).collect();
    let keys: Vec<JoinKey> = keys.into_iter().collect();
    let (resolved, unreadable) = sources(&copies.reference, &keys, options, out).await?;
    let (mut keys, mut no_key) = (Vec::new(), false);
    for group in groups.iter().filter(|it| differs(copies, it, &resolved)) {
        match group.key() {
            Some(key) if unreadable.contains(&key) => {}
            Some(key) => keys.push(key),
            None => no_key = true,
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let suspects = |keys: &[JoinKey], no_key| Suspects {
        copies: copies.clone(),
        keys: keys.to_vec(),
        no_key,
        include_pending: options.pending,
        lo: None,
    };
    if no_key {
        read(suspects(&[], true), options, out).await?;
    }
    for keys in parts(&keys, KEYS, JoinKey::size) {
        read(suspects(keys, false), options, out).await?;
    }
    out.checked(groups.iter().map(|group| group.count).sum())
        .await
}

/// Reads the sources that some keys refer to.
///
/// If the server cannot read the sources, the keys are halved until only one key is left, which is a finding. Such
/// unreadable keys are returned, too.
async fn sources(
    reference: &ExtendedReference,
    keys: &[JoinKey],
    options: &Options,
    out: &EventSender,
) -> Result<(Resolved, HashSet<JoinKey>)> {
    let exec = Exec::on(options.odm.clone());
    let (mut resolved, mut unreadable) = (Resolved::default(), HashSet::new());
    let mut left = vec![keys];
    while let Some(keys) = left.pop() {
        match (
            read_sources(reference, keys.iter().cloned(), &exec).await,
            keys,
        ) {
            (Ok(more), _) => resolved.extend(more),
            (Err(error), [key]) if error.is_about_one_document() => {
                let document = document_with_key(reference, key, &exec).await;
                let models = [&reference.target, &reference.source].map(AnyModel::shape);
                let finding = Drifted::unreadable(&reference.name, &models, &error, document);
                out.add_page(finding.into_iter().collect()).await?;
                unreadable.insert(key.clone());
            }
            (Err(error), keys) if error.is_about_one_document() => {
                let (first, second) = keys.split_at(keys.len() / 2);
                left.extend([second, first]);
            }
            (Err(error), _) => return Err(error),
        }
    }
    Ok((resolved, unreadable))
}

/// Finds a document that contains a key, if the server can search for the key.
async fn document_with_key(
    reference: &ExtendedReference,
    key: &JoinKey,
    exec: &Exec,
) -> Option<Bson> {
    let find = FindCommand::new(
        Place::at(&reference.target),
        tied(reference, &[key.to_bson()]),
    );
    let find = find.first().collation(simple());
    exec.ids(find).await.ok()?.pop()
}

fn differs(copies: &Copies, group: &CopyGroup<'_>, resolved: &Resolved) -> bool {
    let key = group.key();
    let source = match &key {
        None => SourceValues::NoKey,
        Some(key) => resolved
            .get(key)
            .map_or(SourceValues::Missing, SourceValues::Found),
    };
    let copy = |at| group.value(at);
    !compare(copies, source, key.as_ref(), copy).is_empty()
}

/// Reads the documents that contain suspicious keys, page by page, and reports the copies that differ.
async fn read(mut suspects: Suspects, options: &Options, out: &EventSender) -> Result<()> {
    let exec = Exec::on(options.odm.clone());
    loop {
        let page = exec.together(suspects.clone(), confirmation::read).await?;
        out.add_page(page.found).await?;
        out.pending(page.pending).await?;
        match page.next {
            None => return Ok(()),
            next => suspects.lo = next,
        }
    }
}
