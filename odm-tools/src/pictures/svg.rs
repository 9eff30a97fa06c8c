//! Draws a schema as boxes that contain rows, with lines between the rows.
//!
//! All sizes are whole pixels, and every label has a fixed width. So the picture of a schema is the same on every
//! machine.
//!
//! # Why the layout is our own code
//!
//! We compared our layout with layout-rs 0.1.3, dagre 0.1.2 and Graphviz 2.42, on schemas of 5, 12 and 40 models:
//!
//! | program | lines end at | reason against it |
//! |---|---|---|
//! | layout-rs 0.1.3 | boxes | the picture does not show which field refers to which |
//! | dagre 0.1.2 | boxes | the picture does not show which field refers to which |
//! | Graphviz 2.42 | rows | users have to install a program; its pictures are not more readable than ours |
//!
//! If you prefer the layout of Graphviz, use [`Pictures::dot`](crate::Pictures::dot).

mod boxes;
mod layout;
mod legend;
mod line_shape;
mod text;
mod words;

use std::{collections::BTreeSet, fmt::Write};

use mongo_odm::Schema;

use super::line::{Line, LineKind, lines};
use boxes::{BoxDrawing, boxes};
use layout::{Pin, Point, Wire, lay_out};
use line_shape::draw_line;

/// Space around the picture.
const MARGIN: i32 = 24;

/// Distance between the two ends of a line that starts and ends at the same row.
const TURN: i32 = 8;

/// Returns the picture as SVG text.
pub(super) fn picture(schema: &Schema) -> String {
    let boxes = boxes(schema);
    let lines = lines(schema);
    let drawn: Vec<_> = lines
        .iter()
        .filter_map(|line| Some((line, wire(&boxes, line)?)))
        .collect();
    let sizes: Vec<_> = boxes.iter().map(BoxDrawing::size).collect();
    let wires: Vec<_> = drawn.iter().map(|(_, wire)| *wire).collect();
    let layout = lay_out(&sizes, &wires);
    let mut body = String::new();
    let mut labelled = BTreeSet::new();
    for ((line, _), route) in drawn.iter().zip(&layout.routes) {
        let route: Vec<_> = route.iter().map(|point| moved(*point)).collect();
        draw_line(&mut body, &mut labelled, line, &route);
    }
    for (of, corner) in boxes.iter().zip(&layout.corners) {
        of.draw(&mut body, moved(*corner));
    }
    let mut kinds: Vec<_> = drawn.iter().map(|(line, _)| line.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let width = layout.size.width.max(legend::LEAST_WIDTH) + 2 * MARGIN;
    let top = layout.size.height + 2 * MARGIN;
    let height = top + legend::draw(&mut body, &kinds, MARGIN, top, width - 2 * MARGIN);
    framed(&body, schema, width, height)
}

fn moved(point: Point) -> Point {
    Point {
        x: point.x + MARGIN,
        y: point.y + MARGIN,
    }
}

/// Returns the wire for a line, which connects two rows. Returns `None` if one of its models is not in the picture.
fn wire(boxes: &[BoxDrawing], line: &Line<'_>) -> Option<Wire> {
    let lowered = line.kind.is_derived();
    let [from, to] = [line.from, line.to].map(|end| {
        let mut all = boxes.iter().enumerate();
        all.find_map(|(node, of)| Some((node, of.pin(end, lowered)?)))
    });
    let ((from_node, from), (to_node, mut to)) = (from?, to?);
    if line.from == line.to {
        // If an array is its own inverse, its line starts and ends at the same row.
        to += TURN;
    }
    let [near, far] = words::at_ends(line).map(|text| text::width(&text, text::SMALL));
    Some(Wire {
        from: Pin {
            node: from_node,
            below: from,
            text: near,
        },
        to: Pin {
            node: to_node,
            below: to,
            text: far,
        },
        leads: !lowered,
    })
}

fn framed(body: &str, schema: &Schema, width: i32, height: i32) -> String {
    let mut text = String::new();
    let count = schema.collections.len();
    let _ = writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">"#
    );
    let plural = if count == 1 { "" } else { "s" };
    let _ = writeln!(text, "<title>Schema of {count} collection{plural}</title>");
    text.push_str(STYLE);
    let _ = writeln!(
        text,
        r#"<rect class="canvas" x="0.5" y="0.5" width="{}" height="{}" rx="8"/>"#,
        width - 1,
        height - 1
    );
    text + body + "</svg>\n"
}

/// The background is light, so that the picture is readable even on a dark page. Each label has a fixed width, so its
/// font does not matter.
const STYLE: &str = "<style>
text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace; font-size: 11px; fill: #0f172a }
.canvas { fill: #f8fafc; stroke: #e2e8f0 }
.box { fill: #ffffff; stroke: #94a3b8 }
.head { fill: #334155 }
.head-text { fill: #ffffff; font-size: 12px; font-weight: bold }
.head-note { fill: #cbd5e1 }
.kind { fill: #e2e8f0 }
.bold { font-weight: bold }
.type { fill: #64748b }
.quiet { fill: #64748b }
.faint { fill: #94a3b8 }
.rule { stroke: #e2e8f0 }
.guide { stroke: #cbd5e1 }
.line { fill: none; stroke-width: 1.4 }
.small { font-size: 9.5px }
.reference.line { stroke: #2563eb } .reference.end, text.reference { fill: #2563eb }
.two-way.line { stroke: #7c3aed } .two-way.end, text.two-way { fill: #7c3aed }
.links.line { stroke: #0e7490 } .links.end, text.links { fill: #0e7490 }
.copy.line { stroke: #c2410c; stroke-dasharray: 5 3 } .copy.end, text.copy { fill: #c2410c }
.snapshot.line { stroke: #be185d; stroke-dasharray: 1.5 3 } .snapshot.end, text.snapshot { fill: #be185d }
.summary.line { stroke: #15803d; stroke-dasharray: 5 3 } .summary.end, text.summary { fill: #15803d }
</style>
";

/// Returns the CSS class for a kind of line.
const fn class_of(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Reference => "reference",
        LineKind::TwoWay => "two-way",
        LineKind::Links => "links",
        LineKind::Copy => "copy",
        LineKind::Snapshot => "snapshot",
        LineKind::Summary => "summary",
    }
}
