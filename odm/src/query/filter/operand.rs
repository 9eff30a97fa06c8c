//! Operands of filters, and the conditions that a field equals them.
//!
//! `{path: value}` and operators such as `$in` are not sufficient in these cases:
//!
//! - A struct contains copies, which can be newer in the document than in the operand (`query/field/equality_without_copies.rs`).
//! - Serde leaves the value out (`skip_serializing_if`). Then a document without the field has this value, too.
//! - The operand is null, and the path contains the position of an array element. For `{"lines.0.note": null}`, the server
//!   also searches each element for a field `0`. No element has one, so the condition is true for every array of documents.
//! - The operand is a pattern, or a document that begins with an operator. A field of the type `Bson` can have such a value,
//!   for example from the request of a client.

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
    /// Whether serde leaves out a field that has this value.
    is_left_out: bool,
}

impl EncodedOperand {
    /// Whether the operators of the server compare the value correctly.
    pub(super) fn is_plain<M, P, O, T, const I: usize, C, R>(
        &self,
        field: Field<M, P, O, T, I, C, R>,
    ) -> bool
    where
        P: Path,
        O: HasFields + 'static,
        Field<M, P, O, T, I, C, R>: FieldOf<M, Value = T>,
    {
        let is_null_at_position = self.value == Bson::Null && has_position(&field.path());
        !self.is_left_out
            && !is_null_at_position
            && !is_operator_or_pattern(&self.value)
            && field.equal_struct(&self.value).is_none()
    }

    /// Returns the condition that a field has this value.
    pub(super) fn filter<M, P, O, T, const I: usize, C, R>(
        self,
        field: Field<M, P, O, T, I, C, R>,
    ) -> Document
    where
        P: Path,
        O: HasFields + 'static,
        Field<M, P, O, T, I, C, R>: FieldOf<M, Value = T>,
    {
        let path = field.path();
        let same = field.equal_struct(&self.value);
        let same = same.unwrap_or_else(|| equality(&path, self.value));
        if self.is_left_out {
            doc! { "$or": [same, equality(path, Bson::Null)] }
        } else {
            same
        }
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
        let is_left_out = self.skips(&value);
        let value = self.encode(&value)?;
        Ok(EncodedOperand {
            is_left_out: is_left_out && value != Bson::Null,
            value,
        })
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
