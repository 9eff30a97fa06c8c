//! What `const` assertions ask of the source of a copy.

use super::{Field, HasFields, Path, field_at};
use crate::{__private::same_codec, shape::FieldShape};

/// The field that a copy is taken of.
#[derive(Debug)]
pub struct Source {
    field: Option<&'static FieldShape>,
    in_array: bool,
    at_top: bool,
}

/// Describes the field that a function returns the handle of; the function is not called.
pub const fn source<M, P, O, T, const I: usize, C>(_: fn() -> Field<M, P, O, T, I, C>) -> Source
where
    P: Path,
    O: HasFields,
{
    Source {
        field: field_at(O::FIELDS, I),
        in_array: P::IN_ARRAY,
        at_top: P::AT_TOP,
    }
}

impl Source {
    /// Whether a document has at most one of it.
    pub const fn is_single(&self) -> bool {
        !self.in_array
    }

    /// Whether it is stored as one value, not as fields among others.
    pub const fn is_value(&self) -> bool {
        !matches!(self.field, Some(field) if field.flatten)
    }

    /// Whether it is the id of its document.
    pub const fn is_id(&self) -> bool {
        self.at_top
            && matches!(self.field, Some(field) if crate::__private::same_text(field.stored, "_id"))
    }

    /// Whether it is encoded by a codec, or by none.
    pub const fn has_codec(&self, codec: Option<&str>) -> bool {
        match self.field {
            Some(field) => same_codec(field.codec, codec),
            None => true,
        }
    }
}
