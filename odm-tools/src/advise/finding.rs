//! A single finding of the advisor.

use std::{collections::BTreeMap, fmt};

use mongo_odm::__tools::mongosh_value;
use mongodb::bson::Bson;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::rule::{RuleOfThumb, Severity};

/// A part of the database that does not follow a rule of thumb, with figures.
///
/// `Display` writes a finding as a few lines of text. `Serialize` writes a document whose `example` is extended JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The short code, such as `A2`. The code is the same in all versions.
    pub code: &'static str,
    /// The long code, such as `odm.advise.array_without_bound`. The code is the same in all versions.
    pub name: &'static str,
    /// The rule of thumb, which is also the chapter of the report.
    pub rule: RuleOfThumb,
    /// The severity of the finding.
    pub severity: Severity,
    /// The title of the check, such as "array without a bound".
    pub title: &'static str,
    /// The model that the finding concerns. This is `None` in a database without models, or if the finding does not
    /// concern a model.
    pub model: Option<&'static str>,
    /// The collection. If the finding concerns several collections, this is the first one.
    pub collection: String,
    /// The stored path of the field, the name of an index, or the relation. This is `None` if the finding concerns a
    /// whole collection.
    pub field: Option<String>,
    /// The observation, as text.
    pub evidence: String,
    /// The figures from which the observation is derived, by name.
    #[serde(serialize_with = "figures")]
    pub figures: BTreeMap<&'static str, f64>,
    /// The `_id` of a document that serves as an example.
    pub example: Option<Bson>,
    /// The cost before the remedy is applied, as text.
    pub cost_now: String,
    /// The remedy, which is usually an attribute and the field to which it belongs.
    pub change: String,
    /// The cost after the remedy has been applied, as text.
    pub cost_after: String,
    /// A mongosh statement or a call that shows whether the remedy works.
    pub check: String,
}

impl Finding {
    /// Returns the location of the finding as text: `Person.tasks`, or `people.tasks` without a model.
    pub fn place(&self) -> String {
        let owner = self.model.unwrap_or(&self.collection);
        match &self.field {
            Some(field) => format!("{owner}.{field}"),
            None => owner.to_owned(),
        }
    }
}

/// Serializes whole numbers without decimal places.
fn figures<S: Serializer>(
    figures: &BTreeMap<&'static str, f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let mut map = serializer.serialize_map(Some(figures.len()))?;
    for (name, figure) in figures {
        if figure.fract() == 0.0 && figure.abs() < EXACT {
            #[allow(clippy::cast_possible_truncation, reason = "it is whole and in range")]
            map.serialize_entry(name, &(*figure as i64))?;
        } else {
            map.serialize_entry(name, figure)?;
        }
    }
    map.end()
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            severity,
            code,
            title,
            ..
        } = self;
        writeln!(
            f,
            "{severity:7} {code} {}: {title} ({})",
            self.place(),
            self.collection
        )?;
        write!(f, "  seen   {}", self.evidence)?;
        if let Some(id) = &self.example {
            write!(f, "; see `_id` {}", mongosh_value(id))?;
        }
        write!(f, "\n  now    {}", self.cost_now)?;
        write!(f, "\n  write  {}", self.change)?;
        write!(f, "\n  then   {}", self.cost_after)?;
        write!(f, "\n  check  {}", self.check)
    }
}
