//! The fields of a parent that are computed from its children.

/// The most children that there can be. Their ids are their positions, the later child has the higher one.
pub(crate) const CHILDREN: usize = 3;

/// The position of a child.
pub(crate) type Child = usize;

/// A computed field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// How many children there are.
    Count,
    /// The largest value of a child.
    Max,
    /// A list of the newest child, which names it.
    Newest,
}

impl Field {
    pub(crate) const ALL: [Self; 3] = [Self::Count, Self::Max, Self::Newest];
}

/// A set of fields: what a model declares, or what is left in a delta.
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

/// The values of the computed fields. Zero is a count of none, no largest value, and an empty list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Summary([i8; 3]);

impl Summary {
    pub(crate) fn get(self, field: Field) -> i8 {
        self.0[field as usize]
    }

    pub(crate) fn set(&mut self, field: Field, value: i8) {
        self.0[field as usize] = value;
    }

    /// `$inc`, `$max`, or `$push` with `$sort` and `$slice`: whichever order they come in, the end is the same.
    pub(crate) fn add(&mut self, field: Field, value: i8) {
        let before = self.get(field);
        let after = match field {
            Field::Count => before + value,
            Field::Max | Field::Newest => before.max(value),
        };
        self.set(field, after);
    }
}
