//! Typed update operators.

use mongodb::bson::{Bson, Document, doc};

use super::Update;
use crate::{
    error::{Error, Result},
    query::{
        field::{
            Amount, ArrayType, Changeable, Dated, FieldOf, Operand, Removable, SameElements,
            Writable, encode_items, same_elements,
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
/// The write fails with [`Error::Encode`](crate::Error::Encode) if serde cannot write an operand as BSON.
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
/// # use mongo_odm::{Update, prelude::*};
/// # #[derive(Debug, Serialize, Deserialize, Embedded)]
/// # struct Line { qty: i64 }
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "orders")]
/// # struct Order {
/// #     #[serde(rename = "_id")]
/// #     id: Id<Order>,
/// #     #[embed]
/// #     lines: Vec<Line>,
/// # }
/// let update = Update::<Order>::new().inc(Order::fields().lines.every().qty, 1);
/// ```
///
/// Without the position of the element, the update does not compile:
///
/// ```compile_fail
/// # use mongo_odm::{Update, prelude::*};
/// # #[derive(Debug, Serialize, Deserialize, Embedded)]
/// # struct Line { qty: i64 }
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "orders")]
/// # struct Order {
/// #     #[serde(rename = "_id")]
/// #     id: Id<Order>,
/// #     #[embed]
/// #     lines: Vec<Line>,
/// # }
/// let update = Update::<Order>::new().inc(Order::fields().lines.qty, 1);
/// ```
///
/// A change to the `_id` does not compile:
///
/// ```compile_fail
/// # use mongo_odm::{Update, prelude::*};
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "orders")]
/// # struct Order {
/// #     #[serde(rename = "_id")]
/// #     id: Id<Order>,
/// # }
/// let update = Update::<Order>::new().set(Order::fields().id, Id::<Order>::new());
/// ```
///
/// Removing a field that the struct requires does not compile:
///
/// ```compile_fail
/// # use mongo_odm::{Update, prelude::*};
/// # #[derive(Debug, Serialize, Deserialize, Model)]
/// # #[model(collection = "orders")]
/// # struct Order {
/// #     #[serde(rename = "_id")]
/// #     id: Id<Order>,
/// #     number: i64,
/// # }
/// let update = Update::<Order>::new().unset(Order::fields().number);
/// ```
pub trait UpdateOperators<M>: Sized {
    /// Returns the update to which the methods add operators.
    #[doc(hidden)]
    fn update_mut(&mut self) -> &mut Update<M>;

    /// `$set`: sets a field to a value.
    ///
    /// If serde omits the value from a document (`#[serde(skip_serializing_if = "..")]`), the update removes the field
    /// with `$unset`.
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
    /// An `Option` that has a `serde(with)` also requires `#[serde(default)]`, because serde then rejects a missing
    /// field.
    ///
    /// After the update, the field is missing. So the filter `is_missing` matches the document, and `is_null` does not.
    fn unset<F: FieldOf<M> + Removable<M>>(self, field: F) -> Self {
        self.operator("$unset", field, Ok(Bson::String(String::new())))
    }

    /// `$inc`: adds the operand to a number.
    fn inc<F: FieldOf<M> + Changeable<M>>(self, field: F, by: impl Amount<F::Value>) -> Self {
        let by = field.encode(&by.into_value());
        self.operator("$inc", field, by)
    }

    /// `$mul`: multiplies a number by the operand.
    fn mul<F: FieldOf<M> + Changeable<M>>(self, field: F, by: impl Amount<F::Value>) -> Self {
        let by = field.encode(&by.into_value());
        self.operator("$mul", field, by)
    }

    /// `$min`: sets a field to the operand if the operand is smaller than the stored value.
    fn min<F: FieldOf<M> + Changeable<M>>(self, field: F, value: impl Operand<F::Value>) -> Self {
        let value = field.encode(&value.into_value());
        self.operator("$min", field, value)
    }

    /// `$max`: sets a field to the operand if the operand is larger than the stored value.
    fn max<F: FieldOf<M> + Changeable<M>>(self, field: F, value: impl Operand<F::Value>) -> Self {
        let value = field.encode(&value.into_value());
        self.operator("$max", field, value)
    }

    /// `$currentDate`: sets a date field to the server's current time.
    fn current_date<F: FieldOf<M> + Changeable<M, Value: Dated>>(self, field: F) -> Self {
        self.operator("$currentDate", field, Ok(Bson::Boolean(true)))
    }

    /// `$push`: appends one element to an array.
    ///
    /// # Errors
    ///
    /// The update fails with [`Error::BoundExceeded`](crate::Error::BoundExceeded) if the array has a `max` and is full.
    fn push<F>(self, field: F, element: impl Operand<<F::Value as ArrayType>::Item>) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
    {
        self.push_all(field, [element])
    }

    /// `$push` with `$each`: appends elements to an array, in order.
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
    fn add_to_set<F>(self, field: F, element: impl Operand<<F::Value as ArrayType>::Item>) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
    {
        self.add_all_to_set(field, [element])
    }

    /// `$addToSet` with `$each`: appends the elements that the array does not contain yet.
    fn add_all_to_set<F, V>(mut self, field: F, elements: impl IntoIterator<Item = V>) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
        V: Operand<<F::Value as ArrayType>::Item>,
    {
        let elements = encode_items(field, values(elements));
        add_each(self.update_mut(), "$addToSet", field.path(), elements);
        self
    }

    /// `$pull`: removes every element that equals the operand. Calls accumulate: the update removes the elements that
    /// were passed to any of the calls.
    ///
    /// A stored struct equals the operand if all fields are equal and in the order in which serde writes them.
    ///
    /// If the struct contains copies (`#[denorm]`), they are not compared, because the stored copies can be newer than
    /// those in the operand. The other fields, including snapshots, are compared in any order, and `None` equals a
    /// missing field.
    fn pull<F>(self, field: F, element: impl Operand<<F::Value as ArrayType>::Item>) -> Self
    where
        F: FieldOf<M> + Writable<M, Value: ArrayType>,
    {
        self.pull_all(field, [element])
    }

    /// `$pull` with `$in`: removes every element that equals one of the operands. Elements are compared as in
    /// [`pull`](Self::pull).
    ///
    /// # Errors
    ///
    /// The update fails with [`Error::Invalid`](crate::Error::Invalid) if the operands contain `None` as well as
    /// structs that contain copies, because one `$pull` cannot express both conditions. To remove both, send two
    /// updates.
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
    fn pop_last<F: FieldOf<M> + Writable<M, Value: ArrayType>>(self, field: F) -> Self {
        self.operator("$pop", field, Ok(Bson::Int32(1)))
    }

    /// `$pop`: removes the first element of an array.
    fn pop_first<F: FieldOf<M> + Writable<M, Value: ArrayType>>(self, field: F) -> Self {
        self.operator("$pop", field, Ok(Bson::Int32(-1)))
    }

    /// Adds operators from a plain document.
    ///
    /// # Errors
    ///
    /// If several operators write to the same path, the write fails with [`Error::Invalid`](crate::Error::Invalid)
    /// before it sends anything.
    fn with(mut self, operators: Document) -> Self {
        let update = std::mem::take(self.update_mut());
        *self.update_mut() = update.with(operators);
        self
    }

    /// Replaces all operators that were added so far. The new update may consist of operators or be a pipeline.
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

impl<M> UpdateOperators<M> for Update<M> {
    fn update_mut(&mut self) -> &mut Update<M> {
        self
    }
}

fn values<T, V: Operand<T>>(elements: impl IntoIterator<Item = V>) -> Vec<T> {
    elements.into_iter().map(Operand::into_value).collect()
}

/// Adds elements under `$each`. A second call for the same array appends its elements to those of the first call and
/// keeps the `$slice` and `$sort` of the first call.
fn add_each<M>(update: &mut Update<M>, operator: &str, path: String, items: Result<Vec<Bson>>) {
    let before = update.operand_of(operator, &path).cloned();
    let each = items.map(|items| {
        let mut modifiers = match before {
            Some(Bson::Document(document)) if document.contains_key("$each") => document,
            Some(element) => doc! { "$each": [element] },
            None => Document::new(),
        };
        let mut all = modifiers.get_array("$each").cloned().unwrap_or_default();
        all.extend(items);
        modifiers.insert("$each", all);
        Bson::Document(modifiers)
    });
    update.add(operator, path, each);
}

/// Adds elements for `$pull` to remove. A second call for the same array appends its elements to those of the first
/// call.
fn add_pulled<M>(
    update: &mut Update<M>,
    path: String,
    items: Result<Vec<Bson>>,
    same: &dyn Fn(&[Bson]) -> Option<SameElements>,
) {
    let items = match items {
        Ok(items) => items,
        Err(error) => return update.fail(error),
    };
    let (operator, items) = match same(&items) {
        Some(same) if same.has_none => {
            return update.fail(Error::invalid(format!(
                "one update cannot `$pull` both `None` and structs with copies from `{path}`; remove `None` by a second update"
            )));
        }
        Some(same) => ("$or", same.structs.into_iter().map(Bson::from).collect()),
        None => ("$in", items),
    };
    let before = update
        .operand_of("$pull", &path)
        .and_then(Bson::as_document);
    let mut all = before
        .filter(|condition| condition.len() == 1)
        .and_then(|condition| condition.get_array(operator).ok())
        .cloned()
        .unwrap_or_default();
    all.extend(items);
    update.add("$pull", path, Ok(doc! { operator: all }.into()));
}
