//! Options of the driver that a read cannot take.

use mongodb::options::FindOptions;

use crate::{
    described::Described,
    error::{Error, Result},
};

/// A projection decides of what type the documents are.
pub(super) fn check_projection<M: Described>(options: &FindOptions) -> Result<()> {
    if options.projection.is_none() {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "`options` cannot project `{}`, because what comes has another type then; use `select` or `project`",
        M::SHAPE.name
    )))
}

/// Pages have a size and a place of their own.
pub(super) fn check_window<M: Described>(options: &FindOptions) -> Result<()> {
    let says_otherwise = |name: &str, instead: &str| {
        Err(Error::invalid(format!(
            "`{name}` would apply to each page of `{}` anew; remove it, {instead}",
            M::SHAPE.name
        )))
    };
    if options.skip.is_some_and(|skip| skip > 0) {
        return says_otherwise("skip", "and begin `after` the token of a page");
    }
    if options.limit.is_some_and(|limit| limit != 0) {
        return says_otherwise("limit", "and say in `page(..)` how many a page holds");
    }
    Ok(())
}
