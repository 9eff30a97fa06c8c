//! Dates, decimals, UUIDs and object ids in fields with `mongo_odm::with::native`.

use std::{fmt::Debug, str::FromStr};

use mongo_odm::{
    bson::{Bson, Decimal128, Uuid},
    prelude::*,
    with::{AsNative, Native, Stored},
};
use odm_tests::Harness;
use serde_json::{Value, json};

use crate::places::Forms;

/// A value that is stored by `with::native`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent, bound = "T: Stored<AsNative>")]
struct Field<T>(#[serde(with = "mongo_odm::with::native")] T);

const HEX: &str = "65f0c1d2e3a4b5c6d7e8f901";
const UUID: &str = "936da01f-9abd-4d9d-80c7-02af85c822a8";
const MILLIS: i64 = 1_772_366_400_500;

fn forms<T: Native>(value: T, text: &str, accepted: Vec<Value>, not: Value) -> Forms<Field<T>> {
    let stored = value.to_bson().unwrap();
    Forms {
        value: Field(value),
        json: json!(text),
        accepted,
        refused: vec![
            json!("x"),
            not,
            json!(null),
            json!({ "a": 1 }),
            json!({ "$minKey": 1 }),
        ],
        stored,
        not_stored: vec![text.into(), Bson::Boolean(true)],
    }
}

fn date<T: Native>(value: T, text: &str) -> Forms<Field<T>> {
    let accepted = vec![
        json!({ "$date": text }),
        json!({ "$date": { "$numberLong": MILLIS.to_string() } }),
        json!(text.replace(".500Z", ".5Z").replace(".5Z", ".500Z")),
    ];
    let forms = forms(value, text, accepted, json!(MILLIS));
    assert_eq!(forms.stored, DateTime::from_millis(MILLIS).into());
    forms
}

fn decimal<T: Native>(value: T) -> Forms<Field<T>> {
    let accepted = vec![json!({ "$numberDecimal": "12.50" })];
    let forms = forms(value, "12.50", accepted, json!(12.5));
    assert_eq!(forms.stored, Bson::Decimal128("12.50".parse().unwrap()));
    forms
}

fn uuid<T: Native>(value: T) -> Forms<Field<T>> {
    forms(
        value,
        UUID,
        vec![json!({ "$uuid": UUID })],
        json!({ "$oid": HEX }),
    )
}

async fn check<T>(t: &Harness, forms: Forms<Field<T>>)
where
    T: Native + Clone + Debug + PartialEq + Send + Sync + Unpin,
{
    forms.check_json();
    forms.check_bson(t).await;
}

#[tokio::test]
async fn a_value_is_text_in_json_and_has_its_bson_type_in_bson() {
    let t = Harness::new("service_native").await;
    let date_time = DateTime::from_millis(MILLIS);
    check(&t, date(date_time, "2026-03-01T12:00:00.5Z")).await;
    let chrono = chrono::DateTime::<chrono::Utc>::from_timestamp_millis(MILLIS).unwrap();
    check(&t, date(chrono, "2026-03-01T12:00:00.500Z")).await;
    let nanos = i128::from(MILLIS) * 1_000_000;
    let time = time::OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap();
    check(&t, date(time, "2026-03-01T12:00:00.5Z")).await;
    let jiff = jiff::Timestamp::from_millisecond(MILLIS).unwrap();
    check(&t, date(jiff, "2026-03-01T12:00:00.5Z")).await;
    check(&t, decimal(Decimal128::from_str("12.50").unwrap())).await;
    check(
        &t,
        decimal(rust_decimal::Decimal::from_str("12.50").unwrap()),
    )
    .await;
    check(&t, uuid(Uuid::parse_str(UUID).unwrap())).await;
    check(&t, uuid(uuid::Uuid::parse_str(UUID).unwrap())).await;
    let object_id: ObjectId = HEX.parse().unwrap();
    check(
        &t,
        forms(object_id, HEX, vec![json!({ "$oid": HEX })], json!(7)),
    )
    .await;
}

/// RFC 3339 cannot represent years after 9999.
#[test]
fn a_date_without_a_text_is_an_error_in_json() {
    let years = |millis| serde_json::to_string(&Field(DateTime::from_millis(millis)));
    let (first, last) = (-62_167_219_200_000, 253_402_300_799_999);
    assert_eq!(years(first).unwrap(), "\"0000-01-01T00:00:00Z\"");
    assert_eq!(years(last).unwrap(), "\"9999-12-31T23:59:59.999Z\"");
    for millis in [first - 1, last + 1, i64::MIN, i64::MAX] {
        let message = years(millis).unwrap_err().to_string();
        assert!(
            message.contains("is not in the years 0 to 9999"),
            "{message}"
        );
        let date = json!({ "$date": { "$numberLong": millis.to_string() } });
        let read = serde_json::from_value::<Field<DateTime>>(date);
        assert!(read.is_err(), "{millis}");
    }
    let read = serde_json::from_str::<Field<DateTime>>("\"0000-01-01T00:00:00+23:00\"");
    assert!(read.is_err(), "{read:?}");
    let far = chrono::DateTime::<chrono::Utc>::MAX_UTC;
    let message = serde_json::to_string(&Field(far)).unwrap_err().to_string();
    assert!(
        message.contains("is not in the years 0 to 9999"),
        "{message}"
    );
}

/// The driver parses a string without digits as zero.
#[test]
fn a_text_without_digits_is_no_decimal() {
    for text in ["", "-", "+.", " ", "e5"] {
        let read = serde_json::from_value::<Field<Decimal128>>(json!(text));
        assert!(read.is_err(), "{text:?}: {read:?}");
    }
    for text in ["0", "-.5", "NaN", "Infinity"] {
        let read = serde_json::from_value::<Field<Decimal128>>(json!(text));
        assert!(read.is_ok(), "{text:?}: {read:?}");
    }
}
