//! Builds the graph: walks over the shapes of all models and collects extended references and delete rules.

use std::sync::Arc;

use super::{
    Graph, KeyForm,
    check::{
        Problem, alias, cycle, key_codec, kind, shard_key, soft_delete, tenant, unreached_struct,
    },
    computed_field::computed_field,
    declared_copy::declared_copy,
    links, snapshot,
    stored_reference::StoredReference,
    two_way_array::two_way_array,
};
use crate::{
    model::shape::{CopyShape, FieldShape, ModelShape, OnDelete, StructShape},
    value::path::ElementPath,
};

pub(super) fn build(models: &[&'static ModelShape]) -> Graph {
    let references = StoredReference::of_each(models);
    let mut graph = Graph {
        problems: kind::find(models),
        stored: StoredReference::merged(references.clone()),
        ..Graph::default()
    };
    for model in models {
        let mut walk = GraphWalk {
            graph: &mut graph,
            references: &references,
            model,
            above: Vec::new(),
        };
        walk.fields(model.fields, &ElementPath::root());
    }
    add_rules(&mut graph, references);
    links::add_links(&mut graph, models);
    leave_out_copied_keys(&mut graph);
    let cycles = cycle::find(&graph.references);
    graph.problems.extend(cycles);
    let lost = soft_delete::find(models, &graph.rules, &graph.references);
    graph.problems.extend(lost);
    let mixed = tenant::find(models, &graph.stored, &graph.references);
    graph.problems.extend(mixed);
    let copies = graph.references.iter().chain(&graph.snapshots);
    let sharded = shard_key::find(models, &graph.stored, copies);
    graph.problems.extend(sharded);
    graph.problems.extend(key_codec::find(models));
    graph.problems.extend(unreached_struct::find(models));
    let aliased = alias::find(&graph, models);
    graph.problems.extend(aliased);
    snapshot::add_live_copies(&mut graph);
    let all = &graph.references;
    let followers = all.iter().map(|reference| {
        let all = all.iter().enumerate();
        let following = all
            .filter(|(_, next)| next.source.overlaps(&reference.target) && reference.feeds(next));
        following.map(|(at, _)| at).collect()
    });
    let followers: Vec<Vec<usize>> = followers.collect();
    for (reference, followers) in graph.references.iter_mut().zip(followers) {
        Arc::make_mut(reference).followers = followers;
    }
    graph
}

/// Adds the references that have a delete rule, and rejects `pull` without an array.
fn add_rules(graph: &mut Graph, references: Vec<StoredReference>) {
    let rules = references.into_iter();
    for rule in rules.filter(|it| it.on_delete != OnDelete::Keep) {
        if (rule.on_delete, rule.keys_in_document()) == (OnDelete::Pull, KeyForm::Single) {
            graph.problems.push(Problem {
                collections: vec![rule.model.collection, rule.target.model.collection],
                message: format!(
                    "`{}` says `on_delete = \"pull\"`, but there is no array to pull an element from; write `nullify` or \
                     `cascade`",
                    rule.title
                ),
            });
        } else {
            graph.rules.push(rule);
        }
    }
}

/// Removes copies from the graph if their key is itself a copy, and records the problem. Writes to models that declare
/// such copies are then rejected. Writes to their sources work as usual.
fn leave_out_copied_keys(graph: &mut Graph) {
    let wrong = cycle::copied_keys(&graph.references);
    let references = std::mem::take(&mut graph.references).into_iter();
    let right = references
        .enumerate()
        .filter(|(at, _)| wrong.iter().all(|(wrong, _)| wrong != at));
    graph.references = right.map(|(_, reference)| reference).collect();
    let problems = wrong.into_iter().map(|(_, problem)| problem);
    graph.problems.extend(problems);
}

struct GraphWalk<'g> {
    graph: &'g mut Graph,
    references: &'g [StoredReference],
    model: &'static ModelShape,
    /// The structs that contain the current field, outermost first.
    above: Vec<&'static StructShape>,
}

impl GraphWalk<'_> {
    /// Walks over the fields of a struct.
    fn fields(&mut self, fields: &'static [FieldShape], place: &ElementPath) {
        for field in fields {
            if let Some(copy) = field.copy_shape() {
                self.copy(fields, field, copy, place);
            }
            let computed = computed_field(self.model, field, place);
            match computed.or_else(|| two_way_array(self.reference(field, place)?)) {
                Some(Ok(reference)) => snapshot::merge(&mut self.graph.references, reference),
                Some(Err(reason)) => {
                    let title = self.title(&place.path(field.stored));
                    self.problem(format!("`{title}` is computed, but {reason}"));
                }
                None => {}
            }
            // A copy always equals its source, so copies declared inside the copied struct are ignored.
            if let (Some(embed), None) = (field.embed, field.copy_shape()) {
                let inner = embed().shape;
                let below = if field.flatten {
                    place.clone()
                } else {
                    place.field_below(field.stored, field.array)
                };
                if self.above.iter().any(|above| above.is_same(inner)) {
                    self.repeated(inner, &below);
                } else {
                    self.above.push(inner);
                    self.fields(inner.fields, &below);
                    self.above.pop();
                }
            }
        }
    }

    /// Rejects copies, `exists` and delete rules inside a struct that embeds itself. The nesting can have any depth, so
    /// the library could not find all these fields.
    fn repeated(&mut self, repeated: &'static StructShape, place: &ElementPath) {
        let title = self.title(&place.path(""));
        let mut kept = Kept::default();
        kept.add(repeated, &mut Vec::new());
        let problems = [
            (
                kept.copies,
                "copies inside it cannot be updated at every depth; move the copies",
            ),
            (
                kept.exists,
                "`exists` of the references inside it cannot be checked at every depth; remove `exists`, or \
                 keep the references",
            ),
            (
                kept.rules,
                "`on_delete` of the references inside it cannot be applied at every depth; remove `on_delete`, or \
                 keep the references",
            ),
        ];
        for (_, problem) in problems.into_iter().filter(|(is_declared, _)| *is_declared) {
            let outside = "outside of the struct that repeats";
            self.problem(format!("`{title}` embeds itself, and {problem} {outside}"));
        }
    }

    /// Returns the two-way reference that a field declares.
    fn reference(&self, field: &FieldShape, place: &ElementPath) -> Option<&StoredReference> {
        let path = place.path(field.stored);
        self.references.iter().find(|it| {
            let inverse = it.inverse.as_ref();
            std::ptr::eq(it.model, self.model) && inverse.is_some_and(|it| it.field.path == path)
        })
    }

    fn title(&self, path: &str) -> String {
        format!("{}.{path}", self.model.name)
    }

    fn problem(&mut self, message: String) {
        self.graph.problems.push(Problem {
            collections: vec![self.model.collection],
            message,
        });
    }

    fn copy(
        &mut self,
        siblings: &'static [FieldShape],
        field: &'static FieldShape,
        copy: &'static CopyShape,
        place: &ElementPath,
    ) {
        match declared_copy(self.model, siblings, (field, copy), place) {
            Ok(reference) => snapshot::add_copy(reference, copy, self.graph),
            Err(reason) => {
                let title = self.title(&place.path(field.stored));
                let from = format!("{}.{}", (copy.source)().name, (copy.path)());
                self.problem(format!("`{title}` copies `{from}`, but {reason}"));
            }
        }
    }
}

/// Whether a struct contains, at any depth, the declarations that `repeated` rejects.
#[derive(Default)]
struct Kept {
    copies: bool,
    exists: bool,
    rules: bool,
}

impl Kept {
    fn add(&mut self, of: &'static StructShape, above: &mut Vec<&'static StructShape>) {
        if above.iter().any(|it| it.is_same(of)) {
            return;
        }
        above.push(of);
        for field in of.fields {
            let own = field.reference.as_ref().map(|it| it.on_delete);
            let rules = [own, field.on_delete].into_iter().flatten();
            self.copies |= field.copy_shape().is_some();
            self.exists |= field.exists;
            self.rules |= rules.into_iter().any(|it| it != OnDelete::Keep);
            if let (Some(embed), None) = (field.embed, field.copy_shape()) {
                self.add(embed().shape, above);
            }
        }
        above.pop();
    }
}
