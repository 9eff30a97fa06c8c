//! The commands that a test has sent, in the form in which tests compare them.

use mongo_odm::bson::{Bson, Document};

use crate::Harness;

/// Returns the commands with the given name, in the order in which they were sent.
pub fn commands(t: &Harness, name: &str) -> Vec<Document> {
    let all = t.recorder().commands().into_iter();
    all.filter(|sent| sent.name == name)
        .map(|sent| sent.command)
        .collect()
}

/// Returns the only command since the recorder was cleared.
///
/// # Panics
///
/// If other commands were sent, too.
pub fn only(t: &Harness, name: &str) -> Document {
    assert_eq!(t.recorder().names(), [name]);
    commands(t, name).remove(0)
}

/// Returns the keys in the filter of a `find`: the operands of `$in`, or the only key.
pub fn keys_of(find: &Document, path: &str) -> Vec<Bson> {
    let filter = find.get_document("filter").cloned().unwrap_or_default();
    let by_key = match filter
        .get_array("$and")
        .ok()
        .and_then(|clauses| clauses.first())
    {
        Some(Bson::Document(first)) => first.clone(),
        _ => filter,
    };
    match by_key.get(path) {
        Some(Bson::Document(operators)) if operators.contains_key("$in") => {
            operators.get_array("$in").cloned().unwrap_or_default()
        }
        Some(key) => vec![key.clone()],
        None => Vec::new(),
    }
}

/// Returns the first stored document that matches the filter.
///
/// # Panics
///
/// If no document matches.
pub async fn stored(t: &Harness, collection: &str, filter: Document) -> Document {
    let found = t.database().collection(collection).find_one(filter).await;
    found
        .unwrap_or_else(|error| panic!("{error}"))
        .unwrap_or_else(|| panic!("nothing is stored"))
}

/// Returns an integer field of a command, whether it is an `Int32` or an `Int64`.
pub fn number(command: &Document, name: &str) -> Option<i64> {
    match command.get(name)? {
        Bson::Int32(int) => Some(i64::from(*int)),
        Bson::Int64(int) => Some(*int),
        _ => None,
    }
}
