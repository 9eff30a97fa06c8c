//! The values of copies and summaries. The library reads these values from the sources, and creates the statements that
//! write them.
//!
//! The copies for a key equal the fields of the document that currently has this key. If several documents have the
//! same key, the document with the lowest `_id` is the source. A job contains no values, so a retry, a crash or a late
//! command cannot restore an old value. All fields of an extended reference are written together, from one read of the
//! source. Test: `s09_all_into_squillions`.
//!
//! - `read_sources` reads the values for one or more keys. For folds, `recomputation` computes the values from the
//!   children.
//! - `expected_value` defines which value a copy should have, and when a stored copy counts as correct.
//! - `copy_update` creates the statement that writes copies.
//! - `image` defines images. An image contains the fields of a document on which copies depend, before or after a
//!   write.
//! - `child_effect` decides how a written child affects the fields of its parent. `addition` creates the update for an
//!   effect that can be expressed as an addition. `delta` stores such an addition, to be applied later.

mod addition;
mod child_effect;
mod copy_report;
mod copy_update;
pub(crate) mod delta;
mod expected_value;
mod image;
mod read_sources;
mod recomputation;

pub(crate) use addition::{NewEntries, Operators};
pub(crate) use child_effect::{ChildTransition, FieldEffect};
pub use copy_report::{CascadeReport, CopyReport, Form, Guarantee};
pub(crate) use copy_update::{key_condition, tied, update_of};
pub(crate) use expected_value::{Expected, Resolved, SourceValues, Values, expected};
pub(crate) use image::{Image, Images, keys_held, keys_of};
pub(crate) use read_sources::{
    by_values, existing_keys, read_sources, resolve, resolve_stored, updates,
};
