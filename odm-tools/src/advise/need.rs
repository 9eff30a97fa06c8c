//! The data that the checks need, and the reasons why some of it could not be read.

use std::collections::BTreeMap;

/// Data that a check needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Need {
    /// The models of the program.
    Models,
    /// The reply of `$collStats`.
    Size,
    /// The sampled documents.
    Sample,
    /// The reply of `listIndexes`.
    Indexes,
    /// The reply of `$indexStats`.
    IndexUse,
    /// The counters that this handle has collected.
    Counters,
    /// The entries of `system.profile`.
    Profile,
    /// The jobs and declarations that the library has stored.
    Jobs,
    /// The largest documents in the sample.
    Largest,
    /// The targets of the references in the sample.
    Targets,
    /// The reply of `listCollections`.
    Collections,
    /// The reply of `serverStatus`.
    Deployment,
    /// The shard keys and chunks in the database `config`.
    Sharding,
}

impl Need {
    /// Whether the data is read once for the whole database instead of once for each collection.
    pub(super) const fn is_of_database(self) -> bool {
        matches!(
            self,
            Self::Models
                | Self::Counters
                | Self::Profile
                | Self::Collections
                | Self::Deployment
                | Self::Sharding
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
            Self::Sharding => "the database `config`",
        }
    }
}

/// The data that could not be read, with the reasons.
pub(super) type Unread = BTreeMap<Need, String>;
