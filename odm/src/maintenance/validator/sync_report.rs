//! The report that `sync_validators` returns.

use std::fmt;

use crate::index::write_lists;

/// The report that [`sync_validators`](crate::Odm::sync_validators) returns. Each list contains names of collections.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValidatorReport {
    /// The collections for which the call wrote a validator.
    pub written: Vec<String>,
    /// The collections that already had the required validator.
    pub present: Vec<String>,
    /// The collections that have a validator that the library did not write. The call left these validators unchanged.
    pub foreign: Vec<String>,
    /// The views and time series, which cannot have a validator.
    pub unsupported: Vec<String>,
}

impl ValidatorReport {
    /// Returns whether the call did not change anything.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let report = odm.sync_validators().await?;
    /// if !report.is_unchanged() {
    ///     println!("{:?} have a new validator", report.written);
    /// }
    /// # Ok(()) }
    /// ```
    pub const fn is_unchanged(&self) -> bool {
        self.written.is_empty()
    }
}

/// Writes one line for each list that is not empty.
impl fmt::Display for ValidatorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = [
            ("written", self.written.clone()),
            ("present", self.present.clone()),
            ("foreign, kept", self.foreign.clone()),
            (
                "views and time series have no validator",
                self.unsupported.clone(),
            ),
        ];
        write_lists(f, lists, "no validators")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_lists_the_collections() {
        let report = ValidatorReport {
            written: vec!["parts".into(), "products".into()],
            foreign: vec!["orders".into()],
            ..ValidatorReport::default()
        };
        let text = "written: parts, products\nforeign, kept: orders";
        assert_eq!(report.to_string(), text);
        assert_eq!(ValidatorReport::default().to_string(), "no validators");
    }
}
