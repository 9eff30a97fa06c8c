//! Prints a table with measurements, the values that they are compared with, and limits.

use crate::{Result, report::Ratio};

/// The limit for a ratio.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// The ratio must not exceed this number.
    AtMost(f64),
    /// The ratio must not be below this number.
    AtLeast(f64),
    /// The ratio has no limit and is only printed.
    None,
}

/// The table of a benchmark, which is printed row by row.
#[derive(Debug, Default)]
pub struct Table {
    missed: Vec<String>,
    /// Notes that are printed below the table.
    pub notes: Vec<String>,
}

impl Table {
    /// Prints the header of the table.
    pub fn head() {
        println!("| workload | library | yardstick | ratio (quarters) | limit | |");
        println!("|---|---|---|---|---|---|");
    }

    /// Prints a row that has a limit for its ratio.
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

    /// Prints a row with the text of its limit, and whether the limit is met.
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
    /// An error if a limit was missed and `strict` is true.
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
