//! Conditions on the array element that contains the key of an owner.
//!
//! A document can contain the keys of several owners. A filter finds the documents in which an element contains one of
//! the keys and matches the condition. However, the library cannot tell from such a document which of its keys belong
//! to matching elements. Therefore the library sends an aggregation, which evaluates each element like a document, and
//! returns the keys of the matching elements in the field [`MATCHED`].

use std::ops::Range;

use mongodb::bson::{Bson, Document, doc};

use super::{key_index::KeyIndex, key_number::KeyNumber, request::Request};
use crate::{
    client::command::AggregateCommand,
    error::{Error, Result},
    model::{
        projection::includes,
        shape::{ModelShape, walk},
    },
    query::filter::ElementCondition,
    value::{key::any_of, path::covers},
};

/// The field that contains the keys of a document's matching elements.
const MATCHED: &str = "_odm_matched";

impl Request {
    /// Adds a condition on the element that contains the key.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the array does not contain the key.
    pub(super) fn match_element(&mut self, element: ElementCondition) -> Result<()> {
        if element.array == self.path || !covers(&element.array, &self.path) {
            return Err(Error::invalid(format!(
                "`{}.{}` does not contain the keys of `{}`, which are at `{}`; use the array with these keys, or `filter` \
                 with `elem_match` for a condition on the whole document",
                self.target.name, element.array, self.relation, self.path
            )));
        }
        if element.condition.is_empty() {
            return Ok(());
        }
        match self
            .elements
            .iter_mut()
            .find(|it| it.array == element.array)
        {
            Some(same) => {
                same.condition = doc! { "$and": [same.condition.clone(), element.condition] };
            }
            None => self.elements.push(element),
        }
        self.elements.sort_by_key(|it| it.array.len());
        Ok(())
    }

    /// Returns the filter that combines the conditions on the elements of all arrays. `innermost` is an additional
    /// condition on the elements of the innermost array.
    pub(super) fn elements_filter(&self, innermost: Document) -> Option<Document> {
        if self.elements.is_empty() {
            return None;
        }
        let above = self.elements.iter().map(|it| it.array.as_str());
        let above: Vec<&str> = std::iter::once("").chain(above).collect();
        let filter = self.elements.iter().zip(above).rev();
        Some(filter.fold(innermost, |inner, (element, above)| {
            let matched = if inner.is_empty() {
                element.condition.clone()
            } else {
                doc! { "$and": [inner, element.condition.clone()] }
            };
            doc! { rest_below(above, &element.array): { "$elemMatch": matched } }
        }))
    }

    /// Returns the filter for documents in which a matching element contains one of the given keys.
    pub(super) fn keys_filter(&self, keys: Vec<Bson>) -> Option<Document> {
        let innermost = self.elements.last()?;
        self.elements_filter(any_of(rest_below(&innermost.array, &self.path), keys))
    }

    /// Returns whether the server must return the keys of the matching elements. If there is only one key, the filter
    /// already ensures that a matching element contains this key.
    pub(super) fn returns_keys(&self, keys: &KeyIndex) -> bool {
        !self.elements.is_empty() && keys.len() > 1
    }

    /// Returns the stage that adds the keys of the matching elements to each document, or `None` if the request does
    /// not have conditions on elements.
    pub(super) fn keys_stage(&self) -> Option<Document> {
        let outermost = self.elements.first()?;
        let mut stages = vec![doc! { "$documents": [{ "e": "$$e" }] }];
        let (mut above, mut arrays) = ("", 0);
        for element in &self.elements {
            if !above.is_empty() {
                let path = format!("${}", rest_below(above, &element.array));
                stages.push(doc! { "$project": { "_id": 0, "e": path } });
            }
            let deep = arrays_in_path(self.target, &element.array);
            stages.extend((arrays..deep).map(|_| doc! { "$unwind": "$e" }));
            stages.push(doc! { "$match": { "e": { "$type": "object" } } });
            stages.push(doc! { "$replaceWith": "$e" });
            stages.push(doc! { "$match": element.condition.clone() });
            (above, arrays) = (element.array.as_str(), deep);
        }
        let path = format!("${}", rest_below(above, &self.path));
        stages.push(doc! { "$project": { "_id": 0, "k": path } });
        let deep = arrays_in_path(self.target, &self.path);
        stages.extend((arrays..deep).map(|_| doc! { "$unwind": "$k" }));
        let array = format!("${}", outermost.array);
        Some(doc! { "$lookup": { "let": { "e": array }, "pipeline": stages, "as": MATCHED } })
    }

    /// Returns the stages that keep only documents in which a matching element contains the key `$$k`.
    pub(super) fn key_match_stages(&self) -> Vec<Document> {
        let of_key = doc! { "$expr": { "$in": ["$$k", format!("${MATCHED}.k")] } };
        let stages = self
            .keys_stage()
            .map(|stage| [stage, doc! { "$match": of_key }, doc! { "$unset": MATCHED }]);
        stages.into_iter().flatten().collect()
    }

    /// Returns the stages that replace each document with the keys of its matching elements, one result for each key.
    pub(super) fn matched_keys_stages(&self) -> Vec<Document> {
        let stage = self.keys_stage();
        let keys = |stage| {
            [
                stage,
                doc! { "$project": { "k": format!("${MATCHED}.k") } },
                doc! { "$unwind": "$k" },
            ]
        };
        stage.map(keys).into_iter().flatten().collect()
    }

    /// Returns the aggregation for a range of keys. Each result contains a document as `d`, and the keys of its
    /// matching elements as `k`.
    pub(super) fn matched_aggregation(
        &self,
        range: Range<KeyNumber>,
        keys: &KeyIndex,
    ) -> AggregateCommand {
        let query = self.query(range, keys);
        let options = query.options;
        let mut pipeline = vec![doc! { "$match": query.filter }];
        pipeline.extend(options.sort.map(|sort| doc! { "$sort": sort }));
        let skip = options.skip.and_then(|skip| i64::try_from(skip).ok());
        pipeline.extend(skip.map(|skip| doc! { "$skip": skip }));
        pipeline.extend(options.limit.map(|limit| doc! { "$limit": limit }));
        pipeline.extend(self.keys_stage());
        let fields = options.projection.filter(|fields| !fields.is_empty());
        pipeline.extend(fields.map(|mut fields| {
            if includes(&fields) {
                fields.insert(MATCHED, 1);
            }
            doc! { "$project": fields }
        }));
        let document = doc! { "$unsetField": { "field": MATCHED, "input": "$$ROOT" } };
        let pair = doc! { "k": format!("${MATCHED}.k"), "d": document };
        pipeline.push(doc! { "$replaceWith": pair });
        let mut options = self.aggregate_options(keys);
        options.batch_size = Some(100_000);
        AggregateCommand::new(self.target_place(), pipeline).with(options)
    }

    /// Rejects a collation under which an element that contains a different key could match.
    pub(super) fn refuse_collation(&self, keys: &KeyIndex) -> Result<()> {
        if self.elements.is_empty() || !self.finds_other_keys(keys) {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "the collation of this call also applies to the keys of `{}`, so elements of other keys would match; remove \
             `collation` or the condition on the element",
            self.relation
        )))
    }
}

/// Returns the part of a path after its prefix `above`.
fn rest_below<'p>(above: &str, path: &'p str) -> &'p str {
    let rest = path.strip_prefix(above).unwrap_or(path);
    rest.strip_prefix('.').unwrap_or(rest)
}

/// Returns the number of arrays on a path, including an array at the end of the path.
pub(super) fn arrays_in_path(target: &'static ModelShape, path: &str) -> usize {
    walk(target.fields)
        .iter()
        .find(|field| field.path == path)
        .map_or(1, |field| {
            field.arrays_above + usize::from(field.shape.array)
        })
}
