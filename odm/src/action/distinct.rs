//! Builder returned by `distinct`.

use std::marker::PhantomData;

use mongodb::{
    bson::{Bson, Document},
    options::DistinctOptions,
};

use super::with_model;
use crate::{
    client::{
        command,
        odm::{Exec, into_future, traced},
        place::visibility_setters,
        plan::Plan,
    },
    error::{Error, Result},
    model::{
        derive_traits::Described,
        shape::{ModelShape, walk},
    },
    query::{
        field::FieldOf,
        filter::{Filter, IntoFilter},
    },
    setters::option_setters,
};

/// The distinct values of a field: `Product::distinct(&odm, Product::fields().name)`.
///
/// See the example at [`Documents::distinct`](crate::Documents::distinct).
///
/// # Sends
///
/// One `distinct`. If the reply would exceed 16 MB, the server returns an error.
///
/// In a transaction, a sharded cluster rejects `distinct` on a sharded collection. So in a transaction on a cluster,
/// the library sends one `aggregate` with the same result instead. If the path contains the position of an element,
/// such as `lines.0.qty`, the library still sends `distinct`.
///
/// # Index
///
/// The server can use an index on the field. If such an index exists and the call does not have a filter, the server
/// reads only index entries.
///
/// # Errors
///
/// [`Error::Invalid`] for an array, because the server returns its elements; call `each()` on the field. The same error
/// for a field of structs in an array of arrays, because the server does not search such an array.
/// [`Error::Decode`] if a value does not match the type of the field. [`Error::Encode`] if serde cannot encode an
/// operand. All other errors are reported by the server.
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct Distinct<M, V> {
    path: String,
    decode: fn(Bson) -> Result<V, String>,
    /// Whether the values are the elements of an array. If so, a null that the element type cannot represent is
    /// skipped, because the null is stored instead of an array and is not an element.
    of_elements: bool,
    filter: Filter<M>,
    options: DistinctOptions,
    exec: Exec,
    of: PhantomData<fn() -> M>,
}

impl<M: Described, V: Send + 'static> Distinct<M, V> {
    pub(crate) fn new<F: FieldOf<M, Value = V>>(field: F, exec: Exec) -> Self {
        let path = field.path();
        let is_array = field.shape().is_some_and(|shape| shape.array);
        let has_codec = field.shape().is_some_and(|shape| shape.codec.is_some());
        let checked = match field.check_search() {
            Ok(()) if is_array && !has_codec => refuse_array(M::SHAPE, &path, F::ARRAYS),
            checked => checked,
        };
        Self {
            path,
            decode: F::decode,
            of_elements: is_array,
            filter: Filter::new(checked.map(|()| Document::new())),
            options: DistinctOptions::default(),
            exec,
            of: PhantomData,
        }
    }

    /// Reads only the documents that match the filter. If you set several filters, they are combined with "and".
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let book = Book::fields();
    /// let titles: Vec<String> = Book::distinct(&odm, book.title)
    ///     .filter(book.sold.gt(0))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    option_setters!(hint, collation, comment, max_time);
    option_setters!(read_concern, read_preference);
    option_setters!(@ any options: DistinctOptions);

    visibility_setters!(M in exec);

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        let (distinct, exec) = self.into_command()?;
        exec.plan_read(distinct)
    }

    fn into_command(self) -> Result<(command::DistinctCommand, Exec)> {
        let distinct = command::DistinctCommand {
            place: self.exec.place(M::SHAPE),
            path: self.path,
            filter: self.filter.into_document().map_err(with_model::<M>)?,
            options: self.options,
        };
        Ok((distinct, self.exec))
    }

    async fn run(self) -> Result<Vec<V>> {
        let (decode, of_elements) = (self.decode, self.of_elements);
        let (distinct, exec) = self.into_command()?;
        let path = distinct.path.clone();
        exec.odm().count_question(M::SHAPE, &distinct.filter);
        let values = exec.distinct_values(distinct).await?.into_iter();
        let mut decoded = Vec::new();
        for value in values {
            let is_null = value == Bson::Null;
            match decode(value) {
                Ok(value) => decoded.push(value),
                Err(_) if of_elements && is_null => {}
                Err(message) => {
                    return Err(Error::Decode {
                        type_name: crate::value::codec::short_type_name::<V>(),
                        collection: M::SHAPE.collection.to_owned(),
                        id: None,
                        path,
                        message,
                    });
                }
            }
        }
        Ok(decoded)
    }
}

/// Rejects a field that is an array as a whole, and not each of its elements. `arrays` is the number of arrays around the
/// field. The elements of an array have one array more around them than the array itself.
fn refuse_array(model: &'static ModelShape, path: &str, arrays: usize) -> Result<()> {
    let is_whole = walk(model.fields)
        .iter()
        .any(|field| field.path == path && field.arrays_above == arrays);
    if !is_whole {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "`distinct` returns the elements of the array `{}.{path}`; call `each()` on the field",
        model.name
    )))
}

into_future!(
    [M: Described, V: Send + 'static] Distinct<M, V> => Vec<V>,
    |it| traced(M::SHAPE, "distinct", it.run())
);
