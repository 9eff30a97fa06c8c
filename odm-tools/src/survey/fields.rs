//! Computes statistics about the values at each path in documents.

use mongodb::bson::{Bson, Document};

use super::{
    report::{Lengths, PathStep, PathSurvey},
    tree::{Node, Origin},
};

/// Returns statistics for each path that occurs in the given documents. The path of an embedded document precedes the
/// paths of its fields.
pub(crate) fn fields<'d>(documents: impl IntoIterator<Item = &'d Document>) -> Vec<PathSurvey> {
    let mut root = Node::default();
    for (number, document) in documents.into_iter().enumerate() {
        let id = document.get("_id").unwrap_or(&Bson::Null);
        root.add_document(document, Origin { number, id });
    }
    root.fold_maps(true);
    let mut paths = Vec::new();
    let parents = root.present;
    for (name, field) in root.fields {
        list(field, &[], PathStep::Field(name), parents, &mut paths);
    }
    paths
}

/// Adds the statistics for a node of the tree and for the nodes below it.
fn list(node: Node, above: &[PathStep], step: PathStep, parents: u64, out: &mut Vec<PathSurvey>) {
    let mut steps = above.to_vec();
    steps.push(step);
    let embedded = node.embedded();
    let (fields, each, any) = (node.fields, node.each, node.any);
    let (values, values_are_complete) = node.values.listed();
    let mut types = node.types;
    types.sort_by_key(|it| std::cmp::Reverse(it.count));
    let lengths = node.lengths.sorted();
    out.push(PathSurvey {
        path: path(&steps),
        steps: steps.clone(),
        documents: node.documents,
        present: node.present,
        parents,
        nulls: node.nulls,
        uuids: node.uuids,
        types,
        lengths: lengths.largest.clone().map(|(max, longest)| Lengths {
            min: lengths.percentile(0),
            median: lengths.percentile(50),
            p95: lengths.percentile(95),
            p99: lengths.percentile(99),
            max,
            longest,
        }),
        values,
        values_are_complete,
    });
    for (name, field) in fields {
        list(field, &steps, PathStep::Field(name), embedded, out);
    }
    for (inner, step) in [(each, PathStep::Each), (any, PathStep::AnyField)] {
        if let Some(inner) = inner {
            let present = inner.present;
            list(*inner, &steps, step, present, out);
        }
    }
}

/// Converts the steps of a path to text.
fn path(steps: &[PathStep]) -> String {
    let mut path = String::new();
    for step in steps {
        let dot = if path.is_empty() { "" } else { "." };
        match step {
            PathStep::Field(name) => path.extend([dot, name]),
            PathStep::Each => path.push_str("[]"),
            PathStep::AnyField => path.extend([dot, "*"]),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use mongodb::bson::doc;

    use super::*;

    fn at<'p>(paths: &'p [PathSurvey], path: &str) -> &'p PathSurvey {
        let found = paths.iter().find(|it| it.path == path);
        found.unwrap_or_else(|| panic!("no `{path}` in {paths:?}"))
    }

    #[test]
    fn missing_null_and_types_are_counted_in_arrays_too() {
        let documents = [
            doc! { "_id": 1, "a": [{ "b": 1 }, { "b": Bson::Null }, { "c": "x" }] },
            doc! { "_id": 2, "a": [], "n": Bson::Null },
            doc! { "_id": 3, "a": [{ "b": 1_i64 }] },
        ];
        let paths = fields(&documents);
        let names: Vec<_> = paths.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(names, ["_id", "a", "a[]", "a[].c", "a[].b", "n"]);
        let b = at(&paths, "a[].b");
        assert_eq!((b.documents, b.present, b.parents, b.nulls), (2, 3, 4, 1));
        assert_eq!(b.missing(), 1);
        let types: Vec<_> = b.types.iter().map(|it| (it.name, &it.example)).collect();
        assert_eq!(types, [("int", &Bson::Int32(1)), ("long", &Bson::Int32(3))]);
        let lengths = at(&paths, "a").lengths.as_ref().unwrap();
        assert_eq!((lengths.min, lengths.median, lengths.max), (0, 1, 3));
        assert_eq!(lengths.longest, Bson::Int32(1));
        let n = at(&paths, "n");
        assert_eq!((n.missing(), n.nulls, n.only_type()), (2, 1, None));
    }

    #[test]
    fn names_that_are_values_are_one_path() {
        let documents = [
            doc! { "_id": 1, "days": { "2024-05-01": { "n": 1 }, "2024-05-02": { "n": 2 } } },
            doc! { "_id": 2, "days": { "2024-05-03": { "n": 3 } } },
        ];
        let paths = fields(&documents);
        let names: Vec<_> = paths.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(names, ["_id", "days", "days.*", "days.*.n"]);
        let n = at(&paths, "days.*.n");
        assert_eq!((n.present, n.parents), (3, 3));
    }

    #[test]
    fn a_document_with_any_number_of_names_ends_as_a_map() {
        let many: Document = (0..3_000)
            .map(|n| (format!("w{n}"), Bson::Int32(n)))
            .collect();
        let paths = fields(&[doc! { "_id": 1, "words": many }]);
        let any = at(&paths, "words.*");
        assert_eq!(any.only_type(), Some("int"));
    }

    #[test]
    fn fields_come_in_the_order_of_most_documents() {
        let documents = [
            doc! { "_id": 1, "a": 1, "d": 1 },
            doc! { "_id": 1, "a": 1, "b": 1, "c": 1, "d": 1 },
        ];
        let paths = fields(&documents);
        let names: Vec<_> = paths.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(names, ["_id", "a", "b", "c", "d"]);
    }
}
