//! Writes comments about the collections and views for which no model is written.

use mongo_odm::__tools::mongosh_value;
use mongodb::bson::Bson;

use crate::survey::{CollectionSurvey, Survey, ViewSurvey};

/// Whether a model can be written for a collection. All documents of the collection must have an `_id`, and it must be
/// possible to write the collection's name in an attribute.
pub(super) fn is_modelled(collection: &CollectionSurvey) -> bool {
    let has_ids = collection.path("_id").is_some_and(|id| id.missing() == 0);
    has_ids && !collection.name.contains(['$', '['])
}

/// Returns comments about the collections and views without a model, with the reasons and the indexes.
pub(super) fn comments(survey: &Survey) -> Vec<String> {
    let left_out = survey.collections.iter().filter(|it| !is_modelled(it));
    let mut comments: Vec<String> = left_out.flat_map(of_collection).collect();
    comments.extend(survey.views.iter().map(of_view));
    comments
}

fn of_collection(collection: &CollectionSurvey) -> Vec<String> {
    let why = if collection.sampled > 0 {
        "its documents or its name fit no model"
    } else if collection.documents == Some(0) {
        "it has no documents"
    } else {
        "no documents were read"
    };
    let name = collection.name.escape_debug();
    let mut comments = vec![format!("`{name}` is left out: {why}.")];
    comments.extend(collection.notes.iter().cloned());
    comments.extend(kinds_of(collection).into_iter().map(str::to_owned));
    comments.extend(collection.indexes.iter().map(ToString::to_string));
    comments
}

/// Returns comments about operations that the server does not allow in time series and capped collections.
pub(super) fn kinds_of(collection: &CollectionSurvey) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    if collection.is_timeseries {
        kinds.push("It is a time series: its ids are not kept apart, and the server takes inserts, but no `save`.");
    }
    if collection.is_capped {
        kinds.push(
            "It is capped: the oldest documents make room for new ones, and the server writes to it in no transaction.",
        );
    }
    kinds
}

fn of_view(view: &ViewSurvey) -> String {
    let stages = view.pipeline.iter().cloned().map(Bson::Document);
    format!(
        "`{}` is a view of `{}`, which nobody can write to, and left out. It shows {}.",
        view.name.escape_debug(),
        view.on.escape_debug(),
        mongosh_value(&Bson::Array(stages.collect()))
    )
}
