//! Rejects a serde `alias` on a path that the library reads or writes. serde accepts such a field under several
//! names, but the library uses only one of them.

use super::Problem;
use crate::graph::{ExtendedReference, Graph};
use crate::model::shape::{ModelShape, walk};

/// A path that the library reads or writes in a model's documents, and the declaration that requires this access.
struct Use {
    model: &'static ModelShape,
    path: String,
    declaration: String,
    /// The collection at the other end of the declaration. Writes to this collection also depend on the path.
    other: &'static str,
}

impl Use {
    fn new(model: &'static ModelShape, path: &str, declaration: &str) -> Self {
        Self {
            model,
            path: path.to_owned(),
            declaration: declaration.to_owned(),
            other: model.collection,
        }
    }

    fn beside(self, other: &ModelShape) -> Self {
        let other = other.collection;
        Self { other, ..self }
    }
}

/// Finds fields that have an `alias` although copies, summaries, lists, references or bounds use their path.
pub(in crate::graph) fn find(graph: &Graph, models: &[&'static ModelShape]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for model in models {
        let fields = walk(model.fields);
        let mut aliased = fields.iter().filter(|field| field.shape.aliased).peekable();
        if aliased.peek().is_none() {
            continue;
        }
        let uses = uses_in(graph, models, model);
        problems.extend(aliased.filter_map(|field| {
            let use_of = uses.iter().find(|it| is_within(&it.path, &field.path))?;
            Some(problem(model, &field.path, use_of))
        }));
    }
    problems
}

fn problem(model: &ModelShape, path: &str, use_of: &Use) -> Problem {
    let declaration = &use_of.declaration;
    Problem {
        collections: vec![model.collection, use_of.other],
        message: format!(
            "`{}.{path}` has an `alias`, and `{declaration}` reads and writes it under one name only; rename the field in the \
             stored documents (`$rename`), and remove `alias`",
            model.name
        ),
    }
}

/// Lists the paths that the library uses in documents of a model.
fn uses_in(graph: &Graph, models: &[&'static ModelShape], model: &'static ModelShape) -> Vec<Use> {
    let mut uses = Vec::new();
    graph
        .references
        .iter()
        .for_each(|it| add_uses_of_reference(it, &mut uses));
    for rule in &graph.rules {
        let (owner, target) = (rule.model, rule.target.model);
        uses.push(Use::new(owner, &rule.path(), &rule.title).beside(target));
        uses.push(Use::new(target, &rule.target.path, &rule.title).beside(owner));
    }
    for parent in models {
        for relation in parent.has_many {
            let declaration = format!("{}.{}", parent.name, relation.name);
            uses.push(Use::new(
                (relation.target)(),
                &(relation.path)(),
                &declaration,
            ));
        }
    }
    add_uses_of_fields(model, &mut uses);
    // Models are compared by name, not by address, because the compiler may create several copies of one
    // description.
    uses.retain(|it| (it.model.name, it.model.collection) == (model.name, model.collection));
    uses
}

fn add_uses_of_reference(reference: &ExtendedReference, uses: &mut Vec<Use>) {
    let (source, target) = (reference.source.shape(), reference.target.shape());
    for copied in &reference.fields {
        let to = reference.place.path(&copied.to);
        let declaration = format!("{}.{to}", target.name);
        let key = reference.place.path(&reference.key);
        let of_source = copied.reads.iter().chain([&reference.source_key]);
        uses.extend(of_source.map(|path| Use::new(source, path, &declaration).beside(target)));
        uses.extend([&to, &key].map(|path| Use::new(target, path, &declaration).beside(source)));
    }
}

/// Adds the paths of fields that themselves declare a bound, `exists`, links or an inverse.
fn add_uses_of_fields(model: &'static ModelShape, uses: &mut Vec<Use>) {
    for field in walk(model.fields) {
        let shape = field.shape;
        let reference = shape.reference.as_ref();
        let has_inverse = reference.is_some_and(|it| it.inverse.is_some());
        if shape.max.is_some() || shape.exists || shape.links.is_some() || has_inverse {
            let declaration = format!("{}.{}", model.name, field.path);
            uses.push(Use::new(model, &field.path, &declaration));
        }
    }
}

/// Whether `path` is the path of the field, or a path below it.
fn is_within(path: &str, field: &str) -> bool {
    let below = path.strip_prefix(field);
    below.is_some_and(|below| below.is_empty() || below.starts_with('.'))
}
