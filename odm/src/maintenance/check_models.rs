//! Finds mistakes that the derive macros cannot detect, because each model is expanded separately.

use crate::{
    error::{Error, Result},
    graph::problems,
    index::contradictions,
    model::registry::models,
};

/// Checks all models in the program against each other. Call this function when your program starts.
///
/// The function finds these mistakes:
///
/// - cycles of copies, and copies without a reference to their source
/// - `on_delete = "pull"` on a reference that is not in an array
/// - models that share a collection but do not have different kinds
/// - indexes that cannot coexist in one collection
/// - embedded structs that have copies, bounds, indexes or delete rules, but are inside a container or a codec in which
///   the library does not find these declarations
/// - references to a field whose codec may store the keys in a different form
///
/// The function sends nothing to the server. If you do not call `check_models`, the first write to an affected model
/// returns the same error, and [`sync_indexes`](crate::Odm::sync_indexes) reports conflicting indexes.
///
/// # Errors
///
/// [`Error::Declaration`] if the declarations contain mistakes. The message lists all mistakes, each with the models,
/// the fields and a remedy. If several indexes of a collection are wrong, the message contains one of them.
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
