//! Documents that no program with the library would write. References and arrays contain values of any other type.

use mongo_odm::{
    Result,
    bson::{Bson, Document, Regex},
    prelude::*,
};

use crate::random::Random;

/// The value of every copy in these documents. It stays unchanged as long as the reference is dangling.
pub(crate) const UNTOUCHED: &str = "?";

/// The kinds of documents. `One` contains the collection, the name of the reference in it, and the name of the copy.
#[derive(Clone, Copy)]
pub(crate) enum Act {
    One(&'static str, &'static str, &'static str),
    Products,
}

pub(crate) const ACTS: [(u64, &str, Act); 7] = [
    (3, "vandalized", Act::One("logmsg", "host", "ipaddr")),
    (2, "vandalized", Act::One("posts", "blogger", "by")),
    (2, "vandalized", Act::One("comments", "post", "by")),
    (2, "vandalized", Act::One("likes", "comment", "by")),
    (2, "vandalized", Act::One("stickers", "blogger", "by")),
    (2, "vandalized", Act::One("scores", "game", "note")),
    (4, "vandalized", Act::Products),
];

/// Inserts such a document with the driver.
pub(crate) async fn perform(act: Act, odm: &Odm, random: &mut Random, _: &str) -> Result<u64> {
    let (collection, document) = match act {
        Act::One(collection, reference, copy) => {
            let document = doc! { "_id": ObjectId::new(), copy: UNTOUCHED };
            (collection, with(document, reference, odd_value(random)))
        }
        Act::Products => ("products", product(random)),
    };
    let collection = odm.database().collection::<Document>(collection);
    collection.insert_one(document).await?;
    Ok(1)
}

fn product(random: &mut Random) -> Document {
    let product = doc! { "_id": ObjectId::new(), "name": UNTOUCHED };
    let product = with(product, "catalog_number", odd_value(random));
    let line = with(doc! { "name": UNTOUCHED }, "id", odd_value(random));
    let parts = match random.below(4) {
        0 => odd_value(random),
        1 => odd_value(random).map(|value| vec![value].into()),
        2 => Some(line.into()),
        _ => Some(vec![Bson::from(line)].into()),
    };
    with(product, "parts", parts)
}

fn with(mut document: Document, field: &str, value: Option<Bson>) -> Document {
    document.extend(value.map(|value| (field.to_owned(), value)));
    document
}

/// Returns a value that is not a key of any document, or `None`: for example, a pattern or an operator that the server
/// would execute, a document or an array, or a value of a different type.
pub(crate) fn odd_value(random: &mut Random) -> Option<Bson> {
    Some(match random.below(14) {
        0 => doc! { "$gt": "" }.into(),
        1 => doc! { "$in": [Bson::Null] }.into(),
        2 => doc! { "$ne": 1, "a.b": 2 }.into(),
        3 => doc! { "a": Bson::Undefined }.into(),
        4 => Bson::Undefined,
        5 => pattern("."),
        6 => pattern("^4"),
        7 => Bson::Null,
        8 => "$$ROOT".into(),
        9 => 5.into(),
        10 => vec![Bson::from(vec![1, 2]), Bson::from("x")].into(),
        11 => Bson::MinKey,
        12 => true.into(),
        _ => return None,
    })
}

fn pattern(pattern: &str) -> Bson {
    Bson::RegularExpression(Regex {
        pattern: pattern.try_into().unwrap(),
        options: "".try_into().unwrap(),
    })
}
