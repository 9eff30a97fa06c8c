//! The UUID of `uuid`, also as a key.

use mongodb::bson::{Binary, Bson, spec::BinarySubtype};
use serde::{Deserializer, Serializer};
use uuid::Uuid;

use super::{AsNative, Foreign, Native, Stored};
use crate::{
    error::EncodeError,
    key::{JoinKey, Key, read},
};

impl Foreign for Uuid {
    fn to_text(&self) -> Result<String, String> {
        Ok(self.to_string())
    }

    fn from_text(text: &str) -> Result<Self, String> {
        text.parse()
            .map_err(|error: ::uuid::Error| error.to_string())
    }
}

impl Native for Uuid {
    const BSON_TYPE: &'static str = "binary data of subtype 4";

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

impl Key for Uuid {
    fn join_key(&self) -> Result<JoinKey, EncodeError> {
        Ok(JoinKey::from(stored(*self)))
    }

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored::<AsNative>::write(self, serializer)
    }

    fn read_stored<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer, |stored| {
            let value = Bson::try_from(stored.clone()).ok();
            let read = value.and_then(|value| Self::from_bson(&value));
            read.ok_or(stored)
        })
    }
}
