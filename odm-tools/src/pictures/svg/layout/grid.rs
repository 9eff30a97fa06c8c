//! A grid of layers. Each layer contains boxes, and the lanes through which wires pass the layer.

use std::collections::BTreeMap;

use super::{
    geometry::{Pin, ROW, Size, Wire},
    layer::Layers,
};

/// Space between two boxes in a layer.
const GAP: i32 = 26;

/// The distance of a wire from the top of its lane. At this height, the wire does not overlap the rows of boxes in the
/// neighbouring layers.
const LANE: i32 = 3;

/// The layers of boxes and lanes. A wire passes through a lane if it crosses a layer without ending there.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    pub(super) items: Vec<Item>,
    /// The indices of the items in each layer, from top to bottom.
    pub(super) layers: Vec<Vec<usize>>,
    /// The segments of the wires, each of which connects two neighbouring layers. The segments of a wire are
    /// consecutive.
    pub(super) segments: Vec<Segment>,
    /// The wires that start and end at the same box, each with the index of the item that represents this box.
    pub(super) loops: Vec<(usize, usize)>,
}

#[derive(Clone, Debug)]
pub(super) struct Item {
    /// The box; `None` if the item is a lane.
    pub(super) node: Option<usize>,
    pub(super) layer: usize,
    pub(super) top: i32,
    pub(super) height: i32,
}

/// One of the two ends of a segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joint {
    pub(super) item: usize,
    pub(super) below: i32,
    /// Width that is reserved for a label next to this end.
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
    /// Whether two ends are at the same point.
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

    /// Returns the height at which the lowest item ends.
    pub(super) fn bottom(&self) -> i32 {
        let bottoms = self.items.iter().map(Item::bottom);
        bottoms.max().unwrap_or_default()
    }
}

/// Assigns boxes and wires to layers. The heights are not computed yet and are all zero.
pub(super) fn build(sizes: &[Size], wires: &[Wire], layers: &Layers) -> Grid {
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

/// Adds the segments of a wire to the grid, with a lane in each layer between its two ends.
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

/// Returns the space between an item and the next item below it.
pub(super) fn gap(grid: &Grid, item: usize, next: Option<usize>) -> i32 {
    let is_box = |item: usize| grid.items[item].node.is_some();
    match next {
        Some(next) if is_box(item) || is_box(next) => GAP,
        _ => 0,
    }
}
