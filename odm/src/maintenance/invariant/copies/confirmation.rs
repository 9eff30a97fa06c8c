//! Confirms suspected differences by reading the documents again, in the same snapshot as their sources and jobs.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use mongodb::bson::{Bson, Document, RawDocumentBuf, doc};

use super::compare::{Copies, Difference, compare};
use crate::{
    client::{
        command::{FindCommand, simple},
        id_order::{self, id_of},
        odm::Exec,
        place::Place,
    },
    derived::values::{
        Resolved, SourceValues, Values, by_values, expected, read_sources, tied, update_of,
    },
    error::Result,
    graph::{ExtendedReference, KeyOwner, Nulls, graph},
    maintenance::invariant::{
        finding::{DriftKind, Drifted, RepairingJob},
        walk::Confirmed,
    },
    value::{
        key::JoinKey,
        path::{join, projection, raw_value_at},
    },
};

/// Number of documents that one transaction reads again.
const DOCUMENTS: usize = 1_000;

/// Keys for which copies seem to differ, and the position up to which the documents that contain these keys have been
/// read.
#[derive(Clone, Debug)]
pub(super) struct Suspects {
    pub(super) copies: Copies,
    pub(super) keys: Vec<JoinKey>,
    /// Whether to include copies whose reference is null.
    pub(super) no_key: bool,
    /// The `_id` of the last document that was read. The next page starts after this document.
    pub(super) lo: Option<Bson>,
}

/// Reads one page: the sources, and the documents whose copies differ from these sources. Also returns the position at
/// which the next page starts.
pub(super) async fn read(mut suspects: Suspects, exec: &Exec) -> Result<Confirmed<Suspects>> {
    let reference = &suspects.copies.reference;
    let resolved = read_sources(reference, suspects.keys.iter().cloned(), exec).await?;
    let Some(filter) = suspects.filter(&resolved)? else {
        return Ok((Vec::new(), None));
    };
    let documents = documents(&suspects, filter, exec).await?;
    let mut finder = Finder::new(&suspects, &resolved);
    let found = documents.iter().flat_map(|it| finder.find(it)).collect();
    let last = documents.get(DOCUMENTS - 1);
    suspects.lo = last.and_then(|raw| id_of(raw));
    Ok((found, suspects.lo.is_some().then_some(suspects)))
}

/// Returns the name of the delete rule that changes or deletes the documents containing the copies when the source is
/// deleted. Returns `None` if there is no such rule.
fn acting_rule(reference: &ExtendedReference) -> Option<String> {
    let key = reference.key_beside_copies()?;
    let mut rules = graph().acting_rules(reference.source.documents());
    let rule = rules.find(|rule| {
        rule.model.documents() == reference.target.documents()
            && rule.path() == key
            && rule.target.path == reference.source_key
    });
    rule.map(|rule| rule.relation.clone())
}

impl Suspects {
    /// Returns a filter for the documents in which copies differ. Returns `None` if copies cannot differ in any
    /// document.
    fn filter(&self, resolved: &Resolved) -> Result<Option<Document>> {
        let reference = &self.copies.reference;
        let mut any = Vec::new();
        for (keys, values) in by_values(&self.keys, resolved)? {
            match values {
                // Usually, a missing copy is correct if the source lacks the field. But this struct requires the copy,
                // so all documents are read.
                Some(values) if lacks_required(reference, values) => {
                    any.push(tied(reference, &keys));
                }
                Some(values) => {
                    any.extend(differing(reference, &keys, SourceValues::Found(values)));
                }
                // All documents are read, because a dangling reference is always a difference, no matter which
                // values the copies have.
                None => match reference.key_owner() {
                    KeyOwner::Target => any.push(tied(reference, &keys)),
                    KeyOwner::Source => {
                        any.extend(differing(reference, &keys, SourceValues::Missing));
                    }
                },
            }
        }
        if self.no_key && self.copies.nulls == Nulls::Forbidden {
            any.push(reference.place.without_key(&reference.key));
        } else if self.no_key {
            any.extend(differing(reference, &[Bson::Null], SourceValues::NoKey));
        }
        if any.is_empty() {
            return Ok(None);
        }
        Ok(Some(doc! { "$or": any }))
    }
}

/// Whether the source lacks a field, although the struct that contains the copies requires a value.
fn lacks_required(reference: &ExtendedReference, values: &Values) -> bool {
    expected(reference, SourceValues::Found(values))
        .any(|(copied, value)| copied.is_missed(value, false))
}

fn differing(
    reference: &ExtendedReference,
    keys: &[Bson],
    source: SourceValues<'_>,
) -> Option<Document> {
    update_of(reference, keys, source).map(|update| update.filter)
}

async fn documents(
    suspects: &Suspects,
    filter: Document,
    exec: &Exec,
) -> Result<Vec<RawDocumentBuf>> {
    let reference = &suspects.copies.reference;
    let paths = reference.copy_paths().chain([reference.key_path()]);
    let paths = reference.place.read_paths(paths);
    let find = FindCommand::new(Place::at(&reference.target), filter)
        .select(projection(paths.iter().map(String::as_str)))
        .collation(simple());
    id_order::next(&find, suspects.lo.as_ref(), DOCUMENTS, exec).await
}

/// Finds the places in documents at which copies differ from their sources.
struct Finder<'f> {
    suspects: &'f Suspects,
    wanted: HashSet<&'f JoinKey>,
    resolved: &'f Resolved,
    rule: Option<String>,
    /// The jobs, by the key and by whether the job changes the reference itself (`true`) or its copies (`false`).
    jobs: HashMap<(Option<JoinKey>, bool), Arc<RepairingJob>>,
}

impl<'f> Finder<'f> {
    fn new(suspects: &'f Suspects, resolved: &'f Resolved) -> Self {
        Self {
            suspects,
            wanted: suspects.keys.iter().collect(),
            resolved,
            rule: acting_rule(&suspects.copies.reference),
            jobs: HashMap::new(),
        }
    }

    fn find(&mut self, document: &RawDocumentBuf) -> Vec<Drifted> {
        let mut found = Vec::new();
        let Some(id) = id_of(document) else {
            return found;
        };
        let compared = &self.suspects.copies;
        let reference = &compared.reference;
        reference
            .place
            .each_element(document, &mut |positions, element| {
                let key = raw_value_at(element, &reference.place.relative(&reference.key));
                let key = key.map(JoinKey::from_raw).filter(|key| !key.is_null());
                let Some(source) = self.source(key.as_ref()) else {
                    return;
                };
                let copy = |at: usize| {
                    let copied = reference.fields.get(at)?;
                    raw_value_at(element, &reference.place.relative(&copied.to))
                };
                for difference in compare(compared, source, key.as_ref(), copy) {
                    let path = reference.place.element_at(positions);
                    found.push(self.drifted(&id, &path, key.clone(), difference));
                }
            });
        found
    }

    /// Returns the source for a key. Returns `None` if the key is not one of the suspects.
    fn source(&self, key: Option<&JoinKey>) -> Option<SourceValues<'f>> {
        match key {
            None => self.suspects.no_key.then_some(SourceValues::NoKey),
            Some(key) if !self.wanted.contains(key) => None,
            Some(key) => Some(SourceValues::of(self.resolved.get(key))),
        }
    }

    fn drifted(
        &mut self,
        id: &Bson,
        element: &str,
        key: Option<JoinKey>,
        difference: Difference,
    ) -> Drifted {
        let reference = &self.suspects.copies.reference;
        let (name, model, kind) = (&reference.name, reference.target.shape(), difference.kind);
        Drifted {
            path: join(element, &difference.path),
            key: key.as_ref().map(JoinKey::to_bson),
            stored: difference.stored,
            source: difference.source,
            job: self.job(key, kind, difference.is_reference),
            ..Drifted::new(name, model.name, model.collection, id.clone(), kind)
        }
    }

    /// Returns the job that corrects a difference. Findings for the same key share the job. No job corrects a copy that
    /// is missing because the source lacks the field. A job for copies does not change a reference, but the job for a
    /// delete rule can remove a reference.
    fn job(
        &mut self,
        key: Option<JoinKey>,
        kind: DriftKind,
        is_reference: bool,
    ) -> Option<Arc<RepairingJob>> {
        if kind == DriftKind::MissingCopy {
            return None;
        }
        let job = self.jobs.entry((key.clone(), is_reference));
        let job = job.or_insert_with(|| {
            let values = key.as_ref().and_then(|key| self.resolved.get(key));
            Arc::new(RepairingJob {
                reference: (!is_reference).then(|| Arc::clone(&self.suspects.copies.reference)),
                rule: self.rule.clone(),
                values: values.cloned(),
                key,
            })
        });
        Some(Arc::clone(job))
    }
}
