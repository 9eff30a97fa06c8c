//! The boxes of the diagram, one for each collection. A box has a row for each field.

mod row;

use std::fmt::Write;

use mongo_odm::{CollectionSchema, FieldSchema, ModelSchema, Schema};

use super::{
    layout::{Point, ROW, Size},
    text::{LARGE, NORMAL, Text, clipped_width},
};
use crate::pictures::{
    line::End,
    words::{kind, reverse, rows},
};
use row::{BoxRow, Columns, MOST};

/// Height of a box's title in pixels.
const HEAD: i32 = 30;

/// Space between a box's frame and its content in pixels.
const PAD: i32 = 11;

/// Vertical distance between the end of a line and the middle of its row. The lines of references end above the middle,
/// and those of derived data below it, so that the lines do not overlap.
const SHIFT: i32 = 3;

/// The box of a collection, ready to be drawn.
#[derive(Debug)]
pub(super) struct BoxDrawing {
    title: String,
    /// The name of the model, if the collection has only one model and no kinds.
    note: String,
    rows: Vec<BoxRow>,
    /// The rows that belong to the fields. Each entry contains the index of the model, the field's stored path, and the
    /// index of the row.
    places: Vec<(usize, String, usize)>,
    columns: Columns,
    width: i32,
}

/// Creates the boxes in the order of the collections.
pub(super) fn boxes(schema: &Schema) -> Vec<BoxDrawing> {
    let mut before = 0;
    let collections = schema.collections.iter();
    let boxes = collections.map(|collection| {
        let first = before;
        before += collection.models.len();
        BoxDrawing::of(collection, first)
    });
    boxes.collect()
}

impl BoxDrawing {
    /// Creates the box of a collection. The first of the collection's models has the index `first`.
    fn of(collection: &CollectionSchema, first: usize) -> Self {
        let mut rows = Vec::new();
        let mut places = Vec::new();
        let whole = match &*collection.models {
            [model] if model.kind.is_none() => Some(model),
            _ => None,
        };
        for (model, number) in collection.models.iter().zip(first..) {
            if whole.is_none() {
                let rule = kind(model).unwrap_or_default();
                rows.push(BoxRow::kind(&model.name, rule));
            }
            add_fields(&mut rows, &mut places, model, number);
        }
        let (implied, declared): (Vec<_>, Vec<_>) = collection
            .indexes
            .iter()
            .partition(|index| index.is_implied());
        rows.extend(declared.into_iter().chain(implied).map(BoxRow::index));
        let columns = Columns::of(&rows);
        let title = collection.name.clone();
        let note = whole.map_or_else(String::new, |model| model.name.clone());
        let head = clipped_width(&title, LARGE, MOST) + 20 + clipped_width(&note, NORMAL, MOST);
        let widths = rows.iter().map(|row| row.width(columns));
        let width = widths.chain([head]).max().unwrap_or_default() + 2 * PAD;
        Self {
            title,
            note,
            rows,
            places,
            columns,
            // With an even width, the left edge of a centred box is at a whole pixel.
            width: width + width % 2,
        }
    }

    pub(super) fn size(&self) -> Size {
        let rows = i32::try_from(self.rows.len()).unwrap_or_default();
        Size {
            width: self.width,
            height: HEAD + rows * ROW + 4,
        }
    }

    /// Returns the distance between the top of the box and the end of a line. Returns `None` if the model is in a
    /// different box.
    pub(super) fn pin(&self, end: End<'_>, lowered: bool) -> Option<i32> {
        let mut own = self.places.iter().filter(|(model, ..)| *model == end.model);
        let found = self.row_of(end);
        let row = match found {
            Some(row) => row,
            // If neither the path nor a path above it is visible, the line ends at the first row of the model.
            None => own.next().map(|(_, _, row)| *row)?,
        };
        let shift = if lowered { SHIFT } else { -SHIFT };
        let row = i32::try_from(row).unwrap_or_default();
        Some(HEAD + row * ROW + ROW / 2 + shift)
    }

    /// Returns the row of a field, or the row of the longest visible path that contains the field.
    fn row_of(&self, end: End<'_>) -> Option<usize> {
        let above = self.places.iter().filter(|(model, path, _)| {
            let rest = end.path.strip_prefix(path.as_str());
            *model == end.model && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        let longest = above.max_by_key(|(_, path, _)| path.len());
        longest.map(|(_, _, row)| *row)
    }

    /// Draws a box. The top left corner of the box is at the given point.
    pub(super) fn draw(&self, out: &mut String, Point { x, y }: Point) {
        let Size { width, height } = self.size();
        let _ = writeln!(
            out,
            r#"<g><rect class="box" x="{x}" y="{y}" width="{width}" height="{height}" rx="5"/>"#
        );
        let (right, low) = (x + width, y + HEAD - 4);
        let _ = writeln!(
            out,
            r#"<path class="head" d="M{x} {low} V{} Q{x} {y} {} {y} H{} Q{right} {y} {right} {} V{low} Z"/>"#,
            y + 5,
            x + 5,
            right - 5,
            y + 5
        );
        let title = Text {
            shown: &self.title,
            class: "head-text",
            cell: LARGE,
            most: MOST,
        };
        title.draw(out, x + PAD, y + 17, false);
        let note = Text {
            shown: &self.note,
            class: "head-note",
            cell: NORMAL,
            most: MOST,
        };
        note.draw(out, right - PAD, y + 17, true);
        let mut top = y + HEAD;
        let mut before = None;
        for row in &self.rows {
            if row.begins_part(before) {
                let _ = writeln!(
                    out,
                    r#"<path class="rule" d="M{} {top} H{}"/>"#,
                    x + 1,
                    right - 1
                );
            }
            row.draw(out, Point { x, y: top }, self.columns, width);
            before = Some(row);
            top += ROW;
        }
        out.push_str("</g>\n");
    }
}

fn add_fields(
    all: &mut Vec<BoxRow>,
    places: &mut Vec<(usize, String, usize)>,
    model: &ModelSchema,
    number: usize,
) {
    for (depth, field) in rows(model) {
        let FieldSchema { path, .. } = field;
        places.push((number, path.clone(), all.len()));
        all.push(BoxRow::field(depth, field));
    }
    if !model.shard_key.is_empty() {
        all.push(BoxRow::shard_key(&model.shard_key));
    }
    all.extend(
        model
            .has_many
            .iter()
            .map(|relation| BoxRow::has(&reverse(relation))),
    );
}
