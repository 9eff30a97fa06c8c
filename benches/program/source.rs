//! Generates the programs. There is a template for each model or for each pair of models, and a `main` that calls them
//! all.

use std::{
    fmt::{self, Write as _},
    path::{Path, PathBuf},
};

use odm_benches::{Result, krate::krate};

/// The calls that a program makes with its models.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Workload {
    pub(crate) title: &'static str,
    name: &'static str,
    /// Number of models in a template.
    models: usize,
    library: &'static str,
    hand: &'static str,
}

/// Each model is used for an insert, a find by a filter, an update, a load, a join and a delete. A model has a
/// reference, children, a copy and an embedded struct.
pub(crate) const FEW_CALLS: Workload = Workload {
    title: "six calls",
    name: "few_calls",
    models: 1,
    library: include_str!("few_calls/library.rs.in"),
    hand: include_str!("few_calls/hand.rs.in"),
};

/// Each pair of models is used for all usual calls, once or twice each, including a projection and a stream.
pub(crate) const MANY_CALLS: Workload = Workload {
    title: "all calls",
    name: "many_calls",
    models: 2,
    library: include_str!("many_calls/library.rs.in"),
    hand: include_str!("many_calls/hand.rs.in"),
};

/// The crates that a program uses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Library,
    Hand,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Library => "the library",
            Self::Hand => "by hand",
        })
    }
}

/// A generated program in a folder.
pub(crate) struct Program {
    pub(crate) workload: Workload,
    pub(crate) models: usize,
    pub(crate) side: Side,
    pub(crate) name: String,
    pub(crate) krate: PathBuf,
}

impl Program {
    /// Writes a program to a folder.
    pub(crate) fn written(
        folder: &Path,
        workload: Workload,
        models: usize,
        side: Side,
    ) -> Result<Self> {
        let name = match side {
            Side::Library => format!("{}_{models}_library", workload.name),
            Side::Hand => format!("{}_{models}_hand", workload.name),
        };
        let source = source(workload, models, side)?;
        let krate = krate(folder, &name, ("src/main.rs", &source))?;
        Ok(Self {
            workload,
            models,
            side,
            name,
            krate,
        })
    }

    pub(crate) fn is(&self, workload: Workload, models: usize, side: Side) -> bool {
        self.workload == workload && self.models == models && self.side == side
    }
}

/// Fills the template for each part of the program. The parts form a ring, so that models can refer to one another.
fn source(workload: Workload, models: usize, side: Side) -> Result<String> {
    let (template, connect) = match side {
        Side::Library => (workload.library, "mongo_odm::Odm::connect(&uri).await?"),
        Side::Hand => (
            workload.hand,
            "mongo_odm::mongodb::Client::with_uri_str(&uri).await?.database(\"test\")",
        ),
    };
    let parts = models / workload.models;
    let (mut modules, mut calls) = (String::new(), String::new());
    for number in 0..parts {
        let (next, last) = ((number + 1) % parts, (number + parts - 1) % parts);
        let module = template.replace("THIS", &number.to_string());
        let module = module.replace("NEXT", &next.to_string());
        modules += &module.replace("LAST", &last.to_string());
        writeln!(modules, "pub use model_{number}::*;")?;
        writeln!(calls, "    sum += model_{number}::work(&database).await?;")?;
    }
    let main = format!(
        "#![allow(dead_code, unused_imports, unused_mut, ambiguous_glob_reexports)]\n\
         #[tokio::main]\nasync fn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
         let uri = std::env::args().nth(1).unwrap_or_default();\n    \
         let database = {connect};\n    let mut sum = 0_usize;\n{calls}    \
         drop(database);\n    println!(\"{{sum}}\");\n    Ok(())\n}}\n"
    );
    Ok(main + &modules)
}
