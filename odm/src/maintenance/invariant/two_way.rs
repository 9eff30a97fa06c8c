//! Checks two-way references: either both sides refer to each other, or neither does.
//!
//! The check compares both sides, and sets aside differences that a job or a delta will correct.

mod other_side;
pub(in crate::maintenance) mod pair;
pub(in crate::maintenance) mod repair;

pub(in crate::maintenance) use other_side::compare_again;

use std::sync::Arc;

use mongodb::bson::{Bson, Document};

use super::{
    finding::{DriftKind, Drifted, set_aside},
    finding_stream::EventSender,
    options::Options,
    pending_job::{pending, with_deltas},
};
use crate::{
    batches::{parts, size_of},
    client::odm::{Exec, each_document},
    error::{Error, Result},
    value::{codec::decode, key::JoinKey},
};
use other_side::{REFERENCES, check, references};
use pair::{Direction, TwoWay};

/// Number of documents that one transaction reads again.
const AGAIN: usize = 500;

/// Compares the two sides of a pair, in both directions.
pub(in crate::maintenance) async fn verify(
    pair: &Arc<TwoWay>,
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    side(pair, Direction::LeftNamesRight, options, out).await?;
    if pair.is_own_inverse() {
        return Ok(());
    }
    side(pair, Direction::RightNamesLeft, options, out).await
}

async fn side(
    pair: &Arc<TwoWay>,
    direction: Direction,
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let (here, _) = pair.sides(direction);
    let exec = Exec::on(options.odm.clone());
    let mut batches = exec.open(here.query(Document::new())).await?;
    let (mut documents, mut count) = (Vec::new(), 0);
    while let Some(batch) = batches.next().await? {
        let (mut read, mut unreadable) = (Vec::<Document>::new(), Vec::new());
        each_document(&batch, |raw| {
            match decode(here.model.collection, raw) {
                Ok(document) => read.push(document),
                Err(error) => unreadable.extend(not_read(pair, direction, &error)),
            }
            Ok(())
        })?;
        out.add_page(unreadable).await?;
        for document in read {
            count += references(here, &document).len();
            documents.push(document);
            if count >= REFERENCES || documents.len() >= REFERENCES {
                compare(pair, direction, &documents, options, out).await?;
                documents.clear();
                count = 0;
            }
        }
    }
    compare(pair, direction, &documents, options, out).await
}

fn not_read(pair: &TwoWay, direction: Direction, error: &Error) -> Option<Drifted> {
    let (here, there) = pair.sides(direction);
    Drifted::unreadable(&pair.name, &[here.model, there.model], error, None)
}

/// Compares some documents with the other side. If the server cannot compare them, the documents are halved until
/// only one is left, which is a finding.
async fn compare(
    pair: &Arc<TwoWay>,
    direction: Direction,
    documents: &[Document],
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let mut left = vec![documents];
    while let Some(documents) = left.pop() {
        match compare_some(pair, direction, documents, options, out).await {
            Err(error) if error.is_about_one_document() && documents.len() > 1 => {
                let (first, second) = documents.split_at(documents.len() / 2);
                left.extend([second, first]);
            }
            Err(error) if error.is_about_one_document() => {
                let finding = not_read(pair, direction, &error);
                out.add_page(finding.into_iter().collect()).await?;
            }
            done => done?,
        }
    }
    Ok(())
}

/// Compares some documents with the other side. Documents that seem to differ are read again, in one snapshot with
/// the other side.
async fn compare_some(
    pair: &Arc<TwoWay>,
    direction: Direction,
    documents: &[Document],
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let exec = Exec::on(options.odm.clone());
    let mut ids: Vec<Bson> = Vec::new();
    for suspect in check(pair, direction, documents, &exec).await? {
        // All findings for one document are consecutive, so it is enough to compare with the last id.
        if ids.last() != Some(&suspect.id) {
            ids.push(suspect.id);
        }
    }
    for ids in parts(&ids, AGAIN, size_of) {
        let state = (Arc::clone(pair), direction, ids.to_vec(), options.pending);
        let read = exec.together(state, |(pair, direction, ids, also), exec| async move {
            let mut found = compare_again(&pair, direction, &ids, &exec).await?;
            let pending = set_pending_aside(&pair, direction, &mut found, also, &exec).await?;
            Ok((found, pending))
        });
        let (found, pending) = read.await?;
        out.add_page(found).await?;
        out.pending(pending).await?;
    }
    let (here, _) = pair.sides(direction);
    let count = documents
        .iter()
        .map(|document| references(here, document).len());
    out.checked(count.sum::<usize>() as u64).await
}

/// Marks or removes findings that a job or a delta will correct. Returns the number of these findings.
async fn set_pending_aside(
    pair: &TwoWay,
    direction: Direction,
    found: &mut Vec<Drifted>,
    include: bool,
    exec: &Exec,
) -> Result<u64> {
    // No job will correct a dangling reference.
    let repairing_job = |item: &Drifted| match item.kind {
        DriftKind::OneSided => pair.repairing_job(direction, &item.id, item.key.as_ref()?),
        _ => None,
    };
    let jobs: Vec<_> = found.iter().filter_map(repairing_job).collect();
    let Some((reference, _)) = jobs.first() else {
        return Ok(0);
    };
    let keys: Vec<JoinKey> = jobs.iter().map(|(_, key)| key.clone()).collect();
    let mut waiting = pending(reference.relations(), &keys, exec).await?;
    waiting.extend(with_deltas(reference, &keys, exec).await?);
    Ok(set_aside(found, include, |item| {
        repairing_job(item).is_some_and(|(_, key)| waiting.contains(&key))
    }))
}
