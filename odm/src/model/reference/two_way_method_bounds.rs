//! Bounds on the methods for two-way references.
//!
//! A derive does not see the struct at the other end. Therefore it emits `take_*` and `link_*` for every array that has
//! an `inverse`, with a bound on the other struct's description. A false bound without a parameter is an error at the
//! declaration. A false bound with a lifetime that the call chooses (`for<'a> &'a KeyThere<{ .. }>: IsFollowed`) is an
//! error at the call.

/// Whether the other end of an array is a single reference that is stored as a key.
#[derive(Debug)]
pub struct KeyThere<const IS: bool>;

/// A key at the other end. The array follows this key.
#[diagnostic::on_unimplemented(
    message = "this array follows no single key",
    label = "the `inverse` of this array is an array, or a struct with a reference in it",
    note = "`take_*` puts the key of one document into others; write two arrays at both ends, and a struct with `update_many`"
)]
pub trait IsFollowed {}

#[diagnostic::do_not_recommend]
impl IsFollowed for &KeyThere<true> {}

/// Whether both ends of a two-way reference are arrays, and this one is an array of keys.
#[derive(Debug)]
pub struct ArraysAtBothEnds<const ARE: bool>;

/// Two arrays that declare each other as `inverse`.
#[diagnostic::on_unimplemented(
    message = "this array and its other side are no two arrays of a pair",
    label = "the `inverse` of this array is no array, or this array holds more than keys",
    note = "`link_*` and `unlink_*` are for arrays of ids at both ends; `take_*` is for an array that follows a single \
            reference, and an array of structs is written with `update`"
)]
pub trait AreMirrored {}

#[diagnostic::do_not_recommend]
impl AreMirrored for &ArraysAtBothEnds<true> {}
