//! The shapes of lines: round corners, arrowheads, and labels at both ends.

use std::{collections::BTreeSet, fmt::Write};

use super::{
    class_of,
    layout::Point,
    text::{SMALL, Text, escaped},
    words::{at_ends, tooltip},
};
use crate::pictures::line::{Line, LineKind};

const RADIUS: i32 = 6;

/// Length of an arrowhead.
const HEAD: i32 = 7;

/// Draws a line with its arrowheads and labels.
pub(super) fn draw_line(
    out: &mut String,
    labelled: &mut BTreeSet<(i32, i32)>,
    line: &Line<'_>,
    route: &[Point],
) {
    let points = straightened(route);
    let ([first, second, ..], [.., before, last]) = (&*points, &*points) else {
        return;
    };
    let class = class_of(line.kind);
    let _ = writeln!(out, "<g><title>{}</title>", escaped(&tooltip(line)));
    let _ = writeln!(out, r#"<path class="{class} line" d="{}"/>"#, path(&points));
    draw_ends(out, line.kind, [*first, *second], [*last, *before]);
    let [near, far] = at_ends(line);
    for (text, end, next) in [(near, first, second), (far, last, before)] {
        // Several lines with the same label can start at the same field, so the label is drawn only
        // once.
        if !text.is_empty() && labelled.insert((end.x, end.y)) {
            label(out, class, &text, *end, *next);
        }
    }
    out.push_str("</g>\n");
}

/// Draws the arrowheads or dots at the ends of a line. Each end is passed together with its
/// neighbouring point on the line.
pub(super) fn draw_ends(
    out: &mut String,
    kind: LineKind,
    [first, second]: [Point; 2],
    [last, before]: [Point; 2],
) {
    let class = class_of(kind);
    head(out, class, before, last);
    match kind {
        LineKind::TwoWay | LineKind::Links => head(out, class, second, first),
        _ => {
            let Point { x, y } = first;
            let _ = writeln!(
                out,
                r#"<circle class="{class} end" cx="{x}" cy="{y}" r="2.5"/>"#
            );
        }
    }
}

/// Removes from a route the points in the middle of straight lines.
fn straightened(route: &[Point]) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for &point in route {
        if points.last() == Some(&point) {
            continue;
        }
        if let [.., before, last] = &*points
            && before.y == last.y
            && last.y == point.y
        {
            points.pop();
        }
        points.push(point);
    }
    points
}

/// Returns the SVG path of a line that consists of horizontal and vertical segments with round
/// corners.
fn path(points: &[Point]) -> String {
    let mut path = String::new();
    if let Some(Point { x, y }) = points.first() {
        let _ = write!(path, "M{x} {y}");
    }
    let mut windows = points.windows(3).peekable();
    while let Some([before, corner, after]) = windows.next() {
        let small = (after.y - corner.y).abs() < 2 * RADIUS && before.y == corner.y;
        if let (true, Some([_, _, end])) = (small, windows.peek())
            && (end.x > corner.x) == (corner.x > before.x)
        {
            let _ = write!(path, "{}", slope(*corner, *after, end.x > corner.x));
            windows.next();
            continue;
        }
        let start = toward(*corner, *before);
        let end = toward(*corner, *after);
        let _ = write!(
            path,
            " L{} {} Q{} {} {} {}",
            start.x, start.y, corner.x, corner.y, end.x, end.y
        );
    }
    if let Some(Point { x, y }) = points.last() {
        let _ = write!(path, " L{x} {y}");
    }
    path
}

/// Returns the point at which a round corner starts. This point is near the corner, in the
/// direction of another point.
fn toward(corner: Point, other: Point) -> Point {
    let step = |from: i32, to: i32| {
        let half = (to - from) / 2;
        from + half.clamp(-RADIUS, RADIUS)
    };
    Point {
        x: step(corner.x, other.x),
        y: step(corner.y, other.y),
    }
}

/// Returns a curve between two heights that are too close for two round corners.
fn slope(from: Point, to: Point, to_right: bool) -> String {
    let half = if to_right { 2 * RADIUS } else { -2 * RADIUS };
    let (start, end, x) = (from.x - half, from.x + half, from.x);
    format!(
        " L{start} {} C{x} {} {x} {} {end} {}",
        from.y, from.y, to.y, to.y
    )
}

fn head(out: &mut String, class: &str, before: Point, Point { x, y }: Point) {
    let back = if before.x < x { x - HEAD } else { x + HEAD };
    let _ = writeln!(
        out,
        r#"<path class="{class} end" d="M{x} {y} L{back} {} L{back} {} Z"/>"#,
        y - 4,
        y + 4
    );
}

/// Writes a label above the end of a line, outside the box.
fn label(out: &mut String, class: &str, text: &str, end: Point, next: Point) {
    let to_right = next.x > end.x;
    let text = Text {
        shown: text,
        class: &format!("{class} small"),
        cell: SMALL,
        most: usize::MAX,
    };
    let x = if to_right {
        end.x + HEAD + 2
    } else {
        end.x - HEAD - 2
    };
    text.draw(out, x, end.y - 3, !to_right);
}
