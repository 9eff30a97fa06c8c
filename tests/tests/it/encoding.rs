//! Operands have the same encoding as the values of their field.

mod fields;
mod operands;

use std::{
    collections::{BTreeSet, HashMap},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use mongo_odm::{
    Error, IntoFilter,
    bson::{self, Bson, Decimal128, RawDocumentBuf},
    prelude::*,
};
use odm_tests::Harness;

type Utc = chrono::DateTime<chrono::Utc>;

/// Stores a date of `chrono` as a BSON date, as many programs do.
mod bson_date {
    use super::{DateTime, Deserialize, Serialize, Utc};

    pub(super) fn serialize<S: serde::Serializer>(date: &Utc, s: S) -> Result<S::Ok, S::Error> {
        DateTime::from_millis(date.timestamp_millis()).serialize(s)
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Utc, D::Error> {
        let date = DateTime::deserialize(d)?;
        Utc::from_timestamp_millis(date.timestamp_millis())
            .ok_or_else(|| serde::de::Error::custom("out of range"))
    }
}

/// Does the same for arrays of dates.
mod bson_dates {
    use super::{DateTime, Deserialize, Serialize, Utc};

    pub(super) fn serialize<S: serde::Serializer>(dates: &[Utc], s: S) -> Result<S::Ok, S::Error> {
        let dates = dates
            .iter()
            .map(|date| DateTime::from_millis(date.timestamp_millis()));
        dates.collect::<Vec<_>>().serialize(s)
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
        d: D,
    ) -> Result<Vec<Utc>, D::Error> {
        let dates = Vec::<DateTime>::deserialize(d)?;
        let dates = dates
            .iter()
            .map(|date| Utc::from_timestamp_millis(date.timestamp_millis()));
        dates
            .collect::<Option<_>>()
            .ok_or_else(|| serde::de::Error::custom("out of range"))
    }
}

/// Stores an `ObjectId` as its hexadecimal text.
mod hex {
    use super::{Deserialize, ObjectId};

    pub(super) fn serialize<S: serde::Serializer>(id: &ObjectId, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&id.to_hex())
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(
        d: D,
    ) -> Result<ObjectId, D::Error> {
        String::deserialize(d)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[allow(clippy::cast_possible_truncation, clippy::trivially_copy_pass_by_ref)]
fn as_cents<S: serde::Serializer>(euros: &f64, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_i64((euros * 100.0).round() as i64)
}

#[allow(clippy::cast_precision_loss)]
fn from_cents<'de, D: serde::Deserializer<'de>>(d: D) -> Result<f64, D::Error> {
    Ok(i64::deserialize(d)? as f64 / 100.0)
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Color {
    Azure,
    Blue,
    Cyan,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
enum Size {
    ALittle,
    #[serde(rename = "medium sized")]
    Medium,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Body {
    Dot,
    Circle { radius: f64, center: uuid::Uuid },
    Pair(i32, IpAddr),
    Named(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Event {
    SignedUp { at: DateTime },
    LoggedIn { from: String },
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Sku(String);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
#[serde(rename_all = "camelCase")]
struct Inner {
    street_name: String,
    #[serde(with = "mongo_odm::with::native")]
    key: uuid::Uuid,
    #[serde(with = "bson_date")]
    since: Utc,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Flat {
    #[serde(rename = "flatName")]
    name: String,
    #[serde(with = "hex")]
    secret: ObjectId,
}

/// A model with one field of every kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kinds")]
#[serde(rename_all = "camelCase")]
struct Kinds {
    #[serde(rename = "_id")]
    id: Id<Kinds>,
    bson_uuid: bson::Uuid,
    #[serde(with = "mongo_odm::with::native")]
    plain_uuid: uuid::Uuid,
    ip_four: IpAddr,
    ip_six: IpAddr,
    #[serde(with = "bson_date")]
    chrono_date: Utc,
    #[serde(with = "mongo_odm::with::text")]
    chrono_text: Utc,
    #[serde(with = "mongo_odm::with::native")]
    offset_time: time::OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    offset_text: time::OffsetDateTime,
    #[serde(with = "mongo_odm::with::native")]
    timestamp: jiff::Timestamp,
    color: Color,
    size: Size,
    body: Body,
    pair: Body,
    event: Event,
    sku: Sku,
    present: Option<i32>,
    #[serde(with = "mongo_odm::with::native")]
    present_uuid: Option<uuid::Uuid>,
    absent: Option<String>,
    price: Decimal128,
    nested: Inner,
    #[serde(serialize_with = "as_cents", deserialize_with = "from_cents")]
    euros: f64,
    #[serde(with = "hex")]
    token: ObjectId,
    #[serde(rename = "Another Name")]
    renamed: String,
    tiny: i8,
    small: i16,
    medium: i32,
    large: i64,
    tiny_positive: u8,
    small_positive: u16,
    medium_positive: u32,
    large_positive: u64,
    single: f32,
    double: f64,
    letter: char,
    flag: bool,
    bytes: [u8; 4],
    tuple: (i32, String),
    date: DateTime,
    object: ObjectId,
    by_name: HashMap<String, uuid::Uuid>,
    #[serde(with = "mongo_odm::with::native")]
    uuids: Vec<uuid::Uuid>,
    addresses: Vec<IpAddr>,
    #[serde(with = "bson_dates")]
    dates: Vec<Utc>,
    colors: Vec<Color>,
    skus: BTreeSet<Sku>,
    inners: Vec<Inner>,
    maybe_dates: Option<Vec<DateTime>>,
    #[serde(flatten)]
    flat: Flat,
}

fn uuid_of(n: u8) -> uuid::Uuid {
    uuid::Uuid::from_bytes([n; 16])
}

fn inner(n: u8) -> Inner {
    Inner {
        street_name: format!("{n} High Street"),
        key: uuid_of(n),
        since: chrono_of(n),
    }
}

fn chrono_of(n: u8) -> Utc {
    Utc::from_timestamp_millis(1_700_000_000_123 + i64::from(n) * 86_400_000).unwrap()
}

fn bson_of(n: u8) -> DateTime {
    DateTime::from_millis(chrono_of(n).timestamp_millis())
}

/// Returns a document in which every value is greater than in a document with a smaller `n`.
fn kinds(n: u8) -> Kinds {
    let seconds = 1_700_000_000 + i64::from(n) * 86_400;
    let ip = IpAddr::V4(Ipv4Addr::new(10, 0, 0, n));
    Kinds {
        id: Id::new(),
        bson_uuid: bson::Uuid::from_bytes([n; 16]),
        plain_uuid: uuid_of(n),
        ip_four: ip,
        ip_six: IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, u16::from(n))),
        chrono_date: chrono_of(n),
        chrono_text: chrono_of(n),
        offset_time: time::OffsetDateTime::from_unix_timestamp(seconds).unwrap(),
        offset_text: time::OffsetDateTime::from_unix_timestamp(seconds).unwrap(),
        timestamp: jiff::Timestamp::from_second(seconds).unwrap(),
        color: [Color::Azure, Color::Blue, Color::Cyan][usize::from(n) % 3],
        size: [Size::ALittle, Size::Medium][usize::from(n) % 2],
        body: Body::Circle {
            radius: f64::from(n),
            center: uuid_of(n),
        },
        pair: Body::Pair(i32::from(n), ip),
        event: Event::SignedUp { at: bson_of(n) },
        sku: Sku(format!("sku-{n}")),
        present: Some(i32::from(n)),
        present_uuid: Some(uuid_of(n)),
        absent: None,
        price: format!("{n}.50").parse().unwrap(),
        nested: inner(n),
        euros: f64::from(n) + 0.25,
        token: ObjectId::from_bytes([n; 12]),
        renamed: format!("renamed {n}"),
        tiny: i8::try_from(n).unwrap() - 50,
        small: i16::from(n) - 300,
        medium: i32::from(n) - 70_000,
        large: i64::MAX - 200 + i64::from(n),
        tiny_positive: 200 + n,
        small_positive: 60_000 + u16::from(n),
        medium_positive: 4_000_000_000 + u32::from(n),
        large_positive: u64::from(n) + 9_000_000_000_000_000_000,
        single: 0.1 + f32::from(n),
        double: 0.1 + f64::from(n),
        letter: char::from(b'a' + n),
        flag: n % 2 == 1,
        bytes: [n, 1, 2, 255],
        tuple: (i32::from(n), format!("tuple {n}")),
        date: bson_of(n),
        object: ObjectId::from_bytes([n + 100; 12]),
        by_name: HashMap::from([("key".to_owned(), uuid_of(n))]),
        uuids: vec![uuid_of(n), uuid_of(n + 10)],
        addresses: vec![ip, IpAddr::V6(Ipv6Addr::from(u128::from(n)))],
        dates: vec![chrono_of(n), chrono_of(n + 10)],
        colors: vec![[Color::Azure, Color::Blue, Color::Cyan][usize::from(n) % 3]],
        skus: BTreeSet::from([Sku(format!("sku-{n}")), Sku(format!("sku-{n}-b"))]),
        inners: vec![inner(n), inner(n + 10)],
        maybe_dates: Some(vec![bson_of(n)]),
        flat: Flat {
            name: format!("flat {n}"),
            secret: ObjectId::from_bytes([n + 50; 12]),
        },
    }
}

async fn raw(t: &Harness, collection: &str, id: &Id<Kinds>) -> RawDocumentBuf {
    let collection = t.odm.database().collection::<RawDocumentBuf>(collection);
    collection
        .find_one(doc! { "_id": *id })
        .await
        .unwrap()
        .unwrap()
}

async fn element(t: &Harness, id: &Id<Kinds>, path: &str) -> Bson {
    let raw = raw(t, "kinds", id).await;
    let mut value: Bson = Bson::Document((&*raw).try_into().unwrap());
    for name in path.split('.') {
        value = value.as_document().unwrap().get(name).unwrap().clone();
    }
    value
}

async fn found(t: &Harness, filter: impl IntoFilter<Kinds>) -> Vec<Id<Kinds>> {
    let found = Kinds::find(&t.odm)
        .filter(filter)
        .sort(doc! { "tiny": 1 })
        .await
        .unwrap();
    found.iter().map(|kinds| kinds.id).collect()
}

/// Stores two documents with different values in every field, and one document that the test overwrites.
async fn three(t: &Harness) -> (Kinds, Kinds, Kinds) {
    let three = (kinds(0), kinds(1), kinds(2));
    t.given(&[three.0.clone(), three.1.clone(), three.2.clone()])
        .await;
    three
}

#[tokio::test]
async fn the_library_inserts_the_very_bytes_that_the_driver_inserts() {
    let t = Harness::new("encoding_bytes").await;
    for n in 0..3 {
        let kinds = kinds(n);
        t.odm
            .database()
            .collection::<Kinds>("driver")
            .insert_one(&kinds)
            .await
            .unwrap();
        kinds.insert(&t.odm).await.unwrap();
        let by_driver = raw(&t, "driver", &kinds.id).await;
        assert_eq!(
            raw(&t, "kinds", &kinds.id).await.as_bytes(),
            by_driver.as_bytes()
        );

        Kinds::delete(&t.odm, kinds.id).await.unwrap();
        Kinds::insert_many(&t.odm, [&kinds]).await.unwrap();
        assert_eq!(
            raw(&t, "kinds", &kinds.id).await.as_bytes(),
            by_driver.as_bytes()
        );

        Kinds::delete(&t.odm, kinds.id).await.unwrap();
        kinds.save(&t.odm).await.unwrap();
        assert_eq!(
            raw(&t, "kinds", &kinds.id).await.as_bytes(),
            by_driver.as_bytes()
        );

        assert_eq!(Kinds::get(&t.odm, kinds.id).await.unwrap(), kinds);
    }
}

/// Checks that filters by one field match exactly the expected documents, and that `set` writes the same element as an
/// insert.
macro_rules! each_field {
    ($t:expr, $docs:expr; $($($field:ident).+),+ $(,)?) => {$(
        let (a, b, c) = &$docs;
        let field = Kinds::fields().$($field).+;
        let (of_a, of_b, of_c) = (&a.$($field).+, &b.$($field).+, &c.$($field).+);
        let path = field.path();
        assert_eq!(found($t, field.eq(of_a)).await, [a.id], "eq {path}");
        assert_eq!(found($t, field.is_in([of_a, of_c])).await, [a.id, c.id], "is_in {path}");
        assert_eq!(found($t, field.ne(of_b)).await, [a.id, c.id], "ne {path}");
        assert_eq!(found($t, field.is_not_in([of_b, of_c])).await, [a.id], "is_not_in {path}");
        assert_eq!(found($t, field.gt(of_a)).await, [b.id, c.id], "gt {path}");
        assert_eq!(found($t, field.lte(of_b)).await, [a.id, b.id], "lte {path}");
        let stored = element($t, &a.id, &path).await;
        let set = Kinds::update(&$t.odm, c.id).set(field, of_a).await.unwrap();
        assert_eq!((set.matched, set.modified), (1, 1), "set {path}");
        assert_eq!(element($t, &c.id, &path).await, stored, "set {path}");
        assert_eq!(found($t, field.eq(of_a)).await, [a.id, c.id], "eq after set {path}");
        c.save(&$t.odm).await.unwrap();
    )+};
}

#[tokio::test]
async fn filters_and_set_encode_as_the_field_does() {
    let t = Harness::new("encoding_fields").await;
    let docs = three(&t).await;
    each_field!(&t, docs;
        bson_uuid, plain_uuid, ip_four, ip_six, chrono_date, chrono_text, offset_time, offset_text,
        timestamp, color, body, pair, event, sku, present, present_uuid, price,
        nested.street_name, nested.key, nested.since, nested, euros, token, renamed, small, medium, large,
        tiny_positive, small_positive, medium_positive, large_positive, single, double, letter,
        bytes, tuple, date, object, by_name, flat.name, flat.secret,
    );
}
