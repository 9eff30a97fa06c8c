//! The stages of an aggregation that groups documents.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    error::{Error, Result},
    graph::lacks_values_of,
    model::shape::{ModelShape, walk},
    query::field::{FieldOf, is_native},
    value::{codec::short_type_name, key::has_position, path::covers},
};

/// The parts of the pipeline. This type is not generic, so `pipeline` is compiled only once.
#[derive(Debug)]
pub(super) struct Steps {
    /// The paths of the unwound arrays, and the number of arrays around each of them.
    pub(super) unwound: Vec<(String, usize)>,
    /// The paths of the fields that the aggregation reads, and the number of arrays around each field.
    pub(super) read: Vec<(String, usize)>,
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
        self.require_values::<M>(field, none);
        let mut summand = Bson::from(format!("${}", self.path_of::<M, _>(field)));
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

    /// Rejects a field if serde leaves out a value other than `none`. The server would ignore this value.
    pub(super) fn require_values<M>(&mut self, field: impl FieldOf<M>, none: &Bson) {
        if field.shape().is_some_and(|shape| shape.lacks_values(none)) {
            let message = lacks_values_of(short_type_name::<M>(), &field.path());
            self.refused.get_or_insert_with(|| Error::invalid(message));
        }
    }

    /// Returns the path of a field that the aggregation reads.
    pub(super) fn path_of<M, F: FieldOf<M>>(&mut self, field: F) -> String {
        let path = field.path();
        self.read.push((path.clone(), F::ARRAYS));
        path
    }

    /// Rejects a field of which a document has no single value. For a field inside an array, the server would read the
    /// array of all values: a sum ignores arrays, and an `$unwind` finds no array. In an aggregation, a number in a path
    /// is not a position.
    fn check_fields(&self, model: &'static ModelShape) -> Result<()> {
        let fields = walk(model.fields);
        let unwound = self.unwound.as_slice();
        let arrays = unwound.iter().enumerate();
        let arrays = arrays.map(|(at, field)| (field, unwound.get(..at).unwrap_or_default()));
        let read = self.read.iter().map(|field| (field, unwound));
        for ((path, depth), unwound) in arrays.chain(read) {
            if has_position(path) && fields.iter().all(|field| field.path != *path) {
                return Err(Error::invalid(format!(
                    "`{}.{path}` contains the position of an element, which a group cannot read; call `unwind` for the \
                     array, or use `aggregate` with `$arrayElemAt`",
                    model.name
                )));
            }
            let around = unwound.iter().filter(|(array, _)| covers(array, path));
            if around.count() >= *depth {
                continue;
            }
            let is_unwound = |array: &str| unwound.iter().any(|(path, _)| path == array);
            let arrays = fields.iter();
            let arrays = arrays.filter(|field| field.shape.array && covers(&field.path, path));
            // If all arrays are unwound, one of them contains arrays, and must be unwound once more.
            let array = arrays.min_by_key(|field| (is_unwound(&field.path), field.path.len()));
            return Err(Error::invalid(format!(
                "`{}.{path}` is inside the array `{}`, so a document has no single value of it; first call `unwind` for \
                 this array",
                model.name,
                array.map_or(path, |field| &field.path)
            )));
        }
        Ok(())
    }

    pub(super) fn pipeline(
        self,
        model: &'static ModelShape,
        filter: Document,
        having: Document,
    ) -> Result<Vec<Document>> {
        self.check_fields(model)?;
        if let Some(refused) = self.refused {
            return Err(refused);
        }
        let selecting = |filter: Document| (!filter.is_empty()).then(|| doc! { "$match": filter });
        let mut stages: Vec<Document> = selecting(filter).into_iter().collect();
        let unwind = |(path, _): &(String, usize)| doc! { "$unwind": format!("${path}") };
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
