//! Warns about calls that become slow as the data grows: loads in a loop (N+1), large results without a limit, and
//! arrays that are nearly full. Each warning appears once per source line of the application, and contains a number and
//! a remedy.
//!
//! The warning about filters without an index is in `client::odm::unindexed_filter`.

use mongodb::bson::{Bson, Document, RawDocument};

use super::stats::{Asked, Reads, Related};
use crate::{
    client::{
        command::FindCommand,
        odm::{Exec, Line, is_first},
    },
    model::{
        array_bound::{Bound, bounds, longest},
        registry::models,
        shape::{LinkEnds, ModelShape},
    },
};

/// Number of loads of the same relation by one task at which the library warns.
const LOADS: u64 = 10;

/// Smallest bound of an array for which the library warns. Arrays with smaller bounds are often full.
const BOUND: u32 = 10;

/// The name of a relation, and its target model.
type About = (&'static str, &'static ModelShape);

/// Counts a call for a relation, and warns if the task has already sent many such calls. Returns the counters to which
/// the caller adds the number of documents in the server's reply.
pub(crate) fn followed(about: About, asked: Asked, keys: u32, exec: &Exec) -> Related {
    let related = exec.odm().count_relation(about, asked, keys, exec.caller());
    warn_of_repeated_loads(about, asked, &related, exec);
    related
}

/// Counts a query that the application sent for documents of a model or for linked documents. Returns the counters to
/// which the caller adds the number of documents in the server's reply.
pub(crate) fn queried(find: &FindCommand, exec: &Exec) -> Reads {
    let about = exec.relation().zip(find.place.model());
    let asked = if is_limited(find) {
        Asked::LoadSome
    } else {
        Asked::Load
    };
    let related = about.map(|about| followed(about, asked, 1, exec));
    exec.odm().count_query(find, related)
}

/// Counts a page in the same way as [`queried`] counts a query. Only the first page can be part of a loop that causes a
/// warning.
pub(crate) fn paged(find: &FindCommand, is_first: bool, exec: &Exec) -> Reads {
    if is_first {
        return queried(find, exec);
    }
    let about = exec.relation().zip(find.place.model());
    let related = about.map(|about| next_page(about, exec));
    exec.odm().count_query(find, related)
}

/// Counts a later page of a relation. Returns the counters to which the caller adds the number of documents in the
/// server's reply.
pub(crate) fn next_page(about: About, exec: &Exec) -> Related {
    exec.odm().count_relation(about, Asked::Load, 1, None)
}

/// Counts a call by the application that does not return documents, for example a `count`.
pub(crate) fn questioned(model: &'static ModelShape, filter: &Document, exec: &Exec) {
    match exec.relation() {
        Some(relation) => _ = followed((relation, model), Asked::Count, 1, exec),
        None => exec.odm().count_question(model, filter),
    }
}

fn is_limited(find: &FindCommand) -> bool {
    find.options.limit.is_some_and(|limit| limit != 0)
}

/// Warns about a relation that is loaded or counted in a loop instead of with one join.
fn warn_of_repeated_loads((relation, target): About, asked: Asked, related: &Related, exec: &Exec) {
    if related.in_task < LOADS {
        return;
    }
    let Some(remedy) = instead_of_loads(relation, target, asked) else {
        return;
    };
    if let Some(at) = exec.watched().filter(|at| is_first(at, relation)) {
        let what = match asked {
            Asked::Count => "counts",
            _ => "loads",
        };
        tracing::warn!(
            %at, relation, loads = related.in_task,
            "{} {what} of `{relation}` in one task at {}:{}; use {remedy}", related.in_task, at.file(), at.line()
        );
    }
}

/// Returns the calls that can replace a loop of loads or counts, or `None` if there are no such calls.
fn instead_of_loads(relation: &str, target: &ModelShape, asked: Asked) -> Option<String> {
    let joins = joins_of(relation, target);
    let joins = joins.iter().map(|join| match asked {
        Asked::Count => format!("`{join}(..).count_each()`"),
        Asked::LoadSome => format!("`{join}(..).limit_each(n)`"),
        _ => format!("`{join}`"),
    });
    let joins = joins.collect::<Vec<_>>().join(" and ");
    if !relation.contains('.') {
        return Some(format!("one `{relation}::load_all` for all of them"));
    }
    Some(joins).filter(|joins| !joins.is_empty())
}

/// Returns the methods that join a relation. The methods are usually named after the relation. For links, each kind's
/// model has a method that finds its linked documents.
fn joins_of(relation: &str, target: &ModelShape) -> Vec<String> {
    let join = |model: &ModelShape| format!("{}::join_linked", model.name);
    match relation.rsplit_once('.') {
        Some((_, "linked")) if target.links().is_some() => {
            let joined = Some(target).filter(|model| has_join(model));
            joined.map(join).into_iter().collect()
        }
        Some((_, "linked")) if target.kind.is_none() => {
            let kinds = models().into_iter();
            let kinds = kinds.filter(|it| it.collection == target.collection && has_join(it));
            kinds.map(join).collect()
        }
        Some((owner, name)) => vec![format!("{owner}::join_{name}")],
        None => Vec::new(),
    }
}

/// Whether a model has a method that joins linked documents.
fn has_join(model: &ModelShape) -> bool {
    let links = model.links();
    links.is_some_and(|it| it.shape.separator.is_none() || it.ends() == LinkEnds::Others)
}

/// The checks on the documents that a `find` returns.
#[derive(Debug)]
pub(crate) struct FindWatch {
    watched: Option<(Line, &'static ModelShape)>,
    bounds: Vec<Bound>,
    /// The number of documents at which the library warns. `None` if the call has a limit.
    too_many: Option<usize>,
}

impl FindWatch {
    /// Returns the checks for a `find` that the application sends.
    pub(crate) fn look_at_find(find: &FindCommand, exec: &Exec) -> Self {
        let watched = exec.watched().zip(find.place.model());
        let bounds = watched.map_or_else(Vec::new, |(_, model)| bounds(model));
        let bounds = bounds.into_iter().filter(|bound| bound.max >= BOUND);
        Self {
            watched,
            bounds: bounds.collect(),
            too_many: (!is_limited(find)).then_some(exec.settings().watch_from.max(1)),
        }
    }

    /// Warns if an array in the document is nearly full.
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
                    "`{}.{path}` has {length} of at most {max} elements in the document {}, read at {}:{}; a write that \
                     exceeds the bound is rejected: raise `max`, or put the elements into a collection of their \
                     own that refers to `{}`",
                    model.name, id.unwrap_or(Bson::Null), at.file(), at.line(), model.name
                );
            }
        }
    }

    /// Warns if a `find` without a limit returned many documents.
    pub(crate) fn end(&self, documents: usize) {
        let is_too_many = self.too_many.is_some_and(|from| documents >= from);
        let Some((at, model)) = self.watched.filter(|_| is_too_many) else {
            return;
        };
        if is_first(at, "documents") {
            tracing::warn!(
                %at, model = model.name, documents,
                "a `find` without a limit returned {documents} documents of `{}` at {}:{}; write `limit` or `page`, or \
                 `stream` if you need all of them",
                model.name, at.file(), at.line()
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static PART: ModelShape = ModelShape::new("Part", "parts", &[]);

    #[test]
    fn the_call_that_takes_the_place_of_loads_is_named() {
        let of = |asked| instead_of_loads("Product.parts", &PART, asked).unwrap();
        assert_eq!(of(Asked::Load), "`Product::join_parts`");
        let limited = of(Asked::LoadSome);
        assert_eq!(limited, "`Product::join_parts(..).limit_each(n)`");
        let counted = of(Asked::Count);
        assert_eq!(counted, "`Product::join_parts(..).count_each()`");
        let of_enum = instead_of_loads("Subject", &PART, Asked::Load).unwrap();
        assert_eq!(of_enum, "one `Subject::load_all` for all of them");
    }
}
