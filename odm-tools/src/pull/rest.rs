//! Decides which fields a struct does not declare, but keeps in a flattened field.

use std::collections::HashSet;

use super::{ident::Names, tree::Node};

/// Largest number of fields that a struct declares. Further fields are kept in the flattened field.
const FIELDS: usize = 100;

/// The flattened field, which contains all stored fields that the struct does not declare.
#[derive(Clone, Debug)]
pub(super) struct RestPlan {
    pub(super) name: String,
    pub(super) why: String,
    /// The position of the flattened field among the struct's fields. This position preserves the order of the fields
    /// in stored documents.
    pub(super) at: usize,
}

/// Returns the positions of the fields that the struct declares. The struct declares the most frequent fields that have
/// a storable name.
pub(super) fn declared(all: &[(&str, Node<'_>)]) -> HashSet<usize> {
    let storable = all
        .iter()
        .enumerate()
        .filter(|(_, (stored, _))| is_storable(stored));
    let mut often: Vec<(usize, u64)> = storable
        .map(|(at, (_, node))| (at, node.survey.present))
        .collect();
    often.sort_by_key(|(_, present)| std::cmp::Reverse(*present));
    let id = all.iter().position(|(stored, _)| *stored == "_id");
    let often = often.into_iter().map(|(at, _)| at).take(FIELDS);
    often.chain(id).collect()
}

/// Whether the field of a struct can be stored under this name.
pub(super) fn is_storable(stored: &str) -> bool {
    !stored.is_empty() && !stored.starts_with('$') && !stored.contains('.')
}

/// Decides whether the struct needs a flattened field, and returns the field's name, position and comment. `taken`
/// contains the names of the struct's other fields, and `of` is the number of documents.
pub(super) fn rest(
    all: &[(&str, Node<'_>)],
    taken: &[String],
    of: u64,
    is_root: bool,
) -> Option<RestPlan> {
    let declared = declared(all);
    let left_out = all
        .iter()
        .enumerate()
        .filter(|(at, _)| !declared.contains(at));
    let names: Vec<&str> = left_out.clone().map(|(_, (stored, _))| *stored).collect();
    // The flattened field is at the position of the first undeclared field.
    let first = left_out.map(|(at, _)| at).next();
    let rare = all.iter().filter(|(_, node)| node.survey.present * 50 < of);
    let rare: Vec<&str> = rare.map(|(stored, _)| *stored).collect();
    let why = if !names.is_empty() {
        odd(&names, is_root)
    } else if !rare.is_empty() && of >= 100 {
        // If there are only a few documents, a field does not count as rare even if it occurs only once.
        let names = shown(&rare);
        format!(
            "Some fields are in fewer than 2 of 100 documents ({names}): there may be others, which are kept here."
        )
    } else {
        return None;
    };
    let mut free = Names::default();
    for name in taken.iter().map(String::as_str).chain(["id"]) {
        free.take([name]);
    }
    Some(RestPlan {
        name: free.take(["rest", "other_fields"]),
        why,
        at: first.unwrap_or(declared.len()),
    })
}

fn odd(names: &[&str], is_root: bool) -> String {
    let shown = shown(names);
    let saved = if is_root && names.iter().any(|name| name.starts_with('$')) {
        " The server replaces no document by one whose own fields begin with `$`: `save` fails."
    } else {
        ""
    };
    format!("Fields that are rare, or have names that no field of a struct has: {shown}.{saved}")
}

fn shown(names: &[&str]) -> String {
    const SHOWN: usize = 5;
    let first = names.iter().take(SHOWN);
    let first = first.map(|name| format!("`{}`", name.escape_debug()));
    let more = if names.len() > SHOWN { " .." } else { "" };
    format!("{}{more}", first.collect::<Vec<_>>().join(", "))
}
