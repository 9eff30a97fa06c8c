//! The stored form of an id, which is that of its key.

use std::any::TypeId;

use mongodb::bson::{DateTime, Decimal128, Uuid, oid::ObjectId};

use super::Id;
use crate::value::{
    bson_form::{BsonForm, HasBsonForm, traced_form},
    key::Key,
};

#[diagnostic::do_not_recommend]
impl<M: ?Sized, K: Key> HasBsonForm for Id<M, K> {
    fn bson_form() -> BsonForm {
        key_form::<K>()
    }
}

/// Returns the form of a key. Types that have their own BSON type are recognized by their `TypeId`, because their
/// `Deserialize` impls do not request that type.
fn key_form<K: Key>() -> BsonForm {
    let key = TypeId::of::<K>();
    if key == TypeId::of::<ObjectId>() {
        return ObjectId::bson_form();
    }
    if key == TypeId::of::<DateTime>() {
        return DateTime::bson_form();
    }
    if key == TypeId::of::<Decimal128>() {
        return Decimal128::bson_form();
    }
    #[cfg(feature = "uuid")]
    if key == TypeId::of::<uuid::Uuid>() {
        return Uuid::bson_form();
    }
    if key == TypeId::of::<Uuid>() {
        return Uuid::bson_form();
    }
    traced_form::<K>()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use serde::Deserialize;

    use super::*;

    struct Part;

    #[test]
    fn the_form_of_a_container_contains_the_form_of_its_values() {
        let id = BsonForm::Types(&["objectId"]);
        assert_eq!(Id::<Part>::bson_form(), id);
        let ids = BsonForm::nullable(BsonForm::array(id));
        assert_eq!(Option::<Vec<Id<Part>>>::bson_form(), ids);
        assert_eq!(HashMap::<String, Id<Part>>::bson_form(), BsonForm::Document);
    }

    #[test]
    fn a_key_has_the_form_of_its_type() {
        #[derive(Clone, Debug, PartialEq, Deserialize, serde::Serialize)]
        struct Sku(String);
        impl Key for Sku {}
        assert_eq!(Id::<Part, Sku>::bson_form(), BsonForm::STRING);
        assert_eq!(Id::<Part, i64>::bson_form(), BsonForm::INTEGER);
        let date = BsonForm::Types(&["date"]);
        assert_eq!(Id::<Part, DateTime>::bson_form(), date);
        let any = Id::<Part, crate::value::key::AnyKey>::bson_form();
        assert_eq!(any, BsonForm::Any);
    }
}
