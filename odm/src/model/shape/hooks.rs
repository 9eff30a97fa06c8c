//! The hooks of a model, as its shape stores them.

use std::{any::Any, fmt};

/// The table of a model's hooks.
///
/// The functions in the table use types of later houses, such as the transaction. So the shape stores the table without
/// its type, and `hook::table` converts it back.
#[derive(Clone, Copy)]
pub struct HooksShape(&'static (dyn Any + Send + Sync));

impl HooksShape {
    /// Stores a table.
    pub(crate) const fn new(table: &'static (dyn Any + Send + Sync)) -> Self {
        Self(table)
    }

    /// Returns the table if it has the type `T`.
    pub(crate) fn table<T: 'static>(self) -> Option<&'static T> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for HooksShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HooksShape")
    }
}
