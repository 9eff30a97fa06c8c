//! The options of a verification.

use crate::{client::odm::Odm, maintenance::progress::OnProgress, model::registry::ModelSelection};

/// The options that apply to all checks of a verification.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) odm: Odm,
    pub(super) only: ModelSelection,
    pub(super) relation: Option<String>,
    /// Whether to report differences that an unfinished job will correct.
    pub(super) pending: bool,
    pub(super) references: bool,
    /// The function to call as documents are read.
    pub(super) progress: Option<OnProgress>,
}
