//! All that the advisor has found.

use std::{collections::BTreeMap, fmt, time::Duration};

use serde::Serialize;

use super::{
    catalogue::Outcome,
    finding::Finding,
    rule::{RuleOfThumb, Severity},
    words::{count, list, several},
};

/// What the advisor has found, and what it could not look at.
///
/// Shown chapter by chapter, the gravest findings first; serialized as a document.
///
#[doc = include_str!("../docs/advice.md")]
#[must_use = "advice is there to be read"]
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Advice {
    /// The findings, by rule, then the gravest first.
    pub findings: Vec<Finding>,
    /// What could not be looked at, and why.
    pub not_looked_at: Vec<NotLookedAt>,
    /// How many collections were looked at.
    pub collections: u64,
    /// How many documents they have together, by the count of the server.
    pub documents: u64,
    /// How many documents were read as samples.
    pub sampled: u64,
    /// How long it took; in seconds where it is serialized.
    #[serde(serialize_with = "seconds")]
    pub took: Duration,
}

/// Checks that were not made, and why. Without `$collStats` they are made, and take the sample for the whole collection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct NotLookedAt {
    /// What could not be read: `$indexStats`.
    pub what: &'static str,
    /// Why not: what the server said, or that the time was over.
    pub why: String,
    /// The collections; none where it is about the database as a whole.
    pub collections: Vec<String>,
    /// The codes of the checks.
    pub codes: Vec<&'static str>,
}

fn seconds<S: serde::Serializer>(took: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(took.as_secs_f64())
}

impl Advice {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns how many findings there are.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Counts the findings by how grave they are.
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

    /// Adds what was found in a collection, or in the database.
    pub(super) fn add(&mut self, outcome: Outcome, collection: Option<&str>) {
        self.findings.extend(outcome.findings);
        for (need, why, code) in outcome.left_out {
            let collection = collection.filter(|_| !need.is_of_database());
            self.leave_out(need.what(), why, code, collection);
        }
    }

    /// Notes that a check was not made; what has one reason is one entry.
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

    /// Puts the findings into the order of the report.
    pub(super) fn sort(&mut self) {
        self.findings.sort_by(|left, right| {
            let grave = right.severity.cmp(&left.severity);
            let by_rule = left.rule.cmp(&right.rule);
            let place = || (left.code, &left.collection, &left.field);
            let other = || (right.code, &right.collection, &right.field);
            by_rule.then(grave).then_with(|| place().cmp(&other()))
        });
        for left_out in &mut self.not_looked_at {
            // R10 comes after R9.
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
