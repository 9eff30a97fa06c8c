//! The path of an embedded struct in a document, and the filters and update paths that reach the struct.

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};

use super::{join, raw_value_at};

/// The path of an embedded struct: the arrays around the struct, and the path from the innermost element to the
/// struct.
///
/// For `orders[].lines[].part`, the arrays are `orders` and `lines`, and the rest is `part`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ElementPath {
    /// The paths of the arrays. Each path is relative to an element of the preceding array.
    pub(crate) arrays: Vec<String>,
    pub(crate) rest: String,
}

impl ElementPath {
    /// Returns the path of the document itself.
    pub(crate) const fn root() -> Self {
        Self {
            arrays: Vec::new(),
            rest: String::new(),
        }
    }

    /// Returns the path of a field inside this struct.
    pub(crate) fn field_below(&self, stored: &str, array: bool) -> Self {
        let mut place = self.clone();
        place.rest = join(&place.rest, stored);
        if array {
            place.arrays.push(std::mem::take(&mut place.rest));
        }
        place
    }

    /// Returns the path of one of the struct's fields, relative to the innermost element.
    pub(crate) fn relative(&self, field: &str) -> String {
        join(&self.rest, field)
    }

    /// Returns the stored path of one of the struct's fields, in the form that filters use.
    pub(crate) fn path(&self, field: &str) -> String {
        join(&self.arrays.join("."), &self.relative(field))
    }

    /// Returns the path of one of the struct's fields in an update: `orders.$[l0].lines.$[l1].part.name`.
    pub(crate) fn update_path(&self, field: &str) -> String {
        let mut path = String::new();
        for (level, array) in self.arrays.iter().enumerate() {
            path = join(&path, &format!("{array}.$[l{level}]"));
        }
        join(&path, &self.relative(field))
    }

    /// Lists the paths to read for some of the struct's fields. If the struct is inside arrays, the list contains only
    /// the outermost array, which is read as a whole.
    ///
    /// A projection of a path inside an array would drop elements that are not documents, which would change the
    /// positions of all later elements.
    pub(crate) fn read_paths(&self, fields: impl Iterator<Item = String>) -> Vec<String> {
        match self.arrays.first() {
            Some(array) => vec![array.clone()],
            None => fields.collect(),
        }
    }

    /// Converts a condition on the innermost element to a condition on the document.
    ///
    /// The result uses `$elemMatch` instead of dotted paths. With dotted paths, different elements could match
    /// different parts of the condition, and the library would skip a copy.
    pub(crate) fn matching(&self, condition: Document) -> Document {
        self.arrays.iter().rev().fold(condition, |inner, array| {
            doc! { array: { "$elemMatch": inner } }
        })
    }

    /// Returns the array filters that select the elements that contain a key.
    ///
    /// There is one filter for each level, including the outer levels. If a path contained `$[]` instead, the server
    /// would reject the whole update as soon as one element lacks the inner array. The filters use `$elemMatch`,
    /// because a dotted path would also match an element that contains a document instead of the inner array. The
    /// server rejects updates to such elements, too.
    pub(crate) fn array_filters(&self, key: &str, condition: &Bson) -> Vec<Document> {
        let levels = self.arrays.len();
        (0..levels)
            .map(|level| {
                let below = self.arrays.get(level + 1..).unwrap_or_default();
                let innermost = doc! { self.relative(key): condition.clone() };
                let inner = below.iter().rev().fold(innermost, |inner, array| {
                    doc! { array: { "$elemMatch": inner } }
                });
                let named = inner.into_iter();
                named
                    .map(|(path, condition)| (join(&format!("l{level}"), &path), condition))
                    .collect()
            })
            .collect()
    }

    /// Restricts array filters to elements that contain the struct. If the struct is missing, the key is missing as
    /// well, so a condition on a missing key would match.
    pub(crate) fn where_present(&self, array_filters: &mut [Document]) {
        if let Some(innermost) = array_filters.last_mut() {
            let path = join(&format!("l{}", self.arrays.len() - 1), &self.rest);
            innermost.insert(path, doc! { "$type": "object" });
        }
    }

    /// Calls a function for every struct at this path.
    pub(crate) fn for_each_struct<'d>(
        &self,
        document: &'d RawDocument,
        found: &mut dyn FnMut(&'d RawDocument),
    ) {
        self.each_element(document, &mut |_, element| {
            if let Some(inner) = raw_document_at(element, &self.rest) {
                found(inner);
            }
        });
    }

    /// Calls a function for each element of the innermost array on this path, and passes the element's positions: one
    /// for each enclosing array.
    pub(crate) fn each_element<'d>(
        &self,
        document: &'d RawDocument,
        found: &mut dyn FnMut(&[usize], &'d RawDocument),
    ) {
        walk(document, (&self.arrays, &self.rest), &mut Vec::new(), found);
    }

    /// Returns the path of the element at the given positions in the arrays: `orders.0.lines.3`.
    pub(crate) fn element_at(&self, positions: &[usize]) -> String {
        let steps = self.arrays.iter().zip(positions);
        steps.fold(String::new(), |path, (array, at)| {
            join(&path, &format!("{array}.{at}"))
        })
    }

    /// Returns a filter for documents that contain a struct at this path in which the key is null or missing.
    pub(crate) fn without_key(&self, key: &str) -> Document {
        let mut condition = doc! { self.relative(key): Bson::Null };
        if !self.rest.is_empty() {
            condition.insert(&self.rest, doc! { "$type": "object" });
        }
        self.matching(condition)
    }

    /// Calls a function for every struct at this path. The function may change the struct.
    pub(crate) fn each_mut(&self, document: &mut Document, found: &mut dyn FnMut(&mut Document)) {
        walk_mut(document, &self.arrays, &self.rest, found);
    }
}

fn walk<'d>(
    document: &'d RawDocument,
    (arrays, rest): (&[String], &str),
    positions: &mut Vec<usize>,
    found: &mut dyn FnMut(&[usize], &'d RawDocument),
) {
    let Some((array, below)) = arrays.split_first() else {
        if raw_document_at(document, rest).is_some() {
            found(positions, document);
        }
        return;
    };
    if let Some(RawBsonRef::Array(items)) = raw_value_at(document, array) {
        for (at, item) in items.into_iter().flatten().enumerate() {
            if let RawBsonRef::Document(element) = item {
                positions.push(at);
                walk(element, (below, rest), positions, found);
                positions.pop();
            }
        }
    }
}

fn raw_document_at<'d>(document: &'d RawDocument, path: &str) -> Option<&'d RawDocument> {
    if path.is_empty() {
        return Some(document);
    }
    raw_value_at(document, path)?.as_document()
}

fn walk_mut(
    document: &mut Document,
    arrays: &[String],
    rest: &str,
    found: &mut dyn FnMut(&mut Document),
) {
    let Some((array, below)) = arrays.split_first() else {
        if let Some(inner) = document_at(document, rest) {
            found(inner);
        }
        return;
    };
    if let Some(Bson::Array(items)) = value_at_mut(document, array) {
        for element in items.iter_mut().filter_map(Bson::as_document_mut) {
            walk_mut(element, below, rest, found);
        }
    }
}

fn document_at<'d>(document: &'d mut Document, path: &str) -> Option<&'d mut Document> {
    if path.is_empty() {
        return Some(document);
    }
    value_at_mut(document, path)?.as_document_mut()
}

fn value_at_mut<'d>(document: &'d mut Document, path: &str) -> Option<&'d mut Bson> {
    match path.split_once('.') {
        None => document.get_mut(path),
        Some((head, rest)) => value_at_mut(document.get_mut(head)?.as_document_mut()?, rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> ElementPath {
        ElementPath::root()
            .field_below("orders", true)
            .field_below("lines", true)
            .field_below("part", false)
    }

    #[test]
    fn every_level_of_arrays_is_named() {
        let place = lines();
        assert_eq!(place.path("id"), "orders.lines.part.id");
        assert_eq!(
            place.update_path("name"),
            "orders.$[l0].lines.$[l1].part.name"
        );
        assert_eq!(
            place.array_filters("id", &Bson::Int32(7)),
            [
                doc! { "l0.lines": { "$elemMatch": { "part.id": 7 } } },
                doc! { "l1.part.id": 7 }
            ]
        );
        assert_eq!(
            place.matching(doc! { "part.id": 7 }),
            doc! { "orders": { "$elemMatch": { "lines": { "$elemMatch": { "part.id": 7 } } } } }
        );
    }

    #[test]
    fn structs_are_found_below_arrays_that_lack_them() {
        let document = doc! { "orders": [
            { "lines": [{ "part": { "id": 1 } }, { "part": null }, {}] }, { "lines": null }, {}, 5,
        ] };
        let raw = mongodb::bson::RawDocumentBuf::try_from(&document).unwrap();
        let mut found = 0;
        lines().for_each_struct(&raw, &mut |_| found += 1);
        assert_eq!(found, 1);
        let mut paths = Vec::new();
        lines().each_element(&raw, &mut |at, _| paths.push(lines().element_at(at)));
        assert_eq!(paths, ["orders.0.lines.0"]);
    }
}
