//! Finds the relations to which jobs belong.

use crate::graph::graph;

/// Returns whether a model in the program declares the relation that has this name in jobs.
pub fn declares_relation(relation: &str) -> bool {
    graph().knows(relation)
}

/// Returns whether one of the jobs can change the copies of an extended reference.
///
/// `reference` is the name of the extended reference in reports. A job can also change copies of
/// copies.
pub fn is_behind(reference: &str, jobs: &[String]) -> bool {
    let all = &graph().references;
    let mut concerned: Vec<_> = all.iter().filter(|it| it.name == reference).collect();
    let mut at = 0;
    while let Some(behind) = concerned.get(at).copied() {
        if behind.relations().any(|relation| jobs.contains(&relation)) {
            return true;
        }
        for before in all.iter().filter(|before| before.feeds(behind)) {
            if !concerned.iter().any(|known| std::ptr::eq(*known, before)) {
                concerned.push(before);
            }
        }
        at += 1;
    }
    false
}
