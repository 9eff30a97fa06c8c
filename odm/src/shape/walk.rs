//! Walks a shape into its embedded structs.

use super::FieldShape;

/// A field found by [`walk`], with its place in the document.
#[derive(Debug)]
#[non_exhaustive]
pub struct StoredField {
    /// The stored path, dotted.
    pub path: String,
    /// The description of the field.
    pub shape: &'static FieldShape,
    /// How many arrays lie on the path above the field.
    pub arrays_above: usize,
}

/// How deep embedded structs are followed; a struct that embeds itself has no end.
const DEEPEST: usize = 16;

/// Lists every field of a shape, embedded ones at any depth included, in the order of the structs.
pub fn walk(fields: &'static [FieldShape]) -> Vec<StoredField> {
    let mut found = Vec::new();
    walk_into(fields, "", 0, DEEPEST, &mut found);
    found
}

fn walk_into(
    fields: &'static [FieldShape],
    prefix: &str,
    arrays_above: usize,
    depth: usize,
    found: &mut Vec<StoredField>,
) {
    for shape in fields {
        let path = join(prefix, shape);
        if let (Some(embed), 1..) = (shape.embed, depth) {
            let arrays = arrays_above + usize::from(shape.array);
            walk_into(embed().fields, &path, arrays, depth - 1, found);
        }
        if !shape.flatten {
            found.push(StoredField {
                path,
                shape,
                arrays_above,
            });
        }
    }
}

fn join(prefix: &str, field: &FieldShape) -> String {
    match (prefix, field.flatten) {
        (prefix, true) => prefix.to_owned(),
        ("", false) => field.stored.to_owned(),
        (prefix, false) => format!("{prefix}.{}", field.stored),
    }
}
