//! Computes the positions of boxes and lines. The boxes are arranged in layers from left to right, as in "A Technique
//! for Drawing Directed Graphs" (Gansner and others, 1993). The lines end at rows of the boxes.
//!
//! 1. `layer` assigns the boxes of each connected group to layers.
//! 2. `order` sorts the boxes in a layer to reduce crossings. A line that spans more than one layer gets a lane in each
//!    layer between its ends.
//! 3. `straighten` shifts a box slightly if this makes a line straight.
//! 4. `route` gives each line between two layers its own track.
//! 5. `pack` places the groups next to each other.
//!
//! Existing layout crates support only nodes, not rows inside nodes. In these crates, a line can end anywhere on a box,
//! and lines cross the boxes between their layers. The best program that draws rows is licensed under the GPL.

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

/// Returns the positions of the boxes and the routes of the wires between them.
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
