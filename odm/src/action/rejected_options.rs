//! Checks that reject unsupported driver options of a read.

use mongodb::options::FindOptions;

use crate::error::{Error, Result};

/// Rejects a projection, because it changes the type of the result.
pub(super) fn check_projection(model: &str, options: &FindOptions) -> Result<()> {
    if options.projection.is_none() {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "`options` cannot project `{model}`, because what comes has another type then; use `select` or `project`"
    )))
}

/// Rejects `skip` and `limit`, because a page sets these options itself.
pub(super) fn check_window(model: &str, options: &FindOptions) -> Result<()> {
    let (name, instead) = if options.skip.is_some_and(|skip| skip > 0) {
        ("skip", "and begin `after` the token of a page")
    } else if options.limit.is_some_and(|limit| limit != 0) {
        ("limit", "and say in `page(..)` how many a page holds")
    } else {
        return Ok(());
    };
    Err(Error::invalid(format!(
        "`{name}` would apply to each page of `{model}` anew; remove it, {instead}"
    )))
}

/// Rejects `find` options that the driver's count does not support.
pub(super) fn check_counted(model: &str, options: &FindOptions) -> Result<()> {
    let not_counted = [
        ("let_vars", options.let_vars.is_some()),
        ("min", options.min.is_some()),
        ("max", options.max.is_some()),
    ];
    match not_counted.into_iter().find(|(_, is_set)| *is_set) {
        None => Ok(()),
        Some((name, _)) => Err(Error::invalid(format!(
            "the driver counts without `{name}`, as for `{model}`; remove it, and write its values into the filter"
        ))),
    }
}
