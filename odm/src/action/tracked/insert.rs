//! Inserts documents with copies, and documents that are copied.

use std::sync::Arc;

use mongodb::{bson::RawDocumentBuf, options::InsertManyOptions};

use super::{
    Duties, FanOut,
    finish::{Arrived, Outcome, are_there},
};
use crate::{
    copy::{
        Change, CopyReport, Filled, Follow, Followed, Image, Images, Tie, follow, is_unseen,
        keys_of,
    },
    error::Result,
    key::JoinKey,
    odm::Exec,
};

/// How many documents one transaction inserts; more are several transactions, one after the other.
const AT_ONCE: usize = 10_000;

/// Inserts documents; their copies get the values of their sources.
pub(crate) async fn insert(
    duties: Duties,
    documents: Vec<RawDocumentBuf>,
    options: InsertManyOptions,
    fan_out: &FanOut,
    exec: &Exec,
) -> Result<(u64, Vec<CopyReport>)> {
    duties.ready(fan_out, exec).await?;
    let (mut inserted, mut reports) = (0, Vec::new());
    let mut left = documents;
    while !left.is_empty() {
        let rest = left.split_off(left.len().min(AT_ONCE));
        let part = Part {
            duties: duties.clone(),
            documents: Arc::new(left),
            options: options.clone(),
            how: fan_out.how,
        };
        let outcome = exec.together(part, Part::insert).await?;
        let (count, copies) = outcome.finish(fan_out, exec).await;
        inserted += count;
        for report in copies {
            report.merge_into(&mut reports);
        }
        left = rest;
    }
    Ok((inserted, reports))
}

#[derive(Clone, Debug)]
struct Part {
    duties: Duties,
    documents: Arc<Vec<RawDocumentBuf>>,
    options: InsertManyOptions,
    how: Follow,
}

impl Part {
    async fn insert(self, exec: Exec) -> Result<Outcome<u64>> {
        let Self {
            duties,
            documents,
            options,
            how,
        } = self;
        // Read first: what is inserted is right at once, and needs no second write.
        let filled = duties.own.fill(&documents, &exec).await?;
        let mut outcome = Outcome::of(documents.len() as u64);
        let images = images_of(&duties.images, &documents, &filled)?;
        outcome.written = filled.written;
        let (originals, patches) = (Arc::clone(&documents), filled.patches);
        exec.run(move |database, session| {
            let collection = database.collection::<RawDocumentBuf>(duties.collection);
            Box::pin(async move {
                let rows = originals.iter().enumerate();
                let rows = rows.map(|(at, row)| patches.get(&at).unwrap_or(row));
                let insert = collection.insert_many(rows).with_options(options);
                match session {
                    Some(session) => insert.session(session).await,
                    None => insert.await,
                }
            })
        })
        .await?;
        if !duties.images.is_empty() {
            let (followed, arrived) = arrive(&duties, &images, how, &exec).await?;
            (outcome.followed, outcome.arrived) = (followed, arrived);
        }
        Ok(outcome)
    }
}

/// Takes what is copied out of documents as they are to be stored.
fn images_of(images: &Images, documents: &[RawDocumentBuf], filled: &Filled) -> Result<Vec<Image>> {
    if images.is_empty() {
        return Ok(Vec::new());
    }
    let rows = documents.iter().enumerate();
    rows.map(|(at, row)| images.take(filled.stored(at, row)))
        .collect()
}

/// Lets copies that were there before their source follow it.
///
/// They are there when a source is made again under an id that it had, or when the source refers to
/// the documents with the copies. An `ObjectId` that was made within the last minute is not looked for:
/// who deleted its document, or stored a copy before it, has left a job that takes a last look after
/// this insert.
pub(super) async fn arrive(
    duties: &Duties,
    images: &[Image],
    how: Follow,
    exec: &Exec,
) -> Result<(Followed, Vec<Arrived>)> {
    let mut ties = Vec::new();
    let mut arrived = Vec::new();
    for tie in &duties.images.ties {
        let keys = waited_for(tie, images, exec);
        if keys.is_empty() {
            continue;
        }
        if tie.keys_in_source || are_there(tie, &keys, exec).await? {
            ties.push(*tie);
        } else {
            arrived.push((*tie, keys));
        }
    }
    let found = Images { ties };
    let changes = images.iter();
    let changes =
        changes.filter_map(|image| Change::new(duties.collection, &found, None, Some(image)));
    let followed = follow(changes.collect(), how, exec).await?;
    let arrived = (!arrived.is_empty()).then(|| Arrived {
        collection: duties.collection,
        ids: images
            .iter()
            .filter_map(|it| it.get("_id").cloned())
            .collect(),
        keys: arrived,
    });
    Ok((followed, arrived.into_iter().collect()))
}

fn waited_for(tie: &Tie, images: &[Image], exec: &Exec) -> Vec<JoinKey> {
    let keys = images.iter().flat_map(|image| keys_of(tie, Some(image)));
    keys.filter(|key| !(tie.by_id() && is_unseen(key, exec)))
        .collect()
}
