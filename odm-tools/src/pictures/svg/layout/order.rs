//! Determines the order and the heights of the boxes in each layer.

use super::{
    geometry::{ROW, Size, Wire},
    grid::{Grid, build, gap},
    layer::Layers,
};

/// Arranges the boxes of a group in their layers, so that the wires are short and rarely cross each other.
pub(super) fn arrange(sizes: &[Size], wires: &[Wire], layers: &Layers) -> Grid {
    let mut grid = build(sizes, wires, layers);
    for number in 0..grid.layers.len() {
        let tops = vec![0; grid.layers[number].len()];
        settle(&mut grid, number, &tops);
    }
    let mut best = (score(&grid), grid.clone());
    for round in 0..ROUNDS {
        let all = 0..grid.layers.len();
        let numbers: Vec<_> = if round % 2 == 0 {
            all.collect()
        } else {
            all.rev().collect()
        };
        for number in numbers {
            // In the first half of the rounds, boxes are sorted by their neighbours in the previous layer only. In the
            // second half, both neighbouring layers are used.
            let looks = match (round < ROUNDS / 2, round % 2 == 0) {
                (true, forward) => (forward, !forward),
                (false, _) => (true, true),
            };
            sort(&mut grid, number, looks);
        }
        let score = score(&grid);
        if score < best.0 {
            best = (score, grid.clone());
        }
    }
    let (_, mut grid) = best;
    snap(&mut grid);
    grid
}

const ROUNDS: usize = 40;

/// Sorts the items of a layer by the mean height of their neighbours, and moves the items to these heights.
fn sort(grid: &mut Grid, number: usize, (left, right): (bool, bool)) {
    let mut wanted: Vec<(usize, i64)> = Vec::new();
    for &item in &grid.layers[number] {
        let mut tops = Vec::new();
        for segment in &grid.segments {
            if left && segment.right.item == item {
                tops.push(grid.height_of(segment.left) - segment.right.below);
            }
            if right && segment.left.item == item {
                tops.push(grid.height_of(segment.right) - segment.left.below);
            }
        }
        if tops.is_empty() {
            tops.push(grid.items[item].top);
        }
        let sum: i64 = tops.iter().map(|&top| i64::from(top) * PARTS).sum();
        let mean = sum / to_i64(tops.len());
        wanted.push((item, mean));
    }
    let middle = |(item, top): &(usize, i64)| top + i64::from(grid.items[*item].height) * PARTS / 2;
    wanted.sort_by_key(middle);
    let (order, tops): (Vec<_>, Vec<_>) = wanted.into_iter().unzip();
    grid.layers[number] = order;
    settle(grid, number, &tops);
}

/// Moves the items of a layer as close to their preferred vertical positions as their order and sizes allow. The
/// algorithm minimizes the sum of the squared distances by joining neighbours that would overlap, so that they move
/// together.
fn settle(grid: &mut Grid, number: usize, wanted: &[i64]) {
    let order = grid.layers[number].clone();
    let mut offsets = Vec::new();
    let mut offset = 0;
    for (at, &item) in order.iter().enumerate() {
        offsets.push(offset);
        offset += grid.items[item].height + gap(grid, item, order.get(at + 1).copied());
    }
    // Blocks of joined neighbours. Each block stores the sum of the shifts that its items need, and the number of
    // items.
    let mut blocks: Vec<(i64, usize)> = Vec::new();
    for (top, offset) in wanted.iter().zip(&offsets) {
        let mut block = (top - i64::from(*offset) * PARTS, 1);
        while let Some((sum, count)) = blocks.pop_if(|above| mean(*above) > mean(block)) {
            block = (sum + block.0, count + block.1);
        }
        blocks.push(block);
    }
    let shifts = blocks.into_iter().flat_map(|block| {
        let pixels = mean(block).div_euclid(PARTS);
        std::iter::repeat_n(pixels, block.1)
    });
    for ((&item, offset), shift) in order.iter().zip(offsets).zip(shifts) {
        grid.items[item].top = offset + i32::try_from(shift).unwrap_or_default();
    }
}

/// Number of parts into which a pixel is divided when means are computed. With integers, the results are the same on
/// every machine. With floating-point numbers, they might differ.
const PARTS: i64 = 64;

fn mean((sum, count): (i64, usize)) -> i64 {
    sum.div_euclid(to_i64(count))
}

fn to_i64(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Returns the quality of an arrangement. Smaller is better. The number of crossings is more important than the length
/// of the wires.
fn score(grid: &Grid) -> (usize, i64) {
    let ends: Vec<_> = grid
        .segments
        .iter()
        .map(|segment| {
            let layer = grid.items[segment.left.item].layer;
            (
                layer,
                grid.height_of(segment.left),
                grid.height_of(segment.right),
            )
        })
        .collect();
    let mut crossings = 0;
    for (at, (layer, left, right)) in ends.iter().enumerate() {
        let beside = ends[at + 1..].iter().filter(|(other, ..)| other == layer);
        crossings += beside
            .filter(|(_, of_left, of_right)| (left < of_left) != (right < of_right))
            .count();
    }
    let lengths = ends
        .iter()
        .map(|(_, left, right)| i64::from((left - right).abs()));
    (crossings, lengths.sum())
}

/// Moves the items to multiples of the row height. Every second layer is shifted down by half a row.
fn snap(grid: &mut Grid) {
    let first = grid
        .items
        .iter()
        .map(|item| item.top)
        .min()
        .unwrap_or_default();
    for number in 0..grid.layers.len() {
        let phase = if number % 2 == 0 { 0 } else { ROW / 2 };
        let order = grid.layers[number].clone();
        let mut free = 0;
        for (at, &item) in order.iter().enumerate() {
            let top = (grid.items[item].top - first).max(free);
            let nearest = (top - phase + ROW / 2).div_euclid(ROW) * ROW + phase;
            let top = if nearest < free {
                nearest + ROW
            } else {
                nearest
            };
            grid.items[item].top = top;
            free = top + grid.items[item].height + gap(grid, item, order.get(at + 1).copied());
        }
    }
}
