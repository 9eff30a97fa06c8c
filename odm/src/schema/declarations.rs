//! The declarations that count, and what of them is of other programs.

use std::time::Instant;

use super::stored::{Stored, live};
use crate::{copy::ExtendedReference, error::Result, odm::Odm};

/// What is declared.
#[derive(Debug)]
pub(super) struct Declarations {
    /// When it was asked for.
    pub(super) asked: Instant,
    /// What only other programs declare.
    pub(super) foreign: Vec<&'static ExtendedReference>,
}

/// Reads all declarations that count: one `find`.
pub(super) async fn read(odm: &Odm) -> Result<Declarations> {
    let asked = Instant::now();
    let stored = live(odm).await?;
    let foreign = stored.values().flat_map(Stored::foreign);
    Ok(Declarations {
        asked,
        foreign: foreign.collect(),
    })
}
