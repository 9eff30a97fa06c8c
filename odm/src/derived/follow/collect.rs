//! Separates the changes of children from the other changes of a write.

use super::source_change::{Change, ChildChange};
use crate::graph::{DeclaredBy, ExtendedReference, Targets};

/// Removes the changes of children that concern the selected extended references from `changes`, and returns
/// them.
pub(super) fn children_of(
    changes: &mut Vec<Change>,
    some: impl Fn(&ExtendedReference) -> bool,
) -> Vec<(&'static ExtendedReference, Vec<ChildChange>)> {
    let mut groups: Vec<(&'static ExtendedReference, Vec<ChildChange>)> = Vec::new();
    changes.retain_mut(|change| {
        let Change::Reference(it) = change else {
            return true;
        };
        // This works only if the key is the `_id`, because several documents can share any other key.
        let can = it.reference.targets() == Targets::OneById
            && it.reference.declared_by == DeclaredBy::ThisProgram
            && some(it.reference);
        let Some(child) = it.child.take_if(|_| can) else {
            return true;
        };
        match groups
            .iter_mut()
            .find(|(of, _)| std::ptr::eq(*of, it.reference))
        {
            Some((_, children)) => children.push(child),
            None => groups.push((it.reference, vec![child])),
        }
        false
    });
    groups
}
