//! The output of a command: text, JSON and an exit code.
//!
//! A closed pipe, as in `| head`, is not an error. The output does not contain connection strings, so it is printed
//! unchanged.

use std::{
    io::{ErrorKind, Write},
    process::ExitCode,
};

use mongodb::bson::Bson;
use serde_json::{Value, json};

use super::failure::{Exit, say};

/// The output of a command, as text and as JSON, and its exit code.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) text: String,
    pub(super) json: Value,
    pub(super) exit: Exit,
}

impl Output {
    /// Prints the output. A closed pipe, as in `| head`, is not an error.
    pub(super) fn print(&self, is_json: bool) -> ExitCode {
        let text = self.written(is_json);
        let mut out = std::io::stdout().lock();
        match out
            .write_all(text.as_bytes())
            .and_then(|()| out.write_all(b"\n"))
            .and_then(|()| out.flush())
        {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                say(&format!("error: {error}\n"));
                Exit::Failed.code()
            }
            _ => self.exit.code(),
        }
    }
}

impl Output {
    fn written(&self, is_json: bool) -> String {
        if is_json {
            serde_json::to_string_pretty(&self.json).unwrap_or_default()
        } else {
            self.text.trim_end().to_owned()
        }
    }
}

/// Converts a value to extended JSON.
pub(super) fn json_of(value: &Bson) -> Value {
    serde_json::to_value(value).unwrap_or_else(|_| Value::String(value.to_string()))
}

/// Converts a value to extended JSON. Numbers are written in the canonical form, which shows their types.
pub(super) fn typed_json_of(value: &Bson) -> Value {
    match value {
        Bson::Int32(number) => json!({ "$numberInt": number.to_string() }),
        Bson::Int64(number) => json!({ "$numberLong": number.to_string() }),
        Bson::Double(number) if number.is_finite() => {
            json!({ "$numberDouble": format!("{number:?}") })
        }
        Bson::Array(items) => items.iter().map(typed_json_of).collect(),
        Bson::Document(document) => {
            let fields = document.iter();
            let fields = fields.map(|(name, value)| (name.clone(), typed_json_of(value)));
            Value::Object(fields.collect())
        }
        other => json_of(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_values_are_printed_unchanged() {
        let id = "https://social.example/@ann";
        let output = Output {
            text: format!("people {id}\n"),
            json: json!({ "_id": id }),
            exit: Exit::Fine,
        };
        assert_eq!(output.written(false), "people https://social.example/@ann");
        assert!(output.written(true).contains(id));
    }
}
