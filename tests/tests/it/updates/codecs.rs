//! Operators whose operands are not values of the field, on fields with a codec.

use mongo_odm::{Error, ErrorKind, Update, UpdateOperators, prelude::*};
use odm_tests::Harness;
use rust_decimal::Decimal;

/// Stores an amount as a whole number of cents.
mod cents {
    use super::*;

    #[allow(
        clippy::cast_possible_truncation,
        clippy::trivially_copy_pass_by_ref,
        reason = "a codec receives a reference, and the amounts are small"
    )]
    pub(super) fn serialize<S: serde::Serializer>(price: &f64, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i64((price * 100.0).round() as i64)
    }

    #[allow(clippy::cast_precision_loss, reason = "amounts of a test")]
    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        i64::deserialize(from).map(|cents| cents as f64 / 100.0)
    }
}

/// A codec of the application that stores a BSON date.
mod own_date {
    use super::*;

    type Utc = chrono::DateTime<chrono::Utc>;

    pub(super) fn serialize<S: serde::Serializer>(at: &Utc, to: S) -> Result<S::Ok, S::Error> {
        DateTime::from_millis(at.timestamp_millis()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Utc, D::Error> {
        let at = DateTime::deserialize(from)?;
        Utc::from_timestamp_millis(at.timestamp_millis()).ok_or(serde::de::Error::custom("a date"))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "coded_visits")]
struct Visit {
    #[serde(rename = "_id")]
    id: Id<Visit, i32>,
    plain: DateTime,
    #[serde(with = "mongo_odm::with::native")]
    native: Option<chrono::DateTime<chrono::Utc>>,
    #[serde(with = "own_date")]
    own: chrono::DateTime<chrono::Utc>,
    #[serde(with = "mongo_odm::with::text")]
    text: chrono::DateTime<chrono::Utc>,
    #[serde(with = "cents")]
    price: f64,
    #[serde(with = "mongo_odm::with::native")]
    fee: Decimal,
    #[serde(with = "mongo_odm::with::text")]
    fee_text: Decimal,
    stars: Option<i64>,
    rooms: usize,
}

fn visit() -> Visit {
    let now = chrono::DateTime::UNIX_EPOCH;
    Visit {
        id: Id::from_key(1),
        plain: DateTime::from_millis(0),
        native: None,
        own: now,
        text: now,
        price: 1.5,
        fee: Decimal::from(2),
        fee_text: Decimal::from(2),
        stars: Some(2),
        rooms: 2,
    }
}

fn refused(update: Update<Visit>, field: &str) {
    let error: Error = update.into_modifications().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let text = error.to_string();
    assert!(text.contains(&format!("`Visit.{field}`")), "{text}");
    assert!(text.contains("with(doc!"), "{text}");
}

#[tokio::test]
async fn operators_on_fields_with_a_codec_store_values_that_the_codec_reads() {
    let t = Harness::new("updates_codecs").await;
    t.given(&[visit()]).await;
    let of = Visit::fields();
    let update = Visit::update(&t.odm, visit().id)
        .current_date(of.plain)
        .current_date(of.native)
        .current_date(of.own)
        .inc(of.price, 0.25)
        .inc(of.fee, Decimal::from(1))
        .mul(of.stars, 3)
        .inc(of.rooms, 1);
    update.await.unwrap();
    let found = Visit::get(&t.odm, visit().id).await.unwrap();
    let start = visit().own;
    assert!(found.own > start && found.native > Some(start));
    assert!(found.plain > visit().plain);
    assert_eq!((found.price, found.fee), (1.75, Decimal::from(3)));
    assert_eq!((found.stars, found.rooms), (Some(6), 3));
    let update = Visit::update(&t.odm, visit().id).mul(of.fee, Decimal::from(2));
    update.await.unwrap();
    let found = Visit::get(&t.odm, visit().id).await.unwrap();
    assert_eq!(found.fee, Decimal::from(6));
}

#[test]
fn a_current_date_needs_a_field_that_stores_dates() {
    let update = Update::new().current_date(Visit::fields().text);
    refused(update, "text");
}

#[test]
fn a_sum_or_product_needs_a_field_that_stores_numbers() {
    let of = Visit::fields();
    refused(Update::new().inc(of.fee_text, Decimal::from(1)), "fee_text");
    refused(Update::new().mul(of.fee_text, Decimal::from(2)), "fee_text");
    refused(Update::new().inc(of.stars, None), "stars");
}

#[test]
fn a_factor_is_no_value_that_a_codec_converts() {
    let of = Visit::fields();
    refused(Update::new().mul(of.price, 2.0), "price");
    let update = Update::<Visit>::new().with(doc! { "$mul": { "price": 2 } });
    let plain = update.into_modifications();
    assert!(plain.is_ok(), "{plain:?}");
}
