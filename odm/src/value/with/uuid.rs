//! Stores values of the `uuid` crate's UUID type as binary data or as text. UUIDs can also be keys.

use mongodb::bson::{Binary, Bson, spec::BinarySubtype};
use uuid::Uuid;

use super::{Foreign, Native};
use crate::{
    error::EncodeError,
    value::{
        bson_form::BsonForm,
        key::{JoinKey, JsonType, Key},
    },
};

#[diagnostic::do_not_recommend]
impl Foreign for Uuid {
    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_string())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        text.parse()
            .map_err(|error: ::uuid::Error| error.to_string())
    }
}

#[diagnostic::do_not_recommend]
impl Native for Uuid {
    const BSON_TYPE: &'static str = "binary data of subtype 4";
    const FORM: BsonForm = BsonForm::Types(&["binData"]);

    fn to_bson(&self) -> Result<Bson, String> {
        Ok(stored(*self))
    }

    fn from_bson(value: &Bson) -> Option<Self> {
        let Bson::Binary(binary) = value else {
            return None;
        };
        let bytes = (binary.subtype == BinarySubtype::Uuid).then_some(&binary.bytes)?;
        Self::from_slice(bytes).ok()
    }
}

fn stored(uuid: Uuid) -> Bson {
    Bson::Binary(Binary {
        subtype: BinarySubtype::Uuid,
        bytes: uuid.as_bytes().to_vec(),
    })
}

#[diagnostic::do_not_recommend]
impl Key for Uuid {
    const JSON: JsonType = JsonType::Uuid;

    fn join_key(&self) -> Result<JoinKey, EncodeError> {
        Ok(JoinKey::from(stored(*self)))
    }
}
