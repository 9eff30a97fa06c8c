//! Writes a schema in DOT, the language of Graphviz.

use std::fmt::Write;

use mongo_odm::{CollectionSchema, FieldSchema, ModelSchema, Schema};

use super::{
    line::{End, Line, LineKind, lines, models},
    words::{derived, index_row, indexes_at, kind, notes, reverse, rows, visible},
};

const HEAD: &str = r##"digraph schema {
    graph [rankdir=LR, nodesep=0.4, ranksep=1.2];
    node [shape=record, fontname="monospace", fontsize=10, color="#64748b"];
    edge [fontname="monospace", fontsize=9, color="#2563eb"];
"##;

/// Returns the text of the graph.
pub(super) fn text(schema: &Schema) -> String {
    let models = models(schema);
    let mut text = HEAD.to_owned();
    for (number, (collection, model)) in models.iter().enumerate() {
        let label = record(collection, model);
        let _ = writeln!(text, "    m{number} [label=\"{label}\"];");
    }
    for line in lines(schema) {
        let from = port(&models, line.from);
        let to = port(&models, line.to);
        let _ = writeln!(text, "    {from} -> {to} [{}];", style(&line));
    }
    text.push_str("}\n");
    text
}

fn record(collection: &CollectionSchema, model: &ModelSchema) -> String {
    let kind = kind(model).map(|kind| format!(" where {kind}"));
    let place = collection.name.clone() + &kind.unwrap_or_default();
    let mut cells = vec![format!("{}\\n{}", escaped(&place), escaped(&model.name))];
    for (number, (depth, field)) in rows(model).into_iter().enumerate() {
        cells.push(format!("<f{number}> {}\\l", row(depth, field)));
    }
    for relation in &model.has_many {
        cells.push(format!("has {}\\l", escaped(&reverse(relation))));
    }
    let indexes = indexes_at(collection, model).into_iter();
    cells.extend(indexes.map(|shown| format!("{}\\l", escaped(&index_row(shown)))));
    cells.join("|")
}

fn row(depth: usize, field: &FieldSchema) -> String {
    let mut row = "\\ \\ ".repeat(depth) + &escaped(&field.stored);
    if !field.rust_type.is_empty() {
        let _ = write!(row, ": {}", escaped(&field.rust_type));
    }
    let notes = notes(field);
    if !notes.is_empty() {
        let _ = write!(row, " · {}", escaped(&notes));
    }
    row
}

/// Returns the DOT address of a field's cell, or of the whole record if the field is not shown.
fn port(models: &[(&CollectionSchema, &ModelSchema)], end: End<'_>) -> String {
    let of_model = models.get(end.model).map(|(_, model)| rows(model));
    let mut rows = of_model.unwrap_or_default().into_iter();
    match rows.position(|(_, field)| field.path == end.path) {
        Some(row) => format!("m{}:f{row}", end.model),
        None => format!("m{}", end.model),
    }
}

fn style(line: &Line<'_>) -> String {
    let ends = line.many.map(|(here, there)| {
        let (here, there) = (here.sign(), there.sign());
        format!("taillabel=\"{here}\", headlabel=\"{there}\"")
    });
    let how = line
        .field
        .derived
        .as_ref()
        .filter(|_| line.kind.is_derived());
    let label = how.map(|how| format!("label=\"{}\"", escaped(&derived(how))));
    let style = match line.kind {
        LineKind::Reference => "",
        LineKind::TwoWay | LineKind::Links => ", dir=both, color=\"#7c3aed\"",
        LineKind::Copy => ", style=dashed, color=\"#b45309\"",
        LineKind::Snapshot => ", style=dotted, color=\"#b45309\"",
        LineKind::Summary => ", style=dashed, color=\"#15803d\"",
    };
    ends.or(label).unwrap_or_default() + style
}

/// Escapes the characters that have a special meaning in a record.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars().map(visible) {
        match letter {
            '\\' => escaped.push_str("\\\\"),
            '"' => escaped.push_str("\\\""),
            '{' | '}' | '|' | '<' | '>' => escaped.extend(['\\', letter]),
            // `&` is escaped because Graphviz interprets XML entities in labels.
            '&' => escaped.push_str("&amp;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_means_something_in_a_record() {
        assert_eq!(escaped(r#"a"{b}|<c>\l"#), r#"a\"\{b\}\|\<c\>\\l"#);
        assert_eq!(escaped("&lt;\n"), "&amp;lt;\u{fffd}");
    }
}
