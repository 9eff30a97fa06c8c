//! Copies that differ from their source, in three steps, each on less than the one before.
//!
//! | step | what it does |
//! |---|---|
//! | [`groups`] | one aggregation: which values stand beside which keys |
//! | [`compare`](mod@compare) | compares them with the sources, by the rules that writes follow |
//! | [`snapshot`] | reads the documents behind a difference again, in one snapshot with source and job |

mod compare;
mod groups;
mod snapshot;

pub(super) use compare::Copies;
pub(super) use groups::aggregate;
use mongodb::bson::RawDocumentBuf;

use super::{events::Out, options::Options};
use crate::{
    copy::{Resolved, Source, resolve},
    error::Result,
    key::JoinKey,
    odm::{Exec, each_document},
    parts::parts,
};
use compare::compare;
use groups::Group;
use snapshot::Suspects;

/// How many groups are compared with one read of their sources. Fewer where the sources have the keys:
/// what comes back is not one document for a key.
const GROUPS: usize = 5_000;
const GROUPS_BY_SOURCE: usize = 1_000;

/// How many keys one look at documents asks for: each can be a condition of its own.
const KEYS: usize = 100;

/// Compares every copy of an extended reference with its source.
pub(super) async fn verify(copies: Copies, options: &Options, out: &Out) -> Result<()> {
    let reference = copies.reference;
    let exec = Exec::on(options.odm.clone());
    let mut batches = exec.open(aggregate(reference)).await?;
    let mut groups: Vec<RawDocumentBuf> = Vec::new();
    let at_once = if reference.by_id() {
        GROUPS
    } else {
        GROUPS_BY_SOURCE
    };
    while let Some(batch) = batches.next().await? {
        each_document(&batch, |raw| {
            groups.push(raw.to_owned());
            Ok(())
        })?;
        while groups.len() >= at_once {
            let rest = groups.split_off(at_once);
            differing(copies, &groups, options, out).await?;
            groups = rest;
        }
    }
    differing(copies, &groups, options, out).await
}

/// Compares groups with their sources, and looks at the documents behind those that differ.
async fn differing(
    copies: Copies,
    groups: &[RawDocumentBuf],
    options: &Options,
    out: &Out,
) -> Result<()> {
    let groups: Vec<Group<'_>> = groups.iter().map(|raw| Group::read(raw)).collect();
    let exec = Exec::on(options.odm.clone());
    let resolved = resolve(
        copies.reference,
        groups.iter().filter_map(Group::key),
        &exec,
    )
    .await?;
    let (mut keys, mut no_key) = (Vec::new(), false);
    for group in groups.iter().filter(|it| differs(copies, it, &resolved)) {
        match group.key() {
            Some(key) => keys.push(key),
            None => no_key = true,
        }
    }
    keys.sort_unstable();
    keys.dedup();
    let suspects = |keys: &[JoinKey], no_key| Suspects {
        copies,
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

fn differs(copies: Copies, group: &Group<'_>, resolved: &Resolved) -> bool {
    let key = group.key();
    let source = match &key {
        None => Source::NoKey,
        Some(key) => resolved.get(key).map_or(Source::Gone, Source::Is),
    };
    let copy = |at| group.value(at);
    !compare(copies, source, key.as_ref(), copy).is_empty()
}

/// Reads the documents with some keys, page by page.
async fn read(mut suspects: Suspects, options: &Options, out: &Out) -> Result<()> {
    let exec = Exec::on(options.odm.clone());
    loop {
        let page = exec.together(suspects.clone(), snapshot::read).await?;
        out.found(page.found).await?;
        out.pending(page.pending).await?;
        match page.next {
            None => return Ok(()),
            next => suspects.lo = next,
        }
    }
}
