//! Finds the largest field of the largest document.

use mongo_odm::{__tools::any_of, Result};
use mongodb::bson::RawDocument;

use super::{Reader, excuse, note};
use crate::{
    advise::{need::Need, seen::SeenCollection},
    statements::first,
};

/// Size in bytes from which the largest document is read again.
const LARGE: u64 = 1 << 20;

/// Reads the largest document again if it is large. Sends one `find` by `_id`.
pub(super) async fn read(reader: &Reader, seen: &mut SeenCollection) -> Result<()> {
    if let (true, Some(id)) = (seen.sizes.largest >= LARGE, seen.sizes.largest_id.clone()) {
        if let Err(why) = reader.time() {
            note(seen, Need::Largest, why);
            return Ok(());
        }
        let filter = any_of("_id", vec![id]);
        let found = reader
            .reads
            .find_raw(&seen.name, filter, first(), usize::MAX);
        match found.await {
            Ok((found, _)) => {
                seen.sizes.heaviest = found.first().and_then(|document| heaviest_of(document));
            }
            Err(error) => note(seen, Need::Largest, excuse(error)?),
        }
    }
    Ok(())
}

/// Returns the field that has the most bytes, and its size.
///
/// The size is computed from the addresses of the field names, because version 2 of `bson` does not report the size of
/// an element.
#[allow(
    clippy::useless_asref,
    reason = "names are strings in one major of BSON and C strings in the other"
)]
fn heaviest_of(document: &RawDocument) -> Option<(String, u64)> {
    /// Sizes in bytes. In BSON, a type precedes the name of each element, and a zero byte follows the last element.
    const TYPE: usize = 1;
    const END: usize = 1;
    let bytes = document.as_bytes();
    let mut names: Vec<&str> = Vec::new();
    for element in document.iter_elements() {
        names.push(element.ok()?.key().as_ref());
    }
    let begin = |name: &&str| name.as_ptr().addr() - bytes.as_ptr().addr() - TYPE;
    let ends = names.iter().skip(1).map(begin);
    let ends = ends.chain([bytes.len() - END]);
    let sizes = names.iter().zip(ends);
    let sizes = sizes.map(|(name, end)| ((*name).to_owned(), (end - begin(name)) as u64));
    sizes.max_by_key(|(_, bytes)| *bytes)
}
