//! Compares documents on one side of a two-way reference with the documents on the other side.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use mongodb::bson::{Bson, Document, doc};

use super::{
    TwoWaySide,
    pair::{Direction, PairForm, Side, SideForm},
};
use crate::{
    batches::{parts, size_of},
    client::odm::Exec,
    derived::values::key_condition,
    error::Result,
    maintenance::invariant::{
        copies::has_copies,
        finding::{DriftKind, Drifted},
    },
    value::{
        key::{JoinKey, any_of},
        path::{each_value_at, value_at},
    },
};

/// Number of references that the check compares after one read of the other side.
const REFERENCES: usize = 5_000;

/// The references from the other side back to documents that have a given key.
#[derive(Debug, Default)]
struct Backlinks {
    /// The keys to which the documents on the other side refer.
    back: HashSet<JoinKey>,
    /// The tenants of the documents on the other side, if their model has a tenant.
    tenants: HashSet<JoinKey>,
    /// The reference in the first of the referring documents. The finding shows this reference.
    shown: Option<Bson>,
}

/// Lists the references in a document, each with its path.
pub(super) fn references(here: &Side, document: &Document) -> Vec<(String, JoinKey)> {
    let mut found = Vec::new();
    each_value_at(document, &here.path, &mut |path, key| {
        let key = JoinKey::from(key.clone());
        if !key.is_null() {
            found.push((path.to_owned(), key));
        }
    });
    found
}

impl TwoWaySide {
    /// Reads documents again by their ids, and compares them with the other side.
    pub(super) async fn compare_again(&self, ids: &[Bson], exec: &Exec) -> Result<Vec<Drifted>> {
        let query = self.sides().0.query(doc! { "_id": key_condition(ids) });
        let documents = exec.documents(query).await?;
        self.compare(&documents, exec).await
    }

    /// Lists the references without a counterpart on the other side. Sends one `find` for every 5,000 references.
    pub(super) async fn compare(
        &self,
        documents: &[Document],
        exec: &Exec,
    ) -> Result<Vec<Drifted>> {
        let (here, there) = self.sides();
        let all: Vec<_> = documents
            .iter()
            .map(|document| (document, references(here, document)))
            .collect();
        let keys = all.iter().flat_map(|(_, references)| references);
        let named = backlinks(here, there, keys.map(|(_, key)| key), exec).await?;
        let mut found = Vec::new();
        for (document, references) in &all {
            let value = value_at(document, &here.value).cloned();
            let value = value.map_or_else(|| JoinKey::from(Bson::Null), JoinKey::from);
            let tenant = here.tenant_of(document);
            for (path, key) in references {
                let other = named.get(key);
                let tenants = other
                    .map(|other| &other.tenants)
                    .filter(|it| !it.is_empty());
                let of_tenant = tenant.as_ref().zip(tenants);
                if of_tenant.is_some_and(|(tenant, tenants)| !tenants.contains(tenant)) {
                    found.extend(self.of_other_tenant(document, path, key.to_bson()));
                } else if other.is_none_or(|other| !other.back.contains(&value)) {
                    found.extend(self.finding(document, path, key.to_bson(), other));
                }
            }
        }
        Ok(found)
    }

    fn finding(
        &self,
        document: &Document,
        path: &str,
        key: Bson,
        other: Option<&Backlinks>,
    ) -> Option<Drifted> {
        let (pair, here, id) = (&self.pair, self.sides().0, document.get("_id")?);
        // If an array is derived from the other side, it can be corrected even if the document on the other side does
        // not exist.
        let is_derived = match (pair.form(), self.direction) {
            (PairForm::LeftIsDerived, Direction::LeftNamesRight) => true,
            (PairForm::LeftIsDerived, Direction::RightNamesLeft) | (PairForm::BothWritable, _) => {
                false
            }
        };
        let leads_nowhere = other.is_none() && !is_derived;
        if leads_nowhere && has_copies(here.model, &here.path) {
            return None;
        }
        // No job corrects a dangling reference.
        let (kind, job) = if leads_nowhere {
            (DriftKind::Dangling, None)
        } else {
            let job = pair.repairing_job(self.direction, id, &key);
            (DriftKind::OneSided, job.map(Arc::new))
        };
        Some(Drifted {
            source: other.and_then(|other| other.shown.clone()),
            job,
            ..self.drifted(id.clone(), path, key, kind)
        })
    }

    /// Returns the finding for a reference to a document of another tenant. A repair does not change the reference,
    /// because the library cannot know which of the two documents is correct.
    fn of_other_tenant(&self, document: &Document, path: &str, key: Bson) -> Option<Drifted> {
        let id = document.get("_id")?.clone();
        Some(self.drifted(id, path, key, DriftKind::OtherTenant))
    }

    fn drifted(&self, id: Bson, path: &str, key: Bson, kind: DriftKind) -> Drifted {
        let (pair, model) = (&self.pair, self.sides().0.model);
        Drifted {
            path: path.to_owned(),
            key: Some(key.clone()),
            stored: Some(key),
            ..Drifted::new(&pair.name, model.name, model.collection, id, kind)
        }
    }
}

async fn backlinks<'k>(
    here: &Side,
    there: &Side,
    keys: impl Iterator<Item = &'k JoinKey>,
    exec: &Exec,
) -> Result<HashMap<JoinKey, Backlinks>> {
    let keys: HashSet<&JoinKey> = keys.collect();
    let keys: Vec<Bson> = keys.into_iter().map(JoinKey::to_bson).collect();
    let mut named: HashMap<JoinKey, Backlinks> = HashMap::new();
    for keys in parts(&keys, REFERENCES, size_of) {
        let query = there.query(any_of(&here.to, keys.to_vec()));
        let documents = exec.documents(query).await?;
        for document in &documents {
            let Some(key) = value_at(document, &here.to) else {
                continue;
            };
            let other = named.entry(JoinKey::from(key.clone())).or_default();
            let back = references(there, document).into_iter().map(|(_, key)| key);
            other.back.extend(back);
            other.tenants.extend(there.tenant_of(document));
            if there.form == SideForm::Single && other.shown.is_none() {
                other.shown = value_at(document, &there.path).cloned();
            }
        }
    }
    Ok(named)
}
