//! Errors that a validator of a collection causes. The server's reply lists the rules that the document does not match.

use std::fmt;

use mongodb::{
    bson::{Bson, Document},
    error::{Error as DriverError, ErrorKind as DriverKind, WriteFailure},
};

use super::{Error, server_error::server_errors};
use crate::mongosh;

const DOCUMENT_VALIDATION_FAILURE: i32 = 121;

/// A rule of a validator that a document does not match.
///
/// # Examples
///
/// ```
/// use mongo_odm::Error;
///
/// fn fields(error: &Error) -> Vec<&str> {
///     match error {
///         Error::InvalidDocument { rules, .. } => rules.iter().map(|rule| &*rule.path).collect(),
///         _ => Vec::new(),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BrokenRule {
    /// The stored path of the field, for example `lines.2.qty`. The path is empty if the rule concerns the whole document.
    pub path: String,
    /// The operator of the rule, for example `bsonType`, `required` or `enum`.
    pub rule: String,
    /// A description of the mistake.
    pub message: String,
}

impl fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => write!(f, "{} (`{}`)", self.message, self.rule),
            path => write!(f, "`{path}` {} (`{}`)", self.message, self.rule),
        }
    }
}

/// Formats a list of rules that a document does not match.
pub(super) struct ListedRules<'a>(pub(super) &'a [BrokenRule]);

impl fmt::Display for ListedRules<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, rule) in self.0.iter().enumerate() {
            write!(f, "{} {rule}", if at > 0 { ";" } else { ":" })?;
        }
        Ok(())
    }
}

/// Converts a driver error that a validator caused. Returns `None` for other errors.
pub(super) fn invalid_document(error: &DriverError) -> Option<Error> {
    let first = server_errors(error);
    if first.first()?.code != DOCUMENT_VALIDATION_FAILURE {
        return None;
    }
    let info = info(error).unwrap_or_default();
    let mut rules = Vec::new();
    if let Ok(details) = info.get_document("details") {
        broken_rules(details, "", &mut rules);
    }
    Some(Error::InvalidDocument {
        model: None,
        collection: None,
        id: info.get("failingDocumentId").cloned().map(Box::new),
        rules,
        source: Box::new(error.clone()),
    })
}

/// Returns the server's information about the first rejected document.
fn info(error: &DriverError) -> Option<Document> {
    match error.kind.as_ref() {
        DriverKind::Write(WriteFailure::WriteError(write)) => write.details.clone(),
        DriverKind::InsertMany(many) => {
            let mut writes = many.write_errors.iter().flatten();
            let first = writes.find(|write| write.code == DOCUMENT_VALIDATION_FAILURE)?;
            first.details.clone()
        }
        _ => {
            let info = error.server_response()?.get_document("errInfo").ok()?;
            Document::try_from(info).ok()
        }
    }
}

/// Collects the rules that a document does not match. `path` is the path of the value that `details` describes.
fn broken_rules(details: &Document, path: &str, found: &mut Vec<BrokenRule>) {
    match operator(details) {
        "required" => {
            let missing = details.get_array("missingProperties").into_iter().flatten();
            found.extend(missing.filter_map(Bson::as_str).map(|name| BrokenRule {
                path: join(path, name),
                rule: "required".to_owned(),
                message: "is missing".to_owned(),
            }));
        }
        "properties" => {
            for property in documents(details, "propertiesNotSatisfied") {
                let name = property.get_str("propertyName").unwrap_or_default();
                all_broken_rules(property, "details", &join(path, name), found);
            }
        }
        "items" => {
            let index = details.get("itemIndex").map(mongosh::value);
            let path = join(path, &index.unwrap_or_default());
            all_broken_rules(details, "details", &path, found);
        }
        "anyOf" | "$or" => found.extend(closest_alternative(details, path)),
        _ => {
            let before = found.len();
            for list in ["schemaRulesNotSatisfied", "details"] {
                all_broken_rules(details, list, path, found);
            }
            for list in ["schemasNotSatisfied", "clausesNotSatisfied"] {
                for part in documents(details, list) {
                    part_of(part, path, found);
                }
            }
            if found.len() == before {
                found.push(single_rule(details, path));
            }
        }
    }
}

/// Collects the rules in the array `list` of a document.
fn all_broken_rules(details: &Document, list: &str, path: &str, found: &mut Vec<BrokenRule>) {
    for rule in documents(details, list) {
        broken_rules(rule, path, found);
    }
}

/// Collects the rules that the document does not match in one part of a compound rule.
fn part_of(part: &Document, path: &str, found: &mut Vec<BrokenRule>) {
    match part.get_document("details") {
        Ok(details) => broken_rules(details, path, found),
        Err(_) => all_broken_rules(part, "details", path, found),
    }
}

/// Returns the broken rules of the alternative that the document comes closest to. A generated validator has the
/// alternative `not` for documents of other kinds. The function prefers any other alternative.
fn closest_alternative(details: &Document, path: &str) -> Vec<BrokenRule> {
    let lists = ["schemasNotSatisfied", "clausesNotSatisfied"];
    let parts = lists.iter().flat_map(|list| documents(details, list));
    let alternatives = parts.map(|part| {
        let mut found = Vec::new();
        part_of(part, path, &mut found);
        found
    });
    let is_other_kind = |rules: &[BrokenRule]| rules.iter().any(|broken| broken.rule == "not");
    alternatives
        .min_by_key(|rules| (is_other_kind(rules), rules.len()))
        .unwrap_or_default()
}

fn documents<'d>(details: &'d Document, list: &str) -> impl Iterator<Item = &'d Document> {
    let list = details.get_array(list).into_iter().flatten();
    list.filter_map(Bson::as_document)
}

fn operator(details: &Document) -> &str {
    details.get_str("operatorName").unwrap_or_default()
}

/// Describes a rule that does not consist of other rules.
fn single_rule(details: &Document, path: &str) -> BrokenRule {
    let rule = operator(details);
    let specified = details.get_document("specifiedAs").ok();
    let value = details.get("consideredValue").map(mongosh::value);
    let value = value.filter(|text| text.len() <= 100);
    let found = value.map_or_else(String::new, |value| format!(", but is {value}"));
    let argument = specified.and_then(|it| it.get(rule));
    let message = match (rule, argument) {
        ("bsonType", Some(types)) => format!("must have the type {}{found}", alternatives(types)),
        ("enum", Some(values)) => format!("must be {}{found}", alternatives(values)),
        ("maxItems", Some(max)) => {
            format!("must have at most {} elements", mongosh::value(max))
        }
        _ => {
            let reason = details.get_str("reason").unwrap_or("does not match");
            let specified = specified.map(|it| format!(": {}", mongosh::document(it)));
            format!("{reason}{}{found}", specified.unwrap_or_default())
        }
    };
    // A rule with a query operator contains the path: `{ qty: { $gte: 0 } }`.
    let queried = specified.and_then(|it| it.keys().next());
    let queried = queried.filter(|name| path.is_empty() && !name.starts_with('$') && *name != rule);
    BrokenRule {
        path: queried.map_or_else(|| path.to_owned(), ToOwned::to_owned),
        rule: rule.to_owned(),
        message,
    }
}

/// Formats a value, or the values of an array as alternatives.
fn alternatives(value: &Bson) -> String {
    let shown = |value: &Bson| match value {
        Bson::String(text) => text.clone(),
        other => mongosh::value(other),
    };
    match value {
        Bson::Array(values) => values.iter().map(shown).collect::<Vec<_>>().join(" or "),
        other => shown(other),
    }
}

/// Appends a name to a path, which can be empty.
fn join(path: &str, name: &str) -> String {
    match (path, name) {
        ("", name) => name.to_owned(),
        (path, "") => path.to_owned(),
        (path, name) => format!("{path}.{name}"),
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn found(details: &Document) -> Vec<String> {
        let mut found = Vec::new();
        broken_rules(details, "", &mut found);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_rule_inside_arrays_and_documents_has_its_path() {
        let ty = doc! {
            "operatorName": "bsonType", "specifiedAs": { "bsonType": ["int", "long"] },
            "reason": "type did not match", "consideredValue": "x", "consideredType": "string",
        };
        let qty = doc! {
            "operatorName": "properties",
            "propertiesNotSatisfied": [{ "propertyName": "qty", "details": [ty] }],
        };
        let items = doc! { "operatorName": "items", "itemIndex": 2, "details": [qty] };
        let lines = doc! {
            "operatorName": "properties",
            "propertiesNotSatisfied": [{ "propertyName": "lines", "details": [items] }],
        };
        let missing = doc! { "operatorName": "required", "missingProperties": ["name"] };
        let schema =
            doc! { "operatorName": "$jsonSchema", "schemaRulesNotSatisfied": [lines, missing] };
        let texts = [
            "`lines.2.qty` must have the type int or long, but is \"x\" (`bsonType`)",
            "`name` is missing (`required`)",
        ];
        assert_eq!(found(&schema), texts);
    }

    #[test]
    fn only_the_closest_alternative_is_reported() {
        let not = doc! { "operatorName": "not", "reason": "child expression matched" };
        let one = doc! { "operatorName": "required", "missingProperties": ["a"] };
        let two = doc! { "operatorName": "required", "missingProperties": ["b", "c"] };
        let any = doc! { "operatorName": "anyOf", "schemasNotSatisfied": [
            { "index": 0, "details": [not] },
            { "index": 1, "details": [two] },
            { "index": 2, "details": [one] },
        ] };
        assert_eq!(found(&any), ["`a` is missing (`required`)"]);
    }

    #[test]
    fn a_rule_with_a_query_operator_has_the_path_of_its_field() {
        let rule = doc! {
            "operatorName": "$gte", "specifiedAs": { "qty": { "$gte": 0 } },
            "reason": "comparison failed", "consideredValue": -1,
        };
        let text = "`qty` comparison failed: { qty: { $gte: 0 } }, but is -1 (`$gte`)";
        assert_eq!(found(&rule), [text]);
    }
}
