//! Places groups of boxes next to each other. Boxes in different groups are not connected.

use super::geometry::{Layout, Part, Point, ROW, Size};

/// Space between two groups.
const GAP: i32 = 2 * ROW;

/// Packs the groups into a picture that is wider than it is high. Groups that have wires are placed first, and larger
/// groups before smaller ones.
pub(super) fn pack(mut parts: Vec<Part>, boxes: usize, wires: usize) -> Layout {
    parts.sort_by_key(|part| {
        let Size { width, height } = part.size;
        (part.routes.is_empty(), -width * height)
    });
    let nowhere = Point { x: 0, y: 0 };
    let mut layout = Layout {
        corners: vec![nowhere; boxes],
        routes: vec![Vec::new(); wires],
        size: Size {
            width: 0,
            height: 0,
        },
    };
    let limit = limit(&parts);
    let mut taken: Vec<(Point, Size)> = Vec::new();
    for part in parts {
        let at = first_free(&taken, part.size, limit);
        let moved = |point: Point| Point {
            x: point.x + at.x,
            y: point.y + at.y,
        };
        for (node, corner) in part.corners {
            layout.corners[node] = moved(corner);
        }
        for (wire, points) in part.routes {
            layout.routes[wire] = points.into_iter().map(moved).collect();
        }
        let Size { width, height } = &mut layout.size;
        *width = (*width).max(at.x + part.size.width);
        *height = (*height).max(at.y + part.size.height);
        taken.push((at, part.size));
    }
    layout
}

/// Returns the largest width of the picture. A rectangle of this width and an aspect ratio of 3 to 2 has the same area
/// as all groups together. If the widest group is wider, the result is its width.
fn limit(parts: &[Part]) -> i32 {
    let area = |part: &Part| i64::from(part.size.width + GAP) * i64::from(part.size.height + GAP);
    let all: i64 = parts.iter().map(area).sum();
    let wanted = i32::try_from((all * 3 / 2).isqrt()).unwrap_or(i32::MAX);
    let widest = parts.iter().map(|part| part.size.width).max();
    widest.unwrap_or_default().max(wanted)
}

/// Returns the highest place that has enough space. If several places are equally high, returns the leftmost one.
fn first_free(taken: &[(Point, Size)], size: Size, limit: i32) -> Point {
    let mut xs = vec![0];
    let mut ys = vec![0];
    for (at, of) in taken {
        xs.push(at.x + of.width + GAP);
        // The height of the next place below is rounded up to a multiple of the row height.
        let below = at.y + of.height + GAP;
        ys.push((below + ROW - 1).div_euclid(ROW) * ROW);
    }
    xs.sort_unstable();
    ys.sort_unstable();
    let fits = |at: &Point| {
        let apart = |(of, other): &(Point, Size)| {
            at.x >= of.x + other.width + GAP
                || of.x >= at.x + size.width + GAP
                || at.y >= of.y + other.height + GAP
                || of.y >= at.y + size.height + GAP
        };
        (at.x == 0 || at.x + size.width <= limit) && taken.iter().all(apart)
    };
    let mut places = ys
        .iter()
        .flat_map(|&y| xs.iter().map(move |&x| Point { x, y }));
    // There is always enough space below all other groups.
    places.find(fits).unwrap_or(Point { x: 0, y: 0 })
}
