//! Tools over the library: surveys of a database, advice, generated models, and the operator's command.
//!
//! No other house uses them.

pub(crate) mod advise;
mod calls;
#[cfg(feature = "cli")]
pub(crate) mod cli;
mod keys;
mod listed_collection;
mod numbers;
mod paths;
mod progress;
#[cfg(feature = "cli")]
pub(crate) mod pull;
mod statements;
pub(crate) mod survey;

use crate::Odm;
use advise::Advise;
use survey::SurveyDatabase;

/// Surveys and advice, as methods of the handle of a database.
pub trait OdmTools {
    /// Returns a builder that looks at samples of the whole database, with or without models.
    fn survey(&self) -> SurveyDatabase;

    /// Returns a builder that asks what the rules of thumb say of this database and of the models of the program.
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
