//! Verifies the copies of one tie.

use mongodb::bson::RawDocumentBuf;

use super::{
    Verify,
    events::Out,
    group::{self, Group},
    judge::judge,
    page::{self, Suspects},
};
use crate::{
    copy::{Resolved, Source, Tie, resolve},
    error::Result,
    key::JoinKey,
    odm::{Exec, each_document},
};

/// How many groups are compared with one read of their sources. Fewer where the sources have the keys:
/// what comes back is not one document for a key.
const GROUPS: usize = 5_000;
const GROUPS_BY_SOURCE: usize = 1_000;

/// How many keys one look at documents asks for: each can be a condition of its own.
const KEYS: usize = 100;

/// Compares every copy of a tie with its source.
pub(super) async fn verify(tie: &'static Tie, verify: &Verify, out: &Out) -> Result<()> {
    let exec = Exec::on(verify.odm.clone());
    let mut batches = exec.open(group::aggregate(tie)).await?;
    let mut groups: Vec<RawDocumentBuf> = Vec::new();
    let at_once = if tie.by_id() {
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
            compare(tie, &groups, verify, out).await?;
            groups = rest;
        }
    }
    compare(tie, &groups, verify, out).await
}

/// Compares groups with their sources, and looks at the documents behind those that differ.
async fn compare(
    tie: &'static Tie,
    groups: &[RawDocumentBuf],
    verify: &Verify,
    out: &Out,
) -> Result<()> {
    let groups: Vec<Group<'_>> = groups.iter().map(|raw| Group::read(raw)).collect();
    let exec = Exec::on(verify.odm.clone());
    let resolved = resolve(tie, groups.iter().filter_map(Group::key), &exec).await?;
    let (mut keys, mut no_key) = (Vec::new(), false);
    for group in groups.iter().filter(|group| differs(tie, group, &resolved)) {
        match group.key() {
            Some(key) => keys.push(key),
            None => no_key = true,
        }
    }
    keys.sort_unstable();
    keys.dedup();
    if no_key {
        expand(suspects(tie, Vec::new(), true, verify), verify, out).await?;
    }
    for keys in keys.chunks(KEYS) {
        expand(suspects(tie, keys.to_vec(), false, verify), verify, out).await?;
    }
    out.checked(groups.iter().map(|group| group.count).sum())
        .await
}

fn suspects(tie: &'static Tie, keys: Vec<JoinKey>, no_key: bool, verify: &Verify) -> Suspects {
    Suspects {
        tie,
        keys,
        no_key,
        include_pending: verify.pending,
        lo: None,
    }
}

fn differs(tie: &Tie, group: &Group<'_>, resolved: &Resolved) -> bool {
    let key = group.key();
    let source = match &key {
        None => Source::NoKey,
        Some(key) => resolved.get(key).map_or(Source::Gone, Source::Is),
    };
    !judge(tie, source, key.as_ref(), |at| group.value(at)).is_empty()
}

/// Reads the documents with some keys, page by page.
async fn expand(mut suspects: Suspects, verify: &Verify, out: &Out) -> Result<()> {
    let exec = Exec::on(verify.odm.clone());
    loop {
        let page = exec.together(suspects.clone(), page::read).await?;
        out.found(page.found).await?;
        out.pending(page.pending).await?;
        match page.next {
            None => return Ok(()),
            next => suspects.lo = next,
        }
    }
}
