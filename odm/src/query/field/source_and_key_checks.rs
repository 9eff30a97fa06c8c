//! Properties of fields that attributes refer to: the source of a copy, and the key of a reference. The derive emits
//! `const` assertions about these properties.

use super::Field;
use crate::model::{
    derive_traits::{At, HasFields, Path, field_at},
    shape::{FieldShape, KeyShape, ReferenceShape, same_codec, same_text},
};
use crate::value::bson_form::DescribeForm;

/// Properties of a copy's source field.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent properties of one field"
)]
pub struct Source {
    field: Option<&'static FieldShape>,
    in_array: bool,
    at_top: bool,
    may_be_missing: bool,
    in_option: bool,
    aliased: bool,
}

/// Describes the field whose handle the given function returns. The function provides only the type and is never
/// called.
pub const fn source<M, P, O, T, const I: usize, C, R>(
    _: fn() -> Field<M, P, O, T, I, C, R>,
) -> Source
where
    P: Path,
    O: HasFields,
{
    Source {
        field: field_at(O::__ODM_FIELDS, I),
        in_array: P::ARRAYS > 0,
        at_top: P::AT_TOP,
        may_be_missing: P::MAY_BE_MISSING,
        in_option: P::IN_OPTION,
        aliased: P::ALIASED,
    }
}

impl Source {
    /// Returns whether a document contains at most one value of the field. This is the case if the field is not inside
    /// an array.
    pub const fn is_single(&self) -> bool {
        !self.in_array
    }

    /// Returns whether the field is stored as one value. A flattened struct is not stored as one value, because each of
    /// its fields is stored separately.
    pub const fn is_value(&self) -> bool {
        !matches!(self.field, Some(field) if field.flatten)
    }

    /// Returns whether the field is a copy that follows its source.
    pub const fn is_copy(&self) -> bool {
        matches!(self.field, Some(field) if field.is_synchronized_copy())
    }

    /// Returns whether the field is the `_id` of the document that contains the field.
    pub const fn is_id(&self) -> bool {
        self.at_top && matches!(self.field, Some(field) if same_text(field.stored, "_id"))
    }

    /// Returns whether the field exists in every document that the model can read.
    pub const fn is_required(&self) -> bool {
        let may_be_missing = match self.field {
            Some(field) => field.may_be_missing() && !self.is_id(),
            None => false,
        };
        !(may_be_missing || self.may_be_missing)
    }

    /// Returns whether the field is inside a struct that is an `Option`.
    pub const fn is_in_option(&self) -> bool {
        self.in_option
    }

    /// Returns whether the field is always stored under the same name. This is the case if neither the field nor a
    /// struct around it has a serde alias.
    pub const fn has_one_name(&self) -> bool {
        !(self.aliased || matches!(self.field, Some(field) if field.aliased))
    }

    /// Returns whether the server can add up the stored values. This is the case if the field has no codec or uses
    /// `mongo_odm::with::native`.
    pub const fn is_stored_as_number(&self) -> bool {
        match self.field {
            Some(FieldShape {
                codec: Some(codec), ..
            }) => is_native(codec),
            _ => true,
        }
    }

    /// Returns whether the field has this codec, or whether it has no codec if `codec` is `None`.
    pub const fn has_codec(&self, codec: Option<&str>) -> bool {
        match self.field {
            Some(field) => same_codec(field.codec, codec),
            None => true,
        }
    }
}

/// Returns whether the path of a codec ends with `with::native`. Only the module of the library may have such a path.
pub const fn is_native(codec: &str) -> bool {
    is_path_of(codec, NATIVE)
}

/// Returns whether the path of a codec ends with `with::text`. Only the module of the library may have such a path.
pub(crate) const fn is_text(codec: &str) -> bool {
    is_path_of(codec, TEXT)
}

#[allow(clippy::indexing_slicing, reason = "it is what `const` has")]
const fn is_path_of(codec: &str, module: &str) -> bool {
    let (codec, module) = (codec.as_bytes(), module.as_bytes());
    let (mut at, mut left) = (codec.len(), module.len());
    while at > 0 && left > 0 {
        at -= 1;
        left -= 1;
        if codec[at] != module[left] {
            return false;
        }
    }
    left == 0 && (at == 0 || codec[at - 1] == b':')
}

/// Returns the stored form of a field that has a codec. The library knows this form only for `mongo_odm::with::native`.
pub const fn native_form(codec: &str, native: Option<DescribeForm>) -> Option<DescribeForm> {
    if is_native(codec) { native } else { None }
}

/// The last segments of the paths of the library's codecs. The crate name is not included, because users may rename the
/// crate.
const NATIVE: &str = "with::native";
const TEXT: &str = "with::text";

/// Describes the field whose handle the given function returns, as the key of a reference. The function provides only
/// the type and is never called.
pub const fn key_of<M, P, O, T, const I: usize, C, R>(
    _: fn() -> Field<M, P, O, T, I, C, R>,
) -> KeyShape
where
    P: Path,
    O: HasFields + 'static,
{
    KeyShape::new(path_of::<P, O, I>, O::__ODM_NAME, I)
}

fn path_of<P: Path, O: HasFields + 'static, const I: usize>() -> String {
    let mut path = String::new();
    At::<P, O, I>::push(&mut path);
    path
}

/// The target's field that the keys of a reference refer to.
#[derive(Debug)]
pub struct Compared(Option<&'static ReferenceShape>);

/// Returns the target's field that the keys of a reference refer to. The given function only provides the type of the
/// reference's handle and is never called.
pub const fn compared<M, P, O, T, const I: usize, C, R>(
    _: fn() -> Field<M, P, O, T, I, C, R>,
) -> Compared
where
    P: Path,
    O: HasFields,
{
    Compared(match field_at(O::__ODM_FIELDS, I) {
        Some(field) => field.reference.as_ref(),
        None => None,
    })
}

impl Compared {
    /// Returns whether the keys are ids of the target. Also returns true for a field that is not a reference, because
    /// another check reports that mistake.
    pub const fn is_id(&self) -> bool {
        !matches!(self.0, Some(ReferenceShape { key: Some(_), .. }))
    }

    /// Returns whether the keys are values of this field of the target.
    pub const fn is(&self, field: KeyShape) -> bool {
        match self.0 {
            Some(ReferenceShape { key: Some(key), .. }) => {
                key.field == field.field && same_text(key.holder, field.holder)
            }
            _ => false,
        }
    }
}
