//! The options of a verification.

use crate::{client::odm::Odm, maintenance::progress::OnProgress, model::registry::ModelSelection};

/// The options of a verification.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) odm: Odm,
    pub(super) only: ModelSelection,
    pub(super) relation: Option<String>,
    /// Whether differences that an unfinished job will correct are reported.
    pub(super) pending: bool,
    pub(super) references: bool,
    /// The function to call as documents are read.
    pub(super) progress: Option<OnProgress>,
}
