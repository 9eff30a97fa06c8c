//! Selects the invariants that a verification checks.

use std::sync::Arc;

use crate::{
    error::{Error, Result},
    maintenance::invariant::{self, Invariant},
    model::registry::ModelSelection,
};

/// Lists the invariants of the selected models and of the selected relation.
///
/// # Errors
///
/// [`Error::Invalid`] if no model is linked into the program, or if no relation has the selected name. In the second
/// case, the message lists existing names.
pub(super) fn check_list(
    only: &ModelSelection,
    references: bool,
    relation: Option<&str>,
) -> Result<Vec<Arc<dyn Invariant>>> {
    let mut all = invariant::all(&only.models()?, references);
    all.retain(|it| it.is_selected(only));
    let Some(name) = relation else {
        return Ok(all);
    };
    let mut known: Vec<String> = all.iter().flat_map(|it| it.names()).collect();
    known.dedup();
    all.retain_mut(|it| Arc::get_mut(it).is_some_and(|it| it.restrict(name)));
    if all.is_empty() {
        return Err(no_relation(name, &known));
    }
    Ok(all)
}

/// Returns the error for an unknown relation name. If the name contains a known model, the error lists the relations of
/// this model. Otherwise, the error lists some relations from all models.
fn no_relation(name: &str, known: &[String]) -> Error {
    const SHOWN: usize = 10;
    let model = |name: &str| name.split('.').next().map(str::to_owned);
    let near = known.iter().filter(|known| model(known) == model(name));
    let mut shown: Vec<&str> = near.map(String::as_str).collect();
    if shown.is_empty() {
        shown = known.iter().map(String::as_str).collect();
    }
    let more = match shown.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.truncate(SHOWN);
    let shown = shown.join("`, `");
    Error::invalid(format!(
        "there is no relation `{name}`; known relations are `{shown}`{more}"
    ))
}
