//! Data that checks need, and the reasons of failed reads.

use std::collections::BTreeMap;

/// Data that a check needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    /// The models of the program.
    Models,
    /// `$collStats`
    Size,
    /// The sample
    Sample,
    /// `listIndexes`
    Indexes,
    /// `$indexStats`
    IndexUse,
    /// The counters of this handle.
    Counters,
    /// `system.profile`
    Profile,
    /// The jobs and declarations of the library.
    Jobs,
    /// The largest documents of the sample.
    Largest,
    /// The targets of the references in the sample.
    Targets,
    /// `listCollections`
    Collections,
    /// `serverStatus`
    Deployment,
}

impl Need {
    /// Whether the data is read once for the database, not for each collection.
    pub(super) const fn is_of_database(self) -> bool {
        matches!(
            self,
            Self::Models | Self::Counters | Self::Profile | Self::Collections | Self::Deployment
        )
    }

    pub(super) const fn what(self) -> &'static str {
        match self {
            Self::Models => "the models",
            Self::Size => "`$collStats`",
            Self::Sample => "the sample",
            Self::Indexes => "`listIndexes`",
            Self::IndexUse => "`$indexStats`",
            Self::Counters => "the counters of this handle",
            Self::Profile => "`system.profile`",
            Self::Jobs => "the jobs and declarations",
            Self::Largest => "the largest documents",
            Self::Targets => "the targets of references",
            Self::Collections => "`listCollections`",
            Self::Deployment => "`serverStatus`",
        }
    }
}

/// Reasons of failed reads.
pub(super) type Unread = BTreeMap<Need, String>;
