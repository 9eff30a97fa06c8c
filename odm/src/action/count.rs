//! Builders returned by `count` and `exists`.

use mongodb::options::{CountOptions, FindOptions};

use super::{rejected_options::check_counted, with_model};
use crate::{
    client::{
        command::{self, FindCommand},
        odm::{Exec, Running, traced},
        place::visibility_setters,
        plan::Plan,
    },
    error::Result,
    model::derive_traits::Described,
    observe::slow_statements::questioned,
    query::filter::{Filter, IntoFilter},
    setters::{copy_options, option_setters},
};

/// A count of documents: `Product::count(&odm).filter(..)`.
///
/// See the example at [`Documents::count`](crate::Documents::count).
///
/// # Sends
///
/// One `aggregate`, like the driver's `count_documents`.
///
/// # Index
///
/// The server can use an index on the fields in the filter. If such an index exists, the server reads only index
/// entries.
///
/// # Errors
///
/// [`Error::Encode`](crate::Error::Encode) if serde cannot encode an operand. All other errors are reported by the
/// server.
#[must_use = "a count is sent when it is awaited"]
#[derive(Debug)]
pub struct Count<M> {
    filter: Filter<M>,
    options: CountOptions,
    exec: Exec,
}

impl<M: Described> Count<M> {
    /// Counts the documents that a `find` with these options would return.
    pub(crate) fn new(filter: Filter<M>, find: &FindOptions, exec: Exec) -> Self {
        let counted = check_counted(M::SHAPE.name, find);
        let mut options = CountOptions::default();
        // In a `find`, a limit of 0 means no limit, and a limit of -n means at most n documents in a single batch.
        options.limit = find.limit.map(i64::unsigned_abs).filter(|limit| *limit > 0);
        copy_options!(find => options, [skip, hint, collation, max_time, comment, read_concern]);
        copy_options!(find => options, [selection_criteria]);
        let filter = match counted {
            Ok(()) => filter,
            Err(error) => filter.and(Filter::new(Err(error))),
        };
        Self {
            filter,
            options,
            exec,
        }
    }

    /// Counts only the documents that match the filter. If you set several filters, they are combined with "and".
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let count = Book::count(&odm).filter(Book::fields().sold.gt(0)).await?;
    /// # Ok(()) }
    /// ```
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    /// Stops counting after this many documents. As in the driver's `find`, 0 means no limit.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// // At most 1,000, which is all that a page of results shows.
    /// let count = Book::count(&odm).limit(1_000).await?;
    /// # Ok(()) }
    /// ```
    pub fn limit(mut self, documents: usize) -> Self {
        // The server rejects a larger number.
        let limit = (documents as u64).min(i64::MAX.cast_unsigned());
        self.options.limit = Some(limit).filter(|limit| *limit > 0);
        self
    }

    option_setters!(hint, collation, comment, max_time);
    option_setters!(read_concern, read_preference);
    option_setters!(@ any options: CountOptions);

    visibility_setters!(M in exec);

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        let (count, exec) = self.into_command()?;
        exec.plan_read(count)
    }

    pub(super) fn into_command(self) -> Result<(command::CountCommand, Exec)> {
        let count = command::CountCommand {
            place: self.exec.place(M::SHAPE),
            filter: self.filter.into_document().map_err(with_model::<M>)?,
            options: self.options,
        };
        Ok((count, self.exec))
    }
}

impl<M: Described> IntoFuture for Count<M> {
    type Output = Result<u64>;
    type IntoFuture = Running<u64>;

    fn into_future(self) -> Self::IntoFuture {
        traced(M::SHAPE, "count", async move {
            let (count, exec) = self.into_command()?;
            questioned(M::SHAPE, &count.filter, &exec);
            exec.send(count).await
        })
    }
}

/// A check of whether any document matches a filter: `Product::exists(&odm).filter(..)`.
///
/// See the example at [`Documents::exists`](crate::Documents::exists).
///
/// # Sends
///
/// One `find` with a limit of 1, which returns only an `_id`.
///
/// # Index
///
/// The server can use an index on the fields in the filter.
///
/// # Errors
///
/// [`Error::Encode`](crate::Error::Encode) if serde cannot encode an operand. All other errors are reported by the
/// server.
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct Exists<M> {
    filter: Filter<M>,
    options: FindOptions,
    exec: Exec,
}

impl<M: Described> Exists<M> {
    /// Checks whether a `find` with these options would return a document.
    pub(crate) fn new(filter: Filter<M>, options: FindOptions, exec: Exec) -> Self {
        Self {
            filter,
            options,
            exec,
        }
    }

    /// Checks only the documents that match the filter. If you set several filters, they are combined with "and".
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let is_any_sold = Book::exists(&odm).filter(Book::fields().sold.gt(0)).await?;
    /// # Ok(()) }
    /// ```
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.filter = self.filter.and(filter.into_filter());
        self
    }

    option_setters!(hint, collation, comment, max_time, let_vars);
    option_setters!(read_concern, read_preference);
    option_setters!(@ any options: FindOptions);

    visibility_setters!(M in exec);

    fn into_command(self) -> Result<(FindCommand, Exec)> {
        let mut find = FindCommand::new(
            self.exec.place(M::SHAPE),
            self.filter.into_document().map_err(with_model::<M>)?,
        );
        find.options = self.options;
        // The sort does not affect whether a document exists.
        find.options.sort = None;
        Ok((find.ids().first(), self.exec))
    }

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        let (find, exec) = self.into_command()?;
        exec.plan_read(find)
    }
}

impl<M: Described> IntoFuture for Exists<M> {
    type Output = Result<bool>;
    type IntoFuture = Running<bool>;

    fn into_future(self) -> Self::IntoFuture {
        traced(M::SHAPE, "exists", async move {
            let (find, exec) = self.into_command()?;
            questioned(M::SHAPE, &find.filter, &exec);
            exec.any(find).await
        })
    }
}
