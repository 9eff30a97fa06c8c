//! Inserts documents, and shows a progress bar.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use mongo_odm::{Model, Odm};

/// Number of documents in each `insert`.
const BATCH: usize = 5_000;

/// Returns a progress bar, which is shown only on a terminal.
pub fn progress(what: &str, count: usize) -> Result<ProgressBar> {
    let style = "{prefix:>10} {bar:40} {human_pos}/{human_len} {per_sec}";
    let bar = ProgressBar::new(count as u64).with_style(ProgressStyle::with_template(style)?);
    Ok(bar.with_prefix(what.to_owned()))
}

/// Inserts documents from an iterator in batches, so that a large collection is never completely in
/// memory.
pub async fn insert_all<M: Model>(
    odm: &Odm,
    documents: impl ExactSizeIterator<Item = M>,
) -> Result<()> {
    let bar = progress(M::SHAPE.collection, documents.len())?;
    let mut documents = documents;
    loop {
        let batch: Vec<M> = documents.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        bar.inc(M::insert_many(odm, &batch).await?.inserted);
    }
    bar.finish_and_clear();
    Ok(())
}
