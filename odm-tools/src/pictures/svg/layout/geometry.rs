//! Points and sizes, in pixels.

/// The height of a row of a box. Boxes stand at multiples of half of it, so that rows of neighbours never meet.
pub(in super::super) const ROW: i32 = 18;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Point {
    pub(in super::super) x: i32,
    pub(in super::super) y: i32,
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Size {
    pub(in super::super) width: i32,
    pub(in super::super) height: i32,
}

/// Where a wire ends at a box.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Pin {
    pub(in super::super) node: usize,
    /// How far below the top of the box.
    pub(in super::super) below: i32,
    /// The room for a text beside the box.
    pub(in super::super) text: i32,
}

/// A line from a box to another one.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Wire {
    pub(in super::super) from: Pin,
    pub(in super::super) to: Pin,
    /// Whether it says which of the boxes stands left of the other.
    pub(in super::super) leads: bool,
}

/// Where everything is.
#[derive(Debug)]
pub(in super::super) struct Layout {
    /// The left top corner of each box.
    pub(in super::super) corners: Vec<Point>,
    /// The corners of each wire, from its beginning to its end.
    pub(in super::super) routes: Vec<Vec<Point>>,
    pub(in super::super) size: Size,
}

/// Boxes that are connected, with the wires between them.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) corners: Vec<(usize, Point)>,
    pub(super) routes: Vec<(usize, Vec<Point>)>,
    pub(super) size: Size,
}
