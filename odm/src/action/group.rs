//! Builder returned by `group_into`. The fields of the model and of the results are typed handles.

mod send;
mod steps;

use std::fmt;

use mongodb::bson::{Bson, Document, doc};

use crate::{
    client::{odm::Exec, place::visibility_setters},
    model::derive_traits::{Described, FieldSet, Handles, HasFields, Queried},
    query::{
        field::{
            ArrayElements, Count, FieldOf, GroupValue, InDocuments, MeanOf, RollupOf, StoredAs, Sum,
        },
        filter::{Filter, IntoFilter},
        sort::IntoSort,
    },
    value::codec::Codec,
};
use steps::Steps;

/// The stored form of the field `F`.
type FormOf<M, F> = <<F as FieldOf<M>>::Codec as Codec<<F as FieldOf<M>>::Value>>::Form;

/// An aggregation that groups the documents of a model: `Book::group_into::<Sales>(&odm)`.
///
/// The results are structs that derive `Embedded`. In each method that computes a field, the closure selects a field of
/// the result, and the other argument is a field of the model. The compiler checks both fields and their types.
///
/// The steps run in this order: [`filter`](Self::filter), [`unwind`](Self::unwind), the grouping,
/// [`having`](Self::having), and [`sort`](Self::sort), [`limit`](Self::limit) and [`stage`](Self::stage) in the order
/// of the calls.
///
/// # Sends
///
/// One `aggregate`, and further round trips if the results exceed 16 MB. A stream requests further batches after 101
/// results.
///
/// # Index
///
/// The server can use an index on the fields in the filter. The server reads all documents that match the filter.
///
/// # Errors
///
/// [`Error::Decode`](crate::Error::Decode) if a result does not match the struct, for example because an average of no
/// values is null and the field is not an `Option`. [`Error::Encode`](crate::Error::Encode) if serde cannot encode an
/// operand. [`Error::Invalid`](crate::Error::Invalid) if the field of a [`sum`](Self::sum) or an [`avg`](Self::avg) has
/// a codec (`#[serde(with = "..")]`) other than `mongo_odm::with::native`, because the server adds up the stored values.
/// The same error for a field inside an array that the call does not [`unwind`](Self::unwind), because a document then
/// has no single value of the field, and for a field at a position of an array (`at::<0>()`).
/// The same error if serde leaves out a value of the field (`skip_serializing_if`), and the value changes a sum, an
/// average, a [`min`](Self::min) or a [`max`](Self::max).
/// The same error if a [`stage`](Self::stage) writes into a collection, in the same cases as for an
/// [`Aggregate`](crate::action::Aggregate). All other errors are reported by the server.
///
/// # Examples
///
/// ```no_run
/// use mongo_odm::prelude::*;
///
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "authors")]
/// # struct Author { #[serde(rename = "_id")] id: Id<Author> }
/// #[derive(Debug, Serialize, Deserialize, Model)]
/// #[model(collection = "books")]
/// struct Book {
///     #[serde(rename = "_id")]
///     id: Id<Book>,
///     #[parent_ref]
///     author: Id<Author>,
///     title: String,
///     sold: i32,
/// }
///
/// #[derive(Debug, Serialize, Deserialize, Embedded)]
/// struct Sales {
///     author: Id<Author>,
///     books: i64,
///     sold: i64,
///     titles: Vec<String>,
/// }
///
/// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
/// let book = Book::fields();
/// let best: Vec<Sales> = Book::group_into::<Sales>(&odm)
///     .filter(book.sold.gt(0))
///     .by(|row| row.author, book.author)
///     .count(|row| row.books)
///     .sum(|row| row.sold, book.sold)
///     .push(|row| row.titles, book.title)
///     .having(|row| row.books.gte(2))
///     .sort(|row| row.sold.desc())
///     .limit(10)
///     .await?;
/// # Ok(()) }
/// ```
#[must_use = "an aggregation is sent when it is awaited"]
pub struct Group<M, R> {
    filter: Filter<M>,
    steps: Steps,
    having: Filter<R>,
    exec: Exec,
}

impl<M: Described, R: HasFields + 'static> Group<M, R> {
    pub(crate) fn new(exec: Exec) -> Self {
        Self {
            filter: Filter::all(),
            steps: Steps {
                unwound: Vec::new(),
                read: Vec::new(),
                keys: Vec::new(),
                computed: Vec::new(),
                after: Vec::new(),
                refused: None,
            },
            having: Filter::all(),
            exec,
        }
    }

    /// Groups only the documents that match the filter. If you set several filters, they are combined with "and".
    ///
    /// # Examples
    ///
    /// See [`Group`](Self).
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    /// `$unwind`: groups the elements of an array instead of the documents. Documents whose array is empty are left
    /// out.
    ///
    /// In the other methods, `book.tags.each()` then refers to one element, and `book.lines.price` refers to a field of
    /// the element. Without `unwind`, these fields are rejected. If the array is inside another array, first unwind the
    /// outer one.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/query_models.txt")]
    /// #[derive(Debug, Serialize, Deserialize, Embedded)]
    /// struct Row {
    ///     tag: String,
    ///     orders: i64,
    /// }
    ///
    /// # async fn example(odm: Odm) -> mongo_odm::Result<Vec<Row>> {
    /// let tags = Order::fields().tags;
    /// let rows = Order::group_into::<Row>(&odm)
    ///     .unwind(tags)
    ///     .by(|row| row.tag, tags.each())
    ///     .count(|row| row.orders);
    /// rows.await
    /// # }
    /// # Ok(()) }
    /// ```
    pub fn unwind<F>(mut self, array: F) -> Self
    where
        F: FieldOf<M, Value: ArrayElements, Place: Queried, Role: InDocuments<M>>,
    {
        self.steps.unwound.push((array.path(), F::ARRAYS));
        self
    }

    /// Groups the documents that have the same value in `field`. Call this method again to group by several fields. If
    /// you do not call it, all documents form one group.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    #[doc = include_str!("../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<Vec<Row>> {
    /// let book = Book::fields();
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .by(|row| row.author, book.author)
    ///     .count(|row| row.books);
    /// rows.await
    /// # }
    /// ```
    pub fn by<K, F>(mut self, key: impl FnOnce(Handles<R>) -> K, field: F) -> Self
    where
        F: FieldOf<M, Place: Queried, Role: InDocuments<M>>,
        K: FieldOf<R, Value: GroupValue<F::Value>>,
        FormOf<R, K>: StoredAs<FormOf<M, F>>,
    {
        let key = key(Handles::<R>::NEW).path();
        let path = self.steps.path_of::<M, F>(field);
        self.steps.keys.push((key, path));
        self
    }

    /// `$sum: 1`: the number of documents in the group.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    #[doc = include_str!("../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<Vec<Row>> {
    /// let book = Book::fields();
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .count(|row| row.books);
    /// rows.await
    /// # }
    /// ```
    pub fn count<K>(mut self, result: impl FnOnce(Handles<R>) -> K) -> Self
    where
        K: FieldOf<R, Value: RollupOf<Count, ()>>,
    {
        let path = result(Handles::<R>::NEW).path();
        self.steps.computed.push((path, doc! { "$sum": 1 }));
        self
    }

    /// `$sum`: the sum of the values. Missing values and nulls count as 0.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    #[doc = include_str!("../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<Vec<Row>> {
    /// let book = Book::fields();
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .sum(|row| row.sold, book.sold);
    /// rows.await
    /// # }
    /// ```
    pub fn sum<K, F>(mut self, result: impl FnOnce(Handles<R>) -> K, field: F) -> Self
    where
        F: FieldOf<M, Place: Queried, Role: InDocuments<M>>,
        K: FieldOf<R, Value: RollupOf<Sum, F::Value>>,
    {
        let zero = <K::Value as RollupOf<Sum, F::Value>>::of_none();
        let result = result(Handles::<R>::NEW);
        self.steps.add_up::<M, R>("$sum", result, field, &zero);
        self
    }

    /// `$avg`: the average of the values. Missing values and nulls are ignored. If no value remains, the result is
    /// null.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    #[doc = include_str!("../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<Vec<Row>> {
    /// let book = Book::fields();
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .avg(|row| row.mean, book.sold);
    /// rows.await
    /// # }
    /// ```
    pub fn avg<K, F>(mut self, result: impl FnOnce(Handles<R>) -> K, field: F) -> Self
    where
        F: FieldOf<M, Place: Queried, Role: InDocuments<M>>,
        K: FieldOf<R, Value: MeanOf<F::Value>>,
    {
        let result = result(Handles::<R>::NEW);
        self.steps
            .add_up::<M, R>("$avg", result, field, &Bson::Null);
        self
    }

    /// `$min`: the smallest value.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    #[doc = include_str!("../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let book = Book::fields();
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .by(|row| row.author, book.author)
    ///     .min(|row| row.fewest, book.sold)
    ///     .distinct(|row| row.titles, book.title);
    /// println!("{}", rows.plan()?);
    /// # Ok(()) }
    /// ```
    pub fn min<K, F>(self, result: impl FnOnce(Handles<R>) -> K, field: F) -> Self
    where
        F: FieldOf<M, Place: Queried, Role: InDocuments<M>>,
        K: FieldOf<R, Value: GroupValue<F::Value>>,
        FormOf<R, K>: StoredAs<FormOf<M, F>>,
    {
        self.extreme("$min", result(Handles::<R>::NEW), field)
    }

    /// `$max`: the largest value.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    #[doc = include_str!("../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<Vec<Row>> {
    /// let book = Book::fields();
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .max(|row| row.best, book.sold);
    /// rows.await
    /// # }
    /// ```
    pub fn max<K, F>(self, result: impl FnOnce(Handles<R>) -> K, field: F) -> Self
    where
        F: FieldOf<M, Place: Queried, Role: InDocuments<M>>,
        K: FieldOf<R, Value: GroupValue<F::Value>>,
        FormOf<R, K>: StoredAs<FormOf<M, F>>,
    {
        self.extreme("$max", result(Handles::<R>::NEW), field)
    }

    /// `$push`: an array that contains the values of all documents in the group. Missing values are left out.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    #[doc = include_str!("../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<Vec<Row>> {
    /// let book = Book::fields();
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .push(|row| row.titles, book.title);
    /// rows.await
    /// # }
    /// ```
    pub fn push<K, F>(self, result: impl FnOnce(Handles<R>) -> K, field: F) -> Self
    where
        F: FieldOf<M, Place: Queried, Role: InDocuments<M>>,
        K: FieldOf<R, Value: ArrayElements<Item = F::Value>>,
        FormOf<R, K>: StoredAs<FormOf<M, F>>,
    {
        self.compute("$push", result(Handles::<R>::NEW), field)
    }

    /// `$addToSet`: an array that contains the distinct values, in any order.
    ///
    /// # Examples
    ///
    /// See [`min`](Self::min).
    pub fn distinct<K, F>(self, result: impl FnOnce(Handles<R>) -> K, field: F) -> Self
    where
        F: FieldOf<M, Place: Queried, Role: InDocuments<M>>,
        K: FieldOf<R, Value: ArrayElements<Item = F::Value>>,
        FormOf<R, K>: StoredAs<FormOf<M, F>>,
    {
        self.compute("$addToSet", result(Handles::<R>::NEW), field)
    }

    /// Returns only those groups whose results match a filter. If you set several filters, they are combined with
    /// "and".
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    #[doc = include_str!("../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<Vec<Row>> {
    /// let book = Book::fields();
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .by(|row| row.author, book.author)
    ///     .count(|row| row.books)
    ///     .having(|row| row.books.gt(1));
    /// rows.await
    /// # }
    /// ```
    pub fn having<F: IntoFilter<R>>(mut self, filter: impl FnOnce(Handles<R>) -> F) -> Self {
        let filter = filter(Handles::<R>::NEW).into_filter();
        self.having = self.having.and(filter);
        self
    }

    /// Sorts the results.
    ///
    /// # Examples
    ///
    /// See [`Group`](Self).
    pub fn sort<S: IntoSort<R>>(self, sort: impl FnOnce(Handles<R>) -> S) -> Self {
        let sort = sort(Handles::<R>::NEW).into_sort().into_document();
        self.stage(doc! { "$sort": sort })
    }

    /// Returns at most this many results. As in a `find`, 0 means no limit.
    ///
    /// # Examples
    ///
    /// See [`Group`](Self).
    pub fn limit(self, results: u32) -> Self {
        // The server rejects a stage with the limit 0.
        if results == 0 {
            return self;
        }
        self.stage(doc! { "$limit": i64::from(results) })
    }

    /// Appends your own stage to the pipeline. The stage receives documents that have the fields of the results.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    #[doc = include_str!("../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .by(|row| row.author, Book::fields().author)
    ///     .count(|row| row.books)
    ///     .stage(doc! { "$sample": { "size": 3 } });
    /// println!("{:?}", rows.await?);
    /// # Ok(()) }
    /// ```
    pub fn stage(mut self, stage: Document) -> Self {
        self.steps.after.push(stage);
        self
    }

    fn extreme<F: FieldOf<M>>(mut self, operator: &str, result: impl FieldOf<R>, field: F) -> Self {
        self.steps.require_values::<M>(field, &Bson::Null);
        self.compute(operator, result, field)
    }

    fn compute<F: FieldOf<M>>(mut self, operator: &str, result: impl FieldOf<R>, field: F) -> Self {
        let path = self.steps.path_of::<M, F>(field);
        let accumulator = doc! { operator: format!("${path}") };
        self.steps.computed.push((result.path(), accumulator));
        self
    }
}

impl<M: Described, R> Group<M, R> {
    visibility_setters!(M in exec);
}

impl<M, R> fmt::Debug for Group<M, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group")
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
