//! Walks the shapes and collects extended references and rules.

use super::{Copied, ExtendedReference, Graph, Problem, Rule, cycle};
use crate::{
    path::{ElementPath, join},
    shape::{CopyShape, FieldShape, ModelShape, OnDelete, ReferenceShape},
};

pub(super) fn build(models: &[&'static ModelShape]) -> Graph {
    let mut graph = Graph::default();
    for model in models {
        let mut walk = GraphWalk {
            graph: &mut graph,
            model,
            above: Vec::new(),
        };
        walk.fields(model.fields, &ElementPath::root(), None);
    }
    leave_out_copied_keys(&mut graph);
    let cycles = cycle::find(&graph.references);
    graph.problems.extend(cycles);
    complete_snapshots(&mut graph);
    let feeding: Vec<bool> = graph
        .references
        .iter()
        .map(|reference| {
            graph.references.iter().any(|next| {
                next.source.collection == reference.target.collection && reference.feeds(next)
            })
        })
        .collect();
    for (reference, feeds) in graph.references.iter_mut().zip(feeding) {
        reference.has_followers = feeds;
    }
    graph
}

/// Refuses writes to models with copies whose key is a copy, and takes these out of the graph: their sources
/// are right.
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

/// Puts the copies that follow before the snapshots of the same source.
fn complete_snapshots(graph: &mut Graph) {
    for snapshot in &mut graph.snapshots {
        let mut references = graph.references.iter();
        if let Some(beside) = references.find(|reference| reference.is_beside(snapshot)) {
            let follows = |copied: &Copied| beside.fields.iter().any(|other| other.to == copied.to);
            snapshot.fields.retain(|copied| !follows(copied));
            snapshot.fields.splice(..0, beside.fields.iter().cloned());
        }
    }
}

/// What a field says of the reference in the struct that it embeds.
struct Embedding {
    policy: OnDelete,
    /// The place of the struct.
    place: ElementPath,
}

struct GraphWalk<'g> {
    graph: &'g mut Graph,
    model: &'static ModelShape,
    /// The structs that the walk is in.
    above: Vec<&'static [FieldShape]>,
}

impl GraphWalk<'_> {
    /// Walks over the fields of a struct; `rule` is what the field that embeds it says of its reference.
    fn fields(
        &mut self,
        fields: &'static [FieldShape],
        place: &ElementPath,
        rule: Option<&Embedding>,
    ) {
        self.above.push(fields);
        for field in fields {
            if let Some(copy) = &field.copy {
                self.copy(fields, field, copy, place);
            }
            let own = field.reference.as_ref().map(|of| of.on_delete);
            let own = own.filter(|policy| *policy != OnDelete::Keep);
            if let (Some(reference), None) = (&field.reference, field.embed) {
                let policy = rule.map(|it| it.policy).or(own).unwrap_or_default();
                self.rule(field, reference, place, policy, rule);
            }
            // What is inside a copy is what its source holds: nothing there follows or is deleted by itself.
            if let (Some(embed), None) = (field.embed, &field.copy) {
                let inner = embed().fields;
                let below = if field.flatten {
                    place.clone()
                } else {
                    place.below(field.stored, field.array)
                };
                if !self.above.iter().any(|fields| same_struct(fields, inner)) {
                    // What embeds it says it for the reference that a struct stands for.
                    let above = rule.filter(|_| field.reference.is_some());
                    let here = field.on_delete.or(own).map(|policy| Embedding {
                        policy,
                        place: below.clone(),
                    });
                    self.fields(inner, &below, above.or(here.as_ref()));
                } else if inner.iter().any(|field| field.copy.is_some()) {
                    let title = self.title(&below.path(""));
                    self.problem(format!(
                        "`{title}` embeds itself, and copies inside it cannot be reached at every \
                         depth; keep the copies outside of the struct that repeats"
                    ), &[]);
                }
            }
        }
        self.above.pop();
    }

    fn title(&self, path: &str) -> String {
        format!("{}.{path}", self.model.name)
    }

    /// Names an extended reference: the key of the copies, and the source; a key that is no `_id` is said.
    fn name(&self, key: &str, source: &ModelShape, source_key: &str) -> String {
        let (target, source) = (self.title(key), source.name);
        match source_key {
            "_id" => format!("{target} <- {source}"),
            path => format!("{target} <- {source}.{path}"),
        }
    }

    fn problem(&mut self, message: String, others: &[&'static str]) {
        let mut collections = vec![self.model.collection];
        collections.extend(others);
        self.graph.problems.push(Problem {
            collections,
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
        let source = (copy.source)();
        let key = match copy.keys {
            Some(_) if !place.arrays.is_empty() => Err(
                "the key in the source stands for whole documents, so the copy cannot be in an \
                 array; move it to the model"
                    .to_owned(),
            ),
            Some(keys) => Ok(((keys.in_target)(), (keys.in_source)(), true)),
            None => {
                beside(siblings, copy, source).map(|(key, source_key)| (key, source_key, false))
            }
        };
        match key {
            Ok((key, source_key, keys_in_source)) => {
                // A key in the source stands for the document, whatever struct the copy is in.
                let (place, to) = if keys_in_source {
                    (ElementPath::root(), place.path(field.stored))
                } else {
                    (place.clone(), field.stored.to_owned())
                };
                // A snapshot without a source keeps what it holds.
                let optional = copy.optional && !copy.snapshot;
                let copied = Copied {
                    from: (copy.path)(),
                    to,
                    optional,
                    empties: optional && (keys_in_source || copy.on_delete == OnDelete::Nullify),
                };
                let path = place.path(&key);
                let name = self.name(&path, source, &source_key);
                let all = if copy.snapshot {
                    &mut self.graph.snapshots
                } else {
                    &mut self.graph.references
                };
                let reference = ExtendedReference {
                    name,
                    relation: ExtendedReference::relation(
                        (self.model.collection, &path),
                        (source.collection, &source_key),
                    ),
                    source,
                    source_key,
                    keys_in_source,
                    target: self.model,
                    place,
                    key,
                    fields: vec![copied],
                    has_followers: false,
                    foreign: false,
                };
                add(reference, all);
            }
            Err(reason) => {
                let title = self.title(&place.path(field.stored));
                let from = format!("{}.{}", source.name, (copy.path)());
                self.problem(format!("`{title}` copies `{from}`, but {reason}"), &[]);
            }
        }
    }

    fn rule(
        &mut self,
        field: &'static FieldShape,
        reference: &'static ReferenceShape,
        place: &ElementPath,
        policy: OnDelete,
        embedding: Option<&Embedding>,
    ) {
        if policy == OnDelete::Keep {
            return;
        }
        let (place, key, many) = (place.clone(), field.stored.to_owned(), field.array);
        let name = self.title(&place.path(&key));
        if policy == OnDelete::Pull && !many && place.arrays.is_empty() {
            self.problem(
                format!(
                    "`{name}` says `on_delete = \"pull\"`, but there is no array to pull an element \
                     from; write `nullify` or `cascade`"
                ),
                &[(reference.target)().collection],
            );
            return;
        }
        let (target, target_key) = ((reference.target)(), reference.target_path());
        self.graph.rules.push(Rule {
            name,
            relation: Rule::relation(
                (self.model.collection, &place.path(&key)),
                (target.collection, &target_key),
            ),
            owner: self.model,
            place,
            key,
            many,
            whole: embedding.map(|it| it.place.clone()),
            target,
            target_key,
            policy,
        });
    }
}

/// The fields of one reference are one extended reference, also when two models share the collection.
fn add(new: ExtendedReference, all: &mut Vec<ExtendedReference>) {
    match all.iter_mut().find(|reference| reference.is_beside(&new)) {
        None => all.push(new),
        Some(reference) => {
            for copied in new.fields {
                if reference.fields.iter().all(|other| other.to != copied.to) {
                    reference.fields.push(copied);
                }
            }
        }
    }
}

/// Finds the reference beside a copy: the path of its key and the path in the source.
fn beside(
    siblings: &'static [FieldShape],
    copy: &CopyShape,
    source: &'static ModelShape,
) -> Result<(String, String), String> {
    let leads = |field: &&'static FieldShape| {
        let reference = field.reference.as_ref();
        let target = reference.map(|reference| (reference.target)());
        target.is_some_and(|target| same_model(target, source))
            && copy
                .via
                .map_or(!field.array && field.copy.is_none(), |via| {
                    via == field.name
                })
    };
    let found: Vec<_> = siblings.iter().filter(leads).collect();
    match (found.as_slice(), copy.via) {
        ([field], _) if field.array => Err(format!(
            "`{}` holds many keys, and one copy has one source; copy inside the array, beside each key",
            field.name
        )),
        ([field], _) => {
            let reference = field.reference.as_ref();
            let inner = reference.map_or_else(String::new, |reference| (reference.inner)());
            let source_key = reference.map_or_else(String::new, ReferenceShape::target_path);
            Ok((join(field.stored, &inner), source_key))
        }
        ([], Some(via)) => Err(format!(
            "`{via}` does not refer to `{}`; name a reference to it in `via`",
            source.name
        )),
        ([], None) => Err(format!(
            "no field beside it refers to `{0}`; add a reference, or name the one in the source with \
             `via = \"{0}.field\"`",
            source.name
        )),
        (several, _) => {
            let names: Vec<_> = several
                .iter()
                .map(|field| format!("`{}`", field.name))
                .collect();
            Err(format!(
                "{} all refer to `{}`; say which one with `via = \"..\"`",
                names.join(", "),
                source.name
            ))
        }
    }
}

/// Addresses of constants say nothing: the compiler may keep several.
fn same_model(left: &ModelShape, right: &ModelShape) -> bool {
    left.name == right.name && left.collection == right.collection
}

fn same_struct(left: &[FieldShape], right: &[FieldShape]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| left.name == right.name && left.stored == right.stored)
}
