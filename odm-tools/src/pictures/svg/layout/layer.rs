//! Assigns boxes to layers.

use std::collections::{BTreeMap, BTreeSet};

use super::geometry::Wire;

/// The layers of a group of connected boxes, from left to right.
#[derive(Debug)]
pub(super) struct Layers {
    /// The index of the layer that contains each box.
    pub(super) of: BTreeMap<usize, usize>,
    pub(super) count: usize,
}

/// Groups the boxes that are connected by wires. Within a group, the boxes keep their order.
pub(super) fn connected(count: usize, wires: &[Wire]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..count).collect();
    for wire in wires {
        let (one, other) = (group[wire.from.node], group[wire.to.node]);
        let (kept, gone) = (one.min(other), one.max(other));
        for of in &mut group {
            if *of == gone {
                *of = kept;
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (node, of) in group.into_iter().enumerate() {
        groups.entry(of).or_default().push(node);
    }
    groups.into_values().collect()
}

/// Assigns each box in a group to a layer, so that as many wires as possible run from left to right.
pub(super) fn layers(nodes: &[usize], wires: &[Wire]) -> Layers {
    let mut arrows = without_cycles(nodes, &arrows(nodes, wires));
    share_sides(nodes, &mut arrows);
    let mut of: BTreeMap<usize, usize> = nodes.iter().map(|&node| (node, 0)).collect();
    // One round for each box is sufficient, because the longest path visits each box at most once.
    for _ in nodes {
        for (from, to) in &arrows {
            let next = of[from] + 1;
            of.entry(*to).and_modify(|layer| *layer = next.max(*layer));
        }
    }
    // A box without incoming arrows is moved next to its nearest target.
    for node in nodes {
        let is_first = arrows.iter().all(|(_, to)| to != node);
        let next = arrows.iter().filter(|(from, _)| from == node);
        let next = next.map(|(_, to)| of[to]).min();
        if let (true, Some(next)) = (is_first, next) {
            of.insert(*node, next - 1);
        }
    }
    let count = of.values().max().map_or(0, |last| last + 1);
    Layers { of, count }
}

/// Largest number of boxes that should be on one side of a common box. With more boxes, the picture would be too high.
const MOST_AT_A_SIDE: usize = 5;

/// Finds boxes that all refer only to the same box, and moves half of them to the other side of this box.
fn share_sides(nodes: &[usize], arrows: &mut [(usize, usize)]) {
    let at = |node: usize, (from, to): &(usize, usize)| *from == node || *to == node;
    for &center in nodes {
        let is_leaf = |(from, to): &(usize, usize)| {
            *to == center && arrows.iter().filter(|arrow| at(*from, arrow)).count() == 1
        };
        let leaves: Vec<usize> = (0..arrows.len())
            .filter(|&arrow| is_leaf(&arrows[arrow]))
            .collect();
        if leaves.len() > MOST_AT_A_SIDE {
            for arrow in leaves.into_iter().skip(1).step_by(2) {
                let (from, to) = arrows[arrow];
                arrows[arrow] = (to, from);
            }
        }
    }
}

/// Lists the pairs of boxes that are connected by wires, without duplicates. Pairs for which a wire determines the
/// order of the boxes are listed first.
fn arrows(nodes: &[usize], wires: &[Wire]) -> Vec<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    let mut arrows = Vec::new();
    let leading = wires.iter().filter(|wire| wire.leads);
    let others = wires.iter().filter(|wire| !wire.leads);
    for wire in leading.chain(others) {
        let (from, to) = if wire.leads {
            (wire.from.node, wire.to.node)
        } else {
            (wire.to.node, wire.from.node)
        };
        let is_new = nodes.contains(&from) && from != to;
        if is_new && pairs.insert((from.min(to), from.max(to))) {
            arrows.push((from, to));
        }
    }
    arrows
}

/// Reverses the arrows that would close a cycle. A depth-first search finds these arrows.
fn without_cycles(nodes: &[usize], arrows: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let leads_out = |node: &usize| arrows.iter().filter(|(from, _)| from == node).count();
    let leads_in = |node: &usize| arrows.iter().filter(|(_, to)| to == node).count();
    let mut beginnings = nodes.to_vec();
    beginnings.sort_by_key(|node| leads_in(node).saturating_sub(leads_out(node)));
    let mut walk = Walk {
        arrows,
        done: BTreeSet::new(),
        on_the_way: Vec::new(),
        straight: Vec::new(),
    };
    for node in beginnings {
        walk.visit(node);
    }
    walk.straight
}

struct Walk<'a> {
    arrows: &'a [(usize, usize)],
    done: BTreeSet<usize>,
    on_the_way: Vec<usize>,
    straight: Vec<(usize, usize)>,
}

impl Walk<'_> {
    fn visit(&mut self, node: usize) {
        if !self.done.insert(node) {
            return;
        }
        self.on_the_way.push(node);
        for &(_, to) in self.arrows.iter().filter(|(from, _)| *from == node) {
            if self.on_the_way.contains(&to) {
                self.straight.push((to, node));
            } else {
                self.straight.push((node, to));
                self.visit(to);
            }
        }
        self.on_the_way.pop();
    }
}
