//! References that are declared with their inverse: each side names the other, or neither does.

mod other_side;

pub(super) use other_side::again;

use std::sync::Arc;

use mongodb::bson::{Bson, Document};

use super::{
    events::Out,
    finding::{Cause, DriftKind, Drifted},
    jobs::{pending, with_deltas},
    options::Options,
    pair::{Direction, TwoWay},
};
use crate::{
    codec::decode,
    error::{Error, Result},
    key::JoinKey,
    odm::{Exec, each_document},
    parts::{parts, size_of},
};
use other_side::{REFERENCES, check, references};

/// How many documents are read again in one transaction.
const AGAIN: usize = 500;

/// Compares the two sides of a pair, from the one and from the other.
pub(super) async fn verify(pair: &Arc<TwoWay>, options: &Options, out: &Out) -> Result<()> {
    for direction in [Direction::LeftNamesRight, Direction::RightNamesLeft] {
        side(pair, direction, options, out).await?;
    }
    Ok(())
}

async fn side(
    pair: &Arc<TwoWay>,
    direction: Direction,
    options: &Options,
    out: &Out,
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
        out.found(unreadable).await?;
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

/// Compares some documents with the other side. Those that cannot be compared are halved until the one is
/// found that is in the way.
async fn compare(
    pair: &Arc<TwoWay>,
    direction: Direction,
    documents: &[Document],
    options: &Options,
    out: &Out,
) -> Result<()> {
    let mut left = vec![documents];
    while let Some(documents) = left.pop() {
        match compare_some(pair, direction, documents, options, out).await {
            Err(error) if error.is_of_one() && documents.len() > 1 => {
                let (first, second) = documents.split_at(documents.len() / 2);
                left.extend([second, first]);
            }
            Err(error) if error.is_of_one() => {
                let finding = not_read(pair, direction, &error);
                out.found(finding.into_iter().collect()).await?;
            }
            done => done?,
        }
    }
    Ok(())
}

/// Compares some documents with the other side; those that seem to differ are read again together
/// with it, in one snapshot.
async fn compare_some(
    pair: &Arc<TwoWay>,
    direction: Direction,
    documents: &[Document],
    options: &Options,
    out: &Out,
) -> Result<()> {
    let exec = Exec::on(options.odm.clone());
    let mut ids: Vec<Bson> = Vec::new();
    for suspect in check(pair, direction, documents, &exec).await? {
        // Findings of one document come one after the other.
        if ids.last() != Some(&suspect.id) {
            ids.push(suspect.id);
        }
    }
    for ids in parts(&ids, AGAIN, size_of) {
        let state = (Arc::clone(pair), direction, ids.to_vec(), options.pending);
        let read = exec.together(state, |(pair, direction, ids, also), exec| async move {
            let found = again(&pair, direction, &ids, &exec).await?;
            if also {
                return Ok((found, 0));
            }
            without_pending(&pair, found, &exec).await
        });
        let (found, pending) = read.await?;
        out.found(found).await?;
        out.pending(pending).await?;
    }
    let (here, _) = pair.sides(direction);
    let count = documents
        .iter()
        .map(|document| references(here, document).len());
    out.checked(count.sum::<usize>() as u64).await
}

/// Drops what a job or a delta will put right; returns how many findings these were.
async fn without_pending(
    pair: &TwoWay,
    found: Vec<Drifted>,
    exec: &Exec,
) -> Result<(Vec<Drifted>, u64)> {
    let Some(reference) = pair.maintained() else {
        return Ok((found, 0));
    };
    // The document with the array is the one that was looked at, or the one that it names.
    let key = |item: &Drifted| match &item.cause {
        Cause::TwoWay(_, Direction::LeftNamesRight) => JoinKey::from(item.id.clone()),
        _ => JoinKey::from(item.key.clone().unwrap_or(Bson::Null)),
    };
    // Nothing will come of a reference that leads nowhere.
    let can_wait = |item: &&Drifted| item.kind == DriftKind::OneSided;
    let keys: Vec<JoinKey> = found.iter().filter(can_wait).map(key).collect();
    if keys.is_empty() {
        return Ok((found, 0));
    }
    let mut waiting = pending(reference.relations(), &keys, exec).await?;
    waiting.extend(with_deltas(reference, &keys, exec).await?);
    let all = found.len();
    let mut left = found;
    left.retain(|item| !can_wait(&item) || !waiting.contains(&key(item)));
    let dropped = (all - left.len()) as u64;
    Ok((left, dropped))
}
