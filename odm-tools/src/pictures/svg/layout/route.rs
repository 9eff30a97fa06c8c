//! Routes wires between layers. Each wire turns twice, on its own track.

use super::{
    geometry::{Part, Pin, Point, Size, Wire},
    grid::{Grid, Joint, Segment},
};

/// Distance between two neighbouring tracks.
const TRACK: i32 = 9;

/// Distance from a box to the first track, not counting the space for a label.
const STUB: i32 = 30;

/// The part of a wire between two layers, or a loop at one layer.
struct Net {
    wire: usize,
    left: i32,
    right: i32,
    /// Whether both ends are at the left layer, so that this part is a loop.
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

/// The space between a layer and the next layer to its right.
struct Channel {
    nets: Vec<Net>,
    /// Distances from the layer to the first track, and from the last track to the next layer.
    stubs: (i32, i32),
}

impl Channel {
    fn width(&self) -> i32 {
        let tracks = self.nets.iter().map(|net| net.track + 1).max();
        let tracks = i32::try_from(tracks.unwrap_or(1) - 1).unwrap_or_default();
        self.stubs.0 + tracks * TRACK + self.stubs.1
    }
}

/// Returns the positions of the boxes in a grid, and the routes of the wires.
pub(super) fn route(grid: &Grid, sizes: &[Size], wires: &[Wire]) -> Part {
    let plane = Plane::of(grid, sizes, wires);
    let boxes = grid.items.iter().enumerate();
    let corners = boxes.filter_map(|(number, item)| Some((item.node?, plane.corner(number).0)));
    let routes = (0..wires.len()).map(|wire| (wire, plane.route(wire)));
    Part {
        corners: corners.collect(),
        routes: routes.filter(|(_, points)| !points.is_empty()).collect(),
        size: Size {
            width: plane.lefts[grid.layers.len()],
            height: grid.bottom(),
        },
    }
}

/// A grid and the horizontal positions of its layers.
struct Plane<'g> {
    grid: &'g Grid,
    sizes: &'g [Size],
    wires: &'g [Wire],
    channels: Vec<Channel>,
    /// The left edge of each layer, and the right edge of the last layer.
    lefts: Vec<i32>,
    /// The width of the widest box of each layer.
    widths: Vec<i32>,
}

impl<'g> Plane<'g> {
    fn of(grid: &'g Grid, sizes: &'g [Size], wires: &'g [Wire]) -> Self {
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
        Self {
            grid,
            sizes,
            wires,
            channels,
            lefts,
            widths,
        }
    }

    /// Returns the top left corner and the width of an item. A lane, through which a wire passes a layer, is as wide as
    /// the layer.
    fn corner(&self, item: usize) -> (Point, i32) {
        let item = &self.grid.items[item];
        let room = self.widths[item.layer];
        let own = item.node.map_or(room, |node| self.sizes[node].width);
        let x = self.lefts[item.layer] + (room - own) / 2;
        (Point { x, y: item.top }, own)
    }

    /// Returns the x-coordinate at which a wire turns in the space to the right of a layer.
    fn turn(&self, layer: usize, wire: usize) -> i32 {
        let channel = &self.channels[layer];
        let net = channel.nets.iter().find(|net| net.wire == wire);
        let track = net.map_or(0, |net| net.track);
        let track = i32::try_from(track).unwrap_or_default();
        self.lefts[layer] + self.widths[layer] + channel.stubs.0 + track * TRACK
    }

    /// Returns the corners of a wire. The result is empty if the wire belongs to another group.
    fn route(&self, wire: usize) -> Vec<Point> {
        let loops = &self.grid.loops;
        if let Some((_, item)) = loops.iter().find(|(of, _)| *of == wire) {
            return self.around(wire, *item);
        }
        let segments = self
            .grid
            .segments
            .iter()
            .filter(|segment| segment.wire == wire);
        let mut points: Vec<_> = segments.flat_map(|segment| self.segment(segment)).collect();
        if self.starts_right(wire) {
            points.reverse();
        }
        points
    }

    /// Whether the start of a wire is to the right of its end.
    fn starts_right(&self, wire: usize) -> bool {
        let Wire { from, to, .. } = self.wires[wire];
        let layer = |pin: Pin| {
            let mut items = self.grid.items.iter();
            let found = items.find(|item| item.node == Some(pin.node));
            found.map(|item| item.layer)
        };
        layer(from) > layer(to)
    }

    fn segment(&self, segment: &Segment) -> [Point; 4] {
        let Segment { wire, left, right } = *segment;
        let (from, width) = self.corner(left.item);
        let (to, _) = self.corner(right.item);
        let turn = self.turn(self.grid.items[left.item].layer, wire);
        let (before, after) = (self.grid.height_of(left), self.grid.height_of(right));
        turned([from.x + width, turn, to.x], before, after)
    }

    /// Returns the route of a loop at the right side of a box.
    fn around(&self, wire: usize, item: usize) -> Vec<Point> {
        let (corner, width) = self.corner(item);
        let edge = corner.x + width;
        let turn = self.turn(self.grid.items[item].layer, wire);
        let Wire { from, to, .. } = self.wires[wire];
        turned(
            [edge, turn, edge],
            corner.y + from.below,
            corner.y + to.below,
        )
        .to_vec()
    }
}

/// Returns a route that consists of a horizontal, a vertical and another horizontal line.
fn turned([from, turn, to]: [i32; 3], before: i32, after: i32) -> [Point; 4] {
    [(from, before), (turn, before), (turn, after), (to, after)].map(|(x, y)| Point { x, y })
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

/// Collects the parts of wires in the space to the right of a layer, and assigns them to tracks.
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

/// Assigns different tracks to parts of wires that overlap vertically. Orders the tracks so that fewer lines cross.
fn assign_tracks(nets: &mut [Net]) {
    nets.sort_by_key(|net| {
        let (top, bottom) = net.span();
        match (net.is_loop, net.right > net.left) {
            // The smallest loop is the innermost.
            (true, _) => (0, bottom - top, net.wire),
            // Among the descending wires, the one that starts lowest turns first. Among the ascending wires, the one
            // that starts highest turns first.
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
