//! Which box stands above which in a layer, and how high.

use std::collections::BTreeMap;

use super::{
    geometry::{Pin, ROW, Size, Wire},
    layer::Layers,
};

/// Between two boxes.
const GAP: i32 = 26;

/// Where the lane of a wire is in its item: not at the height of a row in the layers beside it.
const LANE: i32 = 3;

/// Layers of boxes and of lanes, which are the places where a wire passes a layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    pub(super) items: Vec<Item>,
    /// The numbers of the items, from top to bottom.
    pub(super) layers: Vec<Vec<usize>>,
    /// From one layer to the next; those of a wire follow each other.
    pub(super) segments: Vec<Segment>,
    /// The wires that lead from a box to itself, with its item.
    pub(super) loops: Vec<(usize, usize)>,
}

#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The box; none for a lane.
    pub(super) node: Option<usize>,
    pub(super) layer: usize,
    pub(super) top: i32,
    height: i32,
}

/// An end of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) item: usize,
    below: i32,
    /// The room for a text beside it.
    pub(super) text: i32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) wire: usize,
    pub(super) left: Joint,
    pub(super) right: Joint,
}

impl Item {
    pub(super) fn bottom(&self) -> i32 {
        self.top + self.height
    }
}

impl Joint {
    /// Whether both are at one place.
    pub(super) fn is_same(self, other: Self) -> bool {
        (self.item, self.below) == (other.item, other.below)
    }
}

impl Segment {
    pub(super) fn is_at(&self, item: usize) -> bool {
        self.left.item == item || self.right.item == item
    }
}

impl Grid {
    pub(super) fn height_of(&self, joint: Joint) -> i32 {
        self.items[joint.item].top + joint.below
    }

    pub(super) fn joint(&self, item: usize, pin: Pin) -> Joint {
        debug_assert_eq!(
            self.items[item].node,
            Some(pin.node),
            "a pin of another box"
        );
        let Pin { below, text, .. } = pin;
        Joint { item, below, text }
    }

    /// Returns the lowest end of all items.
    pub(super) fn bottom(&self) -> i32 {
        let bottoms = self.items.iter().map(Item::bottom);
        bottoms.max().unwrap_or_default()
    }
}

/// Arranges the boxes of a group in their layers with few crossings and short wires.
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
            // At first by the layer behind alone, then by those on both sides.
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

fn build(sizes: &[Size], wires: &[Wire], layers: &Layers) -> Grid {
    let mut grid = Grid {
        layers: vec![Vec::new(); layers.count],
        ..Grid::default()
    };
    let mut items = BTreeMap::new();
    for (&node, &layer) in &layers.of {
        items.insert(node, add(&mut grid, layer, Some(node), sizes[node].height));
    }
    for (number, wire) in wires.iter().enumerate() {
        let (Some(&from), Some(&to)) = (items.get(&wire.from.node), items.get(&wire.to.node))
        else {
            continue;
        };
        if from == to {
            grid.loops.push((number, from));
            continue;
        }
        let ends = [(from, wire.from), (to, wire.to)];
        chain(&mut grid, number, ends);
    }
    grid
}

fn add(grid: &mut Grid, layer: usize, node: Option<usize>, height: i32) -> usize {
    grid.items.push(Item {
        node,
        layer,
        top: 0,
        height,
    });
    let item = grid.items.len() - 1;
    grid.layers[layer].push(item);
    item
}

/// Leads a wire through lanes in all layers between its ends.
fn chain(grid: &mut Grid, wire: usize, mut ends: [(usize, Pin); 2]) {
    ends.sort_by_key(|(item, _)| grid.items[*item].layer);
    let [(first, left), (last, right)] = ends;
    let mut before = grid.joint(first, left);
    for layer in grid.items[first].layer + 1..grid.items[last].layer {
        let item = add(grid, layer, None, ROW);
        let lane = Joint {
            item,
            below: LANE,
            text: 0,
        };
        grid.segments.push(Segment {
            wire,
            left: before,
            right: lane,
        });
        before = lane;
    }
    let right = grid.joint(last, right);
    grid.segments.push(Segment {
        wire,
        left: before,
        right,
    });
}

/// Sorts a layer by where its wires come from, and moves its items there.
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

/// Places the items of a layer as near to where they want to be as their order and their heights allow: the least squares
/// of what they move, by joining neighbours that would overlap.
fn settle(grid: &mut Grid, number: usize, wanted: &[i64]) {
    let order = grid.layers[number].clone();
    let mut offsets = Vec::new();
    let mut offset = 0;
    for (at, &item) in order.iter().enumerate() {
        offsets.push(offset);
        offset += grid.items[item].height + gap(grid, item, order.get(at + 1).copied());
    }
    // Neighbours that move together: the sum of how far each wants to, and how many they are.
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

/// Means are counted in parts of a pixel: whole numbers are the same on every machine.
const PARTS: i64 = 64;

fn mean((sum, count): (i64, usize)) -> i64 {
    sum.div_euclid(to_i64(count))
}

fn to_i64(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Returns the room between an item and the next one below.
pub(super) fn gap(grid: &Grid, item: usize, next: Option<usize>) -> i32 {
    let is_box = |item: usize| grid.items[item].node.is_some();
    match next {
        Some(next) if is_box(item) || is_box(next) => GAP,
        _ => 0,
    }
}

/// How good an arrangement is: few crossings, then short wires.
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

/// Moves the items to the raster: that of every other layer is half a row lower.
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
