//! The shape of an embedded struct, and the containers around the struct in the field's type.

use std::ops::Deref;

use super::StructShape;

/// The struct that a field embeds, and the containers around the struct.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EmbeddedStruct {
    /// The description of the struct.
    pub shape: &'static StructShape,
    /// The containers around the struct, which follow from the field's type.
    pub containers: Containers,
}

#[doc(hidden)]
impl EmbeddedStruct {
    /// Describes a struct and the containers around it.
    pub const fn new(shape: &'static StructShape, containers: Containers) -> Self {
        Self { shape, containers }
    }
}

impl Deref for EmbeddedStruct {
    type Target = StructShape;

    fn deref(&self) -> &StructShape {
        self.shape
    }
}

/// The arrays, options and pointers around an embedded struct in a field's type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Containers {
    /// Number of nested arrays around the struct.
    pub(crate) arrays: usize,
    /// Whether the outermost container is optional.
    is_optional: bool,
    /// Whether the field's type distinguishes between null and a missing value.
    pub(super) keeps_nulls: bool,
}

#[doc(hidden)]
impl Containers {
    /// No containers: the field contains the struct itself.
    pub const NONE: Self = Self {
        arrays: 0,
        is_optional: false,
        keeps_nulls: false,
    };

    /// Adds an array around the existing containers.
    #[must_use]
    pub const fn in_array(self) -> Self {
        Self {
            arrays: self.arrays + 1,
            is_optional: false,
            keeps_nulls: self.keeps_nulls || self.is_optional,
        }
    }

    /// Adds an `Option` around the existing containers.
    #[must_use]
    pub const fn in_option(mut self) -> Self {
        self.is_optional = true;
        self
    }

    /// Adds a [`Presence`](crate::Presence) around the existing containers.
    #[must_use]
    pub const fn in_presence(mut self) -> Self {
        self.is_optional = true;
        self.keeps_nulls = true;
        self
    }

    /// Adds a pointer around the existing containers. A pointer does not change the stored value.
    #[must_use]
    pub const fn in_pointer(self) -> Self {
        self
    }
}
