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
    #[serde(rename = "größe", skip_serializing_if = "Option::is_none")]
    pub grosse: Option<String>,
    #[serde(rename = "a b", skip_serializing_if = "Option::is_none")]
    pub a_b: Option<String>,
    #[serde(rename = "a_b", skip_serializing_if = "Option::is_none")]
    pub a_b_: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<String>,
    // Fields that are rare, or have names that no field of a struct has: `$dollar`, `dot.ted`, ``. The server replaces
    // no document by one whose own fields begin with `$`: `save` fails.
    #[serde(flatten)]
    pub other_fields: Document,
    #[serde(rename = "__v", skip_serializing_if = "Option::is_none")]
    pub v: Option<String>,
    #[serde(rename = "🦀", skip_serializing_if = "Option::is_none")]
    pub crab: Option<String>,
    pub inner: Inner,
    pub only: Document,
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
    #[serde(rename = "größe")]
    pub grosse: String,
    #[serde(rename = "a b")]
    pub a_b: String,
    #[serde(rename = "a_b")]
    pub a_b_: String,
    pub rest: String,
    // Fields that are rare, or have names that no field of a struct has: `$dollar`, `dot.ted`, ``.
    #[serde(flatten)]
    pub other_fields: Document,
    #[serde(rename = "__v")]
    pub v: String,
    #[serde(rename = "🦀")]
    pub crab: String,
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

/// The 20 documents of `authors`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "authors",
    has_many(books = "Book.author"),
    has_many(books_by_author = "Book.made.author.id_")
)]
pub struct Author {
    #[serde(rename = "_id")]
    pub id: Id<Author>,
}

/// The 40 documents of `books`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "books")]
pub struct Book {
    #[serde(rename = "_id")]
    pub id: Id<Book, i64>,
    #[parent_ref]
    pub author: Id<Author>,
    // The values are `_id` of `authors` (20 of 20) and `_id` of `writers` (20 of 20): nothing tells which collection is
    // meant, so no reference is declared.
    pub maker: ObjectId,
    // 40 of 40 values are `_id` of `writers`; the same values are also `_id` of `authors` (20).
    #[parent_ref]
    pub editor: Id<Writer>,
    pub made: Made,
    // The values are `_id` of `authors` (20 of 20) and `_id` of `writers` (20 of 20): nothing tells which collection is
    // meant, so no reference is declared.
    pub readers: Vec<ObjectId>,
    pub places: BTreeMap<String, Place>,
}

/// What `places.*` holds in `books`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Place {
    // 40 of 40 values are `_id` of `writers`, which no attribute can say here; they are also `_id` of `authors` (20).
    pub who: ObjectId,
}

/// What `made` holds in `books`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Made {
    // The values are `_id` of `authors` (20 of 20) and `_id` of `writers` (20 of 20): nothing tells which collection is
    // meant, so no reference is declared.
    pub by: ObjectId,
    pub author: MadeAuthor,
}

/// What `made.author` holds in `books`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct MadeAuthor {
    #[serde(rename = "id")]
    #[refs(one)]
    pub id_: Id<Author>,
}

/// The 40 documents of `colleagues`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "colleagues",
    index(keys(email = "text", status = "text"), name = "i1"),
    has_many(colleagues = "Colleague.boss"),
    has_many(orders = "Order.customer"),
    has_many(orders_by_watchers = "Order.watchers"),
    has_many(orders_by_ships_to = "Order.ships_to"),
    has_one(profile = "Profile.colleague"),
    has_many(types = "Type.uuid"),
    has_many(types_by_inner = "Type.inner.uuid"),
    has_many(types_by_each = "Type.each.uuid"),
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

/// What `status` holds in `colleagues`.
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

/// The 2 documents of `counts`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "counts")]
pub struct Count {
    #[serde(rename = "_id")]
    pub id: Id<Count, i32>,
    pub sorted: BTreeMap<String, i32>,
    // The names are values in an order of their own; `BTreeMap<String, i32>` would sort them.
    pub latest: Document,
    // The names are values in an order of their own: a write sorts them.
    pub days: BTreeMap<String, Day>,
    // The names are values in an order of their own; `BTreeMap<String, BTreeMap<String, i32>>` would sort them.
    pub nested: Document,
}

/// What `days.*` holds in `counts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Day {
    pub n: i32,
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
    pub d: Ddd,
}

/// What `d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Ddd {
    pub d: DddD,
}

/// What `d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DddD {
    pub d: DddDD,
}

/// What `d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DddDD {
    pub d: DddDDD,
}

/// What `d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DddDDD {
    pub d: DddDDDD,
}

/// What `d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DddDDDD {
    pub d: DddDDDDD,
}

/// What `d.d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DddDDDDD {
    pub d: DddDDDDDD,
}

/// What `d.d.d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DddDDDDDD {
    pub d: DddDDDDDDD,
}

/// What `d.d.d.d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DddDDDDDDD {
    pub d: DddDDDDDDDD,
}

/// What `d.d.d.d.d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DddDDDDDDDD {
    pub d: DddDDDDDDDDD,
}

/// What `d.d.d.d.d.d.d.d.d.d.d.d` holds in `deep`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct DddDDDDDDDDD {
    pub d: Document,
}

/// The 4 documents of `gaps`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "gaps")]
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

/// The only document of `größe`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "größe")]
pub struct Grosse {
    #[serde(rename = "_id")]
    pub id: Id<Grosse, i32>,
    #[serde(rename = "straße")]
    pub strasse: String,
    #[serde(rename = "名前")]
    pub ming_qian: String,
    #[serde(rename = "эмодзи")]
    pub emodzi: String,
    #[serde(rename = "😀")]
    pub grinning: String,
    #[serde(rename = "😀😀")]
    pub grinning_grinning: String,
    #[serde(rename = "ﬁ")]
    pub fi: String,
    #[serde(rename = "é")]
    pub e: String,
    #[serde(rename = "e\u{301}")]
    pub e_: String,
    #[serde(rename = "１")]
    pub field_1: String,
    #[serde(rename = "²")]
    pub field_2: String,
    #[serde(rename = "ª")]
    pub a: String,
    #[serde(rename = "\u{200c}")]
    pub field: String,
    #[serde(rename = "\u{202e}")]
    pub field_: String,
    #[serde(rename = "a\u{202e}b")]
    pub ab: String,
    #[serde(rename = "日\u{202e}本")]
    pub ri_ben: RiBen,
}

/// What `日\u{202e}本` holds in `größe`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct RiBen {
    #[serde(rename = "語")]
    pub yu: i32,
    #[serde(rename = "\u{202e}")]
    pub field: i32,
}

/// The 40 documents of `letters`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "letters")]
pub struct Letter {
    #[serde(rename = "_id")]
    pub id: Id<Letter, i64>,
    // `DBRef`s into `authors` (20 of 20 keys found), which the library does not follow: it joins, indexes and checks a
    // field that holds the bare `_id`, with `#[parent_ref]` or, in arrays, `#[refs(many)]`.
    pub to: DbRef<Id<Author>>,
    // `DBRef`s into `writers` (20 of 20 keys found), which the library does not follow: it joins, indexes and checks a
    // field that holds the bare `_id`, with `#[parent_ref]` or, in arrays, `#[refs(many)]`.
    // The longest seen has 2 (`_id` NumberLong("2")); `max` leaves room, and writes refuse more.
    #[embed(max = 10)]
    pub cc: Vec<DbRef<Id<Writer>>>,
    // `DBRef`s into `writers` (40) of the database `archive`, which the library does not follow: it joins, indexes and
    // checks a field that holds the bare `_id`, with `#[parent_ref]` or, in arrays, `#[refs(many)]`.
    pub from: DbRef<ObjectId>,
    // `DBRef`s into `authors` (20), `writers` (20), which the library does not follow: it joins, indexes and checks a
    // field that holds the bare `_id`, with `#[parent_ref]` or, in arrays, `#[refs(many)]`.
    pub both: DbRef<ObjectId>,
    pub more: More,
    // `DBRef`s into `user` (1 of 1 keys found), which the library does not follow: it joins, indexes and checks a field
    // that holds the bare `_id`, with `#[parent_ref]` or, in arrays, `#[refs(many)]`.
    pub number: DbRef<Id<User, i64>>,
    // `DBRef`s into `writers` (10 of 10 keys found), which the library does not follow: it joins, indexes and checks a
    // field that holds the bare `_id`, with `#[parent_ref]` or, in arrays, `#[refs(many)]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<DbRef<Id<Writer>>>,
}

/// What `more` holds in `letters`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct More {
    // Fields that are rare, or have names that no field of a struct has: `$ref`, `$id`.
    #[serde(flatten)]
    pub rest: Document,
    pub note: String,
}

/// The 2 documents of `maps`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "maps")]
pub struct Map {
    #[serde(rename = "_id")]
    pub id: Id<Map>,
    pub days: BTreeMap<String, MapDay>,
    pub by_id: BTreeMap<String, Option<i32>>,
    pub nested: BTreeMap<String, BTreeMap<String, Vec<i32>>>,
}

/// What `days.*` holds in `maps`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct MapDay {
    pub n: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub m: Option<String>,
}

/// Documents of `measured`, of which 3 were looked at.
/// It is a time series: its ids are not kept apart, and the server takes inserts, but no `save`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "measured")]
pub struct Measured {
    pub at: DateTime,
    pub of: String,
    #[serde(rename = "_id")]
    pub id: Id<Measured>,
}

/// The 29 documents of `mixed`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mixed")]
pub struct Mixed {
    // Values of several types: 27 int (`_id` 0), 1 string (`_id` "text"), 1 object (`_id` { a: 1, b: 2 }).
    #[serde(rename = "_id")]
    pub id: Id<Mixed, AnyKey>,
    // Values of several types: 4 double (`_id` 0), 4 binData (`_id` 8), 2 string (`_id` 4), 2 date (`_id` 14), 2 long
    // (`_id` 22), 1 object (`_id` 6), 1 array (`_id` 7), 1 objectId (`_id` 12), 1 bool (`_id` 13), 1 regex (`_id` 16),
    // 1 javascript (`_id` 17), 1 javascriptWithScope (`_id` 18), 1 symbol (`_id` 19), 1 int (`_id` 20), 1 timestamp
    // (`_id` 21), 1 decimal (`_id` 24), 1 minKey (`_id` 25), 1 maxKey (`_id` 26).
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    pub v: Presence<Bson>,
    pub r#in: In,
    // Values of several types: 4 double (`_id` 0), 4 binData (`_id` 8), 2 string (`_id` 4), 2 date (`_id` 14), 2 long
    // (`_id` 22), 1 object (`_id` 6), 1 array (`_id` 7), 1 objectId (`_id` 12), 1 bool (`_id` 13), 1 regex (`_id` 16),
    // 1 javascript (`_id` 17), 1 javascriptWithScope (`_id` 18), 1 symbol (`_id` 19), 1 int (`_id` 20), 1 timestamp
    // (`_id` 21), 1 decimal (`_id` 24), 1 minKey (`_id` 25), 1 maxKey (`_id` 26).
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
    // Values of several types: 4 double (`_id` 0), 4 binData (`_id` 8), 2 string (`_id` 4), 2 date (`_id` 14), 2 long
    // (`_id` 22), 1 object (`_id` 6), 1 array (`_id` 7), 1 objectId (`_id` 12), 1 bool (`_id` 13), 1 regex (`_id` 16),
    // 1 javascript (`_id` 17), 1 javascriptWithScope (`_id` 18), 1 symbol (`_id` 19), 1 int (`_id` 20), 1 timestamp
    // (`_id` 21), 1 decimal (`_id` 24), 1 minKey (`_id` 25), 1 maxKey (`_id` 26).
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    pub v: Presence<Bson>,
}

/// The 60 documents of `mixtures`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mixtures")]
pub struct Mixture {
    #[serde(rename = "_id")]
    pub id: Id<Mixture, i32>,
    // Values of several types: 30 long (`_id` 0), 30 int (`_id` 1). `i64` reads them all, and writes longs.
    pub whole: Bson,
    // Values of several types: 30 double (`_id` 0), 30 int (`_id` 1). `f64` reads them all, and writes doubles.
    pub price: Bson,
    // Values of several types: 30 string (`_id` 0), 30 int (`_id` 1).
    pub size: Bson,
    // Values of several types: 30 string (`_id` 0), 30 date (`_id` 1). Dates as text are no dates to the server;
    // `$toDate` makes dates of them.
    pub when: Bson,
    // Values of several types: 60 int (`_id` 0), 60 string (`_id` 0).
    pub codes: Vec<Bson>,
    // Dates as text: no operator for dates and no index that expires documents takes them. `$toDate` makes dates of
    // them, which are `DateTime`.
    pub day: String,
    // Dates as text: no operator for dates and no index that expires documents takes them. `$toDate` makes dates of
    // them, which are `DateTime`.
    pub at: String,
    // Dates as text that sorts by days or months: `$dateFromString` makes dates of them, which are `DateTime`.
    pub us_day: String,
    // Ids as text: they equal no `ObjectId`. `$toObjectId` makes ids of them that take 12 bytes and can be references.
    pub owner: String,
    // Numbers as text, which sort as text: `$toDouble` or `$toDecimal` makes numbers of them.
    pub latitude: String,
    pub zip: String,
    pub state: MixtureState,
}

/// What `state` holds in `mixtures`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MixtureState {
    #[serde(rename = "A_B_C")]
    Abc,
    #[serde(rename = "NEW")]
    New,
    #[serde(rename = "Other")]
    Other2,
    #[serde(rename = "in progress")]
    InProgress,
    #[serde(rename = "self")]
    Self2,
    // Any text that the sample does not have.
    #[serde(untagged)]
    Other(String),
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

/// The 3 documents of `orderless`, all of which were looked at.
/// A write changes the order of the fields in one document: `_id` 2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "orderless")]
pub struct Orderless {
    #[serde(rename = "_id")]
    pub id: Id<Orderless, i32>,
    pub a: i32,
    // Fields that are rare, or have names that no field of a struct has: ``, `x.y`.
    #[serde(flatten)]
    pub rest: Document,
    pub b: i32,
    pub r#in: OrderlessIn,
}

/// What `in` holds in `orderless`.
/// A write changes the order of the fields in one document: `_id` 3.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct OrderlessIn {
    pub c: i32,
    // Fields that are rare, or have names that no field of a struct has: ``.
    #[serde(flatten)]
    pub rest: Document,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub d: Option<i32>,
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
    // Equals `email` of the document of `colleagues` that `customer` leads to: a copy, which is no reference.
    // `#[denorm(from = ..)]` makes it follow its source.
    #[serde(rename = "colleagueEmail")]
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

/// The 3 documents of `ring`, all of which were looked at.
/// It is capped: the oldest documents make room for new ones, and the server writes to it in no transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "ring")]
pub struct Ring {
    #[serde(rename = "_id")]
    pub id: Id<Ring, i32>,
    pub n: i32,
}

/// Documents of `students_classes` whose `doc_type` is `class`; 5 were looked at.
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

/// Documents of `students_classes` whose `doc_type` is `student`; 5 were looked at.
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
    // The values are `_id` of `gaps` (1 of 1) and `_id` of `profiles` (1 of 1) and `_id` of `types` (1 of 1): nothing
    // tells which collection is meant, so no reference is declared.
    pub object_id: ObjectId,
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
    // The values are `_id` of `gaps` (1 of 1) and `_id` of `profiles` (1 of 1) and `_id` of `types` (1 of 1): nothing
    // tells which collection is meant, so no reference is declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rare_object_id: Option<ObjectId>,
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
    // Some fields are in fewer than 2 of 100 documents (`rare_double`, `rare_nan`, `rare_infinite`, `rare_minus_zero`,
    // `rare_string` ..): there may be others, which are kept here.
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
    // The values are `_id` of `gaps` (1 of 1) and `_id` of `profiles` (1 of 1) and `_id` of `types` (1 of 1): nothing
    // tells which collection is meant, so no reference is declared.
    pub object_id: ObjectId,
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
    // The values are `_id` of `gaps` (1 of 1) and `_id` of `profiles` (1 of 1) and `_id` of `types` (1 of 1): nothing
    // tells which collection is meant, so no reference is declared.
    pub object_id: ObjectId,
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

/// The 40 documents of `writers`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writers", has_many(books = "Book.editor"))]
pub struct Writer {
    #[serde(rename = "_id")]
    pub id: Id<Writer>,
}

/// A `DBRef`: a key, with the collection and maybe the database in which it is one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DbRef<K> {
    #[serde(rename = "$ref")]
    pub collection: String,
    #[serde(rename = "$id")]
    pub id: K,
    #[serde(rename = "$db", skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
}

// `empty` is left out: it has no documents.
// `empty_ring` is left out: it has no documents.
// It is capped: the oldest documents make room for new ones, and the server writes to it in no transaction.
// `nobody` is left out: it has no documents.
// db.nobody.createIndex({ a: 1, b: -1 }, { name: "a_1_b_-1", unique: true })
// db.nobody.createIndex({ t: "text" }, { name: "t" })
// `shown` is a view of `ring`, which nobody can write to, and left out. It shows [{ $match: { n: { $gt: 1 } } }, {
// $project: { n: 1 } }].
