//! Types that represent paths to fields. Typed handles derive their stored path from these types.

use std::marker::PhantomData;

use mongodb::bson::{Document, doc};

use crate::{model::shape::FieldShape, value::path::join};

/// A struct that has typed field handles. The derives of `Model` and `Embedded` implement this trait.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a struct that is stored inside documents",
    label = "no fields are known of it",
    note = "add `#[derive(Embedded)]` to `{Self}`, if it is a struct"
)]
pub trait HasFields {
    /// The handles of this struct's fields, for a document of type `M` that contains the struct at the path
    /// `P`.
    type __OdmFields<M: 'static, P: Path>: FieldSet;

    /// The name of the Rust struct.
    const __ODM_NAME: &'static str;

    /// The shapes of the fields. A handle finds the shape of its field by the field's position in this
    /// list.
    const __ODM_FIELDS: &'static [FieldShape];
}

/// The field handles of a model or struct `T`.
pub type Handles<T> = <T as HasFields>::__OdmFields<T, Root>;

/// A struct that contains field handles. The derive macros implement this trait.
pub trait FieldSet: Sized + 'static {
    /// The only value of the struct. The value is zero-sized, like the handles.
    const NEW: Self;

    /// A reference to the only value of the struct. The derive emits `&Self::NEW`.
    const REF: &'static Self;
}

/// A type that represents a path in a document.
pub trait Path: 'static {
    /// The number of arrays in the path.
    const ARRAYS: usize;

    /// Whether the fields at this path belong directly to the document, because the path is empty or
    /// contains only flattened structs.
    const AT_TOP: bool;

    /// Whether serde can read a document in which the structs on this path are missing.
    const MAY_BE_MISSING: bool;

    /// Whether the path contains an `Option`.
    const IN_OPTION: bool;

    /// Whether serde also reads any field on the path under other names (`alias`).
    const ALIASED: bool;

    /// Appends the stored path to a string.
    #[doc(hidden)]
    fn push(path: &mut String);

    /// Returns the path of the innermost array around the fields at this path.
    #[doc(hidden)]
    fn innermost_array() -> Option<String> {
        None
    }

    /// Returns the path of an array of arrays around the fields at this path.
    #[doc(hidden)]
    fn array_of_arrays() -> Option<String> {
        None
    }

    /// Returns the array if this is the path of an array element that is selected by position or by
    /// identifier.
    #[doc(hidden)]
    fn array_of_element() -> Option<&'static FieldShape> {
        None
    }

    /// Adds the conditions under which a document contains the structs around the fields at this path. Adds no condition
    /// for structs that every document contains.
    #[doc(hidden)]
    fn add_presence(_conditions: &mut Document) {}
}

/// A path that filters and sorts can use, because the path does not contain element positions that only updates
/// understand.
#[diagnostic::on_unimplemented(
    message = "`every()`, `matched()` and `named()` are for updates; filters and sorts know no such position",
    label = "leave the position out",
    note = "a condition on a field in an array holds if one element fulfils it: `Product::fields().parts.name.eq(..)`; \
            where one element has to fulfil several, write `elem_match`; `at::<2>()` is a single element in filters as well"
)]
pub trait Queried {}

#[diagnostic::do_not_recommend]
impl Queried for Root {}

#[diagnostic::do_not_recommend]
impl<P: Queried, O, const I: usize> Queried for At<P, O, I> {}

#[diagnostic::do_not_recommend]
impl<P: Queried> Queried for InArray<P> {}

/// Returns the shape of a field by its position. Unlike `get`, this function works in `const` code.
pub(crate) const fn field_at(
    fields: &'static [FieldShape],
    position: usize,
) -> Option<&'static FieldShape> {
    // `get` is not available in `const` code.
    #[allow(clippy::indexing_slicing)]
    if position < fields.len() {
        Some(&fields[position])
    } else {
        None
    }
}

/// The path of the document itself.
#[derive(Debug)]
pub struct Root;

impl Path for Root {
    const ARRAYS: usize = 0;
    const AT_TOP: bool = true;
    const MAY_BE_MISSING: bool = false;
    const IN_OPTION: bool = false;
    const ALIASED: bool = false;

    fn push(_: &mut String) {}
}

/// The path of field number `I` in a struct `O` that is stored at the path `P`.
pub struct At<P, O, const I: usize>(PhantomData<fn() -> (P, O)>);

impl<P: Path, O: HasFields + 'static, const I: usize> Path for At<P, O, I> {
    const ARRAYS: usize = P::ARRAYS;
    const AT_TOP: bool =
        P::AT_TOP && matches!(field_at(O::__ODM_FIELDS, I), Some(field) if field.flatten);
    // Serde ignores the default of a flattened struct and uses the defaults of its fields.
    const MAY_BE_MISSING: bool = P::MAY_BE_MISSING
        || matches!(field_at(O::__ODM_FIELDS, I), Some(field) if field.optional || field.default && !field.flatten);
    const IN_OPTION: bool =
        P::IN_OPTION || matches!(field_at(O::__ODM_FIELDS, I), Some(field) if field.optional);
    const ALIASED: bool =
        P::ALIASED || matches!(field_at(O::__ODM_FIELDS, I), Some(field) if field.aliased);

    fn push(path: &mut String) {
        P::push(path);
        let Some(field) = O::__ODM_FIELDS.get(I) else {
            return;
        };
        if field.flatten {
            return;
        }
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(field.stored);
    }

    fn innermost_array() -> Option<String> {
        P::innermost_array()
    }

    fn array_of_arrays() -> Option<String> {
        P::array_of_arrays().or_else(|| {
            let field = O::__ODM_FIELDS.get(I)?;
            let embed = field.embed.filter(|_| field.codec.is_none())?;
            (embed().containers.arrays > 1).then(path_of::<Self>)
        })
    }

    fn add_presence(conditions: &mut Document) {
        let Some(field) = O::__ODM_FIELDS.get(I) else {
            return;
        };
        if field.optional && !field.flatten {
            // If the struct exists, the structs around it exist, too.
            return add_struct::<Self>(conditions);
        }
        P::add_presence(conditions);
        if field.optional {
            add_required(field, &path_of::<P>(), conditions);
        }
    }
}

/// Adds the conditions under which serde reads a flattened `Option` as `Some`: all required fields of the struct exist.
fn add_required(flattened: &FieldShape, path: &str, conditions: &mut Document) {
    let fields = flattened
        .embed
        .map_or(&[][..], |embed| embed().shape.fields);
    for field in fields {
        if field.flatten && !field.optional {
            add_required(field, path, conditions);
        } else if !field.flatten && !field.may_be_missing() {
            conditions.insert(join(path, field.stored), doc! { "$exists": true });
        }
    }
}

/// Returns the stored path that a type represents.
fn path_of<P: Path>() -> String {
    let mut path = String::new();
    P::push(&mut path);
    path
}

/// Adds the condition that the value at a path is a struct, or an array that contains structs.
pub(crate) fn add_struct<P: Path>(conditions: &mut Document) {
    conditions.insert(path_of::<P>(), doc! { "$type": "object" });
}

/// The path of the elements in the array at the path `P`. The path does not contain a position.
pub struct InArray<P>(PhantomData<fn() -> P>);

impl<P: Path> Path for InArray<P> {
    const ARRAYS: usize = P::ARRAYS + 1;
    const AT_TOP: bool = P::AT_TOP;
    const MAY_BE_MISSING: bool = P::MAY_BE_MISSING;
    const IN_OPTION: bool = P::IN_OPTION;
    const ALIASED: bool = P::ALIASED;

    fn push(path: &mut String) {
        P::push(path);
    }

    fn innermost_array() -> Option<String> {
        Some(path_of::<P>())
    }

    fn array_of_arrays() -> Option<String> {
        P::array_of_arrays()
    }

    fn add_presence(conditions: &mut Document) {
        P::add_presence(conditions);
    }
}
