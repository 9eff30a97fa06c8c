//! Walks over a collection in the order of `_id`, even if its ids have different types.
//!
//! `{ _id: { $gt: .. } }` finds only ids of the same type, so a walk that uses only this filter would skip all ids of
//! other types. `$expr` can compare ids of different types, but makes the server read every document. So each step
//! first uses the index to find ids of the same type as the last id. The step searches for ids of other types only if
//! there are too few of the same type.

use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use super::{command::FindCommand, odm::Exec};
use crate::error::Result;

/// Finds the next documents in the order of `_id`. Sends one `find`, and a second one if fewer than `size` documents
/// with ids of the same type as `after` are left.
///
/// If the result contains fewer than `size` documents, none are left.
pub(crate) async fn next(
    find: &FindCommand,
    after: Option<&Bson>,
    size: usize,
    exec: &Exec,
) -> Result<Vec<RawDocumentBuf>> {
    let step = |range, size| sorted(find, range).at_most(size);
    let Some(after) = after else {
        return exec.raw_documents(step(Document::new(), size)).await;
    };
    let mut found = exec.raw_documents(step(same_type(after), size)).await?;
    let lacking = size.saturating_sub(found.len());
    if lacking > 0 {
        let last = found.last().and_then(|last| id_of(last));
        let beyond = between(Some(last.as_ref().unwrap_or(after)), None);
        found.extend(exec.raw_documents(step(beyond, lacking)).await?);
    }
    Ok(found)
}

/// Returns the `_id` of the last document among the next `size` documents, or `None` if fewer than `size` documents are
/// left. Sends one `find`, and a second one if fewer than `size` documents with ids of the same type as `after` are
/// left.
pub(crate) async fn end(
    find: &FindCommand,
    after: Option<&Bson>,
    size: usize,
    exec: &Exec,
) -> Result<Option<Bson>> {
    let last = |range| {
        let mut last = sorted(find, range).first();
        last.options.skip = u64::try_from(size.saturating_sub(1)).ok();
        last
    };
    if let Some(after) = after
        && let Some(end) = exec.ids(last(same_type(after))).await?.pop()
    {
        return Ok(Some(end));
    }
    Ok(exec.ids(last(between(after, None))).await?.pop())
}

/// Returns a filter for the documents whose `_id` is greater than `after` and at most `up_to`, even if the ids have
/// different types.
pub(crate) fn between(after: Option<&Bson>, up_to: Option<&Bson>) -> Document {
    if let (Some(after), Some(up_to)) = (after, up_to)
        && is_one_range(after, up_to)
    {
        return doc! { "_id": { "$gt": after, "$lte": up_to } };
    }
    let bound = |operator: &str, id: &Bson| doc! { operator: ["$_id", { "$literal": id }] };
    let after = after.map(|id| bound("$gt", id));
    let up_to = up_to.map(|id| bound("$lte", id));
    let bounds: Vec<Document> = after.into_iter().chain(up_to).collect();
    if bounds.is_empty() {
        return Document::new();
    }
    doc! { "$expr": { "$and": bounds } }
}

/// Whether `$gt` and `$lte` find all ids between two ids, which requires that both ids have comparable types.
const fn is_one_range(after: &Bson, up_to: &Bson) -> bool {
    matches!(
        (after, up_to),
        (Bson::ObjectId(_), Bson::ObjectId(_))
            | (Bson::String(_), Bson::String(_))
            | (Bson::Binary(_), Bson::Binary(_))
            | (Bson::DateTime(_), Bson::DateTime(_))
            | (
                Bson::Int32(_) | Bson::Int64(_),
                Bson::Int32(_) | Bson::Int64(_)
            )
    )
}

fn same_type(after: &Bson) -> Document {
    doc! { "_id": { "$gt": after } }
}

fn sorted(find: &FindCommand, range: Document) -> FindCommand {
    find.clone().and(range).sort(doc! { "_id": 1 })
}

/// Returns the `_id` of a document.
pub(crate) fn id_of(document: &RawDocument) -> Option<Bson> {
    Bson::try_from(document.get("_id").ok()??).ok()
}

#[cfg(test)]
mod tests {
    use mongodb::bson::oid::ObjectId;

    use super::*;

    #[test]
    fn ids_of_one_type_are_a_range_of_the_index() {
        let (low, high) = (ObjectId::from_bytes([1; 12]), ObjectId::from_bytes([2; 12]));
        assert_eq!(
            between(Some(&low.into()), Some(&high.into())),
            doc! { "_id": { "$gt": low, "$lte": high } }
        );
        let (low, high) = (Bson::Int32(1), Bson::Int64(2));
        assert_eq!(
            between(Some(&low), Some(&high)),
            doc! { "_id": { "$gt": 1, "$lte": 2_i64 } }
        );
    }

    #[test]
    fn ids_of_different_types_are_compared_in_expressions() {
        let (low, high) = (Bson::Int32(1), Bson::from("a"));
        let bound = |operator: &str, id: &Bson| doc! { operator: ["$_id", { "$literal": id }] };
        assert_eq!(
            between(Some(&low), Some(&high)),
            doc! { "$expr": { "$and": [bound("$gt", &low), bound("$lte", &high)] } }
        );
        assert_eq!(
            between(Some(&low), None),
            doc! { "$expr": { "$and": [bound("$gt", &low)] } }
        );
        assert_eq!(between(None, None), doc! {});
    }
}
