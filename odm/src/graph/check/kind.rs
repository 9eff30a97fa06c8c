//! Rejects models that share a collection but do not have distinct kinds.

use super::Problem;
use crate::model::shape::{KindShape, ModelShape};

/// Finds pairs of models to which the same document could belong, if at least one model of the pair has a kind. Models
/// without kinds may share their documents.
pub(in crate::graph) fn find(models: &[&'static ModelShape]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (at, left) in models.iter().enumerate() {
        for right in models.iter().skip(at + 1) {
            if left.collection == right.collection {
                problems.extend(problem(left, right).map(|message| Problem {
                    collections: vec![left.collection],
                    message,
                }));
            }
        }
    }
    problems
}

fn problem(left: &ModelShape, right: &ModelShape) -> Option<String> {
    match (&left.kind, &right.kind) {
        (None, None) => None,
        (Some(kind), None) => Some(without_kind(left, kind, right)),
        (None, Some(kind)) => Some(without_kind(right, kind, left)),
        (Some(one), Some(other)) => {
            let reason = clash(one, other)?;
            let (left, right, collection) = (left.name, right.name, left.collection);
            Some(format!(
                "`{left}` and `{right}` are in `{collection}`, and {reason}"
            ))
        }
    }
}

fn without_kind(of_kind: &ModelShape, kind: &KindShape<'_>, all: &ModelShape) -> String {
    let (one, all, collection) = (of_kind.name, all.name, of_kind.collection);
    let (field, value) = (kind.field, kind.value);
    format!(
        "`{one}` is the model of the documents of `{collection}` with `{field}` \"{value}\", and `{all}` of all documents; \
         write `kind({field} = \"..\")` at `{all}` too, or remove that of `{one}`"
    )
}

fn clash(left: &KindShape<'_>, right: &KindShape<'_>) -> Option<String> {
    let (field, value) = (left.field, left.value);
    if field != right.field {
        return Some(format!(
            "have their kinds in `{field}` and in `{}`, so that a document could be of both; name one field",
            right.field
        ));
    }
    if value == right.value {
        return Some(format!(
            "both are of the kind \"{value}\"; give one of them another, or make one model of them"
        ));
    }
    if value.to_lowercase() == right.value.to_lowercase() {
        return Some(format!(
            "their kinds \"{value}\" and \"{}\" differ only in case, which many collations ignore; give one of them \
             another",
            right.value
        ));
    }
    let both = left.is_default && right.is_default;
    both.then(|| {
        format!("both take the documents without `{field}`; remove `default` at one of them")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn model(name: &'static str, kind: KindShape<'static>) -> ModelShape {
        ModelShape::new(name, "school", &[]).kind(kind)
    }

    static CLASS: ModelShape = model("Class", KindShape::new("doc_type", "class"));
    static COURSE: ModelShape = model("Course", KindShape::new("doc_type", "class"));
    static STUDENT: ModelShape = model(
        "Student",
        KindShape::new("doc_type", "student").or_missing(),
    );
    static PUPIL: ModelShape = model("Pupil", KindShape::new("doc_type", "pupil").or_missing());
    static SHOUTED: ModelShape = model("Shouted", KindShape::new("doc_type", "CLASS"));
    static ROOM: ModelShape = model("Room", KindShape::new("kind", "room"));
    static ALL: ModelShape = ModelShape::new("All", "school", &[]);
    static MORE: ModelShape = ModelShape::new("More", "school", &[]);
    static OTHER: ModelShape = ModelShape::new("Other", "others", &[]);

    fn found(models: &[&'static ModelShape]) -> String {
        let all = find(models).into_iter().map(|it| it.message);
        all.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn models_that_share_documents_by_a_kind_are_a_mistake() {
        for (models, expected) in [
            (
                [&CLASS, &COURSE],
                "`Class` and `Course` are in `school`, and both are of the kind \"class\"",
            ),
            (
                [&CLASS, &ALL],
                "write `kind(doc_type = \"..\")` at `All` too",
            ),
            (
                [&ALL, &CLASS],
                "write `kind(doc_type = \"..\")` at `All` too",
            ),
            (
                [&CLASS, &ROOM],
                "have their kinds in `doc_type` and in `kind`",
            ),
            (
                [&STUDENT, &PUPIL],
                "both take the documents without `doc_type`",
            ),
            (
                [&CLASS, &SHOUTED],
                "their kinds \"class\" and \"CLASS\" differ only in case",
            ),
        ] {
            let message = found(&models);
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn other_models_may_share_a_collection() {
        assert_eq!(found(&[&CLASS, &STUDENT, &OTHER]), "");
        assert_eq!(found(&[&ALL, &MORE, &OTHER]), "");
    }
}
