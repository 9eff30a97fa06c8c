//! Counts the related documents of one owner on the server.

use std::{marker::PhantomData, ops::Range, sync::Arc};

use mongodb::{
    bson::{RawDocument, doc},
    options::FindOptions,
};

use super::{
    key_index::KeyIndex, key_number::KeyNumber, key_ranges::Cut, load::Load, request::Request,
};
use crate::{
    client::{
        command::AggregateCommand,
        odm::{Running, traced_relation},
        place::visibility_setters,
        plan::Plan,
    },
    error::Result,
    model::derive_traits::{Described, HasFields, Path, Queried},
    observe::stats::Asked,
    query::{
        field::{ArrayElements, EmbedType, Field, FieldOf},
        filter::{ElementFields, ElementFilter, IntoFilter, RelationFilter},
    },
    setters::option_setters,
};

/// Counts the documents that are related to one document: `host.count_messages(&odm)`.
///
/// Awaiting the builder returns the number of documents as `u64`. A document is counted once, even if the owner refers
/// to it several times.
///
/// # Sends
///
/// One aggregation for every 8 MB of keys, which counts the documents on the server. If the owner does not have any
/// keys, nothing is sent.
///
/// # Index
///
/// The call uses the index for the relation. [`sync_indexes`](crate::Odm::sync_indexes) creates this index.
///
/// # Errors
///
/// - [`Error::Invalid`](crate::Error::Invalid) if you set a collation and the keys are strings
/// - errors from the driver
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/log_models.txt")]
/// # async fn example(odm: Odm, host: Host, since: DateTime) -> mongo_odm::Result<()> {
/// let all: u64 = host.count_messages(&odm).await?;
/// let recent = host
///     .count_messages(&odm)
///     .filter(LogMsg::fields().time.gte(since))
///     .await?;
/// println!("{recent} of {all} messages are recent");
/// # Ok(()) }
/// ```
#[must_use = "a count is sent when it is awaited"]
#[derive(Debug)]
pub struct CountRelated<T> {
    load: Load,
    target: PhantomData<fn() -> T>,
}

impl<T: Described> CountRelated<T> {
    pub(super) const fn new(load: Load) -> Self {
        Self {
            load,
            target: PhantomData,
        }
    }

    /// Counts only the documents that match a filter.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../docs/library_models.txt")]
    /// # async fn example(odm: Odm, author: Author) -> mongo_odm::Result<()> {
    /// let sold = author.count_books(&odm).filter(Book::fields().sold.gt(0)).await?;
    /// # Ok(()) }
    /// ```
    pub fn filter(mut self, filter: impl IntoFilter<T>) -> Self {
        self.load = self.load.filter(filter.into_filter().into_document());
        self
    }

    /// Counts only documents in which the array element that contains the owner's key matches a condition.
    ///
    /// `array` is the array of structs that contains the keys. The condition uses the field handles of that struct. In
    /// contrast, a [`filter`](Self::filter) applies to the whole document: an `elem_match` in the filter can also match
    /// an element that contains another owner's key. To declare such a condition for all loads of a relation, use
    /// [`ElementFilter`](crate::ElementFilter).
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) if `array` does not contain the keys, or if you set a collation and
    /// the keys are strings.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # use mongo_odm::prelude::*;
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "products", has_many(orders = "Order.lines.product"))]
    /// # struct Product { #[serde(rename = "_id")] id: Id<Product> }
    /// # #[derive(Debug, Serialize, Deserialize, Embedded)]
    /// # struct Line { #[refs(one)] product: Id<Product>, rush: bool }
    /// # #[derive(Debug, Serialize, Deserialize, Model)]
    /// # #[model(collection = "orders")]
    /// # struct Order { #[serde(rename = "_id")] id: Id<Order>, lines: Vec<Line> }
    /// # async fn example(odm: Odm, product: Product) -> mongo_odm::Result<()> {
    /// let rushed = product
    ///     .count_orders(&odm)
    ///     .filter_element(Order::fields().lines, |line| line.rush.eq(true))
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn filter_element<P, O, A, const I: usize, C, W>(
        mut self,
        array: Field<T, P, O, A, I, C>,
        condition: impl FnOnce(ElementFields<A>) -> W,
    ) -> Self
    where
        P: Path + Queried,
        O: HasFields + 'static,
        A: ArrayElements<Item: EmbedType<Embedded: 'static>> + 'static,
        Field<T, P, O, A, I, C>: FieldOf<T>,
        W: IntoFilter<<A::Item as EmbedType>::Embedded>,
    {
        let element = ElementFilter::new(array, condition).into_scope();
        self.load = self.load.scoped(element);
        self
    }

    option_setters!(hint, collation, comment, max_time, let_vars);
    option_setters!(read_concern, read_preference);
    option_setters!(@ in load.request.options: FindOptions);

    visibility_setters!(T in load.request);

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(self) -> Result<Plan> {
        plan(self.load)
    }
}

fn plan(mut load: Load) -> Result<Plan> {
    let keys = Arc::clone(&load.keys.index);
    load.check_count(&keys)?;
    let (request, keys) = (&load.request, &*keys);
    let ranges = keys.ranges(load.exec.settings(), Cut::BySize).into_iter();
    let counts = ranges.map(|range| count_all(request, range, keys));
    load.exec.plan_reads(counts)
}

async fn run(mut load: Load) -> Result<u64> {
    let keys = Arc::clone(&load.keys.index);
    load.check_count(&keys)?;
    let (request, keys) = (&load.request, &*keys);
    if keys.len() > 0 {
        request.count_call(Asked::Count, keys, &load.exec);
    }
    let mut total = 0;
    for range in keys.ranges(load.exec.settings(), Cut::BySize) {
        let batches = load.exec.open(count_all(request, range, keys)).await?;
        batches
            .for_each(|document| {
                total += read_count(document);
                Ok(())
            })
            .await?;
    }
    Ok(total)
}

fn count_all(request: &Request, range: Range<KeyNumber>, keys: &KeyIndex) -> AggregateCommand {
    let query = request.query(range, keys);
    let pipeline = vec![doc! { "$match": query.filter }, doc! { "$count": "n" }];
    AggregateCommand::new(request.target_place(), pipeline).with(request.aggregate_options(keys))
}

/// Reads the number that `$count` or `$sum` returned as `n`.
pub(super) fn read_count(document: &RawDocument) -> u64 {
    let int = match document.get("n") {
        Ok(Some(value)) => value.as_i64().or_else(|| value.as_i32().map(i64::from)),
        _ => None,
    };
    int.and_then(|int| u64::try_from(int).ok()).unwrap_or(0)
}

impl<T: Described> IntoFuture for CountRelated<T> {
    type Output = Result<u64>;
    type IntoFuture = Running<u64>;

    fn into_future(self) -> Self::IntoFuture {
        traced_relation(
            self.load.request.relation_and_model(),
            "count",
            run(self.load),
        )
    }
}
