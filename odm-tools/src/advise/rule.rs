//! The six rules of thumb, and the severity of a finding.

use std::fmt;

use serde::Serialize;

/// One of the "6 Rules of Thumb for `MongoDB` Schema Design". Each rule is a chapter of the report.
///
/// A rule is serialized as the name of its variant in snake case. Source: William Zola, "6 Rules of Thumb for `MongoDB`
/// Schema Design", part 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RuleOfThumb {
    /// Rule 1: favor embedding unless there is a compelling reason not to.
    Embed,
    /// Rule 2: needing an object on its own is a compelling reason not to embed it.
    OnItsOwn,
    /// Rule 3: arrays should not grow without bound.
    Bounded,
    /// Rule 4: joins in the application are cheap if they have an index and request few fields.
    Joins,
    /// Rule 5: copy a field only if it is read much more often than it is written.
    ReadsAndWrites,
    /// Rule 6: the layout of the data depends on how the program uses it.
    AccessPatterns,
}

impl RuleOfThumb {
    /// Returns the number of the rule, from 1 to 6.
    pub const fn number(self) -> u8 {
        match self {
            Self::Embed => 1,
            Self::OnItsOwn => 2,
            Self::Bounded => 3,
            Self::Joins => 4,
            Self::ReadsAndWrites => 5,
            Self::AccessPatterns => 6,
        }
    }
}

/// Writes the title of the chapter.
impl fmt::Display for RuleOfThumb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = match self {
            Self::Embed => "embed unless there is a compelling reason not to",
            Self::OnItsOwn => "documents that are needed on their own are not embedded",
            Self::Bounded => "arrays and documents do not grow without bound",
            Self::Joins => "joins are cheap where they have an index",
            Self::ReadsAndWrites => {
                "copy fields that are read much more often than they are written"
            }
            Self::AccessPatterns => "data is laid out as the program uses it",
        };
        write!(f, "Rule {}: {rule}", self.number())
    }
}

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Severity {
    /// What the finding describes has a small cost, or may become a problem later.
    Note,
    /// What the finding describes has a noticeable cost, or causes a failure if the trend continues.
    Warning,
    /// What the finding describes will soon cause a failure, or already causes unwanted behaviour.
    Serious,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Serious => "serious",
        })
    }
}
