//! Models of the database `hostile`, written by `odm pull` from samples of its documents.
//!
//! What the samples do not show is not known: `odm check` finds documents that do not fit.

use std::collections::BTreeMap;

use mongo_odm::bson::{Binary, Bson, Decimal128, Document, Regex, Timestamp, Uuid};
use mongo_odm::prelude::*;
use mongo_odm::{AnyKey, Presence};

/// The 2 documents of `Odd Names`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "Odd Names", index(keys(inner.r#type = 1, a_b = -1), name = "i0"))]
pub struct OddName {
    #[serde(rename = "_id")]
    pub id: Id<OddName>,
    #[serde(rename = "id", skip_serializing_if = "Option::is_none")]
    pub id_: Option<String>,
    #[serde(rename = "ID", skip_serializing_if = "Option::is_none")]
    pub id_2: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    #[serde(rename = "self", skip_serializing_if = "Option::is_none")]
    pub self_: Option<String>,
    #[serde(rename = "Self", skip_serializing_if = "Option::is_none")]
    pub self__: Option<String>,
    #[serde(rename = "1st", skip_serializing_if = "Option::is_none")]
    pub field_1st: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub größe: Option<String>,
    #[serde(rename = "a b", skip_serializing_if = "Option::is_none")]
    pub a_b: Option<String>,
    #[serde(rename = "a_b", skip_serializing_if = "Option::is_none")]
    pub a_b_: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    #[serde(rename = "__v", skip_serializing_if = "Option::is_none")]
    pub v: Option<String>,
    #[serde(rename = "🦀", skip_serializing_if = "Option::is_none")]
    pub field_: Option<String>,
    pub inner: Inner,
    pub only: Document,
    // Fields that are rare, or have names that no field of a struct has: `$dollar`, `dot.ted`, ``.
    #[serde(flatten)]
    pub other_fields: Document,
}

/// What `inner` holds in `Odd Names`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Inner {
    #[serde(rename = "id")]
    pub id_: String,
    #[serde(rename = "ID")]
    pub id_2: String,
    pub r#type: String,
    #[serde(rename = "self")]
    pub self_: String,
    #[serde(rename = "Self")]
    pub self__: String,
    #[serde(rename = "1st")]
    pub field_1st: String,
    pub größe: String,
    #[serde(rename = "a b")]
    pub a_b: String,
    #[serde(rename = "a_b")]
    pub a_b_: String,
    pub rest: String,
    #[serde(rename = "__v")]
    pub v: String,
    #[serde(rename = "🦀")]
    pub field_: String,
    // Fields that are rare, or have names that no field of a struct has: `$dollar`, `dot.ted`, ``.
    #[serde(flatten)]
    pub other_fields: Document,
}

/// The 40 documents of `articles`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "articles", has_many(orders = "Order.lines.product"))]
pub struct Article {
    #[serde(rename = "_id")]
    pub id: Id<Article>,
    pub sku: String,
    pub price: f64,
}

/// The 40 documents of `colleagues`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "colleagues",
    index(keys(email = "text", status = "text"), name = "i1"),
    has_many(colleagues = "Colleague.boss"),
    has_many(orders = "Order.customer"),
    has_many(orders_by_watchers = "Order.watchers"),
    has_many(orders_by_colleague_email = "Order.colleague_email"),
    has_many(orders_by_ships_to = "Order.ships_to"),
    has_one(profile = "Profile.colleague"),
    has_many(types = "Type.uuid"),
    has_many(types_by_uuid = "Type.inner.uuid"),
    has_many(types_by_uuid2 = "Type.each.uuid"),
    has_many(types_by_rare_uuid = "Type.rare_uuid"),
    has_many(types_by_maybe = "Type.maybe")
)]
pub struct Colleague {
    #[serde(rename = "_id")]
    pub id: Id<Colleague, Uuid>,
    #[index(unique)]
    pub email: String,
    #[parent_ref]
    pub boss: Id<Colleague, Uuid>,
    pub status: ColleagueStatus,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColleagueStatus {
    #[serde(rename = "active")]
    Active,
    #[serde(rename = "on leave")]
    OnLeave,
    // Any text that the sample does not have.
    #[serde(untagged)]
    Other(String),
}

/// The only document of `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "deep")]
pub struct Deep {
    #[serde(rename = "_id")]
    pub id: Id<Deep>,
    pub d: D,
}

/// What `d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct D {
    pub d: DD,
}

/// What `d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DD {
    pub d: DDD,
}

/// What `d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DDD {
    pub d: DDDD,
}

/// What `d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DDDD {
    pub d: DDDDD,
}

/// What `d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DDDDD {
    pub d: DDDDDD,
}

/// What `d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DDDDDD {
    pub d: DDDDDDD,
}

/// What `d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DDDDDDD {
    pub d: DDDDDDDD,
}

/// What `d.d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DDDDDDDD {
    pub d: DDDDDDDDD,
}

/// What `d.d.d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DDDDDDDDD {
    pub d: DDDDDDDDDD,
}

/// What `d.d.d.d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DDDDDDDDDD {
    pub d: DDDDDDDDDDD,
}

/// What `d.d.d.d.d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DDDDDDDDDDD {
    pub d: DDDDDDDDDDDD,
}

/// What `d.d.d.d.d.d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DDDDDDDDDDDD {
    pub d: Document,
}

/// The 4 documents of `gaps`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "gaps",
    has_many(types = "Type.object_id"),
    has_many(types_by_object_id = "Type.inner.object_id"),
    has_many(types_by_object_id2 = "Type.each.object_id"),
    has_many(types_by_rare_object_id = "Type.rare_object_id")
)]
pub struct Gap {
    #[serde(rename = "_id")]
    pub id: Id<Gap>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub some: Option<i32>,
    pub nullable: Option<i32>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    pub both: Presence<i32>,
    // The longest seen has 1 (`_id` ObjectId("000000000000000000000001")); `max` leaves room, and writes refuse more.
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    #[embed(max = 10)]
    pub list: Presence<Vec<String>>,
    // The longest seen has 2 (`_id` ObjectId("000000000000000000000001")); `max` leaves room, and writes refuse more.
    #[embed(max = 10)]
    pub nulls: Vec<Option<i32>>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    pub inner: Presence<GapInner>,
    pub lists: Vec<Vec<f64>>,
    // The longest seen has 3 (`_id` ObjectId("000000000000000000000001")); `max` leaves room, and writes refuse more.
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    #[embed(max = 20)]
    pub items: Presence<Vec<Option<Item>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub empty: Option<Document>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nothing: Option<Vec<Bson>>,
    pub never: Bson,
}

/// What `items[]` holds in `gaps`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Item {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<i32>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    pub b: Presence<i32>,
}

/// What `inner` holds in `gaps`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct GapInner {
    pub a: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<Vec<Bson>>,
}

/// The 2 documents of `maps`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maps")]
pub struct Map {
    #[serde(rename = "_id")]
    pub id: Id<Map>,
    pub days: BTreeMap<String, Day>,
    pub by_id: BTreeMap<String, Option<i32>>,
    pub nested: BTreeMap<String, BTreeMap<String, Vec<i32>>>,
}

/// What `days.*` holds in `maps`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Day {
    pub n: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub m: Option<String>,
}

/// The 29 documents of `mixed`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mixed")]
pub struct Mixed {
    #[serde(rename = "_id")]
    pub id: Id<Mixed, AnyKey>,
    // Values of several types: 4 double (`_id` 0), 4 binData (`_id` 8), 2 string (`_id` 4), 2 date (`_id` 14), 2 long (`_id` 22), 1 object (`_id` 6), 1 array (`_id` 7), 1 objectId (`_id` 12), 1 bool (`_id` 13), 1 regex (`_id` 16), 1 javascript (`_id` 17), 1 javascriptWithScope (`_id` 18), 1 symbol (`_id` 19), 1 int (`_id` 20), 1 timestamp (`_id` 21), 1 decimal (`_id` 24), 1 minKey (`_id` 25), 1 maxKey (`_id` 26).
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    pub v: Presence<Bson>,
    pub r#in: In,
    // The longest seen has 2 (`_id` 0); `max` leaves room, and writes refuse more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[embed(max = 10)]
    pub all: Option<Vec<Bson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What `in` holds in `mixed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct In {
    // Values of several types: 4 double (`_id` 0), 4 binData (`_id` 8), 2 string (`_id` 4), 2 date (`_id` 14), 2 long (`_id` 22), 1 object (`_id` 6), 1 array (`_id` 7), 1 objectId (`_id` 12), 1 bool (`_id` 13), 1 regex (`_id` 16), 1 javascript (`_id` 17), 1 javascriptWithScope (`_id` 18), 1 symbol (`_id` 19), 1 int (`_id` 20), 1 timestamp (`_id` 21), 1 decimal (`_id` 24), 1 minKey (`_id` 25), 1 maxKey (`_id` 26).
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    pub v: Presence<Bson>,
}

/// The only document of `options`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "options")]
pub struct OptionDoc {
    #[serde(rename = "_id")]
    pub id: Id<OptionDoc, i32>,
    pub string: String,
    pub vec: Vec<OptionDocVec>,
}

/// What `vec[]` holds in `options`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct OptionDocVec {
    pub r#box: i32,
}

/// The 40 documents of `orders`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
// Another index of `colleague_email`: `index(locale = "en", strength = 2, name = "i6")`.
// Index `i7` on { colleagueEmail: -1 }: no attribute has `numericOrdering` of its collation.
// Index `i9` on { "$**": 1 }: no field `$**` is in the struct.
// Index `i10` on { "nobody.knows": 1 }: no field `nobody.knows` is in the struct.
#[model(
    collection = "orders",
    index(keys(customer = 1, placed = -1)),
    index(keys(place = "2dsphere"), name = "i3"),
    index(keys(lines.product = 1, lines.qty = -1), sparse, name = "i4"),
    index(keys(lines.qty = 1), partial = r##"{"lines.qty":{"$gt":3},"colleagueEmail":"\"#"}"##, name = "i8")
)]
pub struct Order {
    #[serde(rename = "_id")]
    pub id: Id<Order, i64>,
    #[parent_ref]
    #[index]
    pub customer: Id<Colleague, Uuid>,
    // The longest seen has 5 (`_id` NumberLong("5000000004")); `max` leaves room, and writes refuse more.
    #[embed(max = 20)]
    pub lines: Vec<Line>,
    // The longest seen has 2 (`_id` NumberLong("5000000002")); `max` leaves room, and writes refuse more.
    #[refs(many, max = 10)]
    pub watchers: Vec<Id<Colleague, Uuid>>,
    #[serde(rename = "colleagueEmail")]
    #[parent_ref(to = "Colleague.email")]
    #[index(hashed, name = "i5")]
    pub colleague_email: String,
    #[index(expire_after_secs = 100000000, name = "i2")]
    pub placed: DateTime,
    pub place: Vec<f64>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    #[parent_ref]
    pub ships_to: Presence<Id<Colleague, Uuid>>,
}

/// What `lines[]` holds in `orders`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Line {
    #[refs(one)]
    pub product: Id<Article>,
    pub qty: i32,
}

/// The 40 documents of `profiles`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "profiles")]
pub struct Profile {
    #[serde(rename = "_id")]
    pub id: Id<Profile>,
    #[parent_ref]
    #[index(unique)]
    pub colleague: Id<Colleague, Uuid>,
    pub bio: String,
}

/// Documents of `students_classes` whose `doc_type` is "class"; 5 were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "students_classes",
    kind("doc_type" = "class"),
    has_many(students = "Student.class_id")
)]
pub struct Class {
    #[serde(rename = "_id")]
    pub id: Id<Class, String>,
    // The kind of the document: `None` is filled in by every write.
    #[index(all_kinds)]
    pub doc_type: Option<String>,
    #[index(all_kinds)]
    pub class_name: String,
    pub links: Vec<Link>,
}

/// What `links[]` holds in `students_classes`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Link {
    pub target: String,
}

/// Documents of `students_classes` whose `doc_type` is "student"; 5 were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "students_classes", kind("doc_type" = "student"))]
pub struct Student {
    #[serde(rename = "_id")]
    pub id: Id<Student, String>,
    // The kind of the document: `None` is filled in by every write.
    pub doc_type: Option<String>,
    #[index(unique, name = "i0")]
    pub name: String,
    #[parent_ref]
    pub class_id: Id<Class, String>,
}

/// The 120 documents of `types`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "types")]
pub struct Type {
    #[serde(rename = "_id")]
    pub id: Id<Type>,
    pub double: f64,
    pub nan: f64,
    pub infinite: f64,
    pub minus_zero: f64,
    pub string: String,
    pub empty: String,
    pub object: Object,
    pub array: Vec<i32>,
    pub generic: Binary,
    pub old_uuid: Binary,
    pub own_subtype: Binary,
    #[parent_ref]
    pub uuid: Id<Colleague, Uuid>,
    #[parent_ref]
    pub object_id: Id<Gap>,
    pub bool: bool,
    pub date: DateTime,
    pub far_date: DateTime,
    pub regex: Regex,
    pub code: Bson,
    pub scoped: Bson,
    pub symbol: Bson,
    pub int: i32,
    pub timestamp: Timestamp,
    pub long: i64,
    pub small_long: i64,
    pub decimal: Decimal128,
    pub min_key: Bson,
    pub max_key: Bson,
    pub inner: TypeInner,
    pub each: Vec<Each>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_double: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_nan: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_infinite: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_minus_zero: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_string: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_empty: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_object: Option<RareObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_array: Option<Vec<i32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_generic: Option<Binary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_old_uuid: Option<Binary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_own_subtype: Option<Binary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[parent_ref]
    pub rare_uuid: Option<Id<Colleague, Uuid>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[parent_ref]
    pub rare_object_id: Option<Id<Gap>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_bool: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_date: Option<DateTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_far_date: Option<DateTime>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_regex: Option<Regex>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_code: Option<Bson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_scoped: Option<Bson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_symbol: Option<Bson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_int: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_timestamp: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_long: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_small_long: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_decimal: Option<Decimal128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_min_key: Option<Bson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_max_key: Option<Bson>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    #[parent_ref]
    pub maybe: Presence<Id<Colleague, Uuid>>,
    // Some fields are in fewer than 2 of 100 documents (`rare_double`, `rare_nan`, `rare_infinite`, `rare_minus_zero`, `rare_string` ..): there may be others, which are kept here.
    #[serde(flatten)]
    pub rest: Document,
}

/// What `rare_object` holds in `types`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct RareObject {
    pub a: i32,
}

/// What `each[]` holds in `types`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Each {
    pub double: f64,
    pub nan: f64,
    pub infinite: f64,
    pub minus_zero: f64,
    pub string: String,
    pub empty: String,
    pub object: EachObject,
    pub array: Vec<i32>,
    pub generic: Binary,
    pub old_uuid: Binary,
    pub own_subtype: Binary,
    #[refs(one)]
    pub uuid: Id<Colleague, Uuid>,
    #[refs(one)]
    pub object_id: Id<Gap>,
    pub bool: bool,
    pub date: DateTime,
    pub far_date: DateTime,
    pub regex: Regex,
    pub code: Bson,
    pub scoped: Bson,
    pub symbol: Bson,
    pub int: i32,
    pub timestamp: Timestamp,
    pub long: i64,
    pub small_long: i64,
    pub decimal: Decimal128,
    pub min_key: Bson,
    pub max_key: Bson,
}

/// What `each[].object` holds in `types`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct EachObject {
    pub a: i32,
}

/// What `inner` holds in `types`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct TypeInner {
    pub double: f64,
    pub nan: f64,
    pub infinite: f64,
    pub minus_zero: f64,
    pub string: String,
    pub empty: String,
    pub object: TypeInnerObject,
    pub array: Vec<i32>,
    pub generic: Binary,
    pub old_uuid: Binary,
    pub own_subtype: Binary,
    #[refs(one)]
    pub uuid: Id<Colleague, Uuid>,
    #[refs(one)]
    pub object_id: Id<Gap>,
    pub bool: bool,
    pub date: DateTime,
    pub far_date: DateTime,
    pub regex: Regex,
    pub code: Bson,
    pub scoped: Bson,
    pub symbol: Bson,
    pub int: i32,
    pub timestamp: Timestamp,
    pub long: i64,
    pub small_long: i64,
    pub decimal: Decimal128,
    pub min_key: Bson,
    pub max_key: Bson,
}

/// What `inner.object` holds in `types`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct TypeInnerObject {
    pub a: i32,
}

/// What `object` holds in `types`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Object {
    pub a: i32,
}

/// The only document of `user`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "user", has_many(users = "UserDoc.user"))]
pub struct User {
    #[serde(rename = "_id")]
    pub id: Id<User, i64>,
}

/// The only document of `users`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "users")]
pub struct UserDoc {
    #[serde(rename = "_id")]
    pub id: Id<UserDoc, f64>,
    #[parent_ref]
    pub user: Id<User, i64>,
}

/// The only document of `wide`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "wide")]
pub struct Wide {
    #[serde(rename = "_id")]
    pub id: Id<Wide>,
    pub f0: i32,
    pub f1: i32,
    pub f2: i32,
    pub f3: i32,
    pub f4: i32,
    pub f5: i32,
    pub f6: i32,
    pub f7: i32,
    pub f8: i32,
    pub f9: i32,
    pub f10: i32,
    pub f11: i32,
    pub f12: i32,
    pub f13: i32,
    pub f14: i32,
    pub f15: i32,
    pub f16: i32,
    pub f17: i32,
    pub f18: i32,
    pub f19: i32,
    pub f20: i32,
    pub f21: i32,
    pub f22: i32,
    pub f23: i32,
    pub f24: i32,
    pub f25: i32,
    pub f26: i32,
    pub f27: i32,
    pub f28: i32,
    pub f29: i32,
    pub f30: i32,
    pub f31: i32,
    pub f32: i32,
    pub f33: i32,
    pub f34: i32,
    pub f35: i32,
    pub f36: i32,
    pub f37: i32,
    pub f38: i32,
    pub f39: i32,
    pub f40: i32,
    pub f41: i32,
    pub f42: i32,
    pub f43: i32,
    pub f44: i32,
    pub f45: i32,
    pub f46: i32,
    pub f47: i32,
    pub f48: i32,
    pub f49: i32,
    pub f50: i32,
    pub f51: i32,
    pub f52: i32,
    pub f53: i32,
    pub f54: i32,
    pub f55: i32,
    pub f56: i32,
    pub f57: i32,
    pub f58: i32,
    pub f59: i32,
    pub f60: i32,
    pub f61: i32,
    pub f62: i32,
    pub f63: i32,
    pub f64: i32,
    pub f65: i32,
    pub f66: i32,
    pub f67: i32,
    pub f68: i32,
    pub f69: i32,
    pub f70: i32,
    pub f71: i32,
    pub f72: i32,
    pub f73: i32,
    pub f74: i32,
    pub f75: i32,
    pub f76: i32,
    pub f77: i32,
    pub f78: i32,
    pub f79: i32,
    pub f80: i32,
    pub f81: i32,
    pub f82: i32,
    pub f83: i32,
    pub f84: i32,
    pub f85: i32,
    pub f86: i32,
    pub f87: i32,
    pub f88: i32,
    pub f89: i32,
    pub f90: i32,
    pub f91: i32,
    pub f92: i32,
    pub f93: i32,
    pub f94: i32,
    pub f95: i32,
    pub f96: i32,
    pub f97: i32,
    pub f98: i32,
    // Fields that are rare, or have names that no field of a struct has: `f99`, `f100`, `f101`, `f102`, `f103` ...
    #[serde(flatten)]
    pub rest: Document,
}

// `empty` is left out: no documents were read.
