//! Shifts boxes slightly so that wires become straight.

use super::{
    geometry::ROW,
    grid::{Grid, Segment, gap},
};

/// The smallest permitted distance between the ends of two wires at a box.
const NEAR: i32 = 3;

/// Shifts each item by at most a row. An item is shifted only if more of its wires become straight and it keeps the
/// required distance from its neighbours.
pub(super) fn straighten(grid: &mut Grid) {
    for layer in 0..grid.layers.len() {
        for at in 0..grid.layers[layer].len() {
            let item = grid.layers[layer][at];
            let own: Vec<_> = grid
                .segments
                .iter()
                .copied()
                .filter(|it| it.is_at(item))
                .collect();
            let mut best = (straight(grid, &own), grid.items[item].top);
            for segment in &own {
                let shift = grid.height_of(segment.left) - grid.height_of(segment.right);
                let shift = if segment.right.item == item {
                    shift
                } else {
                    -shift
                };
                let before = grid.items[item].top;
                grid.items[item].top += shift;
                let found = straight(grid, &own);
                if shift.abs() <= ROW
                    && found > best.0
                    && fits(grid, layer, at)
                    && is_clear(grid, &own)
                {
                    best = (found, before + shift);
                }
                grid.items[item].top = before;
            }
            grid.items[item].top = best.1;
        }
    }
    let tops = grid.items.iter().map(|item| item.top);
    let first = tops.min().unwrap_or_default();
    for item in &mut grid.items {
        item.top -= first;
    }
}

fn straight(grid: &Grid, segments: &[Segment]) -> usize {
    let is_straight = |it: &&Segment| grid.height_of(it.left) == grid.height_of(it.right);
    segments.iter().filter(is_straight).count()
}

/// Whether an item keeps the required distance from the items above and below it.
fn fits(grid: &Grid, layer: usize, at: usize) -> bool {
    let order = &grid.layers[layer];
    let apart = |above: usize, below: usize| {
        grid.items[above].bottom() + gap(grid, above, Some(below)) <= grid.items[below].top
    };
    let above = at
        .checked_sub(1)
        .is_none_or(|before| apart(order[before], order[at]));
    let below = order.get(at + 1).is_none_or(|&next| apart(order[at], next));
    above && below && grid.items[order[at]].top >= 0
}

/// Whether none of the segments overlaps another wire.
fn is_clear(grid: &Grid, own: &[Segment]) -> bool {
    let near = |left: &Segment, right: &Segment| {
        let apart = grid.height_of(left.left) - grid.height_of(right.right);
        let same_end = left.left.is_same(right.left) || left.right.is_same(right.right);
        apart.abs() < NEAR && !same_end
    };
    own.iter().all(|segment| {
        let layer = grid.items[segment.left.item].layer;
        let beside = grid.segments.iter().filter(|other| {
            other.wire != segment.wire && grid.items[other.left.item].layer == layer
        });
        beside
            .clone()
            .all(|other| !near(segment, other) && !near(other, segment))
    })
}
