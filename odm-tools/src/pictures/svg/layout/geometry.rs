//! Points and sizes, in pixels.

/// Height of a row. Boxes in neighbouring layers are shifted by half a row, so that their rows are never at the same
/// height.
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

/// The place where a wire ends at a box.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Pin {
    pub(in super::super) node: usize,
    /// Distance from the top of the box to the end of the line.
    pub(in super::super) below: i32,
    /// Width that is reserved for a label next to the box.
    pub(in super::super) text: i32,
}

/// A line between two boxes.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Wire {
    pub(in super::super) from: Pin,
    pub(in super::super) to: Pin,
    /// Whether the wire determines which of its two boxes is further left.
    pub(in super::super) leads: bool,
}

/// The positions of all boxes and wires.
#[derive(Debug)]
pub(in super::super) struct Layout {
    /// The top left corner of each box.
    pub(in super::super) corners: Vec<Point>,
    /// The corners of each wire, from its start to its end.
    pub(in super::super) routes: Vec<Vec<Point>>,
    pub(in super::super) size: Size,
}

/// A group of connected boxes, and the wires between them.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) corners: Vec<(usize, Point)>,
    pub(super) routes: Vec<(usize, Vec<Point>)>,
    pub(super) size: Size,
}
