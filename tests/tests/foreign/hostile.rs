//! A database with all kinds of unusual documents.

mod doubtful;

use mongo_odm::{
    bson::{
        Binary, Bson, DateTime, Decimal128, Document, JavaScriptCodeWithScope, Regex, Timestamp,
        Uuid, doc, oid::ObjectId, spec::BinarySubtype,
    },
    mongodb::Database,
};

/// An `ObjectId` that is the same in every run.
pub(crate) fn oid(number: u32) -> ObjectId {
    let mut bytes = [0; 12];
    bytes[8..].copy_from_slice(&number.to_be_bytes());
    ObjectId::from_bytes(bytes)
}

fn uuid(number: u8) -> Bson {
    Uuid::from_bytes([number; 16]).into()
}

async fn insert(
    database: &Database,
    collection: &str,
    documents: impl IntoIterator<Item = Document>,
) {
    let collection = database.collection(collection);
    collection.insert_many(documents).await.unwrap();
}

/// Stores the hostile database.
pub(crate) async fn store(database: &Database) {
    // Before the documents, because the testkit does not shard a collection that is created with a unique index.
    indexes(database).await;
    insert(database, "Odd Names", odd_names()).await;
    insert(database, "mixed", mixed()).await;
    insert(database, "gaps", gaps()).await;
    insert(database, "types", types()).await;
    insert(database, "maps", maps()).await;
    insert(
        database,
        "options",
        [doc! { "_id": 1, "string": "x", "vec": [doc! { "box": 1 }] }],
    )
    .await;
    insert(database, "user", [doc! { "_id": 1_i64 }]).await;
    insert(database, "users", [doc! { "_id": 1.5, "user": 1_i64 }]).await;
    insert(database, "deep", [deep(40)]).await;
    insert(
        database,
        "wide",
        [(0..150)
            .map(|n| (format!("f{n}"), Bson::Int32(n)))
            .collect::<Document>()]
        .map(|mut it| {
            it.insert("_id", oid(1));
            it
        }),
    )
    .await;
    insert(database, "students_classes", kinds()).await;
    references(database).await;
    doubtful::store(database).await;
    let empty = doc! { "create": "empty" };
    database.run_command(empty).await.unwrap();
}

fn odd_names() -> Vec<Document> {
    let names = [
        "id", "ID", "type", "self", "Self", "1st", "größe", "a b", "a_b", "rest", "$dollar",
        "dot.ted", "", "__v", "🦀",
    ];
    let odd: Document = names
        .iter()
        .map(|name| ((*name).to_owned(), Bson::from(*name)))
        .collect();
    let mut first = odd.clone();
    first.insert("_id", oid(1));
    first.insert("inner", odd.clone());
    first.insert("only", doc! { "$a": 1, "b.c": 2 });
    vec![first, doc! { "_id": oid(2), "inner": odd, "only": {} }]
}

fn every_type() -> Vec<(&'static str, Bson)> {
    vec![
        ("double", 1.5.into()),
        ("nan", f64::NAN.into()),
        ("infinite", f64::INFINITY.into()),
        ("minus_zero", (-0.0).into()),
        ("string", "ä\u{1F980}\n\"quoted\"\\".into()),
        ("empty", "".into()),
        ("object", doc! { "a": 1 }.into()),
        ("array", vec![Bson::Int32(1)].into()),
        ("generic", binary(BinarySubtype::Generic)),
        ("old_uuid", binary(BinarySubtype::UuidOld)),
        ("own_subtype", binary(BinarySubtype::UserDefined(200))),
        ("uuid", uuid(7)),
        ("object_id", oid(3).into()),
        ("bool", true.into()),
        ("date", DateTime::from_millis(-1).into()),
        ("far_date", DateTime::from_millis(i64::MAX).into()),
        ("regex", Bson::RegularExpression(regex())),
        ("code", Bson::JavaScriptCode("f()".to_owned())),
        (
            "scoped",
            Bson::JavaScriptCodeWithScope(JavaScriptCodeWithScope {
                code: "f()".to_owned(),
                scope: doc! { "a": 1 },
            }),
        ),
        ("symbol", Bson::Symbol("s".to_owned())),
        ("int", i32::MIN.into()),
        (
            "timestamp",
            Bson::Timestamp(Timestamp {
                time: 4_000_000_000,
                increment: 7,
            }),
        ),
        ("long", i64::MAX.into()),
        ("small_long", 1_i64.into()),
        ("decimal", "1.50".parse::<Decimal128>().unwrap().into()),
        ("min_key", Bson::MinKey),
        ("max_key", Bson::MaxKey),
    ]
}

fn binary(subtype: BinarySubtype) -> Bson {
    Bson::Binary(Binary {
        subtype,
        bytes: vec![1; 16],
    })
}

fn regex() -> Regex {
    let document: Document =
        serde_json::from_str(r#"{"r": {"$regularExpression": {"pattern": "^a", "options": "i"}}}"#)
            .unwrap();
    match document.get("r") {
        Some(Bson::RegularExpression(regex)) => regex.clone(),
        other => panic!("{other:?}"),
    }
}

/// Documents with an id and one other field, for values of every type.
fn mixed() -> Vec<Document> {
    let mut documents: Vec<Document> = Vec::new();
    for ((name, value), number) in every_type().into_iter().zip(0..) {
        documents.push(doc! { "_id": number, "v": value.clone(), "in": { "v": value.clone() }, "all": [value, Bson::Null], "name": name });
    }
    documents.push(doc! { "_id": "text", "v": Bson::Null, "in": { "v": Bson::Null }, "all": [] });
    documents.push(doc! { "_id": { "a": 1, "b": 2 }, "in": {} });
    documents
}

/// Fields that are missing, null or have a value, in all combinations.
fn gaps() -> Vec<Document> {
    vec![
        doc! { "_id": oid(1), "some": 1, "nullable": 1, "both": 1, "list": ["a"], "nulls": [1, Bson::Null], "inner": { "a": 1 },
        "lists": [[1.5, 2.5], []], "items": [{ "a": 1, "b": Bson::Null }, { "b": 2 }, {}], "never": Bson::Null },
        doc! { "_id": oid(2), "nullable": Bson::Null, "both": Bson::Null, "list": [], "nulls": [], "inner": Bson::Null,
        "lists": [], "items": Bson::Null, "empty": {}, "nothing": [], "never": Bson::Null },
        doc! { "_id": oid(3), "nullable": 2, "list": Bson::Null, "nulls": [Bson::Null], "inner": { "a": Bson::Null, "b": [] },
        "lists": [[]], "items": [Bson::Null], "never": Bson::Null },
        doc! { "_id": oid(4), "nullable": 3, "nulls": [2], "lists": [[3.0]], "never": Bson::Null },
    ]
}

/// Values of every type in every document, also in an embedded struct, and the same fields in only one document.
fn types() -> Vec<Document> {
    let all: Document = every_type()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    let document = |number: u32| {
        let mut document = all.clone();
        document.insert("_id", oid(number));
        document.insert("inner", all.clone());
        document.insert("each", vec![Bson::Document(all.clone())]);
        if number == 77 {
            for (name, value) in all.clone() {
                document.insert(format!("rare_{name}"), value);
            }
        }
        if number.is_multiple_of(2) {
            document.insert(
                "maybe",
                if number.is_multiple_of(4) {
                    Bson::Null
                } else {
                    uuid(3)
                },
            );
        }
        document
    };
    (0..120).map(document).collect()
}

fn maps() -> Vec<Document> {
    vec![
        doc! { "_id": oid(1), "days": { "2024-05-01": { "n": 1 }, "2024-05-02": { "n": 2, "m": "x" } }, "by_id": { "1": 1, "2": Bson::Null },
        "nested": { "1": { "2": [1] } } },
        doc! { "_id": oid(2), "days": {}, "by_id": {}, "nested": {} },
    ]
}

fn deep(levels: usize) -> Document {
    let inner = (0..levels).fold(Bson::Int32(1), |inner, _| doc! { "d": inner }.into());
    doc! { "_id": oid(1), "d": inner }
}

fn kinds() -> Vec<Document> {
    let classes = (0..5).map(|n| doc! { "_id": format!("C{n}"), "doc_type": "class", "class_name": "x", "links": [{ "target": "S1" }] });
    let students = (0..5).map(|n| doc! { "_id": format!("S{n}"), "doc_type": "student", "name": format!("n{n}"), "class_id": format!("C{n}") });
    classes.chain(students).collect()
}

/// References with all kinds of keys.
async fn references(database: &Database) {
    let people = (0..40_u8).map(|n| {
        doc! { "_id": uuid(n), "email": format!("p{n}@example.org"), "boss": uuid(n / 2), "status": if n % 3 == 0 { "on leave" } else { "active" } }
    });
    insert(database, "colleagues", people).await;
    let products = (0..40).map(
        |n| doc! { "_id": oid(1_000 + n), "sku": format!("sku-{n}"), "price": f64::from(n) + 0.5 },
    );
    insert(database, "articles", products).await;
    let orders = (0..40_u32).map(|n| {
        let lines: Vec<Document> = (0..=n % 5).map(|line| doc! { "product": oid(1_000 + (n + line) % 40), "qty": 1 }).collect();
        let watchers: Vec<Bson> = (0..n % 3).map(|it| uuid(u8::try_from(it).unwrap())).collect();
        let mut order = doc! {
            "_id": i64::from(n) + 5_000_000_000, "customer": uuid(u8::try_from(n).unwrap()), "lines": lines, "watchers": watchers,
            "colleagueEmail": format!("p{n}@example.org"), "placed": DateTime::from_millis(i64::from(n)), "place": [1.0, 2.0],
        };
        if n == 5 {
            order.insert("ships_to", Bson::Null);
        } else if n % 2 == 0 {
            order.insert("ships_to", uuid(1));
        }
        order
    });
    insert(database, "orders", orders).await;
    let profiles =
        (0..40_u8).map(|n| doc! { "_id": oid(u32::from(n)), "colleague": uuid(n), "bio": "x" });
    insert(database, "profiles", profiles).await;
}

/// Indexes of all kinds.
async fn indexes(database: &Database) {
    let create = |collection: &str, indexes: Vec<Document>| {
        let indexes = indexes.into_iter().zip(0..).map(|(mut index, n)| {
            if !index.contains_key("name") {
                index.insert("name", format!("i{n}"));
            }
            index
        });
        let indexes: Vec<Document> = indexes.collect();
        database.run_command(doc! { "createIndexes": collection, "indexes": indexes })
    };
    let orders = vec![
        doc! { "key": { "customer": 1, "placed": -1 }, "name": "customer_1_placed_-1" },
        doc! { "key": { "customer": 1 }, "name": "customer_1" },
        doc! { "key": { "placed": 1 }, "expireAfterSeconds": 100_000_000 },
        doc! { "key": { "place": "2dsphere" } },
        doc! { "key": { "lines.product": 1, "lines.qty": -1 }, "sparse": true },
        doc! { "key": { "colleagueEmail": "hashed" } },
        doc! { "key": { "colleagueEmail": 1 }, "collation": { "locale": "en", "strength": 2 } },
        doc! { "key": { "colleagueEmail": -1 }, "collation": { "locale": "en", "numericOrdering": true } },
        doc! { "key": { "lines.qty": 1 }, "partialFilterExpression": { "lines.qty": { "$gt": 3 }, "colleagueEmail": "\"#" } },
        doc! { "key": { "$**": 1 } },
        doc! { "key": { "nobody.knows": 1 } },
    ];
    create("orders", orders).await.unwrap();
    let people = vec![
        doc! { "key": { "email": 1 }, "unique": true, "name": "email_1" },
        doc! { "key": { "status": "text", "email": "text" } },
    ];
    create("colleagues", people).await.unwrap();
    create(
        "profiles",
        vec![doc! { "key": { "colleague": 1 }, "unique": true, "name": "colleague_1" }],
    )
    .await
    .unwrap();
    let kinds = vec![
        doc! { "key": { "name": 1 }, "unique": true, "partialFilterExpression": { "doc_type": "student" } },
        doc! { "key": { "doc_type": 1 }, "name": "doc_type_1" },
        doc! { "key": { "class_name": 1 }, "name": "class_name_1" },
    ];
    create("students_classes", kinds).await.unwrap();
    create(
        "Odd Names",
        vec![doc! { "key": { "inner.type": 1, "a b": -1 } }],
    )
    .await
    .unwrap();
}
