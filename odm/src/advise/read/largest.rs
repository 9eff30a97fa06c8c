//! What makes documents large: their longest arrays, and the heaviest field of the largest one.

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};

use super::{Reader, excuse, note};
use crate::{
    advise::{need::Need, seen::SeenCollection},
    codec::elements,
    command::FindCommand,
    error::Result,
    key::equal_to,
    path::raw_value_at,
    place::Place,
};

/// From how many elements on the bytes of an array are asked for.
const LONG: u64 = 50;

/// From how many bytes on the largest document is looked at.
const LARGE: u64 = 1 << 20;

/// Reads the documents with the longest arrays, of each the array alone, and the largest document: one `find` by `_id`
/// for each of them.
pub(super) async fn read(reader: &Reader, seen: &mut SeenCollection) -> Result<()> {
    for at in 0..seen.arrays.len() {
        let Some(array) = seen.arrays.get(at).filter(|it| it.longest >= LONG) else {
            continue;
        };
        let (path, id) = (array.path.clone(), array.longest_id.clone());
        let mut bytes = None;
        one(reader, seen, &id, Some(&path), |document| {
            bytes = raw_value_at(document, &path)
                .and_then(RawBsonRef::as_array)
                .map(|array| array.as_bytes().len() as u64);
        })
        .await?;
        if let Some(array) = seen.arrays.get_mut(at) {
            array.bytes = bytes;
        }
    }
    if let (true, Some(id)) = (seen.sizes.largest >= LARGE, seen.sizes.largest_id.clone()) {
        let mut heaviest = None;
        one(reader, seen, &id, None, |document| {
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
    path: Option<&str>,
    mut found: impl FnMut(&RawDocument) + Send,
) -> Result<()> {
    if let Err(why) = reader.time() {
        note(seen, Need::Largest, why);
        return Ok(());
    }
    let filter: Document = doc! { "_id": equal_to(id.clone()) };
    let mut find = FindCommand::new(Place::whole(seen.name.clone()), filter).first();
    find.options.projection = path.map(|path| doc! { path: 1 });
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
