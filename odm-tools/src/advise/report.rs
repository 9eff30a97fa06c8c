//! The report that the advisor returns.

use std::{collections::BTreeMap, fmt, time::Duration};

use serde::Serialize;

use super::{
    catalogue::Outcome,
    finding::Finding,
    rule::{RuleOfThumb, Severity},
    words::{count, list, several},
};

/// The advisor's result: its findings, and the checks that it skipped.
///
/// `Display` writes the findings by chapter, with the most severe findings first. `Serialize` writes the report as a
/// document.
///
#[doc = include_str!("../docs/advice.md")]
#[must_use = "the report contains the findings"]
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Advice {
    /// The findings, sorted by rule and then by severity.
    pub findings: Vec<Finding>,
    /// The skipped checks, each with the reason.
    pub not_looked_at: Vec<NotLookedAt>,
    /// Number of collections that were read.
    pub collections: u64,
    /// Number of documents in these collections, according to the server.
    pub documents: u64,
    /// Number of documents that were read as samples.
    pub sampled: u64,
    /// The duration of the call, which is serialized in seconds.
    #[serde(serialize_with = "seconds")]
    pub took: Duration,
}

/// Checks that were skipped for the same reason. The exception is `$collStats`: if only this data could not be read,
/// the checks still run, and treat the sample as the whole collection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct NotLookedAt {
    /// The data that could not be read, for instance `$indexStats`.
    pub what: &'static str,
    /// The reason, which is the server's message or the exceeded time limit.
    pub why: String,
    /// The collections for which the checks were skipped; empty if the checks concern the whole database.
    pub collections: Vec<String>,
    /// The codes of the skipped checks.
    pub codes: Vec<&'static str>,
}

fn seconds<S: serde::Serializer>(took: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(took.as_secs_f64())
}

impl Advice {
    /// Whether the report has no findings.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns the number of findings.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Returns the number of findings for each severity.
    pub fn by_severity(&self) -> BTreeMap<Severity, usize> {
        let mut counts = BTreeMap::new();
        for finding in &self.findings {
            *counts.entry(finding.severity).or_insert(0) += 1;
        }
        counts
    }

    /// Returns the findings of one chapter.
    pub fn of(&self, rule: RuleOfThumb) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(move |finding| finding.rule == rule)
    }

    /// Adds the outcome of the checks for a collection or for the whole database.
    pub(super) fn add(&mut self, outcome: Outcome, collection: Option<&str>) {
        self.findings.extend(outcome.findings);
        for (need, why, code) in outcome.left_out {
            let collection = collection.filter(|_| !need.is_of_database());
            self.leave_out(need.what(), why, code, collection);
        }
    }

    /// Records a skipped check. Checks with the same reason share an entry.
    fn leave_out(
        &mut self,
        what: &'static str,
        why: String,
        code: &'static str,
        collection: Option<&str>,
    ) {
        let mut known = self.not_looked_at.iter();
        let at = known.position(|it| it.what == what && it.why == why);
        let at = at.unwrap_or_else(|| {
            self.not_looked_at.push(NotLookedAt {
                what,
                why,
                collections: Vec::new(),
                codes: Vec::new(),
            });
            self.not_looked_at.len() - 1
        });
        let Some(entry) = self.not_looked_at.get_mut(at) else {
            return;
        };
        if !entry.codes.contains(&code) {
            entry.codes.push(code);
        }
        let names = &mut entry.collections;
        if let Some(name) = collection.filter(|name| !names.iter().any(|it| it == name)) {
            names.push(name.to_owned());
        }
    }

    /// Sorts the findings and the skipped checks for the report.
    pub(super) fn sort(&mut self) {
        self.findings.sort_by(|left, right| {
            let grave = right.severity.cmp(&left.severity);
            let by_rule = left.rule.cmp(&right.rule);
            let place = || (left.code, &left.collection, &left.field);
            let other = || (right.code, &right.collection, &right.field);
            by_rule.then(grave).then_with(|| place().cmp(&other()))
        });
        for left_out in &mut self.not_looked_at {
            // Codes are compared by length first, so that `R10` follows `R9`.
            left_out
                .codes
                .sort_by_key(|code| (code.get(..1), code.len(), *code));
        }
        self.not_looked_at.sort();
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} in {} ({} of {} documents sampled, {:.1} s)",
            several(self.len() as u64, "finding"),
            several(self.collections, "collection"),
            count(self.sampled),
            count(self.documents),
            self.took.as_secs_f64()
        )?;
        let mut chapter = None;
        for finding in &self.findings {
            if chapter != Some(finding.rule) {
                write!(f, "\n\n{}", finding.rule)?;
                chapter = Some(finding.rule);
            }
            write!(f, "\n\n{finding}")?;
        }
        if !self.not_looked_at.is_empty() {
            write!(f, "\n\nNot looked at")?;
        }
        for left_out in &self.not_looked_at {
            write!(f, "\n  {left_out}")?;
        }
        Ok(())
    }
}

impl fmt::Display for NotLookedAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 5;
        write!(f, "{}: {}", self.codes.join(", "), self.what)?;
        let names = self.collections.iter().take(SHOWN);
        if !self.collections.is_empty() {
            write!(f, " of {}", list(names))?;
        }
        match self.collections.len().saturating_sub(SHOWN) {
            0 => {}
            more => write!(f, " and {more} more")?,
        }
        write!(f, ": {}", self.why)
    }
}
