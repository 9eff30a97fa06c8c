//! Finds arrays that are longer than their `max`.

use mongodb::bson::{Bson, Document, RawDocument};

use super::{
    Invariant, Invariants, Query, Scope,
    finding::{DriftKind, Drifted},
    list,
    walk::{Seen, Walked},
};
use crate::{
    client::{command::FindCommand, place::Place},
    model::{
        array_bound::{Bound, bounds, exceeding_filter},
        shape::ModelShape,
    },
    value::{
        codec::decode,
        path::{each_array_at, projection},
    },
};

/// The arrays of a model that have a `max`.
#[derive(Debug)]
struct BoundedArrays {
    model: &'static ModelShape,
    bounds: Vec<Bound>,
}

pub(super) fn all(scope: &Scope<'_>) -> Invariants {
    let bounded = scope.models.iter().map(|model| BoundedArrays {
        model,
        bounds: bounds(model),
    });
    list(bounded.filter(|it| !it.bounds.is_empty()))
}

impl Invariant for BoundedArrays {
    fn names(&self) -> Vec<String> {
        self.bounds.iter().map(|it| name(self.model, it)).collect()
    }

    fn models(&self) -> Vec<&'static ModelShape> {
        vec![self.model]
    }

    /// Returns the query for documents in which an array exceeds its bound. Such an array has an element at the
    /// position `max`.
    fn query(&self) -> Query {
        // A projection of a path inside an array would drop the elements that are not documents, which would change the
        // positions of the other elements.
        let paths = self.bounds.iter();
        let tops = paths.filter_map(|bound| bound.path.split('.').next());
        let filter = exceeding_filter(&self.bounds);
        let find = FindCommand::new(Place::of(self.model), filter);
        Query::Find(find.select(projection(tops)).into())
    }

    fn restrict(&mut self, name: &str) -> bool {
        let model = self.model;
        self.bounds.retain(|it| self::name(model, it) == name);
        !self.bounds.is_empty()
    }
}

/// The query itself checks the length of the arrays, and a single read of a document is consistent. So there are no
/// suspects to confirm.
impl Walked for BoundedArrays {
    type Item = ();
    type Suspects = ();

    fn read(&self, raw: &RawDocument) -> Seen<()> {
        match decode(self.model.collection, raw) {
            Ok(document) => {
                let found = self
                    .bounds
                    .iter()
                    .flat_map(|it| self.too_long(it, &document));
                Seen::Findings(found.collect())
            }
            Err(error) => Seen::Unreadable(error),
        }
    }
}

/// Returns the name that reports use for a bound: `Person.tasks`.
fn name(model: &ModelShape, bound: &Bound) -> String {
    format!("{}.{}", model.name, bound.path)
}

impl BoundedArrays {
    fn too_long(&self, bound: &Bound, document: &Document) -> Vec<Drifted> {
        let (mut found, model) = (Vec::new(), self.model);
        let Some(id) = document.get("_id") else {
            return found;
        };
        let (name, kind) = (name(model, bound), DriftKind::OverBound);
        each_array_at(document, &bound.path, &mut |path, items| {
            if !bound.allows(items.len()) {
                found.push(Drifted {
                    path: path.to_owned(),
                    stored: i64::try_from(items.len()).ok().map(Bson::Int64),
                    source: Some(Bson::Int64(bound.max.into())),
                    ..Drifted::new(&name, model.name, model.collection, id.clone(), kind)
                });
            }
        });
        found
    }
}
