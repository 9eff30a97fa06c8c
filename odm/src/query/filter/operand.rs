//! Operands of filters, and conditions for fields that equal an operand.
//!
//! `{path: value}` and operators such as `$in` do not find the right documents in these cases:
//!
//! - A struct contains copies, which can be newer in the document than in the operand
//!   (`query/field/equality_without_copies.rs`).
//! - Serde leaves the value out (`skip_serializing_if`). Then a document without the field also has this value, if the
//!   document contains the struct around the field.
//! - The operand is null, and the path contains the position of an array element. For `{"lines.0.note": null}`, the
//!   server also searches each element for a field `0`. No element has such a field, so the condition is true for every
//!   array of documents.
//! - The operand is a pattern, or a document that begins with an operator. A field of the type `Bson` can have such a
//!   value, for example from the request of a client.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    error::Result,
    model::derive_traits::{HasFields, Path},
    query::field::{Field, FieldOf, Operand, same_element, same_value},
    value::key::{equality, has_position, is_operator_or_pattern},
};

/// An encoded operand of a comparison.
pub(super) struct EncodedOperand {
    pub(super) value: Bson,
    /// The condition that a field has this value. `None` if the operators of the server compare the value correctly.
    condition: Option<Document>,
}

impl EncodedOperand {
    /// Whether the operators of the server compare the value correctly.
    pub(super) const fn is_plain(&self) -> bool {
        self.condition.is_none()
    }

    /// Returns the condition that the field at the path has this value.
    pub(super) fn filter(self, path: &str) -> Document {
        let value = self.value;
        self.condition.unwrap_or_else(|| equality(path, value))
    }
}

impl<M, P, O, T, const I: usize, C, R> Field<M, P, O, T, I, C, R>
where
    P: Path,
    O: HasFields + 'static,
    Self: FieldOf<M, Value = T>,
{
    pub(super) fn operand(self, value: impl Operand<T>) -> Result<EncodedOperand> {
        let value = value.into_value();
        let skips = self.skips(&value);
        let value = self.encode(&value)?;
        let path = FieldOf::path(self);
        let left_out = (skips && value != Bson::Null).then(|| left_out::<P>(&path));
        let condition = condition(&path, &value, self.equal_struct(&value), left_out);
        Ok(EncodedOperand { value, condition })
    }

    /// Returns a filter that compares the field with a struct or a list of structs, but ignores their copies.
    fn equal_struct(self, value: &Bson) -> Option<Document> {
        let (path, array) = (FieldOf::path(self), P::innermost_array());
        if let Some(field) = P::array_of_element() {
            return same_element(field, &path, array.as_deref(), value);
        }
        same_value(FieldOf::shape(self)?, &path, array.as_deref(), value)
    }
}

/// Returns a condition that is true if the field at a path has the given value. Returns `None` if the server's
/// operators compare the value correctly. `same` is the condition for a struct with copies. `left_out` is the condition
/// for documents in which serde has left out the field. It is `None` unless serde leaves out this value.
fn condition(
    path: &str,
    value: &Bson,
    same: Option<Document>,
    left_out: Option<Document>,
) -> Option<Document> {
    let is_null_at_position = *value == Bson::Null && has_position(path);
    let needs_condition =
        left_out.is_some() || is_null_at_position || is_operator_or_pattern(value);
    let same = same.or_else(|| needs_condition.then(|| equality(path, value.clone())))?;
    match left_out {
        Some(left_out) => Some(doc! { "$or": [same, left_out] }),
        None => Some(same),
    }
}

/// Returns the condition that serde has left out the field at a path: the field is missing or null, and the document
/// contains the struct around the field. `P` is the path of this struct. In an array, both must be true for the same
/// element.
pub(super) fn left_out<P: Path>(path: &str) -> Document {
    let mut presence = Document::new();
    P::add_presence(&mut presence);
    let array = P::innermost_array().filter(|_| !presence.is_empty());
    let Some(array) = array else {
        let mut conditions = equality(path, Bson::Null);
        conditions.extend(presence);
        return conditions;
    };
    let inner = |path: &str| Some(path.strip_prefix(&array)?.strip_prefix('.')?.to_owned());
    let mut element = equality(inner(path).unwrap_or_default(), Bson::Null);
    // `$elemMatch` only matches elements that are structs.
    let presence = presence.into_iter();
    element.extend(presence.filter_map(|(path, condition)| Some((inner(&path)?, condition))));
    doc! { array: { "$elemMatch": element } }
}
