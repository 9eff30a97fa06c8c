//! Reads the chosen plan from the reply to an `explain`.

use std::collections::BTreeSet;

use mongodb::bson::{Bson, Document};

/// The reply to an `explain`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExplainReply<'d>(pub(super) &'d Document);

impl ExplainReply<'_> {
    /// Whether the server sorts in memory, and therefore reads all documents before it returns the first one.
    pub(super) fn sorts(self) -> bool {
        any_stage(self.0, &|stage| name(stage) == "SORT")
    }

    /// Whether the plan reads all documents: a whole collection, or a whole index that contains no field of the filter.
    /// If the statement has a limit (`stops`), scanning an index in the order of the sort is intended, and does not
    /// count as reading all documents. The library has added conditions on the fields `added`, so bounds on these fields
    /// do not count as bounds of the filter.
    pub(super) fn reads_all(self, paths: &BTreeSet<String>, stops: bool, added: &[&str]) -> bool {
        any_stage(self.0, &|stage| match name(stage) {
            "COLLSCAN" => true,
            "IXSCAN" => {
                let is_of_id = stage.get_str("indexName").ok() == Some("_id_");
                (is_of_id || !stops) && is_unbound(stage, added) && !is_about(stage, paths)
            }
            _ => false,
        })
    }
}

fn name(stage: &Document) -> &str {
    stage.get_str("stage").unwrap_or_default()
}

/// Whether an index scan has no bounds except on the fields `added`, so that it reads the whole index, all documents of
/// a tenant, or all live documents.
fn is_unbound(scan: &Document, added: &[&str]) -> bool {
    let whole = |bounds: &Bson| {
        let [only] = bounds.as_array().map_or(&[][..], Vec::as_slice) else {
            return false;
        };
        matches!(only.as_str(), Some("[MinKey, MaxKey]" | "[MaxKey, MinKey]"))
    };
    let bounds = scan.get_document("indexBounds");
    bounds.is_ok_and(|bounds| {
        let mut bounds = bounds.iter();
        bounds.all(|(key, bounds)| added.contains(&key.as_str()) || whole(bounds))
    })
}

fn is_about(scan: &Document, paths: &BTreeSet<String>) -> bool {
    let keys = scan.get_document("keyPattern");
    keys.is_ok_and(|keys| keys.keys().any(|key| paths.contains(key)))
}

/// Whether the chosen plan contains a stage for which the predicate returns true.
fn any_stage(plan: &Document, is_wanted: &dyn Fn(&Document) -> bool) -> bool {
    is_wanted(plan)
        || plan.iter().any(|(name, value)| match value {
            _ if name == "rejectedPlans" => false,
            Bson::Document(inner) => any_stage(inner, is_wanted),
            Bson::Array(items) => {
                let mut inner = items.iter().filter_map(Bson::as_document);
                inner.any(|inner| any_stage(inner, is_wanted))
            }
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn reads_all(plan: Document, stops: bool) -> bool {
        let rejected = doc! { "stage": "COLLSCAN" };
        let plan = doc! { "queryPlanner": { "winningPlan": { "queryPlan": plan }, "rejectedPlans": [rejected] } };
        ExplainReply(&plan).reads_all(&BTreeSet::from(["name".to_owned()]), stops, &["org"])
    }

    fn scan(key: &str, bounds: &str) -> Document {
        let index = format!("{key}_");
        let scan = doc! { "stage": "IXSCAN", "indexName": index, "keyPattern": { key: 1 }, "indexBounds": { key: [bounds] } };
        doc! { "stage": "FETCH", "inputStages": [scan] }
    }

    #[test]
    fn an_index_that_is_read_from_end_to_end_is_none_for_the_filter() {
        let whole = "[MinKey, MaxKey]";
        assert!(reads_all(doc! { "stage": "COLLSCAN" }, true));
        assert!(reads_all(scan("_id", whole), true));
        assert!(reads_all(scan("at", whole), false));
        assert!(!reads_all(scan("at", whole), true));
        assert!(!reads_all(scan("name", whole), false));
        assert!(!reads_all(scan("at", "[1, 2]"), false));
    }

    #[test]
    fn an_index_on_a_field_that_the_library_has_added_is_none_for_the_filter() {
        assert!(reads_all(scan("org", "[1, 1]"), false));
        assert!(!reads_all(scan("org", "[1, 1]"), true));
    }
}
