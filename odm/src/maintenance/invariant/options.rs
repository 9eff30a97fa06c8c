//! The options of a verification.

use crate::{client::odm::Odm, maintenance::progress::OnProgress, model::registry::ModelSelection};

/// The options that apply to all checks of a verification.
#[derive(Clone, Debug)]
pub(in crate::maintenance) struct Options {
    pub(in crate::maintenance) odm: Odm,
    pub(in crate::maintenance) only: ModelSelection,
    pub(in crate::maintenance) relation: Option<String>,
    /// Whether to report differences that an unfinished job will correct.
    pub(in crate::maintenance) pending: bool,
    pub(in crate::maintenance) references: bool,
    /// The function to call as documents are read.
    pub(in crate::maintenance) progress: Option<OnProgress>,
}
