//! Where boxes stand and lines run: layers from left to right, as in "A Technique for Drawing Directed Graphs" (Gansner and
//! others, 1993), with lines that end at rows of the boxes.
//!
//! The crates that lay graphs out know nodes alone: a line of theirs ends anywhere at a box, and crosses boxes that stand
//! between two layers. Here it is the row that counts, and a line beyond the next layer has a lane of its own.

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
