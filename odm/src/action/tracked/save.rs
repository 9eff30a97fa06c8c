//! Writes whole documents over stored ones.

use std::sync::Arc;

use mongodb::{
    bson::{Bson, RawDocumentBuf, doc},
    options::ReplaceOptions,
};

use super::{Duties, FanOut, finish::Outcome, insert::arrive, update::precede};
use crate::{
    action::UpdateReport,
    copy::{Change, Follow, follow},
    error::Result,
    odm::Exec,
};

/// Writes a whole document; its copies get the values of their sources, however old those in the
/// struct are.
pub(crate) async fn save(
    duties: Duties,
    id: Bson,
    document: RawDocumentBuf,
    upsert: bool,
    fan_out: &FanOut,
    exec: &Exec,
) -> Result<UpdateReport> {
    duties.ready(fan_out, exec).await?;
    let save = Save {
        duties,
        id,
        document: Arc::new(document),
        upsert,
        how: fan_out.how,
    };
    let outcome = exec.together(save, Save::run).await?;
    let (mut report, copies) = outcome.finish(fan_out, exec).await;
    report.copies = copies;
    Ok(report)
}

#[derive(Clone, Debug)]
struct Save {
    duties: Duties,
    id: Bson,
    document: Arc<RawDocumentBuf>,
    upsert: bool,
    how: Follow,
}

impl Save {
    async fn run(self, exec: Exec) -> Result<Outcome<UpdateReport>> {
        let Self {
            duties,
            id,
            document,
            upsert,
            how,
        } = self;
        let images = &duties.images;
        let ids = [id.clone()];
        let before = images.by_ids(duties.collection, &ids, &exec).await?.pop();
        let whole = std::slice::from_ref(&*document);
        let filled = duties.own.fill(whole, &exec).await?;
        precede(&duties, before.as_slice(), &exec).await?;
        let row = filled.stored(0, &document).clone();
        // What is stored, not what the struct held: its copies may be old.
        let after = images.take(&row)?;
        let replaced = exec.run(move |database, session| {
            let collection = database.collection::<RawDocumentBuf>(duties.collection);
            Box::pin(async move {
                let options = ReplaceOptions::builder().upsert(upsert).build();
                let replace = collection
                    .replace_one(doc! { "_id": id }, row)
                    .with_options(options);
                match session {
                    Some(session) => replace.session(session).await,
                    None => replace.await,
                }
            })
        });
        let replaced = replaced.await?;
        let stored = replaced.matched_count == 1 || replaced.upserted_id.is_some();
        let mut outcome = Outcome::of(UpdateReport::from(replaced));
        if !stored {
            return Ok(outcome);
        }
        outcome.written = filled.written;
        if before.is_some() {
            let change = Change::new(duties.collection, images, before.as_ref(), Some(&after));
            outcome.followed = follow(change.into_iter().collect(), how, &exec).await?;
        } else if !images.is_empty() {
            (outcome.followed, outcome.arrived) = arrive(&duties, &[after], how, &exec).await?;
        }
        Ok(outcome)
    }
}
