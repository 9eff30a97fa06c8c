//! The stages of an aggregation that groups documents.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    error::{Error, Result},
    query::field::{FieldOf, is_native},
    value::codec::short_type_name,
};

/// The parts of the pipeline. This type is not generic, so `pipeline` is compiled only once.
#[derive(Debug)]
pub(super) struct Steps {
    pub(super) unwound: Vec<String>,
    /// For each grouping key, its path in the result and its path in the model.
    pub(super) keys: Vec<(String, String)>,
    /// The paths of the computed fields in the result, and their accumulators.
    pub(super) computed: Vec<(String, Document)>,
    pub(super) after: Vec<Document>,
    /// The first error in the calls of the builder.
    pub(super) refused: Option<Error>,
}

impl Steps {
    /// Computes a field of the result from the stored numbers of a field. `none` is the result without values.
    pub(super) fn add_up<M, R>(
        &mut self,
        operator: &str,
        result: impl FieldOf<R>,
        field: impl FieldOf<M>,
        none: &Bson,
    ) {
        self.require_numbers::<R>(result);
        self.require_numbers::<M>(field);
        let value = format!("${}", field.path());
        let mut summand = Bson::from(value);
        if matches!(none, Bson::Decimal128(_)) {
            // Without values, the server returns an integer, which cannot be decoded as a decimal.
            summand = doc! { "$ifNull": [summand, none] }.into();
        }
        self.computed
            .push((result.path(), doc! { operator: summand }));
    }

    /// Rejects a field if its values are not stored in their own form. The server adds up the stored values.
    fn require_numbers<M>(&mut self, field: impl FieldOf<M>) {
        let codec = field.shape().and_then(|shape| shape.codec);
        let Some(codec) = codec.filter(|codec| !is_native(codec)) else {
            return;
        };
        self.refused.get_or_insert_with(|| {
            Error::invalid(format!(
                "`{}.{}`: the server adds up the stored values and does not know `{codec}`; remove the codec, or add \
                 the values up in your code",
                short_type_name::<M>(),
                field.path(),
            ))
        });
    }

    pub(super) fn pipeline(self, filter: Document, having: Document) -> Result<Vec<Document>> {
        if let Some(refused) = self.refused {
            return Err(refused);
        }
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
        Ok(stages)
    }
}
