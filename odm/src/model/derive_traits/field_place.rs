//! Places of fields in documents, as types. Typed handles derive their stored path from them.

use std::marker::PhantomData;

use crate::model::shape::FieldShape;

/// A struct with typed field handles. Every `Model` and `Embedded` derives it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a struct that is stored inside documents",
    label = "no fields are known of it",
    note = "add `#[derive(Embedded)]` to `{Self}`, if it is a struct"
)]
pub trait HasFields {
    /// The handles for a document of type `M` that contains this struct at path `P`.
    type __OdmFields<M: 'static, P: Path>: FieldSet;

    /// The name of the struct.
    const __ODM_NAME: &'static str;

    /// The descriptions of the fields. A handle finds its description by position.
    const __ODM_FIELDS: &'static [FieldShape];
}

/// The handles of the fields of documents of a type.
pub type Handles<T> = <T as HasFields>::__OdmFields<T, Root>;

/// A struct that contains handles. The derive implements this trait.
pub trait FieldSet: Sized + 'static {
    /// The handles, which are zero-sized.
    const NEW: Self;

    /// A reference to the handles. The derive emits `&Self::NEW`.
    const REF: &'static Self;
}

/// A place in a document, as a type.
pub trait Path: 'static {
    /// Whether the path contains an array.
    const IN_ARRAY: bool;

    /// Whether the fields at this place are fields of the document itself.
    const AT_TOP: bool;

    /// Whether serde can read documents without the fields at this place.
    const MAY_BE_MISSING: bool;

    /// Whether the path contains an `Option`.
    const IN_OPTION: bool;

    /// Whether serde also reads any field on the path under other names.
    const ALIASED: bool;

    /// Appends the stored path.
    fn push(path: &mut String);

    /// Returns the path of the innermost array.
    fn innermost_array() -> Option<String> {
        None
    }

    /// Returns the array, if this is the place of an element that is selected by position or by identifier.
    fn array_of_element() -> Option<&'static FieldShape> {
        None
    }
}

/// A place that filters and sorts can use. Its path contains no positions that only updates understand.
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

/// Returns the description of a field by its position, in a `const`.
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

/// The place of the document itself.
#[derive(Debug)]
pub struct Root;

impl Path for Root {
    const IN_ARRAY: bool = false;
    const AT_TOP: bool = true;
    const MAY_BE_MISSING: bool = false;
    const IN_OPTION: bool = false;
    const ALIASED: bool = false;

    fn push(_: &mut String) {}
}

/// The place of field `I` of the struct `O` at `P`.
pub struct At<P, O, const I: usize>(PhantomData<fn() -> (P, O)>);

impl<P: Path, O: HasFields + 'static, const I: usize> Path for At<P, O, I> {
    const IN_ARRAY: bool = P::IN_ARRAY;
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
}

/// The place of the elements of the array at `P`, without a position.
pub struct InArray<P>(PhantomData<fn() -> P>);

impl<P: Path> Path for InArray<P> {
    const IN_ARRAY: bool = true;
    const AT_TOP: bool = P::AT_TOP;
    const MAY_BE_MISSING: bool = P::MAY_BE_MISSING;
    const IN_OPTION: bool = P::IN_OPTION;
    const ALIASED: bool = P::ALIASED;

    fn push(path: &mut String) {
        P::push(path);
    }

    fn innermost_array() -> Option<String> {
        let mut path = String::new();
        P::push(&mut path);
        Some(path)
    }
}
