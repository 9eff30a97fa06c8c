//! How wires run between the layers: each turns twice, on a track of its own.

use super::{
    geometry::{Part, Point, Size, Wire},
    order::{Grid, Joint},
};

/// Between two tracks.
const TRACK: i32 = 9;

/// From a box to the first track beside it, if there is no text.
const STUB: i32 = 30;

/// A way between two layers, or from a layer back to itself.
struct Net {
    wire: usize,
    left: i32,
    right: i32,
    /// Whether both ends are on the left.
    is_loop: bool,
    track: usize,
}

impl Net {
    fn span(&self) -> (i32, i32) {
        (self.left.min(self.right), self.left.max(self.right))
    }

    fn meets(&self, other: &Self) -> bool {
        let ((top, bottom), (of_top, of_bottom)) = (self.span(), other.span());
        top <= of_bottom + 4 && of_top <= bottom + 4
    }
}

/// The room behind a layer.
struct Channel {
    nets: Vec<Net>,
    /// From the layer to the first track, and from the last one to the next layer.
    stubs: (i32, i32),
}

impl Channel {
    fn width(&self) -> i32 {
        let tracks = self.nets.iter().map(|net| net.track + 1).max();
        let tracks = i32::try_from(tracks.unwrap_or(1) - 1).unwrap_or_default();
        self.stubs.0 + tracks * TRACK + self.stubs.1
    }
}

/// Draws the wires of a grid.
pub(super) fn route(grid: &Grid, sizes: &[Size], wires: &[Wire]) -> Part {
    let count = grid.layers.len();
    let channels: Vec<_> = (0..count)
        .map(|layer| channel(grid, wires, layer))
        .collect();
    let widths: Vec<_> = (0..count).map(|layer| width(grid, sizes, layer)).collect();
    let mut lefts = vec![0];
    for layer in 0..count {
        let is_last = layer + 1 == count && channels[layer].nets.is_empty();
        let room = if is_last { 0 } else { channels[layer].width() };
        lefts.push(lefts[layer] + widths[layer] + room);
    }
    let corner = |item: usize| {
        let item = &grid.items[item];
        let own = item
            .node
            .map_or(widths[item.layer], |node| sizes[node].width);
        let x = lefts[item.layer] + (widths[item.layer] - own) / 2;
        (Point { x, y: item.top }, own)
    };
    let boxes = grid.items.iter().enumerate();
    let corners = boxes.filter_map(|(number, item)| Some((item.node?, corner(number).0)));
    let mut part = Part {
        corners: corners.collect(),
        routes: Vec::new(),
        size: Size {
            width: lefts[count],
            height: grid.bottom(),
        },
    };
    let track = |layer: usize, at: usize| {
        let channel = &channels[layer];
        let track = i32::try_from(channel.nets[at].track).unwrap_or_default();
        lefts[layer] + widths[layer] + channel.stubs.0 + track * TRACK
    };
    for (number, _) in wires.iter().enumerate() {
        let mut points = Vec::new();
        for segment in grid
            .segments
            .iter()
            .filter(|segment| segment.wire == number)
        {
            let layer = grid.items[segment.left.item].layer;
            let nets = &channels[layer].nets;
            let Some(at) = nets.iter().position(|net| net.wire == number) else {
                continue;
            };
            let ((from, own), (to, _)) = (corner(segment.left.item), corner(segment.right.item));
            let (left, right) = (grid.height_of(segment.left), grid.height_of(segment.right));
            let turn = track(layer, at);
            points.push(Point {
                x: from.x + own,
                y: left,
            });
            points.push(Point { x: turn, y: left });
            points.push(Point { x: turn, y: right });
            points.push(Point { x: to.x, y: right });
        }
        if let Some(&(_, item)) = grid.loops.iter().find(|(wire, _)| *wire == number) {
            let layer = grid.items[item].layer;
            let nets = &channels[layer].nets;
            let at = nets.iter().position(|net| net.wire == number);
            let turn = at.map_or(0, |at| track(layer, at));
            let (from, own) = corner(item);
            let ends = [wires[number].from, wires[number].to];
            let [from_y, to_y] = ends.map(|pin| grid.height_of(grid.joint(item, pin)));
            let edge = from.x + own;
            points.extend(
                [(edge, from_y), (turn, from_y), (turn, to_y), (edge, to_y)]
                    .map(|(x, y)| Point { x, y }),
            );
        } else if starts_right(grid, &wires[number]) {
            points.reverse();
        }
        if !points.is_empty() {
            part.routes.push((number, points));
        }
    }
    part
}

/// Whether the beginning of a wire stands right of its end.
fn starts_right(grid: &Grid, wire: &Wire) -> bool {
    let layer = |node: usize| {
        let mut items = grid.items.iter();
        items
            .find(|item| item.node == Some(node))
            .map(|item| item.layer)
    };
    layer(wire.from.node) > layer(wire.to.node)
}

fn width(grid: &Grid, sizes: &[Size], layer: usize) -> i32 {
    let nodes = grid.layers[layer]
        .iter()
        .filter_map(|&item| grid.items[item].node);
    nodes
        .map(|node| sizes[node].width)
        .max()
        .unwrap_or_default()
}

/// Collects the ways behind a layer, and gives each a track.
fn channel(grid: &Grid, wires: &[Wire], layer: usize) -> Channel {
    let mut stubs = (STUB, STUB);
    let mut nets = Vec::new();
    let room = |joint: &Joint| joint.text + STUB;
    for &(wire, item) in &grid.loops {
        if grid.items[item].layer == layer {
            let [from, to] = [wires[wire].from, wires[wire].to].map(|pin| grid.joint(item, pin));
            stubs.0 = stubs.0.max(room(&from)).max(room(&to));
            nets.push(Net {
                wire,
                left: grid.height_of(from),
                right: grid.height_of(to),
                is_loop: true,
                track: 0,
            });
        }
    }
    for segment in &grid.segments {
        if grid.items[segment.left.item].layer == layer {
            stubs.0 = stubs.0.max(room(&segment.left));
            stubs.1 = stubs.1.max(room(&segment.right));
            nets.push(Net {
                wire: segment.wire,
                left: grid.height_of(segment.left),
                right: grid.height_of(segment.right),
                is_loop: false,
                track: 0,
            });
        }
    }
    assign_tracks(&mut nets);
    Channel { nets, stubs }
}

/// Gives ways whose heights overlap different tracks, in an order in which they cross as little as can be.
fn assign_tracks(nets: &mut [Net]) {
    nets.sort_by_key(|net| {
        let (top, bottom) = net.span();
        match (net.is_loop, net.right > net.left) {
            // A loop around another one is outside of it.
            (true, _) => (0, bottom - top, net.wire),
            // Of those that lead down the lowest turns first, of those that lead up the highest.
            (false, true) => (1, -net.left, net.wire),
            (false, false) => (2, net.left, net.wire),
        }
    });
    for at in 0..nets.len() {
        let (before, rest) = nets.split_at(at);
        let taken = before.iter().filter(|other| rest[0].meets(other));
        let track = taken.map(|other| other.track + 1).max().unwrap_or(0);
        nets[at].track = track;
    }
}
