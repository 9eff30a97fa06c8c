//! Errors that end a command, and the exit codes.

use std::{io::Write, process::ExitCode};

use mongo_odm::{Error, ErrorKind};
use mongodb::error::ErrorKind as DriverKind;
use serde_json::json;

/// The exit code of a command. The codes are listed by `--help` and in the documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// The command succeeded.
    Fine = 0,
    /// The command succeeded and reported findings.
    Findings = 1,
    /// There is a mistake in the arguments, in the connection string or in the program.
    Usage = 2,
    /// The server cannot be reached.
    Away = 3,
    /// The server rejected a command, or another failure occurred.
    Failed = 4,
}

impl Exit {
    pub(super) fn code(self) -> ExitCode {
        ExitCode::from(self as u8)
    }

    /// Returns [`Self::Findings`] if there are findings, and [`Self::Fine`] otherwise.
    pub(super) const fn of(has_findings: bool) -> Self {
        if has_findings {
            Self::Findings
        } else {
            Self::Fine
        }
    }
}

/// The error that ends a command.
#[derive(Debug)]
pub(super) struct Failure {
    exit: Exit,
    message: String,
}

impl Failure {
    /// Creates a failure. Passwords in the message are removed.
    pub(super) fn new(exit: Exit, message: impl AsRef<str>) -> Self {
        Self {
            exit,
            message: without_passwords(message.as_ref()),
        }
    }

    pub(super) fn is_away(&self) -> bool {
        self.exit == Exit::Away
    }

    /// Appends a sentence to the message.
    pub(super) fn and(self, more: &str) -> Self {
        Self::new(self.exit, format!("{}; {more}", self.message))
    }

    /// Prints the message to standard error. With `--json`, also prints the message as JSON to standard output.
    pub(super) fn print(&self, is_json: bool) -> ExitCode {
        say(&format!("error: {}\n", self.message));
        if is_json {
            let error = json!({ "error": self.message, "exit": self.exit as u8 });
            let _ = writeln!(std::io::stdout(), "{error}");
        }
        self.exit.code()
    }
}

/// Writes a message to standard error. Does nothing if standard error is closed.
pub(super) fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let exit = match error.kind() {
            ErrorKind::Unreachable | ErrorKind::Timeout => Exit::Away,
            ErrorKind::Invalid | ErrorKind::Declaration => Exit::Usage,
            ErrorKind::IndexConflict => Exit::Findings,
            _ => Exit::Failed,
        };
        match remedy(&error) {
            Some(remedy) => Self::new(exit, format!("{error}; {remedy}")),
            None => Self::new(exit, error.to_string()),
        }
    }
}

/// Returns a remedy for errors about the database user or its rights.
fn remedy(error: &Error) -> Option<&'static str> {
    const UNAUTHORIZED: i32 = 13;
    const AUTHENTICATION_FAILED: i32 = 18;
    let is_of_user = || {
        let driver = error.driver().map(|driver| driver.kind.as_ref());
        matches!(driver, Some(DriverKind::Authentication { .. }))
    };
    match error.server_code() {
        Some(UNAUTHORIZED) => Some(
            "give the user of the connection string the role `readWrite` on this database (`read` for commands that \
             change nothing), or use another user",
        ),
        Some(AUTHENTICATION_FAILED) => Some(WRONG_USER),
        _ if is_of_user() => Some(WRONG_USER),
        _ => None,
    }
}

const WRONG_USER: &str = "check the user and the password in the connection string, with `%40` for an `@`, and the \
database with the user: `?authSource=admin`";

/// Replaces the text between `://` and `@` in a string. In a connection string, this text contains the user and the
/// password.
pub(super) fn without_passwords(text: &str) -> String {
    let mut safe = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        safe.push_str(before);
        safe.push_str("://");
        let end = after
            .find(|c: char| c.is_whitespace() || c == '\'')
            .unwrap_or(after.len());
        let (string, _) = after.split_at(end);
        // Only a password can contain additional `@`s, so the password ends at the last `@`.
        rest = match string.rfind('@') {
            Some(at) => {
                safe.push_str("***");
                after.get(at..).unwrap_or_default()
            }
            None => after,
        };
    }
    safe.push_str(rest);
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_in_no_text() {
        for (text, safe) in [
            ("mongodb://ann:s3cret@db/shop", "mongodb://***@db/shop"),
            (
                "no 'mongodb+srv://ann:p@ss@db' found\nat b@c",
                "no 'mongodb+srv://***@db' found\nat b@c",
            ),
            ("mongodb://db/shop and a@b", "mongodb://db/shop and a@b"),
            ("x://a:b@c y://d:e@f", "x://***@c y://***@f"),
        ] {
            assert_eq!(without_passwords(text), safe);
        }
    }
}
