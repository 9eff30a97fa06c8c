//! Stores values of the `rust_decimal` crate's decimal type as `Decimal128` or as text.

use mongodb::bson::{Bson, Decimal128};
use rust_decimal::Decimal;

use super::{Foreign, Native};
use crate::value::{bson_form::BsonForm, key::Number};

#[diagnostic::do_not_recommend]
impl Foreign for Decimal {
    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_string())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        let exact = if text.contains(['E', 'e']) {
            Self::from_scientific(text)
        } else {
            Self::from_str_exact(text)
        };
        exact.map_err(|error| error.to_string())
    }
}

#[diagnostic::do_not_recommend]
impl Native for Decimal {
    const BSON_TYPE: &'static str = "a Decimal128";
    const FORM: BsonForm = BsonForm::Types(&["decimal"]);

    fn to_bson(&self) -> Result<Bson, String> {
        decimal128(self).map(Bson::Decimal128)
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        let Bson::Decimal128(stored) = value else {
            return None;
        };
        let decimal = Self::from_text(&stored.to_string()).ok()?;
        // A Decimal128 can have more digits than a `Decimal`, and the conversion drops the last digits. So the
        // result is compared with the stored value.
        let written = decimal128(&decimal).ok()?;
        (Number::from(written) == Number::from(*stored)).then_some(decimal)
    }
}

fn decimal128(decimal: &Decimal) -> Result<Decimal128, String> {
    let text = decimal.to_string();
    text.parse().map_err(|_| format!("{text} is no Decimal128"))
}
