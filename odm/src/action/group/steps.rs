//! The stages of an aggregation that groups documents.

use mongodb::bson::{Bson, Document, doc};

/// The parts of the pipeline. This type is not generic, so its methods are compiled only once.
#[derive(Debug)]
pub(super) struct Steps {
    pub(super) unwound: Vec<String>,
    /// For each grouping key, its path in the result and its path in the model.
    pub(super) keys: Vec<(String, String)>,
    /// The paths of the computed fields in the result, and their accumulators.
    pub(super) computed: Vec<(String, Document)>,
    pub(super) after: Vec<Document>,
}

impl Steps {
    pub(super) fn pipeline(self, filter: Document, having: Document) -> Vec<Document> {
        let selecting = |filter: Document| (!filter.is_empty()).then(|| doc! { "$match": filter });
        let mut stages: Vec<Document> = selecting(filter).into_iter().collect();
        let unwind = |path| doc! { "$unwind": format!("${path}") };
        stages.extend(self.unwound.iter().map(unwind));
        // The names of fields in `$group` cannot contain dots, so this stage uses numbered field names.
        let (mut keys, mut row) = (Document::new(), Document::new());
        let is_only = self.keys.len() == 1;
        for (at, (path, field)) in self.keys.into_iter().enumerate() {
            // If there is only one key, the server groups missing fields with null.
            let field = Bson::from(format!("${field}"));
            let or_null = |field| doc! { "$ifNull": [field, Bson::Null] }.into();
            keys.insert(
                format!("k{at}"),
                if is_only { field } else { or_null(field) },
            );
            row.insert(path, format!("$_id.k{at}"));
        }
        let one_group = keys.is_empty();
        let mut group = doc! { "_id": if one_group { Bson::Null } else { keys.into() } };
        for (at, (path, accumulator)) in self.computed.into_iter().enumerate() {
            group.insert(format!("f{at}"), accumulator);
            row.insert(path, format!("$f{at}"));
        }
        if !row.contains_key("_id") {
            row.insert("_id", 0);
        }
        stages.push(doc! { "$group": group });
        stages.push(doc! { "$project": row });
        stages.extend(selecting(having));
        stages.extend(self.after);
        stages
    }
}
