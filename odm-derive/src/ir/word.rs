//! Converts between enum variants and the words that represent them in attributes.

use super::{Derive, LinksForm, MaintainedKind, OnDelete, RollupKind};

impl Derive {
    /// Returns the name of the derived trait.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Model => "Model",
            Self::Embedded => "Embedded",
            Self::Projection => "Projection",
            Self::SingleCollection => "SingleCollection",
        }
    }

    /// Returns the name of the attribute that belongs to the derive.
    pub(crate) const fn attribute(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Embedded => "embedded",
            Self::Projection => "projection",
            Self::SingleCollection => "single_collection",
        }
    }
}

impl RollupKind {
    pub(crate) const ALL: [Self; 5] = [Self::Count, Self::Sum, Self::Average, Self::Min, Self::Max];

    /// Returns the option that declares this type of summary.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Sum => "sum",
            Self::Average => "average",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

impl MaintainedKind {
    /// The names of the attributes, each with the type of maintained field that it declares.
    pub(crate) const NAMED: [(&'static str, Self); 6] = [
        ("created_at", Self::CreatedAt),
        ("updated_at", Self::UpdatedAt),
        ("created_by", Self::CreatedBy),
        ("updated_by", Self::UpdatedBy),
        ("version", Self::Version),
        ("deleted_at", Self::DeletedAt),
    ];
}

impl OnDelete {
    pub(crate) const ALL: [(&'static str, Self); 5] = [
        ("keep", Self::Keep),
        ("restrict", Self::Restrict),
        ("cascade", Self::Cascade),
        ("nullify", Self::Nullify),
        ("pull", Self::Pull),
    ];

    /// Returns the delete rule that has this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(word, _)| *word == name).map(|(_, rule)| rule)
    }

    /// Returns the name of the delete rule.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Restrict => "restrict",
            Self::Cascade => "cascade",
            Self::Nullify => "nullify",
            Self::Pull => "pull",
        }
    }
}

impl LinksForm {
    pub(crate) const NAMED: [(&'static str, Self); 2] =
        [("ids", Self::Ids), ("prefix", Self::Prefix)];

    /// Returns the word that identifies this form. `ids` and `prefix` are values of `#[links(form = "..")]`. `structs`
    /// is the form without this option.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Structs => "structs",
            Self::Ids => "ids",
            Self::Prefix => "prefix",
        }
    }
}
