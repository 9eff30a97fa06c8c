//! An embedded struct, and the containers around it in the field's type.

use std::ops::Deref;

use super::StructShape;

/// The struct that a field embeds, and the containers around it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct EmbeddedStruct {
    /// The description of the struct.
    pub shape: &'static StructShape,
    /// The containers around it, from the type of the field.
    pub containers: Containers,
}

impl EmbeddedStruct {
    /// Describes a struct inside some containers.
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

/// The arrays, options and pointers around an embedded struct in the type of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Containers {
    /// Number of arrays inside one another.
    pub(super) arrays: usize,
    /// Whether the outermost container is optional.
    is_optional: bool,
    /// Whether null and missing are different values.
    pub(super) keeps_nulls: bool,
}

impl Containers {
    /// No containers: the struct itself.
    pub const NONE: Self = Self {
        arrays: 0,
        is_optional: false,
        keeps_nulls: false,
    };

    /// Returns an array of these containers.
    #[must_use]
    pub const fn in_array(self) -> Self {
        Self {
            arrays: self.arrays + 1,
            is_optional: false,
            keeps_nulls: self.keeps_nulls || self.is_optional,
        }
    }

    /// Returns an option of these containers.
    #[must_use]
    pub const fn in_option(mut self) -> Self {
        self.is_optional = true;
        self
    }

    /// Returns a [`Presence`](crate::Presence) of these containers.
    #[must_use]
    pub const fn in_presence(mut self) -> Self {
        self.is_optional = true;
        self.keeps_nulls = true;
        self
    }

    /// Returns a pointer to these containers. A pointer does not change the stored value.
    #[must_use]
    pub const fn in_pointer(self) -> Self {
        self
    }
}
