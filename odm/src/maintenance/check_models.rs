//! Finds mistakes that the derive cannot see because it compiles each model separately.

use crate::{
    error::{Error, Result},
    graph::problems,
    index::contradictions,
    model::registry::models,
};

/// Checks all models in the program together. Call it when your program starts.
///
/// It finds:
///
/// - cycles of copies, and copies without a reference to their source
/// - `on_delete = "pull"` without an array
/// - models that share a collection but do not have different kinds
/// - indexes that cannot exist in the same collection
///
/// It sends nothing. Without this call, a write to an affected model returns the same error. For conflicting
/// indexes, [`sync_indexes`](crate::Odm::sync_indexes) returns it.
///
/// # Errors
///
/// [`Error::Declaration`] with all mistakes. For each mistake, the error contains the models, the fields and
/// the remedy.
///
/// # Examples
///
/// ```no_run
/// use mongo_odm::{Odm, check_models};
///
/// # async fn example() -> mongo_odm::Result<()> {
/// check_models()?;
/// let odm = Odm::connect("mongodb://localhost:27017/shop").await?;
/// odm.sync_indexes().await?;
/// # Ok(()) }
/// ```
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
