//! The rows of a collection's box.

use std::fmt::Write;

use mongo_odm::{DerivedKind, FieldSchema, IndexSpec};

use super::PAD;
use crate::pictures::{
    line::LineKind,
    svg::{
        class_of,
        layout::{Point, ROW},
        text::{NORMAL, Text, clipped_width},
    },
    words::{index_row, notes},
};

/// Largest width of the text in a row, in cells.
pub(super) const MOST: usize = 60;

/// Largest widths of the name, the type and the notes, in cells.
const MOST_OF: [usize; 3] = [40, 36, 44];

/// Space between two columns, in pixels.
const GAP: i32 = 14;

/// Indentation of each level of embedded fields, in pixels.
const INDENT: i32 = 14;

/// Horizontal positions of the columns, measured from the inner edge of the frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    types: i32,
    notes: i32,
}

#[derive(Debug)]
pub(super) enum BoxRow {
    /// The first row of a kind: its model, and the condition that selects its documents.
    Kind { model: String, rule: String },
    Field {
        depth: i32,
        name: String,
        ty: String,
        notes: String,
        class: &'static str,
    },
    /// A row for a shard key, an index, or a relation from other models.
    Also { text: String, class: &'static str },
}

impl BoxRow {
    pub(super) fn kind(model: &str, rule: String) -> Self {
        Self::Kind {
            model: model.to_owned(),
            rule,
        }
    }

    pub(super) fn field(depth: usize, field: &FieldSchema) -> Self {
        Self::Field {
            depth: i32::try_from(depth).unwrap_or_default(),
            name: field.stored.clone(),
            ty: field.rust_type.clone(),
            notes: notes(field),
            class: class(field),
        }
    }

    pub(super) fn has(text: &str) -> Self {
        let text = format!("has {text}");
        Self::Also {
            text,
            class: "quiet",
        }
    }

    pub(super) fn shard_key(paths: &[String]) -> Self {
        let text = format!("shard key {}", paths.join(", "));
        Self::Also {
            text,
            class: "quiet",
        }
    }

    pub(super) fn index(of: &IndexSpec) -> Self {
        Self::Also {
            text: index_row(of),
            class: if of.is_implied() { "faint" } else { "quiet" },
        }
    }

    /// Whether a horizontal line separates this row from the row above it.
    pub(super) fn begins_part(&self, before: Option<&Self>) -> bool {
        matches!(self, Self::Also { .. }) && matches!(before, Some(Self::Field { .. }))
    }

    pub(super) fn width(&self, columns: Columns) -> i32 {
        match self {
            Self::Kind { model, rule } => {
                clipped_width(model, NORMAL, MOST) + GAP + clipped_width(rule, NORMAL, MOST)
            }
            Self::Field { notes, ty, .. } => {
                let [_, most_of_type, most] = MOST_OF;
                let to_type = columns.types + clipped_width(ty, NORMAL, most_of_type);
                match clipped_width(notes, NORMAL, most) {
                    0 => to_type,
                    width => columns.notes + width,
                }
            }
            Self::Also { text, .. } => clipped_width(text, NORMAL, MOST),
        }
    }

    /// Draws a row. The top left corner of the row is at the given point.
    pub(super) fn draw(&self, out: &mut String, at: Point, columns: Columns, width: i32) {
        let (left, base) = (at.x + PAD, at.y + 13);
        match self {
            Self::Kind { model, rule } => {
                let _ = writeln!(
                    out,
                    r#"<rect class="kind" x="{}" y="{}" width="{}" height="{}"/>"#,
                    at.x + 1,
                    at.y - 3,
                    width - 2,
                    ROW + 2
                );
                text(model, "bold", MOST).draw(out, left, base, false);
                text(rule, "quiet", MOST).draw(out, at.x + width - PAD, base, true);
            }
            Self::Field {
                depth,
                name,
                ty,
                notes,
                class,
            } => {
                for level in 0..*depth {
                    let x = left + level * INDENT + 4;
                    let _ = writeln!(
                        out,
                        r#"<path class="guide" d="M{x} {} V{}"/>"#,
                        at.y,
                        at.y + ROW
                    );
                }
                let [of_name, of_type, of_notes] = MOST_OF;
                text(name, class, of_name).draw(out, left + depth * INDENT, base, false);
                text(ty, "type", of_type).draw(out, left + columns.types, base, false);
                // In a plain field, the notes have a different colour from the name.
                let class = if *class == "plain" { "quiet" } else { class };
                text(notes, class, of_notes).draw(out, left + columns.notes, base, false);
            }
            Self::Also { text: shown, class } => {
                text(shown, class, MOST).draw(out, left, base, false);
            }
        }
    }
}

fn text<'t>(text: &'t str, class: &'t str, most: usize) -> Text<'t> {
    Text {
        shown: text,
        class,
        cell: NORMAL,
        most,
    }
}

impl Columns {
    pub(super) fn of(rows: &[BoxRow]) -> Self {
        let mut columns = Self { types: 0, notes: 0 };
        let [of_name, of_type, _] = MOST_OF;
        for row in rows {
            if let BoxRow::Field { depth, name, .. } = row {
                let end = depth * INDENT + clipped_width(name, NORMAL, of_name);
                columns.types = columns.types.max(end + GAP);
            }
        }
        columns.notes = columns.types;
        for row in rows {
            if let BoxRow::Field { ty, .. } = row {
                let end = columns.types + clipped_width(ty, NORMAL, of_type);
                columns.notes = columns.notes.max(end + GAP);
            }
        }
        columns
    }
}

/// Returns the CSS class of a field, which is the class of the lines that the field declares.
fn class(field: &FieldSchema) -> &'static str {
    if let Some(derived) = &field.derived {
        return class_of(match derived.kind {
            DerivedKind::Copy => LineKind::Copy,
            DerivedKind::Snapshot => LineKind::Snapshot,
            _ => LineKind::Summary,
        });
    }
    match &*field.references {
        _ if field.links.is_some() => class_of(LineKind::Links),
        [] if field.path == "_id" => "bold",
        [] => "plain",
        references if references.iter().any(|it| it.inverse.is_some()) => {
            class_of(LineKind::TwoWay)
        }
        _ => class_of(LineKind::Reference),
    }
}
