//! Positions of boxes and lines: layers from left to right, as in "A Technique for Drawing Directed Graphs" (Gansner
//! and others, 1993), with lines that end at rows of the boxes.
//!
//! 1. Boxes are assigned to layers.
//! 2. Boxes in a layer are ordered to reduce crossings. A line that is longer than one layer gets a lane of its own.
//! 3. Each line between two layers gets a track of its own.
//!
//! The layout crates know only nodes. Their lines end anywhere at a box, and cross boxes between two layers. The best
//! program that draws rows is under the GPL.

#![allow(
    clippy::indexing_slicing,
    reason = "numbers of nodes, wires and layers are positions in the lists that gave them out"
)]

mod geometry;
mod grid;
mod layer;
mod order;
mod pack;
mod route;
mod straighten;
#[cfg(test)]
mod tests;

pub(super) use geometry::{Layout, Pin, Point, ROW, Size, Wire};

/// Places boxes of some sizes, and routes the wires between them.
pub(super) fn lay_out(sizes: &[Size], wires: &[Wire]) -> Layout {
    let groups = layer::connected(sizes.len(), wires);
    let parts = groups.into_iter().map(|nodes| {
        let layers = layer::layers(&nodes, wires);
        let mut grid = order::arrange(sizes, wires, &layers);
        straighten::straighten(&mut grid);
        route::route(&grid, sizes, wires)
    });
    pack::pack(parts.collect(), sizes.len(), wires.len())
}
