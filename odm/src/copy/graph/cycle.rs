//! Cycles of copies, and copies that decide about other copies.

use super::{Problem, Tie};
use crate::path::overlap;

/// One copy: a value that goes from a field to another.
struct Step<'t> {
    tie: &'t Tie,
    from: &'t str,
    to: String,
}

impl Step<'_> {
    fn feeds(&self, next: &Step<'_>) -> bool {
        self.tie.target.collection == next.tie.source.collection && overlap(&self.to, next.from)
    }

    fn source(&self) -> String {
        format!("{}.{}", self.tie.source.name, self.from)
    }

    fn target(&self) -> String {
        format!("{}.{}", self.tie.target.name, self.to)
    }
}

/// Finds the mistakes that several ties make together.
pub(super) fn find(ties: &[Tie]) -> Vec<Problem> {
    let steps: Vec<_> = ties.iter().flat_map(steps_of).collect();
    let mut problems: Vec<Problem> = copied_keys(ties, &steps).collect();
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

fn steps_of(tie: &Tie) -> impl Iterator<Item = Step<'_>> {
    tie.fields.iter().map(move |copied| Step {
        tie,
        from: &copied.from,
        to: tie.place.path(&copied.to),
    })
}

/// Returns the steps of a way that leads back to its start.
fn cycle_from(
    start: usize,
    steps: &[Step<'_>],
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

fn problem(cycle: &[usize], steps: &[Step<'_>]) -> Problem {
    let cycle: Vec<_> = cycle.iter().filter_map(|at| steps.get(*at)).collect();
    let mut names: Vec<_> = cycle.iter().map(|step| step.source()).collect();
    names.extend(cycle.last().map(|step| step.target()));
    let collections = cycle.iter().map(|step| step.tie.source.collection);
    Problem {
        collections: collections.collect(),
        message: format!(
            "copies go round in a circle: {}; remove one of these `#[denorm]`",
            names.join(" -> ")
        ),
    }
}

/// A key that is itself a copy would change without anybody writing it.
fn copied_keys<'t>(ties: &'t [Tie], steps: &'t [Step<'t>]) -> impl Iterator<Item = Problem> + 't {
    ties.iter().flat_map(move |tie| {
        let here = tie.target.collection;
        let is_key = move |step: &&Step<'_>| {
            step.tie.target.collection == here && overlap(&step.to, &tie.key_path())
                || step.tie.target.collection == tie.source.collection
                    && overlap(&step.to, &tie.source_key)
        };
        steps.iter().filter(is_key).map(move |step| Problem {
            collections: vec![here, tie.source.collection, step.tie.source.collection],
            message: format!(
                "`{}` is a copy of `{}`, and the key of the copies of `{}`; make it a reference of its \
                 own",
                step.target(),
                step.source(),
                tie.name
            ),
        })
    })
}
