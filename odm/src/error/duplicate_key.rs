//! Errors that a unique index causes. The values of the duplicate key are read from the server's reply. If the driver
//! keeps only the message, the values are parsed from the message.

use mongodb::{
    bson::{Bson, Document, RawDocument, Uuid, oid::ObjectId},
    error::Error as DriverError,
};

use super::{Error, server_error::server_errors};

const DUPLICATE_KEY: i32 = 11000;

/// Converts a driver error that a unique index caused. Returns `None` for other errors.
pub(super) fn duplicate_key(error: &DriverError) -> Option<Error> {
    let server_errors = server_errors(error);
    let server_error = server_errors.iter().find(|it| it.code == DUPLICATE_KEY)?;
    let parsed = DuplicateMessage::read(server_error.message);
    let reply = error.server_response();
    let fields = reply.and_then(|reply| key_value(reply));
    Some(Error::DuplicateKey {
        model: None,
        collection: parsed.collection.to_owned(),
        index: parsed.index.to_owned(),
        fields: Box::new(fields.unwrap_or_else(|| fields_of(parsed.key))),
        deleted: false,
        other_tenant: false,
        source: Box::new(error.clone()),
    })
}

/// Returns the values of the duplicate key from a reply. The values are in the error of the command or in the error
/// of a write.
fn key_value(reply: &RawDocument) -> Option<Document> {
    let values = |error: &RawDocument| {
        let values = error.get_document("keyValue").ok()?;
        Document::try_from(values).ok()
    };
    values(reply).or_else(|| {
        let writes = reply.get_array("writeErrors").ok()?.into_iter();
        let mut writes = writes.filter_map(|write| write.ok()?.as_document());
        writes.find_map(values)
    })
}

/// The parts of the server's message `E11000 duplicate key error collection: shop.parts index: partno_1 dup key: {
/// partno: "P1" }`.
#[derive(Debug, PartialEq)]
struct DuplicateMessage<'a> {
    collection: &'a str,
    index: &'a str,
    key: &'a str,
}

impl<'a> DuplicateMessage<'a> {
    fn read(message: &'a str) -> Self {
        let after = |start: &str, text: &'a str| text.split_once(start).map_or("", |(_, it)| it);
        let until = |end: &str, text: &'a str| text.split_once(end).map_or(text, |(it, _)| it);
        let head = until(" dup key: ", message);
        let namespace = until(" index: ", after("collection: ", head));
        let index = after(" index: ", head);
        // The message about the key of a clustered collection does not name an index.
        let index = if index.is_empty() { "_id_" } else { index };
        Self {
            collection: after(".", namespace),
            index: until(" collation: ", index),
            key: after(" dup key: ", message),
        }
    }
}

/// Parses the fields and values in a text such as `{ partno: "P1", qty: 2 }`.
fn fields_of(text: &str) -> Document {
    let mut fields = Document::new();
    let mut rest = text.trim().trim_start_matches('{');
    while let Some((name, value)) = rest.split_once(": ") {
        let end = end_of(value);
        let (value, more) = value.split_at(end);
        fields.insert(name.trim(), value_of(value));
        rest = more.trim_start_matches(',');
    }
    fields
}

/// Returns the position at which a value ends: the first comma or brace outside brackets and quoted strings. The server
/// does not escape quotes. So a string ends at the first quote that is followed by a comma or by the last brace.
fn end_of(value: &str) -> usize {
    let mut depth = 0_usize;
    let mut in_text = false;
    for (at, c) in value.char_indices() {
        let rest = value.get(at + 1..).unwrap_or_default();
        match c {
            '"' if !in_text => in_text = true,
            '"' => in_text = !(rest.starts_with([',', ')']) || rest.starts_with(" }")),
            _ if in_text => {}
            '{' | '[' | '(' => depth += 1,
            ',' if depth == 0 => return at,
            '}' if depth == 0 => return value.get(..at).map_or(at, |it| it.trim_end().len()),
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    value.len()
}

/// Parses a value in the server's notation. A value in any other notation is returned as a string.
fn value_of(text: &str) -> Bson {
    let inside = |start: &str, end: &str| text.strip_prefix(start)?.strip_suffix(end);
    let read = match text {
        "null" => Some(Bson::Null),
        "true" => Some(true.into()),
        "false" => Some(false.into()),
        _ => inside("\"", "\"")
            .map(Bson::from)
            .or_else(|| {
                inside("ObjectId('", "')")?
                    .parse::<ObjectId>()
                    .ok()
                    .map(Bson::from)
            })
            .or_else(|| inside("UUID(\"", "\")").and_then(uuid))
            .or_else(|| inside("new Date(", ")").and_then(date))
            .or_else(|| number(text)),
    };
    read.unwrap_or_else(|| Bson::from(text))
}

fn uuid(text: &str) -> Option<Bson> {
    Uuid::parse_str(text).ok().map(Bson::from)
}

fn date(millis: &str) -> Option<Bson> {
    let millis = millis.parse().ok()?;
    Some(mongodb::bson::DateTime::from_millis(millis).into())
}

fn number(text: &str) -> Option<Bson> {
    let int = text.parse().ok().map(Bson::Int32);
    let int = int.or_else(|| text.parse().ok().map(Bson::Int64));
    int.or_else(|| text.parse().ok().map(Bson::Double))
}
