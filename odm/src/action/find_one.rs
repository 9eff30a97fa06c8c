//! Builder returned by `find_one`.
//!
//! As in the driver, `find_one` returns an `Option`. If no document matches, `.require()` and `get` fail with an error.

use mongodb::{bson::Document, options::FindOptions};
use serde::de::DeserializeOwned;

use super::{Find, find::read};
use crate::{
    client::{
        command,
        odm::{Exec, Running},
        place::{Visibility, visibility_setters},
        plan::Plan,
    },
    error::Result,
    model::{
        derive_traits::{Described, Projection},
        shape::ModelShape,
    },
    query::{filter::IntoFilter, sort::IntoSort},
    setters::option_setters,
    value::decode::Decode,
};

/// A query that returns the first matching document, or `None`: `Product::find_one(&odm).filter(..)`.
///
/// See the example at [`Documents::find_one`](crate::Documents::find_one).
///
/// # Sends
///
/// One `find` with a limit of 1.
///
/// # Index
///
/// The server can use an index on the fields in the filter, followed by the fields in the sort.
///
/// # Errors
///
/// The errors of [`Find`]. [`require`](Self::require) also returns [`Error::NotFound`](crate::Error::NotFound).
#[must_use = "a query is sent when it is awaited"]
#[derive(Debug)]
pub struct FindOne<M, V = M> {
    find: Find<M, V>,
}

impl<M: Described, V: Send + 'static> Find<M, V> {
    /// Returns only the first document.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let book = Book::fields();
    /// let best_seller: Option<Book> = Book::find(&odm).sort(book.sold.desc()).first().await?;
    /// # Ok(()) }
    /// ```
    pub fn first(self) -> FindOne<M, V> {
        FindOne {
            find: self.limit(1),
        }
    }
}

impl<M: Described> FindOne<M> {
    /// Reads only the fields of a projection: `.select::<PartName>()`.
    ///
    /// # Examples
    ///
    /// See [`Find::select`](crate::action::Find::select).
    pub fn select<V: Projection<M>>(self) -> FindOne<M, V> {
        FindOne {
            find: self.find.select(),
        }
    }

    /// Reads the fields that a plain projection document selects, and decodes them as a type of your choice.
    ///
    /// # Examples
    ///
    /// See [`Find::project`](crate::action::Find::project).
    pub fn project<V: DeserializeOwned + Send + 'static>(
        self,
        projection: Document,
    ) -> FindOne<M, V> {
        FindOne {
            find: self.find.project(projection),
        }
    }
}

impl<M: Described, V: Send + 'static> FindOne<M, V> {
    /// Considers only documents that match the filter. If you set several filters, they are combined with "and".
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let book = Book::fields();
    /// let found = Book::find_one(&odm).filter(book.title.eq("Moominpappa at Sea")).await?;
    /// # Ok(()) }
    /// ```
    pub fn filter(mut self, filter: impl IntoFilter<M>) -> Self {
        self.find = self.find.filter(filter);
        self
    }

    /// Sets the sort order. The call returns the first document in this order.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let best_seller = Book::find_one(&odm).sort(Book::fields().sold.desc()).await?;
    /// # Ok(()) }
    /// ```
    pub fn sort(mut self, sort: impl IntoSort<M>) -> Self {
        self.find = self.find.sort(sort);
        self
    }

    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference);
    option_setters!(@ any FindOptions);

    pub(super) const fn options_mut(&mut self) -> &mut FindOptions {
        self.find.options_mut()
    }

    visibility_setters!(M in find.exec);

    pub(super) const fn see(&mut self, visibility: Visibility) {
        self.find.exec.see(visibility);
    }

    /// Returns the command, the decoder for the document, and the `Exec` that runs the command.
    pub(super) fn into_parts(self) -> Result<(command::FindCommand, Decode<V>, Exec)> {
        let (find, decode, exec) = self.find.into_parts()?;
        Ok((find.first(), decode, exec))
    }

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        let (find, _, exec) = self.into_parts()?;
        exec.plan_read(find)
    }

    /// Returns the document, or [`Error::NotFound`](crate::Error::NotFound).
    ///
    /// # Errors
    ///
    /// The errors of the call itself, and [`Error::NotFound`](crate::Error::NotFound).
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let book = Book::fields();
    /// // Fails with `Error::NotFound` if there is no such book.
    /// let found: Book = Book::find_one(&odm).filter(book.sold.gt(10)).require().await?;
    /// # Ok(()) }
    /// ```
    pub async fn require(self) -> Result<V> {
        find_required(M::SHAPE, "find_one", self.into_parts()).await
    }
}

impl<M: Described, V: Send + 'static> IntoFuture for FindOne<M, V> {
    type Output = Result<Option<V>>;
    type IntoFuture = Running<Option<V>>;

    fn into_future(self) -> Self::IntoFuture {
        let parts = self.into_parts();
        Box::pin(async move { Ok(read((M::SHAPE, "find_one"), parts).await?.pop()) })
    }
}

/// Reads a document, and fails if it does not exist.
pub(super) async fn find_required<V: Send>(
    model: &'static ModelShape,
    operation: &'static str,
    parts: Result<(command::FindCommand, Decode<V>, Exec)>,
) -> Result<V> {
    let filter = parts.as_ref().ok().map(|(find, ..)| find.filter.clone());
    let found = read((model, operation), parts).await?.pop();
    found.ok_or_else(|| model.not_found(filter.unwrap_or_default()))
}
