//! The legend, which explains the kinds of lines.

use std::fmt::Write;

use super::{
    class_of,
    layout::Point,
    line_shape::draw_ends,
    text::{NORMAL, Text, width},
};
use crate::pictures::line::LineKind;

/// The smallest width at which the legend is readable.
pub(super) const LEAST_WIDTH: i32 = 420;

const SAMPLE: i32 = 30;

/// Draws the legend for the given kinds of lines at a point, and returns its height.
pub(super) fn draw(out: &mut String, kinds: &[LineKind], left: i32, top: i32, room: i32) -> i32 {
    if kinds.is_empty() {
        return 0;
    }
    let _ = writeln!(
        out,
        r#"<path class="rule" d="M{left} {} H{}"/>"#,
        top - 4,
        left + room
    );
    let (mut x, mut y) = (left, top + 16);
    for kind in kinds {
        let words = words(*kind);
        let wide = SAMPLE + 8 + width(words, NORMAL);
        if x > left && x + wide > left + room {
            x = left;
            y += 18;
        }
        sample(out, *kind, x, y - 4);
        let text = Text {
            shown: words,
            class: "quiet",
            cell: NORMAL,
            most: usize::MAX,
        };
        text.draw(out, x + SAMPLE + 8, y, false);
        x += wide + 24;
    }
    y + 18 - top
}

fn sample(out: &mut String, kind: LineKind, x: i32, y: i32) {
    let class = class_of(kind);
    let (start, end) = (Point { x, y }, Point { x: x + SAMPLE, y });
    let _ = writeln!(
        out,
        r#"<path class="{class} line" d="M{x} {y} L{} {y}"/>"#,
        end.x
    );
    draw_ends(out, kind, [start, end], [end, start]);
}

fn words(kind: LineKind) -> &'static str {
    match kind {
        LineKind::Reference => "reference (n:1: many here refer to one there)",
        LineKind::TwoWay => "two-way reference",
        LineKind::Links => "links of one collection",
        LineKind::Copy => "copy that follows its source",
        LineKind::Snapshot => "snapshot: a copy that stays",
        LineKind::Summary => "list or summary of other documents",
    }
}
