//! Operands of the operators with which the server computes the new value: `$inc`, `$mul` and `$currentDate`.
//!
//! The server computes with stored values and does not know the codec of the field. So these functions reject an
//! operator if the field could not read the result.

use mongodb::bson::{Bson, DateTime};

use crate::{
    error::{Error, Result},
    query::field::{FieldOf, is_native},
    value::codec::short_type_name,
};

/// Returns the operand of `$inc`, which is a number in the stored form of the field.
pub(super) fn summand<M, F: FieldOf<M>>(field: F, value: &F::Value) -> Result<Bson> {
    let number = field.encode(value)?;
    if matches!(
        number,
        Bson::Int32(_) | Bson::Int64(_) | Bson::Double(_) | Bson::Decimal128(_)
    ) {
        return Ok(number);
    }
    Err(refusal(
        field,
        &format!(
            "the operand is stored as {}, and the server adds and multiplies only numbers",
            crate::mongosh::value(&number)
        ),
    ))
}

/// Returns the operand of `$mul`, which is a number without a unit.
pub(super) fn factor<M, F: FieldOf<M>>(field: F, value: &F::Value) -> Result<Bson> {
    let codec = field.shape().and_then(|shape| shape.codec);
    match codec.filter(|codec| !is_native(codec)) {
        Some(codec) => Err(refusal(
            field,
            &format!("`{codec}` would also convert the factor"),
        )),
        None => summand(field, value),
    }
}

/// Returns the operand of `$currentDate`, which stores a BSON date.
pub(super) fn current_date<M, F: FieldOf<M>>(field: F) -> Result<Bson> {
    let date = Bson::DateTime(DateTime::from_millis(0));
    let same = F::decode(date.clone()).map(|value| field.encode(&value));
    match same {
        Ok(Ok(same)) if same == date => Ok(Bson::Boolean(true)),
        _ => Err(refusal(
            field,
            "`$currentDate` stores a BSON date, and the field does not store its values as BSON dates; declare the field \
             with `mongo_odm::with::native`",
        )),
    }
}

/// Returns the error for an operator whose result the field could not read.
fn refusal<M, F: FieldOf<M>>(field: F, reason: &str) -> Error {
    Error::invalid(format!(
        "`{}.{}`: {reason}; `set` a value that your code computes, or add the operator in the stored form with \
         `.with(doc! {{ .. }})`",
        short_type_name::<M>(),
        field.path(),
    ))
}
