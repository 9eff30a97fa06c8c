//! What makes documents large: the heaviest field of the largest one.

use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::{Reader, excuse, note};
use crate::{
    client::{command::FindCommand, place::Place},
    error::Result,
    tools::advise::{need::Need, seen::SeenCollection},
    value::{codec::elements, key::equal_to},
};

/// From how many bytes on the largest document is looked at.
const LARGE: u64 = 1 << 20;

/// Reads the largest document, if it is large: one `find` by `_id`.
pub(super) async fn read(reader: &Reader, seen: &mut SeenCollection) -> Result<()> {
    if let (true, Some(id)) = (seen.sizes.largest >= LARGE, seen.sizes.largest_id.clone()) {
        let mut heaviest = None;
        one(reader, seen, &id, |document| {
            heaviest = heaviest_of(document);
        })
        .await?;
        seen.sizes.heaviest = heaviest;
    }
    Ok(())
}

async fn one(
    reader: &Reader,
    seen: &mut SeenCollection,
    id: &Bson,
    mut found: impl FnMut(&RawDocument) + Send,
) -> Result<()> {
    if let Err(why) = reader.time() {
        note(seen, Need::Largest, why);
        return Ok(());
    }
    let filter: Document = doc! { "_id": equal_to(id.clone()) };
    let find = FindCommand::new(Place::whole(seen.name.clone()), filter).first();
    let mut each = |_: &str, document: &RawDocument| {
        found(document);
        Ok(())
    };
    match reader.exec.find(find, &mut each).await {
        Ok(_) => {}
        Err(error) => note(seen, Need::Largest, excuse(error)?),
    }
    Ok(())
}

/// Returns the field with the most bytes, and how many these are.
fn heaviest_of(document: &RawDocument) -> Option<(String, u64)> {
    let fields = elements(document).unwrap_or_default().into_iter();
    let fields = fields.map(|(name, bytes)| (name.to_owned(), bytes.len() as u64));
    fields.max_by_key(|(_, bytes)| *bytes)
}
