//! Shows the progress of a command on a terminal.

use std::{fmt, time::Duration};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use mongo_odm::WalkProgress;

/// A line on standard error that shows the progress, and is removed when the task ends. Nothing is shown if standard
/// error is not a terminal.
#[derive(Debug)]
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// Shows the name of a task and how long it has been running.
    pub(super) fn of(what: &str) -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Returns a function that updates the displayed number of processed documents, the total, the rate and the
    /// remaining time.
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

/// Returns the style of the progress bar for a task that has a known total.
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
