//! Bounds on the methods that the derive generates for two-way references.
//!
//! A derive does not see the struct at the other end. Therefore the derive emits `take_*` and `link_*` for every array
//! that has an `inverse`, and adds a bound on the shape of the other struct. If the bound had no parameters and were
//! false, the compiler would report an error at the declaration. The bound has a lifetime that the caller chooses
//! (`for<'a> &'a KeyThere<{ .. }>: IsFollowed`), so the compiler reports the error at the call.

/// Represents an array. `IS` is true if the inverse of the array is a single reference that is stored as a key.
#[derive(Debug)]
pub struct KeyThere<const IS: bool>;

/// Implemented if the inverse of an array is a key. The library then updates the array whenever the key changes.
#[diagnostic::on_unimplemented(
    message = "this array follows no single key",
    label = "the `inverse` of this array is an array, or a struct with a reference in it",
    note = "`take_*` puts the key of one document into others; write two arrays at both ends, and a struct with `update_many`"
)]
pub trait IsFollowed {}

#[diagnostic::do_not_recommend]
impl IsFollowed for &KeyThere<true> {}

/// Represents an array of keys. `ARE` is true if the inverse of the array is an array, too.
#[derive(Debug)]
pub struct ArraysAtBothEnds<const ARE: bool>;

/// Implemented if two arrays declare each other as `inverse`.
#[diagnostic::on_unimplemented(
    message = "this array and its other side are no two arrays of a pair",
    label = "the `inverse` of this array is no array, or this array holds more than keys",
    note = "`link_*` and `unlink_*` are for arrays of ids at both ends; `take_*` is for an array that follows a single \
            reference, and an array of structs is written with `update`"
)]
pub trait AreMirrored {}

#[diagnostic::do_not_recommend]
impl AreMirrored for &ArraysAtBothEnds<true> {}
