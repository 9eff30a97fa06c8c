//! The programs: a template for each model, or for each pair of models, and a `main` that calls them all.

use std::{
    fmt::{self, Write as _},
    path::{Path, PathBuf},
};

use odm_benches::{Result, krate::krate};

/// What a program does with its models.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Workload {
    pub(crate) title: &'static str,
    name: &'static str,
    /// How many models a template has.
    models: usize,
    library: &'static str,
    hand: &'static str,
}

/// With each model: an insert, a find by a filter, an update, a load, a join and a delete. Each has a reference,
/// children, a copy and an embedded struct.
pub(crate) const FEW_CALLS: Workload = Workload {
    title: "six calls",
    name: "few_calls",
    models: 1,
    library: include_str!("few_calls/library.rs.in"),
    hand: include_str!("few_calls/hand.rs.in"),
};

/// With each two models all usual calls, each once or twice, a projection and a stream as well.
pub(crate) const MANY_CALLS: Workload = Workload {
    title: "all calls",
    name: "many_calls",
    models: 2,
    library: include_str!("many_calls/library.rs.in"),
    hand: include_str!("many_calls/hand.rs.in"),
};

/// What a program is written with.
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

/// A program in a folder.
pub(crate) struct Program {
    pub(crate) workload: Workload,
    pub(crate) models: usize,
    pub(crate) side: Side,
    pub(crate) name: String,
    pub(crate) krate: PathBuf,
}

impl Program {
    /// Writes a program.
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

/// Fills the template for each part. Parts are in a ring, so that models can refer to one another.
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
