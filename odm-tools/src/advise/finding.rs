//! One finding of the advisor.

use std::{collections::BTreeMap, fmt};

use mongo_odm::__tools::mongosh_value;
use mongodb::bson::Bson;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::rule::{RuleOfThumb, Severity};

/// One finding: what a rule of thumb says of a place in the database, with figures.
///
/// Shown as a few lines of text; serialized as a document whose `example` is extended JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The short code, `A2`, which stays the same in all versions.
    pub code: &'static str,
    /// The long code, `odm.advise.array_without_bound`, which stays the same as well.
    pub name: &'static str,
    /// The chapter.
    pub rule: RuleOfThumb,
    /// How grave it is.
    pub severity: Severity,
    /// What the check is called: "array without a bound".
    pub title: &'static str,
    /// The model; none in a database without models, or where no model is concerned.
    pub model: Option<&'static str>,
    /// The collection; that of the first where several are concerned.
    pub collection: String,
    /// The stored path of the field, the name of an index, or the relation; none for a collection as a whole.
    pub field: Option<String>,
    /// What was seen, in words.
    pub evidence: String,
    /// The figures in it, by name.
    #[serde(serialize_with = "figures")]
    pub figures: BTreeMap<&'static str, f64>,
    /// The `_id` of a document that shows it.
    pub example: Option<Bson>,
    /// What it costs now.
    pub cost_now: String,
    /// What to write: an attribute with its place, mostly.
    pub change: String,
    /// What it costs afterwards.
    pub cost_after: String,
    /// How to see that it is better: a statement for mongosh, or a call.
    pub check: String,
}

impl Finding {
    /// Names the place: `Person.tasks`, or `people.tasks` without a model.
    pub fn place(&self) -> String {
        let owner = self.model.unwrap_or(&self.collection);
        match &self.field {
            Some(field) => format!("{owner}.{field}"),
            None => owner.to_owned(),
        }
    }
}

/// Whole numbers are written as such.
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
