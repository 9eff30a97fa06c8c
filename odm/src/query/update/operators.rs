//! Typed update operators.

use mongodb::bson::{Bson, Document};

use super::{
    Patch, Update,
    computed_operators::{current_date, factor, summand},
    element_operators::{add_each, add_pulled, values},
};
use crate::{
    error::Result,
    query::{
        field::{
            Amount, ArrayType, Changeable, Dated, FieldOf, Operand, Removable, Writable,
            encode_items, same_elements,
        },
        filter::IntoFilter,
    },
};

/// The update operators of [`Update`] and of every builder that contains an update.
///
/// An operand is encoded exactly as the field stores its values.
///
/// # Sends
///
/// Nothing. The update is sent when you await the write.
///
/// # Errors
///
/// - [`Error::Encode`](crate::Error::Encode) if serde cannot write an operand as BSON.
/// - [`Error::BoundExceeded`](crate::Error::BoundExceeded) if `push` or `push_all` exceeds the `max` of an array.
/// - [`Error::Invalid`](crate::Error::Invalid) if the codec of the field could not read the value that the server
///   computes. `inc` and `mul` need a field that stores numbers, and `current_date` one that stores BSON dates. `mul`
///   also rejects codecs other than `mongo_odm::with::native`, because they would convert the factor.
///
/// # Limits
///
/// If the server or the library would reject an update for every document, the update does not compile. `cargo check`
/// reports these mistakes at the field:
///
/// - an update to a field inside an array, without the position of the element,
/// - a change to the `_id`,
/// - an update to a flattened struct as a whole,
/// - an update to a copy, a summary or a recent list,
/// - an update to a field that the library maintains, such as `#[updated_at]`.
///
/// Generic code uses [`Changeable`], [`Writable`] or [`Removable`] as a bound. If you pass a plain document to
/// [`with`](Self::with), it is checked only when the update is sent.
///
/// # Examples
///
/// ```
#[doc = include_str!("../../docs/query_models.txt")]
/// let order = Order::fields();
/// let update = Update::new().set(order.customer, "ann").inc(order.lines.every().qty, 1);
/// # Ok(()) }
/// ```
///
/// Without the position of the element, the update does not compile:
///
/// ```compile_fail
#[doc = include_str!("../../docs/query_models.txt")]
/// let update = Update::new().inc(Order::fields().lines.qty, 1);
/// # Ok(()) }
/// ```
///
/// A change to the `_id` does not compile:
///
/// ```compile_fail
#[doc = include_str!("../../docs/query_models.txt")]
/// let update = Update::new().set(Order::fields().id, Id::<Order>::new());
/// # Ok(()) }
/// ```
///
/// Removing a field that the struct requires does not compile:
///
/// ```compile_fail
#[doc = include_str!("../../docs/query_models.txt")]
/// let update = Update::new().unset(Order::fields().total);
/// # Ok(()) }
/// ```
pub trait UpdateOperators<M>: Sized {
    /// Returns the update to which the methods add operators.
    #[doc(hidden)]
    fn update_mut(&mut self) -> &mut Update<M>;

    /// `$set`: sets a field to a value.
    ///
    /// If serde omits the value from a document (`#[serde(skip_serializing_if = "..")]`), the update removes the field
    /// with `$unset`.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().set(Order::fields().customer, "ann");
    /// // { "$set": { "customer": "ann" } }
    /// # assert_eq!(operators(update), doc! { "$set": { "customer": "ann" } });
    /// # Ok(()) }
    /// ```
    fn set<F: FieldOf<M> + Changeable<M>>(
        mut self,
        field: F,
        value: impl Operand<F::Value>,
    ) -> Self {
        self.update_mut().put(field, &value.into_value());
        self
    }

    /// `$setOnInsert`: sets a field, but only if an upsert inserts the document.
    ///
    /// If serde omits the value from a document, the field is not written.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().set_on_insert(Order::fields().total, 0);
    /// // { "$setOnInsert": { "total": 0 } }
    /// # assert_eq!(operators(update), doc! { "$setOnInsert": { "total": 0_i64 } });
    /// # Ok(()) }
    /// ```
    fn set_on_insert<F: FieldOf<M> + Writable<M>>(
        mut self,
        field: F,
        value: impl Operand<F::Value>,
    ) -> Self {
        self.update_mut().put_on_insert(field, &value.into_value());
        self
    }

    /// `$unset`: removes a field. The field must be an `Option` or have `#[serde(default)]`, so that it may be missing.
    ///
    /// An `Option` that has a `serde(with)` also requires `#[serde(default)]`, because serde otherwise rejects a
    /// missing field.
    ///
    /// After the update, the field is missing. So the filter `is_missing` matches the document, and `is_null` does not.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().unset(Order::fields().note);
    /// // { "$unset": { "note": "" } }
    /// # assert_eq!(operators(update), doc! { "$unset": { "note": "" } });
    /// # Ok(()) }
    /// ```
    fn unset<F: FieldOf<M> + Removable<M>>(self, field: F) -> Self {
        self.operator("$unset", field, Ok(Bson::String(String::new())))
    }

    /// `$inc`: adds the operand to a number. If the field is missing, the server stores the operand, even if serde
    /// reads a missing field as a default other than 0.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().inc(Order::fields().total, -5);
    /// // { "$inc": { "total": -5 } }
    /// # assert_eq!(operators(update), doc! { "$inc": { "total": -5_i64 } });
    /// # Ok(()) }
    /// ```
    fn inc<F: FieldOf<M> + Changeable<M>>(self, field: F, by: impl Amount<F::Value>) -> Self {
        self.operator("$inc", field, summand(field, &by.into_value()))
    }

    /// `$mul`: multiplies a number by the operand. If the field is missing, the server stores 0, even if serde reads a
    /// missing field as a different default.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().mul(Order::fields().total, 2);
    /// // { "$mul": { "total": 2 } }
    /// # assert_eq!(operators(update), doc! { "$mul": { "total": 2_i64 } });
    /// # Ok(()) }
    /// ```
    fn mul<F: FieldOf<M> + Changeable<M>>(self, field: F, by: impl Amount<F::Value>) -> Self {
        self.operator("$mul", field, factor(field, &by.into_value()))
    }

    /// `$min`: sets a field to the operand if the operand is smaller than the stored value, or if the field is missing.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().min(Order::fields().total, 100);
    /// // { "$min": { "total": 100 } }
    /// # assert_eq!(operators(update), doc! { "$min": { "total": 100_i64 } });
    /// # Ok(()) }
    /// ```
    fn min<F: FieldOf<M> + Changeable<M>>(self, field: F, value: impl Operand<F::Value>) -> Self {
        self.operator("$min", field, field.encode(&value.into_value()))
    }

    /// `$max`: sets a field to the operand if the operand is larger than the stored value, or if the field is missing.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().max(Order::fields().total, 100);
    /// // { "$max": { "total": 100 } }
    /// # assert_eq!(operators(update), doc! { "$max": { "total": 100_i64 } });
    /// # Ok(()) }
    /// ```
    fn max<F: FieldOf<M> + Changeable<M>>(self, field: F, value: impl Operand<F::Value>) -> Self {
        self.operator("$max", field, field.encode(&value.into_value()))
    }

    /// `$currentDate`: sets a date field to the server's current time.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().current_date(Order::fields().due);
    /// // { "$currentDate": { "due": true } }
    /// # assert_eq!(operators(update), doc! { "$currentDate": { "due": true } });
    /// # Ok(()) }
    /// ```
    fn current_date<F: FieldOf<M> + Changeable<M, Value: Dated>>(self, field: F) -> Self {
        self.operator("$currentDate", field, current_date(field))
    }

    /// `$push`: appends one element to an array.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().push(Order::fields().tags, "gift");
    /// // { "$push": { "tags": { "$each": ["gift"] } } }
    /// # assert_eq!(operators(update), doc! { "$push": { "tags": { "$each": ["gift"] } } });
    /// # Ok(()) }
    /// ```
    fn push<F>(self, field: F, element: impl Operand<<F::Value as ArrayType>::Item>) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
    {
        self.push_all(field, [element])
    }

    /// `$push` with `$each`: appends elements to an array, in order.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().push_all(Order::fields().tags, ["gift", "urgent"]);
    /// // { "$push": { "tags": { "$each": ["gift", "urgent"] } } }
    /// # assert_eq!(operators(update), doc! { "$push": { "tags": { "$each": ["gift", "urgent"] } } });
    /// # Ok(()) }
    /// ```
    fn push_all<F, V>(mut self, field: F, elements: impl IntoIterator<Item = V>) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
        V: Operand<<F::Value as ArrayType>::Item>,
    {
        let elements = encode_items(field, values(elements));
        add_each(self.update_mut(), "$push", field.path(), elements);
        self
    }

    /// `$addToSet`: appends an element if the array does not contain it yet.
    ///
    /// The library first sets the copies (`#[denorm]`) in the operand to the current values of their sources. The
    /// server then compares all fields.
    ///
    /// # Limits
    ///
    /// If a copy in the array is stale, the element is added a second time. A copy is stale until a job has updated it.
    /// If the source was deleted, the copy stays stale.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().add_to_set(Order::fields().tags, "gift");
    /// // { "$addToSet": { "tags": { "$each": ["gift"] } } }
    /// # assert_eq!(operators(update), doc! { "$addToSet": { "tags": { "$each": ["gift"] } } });
    /// # Ok(()) }
    /// ```
    fn add_to_set<F>(self, field: F, element: impl Operand<<F::Value as ArrayType>::Item>) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
    {
        self.add_all_to_set(field, [element])
    }

    /// `$addToSet` with `$each`: appends the elements that the array does not contain yet.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().add_all_to_set(Order::fields().tags, ["gift", "urgent"]);
    /// // { "$addToSet": { "tags": { "$each": ["gift", "urgent"] } } }
    /// # assert_eq!(operators(update), doc! { "$addToSet": { "tags": { "$each": ["gift", "urgent"] } } });
    /// # Ok(()) }
    /// ```
    fn add_all_to_set<F, V>(mut self, field: F, elements: impl IntoIterator<Item = V>) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
        V: Operand<<F::Value as ArrayType>::Item>,
    {
        let elements = encode_items(field, values(elements));
        add_each(self.update_mut(), "$addToSet", field.path(), elements);
        self
    }

    /// `$pullAll`: removes every element that equals the operand. Calls accumulate: the update removes the elements
    /// that were passed to any of the calls.
    ///
    /// A stored struct equals the operand if all fields are equal and in the order in which serde writes them.
    ///
    /// If the struct contains copies (`#[denorm]`), the update uses `$pull` instead. The copies are not compared,
    /// because the stored copies can be newer than those in the operand. The other fields, including snapshots, are
    /// compared in any order, and `None` equals a missing field.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().pull(Order::fields().tags, "gift");
    /// // { "$pullAll": { "tags": ["gift"] } }
    /// # assert_eq!(operators(update), doc! { "$pullAll": { "tags": ["gift"] } });
    /// # Ok(()) }
    /// ```
    fn pull<F>(self, field: F, element: impl Operand<<F::Value as ArrayType>::Item>) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
    {
        self.pull_all(field, [element])
    }

    /// `$pullAll`: removes every element that equals one of the operands. Elements are compared as in
    /// [`pull`](Self::pull).
    ///
    /// # Errors
    ///
    /// The update fails with [`Error::Invalid`](crate::Error::Invalid) if the operands contain `None` as well as
    /// structs that contain copies, because one `$pull` cannot express both conditions. To remove both, send two
    /// updates.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().pull_all(Order::fields().tags, ["gift", "urgent"]);
    /// // { "$pullAll": { "tags": ["gift", "urgent"] } }
    /// # assert_eq!(operators(update), doc! { "$pullAll": { "tags": ["gift", "urgent"] } });
    /// # Ok(()) }
    /// ```
    fn pull_all<F, V>(mut self, field: F, elements: impl IntoIterator<Item = V>) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
        V: Operand<<F::Value as ArrayType>::Item>,
    {
        let elements = encode_items(field, values(elements));
        let shape = field.shape();
        let same = |operands: &[Bson]| same_elements(shape, operands);
        add_pulled(self.update_mut(), field.path(), elements, &same);
        self
    }

    /// `$pull` with a condition: removes every element that matches the filter.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().pull_where(Order::fields().lines, Line::fields().qty.eq(0));
    /// // { "$pull": { "lines": { "qty": 0 } } }
    /// # assert_eq!(operators(update), doc! { "$pull": { "lines": { "qty": 0_i64 } } });
    /// # Ok(()) }
    /// ```
    fn pull_where<F>(
        self,
        field: F,
        condition: impl IntoFilter<<F::Value as ArrayType>::Item>,
    ) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
    {
        let condition = condition.into_filter().into_document().map(Bson::Document);
        self.operator("$pull", field, condition)
    }

    /// `$pop`: removes the last element of an array.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().pop_last(Order::fields().tags);
    /// // { "$pop": { "tags": 1 } }
    /// # assert_eq!(operators(update), doc! { "$pop": { "tags": 1 } });
    /// # Ok(()) }
    /// ```
    fn pop_last<F: FieldOf<M> + Writable<M, Value: ArrayType>>(self, field: F) -> Self {
        self.operator("$pop", field, Ok(Bson::Int32(1)))
    }

    /// `$pop`: removes the first element of an array.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new().pop_first(Order::fields().tags);
    /// // { "$pop": { "tags": -1 } }
    /// # assert_eq!(operators(update), doc! { "$pop": { "tags": -1 } });
    /// # Ok(()) }
    /// ```
    fn pop_first<F: FieldOf<M> + Writable<M, Value: ArrayType>>(self, field: F) -> Self {
        self.operator("$pop", field, Ok(Bson::Int32(-1)))
    }

    /// Adds the changes of a [patch](trait@crate::Patch), such as the parsed body of an HTTP request.
    ///
    /// # Sends
    ///
    /// The library sends the changes as `$set` and `$unset`. If the patch is empty and the update contains no other
    /// operators, `update` and `update_many` send nothing and report `matched: 0`. In this case, `find_one_and_update`
    /// only reads the document.
    ///
    /// If the patch changes single fields of an embedded struct, the filter also requires that the document contains
    /// the struct. If an `update` or `find_one_and_update` then matches nothing, it sends a `find` that searches for a
    /// matching document without the struct. `update_many` sends a transaction, which begins with this `find`.
    ///
    /// # Errors
    ///
    /// The write fails with [`Error::InvalidPatch`](crate::Error::InvalidPatch) if the patch sets a field to null
    /// although the field must have a value, or if a matching document lacks the embedded struct. The write fails with
    /// [`Error::Validation`](crate::Error::Validation) if the patch has the option `validate` and violates a rule.
    /// In all these cases, nothing is written.
    ///
    /// # Examples
    ///
    /// See [`Patch`](trait@crate::Patch).
    fn patch(mut self, patch: impl Patch<Of = M>) -> Self {
        let changes = patch.__odm_changes();
        self.update_mut().add_patch(changes);
        self
    }

    /// Adds operators from a plain document.
    ///
    /// # Errors
    ///
    /// If several operators write to the same path, the write fails with [`Error::Invalid`](crate::Error::Invalid)
    /// before it sends anything.
    ///
    /// # Examples
    ///
    /// ```
    #[doc = include_str!("../../docs/query_models.txt")]
    /// let update = Update::new()
    ///     .inc(Order::fields().total, 5)
    ///     .with(doc! { "$rename": { "note": "remark" } });
    /// // { "$inc": { "total": 5 }, "$rename": { "note": "remark" } }
    /// # assert_eq!(operators(update), doc! { "$inc": { "total": 5_i64 }, "$rename": { "note": "remark" } });
    /// # Ok(()) }
    /// ```
    fn with(mut self, operators: Document) -> Self {
        let update = std::mem::take(self.update_mut());
        *self.update_mut() = update.with(operators);
        self
    }

    /// Replaces all operators that were added so far. The new update may consist of operators or be a pipeline.
    ///
    /// # Examples
    ///
    /// ```no_run
    #[doc = include_str!("../../docs/query_models.txt")]
    /// # async fn example(odm: Odm, id: Id<Order>) -> mongo_odm::Result<()> {
    /// // An update as a pipeline, which can read other fields of the document.
    /// let half = doc! { "$set": { "total": { "$divide": ["$total", 2] } } };
    /// Order::update(&odm, id).modifications(vec![half]).await?;
    /// # Ok(()) }
    /// # Ok(()) }
    /// ```
    fn modifications(mut self, update: impl Into<Update<M>>) -> Self {
        *self.update_mut() = update.into();
        self
    }

    #[doc(hidden)]
    fn operator<F: FieldOf<M>>(mut self, name: &str, field: F, value: Result<Bson>) -> Self {
        self.update_mut().add(name, field.path(), value);
        self
    }
}
