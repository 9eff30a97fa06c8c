//! What is shown on a terminal while a command is at work.

use std::{fmt, time::Duration};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use mongo_odm::WalkProgress;

/// A line on standard error, which is gone at the end; nothing where that is no terminal.
#[derive(Debug)]
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Shows what is being done, and for how long.
    pub(super) fn of(what: &str) -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Returns a function that shows how many documents of so many are done, how many a second, and how long the rest
    /// takes.
    pub(super) fn reached(&self) -> impl Fn(WalkProgress) + Send + Sync + 'static {
        let bar = self.0.clone();
        move |WalkProgress { documents, of, .. }| {
            if bar.length() != Some(of) {
                bar.set_style(through());
                bar.set_length(of);
            }
            bar.set_position(documents);
        }
    }
}

/// The style of a line with an end.
fn through() -> ProgressStyle {
    let template = "{spinner} {msg} {wide_bar} {human_pos}/{human_len}, {rate}, {eta} left";
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = write!(out, "{:.0}/s", state.per_sec());
    })
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
