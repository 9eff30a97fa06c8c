//! The pipeline of the change stream. The pipeline selects the events that the server sends, and the fields of these
//! events.

use mongodb::bson::{Document, doc};

use super::resume_token::ResumePosition;
use crate::{
    client::change_stream::{overlapping_paths, written_paths},
    derived::{outbox::JOBS, values::Images},
    graph::graph,
    model::shape::DocumentSet,
    value::path::projection,
};

/// Returns the pipeline that opens the stream at a position.
pub(super) fn pipeline(sources: &[&str], from: Option<&ResumePosition>) -> Vec<Document> {
    let mut stream = doc! { "fullDocumentBeforeChange": "whenAvailable" };
    match from {
        // Unlike `resumeAfter`, `startAfter` also accepts the token of the event that ended the stream, for example the
        // drop of the database.
        Some(ResumePosition::After(token)) => _ = stream.insert("startAfter", token.clone()),
        Some(ResumePosition::At(time)) => _ = stream.insert("startAtOperationTime", *time),
        None => {}
    }
    vec![
        doc! { "$changeStream": stream },
        doc! { "$match": relevant_events(sources) },
        doc! { "$project": projected_fields(sources) },
        doc! { "$match": relevant_updates(sources) },
    ]
}

/// Returns a condition that selects the relevant events. The server evaluates this condition while it reads the oplog.
fn relevant_events(sources: &[&str]) -> Document {
    let kinds = ["insert", "update", "replace", "delete", "drop", "rename"];
    doc! { "$or": [
        { "ns.coll": { "$in": sources.to_vec() }, "operationType": { "$in": kinds.to_vec() } },
        // Selects a rename that replaces a watched collection with a different collection.
        { "to.coll": { "$in": sources.to_vec() }, "operationType": "rename" },
        // Also selects the jobs that the library writes in the same transaction as changes to sources.
        {
            "ns.coll": JOBS, "operationType": { "$in": ["insert", "update"] },
            "txnNumber": { "$exists": true },
        },
    ] }
}

/// Returns the projection of the events. The projection always includes `_id`, which is the resume token.
fn projected_fields(sources: &[&str]) -> Document {
    let mut wanted = doc! {
        "operationType": 1, "ns.coll": 1, "to.coll": 1, "documentKey._id": 1, "lsid": 1,
        "txnNumber": 1, "paths": written_paths(),
    };
    for path in copied_paths(sources).keys() {
        wanted.insert(format!("fullDocument.{path}"), 1);
        wanted.insert(format!("fullDocumentBeforeChange.{path}"), 1);
    }
    wanted
}

/// Returns a projection that reduces a whole document to the fields that determine which copies are affected. The
/// server sends these fields if the event contains the document.
fn copied_paths(sources: &[&str]) -> Document {
    let references = sources
        .iter()
        .flat_map(|source| graph().from(DocumentSet::whole_collection(source)));
    let rules = sources
        .iter()
        .flat_map(|source| graph().rules(DocumentSet::whole_collection(source)));
    let rules = rules.flat_map(|rule| {
        let kind = rule.target.model.kind.map(|kind| kind.field);
        kind.into_iter().chain([rule.target.path.as_str()])
    });
    projection(references.flat_map(|it| it.source_paths()).chain(rules))
}

/// Returns a condition that selects updates that write to a copied field.
fn relevant_updates(sources: &[&str]) -> Document {
    let mut any = vec![
        doc! { "operationType": { "$ne": "update" } },
        doc! { "ns.coll": JOBS, "paths": "changed_at" },
    ];
    for source in sources {
        let images = Images::of(DocumentSet::whole_collection(source));
        let mut paths: Vec<&str> = images
            .references
            .iter()
            .flat_map(|reference| reference.source_paths())
            .collect();
        paths.sort_unstable();
        paths.dedup();
        if !paths.is_empty() {
            let pattern = overlapping_paths(&paths);
            any.push(doc! { "ns.coll": *source, "paths": { "$regex": pattern } });
        }
    }
    doc! { "$or": any }
}
