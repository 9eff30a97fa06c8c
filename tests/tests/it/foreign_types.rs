//! Types of other crates. They are stored in their BSON types, which operands, keys, indexes and JSON also use.

use std::{str::FromStr, time::Duration};

use futures_util::TryStreamExt;
use jiff::{Timestamp, ZonedDateTime};
use mongo_odm::{
    Error,
    action::DocumentChange,
    bson::{self, Binary, Bson, Document, spec::BinarySubtype},
    prelude::*,
};
use odm_tests::Harness;
use rust_decimal::Decimal;
use time::OffsetDateTime;

type Utc = chrono::DateTime<chrono::Utc>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "bookings", has_many(lines = "Line.booking"))]
struct Booking {
    #[serde(rename = "_id")]
    id: Id<Booking, uuid::Uuid>,
    #[serde(with = "mongo_odm::with::native")]
    #[index]
    at: Utc,
    #[serde(default, with = "mongo_odm::with::native")]
    until: Option<OffsetDateTime>,
    #[serde(with = "mongo_odm::with::native")]
    seen: Vec<Timestamp>,
    #[serde(with = "mongo_odm::with::native")]
    price: Decimal,
    #[serde(with = "mongo_odm::with::native")]
    token: uuid::Uuid,
    #[serde(with = "mongo_odm::with::text")]
    zoned: ZonedDateTime,
    #[serde(default, with = "mongo_odm::with::text")]
    text: Option<Utc>,
    #[serde(flatten)]
    flat: Flat,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Flat {
    #[serde(with = "mongo_odm::with::native")]
    flat_at: chrono::DateTime<chrono::FixedOffset>,
    #[serde(with = "mongo_odm::with::native")]
    flat_token: uuid::Uuid,
    #[serde(with = "mongo_odm::with::native")]
    #[index]
    flat_local: chrono::DateTime<chrono::Local>,
    #[serde(with = "mongo_odm::with::native")]
    flat_price: Option<Decimal>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "lines")]
struct Line {
    #[serde(rename = "_id")]
    id: Id<Line, i32>,
    #[parent_ref]
    booking: Id<Booking, uuid::Uuid>,
    #[refs(one, to = "Booking.token")]
    token: Option<Id<Booking, uuid::Uuid>>,
    added: Option<DateTime>,
}

const MILLIS: i64 = 1_700_000_000_123;

fn utc(day: i64) -> Utc {
    Utc::from_timestamp_millis(MILLIS + day * 86_400_000).unwrap()
}

fn booking(n: u8) -> Booking {
    let (day, price) = (i64::from(n), Decimal::from_str(&format!("{n}.50")).unwrap());
    let nanos = i128::from(utc(day).timestamp_millis()) * 1_000_000;
    let stamp = Timestamp::from_millisecond(utc(day).timestamp_millis()).unwrap();
    Booking {
        id: Id::from_key(uuid::Uuid::from_bytes([n; 16])),
        at: utc(day),
        until: Some(OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap()),
        seen: vec![stamp],
        price,
        token: uuid::Uuid::from_bytes([n + 100; 16]),
        zoned: "2026-03-01T12:00:00+01:00[Europe/Zurich]".parse().unwrap(),
        text: Some(utc(day)),
        flat: Flat {
            flat_at: utc(day).fixed_offset(),
            flat_token: uuid::Uuid::from_bytes([n; 16]),
            flat_local: utc(day).into(),
            flat_price: Some(price),
        },
    }
}

fn binary(n: u8) -> Bson {
    Bson::Binary(Binary {
        subtype: BinarySubtype::Uuid,
        bytes: vec![n; 16],
    })
}

async fn stored(t: &Harness) -> Document {
    let bookings = t.database().collection("bookings");
    bookings.find_one(doc! {}).await.unwrap().unwrap()
}

#[tokio::test]
async fn each_type_is_stored_in_its_bson_type_and_read_back() {
    let t = Harness::new("foreign_types_stored").await;
    t.given(&[booking(3)]).await;
    let date = Bson::DateTime(bson::DateTime::from_millis(MILLIS + 3 * 86_400_000));
    let price = Bson::Decimal128("3.50".parse().unwrap());
    let expected = doc! {
        "_id": binary(3), "at": date.clone(), "until": date.clone(), "seen": [date.clone()],
        "price": price.clone(), "token": binary(103),
        "zoned": "2026-03-01T12:00:00+01:00[Europe/Zurich]", "text": "2023-11-17T22:13:20.123Z",
        "flat_at": date.clone(), "flat_token": binary(3), "flat_local": date, "flat_price": price,
    };
    assert_eq!(stored(&t).await, expected);
    assert_eq!(
        Booking::get(&t.odm, booking(3).id).await.unwrap(),
        booking(3)
    );
    let unset = doc! { "$unset": { "until": "", "text": "" } };
    let bookings = t.database().collection("bookings");
    bookings.update_many(doc! {}, unset).await.unwrap();
    let found = Booking::get(&t.odm, booking(3).id).await.unwrap();
    assert_eq!((found.until, found.text), (None, None));
}

#[tokio::test]
async fn operands_and_sorts_are_those_of_the_bson_type() {
    let t = Harness::new("foreign_types_operands").await;
    // As strings, "10.50" is less than "9.50".
    t.given(&[booking(9), booking(10)]).await;
    let (fields, ten) = (Booking::fields(), booking(10));
    for filter in [
        fields.at.gt(utc(9)),
        fields.until.eq(ten.until),
        fields.seen.contains(ten.seen[0]),
        fields.price.gt(Decimal::from(10)),
        fields.token.is_in([ten.token]),
        fields.zoned.eq(&ten.zoned) & fields.text.eq(ten.text),
        fields.flat.flat_at.gte(ten.flat.flat_at),
        fields.flat.flat_local.gte(ten.flat.flat_local),
        fields.flat.flat_token.eq(ten.flat.flat_token),
    ] {
        let found = Booking::find(&t.odm).filter(filter).await.unwrap();
        assert_eq!(found, [ten.clone()]);
    }
    let sorted = Booking::find(&t.odm).sort(fields.price.desc()).limit(1);
    assert_eq!(sorted.await.unwrap(), [ten.clone()]);
    Booking::update(&t.odm, ten.id)
        .inc(fields.price, Decimal::from_str("0.25").unwrap())
        .max(fields.at, utc(20))
        .push(fields.seen, Timestamp::UNIX_EPOCH)
        .set(fields.until, None)
        .await
        .unwrap();
    let found = Booking::get(&t.odm, ten.id).await.unwrap();
    assert_eq!(found.price.to_string(), "10.75");
    assert_eq!((found.at, found.until), (utc(20), None));
    assert_eq!(found.seen, [ten.seen[0], Timestamp::UNIX_EPOCH]);
    let tokens = Booking::distinct(&t.odm, fields.token).await.unwrap();
    assert_eq!(tokens, [booking(9).token, ten.token]);
}

#[tokio::test]
async fn a_value_of_another_bson_type_is_refused_with_its_path() {
    let t = Harness::new("foreign_types_refused").await;
    let too_long = Bson::Decimal128("1.234567890123456789012345678901234".parse().unwrap());
    let generic = Bson::Binary(Binary {
        subtype: BinarySubtype::Generic,
        bytes: vec![1; 16],
    });
    let (other, far) = ("convert what is stored", bson::DateTime::MAX);
    let wrong: [(&str, Bson, &str); 9] = [
        ("at", "2023-11-17T22:13:20.123Z".into(), other),
        (
            "at",
            far.into(),
            "new Date(9223372036854775807) is a BSON date",
        ),
        (
            "until",
            far.into(),
            "that a `OffsetDateTime` cannot represent",
        ),
        ("seen.0", Bson::Int64(1), other),
        ("price", "1.5".into(), other),
        ("price", too_long, "is a Decimal128 that a `Decimal` cannot"),
        ("token", generic, other),
        ("token", booking(1).token.to_string().into(), other),
        ("text", bson::DateTime::from_millis(0).into(), ""),
    ];
    for (path, value, part) in wrong {
        let bookings = t.database().collection("bookings");
        bookings.delete_many(doc! {}).await.unwrap();
        t.given(&[booking(1)]).await;
        let set = doc! { "$set": { path: value.clone() } };
        bookings.update_many(doc! {}, set).await.unwrap();
        let error = Booking::find_one(&t.odm).await.unwrap_err();
        let Error::Decode { path: at, .. } = &error else {
            panic!("{error}")
        };
        assert_eq!(at, path, "{value}: {error}");
        assert!(error.to_string().contains(part), "{value}: {error}");
    }
}

#[tokio::test]
async fn a_date_without_a_text_is_not_stored() {
    let t = Harness::new("foreign_types_far").await;
    let mut far = booking(1);
    far.text = Some(Utc::MAX_UTC);
    let error = far.insert(&t.odm).await.unwrap_err();
    assert!(matches!(error, Error::Encode { .. }), "{error}");
    assert_eq!(Booking::count(&t.odm).await.unwrap(), 0);
}

#[tokio::test]
async fn keys_are_stored_as_the_fields_are() {
    let t = Harness::new("foreign_types_keys").await;
    let bookings = [booking(1), booking(2)];
    t.given(&bookings).await;
    let line = Line {
        id: Id::from_key(1),
        booking: bookings[0].id,
        token: Some(Id::from_key(bookings[1].token)),
        added: None,
    };
    t.given(std::slice::from_ref(&line)).await;
    let found = line.load_booking(&t.odm).await.unwrap();
    assert_eq!(found.as_ref(), Some(&bookings[0]));
    let found = line.load_token(&t.odm).await.unwrap();
    assert_eq!(found.as_ref(), Some(&bookings[1]));
    let joined = Booking::join_lines(&bookings, &t.odm).await.unwrap();
    assert_eq!(joined.of(&bookings[0]).len(), 1);
    assert_eq!(joined.of(&bookings[1]).len(), 0);
}

#[test]
fn json_has_text() {
    let json = serde_json::to_value(booking(3)).unwrap();
    let (at, token) = ("2023-11-17T22:13:20.123Z", booking(3).token.to_string());
    assert_eq!(json["at"], at);
    assert_eq!(json["until"], at);
    assert_eq!(json["seen"][0], at);
    assert_eq!(json["price"], "3.50");
    assert_eq!(json["token"], token);
    assert_eq!(json["_id"], booking(3).id.to_string());
    assert_eq!(json["flat_price"], "3.50");
    assert_eq!(serde_json::from_value::<Booking>(json).unwrap(), booking(3));
}

#[test]
fn a_moment_is_cut_to_the_millisecond_before_it() {
    let nanos = -1;
    let field = Booking::fields();
    let encoded = |filter: mongo_odm::Filter<Booking>| filter.into_document().unwrap();
    let date = bson::DateTime::from_millis(-1);
    let chrono = Utc::from_timestamp_nanos(nanos);
    assert_eq!(encoded(field.at.eq(chrono)), doc! { "at": date });
    let time = OffsetDateTime::from_unix_timestamp_nanos(nanos.into()).unwrap();
    assert_eq!(encoded(field.until.eq(time)), doc! { "until": date });
    let jiff = Timestamp::from_nanosecond(nanos.into()).unwrap();
    assert_eq!(encoded(field.seen.contains(jiff)), doc! { "seen": date });
    let added = Line::fields().added;
    for filter in [added.eq(chrono), added.eq(time), added.eq(jiff)] {
        assert_eq!(filter.into_document().unwrap(), doc! { "added": date });
    }
}

#[test]
fn a_stored_key_becomes_an_id_only_of_its_own_type() {
    let key = uuid::Uuid::from_bytes([7; 16]);
    let id = Id::<Booking, uuid::Uuid>::try_from(binary(7)).unwrap();
    assert_eq!(*id.key(), key);
    let text = Bson::from(key.to_string());
    assert!(Id::<Booking, uuid::Uuid>::try_from(text).is_err());
    let text = Bson::from(bson::oid::ObjectId::new().to_hex());
    let error = Id::<Booking>::try_from(text).unwrap_err();
    assert_eq!(error.wanted, "ObjectId");
}

#[tokio::test]
async fn events_of_documents_with_keys_of_other_crates_are_read() {
    let t = Harness::new("foreign_types_watch").await;
    let mut changes = Booking::watch(&t.odm).await.unwrap();
    let new = booking(3);
    new.insert(&t.odm).await.unwrap();
    Booking::delete(&t.odm, new.id).await.unwrap();
    let mut next = async || {
        let next = tokio::time::timeout(Duration::from_secs(20), changes.try_next());
        next.await.expect("an event arrives").unwrap().unwrap()
    };
    let DocumentChange::Inserted(inserted) = next().await.change else {
        panic!("an insert");
    };
    assert_eq!(inserted, new);
    let DocumentChange::Deleted { id, .. } = next().await.change else {
        panic!("a delete");
    };
    assert_eq!(id, new.id);
}
