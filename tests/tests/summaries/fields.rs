//! The fields of a parent that are computed from its children.

/// Maximum number of children. The id of a child is its position, and later children have higher ids.
pub(crate) const CHILDREN: usize = 3;

/// The position of a child.
pub(crate) type Child = usize;

/// A computed field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// Number of children.
    Count,
    /// The largest value of a child.
    Max,
    /// A list that contains only the newest child.
    Newest,
}

impl Field {
    pub(crate) const ALL: [Self; 3] = [Self::Count, Self::Max, Self::Newest];
}

/// A set of fields: those that the parent declares, or those that remain in a delta.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Fields([bool; 3]);

impl Fields {
    pub(crate) fn of(fields: &[Field]) -> Self {
        let mut all = Self::default();
        for field in fields {
            all.0[*field as usize] = true;
        }
        all
    }

    pub(crate) fn has(self, field: Field) -> bool {
        self.0[field as usize]
    }

    pub(crate) fn take_out(&mut self, field: Field) {
        self.0[field as usize] = false;
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Field> {
        Field::ALL.into_iter().filter(move |field| self.has(*field))
    }
}

/// The values of the computed fields. Zero represents a count of zero, no largest value, or an empty list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Summary([i8; 3]);

impl Summary {
    pub(crate) fn get(self, field: Field) -> i8 {
        self.0[field as usize]
    }

    pub(crate) fn set(&mut self, field: Field, value: i8) {
        self.0[field as usize] = value;
    }

    /// `$inc`, `$max`, or `$push` with `$sort` and `$slice`. The result does not depend on the order of the additions.
    pub(crate) fn add(&mut self, field: Field, value: i8) {
        let before = self.get(field);
        let after = match field {
            Field::Count => before + value,
            Field::Max | Field::Newest => before.max(value),
        };
        self.set(field, after);
    }
}
