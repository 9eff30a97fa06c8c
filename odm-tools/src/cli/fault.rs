//! Reports panics as errors of the command.
//!
//! A panic is recorded instead of printed, because its message may contain a part of a password.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    panic::PanicHookInfo,
    sync::Mutex,
};

use super::failure::{Exit, Failure};

/// The message of the first panic in this process.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Installs a hook that records the first panic instead of printing it. So the user does not see panics that occur in
/// the driver's own tasks after the command has ended.
pub(super) fn note() {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut first) = FIRST.lock() {
            first.get_or_insert_with(|| told(panic));
        }
    }));
}

/// Returns the message and the location of a panic, and the backtrace if backtraces are enabled.
fn told(panic: &PanicHookInfo<'_>) -> String {
    let place = panic.location().map(ToString::to_string);
    let payload = panic.payload();
    let words = payload.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| payload.downcast_ref::<&str>().copied());
    let reason = words.unwrap_or("no reason");
    let mut text = format!("{reason} ({})", place.unwrap_or_default());
    let trace = Backtrace::capture();
    if trace.status() == BacktraceStatus::Captured {
        text = format!("{text}\n{trace}");
    }
    text
}

/// Returns the error for a command that has panicked. The message of the panic is omitted if it may contain a secret.
pub(super) fn failure(is_harmless: impl FnOnce(&str) -> bool) -> Failure {
    let what = FIRST.lock().ok().and_then(|mut first| first.take());
    let what = what.filter(|text| is_harmless(text));
    let what = what.map_or(String::new(), |what| format!(": {what}"));
    Failure::new(
        Exit::Failed,
        format!("the command failed because of a bug in this program, not in the database{what}"),
    )
}
