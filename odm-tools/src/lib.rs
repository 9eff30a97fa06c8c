//! Tools for [`mongo-odm`](mongo_odm): database surveys, advice, pictures of models, generated models, and the
//! operator's command.
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
//! | `bson-3` (default), `bson-2` | which BSON major the driver re-exports; with both, it is 3 |
//! | `rustls-tls` (default), `openssl-tls` | the driver's TLS |
//! | `cli` | the operator's command, `cli!`, and `write_models` |

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

/// Items that the expansion of `cli!` uses; not part of the public interface.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod __private {
    pub use crate::cli::command;
}

/// Surveys and advice, as methods on the database handle.
pub trait OdmTools {
    /// Returns a builder that reads samples from the whole database, with or without models.
    fn survey(&self) -> SurveyDatabase;

    /// Returns a builder that compares this database and the program's models with the six rules of thumb.
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
