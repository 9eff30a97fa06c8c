//! Writes a schema as a Mermaid class diagram.
//!
//! An entity-relationship diagram would not work. In such a diagram, types such as `Vec<Id<Part>>` are syntax errors,
//! and dashed lines have no direction.

use std::{collections::BTreeSet, fmt::Write};

use mongo_odm::{CollectionSchema, FieldSchema, ModelSchema, Schema};

use super::{
    line::{Line, LineKind, lines, models},
    words::{derived, index_row, indexes_at, kind, notes, reverse, rows, visible},
};

/// Returns the text of the diagram.
pub(super) fn text(schema: &Schema) -> String {
    let models = models(schema);
    let names = names(models.iter().map(|(_, model)| model.name.as_str()));
    let mut text = "classDiagram\n    direction LR\n".to_owned();
    for ((collection, model), name) in models.iter().zip(&names) {
        class(&mut text, name, collection, model);
    }
    for line in lines(schema) {
        text.extend(relation(&names, &line));
    }
    text
}

/// Returns a valid class name for each model. In Mermaid, a class name may contain only letters, digits and `_`.
fn names<'s>(models: impl Iterator<Item = &'s str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut names = Vec::new();
    for model in models {
        let plain = |letter: char| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '_'
            }
        };
        let mut name: String = model.chars().map(plain).collect();
        // Names that begin with a lower-case letter are avoided, because some of them are Mermaid keywords.
        if !name.starts_with(|first: char| first.is_ascii_uppercase()) {
            name.insert_str(0, "M_");
        }
        let mut number = 1;
        let first = name.clone();
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{first}_{number}");
        }
        names.push(name);
    }
    names
}

fn class(text: &mut String, name: &str, collection: &CollectionSchema, model: &ModelSchema) {
    let title = if *name == model.name {
        String::new()
    } else {
        format!("[\"{}\"]", escaped(&model.name))
    };
    let _ = writeln!(text, "    class {name}{title} {{");
    let kind = kind(model).map(|kind| format!(" where {kind}"));
    let place = collection.name.clone() + &kind.unwrap_or_default();
    let _ = writeln!(text, "        <<{}>>", escaped(&place));
    for (_, field) in rows(model) {
        let _ = writeln!(text, "        {}", member(field));
    }
    for relation in &model.has_many {
        let _ = writeln!(text, "        has {}", escaped(&reverse(relation)));
    }
    for shown in indexes_at(collection, model) {
        let _ = writeln!(text, "        {}", escaped(&index_row(shown)));
    }
    text.push_str("    }\n");
}

fn member(field: &FieldSchema) -> String {
    let mut member = escaped(&field.path);
    if !field.rust_type.is_empty() {
        let _ = write!(member, ": {}", type_of(&field.rust_type));
    }
    let notes = notes(field);
    if !notes.is_empty() {
        let _ = write!(member, " · {}", escaped(&notes));
    }
    member
}

/// Converts a Rust type to Mermaid. Mermaid uses `~` for angle brackets and pairs the first `~` with the last.
fn type_of(written: &str) -> String {
    let brackets = written.rfind('<').zip(written.find('>'));
    let is_nested = brackets.is_some_and(|(open, close)| open < close);
    // Mermaid splits a type at its commas before it pairs brackets. So nested types that contain commas are escaped
    // instead.
    if is_nested && (!written.contains(',') || written.matches('<').count() == 1) {
        let parts = written.split(['<', '>']).map(escaped);
        parts.collect::<Vec<_>>().join("~")
    } else {
        escaped(written)
    }
}

fn relation(names: &[String], line: &Line<'_>) -> Option<String> {
    let (from, to) = (names.get(line.from.model)?, names.get(line.to.model)?);
    // In Mermaid, a second colon in a line would begin a second label.
    let label = escaped(&label(line)).replace(':', "#58;");
    Some(match (line.kind, line.many) {
        (LineKind::TwoWay | LineKind::Links, Some((here, there))) => format!(
            "    {from} \"{}\" <--> \"{}\" {to} : {label}\n",
            here.sign(),
            there.sign()
        ),
        (_, Some((here, there))) => format!(
            "    {from} \"{}\" --> \"{}\" {to} : {label}\n",
            here.sign(),
            there.sign()
        ),
        (_, None) => format!("    {from} ..> {to} : {label}\n"),
    })
}

fn label(line: &Line<'_>) -> String {
    let Line {
        from, to, field, ..
    } = line;
    match (&field.derived, line.kind) {
        (Some(how), kind) if kind.is_derived() => format!("{} = {}", to.path, derived(how)),
        (_, LineKind::TwoWay | LineKind::Links) if from.path != to.path => {
            format!("{} ↔ {}", from.path, to.path)
        }
        (_, LineKind::Reference) if to.path != "_id" => format!("{} → {}", from.path, to.path),
        _ => from.path.to_owned(),
    }
}

/// Escapes the characters that have a special meaning in Mermaid.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars().map(visible) {
        match letter {
            ' ' | '_' | '.' | ',' | ':' | '=' | '/' | '[' | ']' => escaped.push(letter),
            letter if letter.is_alphanumeric() || !letter.is_ascii() => escaped.push(letter),
            letter => {
                let _ = write!(escaped, "#{};", u32::from(letter));
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_means_something_to_mermaid() {
        assert_eq!(
            escaped("a\"b`{c}<d>~;%%"),
            "a#34;b#96;#123;c#125;#60;d#62;#126;#59;#37;#37;"
        );
        assert_eq!(escaped("#quot; $*+-"), "#35;quot#59; #36;#42;#43;#45;");
        assert_eq!(
            escaped("größe ↔ 價\n\u{202e}"),
            "größe ↔ 價\u{fffd}\u{fffd}"
        );
    }

    #[test]
    fn angle_brackets_are_tildes_where_mermaid_pairs_them_rightly() {
        assert_eq!(type_of("Vec<Id<Part>>"), "Vec~Id~Part~~");
        assert_eq!(type_of("Id<Class, String>"), "Id~Class, String~");
        assert_eq!(type_of("Map<Id<A>, B>"), "Map#60;Id#60;A#62;, B#62;");
        assert_eq!(
            type_of("(Id<A>, Id<B>)"),
            "#40;Id#60;A#62;, Id#60;B#62;#41;"
        );
    }

    #[test]
    fn each_model_has_a_name_of_its_own() {
        let models = ["Größe", "Gr__e", "class", "Part", "Part"];
        assert_eq!(
            names(models.into_iter()),
            ["Gr__e", "Gr__e_2", "M_class", "Part", "Part_2"]
        );
    }
}
