//! Panics as errors of the command.
//!
//! A panic is recorded, not printed, because its message may contain a part of a password.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    panic::PanicHookInfo,
    sync::Mutex,
};

use super::failure::{Exit, Failure};

/// The first panic of this process.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Notes panics instead of printing them. The driver has tasks of its own, and one that panics since the command is over and its
/// runtime gone is nobody's concern.
pub(super) fn note() {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut first) = FIRST.lock() {
            first.get_or_insert_with(|| told(panic));
        }
    }));
}

/// Says where it was, and the trace if the environment asks for one.
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

/// Makes the error of a command that has panicked.
pub(super) fn failure(is_harmless: impl FnOnce(&str) -> bool) -> Failure {
    let what = FIRST.lock().ok().and_then(|mut first| first.take());
    let what = what.filter(|text| is_harmless(text));
    let what = what.map_or(String::new(), |what| format!(": {what}"));
    Failure::new(
        Exit::Failed,
        format!("the command ended by a fault of this program, and not of the database{what}"),
    )
}
