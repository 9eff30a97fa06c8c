//! Tools for [`mongo-odm`](mongo_odm): database surveys, schema advice, diagrams of models, generated models, and a
//! command for operators.
//!
//! ```no_run
//! use mongo_odm_tools::OdmTools;
//!
//! # async fn example(odm: mongo_odm::Odm) -> mongo_odm::Result<()> {
//! // Findings with figures, by the six rules of thumb.
//! println!("{}", odm.advise().await?);
//! // Fields, indexes and references of a database without models.
//! for reference in odm.survey().await?.references {
//!     println!("{reference}");
//! }
//! # Ok(()) }
//! ```
//!
//! | item | contents |
//! |---|---|
//! | [`OdmTools`] | `odm.survey()` and `odm.advise()` |
//! | [`advise()`] | advice about a database without models |
//! | [`Pictures`] | `schema.svg()`, `schema.mermaid()` and `schema.dot()` |
#![cfg_attr(
    feature = "cli",
    doc = "| [`write_models`] | Rust models for the collections of a survey |"
)]
#![cfg_attr(
    feature = "cli",
    doc = "| [`cli!`] | the operator's command over the models of a program |"
)]
//!
//! # Features
//!
//! | feature | meaning |
//! |---|---|
//! | `bson-3` (default), `bson-2` | the major version of BSON that the driver re-exports; 3 if both features are enabled |
//! | `rustls-tls` (default), `openssl-tls` | the driver's TLS implementation |
//! | `cli` | the command for operators, `cli!`, and `write_models` |

mod advise;
mod calls;
#[cfg(feature = "cli")]
mod cli;
mod listed_collection;
mod numbers;
mod paths;
mod pictures;
mod progress;
#[cfg(feature = "cli")]
mod pull;
mod statements;
mod survey;

use mongo_odm::Odm;

pub use mongo_odm::link;

pub use advise::{
    Advice, AdviceSource, Advise, Finding, NotLookedAt, RuleOfThumb, Severity, Thresholds, advise,
};
pub use pictures::Pictures;
#[cfg(feature = "cli")]
pub use pull::write_models;
pub use survey::{
    CollectionSurvey, CopySurvey, Lengths, PathStep, PathSurvey, ReferenceSurvey, Sizes, Survey,
    SurveyDatabase, TargetSurvey, TypeSurvey, UndecidedSurvey, ViewSurvey,
};

/// Items that the expansion of `cli!` uses. The items are not part of the public API.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod __private {
    pub use crate::cli::command;
}

/// Adds surveys and advice as methods to the database handle.
pub trait OdmTools {
    /// Returns a builder for a survey, which reads samples from the collections of the database. A survey works without
    /// models.
    fn survey(&self) -> SurveyDatabase;

    /// Returns a builder that checks this database and the program's models against the six rules of thumb for schema
    /// design.
    fn advise(&self) -> Advise;
}

impl OdmTools for Odm {
    fn survey(&self) -> SurveyDatabase {
        SurveyDatabase::new(self)
    }

    fn advise(&self) -> Advise {
        Advise::with_models(self)
    }
}
