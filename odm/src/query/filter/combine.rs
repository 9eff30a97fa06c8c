//! Functions that combine filters.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use mongodb::bson::doc;

use super::{Filter, IntoFilter, merge};

impl<M: ?Sized> Filter<M> {
    /// Returns a filter for the documents that match all of the given filters. Without any filters, the result matches
    /// every document.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/stock_models.txt")]
    /// let part = Part::fields();
    /// let words = ["rubber", "grommet"];
    /// let has_all = Filter::all_of(words.map(|word| part.name.contains(word)));
    /// assert_eq!(
    ///     has_all.into_document().unwrap(),
    ///     doc! { "$and": [{ "name": { "$regex": "rubber" } }, { "name": { "$regex": "grommet" } }] }
    /// );
    /// ```
    pub fn all_of(filters: impl IntoIterator<Item = Self>) -> Self {
        filters.into_iter().fold(Self::all(), Self::and)
    }

    /// Returns a filter for the documents that match at least one of the given filters. Without any filters, the result
    /// does not match any document.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let order = Order::fields();
    /// let filter = Filter::any_of(["gift", "urgent"].map(|tag| order.tags.contains(tag)));
    /// assert_eq!(filter.into_document()?, doc! { "$or": [{ "tags": "gift" }, { "tags": "urgent" }] });
    /// # Ok(()) }
    /// ```
    #[doc(alias = "any")]
    pub fn any_of(filters: impl IntoIterator<Item = Self>) -> Self {
        let joined = filters.into_iter().reduce(Self::or);
        joined.unwrap_or_else(|| !Self::all())
    }

    /// Returns a filter for the documents that match both filters.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let order = Order::fields();
    /// // The same as `order.total.gt(100) & order.customer.eq("ann")`.
    /// let filter = order.total.gt(100).and(order.customer.eq("ann"));
    /// assert_eq!(filter.into_document()?, doc! { "$and": [{ "total": { "$gt": 100_i64 } }, { "customer": "ann" }] });
    /// # Ok(()) }
    /// ```
    pub fn and(self, other: Self) -> Self {
        self.combine("$and", other)
    }

    /// Returns a filter for the documents that match at least one of the two filters.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let order = Order::fields();
    /// // The same as `order.total.gt(100) | order.customer.eq("ann")`.
    /// let filter = order.total.gt(100).or(order.customer.eq("ann"));
    /// assert_eq!(filter.into_document()?, doc! { "$or": [{ "total": { "$gt": 100_i64 } }, { "customer": "ann" }] });
    /// # Ok(()) }
    /// ```
    pub fn or(self, other: Self) -> Self {
        self.combine("$or", other)
    }

    /// Adds a condition that depends on an optional value. If the value is `None`, the filter stays
    /// unchanged.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/stock_models.txt")]
    /// fn search(name: Option<&str>, least: Option<i64>) -> Filter<Part> {
    ///     let part = Part::fields();
    ///     Filter::all()
    ///         .and_if(name, |name| part.name.starts_with(name))
    ///         .and_if(least, |least| part.qty.gte(least))
    /// }
    /// let by_name = search(Some("#5"), None).into_document().unwrap();
    /// assert_eq!(by_name, doc! { "name": { "$regex": "^#5" } });
    /// ```
    pub fn and_if<V, F>(self, value: Option<V>, condition: impl FnOnce(V) -> F) -> Self
    where
        F: IntoFilter<M>,
    {
        match value {
            Some(value) => self.and(condition(value).into_filter()),
            None => self,
        }
    }

    fn combine(self, operator: &str, other: Self) -> Self {
        Self::new(
            self.document
                .and_then(|left| Ok(merge(operator, left, other.document?))),
        )
    }
}

impl<M: ?Sized> BitAnd for Filter<M> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.and(other)
    }
}

impl<M: ?Sized> BitOr for Filter<M> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.or(other)
    }
}

impl<M: ?Sized> BitAndAssign for Filter<M> {
    fn bitand_assign(&mut self, other: Self) {
        *self = std::mem::take(self).and(other);
    }
}

impl<M: ?Sized> BitOrAssign for Filter<M> {
    fn bitor_assign(&mut self, other: Self) {
        *self = std::mem::take(self).or(other);
    }
}

impl<M: ?Sized> Not for Filter<M> {
    type Output = Self;

    fn not(self) -> Self {
        Self::new(self.document.map(|filter| doc! { "$nor": [filter] }))
    }
}

/// Returns a filter that matches every document.
impl<M: ?Sized> Default for Filter<M> {
    fn default() -> Self {
        Self::all()
    }
}
