//! What is kept of a sample until the samples of all other collections are there.

use mongodb::bson::{Bson, Document};

/// How many documents are kept, how many fields of each document, how many elements of each array, and how deep.
const DOCUMENTS: usize = 300;
const FIELDS: usize = 60;
const ELEMENTS: usize = 5;
const DEEPEST: usize = 4;

/// The longest text that is kept.
const LETTERS: usize = 100;

/// Keeps ids and other small values, and where they stand.
pub(super) fn documents(sample: Vec<Document>) -> Vec<Document> {
    let some = sample.into_iter().take(DOCUMENTS);
    some.map(|document| slim(document, 1)).collect()
}

fn slim(document: Document, depth: usize) -> Document {
    let small = document
        .into_iter()
        .filter_map(|(name, value)| Some((name, slim_value(value, depth)?)));
    small.take(FIELDS).collect()
}

fn slim_value(value: Bson, depth: usize) -> Option<Bson> {
    match value {
        Bson::Document(inner) => (depth < DEEPEST).then(|| slim(inner, depth + 1).into()),
        Bson::Array(items) if depth < DEEPEST => {
            let items = items.into_iter().filter(|it| it.as_document().is_some());
            let items = items.take(ELEMENTS);
            let items = items.filter_map(|item| slim_value(item, depth));
            Some(Bson::Array(items.collect()))
        }
        Bson::String(text) if text.len() > LETTERS => None,
        Bson::String(_)
        | Bson::Int32(_)
        | Bson::Int64(_)
        | Bson::Double(_)
        | Bson::Decimal128(_)
        | Bson::DateTime(_)
        | Bson::ObjectId(_) => Some(value),
        Bson::Binary(ref binary) => (binary.bytes.len() <= LETTERS).then_some(value),
        _ => None,
    }
}
