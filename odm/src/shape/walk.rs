//! Walks a shape into its embedded structs.

use super::{FieldShape, StructShape};

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
    /// How many structs on the path are on it for another time: structs that embed themselves.
    pub(crate) repeats: usize,
}

/// How deep embedded structs are followed; a struct that embeds itself has no end.
const DEEPEST: usize = 16;

/// How many fields are listed before a struct that embeds itself is followed less deep: one that does so twice has twice
/// as many at each depth.
const MOST: usize = 1_000;

/// Lists every field of a shape, embedded ones at any depth included, in the order of the structs.
pub fn walk(fields: &'static [FieldShape]) -> Vec<StoredField> {
    let mut most_repeats = DEEPEST;
    loop {
        let mut walk = Walk {
            most_repeats,
            above: Vec::new(),
            found: Vec::new(),
        };
        walk.fields(fields, "", 0);
        if walk.found.len() < MOST || most_repeats == 1 {
            return walk.found;
        }
        most_repeats /= 2;
    }
}

struct Walk {
    /// How often structs on the path may be on it for another time.
    most_repeats: usize,
    /// The structs that the walk is in, and whether each is for another time.
    above: Vec<(&'static StructShape, bool)>,
    found: Vec<StoredField>,
}

impl Walk {
    fn fields(&mut self, fields: &'static [FieldShape], prefix: &str, arrays_above: usize) {
        let repeats = self.above.iter().filter(|(_, repeats)| *repeats).count();
        for shape in fields {
            let path = join(prefix, shape);
            if let Some(embed) = shape.embed.filter(|_| self.above.len() < DEEPEST) {
                let inner = embed().shape;
                let is_repeated = self.above.iter().any(|(above, _)| above.is_same(inner));
                let is_full = self.found.len() >= MOST || repeats >= self.most_repeats;
                if !(is_repeated && is_full) {
                    self.above.push((inner, is_repeated));
                    let arrays = arrays_above + usize::from(shape.array);
                    self.fields(inner.fields, &path, arrays);
                    self.above.pop();
                }
            }
            if !shape.flatten {
                self.found.push(StoredField {
                    path,
                    shape,
                    arrays_above,
                    repeats,
                });
            }
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
