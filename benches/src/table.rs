//! The table: what was measured, its yardstick, and the limit.

use crate::{Result, report::Ratio};

/// A limit of a ratio.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// It is at most this.
    AtMost(f64),
    /// It is at least this.
    AtLeast(f64),
    /// A figure to know, and no more.
    None,
}

/// The table of a benchmark, printed row by row.
#[derive(Debug, Default)]
pub struct Table {
    missed: Vec<String>,
    /// What is printed below the table.
    pub notes: Vec<String>,
}

impl Table {
    /// Prints the head.
    pub fn head() {
        println!("| workload | library | yardstick | ratio (quarters) | limit | |");
        println!("|---|---|---|---|---|---|");
    }

    /// Prints a row whose limit is one of its ratio.
    pub fn row(
        &mut self,
        workload: &str,
        library: &str,
        yardstick: &str,
        ratio: &Ratio,
        limit: Limit,
    ) {
        let (limit, holds) = match limit {
            Limit::AtMost(most) => (format!("<= {most:.2}"), Some(ratio.middle <= most)),
            Limit::AtLeast(least) => (format!(">= {least:.2}"), Some(ratio.middle >= least)),
            Limit::None => (String::new(), None),
        };
        self.line(
            [workload, library, yardstick, &ratio.to_string(), &limit],
            holds,
        );
    }

    /// Prints a row with the text of its limit, and whether that holds.
    pub fn line(
        &mut self,
        [workload, library, yardstick, ratio, limit]: [&str; 5],
        holds: Option<bool>,
    ) {
        let verdict = match holds {
            Some(true) => "PASS",
            Some(false) => "MISS",
            None => "",
        };
        if holds == Some(false) {
            self.missed.push(format!(
                "{workload}: {library} {ratio}, the limit is {limit}"
            ));
        }
        println!("| {workload} | {library} | {yardstick} | {ratio} | {limit} | {verdict} |");
    }
    /// Prints the notes and the missed limits.
    ///
    /// # Errors
    ///
    /// A missed limit, if that is to be one.
    pub fn finish(self, strict: bool) -> Result<()> {
        println!();
        for note in &self.notes {
            println!("- {note}");
        }
        println!(
            "\nmissed limits: {}",
            if self.missed.is_empty() { "none" } else { "" }
        );
        for miss in &self.missed {
            println!("- {miss}");
        }
        if strict && !self.missed.is_empty() {
            return Err("the library misses limits".into());
        }
        Ok(())
    }
}
