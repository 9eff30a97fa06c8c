//! The result of a check. The catalogue adds the code and the chapter.

use std::collections::BTreeMap;

use mongodb::bson::{Bson, Document};

use crate::{
    advise::{rule::Severity, subject::Subject},
    statements::shown,
};

/// A finding without its code, which the catalogue adds later. All texts of a finding describe the
/// same subject and use the same figures.
#[derive(Debug)]
pub(in crate::advise) struct Found {
    pub(in crate::advise) subject: Subject,
    pub(in crate::advise) severity: Severity,
    pub(in crate::advise) figures: BTreeMap<&'static str, f64>,
    pub(in crate::advise) example: Option<Bson>,
    pub(in crate::advise) evidence: String,
    pub(in crate::advise) cost_now: String,
    pub(in crate::advise) change: String,
    pub(in crate::advise) cost_after: String,
    pub(in crate::advise) check: String,
}

/// Converts pairs of a name and a number to the figures of a finding.
#[allow(clippy::cast_precision_loss, reason = "figures are for people")]
pub(super) fn figures<const N: usize>(
    figures: [(&'static str, u64); N],
) -> BTreeMap<&'static str, f64> {
    figures
        .into_iter()
        .map(|(name, figure)| (name, figure as f64))
        .collect()
}

/// Formats an aggregation as a mongosh statement.
pub(super) fn aggregation(collection: &str, stages: Vec<Document>) -> String {
    format!("`{}`", shown(collection, "aggregate", stages))
}
