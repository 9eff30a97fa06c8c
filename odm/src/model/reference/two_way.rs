//! What a method of a two-way reference asks of the other side, at the place where it is called.

/// Whether the other side of an array is one reference, stored as a key.
#[derive(Debug)]
pub struct KeyThere<const IS: bool>;

/// A key on the other side, which the array follows.
#[diagnostic::on_unimplemented(
    message = "this array follows no single key",
    label = "the `inverse` of this array is an array, or a struct with a reference in it",
    note = "`take_*` puts the key of one document into others; write two arrays at both ends, and a struct with `update_many`"
)]
pub trait IsFollowed {}

#[diagnostic::do_not_recommend]
impl IsFollowed for &KeyThere<true> {}

/// Whether an array of keys and the other side of it are both arrays.
#[derive(Debug)]
pub struct ArraysAtBothEnds<const ARE: bool>;

/// Two arrays that name each other.
#[diagnostic::on_unimplemented(
    message = "this array and its other side are no two arrays of a pair",
    label = "the `inverse` of this array is no array, or this array holds more than keys",
    note = "`link_*` and `unlink_*` are for arrays of ids at both ends; `take_*` is for an array that follows a single \
            reference, and an array of structs is written with `update`"
)]
pub trait AreMirrored {}

#[diagnostic::do_not_recommend]
impl AreMirrored for &ArraysAtBothEnds<true> {}
