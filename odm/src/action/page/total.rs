//! The number of documents on all pages of a query.

use futures_util::future::try_join;

use super::{Page, PageOf, PreparedPage};
use crate::{
    action::Count, client::command::CountCommand, error::Result, model::derive_traits::Described,
    observe::stats::Reads,
};

impl<M: Described, V: Send + 'static> PageOf<M, V> {
    /// Also counts the documents on all pages. [`Page::total`] then contains their number.
    ///
    /// The library counts the documents with a separate statement. If another program writes in the meantime, the count
    /// might not match the page. In a transaction, both statements read the same snapshot. The server reads an index
    /// entry for each counted document, so on a large collection, counting takes longer than reading the page. If your
    /// users only need to know whether more documents follow, use [`Page::next`] instead.
    ///
    /// # Sends
    ///
    /// One `aggregate` with the filter and the options of the query, like [`Count`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if the query has `let_vars`, because the driver's count does not
    /// accept variables.
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// let books = Book::find(&odm).sort(Book::fields().title.asc());
    /// let page = books.page(20).with_total().await?;
    /// println!("{} of {} books", page.items.len(), page.total.unwrap_or_default());
    /// # Ok(()) }
    /// ```
    pub const fn with_total(mut self) -> Self {
        self.with_total = true;
        self
    }

    /// Builds the statement that counts the documents on all pages, if your code called `with_total`.
    pub(super) fn prepare_count(&self) -> Result<Option<CountCommand>> {
        if !self.with_total {
            return Ok(None);
        }
        let find = &self.find;
        let count = Count::new(find.filter.clone(), &find.options, find.exec.clone());
        Ok(Some(count.into_command()?.0))
    }
}

impl<V> PreparedPage<V> {
    /// Reads the page and counts the documents on all pages, with two concurrent statements. In a transaction, the
    /// statements are sent one after the other.
    pub(super) async fn run_with_total(self, count: CountCommand, reads: Reads) -> Result<Page<V>> {
        let exec = self.exec.clone();
        let (page, total) = try_join(self.run(reads), exec.send(count)).await?;
        Ok(Page {
            total: Some(total),
            ..page
        })
    }
}
