//! Lists the fields of a shape, including the fields of embedded structs.

use super::{FieldShape, StructShape};

/// A field that [`walk`] found, and its path in the document.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredField {
    /// The stored path, whose segments are separated by dots.
    pub path: String,
    /// The description of the field.
    pub shape: &'static FieldShape,
    /// Number of arrays on the path to the field, not counting the field itself.
    pub arrays_above: usize,
    /// Number of structs on the path that are nested in another struct of the same type.
    pub(crate) repeats: usize,
}

/// The maximum depth of embedded structs. Without this limit, the walk through a struct that embeds itself would never
/// end.
const DEEPEST: usize = 16;

/// If a walk finds this many fields, it starts again and follows structs that embed themselves only to half the depth.
/// If a struct embeds itself in two fields, each level contains twice as many structs as the level above.
const MOST: usize = 1_000;

/// Lists all fields of a shape, including embedded fields at any depth. A struct's fields precede the struct itself.
#[doc(hidden)]
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
    /// The maximum number of structs on a path that are nested in another struct of the same type.
    most_repeats: usize,
    /// The structs on the path. The flag is true if the struct is nested in another struct of the same type.
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

/// Returns whether a shape has a field that fulfills a condition, at any depth. Does not allocate.
pub(crate) fn any_field(fields: &'static [FieldShape], condition: fn(&FieldShape) -> bool) -> bool {
    any_field_below(fields, condition, None)
}

/// The structs on the path to a field, innermost first.
struct Above<'a> {
    shape: &'static StructShape,
    next: Option<&'a Self>,
}

/// Checks the fields below the structs in `above`. Does not enter a struct that is already on this path, because its
/// fields are already checked.
fn any_field_below(
    fields: &'static [FieldShape],
    condition: fn(&FieldShape) -> bool,
    above: Option<&Above<'_>>,
) -> bool {
    fields.iter().any(|field| {
        if condition(field) {
            return true;
        }
        let Some(embed) = field.embed else {
            return false;
        };
        let shape = embed().shape;
        let mut path = std::iter::successors(above, |above| above.next);
        !path.any(|above| above.shape.is_same(shape))
            && any_field_below(shape.fields, condition, Some(&Above { shape, next: above }))
    })
}

/// Returns whether a struct stores one of these fields under this name. The fields of a flattened struct count as fields
/// of the struct itself.
pub(crate) fn stored_names_contain<'f>(
    mut fields: impl Iterator<Item = &'f FieldShape>,
    name: &str,
) -> bool {
    fields.any(|field| match field.embed {
        Some(embed) if field.flatten => stores_flattened(embed().fields, name),
        _ => !field.flatten && field.stored == name,
    })
}

fn stores_flattened(fields: &[FieldShape], name: &str) -> bool {
    stored_names_contain(fields.iter(), name)
}

fn join(prefix: &str, field: &FieldShape) -> String {
    match (prefix, field.flatten) {
        (prefix, true) => prefix.to_owned(),
        ("", false) => field.stored.to_owned(),
        (prefix, false) => format!("{prefix}.{}", field.stored),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::shape::{Containers, EmbeddedStruct};

    /// A struct that embeds itself in two fields.
    const TREE: &StructShape = &StructShape::new(
        "Tree",
        &[
            FieldShape::new("left", "left").of_type(false, true, Some(tree)),
            FieldShape::new("right", "right").of_type(false, true, Some(tree)),
            FieldShape::new("labels", "labels").max(3),
        ],
    );

    fn tree() -> EmbeddedStruct {
        EmbeddedStruct::new(TREE, Containers::NONE)
    }

    #[test]
    fn a_struct_that_embeds_itself_is_searched_once() {
        let fields: &[FieldShape] =
            const { &[FieldShape::new("tree", "tree").of_type(false, false, Some(tree))] };
        assert!(any_field(fields, |field| field.max == Some(3)));
        assert!(!any_field(fields, |field| field.flatten));
    }
}
