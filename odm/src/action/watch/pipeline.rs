//! The pipeline of a typed change stream. The server evaluates the conditions while it reads the oplog.

use mongodb::bson::{Bson, Document, doc};

use super::ResumeToken;
use crate::{
    client::{
        change_stream::{covered_paths, written_paths},
        place::Place,
    },
    error::{Error, Result},
    graph::graph,
    model::shape::ModelShape,
};

/// The field of an event that contains the document after the change.
pub(super) const AFTER: &str = "fullDocument";

/// The field of an event that contains the document before the change.
pub(super) const BEFORE: &str = "fullDocumentBeforeChange";

/// A temporary field for the paths that an update wrote.
const PATHS: &str = "_odm_paths";

/// The conditions that select the events of a change stream.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    pub(super) model: &'static ModelShape,
    pub(super) filter: Document,
    /// The documents of the model, or those of one tenant.
    pub(super) place: Place,
    pub(super) with_before: bool,
    /// The paths of copies and computed fields. The stream leaves out updates that change only these fields.
    pub(super) left_out: Vec<String>,
}

impl Selection {
    /// Returns the pipeline that opens the stream. If a token is given, the stream starts after it.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the filter contains an operator that cannot be applied to events.
    pub(super) fn pipeline(&self, after: Option<&ResumeToken>) -> Result<Vec<Document>> {
        let wanted = self.place.scope(self.filter.clone());
        let kinds = ["insert", "update", "replace", "delete", "invalidate"];
        let mut stages = vec![
            self.first_stage(after, !wanted.is_empty()),
            doc! { "$match": { "operationType": { "$in": kinds.to_vec() } } },
        ];
        if !wanted.is_empty() {
            let matching = matching_events(&wanted).map_err(|error| error.in_model(self.model));
            stages.push(doc! { "$match": matching? });
        }
        let mut unused = Vec::new();
        if !wanted.is_empty() && !self.with_before {
            unused.push(BEFORE);
        }
        if !self.left_out.is_empty() {
            stages.push(doc! { "$addFields": { PATHS: written_paths() } });
            stages.push(doc! { "$match": writes_other_paths(&self.left_out) });
            unused.push(PATHS);
        }
        if !unused.is_empty() {
            stages.push(doc! { "$unset": unused });
        }
        Ok(stages)
    }

    fn first_stage(&self, after: Option<&ResumeToken>, is_filtered: bool) -> Document {
        // A collection with pre-images also has post-images, which are the documents directly after each change.
        let full = if self.with_before {
            "whenAvailable"
        } else {
            "updateLookup"
        };
        let mut stage = doc! { AFTER: full };
        if self.with_before || is_filtered {
            stage.insert(BEFORE, "whenAvailable");
        }
        if let Some(token) = after {
            // Unlike `resumeAfter`, `startAfter` also accepts the token of the event that ended a stream.
            stage.insert("startAfter", token.document());
        }
        doc! { "$changeStream": stage }
    }
}

/// Lists the paths of the copies, summaries and recent lists in the documents of a model, and of the arrays of two-way
/// references whose other end is a single reference.
pub(super) fn computed_paths(model: &'static ModelShape) -> Vec<String> {
    let derived = graph().derived_within(model.documents());
    let mut paths: Vec<_> = derived.flat_map(|it| it.copy_paths()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths
}

/// Returns a condition for events of documents that match a filter before or after the change.
///
/// If the event of a delete does not contain the deleted document, the event matches, because a program that keeps
/// documents in memory must learn about the delete.
fn matching_events(filter: &Document) -> Result<Document> {
    let known =
        |image: &str, is_known: bool| doc! { format!("{image}._id"): { "$exists": is_known } };
    let matching =
        |image| -> Result<_> { Ok(doc! { "$and": [known(image, true), within(image, filter)?] }) };
    let unknown = doc! { "$and": [{ "operationType": "delete" }, known(BEFORE, false)] };
    let ended = doc! { "operationType": "invalidate" };
    Ok(doc! { "$or": [matching(AFTER)?, matching(BEFORE)?, unknown, ended] })
}

/// Converts a filter on a document to a filter on events that contain the document in the field `image`.
fn within(image: &str, filter: &Document) -> Result<Document> {
    let mut inside = Document::new();
    for (key, condition) in filter {
        match (key.as_str(), condition) {
            ("$and" | "$or" | "$nor", Bson::Array(filters)) => {
                let filters = filters.iter().filter_map(Bson::as_document);
                let filters: Result<Vec<_>> = filters.map(|filter| within(image, filter)).collect();
                inside.insert(key, filters?);
            }
            (operator, _) if operator.starts_with('$') => {
                return Err(Error::invalid(format!(
                    "a filter of a change stream cannot contain `{operator}`; use conditions on fields"
                )));
            }
            _ => _ = inside.insert(format!("{image}.{key}"), condition.clone()),
        }
    }
    Ok(inside)
}

/// Returns a condition for events that write at least one path outside of the given paths. Events other than updates
/// also satisfy the condition.
fn writes_other_paths(computed: &[String]) -> Document {
    let pattern = covered_paths(computed);
    doc! { "$or": [
        { "operationType": { "$ne": "update" } },
        { PATHS: { "$elemMatch": { "$not": { "$regex": pattern } } } },
    ] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_is_applied_to_the_image() {
        let filter = doc! { "done": true, "$or": [{ "title": "a" }, { "$nor": [{ "size": 1 }] }] };
        let inside = within(AFTER, &filter).unwrap();
        let expected = doc! {
            "fullDocument.done": true,
            "$or": [{ "fullDocument.title": "a" }, { "$nor": [{ "fullDocument.size": 1 }] }],
        };
        assert_eq!(inside, expected);
    }

    #[test]
    fn an_expression_is_rejected() {
        let filter = doc! { "$and": [{ "$expr": { "$gt": ["$a", "$b"] } }] };
        let error = within(AFTER, &filter).unwrap_err().to_string();
        assert!(error.contains("`$expr`"), "{error}");
    }
}
