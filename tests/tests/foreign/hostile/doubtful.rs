//! Ambiguous data: keys of several collections, values that look like keys, and unusual kinds of collections.

use mongo_odm::{
    bson::{Bson, DateTime, Document, doc, oid::ObjectId},
    mongodb::Database,
};

use super::{insert, oid};

pub(super) async fn store(database: &Database) {
    shared_keys(database).await;
    insert(database, "letters", (0..40).map(letter)).await;
    insert(database, "counts", counts()).await;
    insert(database, "orderless", orderless()).await;
    insert(database, "größe", [unicode()]).await;
    insert(database, "mixtures", (0..60).map(mixture)).await;
    odd_collections(database).await;
}

fn person(number: u32) -> ObjectId {
    oid(2_000 + number)
}

/// Half of the writers are also authors with the same ids.
async fn shared_keys(database: &Database) {
    let people = |many: u32| (0..many).map(|n| doc! { "_id": person(n) });
    insert(database, "writers", people(40)).await;
    insert(database, "authors", people(20)).await;
    let books = (0..40_u32).map(|n| {
        doc! {
            "_id": i64::from(n), "author": person(n % 20), "maker": person(n % 20), "editor": person(n),
            "made": { "by": person(n % 20), "author": { "id": person(n % 20) } },
            "readers": [person(n % 20), person((n + 1) % 20)], "places": { "1": { "who": person(n) } },
        }
    });
    insert(database, "books", books).await;
}

fn letter(number: u32) -> Document {
    let to = |collection: &str| doc! { "$ref": collection, "$id": person(number % 20) };
    let mut elsewhere = to("writers");
    elsewhere.insert("$db", "archive");
    let mut more = to("writers");
    more.insert("note", "x");
    let both = to(if number.is_multiple_of(2) {
        "writers"
    } else {
        "authors"
    });
    let mut letter = doc! {
        "_id": i64::from(number), "to": to("authors"), "cc": vec![to("writers"); number as usize % 3],
        "from": elsewhere, "both": both, "more": more, "number": { "$ref": "user", "$id": 1_i64 },
    };
    if number.is_multiple_of(2) {
        letter.insert("reply_to", to("writers"));
    }
    letter
}

/// Field names that are values, in sorted and in unsorted order.
fn counts() -> Vec<Document> {
    vec![
        doc! {
            "_id": 1, "sorted": { "2024-01-01": 1, "2024-01-02": 2 }, "latest": { "2024-01-02": 1, "2024-01-01": 2 },
            "days": { "2024-01-02": { "n": 1 }, "2024-01-01": { "n": 2 } }, "nested": { "2": { "1": 1 }, "1": { "1": 1 } },
        },
        doc! { "_id": 2, "sorted": {}, "latest": {}, "days": {}, "nested": {} },
    ]
}

/// Names that no Rust field can have between other fields, and fields whose order differs between documents.
fn orderless() -> Vec<Document> {
    vec![
        doc! { "_id": 1, "a": 1, "": 2, "x.y": 3, "b": 4, "in": { "c": 1, "": 1, "d": 1 } },
        doc! { "_id": 2, "b": 1, "a": 1, "in": { "c": 1 } },
        doc! { "_id": 3, "a": 1, "b": 1, "in": { "d": 1, "c": 1 } },
    ]
}

fn unicode() -> Document {
    let names = [
        "straße",
        "名前",
        "эмодзи",
        "😀",
        "😀😀",
        "ﬁ",
        "é",
        "e\u{301}",
        "１",
        "²",
        "ª",
        "\u{200c}",
        "\u{202e}",
        "a\u{202e}b",
    ];
    let mut document = doc! { "_id": 1 };
    for name in names {
        document.insert(name, name);
    }
    document.insert("日\u{202e}本", doc! { "語": 1, "\u{202e}": 2 });
    document
}

/// Values of several types, and strings that represent values of other types.
fn mixture(number: i32) -> Document {
    let odd = number % 2 == 1;
    let pick = |one: Bson, other: Bson| if odd { one } else { other };
    let states = ["NEW", "A_B_C", "in progress", "Other", "self"];
    let state = states[usize::try_from(number).unwrap() % states.len()];
    doc! {
        "_id": number, "whole": pick(number.into(), i64::from(number).into()),
        "price": pick(number.into(), (f64::from(number) + 0.5).into()),
        "size": pick(number.into(), "large".into()),
        "when": pick(DateTime::from_millis(number.into()).into(), "2024-05-01".into()),
        "codes": [number, "x"], "day": format!("2024-05-{:02}", number % 28 + 1), "at": format!("2024-05-01T10:{number:02}:00Z"),
        "us_day": format!("05/{:02}/2024", number % 28 + 1), "owner": person(0).to_hex(),
        "latitude": format!("{number}.25"), "zip": format!("0{number:04}"), "state": state,
    }
}

async fn odd_collections(database: &Database) {
    let run = |command: Document| async move {
        database.run_command(command).await.unwrap();
    };
    // The indexes create the collection. So the testkit does not shard it, because it is created with a unique index.
    let indexes = [
        doc! { "key": { "a": 1, "b": -1 }, "name": "a_1_b_-1", "unique": true },
        doc! { "key": { "t": "text" }, "name": "t" },
    ];
    run(doc! { "createIndexes": "nobody", "indexes": indexes.to_vec() }).await;
    run(doc! { "create": "ring", "capped": true, "size": 1 << 20 }).await;
    insert(database, "ring", (0..3).map(|n| doc! { "_id": n, "n": n })).await;
    run(doc! { "create": "empty_ring", "capped": true, "size": 1 << 20 }).await;
    let by = doc! { "timeField": "at", "metaField": "of" };
    run(doc! { "create": "measured", "timeseries": by }).await;
    let measured = (0..3_u32).map(|n| {
        doc! { "_id": oid(n), "at": DateTime::from_millis(n.into()), "of": "a" }
    });
    insert(database, "measured", measured).await;
    let pipeline = [
        doc! { "$match": { "n": { "$gt": 1 } } },
        doc! { "$project": { "n": 1 } },
    ];
    run(doc! { "create": "shown", "viewOn": "ring", "pipeline": pipeline.to_vec() }).await;
}
