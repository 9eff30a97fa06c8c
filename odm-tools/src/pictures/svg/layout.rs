//! Positions of boxes and lines: layers from left to right, as in "A Technique for Drawing Directed Graphs" (Gansner
//! and others, 1993). The lines end at rows of the boxes.
//!
//! 1. `layer` assigns the boxes of each connected group to layers.
//! 2. `order` sorts the boxes in a layer to reduce crossings. A line that is longer than one layer gets a lane in
//!    each layer between.
//! 3. `straighten` moves boxes a little, if a line becomes straight.
//! 4. `route` gives each line between two layers a track of its own.
//! 5. `pack` places the groups beside each other.
//!
//! Layout crates know only nodes: their lines end anywhere at a box, and cross boxes between two layers. The best
//! program that draws rows has the licence GPL.

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

/// Returns the positions of boxes and the routes of wires between them.
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
