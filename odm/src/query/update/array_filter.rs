//! Conditions that select the array elements that an update changes.

use mongodb::{
    bson::{Bson, Document},
    options::UpdateModifications,
};

use super::Update;
use crate::{
    error::{Error, Result, cloned_result},
    model::derive_traits::HasFields,
    query::{
        field::{Condition, Element, Field, Named, OfArray, Positioned},
        filter::IntoFilter,
    },
    value::codec::AsSerde,
};

/// A condition that selects the array elements that an update changes.
///
/// [`when`](Field::when) returns the condition for a named element. `into()` converts a plain `Document` such as `doc!
/// { "r.id": 17 }` to an array filter.
#[derive(Debug)]
#[must_use = "a condition on elements does nothing until an update takes it, with `array_filter`"]
pub struct ArrayFilter(Result<Document>);

impl Clone for ArrayFilter {
    fn clone(&self) -> Self {
        Self(cloned_result(&self.0))
    }
}

/// A type that converts to a condition on array elements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which elements an update changes",
    label = "expected a condition on elements",
    note = "name the elements and ask for them by that name: `let r = Product::fields().lines.named::<'r'>();`, \
            `.set(r.qty, 3).array_filter(r.when(|line| line.qty.lt(3)))`, or write `doc! {{ \"r.qty\": {{ \"$lt\": 3 }} }}`"
)]
pub trait IntoArrayFilter {
    /// Converts the value to an array filter.
    ///
    /// # Examples
    ///
    /// See [`Field::named`](crate::field::Field::named).
    fn into_array_filter(self) -> ArrayFilter;
}

#[diagnostic::do_not_recommend]
impl IntoArrayFilter for ArrayFilter {
    fn into_array_filter(self) -> Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl IntoArrayFilter for Document {
    fn into_array_filter(self) -> ArrayFilter {
        ArrayFilter(Ok(self))
    }
}

impl ArrayFilter {
    /// Returns the condition. Stores an encoding error in the update, which then fails, and returns `None`.
    pub(crate) fn or_fail<M>(self, update: &mut Update<M>) -> Option<Document> {
        self.0.map_err(|error| update.fail(error)).ok()
    }
}

impl<M, A: 'static, T: 'static, const NAME: char>
    Field<M, Positioned<A, Named<NAME>>, Element, T, 0, AsSerde, OfArray>
{
    /// Returns the condition that selects the elements for an identifier such as `$[r]`. The condition applies to the
    /// element itself, or to its fields.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/query_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Order>) -> mongo_odm::Result<()> {
    /// let line = Order::fields().lines.named::<'l'>();
    /// Order::update(&odm, id)
    ///     .set(line.qty, 0)
    ///     .array_filter(line.when(|line| line.qty.lt(0)))
    ///     .await?;
    /// # Ok(()) }
    /// # Ok(()) }
    /// ```
    pub fn when<F: IntoFilter<T>>(
        self,
        condition: impl FnOnce(Field<T, Condition<A, NAME>, Element, T, 0>) -> F,
    ) -> ArrayFilter
    where
        Element: HasFields,
    {
        ArrayFilter(condition(Field::NEW).into_filter().into_document())
    }
}

/// Rejects an update if one of its paths contains an identifier such as `$[r]` without a matching array filter.
pub(crate) fn check_array_filters(
    update: &UpdateModifications,
    filters: &[Document],
) -> Result<()> {
    let UpdateModifications::Document(operators) = update else {
        return Ok(());
    };
    let fields = operators
        .iter()
        .filter_map(|(_, fields)| fields.as_document());
    for path in fields.flat_map(Document::keys) {
        let unsaid = names_in(path).find(|name| !filters.iter().any(|filter| says(filter, name)));
        if let Some(name) = unsaid {
            return Err(Error::invalid(format!(
                "`{path}` does not say which elements `{name}` stands for; add `.array_filter({name}.when(|element| ..))`, \
                 or write `every()` in the place of `named`"
            )));
        }
    }
    Ok(())
}

fn names_in(path: &str) -> impl Iterator<Item = &str> {
    path.split('.')
        .filter_map(|segment| segment.strip_prefix("$[")?.strip_suffix(']'))
        .filter(|name| !name.is_empty())
}

/// Returns whether an array filter contains a condition for the given identifier.
fn says(filter: &Document, name: &str) -> bool {
    filter.iter().any(|(key, value)| match value {
        Bson::Array(clauses) if key.starts_with('$') => {
            let mut clauses = clauses.iter().filter_map(Bson::as_document);
            clauses.any(|clause| says(clause, name))
        }
        _ => key.split('.').next() == Some(name),
    })
}

/// Defines the setter `array_filter` for a builder that contains an update and driver options.
macro_rules! array_filter_setter {
    () => {
        /// Adds the array filter for an identifier `$[name]` in a path: `.array_filter(part.when(|part|
        /// part.qty.lt(3)))`.
        ///
        /// # Examples
        ///
        /// See [`Field::named`](crate::field::Field::named).
        pub fn array_filter(mut self, filter: impl $crate::query::update::IntoArrayFilter) -> Self {
            if let Some(filter) = filter.into_array_filter().or_fail(&mut self.update) {
                let filters = &mut self.options_mut().array_filters;
                filters.get_or_insert_default().push(filter);
            }
            self
        }
    };
}

pub(crate) use array_filter_setter;
