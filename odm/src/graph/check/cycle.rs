//! Rejects cycles of copies, and copies that serve as the key of other copies.

use std::sync::Arc;

use super::Problem;
use crate::graph::{Copied, ExtendedReference};
use crate::value::path::overlap;

/// One step along a chain of copies, from a source field to the field that copies it.
struct CopyStep<'t> {
    reference: &'t ExtendedReference,
    copied: &'t Copied,
    from: &'t str,
    to: String,
}

impl CopyStep<'_> {
    fn feeds(&self, next: &CopyStep<'_>) -> bool {
        self.reference.target.overlaps(&next.reference.source) && overlap(&self.to, next.from)
    }

    fn source(&self) -> String {
        format!("{}.{}", self.reference.source.name(), self.from)
    }

    fn target(&self) -> String {
        format!("{}.{}", self.reference.target.name(), self.to)
    }
}

/// Finds cycles of copies, in which a field is directly or indirectly copied from itself.
pub(in crate::graph) fn find(references: &[Arc<ExtendedReference>]) -> Vec<Problem> {
    let steps: Vec<_> = references.iter().flat_map(|it| steps_of(it)).collect();
    let mut problems = Vec::new();
    let mut reported: Vec<usize> = Vec::new();
    for start in 0..steps.len() {
        if reported.contains(&start) {
            continue;
        }
        if let Some(cycle) = cycle_from(start, &steps, &mut vec![start], &mut Vec::new()) {
            problems.push(problem(&cycle, &steps));
            reported.extend(cycle);
        }
    }
    problems
}

fn steps_of(reference: &ExtendedReference) -> impl Iterator<Item = CopyStep<'_>> {
    reference.fields.iter().flat_map(move |copied| {
        copied.reads.iter().map(move |from| CopyStep {
            reference,
            copied,
            from,
            to: reference.place.path(&copied.to),
        })
    })
}

/// Searches for a path that returns to the step `start`. Returns the steps on that path.
fn cycle_from(
    start: usize,
    steps: &[CopyStep<'_>],
    way: &mut Vec<usize>,
    dead_ends: &mut Vec<usize>,
) -> Option<Vec<usize>> {
    let here = steps.get(*way.last()?)?;
    for (at, next) in steps.iter().enumerate() {
        if !here.feeds(next) || dead_ends.contains(&at) {
            continue;
        }
        if at == start {
            return Some(way.clone());
        }
        if way.contains(&at) {
            continue;
        }
        way.push(at);
        if let Some(cycle) = cycle_from(start, steps, way, dead_ends) {
            return Some(cycle);
        }
        way.pop();
        dead_ends.push(at);
    }
    None
}

fn problem(cycle: &[usize], steps: &[CopyStep<'_>]) -> Problem {
    let cycle: Vec<_> = cycle.iter().filter_map(|at| steps.get(*at)).collect();
    let mut names: Vec<_> = cycle.iter().map(|step| step.source()).collect();
    names.extend(cycle.last().map(|step| step.target()));
    let collections = cycle
        .iter()
        .map(|step| step.reference.source.shape().collection);
    Problem {
        collections: collections.collect(),
        message: format!(
            "copies go round in a circle: {}; remove one of these `#[denorm]`, `#[recent]`, `#[rollup]` or `inverse`",
            names.join(" -> ")
        ),
    }
}

/// Finds copies that serve as the key of other copies. Such a key could change although your code does not write it.
/// Returns the index of each affected extended reference, and the problem to report for its model.
pub(in crate::graph) fn copied_keys(
    references: &[Arc<ExtendedReference>],
) -> Vec<(usize, Problem)> {
    // The library itself maintains the keys in a two-way array, and updates the copies that depend on these keys at the
    // same time. So such keys are allowed.
    let are_keys = |step: &CopyStep<'_>| step.copied.fold.key_of_elements().is_some();
    let steps = references.iter().flat_map(|it| steps_of(it));
    let steps: Vec<_> = steps.filter(|step| !are_keys(step)).collect();
    let mut found = Vec::new();
    for (at, reference) in references.iter().enumerate() {
        let is_key = |step: &&CopyStep<'_>| {
            let written = &step.reference.target;
            written.overlaps(&reference.target) && overlap(&step.to, &reference.key_path())
                || written.overlaps(&reference.source) && overlap(&step.to, &reference.source_key)
        };
        found.extend(steps.iter().filter(is_key).map(|step| {
            let problem = Problem {
                collections: vec![reference.target.shape().collection],
                message: format!(
                    "`{}` is a copy of `{}`, and the key of the copies of `{}`; make it a reference of its \
                     own",
                    step.target(),
                    step.source(),
                    reference.name
                ),
            };
            (at, problem)
        }));
    }
    found
}
