use super::*;

/// Returns random boxes, and random wires between them. Some wires connect a box to itself.
fn random(seed: u64) -> (Vec<Size>, Vec<Wire>) {
    let mut random = fastrand::Rng::with_seed(seed);
    let count = random.usize(1..14);
    let sizes: Vec<_> = (0..count)
        .map(|_| Size {
            width: 2 * random.i32(50..150),
            height: 34 + ROW * random.i32(1..12),
        })
        .collect();
    let wires = (0..random.usize(0..2 * count))
        .map(|_| {
            let leads = random.bool();
            let mut pin = || {
                let node = random.usize(0..count);
                let rows = (sizes[node].height - 34) / ROW;
                let shift = if leads { -3 } else { 3 };
                Pin {
                    node,
                    below: 30 + ROW * random.i32(0..rows) + ROW / 2 + shift,
                    text: random.i32(0..40),
                }
            };
            Wire {
                from: pin(),
                to: pin(),
                leads,
            }
        })
        .collect();
    (sizes, wires)
}

fn each(check: impl Fn(&[Size], &[Wire], &Layout)) {
    for seed in 0..300 {
        let (sizes, wires) = random(seed);
        let layout = lay_out(&sizes, &wires);
        check(&sizes, &wires, &layout);
    }
}

#[test]
fn no_two_boxes_overlap() {
    each(|sizes, _, layout| {
        let boxes: Vec<_> = layout.corners.iter().zip(sizes).collect();
        for (number, (at, size)) in boxes.iter().enumerate() {
            assert!(at.x >= 0 && at.x + size.width <= layout.size.width);
            assert!(at.y >= 0 && at.y + size.height <= layout.size.height);
            for (other, of) in &boxes[number + 1..] {
                let beside = at.x + size.width < other.x || other.x + of.width < at.x;
                let above = at.y + size.height < other.y || other.y + of.height < at.y;
                assert!(beside || above, "{at:?} {size:?} and {other:?} {of:?}");
            }
        }
    });
}

#[test]
fn every_wire_leads_from_its_row_to_its_row() {
    each(|sizes, wires, layout| {
        for (wire, route) in wires.iter().zip(&layout.routes) {
            for (pin, end) in [(wire.from, route[0]), (wire.to, route[route.len() - 1])] {
                let corner = layout.corners[pin.node];
                let right = corner.x + sizes[pin.node].width;
                assert!(end.x == corner.x || end.x == right, "{wire:?} {route:?}");
                assert_eq!(end.y, corner.y + pin.below);
            }
            for pair in route.windows(2) {
                assert!(
                    pair[0].x == pair[1].x || pair[0].y == pair[1].y,
                    "{route:?}"
                );
            }
        }
    });
}

#[test]
fn no_wire_crosses_a_box_or_leaves_the_picture() {
    each(|sizes, _, layout| {
        for pair in layout.routes.iter().flat_map(|route| route.windows(2)) {
            let (left, right) = (pair[0].x.min(pair[1].x), pair[0].x.max(pair[1].x));
            let (top, bottom) = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
            assert!(left >= 0 && top >= 0);
            assert!(right <= layout.size.width && bottom <= layout.size.height);
            for (at, size) in layout.corners.iter().zip(sizes) {
                let beside = right <= at.x || left >= at.x + size.width;
                let above = bottom <= at.y || top >= at.y + size.height;
                assert!(beside || above, "{pair:?} crosses {at:?} {size:?}");
            }
        }
    });
}

#[test]
fn no_two_wires_go_up_or_down_at_one_place() {
    each(|_, _, layout| {
        let mut upright = Vec::new();
        for (wire, route) in layout.routes.iter().enumerate() {
            for pair in route.windows(2).filter(|pair| pair[0].x == pair[1].x) {
                let ends = (pair[0].y.min(pair[1].y), pair[0].y.max(pair[1].y));
                upright.push((wire, pair[0].x, ends));
            }
        }
        for (number, (wire, x, ends)) in upright.iter().enumerate() {
            for (other, of_x, of) in &upright[number + 1..] {
                let apart = wire == other || x != of_x || ends.1 < of.0 || of.1 < ends.0;
                assert!(
                    apart || ends.0 == ends.1 || of.0 == of.1,
                    "{wire} and {other} at {x}"
                );
            }
        }
    });
}

#[test]
fn a_wire_between_two_boxes_alone_is_straight() {
    let size = Size {
        width: 200,
        height: 124,
    };
    let pin = |node, below| Pin {
        node,
        below,
        text: 17,
    };
    let wire = Wire {
        from: pin(0, 90),
        to: pin(1, 36),
        leads: true,
    };
    let layout = lay_out(&[size, size], &[wire]);
    let heights: Vec<_> = layout.routes[0].iter().map(|point| point.y).collect();
    assert!(
        heights.iter().all(|height| *height == heights[0]),
        "{heights:?}"
    );
    assert!(layout.corners[0].x < layout.corners[1].x);
}

#[test]
fn no_two_wires_without_a_common_end_run_along_each_other() {
    each(|_, _, layout| {
        let mut level = Vec::new();
        for route in &layout.routes {
            let ends = [route[0], route[route.len() - 1]];
            for pair in route.windows(2).filter(|pair| pair[0].y == pair[1].y) {
                let span = (pair[0].x.min(pair[1].x), pair[0].x.max(pair[1].x));
                level.push((ends, pair[0].y, span));
            }
        }
        for (number, (ends, y, span)) in level.iter().enumerate() {
            for (others, of_y, of) in &level[number + 1..] {
                let apart = y != of_y || span.1 <= of.0 || of.1 <= span.0;
                let related = ends.iter().any(|end| others.contains(end));
                assert!(
                    apart || related,
                    "at {y}: {ends:?} {span:?} and {others:?} {of:?}"
                );
            }
        }
    });
}

#[test]
fn boxes_around_another_one_stand_on_both_sides() {
    let size = Size {
        width: 200,
        height: 124,
    };
    let wire = |node| Wire {
        from: Pin {
            node,
            below: 54,
            text: 17,
        },
        to: Pin {
            node: 0,
            below: 36,
            text: 0,
        },
        leads: true,
    };
    let wires: Vec<_> = (1..21).map(wire).collect();
    let layout = lay_out(&[size; 21], &wires);
    let (center, around) = layout.corners.split_first().unwrap();
    let left = around.iter().filter(|at| at.x < center.x).count();
    assert_eq!(left, 10);
    // The route of a wire starts at the box that contains the reference, even if its arrow was
    // reversed.
    assert!(wires.iter().zip(&layout.routes).all(|(wire, route)| {
        let begins_at = layout.corners[wire.from.node];
        (route[0].x < center.x) == (begins_at.x < center.x)
    }));
}
