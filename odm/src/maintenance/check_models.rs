//! What is wrong with models that compile, each for itself.

use crate::{
    error::{Error, Result},
    graph::problems,
    index::contradictions,
    model::registry::models,
};

/// Checks what only all linked models together show: cycles of copies, copies without a reference to
/// their source, `pull` where there is no array, models of one collection whose kinds are not told apart, indexes that no
/// collection can have together.
///
/// Sends nothing to the server. Call it when the program starts; a write to a model that is concerned
/// returns the same error, and of indexes [`sync_indexes`](crate::Odm::sync_indexes) does.
///
/// # Errors
///
/// [`Error::Declaration`] with all mistakes, each with the models, the fields and the remedy.
pub fn check_models() -> Result<()> {
    let of_indexes = contradictions(&models());
    let of_indexes = of_indexes.into_iter().map(|error| match error {
        Error::Declaration(message) => message,
        other => other.to_string(),
    });
    let messages: Vec<_> = problems().map(str::to_owned).chain(of_indexes).collect();
    if messages.is_empty() {
        return Ok(());
    }
    Err(Error::Declaration(messages.join("\n")))
}
