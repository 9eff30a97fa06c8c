//! Surveys a database: reports the contents of its documents and the references between its collections. A survey works
//! without models.
//!
//! | module | content |
//! |---|---|
//! | [`builder`] | the public builder |
//! | [`report`] | the results of a survey |
//! | [`read`] | the statements for one collection |
//! | [`sample`], [`spread`] | select the documents of a sample |
//! | [`tree`], [`fields`] | statistics about the values at each path |
//! | [`tally`] | counts of values, lengths and sizes |
//! | [`maps`] | documents that use values as field names |
//! | [`misfits`] | documents that cannot be decoded as the models of their collection |
//! | [`references`], [`names`], [`dbrefs`] | values that are keys of another collection |
//! | [`evidence`] | decides between several target collections |
//! | [`copies`] | values that are copies of a field, not references |
//! | [`slim`] | the part of a sample that is kept in memory until all collections have been read |

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
pub(crate) use sample::{FIRST_ALONE, Sampling, sample_size};
pub(crate) use slim::slim_documents;
