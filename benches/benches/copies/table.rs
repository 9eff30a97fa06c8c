//! The table: what was measured, its yardstick, and the limit.

use odm_benches::report::Ratio;

/// A limit of a ratio.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    AtMost(f64),
    AtLeast(f64),
    /// A figure to know, and no more.
    None,
}

#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) missed: Vec<String>,
    pub(crate) notes: Vec<String>,
}

impl Table {
    pub(crate) fn head() {
        println!("| workload | library | yardstick | ratio (quarters) | limit | |");
        println!("|---|---|---|---|---|---|");
    }

    pub(crate) fn row(
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

    pub(crate) fn line(
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
}
