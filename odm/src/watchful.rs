//! Warns while a program is developed of what will be slow when there is more data: each warning once for a line of the
//! application, with the figure and the remedy.

mod plans;

use std::{
    collections::HashSet,
    panic::Location,
    sync::{Mutex, PoisonError},
};

use mongodb::bson::{Bson, RawDocument};

pub(crate) use plans::look_at_plan;

use crate::{
    bound::{Bound, bounds, longest},
    command::FindCommand,
    odm::Exec,
    shape::ModelShape,
    stats::{Asked, Related},
};

/// How many loads of one relation by one task are worth a warning.
const LOADS: u64 = 10;

/// The least bound of an array that is worth a warning: a smaller one is full in the course of things.
const BOUND: u32 = 10;

type Line = &'static Location<'static>;

/// Returns the line that a call is watched for.
fn watched(exec: &Exec) -> Option<Line> {
    exec.at().filter(|_| exec.settings().watchful)
}

/// Whether a line is warned of something for the first time.
fn is_first(at: Line, about: &str) -> bool {
    static WARNED: Mutex<Option<HashSet<(Line, String)>>> = Mutex::new(None);
    let mut warned = WARNED.lock().unwrap_or_else(PoisonError::into_inner);
    warned
        .get_or_insert_default()
        .insert((at, about.to_owned()))
}

/// Warns of a relation that is loaded again and again instead of joined.
pub(crate) fn look_at_loads(relation: &str, asked: Asked, related: &Related, exec: &Exec) {
    if related.in_task < LOADS {
        return;
    }
    if let Some(at) = watched(exec).filter(|at| is_first(at, relation)) {
        let remedy = instead_of_loads(relation, asked);
        tracing::warn!(
            %at, relation, loads = related.in_task,
            "{} loads of `{relation}` in one task at {}:{}; use {remedy}", related.in_task, at.file(), at.line()
        );
    }
}

/// Names the call that takes the place of many loads. A relation is named as its methods are.
fn instead_of_loads(relation: &str, asked: Asked) -> String {
    match (relation.rsplit_once('.'), asked) {
        (Some((owner, name)), Asked::Count) => format!("`{owner}::join_{name}(..).count_each()`"),
        (Some((owner, name)), _) => format!("`{owner}::join_{name}`"),
        (None, _) => format!("one `{relation}::load_all` for all of them"),
    }
}

/// Looks at the documents that a call brings.
#[derive(Debug)]
pub(crate) struct Looking {
    watched: Option<(Line, &'static ModelShape)>,
    bounds: Vec<Bound>,
    /// From how many documents on they are too many; none where a limit says that they are wanted.
    too_many: Option<usize>,
}

impl Looking {
    /// Looks at what a `find` of the application brings, and at its plan.
    pub(crate) fn at(find: &FindCommand, exec: &Exec) -> Self {
        look_at_plan(&find.place, &find.filter, &find.options, exec);
        let watched = watched(exec).zip(find.place.model());
        let bounds = watched.map_or_else(Vec::new, |(_, model)| bounds(model));
        let bounds = bounds.into_iter().filter(|bound| bound.max >= BOUND);
        let is_limited = find.options.limit.is_some_and(|limit| limit != 0);
        Self {
            watched,
            bounds: bounds.collect(),
            too_many: (!is_limited).then_some(exec.settings().watch_from),
        }
    }

    /// Warns of an array in a document that is full for the most part.
    pub(crate) fn see(&self, document: &RawDocument) {
        let Some((at, model)) = self.watched else {
            return;
        };
        for Bound { path, max } in &self.bounds {
            let length = longest(document, path);
            let is_near = length as u64 * 5 >= u64::from(*max) * 4;
            if is_near && is_first(at, path) {
                let id = document.get("_id").ok().flatten();
                let id = id.and_then(|id| Bson::try_from(id).ok());
                tracing::warn!(
                    %at, model = model.name, path, length, max,
                    "`{}.{path}` holds {length} of at most {max} elements in the document {}, read at {}:{}; a write that \
                     adds more than the rest is refused: raise `max`, or put the elements into a collection of their \
                     own that refers to `{}`",
                    model.name, id.unwrap_or(Bson::Null), at.file(), at.line(), model.name
                );
            }
        }
    }

    /// Warns of a `find` without a limit that has brought very many documents.
    pub(crate) fn end(&self, documents: usize) {
        let is_too_many = self.too_many.is_some_and(|from| documents >= from);
        let Some((at, model)) = self.watched.filter(|_| is_too_many) else {
            return;
        };
        if is_first(at, "documents") {
            tracing::warn!(
                %at, model = model.name, documents,
                "a `find` without a limit brought {documents} documents of `{}` at {}:{}; write `limit` or `page`, or \
                 `stream` if all of them are wanted",
                model.name, at.file(), at.line()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_that_takes_the_place_of_loads_is_named() {
        let of = |asked| instead_of_loads("Product.parts", asked);
        assert_eq!(of(Asked::Load), "`Product::join_parts`");
        assert_eq!(of(Asked::Count), "`Product::join_parts(..).count_each()`");
        let of_enum = instead_of_loads("Subject", Asked::Load);
        assert_eq!(of_enum, "one `Subject::load_all` for all of them");
    }
}
