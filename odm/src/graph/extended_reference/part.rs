//! Parts of extended references, which contain only some of the fields, and the relations of jobs for single fields.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use super::ExtendedReference;

/// The parts of an extended reference that have been created so far, indexed by the positions of their fields. Callers
/// compare parts by address.
#[derive(Debug, Default)]
pub(crate) struct Parts(Mutex<BTreeMap<BTreeSet<usize>, Arc<ExtendedReference>>>);

impl Clone for Parts {
    /// Returns an empty list of parts, because the fields of a clone are about to change.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl ExtendedReference {
    /// Returns the name of a part of an extended reference that copies only one field. Jobs have such names if programs
    /// declare different fields for the same reference.
    pub(crate) fn name_of_field(reference: &str, to: &str) -> String {
        format!("{reference} ({to})")
    }

    /// Returns the name together with the paths of the copies. The results of two versions of a program differ if the
    /// versions declare different copies.
    pub(crate) fn name_with_copies(&self) -> String {
        let copies: Vec<String> = self.copy_paths().collect();
        Self::name_of_field(&self.name, &copies.join(", "))
    }

    /// Splits a name into the extended reference's relation and a field. The field is `None` if the name refers to the
    /// whole extended reference.
    pub(crate) fn field_of(name: &str) -> (&str, Option<&str>) {
        let parts = name.strip_suffix(')').and_then(|it| it.split_once(" ("));
        parts.map_or((name, None), |(reference, to)| (reference, Some(to)))
    }

    /// Lists the relations that jobs for this extended reference can have: one relation for each field, and one for all
    /// fields together.
    pub(crate) fn relations(&self) -> impl Iterator<Item = String> {
        self.relations_of_fields().chain([self.relation.clone()])
    }

    /// Lists the relations that jobs for single fields of this extended reference can have.
    pub(crate) fn relations_of_fields(&self) -> impl Iterator<Item = String> {
        let (relation, _) = Self::field_of(&self.relation);
        let fields = self.copy_paths();
        fields.map(move |to| Self::name_of_field(relation, &to))
    }

    /// Returns a part of this extended reference that contains only the given fields. Each part is created once.
    pub(crate) fn part(self: &Arc<Self>, fields: &BTreeSet<usize>) -> Arc<Self> {
        if fields.len() == self.fields.len() {
            return Arc::clone(self);
        }
        let mut parts = self.parts.0.lock().unwrap_or_else(PoisonError::into_inner);
        let part = parts.entry(fields.clone()).or_insert_with(|| {
            let chosen = self.fields.iter().enumerate();
            let chosen = chosen.filter(|(at, _)| fields.contains(at));
            Arc::new(Self {
                fields: chosen.map(|(_, field)| field.clone()).collect(),
                ..(**self).clone()
            })
        });
        Arc::clone(part)
    }
}
