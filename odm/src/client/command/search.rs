//! The filter and the sort of a statement, which are used to build an `explain`.

use std::borrow::Cow;

use mongodb::{
    bson::{Bson, Document, doc},
    options::{Collation, Hint},
};

use super::mongosh_options::MongoshOptions;
use crate::{client::place::Place, model::shape::ModelShape};

/// The largest number of values in an `$in` that the `explain` contains. The server chooses the same plan for two
/// values as for thousands.
const VALUES: usize = 10;

/// The filter and the sort of a statement on the documents of a model.
#[derive(Clone, Debug)]
pub(crate) struct Search<'c> {
    pub(crate) model: &'static ModelShape,
    /// The place of the statement, which adds the tenant and the visible documents to the filter.
    place: Cow<'c, Place>,
    pub(crate) filter: Cow<'c, Document>,
    pub(crate) sort: Option<&'c Document>,
    /// The limit, or `None` if the statement reads all documents.
    pub(crate) enough: Option<u64>,
    pub(super) collation: Option<&'c Collation>,
    pub(super) let_vars: Option<&'c Document>,
    pub(super) hint: Option<&'c Hint>,
}

impl<'c> Search<'c> {
    /// Returns the search for a statement that has this filter, or `None` for a statement on a whole collection.
    /// Statements on whole collections are not checked for indexes, because only the library itself sends them.
    pub(super) fn new(place: &'c Place, filter: &'c Document) -> Option<Self> {
        let search = Self::of_model(place.model()?, Cow::Borrowed(filter));
        Some(search.at(Cow::Borrowed(place)))
    }

    /// Returns a search for the documents of a model that match a filter.
    pub(super) const fn of_model(model: &'static ModelShape, filter: Cow<'c, Document>) -> Self {
        Self {
            model,
            place: Cow::Owned(Place::of(model)),
            filter,
            sort: None,
            enough: None,
            collation: None,
            let_vars: None,
            hint: None,
        }
    }

    /// Sets the place of the statement.
    pub(super) fn at(mut self, place: Cow<'c, Place>) -> Self {
        self.place = place;
        self
    }

    pub(super) const fn sort(mut self, sort: Option<&'c Document>) -> Self {
        self.sort = sort;
        self
    }

    /// Sets the limit. 0 means no limit.
    pub(super) fn enough(mut self, documents: Option<u64>) -> Self {
        self.enough = documents.filter(|documents| *documents > 0);
        self
    }

    pub(super) const fn collation(mut self, collation: Option<&'c Collation>) -> Self {
        self.collation = collation;
        self
    }

    pub(super) const fn let_vars(mut self, vars: Option<&'c Document>) -> Self {
        self.let_vars = vars;
        self
    }

    pub(super) const fn hint(mut self, hint: Option<&'c Hint>) -> Self {
        self.hint = hint;
        self
    }

    /// Whether the statement has a collation with which different strings can be equal.
    pub(crate) fn is_collated(&self) -> bool {
        self.collation.is_some_and(|it| it.locale != "simple")
    }

    /// Whether the statement has a hint.
    pub(crate) const fn is_hinted(&self) -> bool {
        self.hint.is_some()
    }

    /// Returns the collection that the statement searches: the collection of the model, or its archive.
    pub(crate) fn collection(&self) -> &'static str {
        let archive = self.model.archive_collection();
        let archive = archive.filter(|archive| *archive == self.place.name());
        archive.unwrap_or(self.model.collection)
    }

    /// Returns the filter that the server receives. It also contains the kind, the tenant and the condition on deleted
    /// documents. Long lists are shortened.
    pub(crate) fn scoped_filter(&self) -> Document {
        self.place.scope(shortened(&self.filter))
    }

    /// Returns a `find` that the server plans in the same way as the statement. The `find` changes nothing, even if the
    /// statement is a write.
    pub(crate) fn as_find(&self) -> Document {
        let filter = self.scoped_filter();
        let enough = self.enough.and_then(|enough| i64::try_from(enough).ok());
        let find = MongoshOptions(doc! { "find": self.collection(), "filter": filter })
            .with("sort", self.sort.cloned())
            .with("limit", enough)
            .collation(self.collation)
            .with("let", self.let_vars.cloned());
        find.0
    }
}

/// Returns a filter in which long lists are shortened, because millions of keys would not fit into the `explain`.
fn shortened(filter: &Document) -> Document {
    let conditions = filter.iter().map(|(name, condition)| {
        let condition = match condition {
            Bson::Array(values) if name == "$in" || name == "$nin" => {
                Bson::Array(values.iter().take(VALUES).cloned().collect())
            }
            Bson::Array(clauses) => Bson::Array(clauses.iter().map(shortened_value).collect()),
            condition => shortened_value(condition),
        };
        (name.clone(), condition)
    });
    conditions.collect()
}

fn shortened_value(value: &Bson) -> Bson {
    match value {
        Bson::Document(inner) => Bson::Document(shortened(inner)),
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static STUDENT: ModelShape = ModelShape::new("Student", "school", &[])
        .kind(crate::model::shape::KindShape::new("kind", "student"));

    #[test]
    fn a_search_is_a_find_of_the_kind_with_short_lists() {
        let filter = doc! { "$and": [{ "class": { "$in": (0..99).collect::<Vec<i32>>() } }], "at": { "$gt": 1 } };
        let sort = doc! { "at": -1 };
        let place = Place::of(&STUDENT);
        let search = Search::new(&place, &filter).unwrap();
        let find = search.sort(Some(&sort)).enough(Some(20)).as_find();
        let few = doc! { "class": { "$in": (0..10).collect::<Vec<i32>>() } };
        let filter = doc! { "kind": "student", "$and": [few], "at": { "$gt": 1 } };
        assert_eq!(
            find,
            doc! { "find": "school", "filter": filter, "sort": sort, "limit": 20_i64 }
        );
    }
}
