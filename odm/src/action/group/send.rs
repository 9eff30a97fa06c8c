//! Sends the aggregation of a group.

use futures_util::Stream;
use serde::de::DeserializeOwned;

use super::Group;
use crate::{
    action::{Aggregate, with_model},
    client::{odm::Running, plan::Plan},
    error::Result,
    model::derive_traits::Described,
};

impl<M: Described, R: DeserializeOwned + Send + 'static> Group<M, R> {
    /// Converts this call to an [`Aggregate`], which has methods for the driver's options.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`](crate::Error::Encode) if serde cannot encode an operand. [`Error::Invalid`](crate::Error::Invalid)
    /// if a [`sum`](Self::sum) or an [`avg`](Self::avg) has a field whose values are not stored as numbers.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/library_models.txt")]
    #[doc = include_str!("../../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .by(|row| row.author, Book::fields().author)
    ///     .count(|row| row.books);
    /// let rows: Vec<Row> = rows.into_aggregate()?.allow_disk_use().await?;
    /// # Ok(()) }
    /// ```
    pub fn into_aggregate(self) -> Result<Aggregate<R>> {
        let filter = self.filter.into_document().map_err(with_model::<M>)?;
        let having = self.having.into_document()?;
        let pipeline = self
            .steps
            .pipeline(M::SHAPE, filter, having)
            .map_err(with_model::<M>)?;
        Ok(Aggregate::new(M::SHAPE, pipeline, self.exec))
    }

    #[doc = include_str!("../../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        self.into_aggregate()?.plan()
    }

    /// Streams the results from a single cursor.
    ///
    /// # Errors
    ///
    /// [`Error::Encode`](crate::Error::Encode) if serde cannot encode an operand. [`Error::Invalid`](crate::Error::Invalid)
    /// if a [`sum`](Self::sum) or an [`avg`](Self::avg) has a field whose values are not stored as numbers.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use futures_util::TryStreamExt;
    #[doc = include_str!("../../docs/library_models.txt")]
    #[doc = include_str!("../../docs/group_row.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let rows = Book::group_into::<Row>(&odm)
    ///     .by(|row| row.author, Book::fields().author)
    ///     .count(|row| row.books);
    /// let mut rows = rows.stream()?;
    /// while let Some(row) = rows.try_next().await? {
    ///     println!("{row:?}");
    /// }
    /// # Ok(()) }
    /// ```
    pub fn stream(self) -> Result<impl Stream<Item = Result<R>> + Send + 'static> {
        Ok(self.into_aggregate()?.stream())
    }
}

impl<M: Described, R: DeserializeOwned + Send + 'static> IntoFuture for Group<M, R> {
    type Output = Result<Vec<R>>;
    type IntoFuture = Running<Vec<R>>;

    fn into_future(self) -> Self::IntoFuture {
        match self.into_aggregate() {
            Ok(aggregate) => aggregate.into_future(),
            Err(error) => Box::pin(std::future::ready(Err(error))),
        }
    }
}
