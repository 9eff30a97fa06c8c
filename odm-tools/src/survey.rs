//! Looks at samples of a database, of which nothing is known: what its documents hold, and what refers to what.
//!
//! | module | what it does |
//! |---|---|
//! | [`builder`] | what a program calls |
//! | [`report`] | what a survey has found |
//! | [`read`] | what is asked of the server about one collection |
//! | [`sample`], [`spread`] | which documents are looked at |
//! | [`tree`], [`fields`] | what stands at each path of some documents |
//! | [`tally`] | counts of values, lengths and sizes |
//! | [`maps`] | documents whose names are values |
//! | [`misfits`] | documents that do not fit the models of their collection |
//! | [`references`], [`names`], [`dbrefs`] | values that are keys of another collection |
//! | [`evidence`] | which of several collections they lead to |
//! | [`copies`] | which of them are copies of a field, and lead nowhere |
//! | [`slim`] | what is kept of samples until those of all collections are there |

mod builder;
mod copies;
mod dbrefs;
mod evidence;
mod fields;
mod maps;
mod misfits;
mod names;
mod read;
mod references;
mod report;
mod sample;
mod slim;
mod spread;
mod tally;
mod tree;

pub use builder::SurveyDatabase;
pub(crate) use copies::EQUAL;
pub(crate) use evidence::is_sure;
#[cfg(any(test, feature = "cli"))]
pub(crate) use fields::fields;
pub(crate) use maps::is_value;
pub(crate) use misfits::misfits;
#[cfg(feature = "cli")]
pub(crate) use misfits::{Misfits, is_of};
#[cfg(feature = "cli")]
pub(crate) use names::is_mere_key;
pub(crate) use names::singular;
#[cfg(feature = "cli")]
pub(crate) use read::RawSample;
pub(crate) use read::read as survey_collection;
pub(crate) use references::find as find_references;
pub use report::{
    CollectionSurvey, CopySurvey, Lengths, PathStep, PathSurvey, ReferenceSurvey, Sizes, Survey,
    TargetSurvey, TypeSurvey, UndecidedSurvey, ViewSurvey,
};
#[cfg(feature = "cli")]
pub(crate) use sample::id_of;
pub(crate) use sample::{FIRST_ALONE, Sampling};
pub(crate) use slim::slim_documents;
