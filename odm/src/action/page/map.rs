//! Converts the documents of a page.

use super::Page;

impl<V> Page<V> {
    /// Converts each document. The token and the total remain the same, so a service can return a page of its own type.
    ///
    /// # Examples
    ///
    #[doc = "```no_run"]
    #[doc = include_str!("../../docs/library_models.txt")]
    /// # async fn example(odm: Odm) -> mongo_odm::Result<()> {
    /// use mongo_odm::Page;
    ///
    /// let books = Book::find(&odm).sort(Book::fields().title.asc()).page(20).await?;
    /// let titles: Page<String> = books.map(|book| book.title);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn map<U>(self, to: impl FnMut(V) -> U) -> Page<U> {
        Page {
            items: self.items.into_iter().map(to).collect(),
            next: self.next,
            total: self.total,
        }
    }
}
