//! What a verification is to look at.

use crate::{client::odm::Odm, maintenance::progress::OnProgress, model::registry::ModelSelection};

/// What a verification is to look at.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) odm: Odm,
    pub(super) only: ModelSelection,
    pub(super) relation: Option<String>,
    /// Whether copies that have an unfinished job are reported.
    pub(super) pending: bool,
    pub(super) references: bool,
    /// What to call as documents are looked at.
    pub(super) progress: Option<OnProgress>,
}
