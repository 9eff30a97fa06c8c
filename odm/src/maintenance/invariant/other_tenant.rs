//! Checks that documents refer only to documents of their own tenant. [`two_way`](super::two_way) and
//! [`links`](super::links) check the tenants of their references themselves.

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Bson, Document, RawDocument, RawDocumentBuf, doc};

use super::{
    Invariant, Invariants, Query, Scope,
    finding::{DriftKind, Drifted},
    list,
    two_way::pair::TwoWay,
    walk::{Confirmed, Seen, SuspectStream, Walked, documents_of},
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, simple},
        id_order::id_of,
        odm::Exec,
        place::Place,
    },
    derived::values::key_condition,
    error::Result,
    graph::{
        StoredReference,
        stored_reference::{StoredSlot, Target, each_slot},
    },
    model::shape::ModelShape,
    value::{
        key::{JoinKey, any_of},
        path::{each_value, projection},
    },
};

/// A reference between documents with tenants.
#[derive(Clone, Debug)]
struct TenantReference(StoredReference);

/// The tenants of the documents to which each stored slot refers.
type Tenants = HashMap<StoredSlot, HashSet<JoinKey>>;

pub(super) fn all(scope: &Scope<'_>) -> Invariants {
    let pairs = TwoWay::all(scope.models);
    let references = scope.references.iter().map(|it| &it.stored);
    let references = references.filter(|reference| {
        let mut sides = pairs.iter().flat_map(|pair| [&pair.left, &pair.right]);
        let mut targets = reference.targets();
        targets.any(|target| reference.is_between_tenants(target))
            && !sides.any(|side| reference.is_at(side.model, &side.path))
    });
    list(references.cloned().map(TenantReference))
}

impl Invariant for TenantReference {
    fn names(&self) -> Vec<String> {
        vec![self.0.name()]
    }

    fn models(&self) -> Vec<&'static ModelShape> {
        let targets = self.0.targets().map(|target| target.model);
        [self.0.model].into_iter().chain(targets).collect()
    }

    fn query(&self) -> Query {
        Query::Find(self.query_of(Document::new()).into())
    }
}

impl Walked for TenantReference {
    type Item = RawDocumentBuf;
    type Suspects = Vec<Bson>;

    fn read(&self, raw: &RawDocument) -> Seen<RawDocumentBuf> {
        Seen::Item(raw.to_owned())
    }

    /// Returns 0, because the checks of copies and of dangling references already count these references.
    fn places(&self, _: &RawDocumentBuf) -> u64 {
        0
    }

    async fn suspects(
        &self,
        batch: &[RawDocumentBuf],
        exec: &Exec,
    ) -> Result<SuspectStream<Vec<Bson>>> {
        Ok(documents_of(self.compare(batch, exec).await?))
    }

    async fn confirm(&self, ids: Vec<Bson>, exec: &Exec) -> Result<Confirmed<Vec<Bson>>> {
        let find = self.query_of(doc! { "_id": key_condition(&ids) });
        let documents = exec.raw_documents(find).await?;
        Ok((self.compare(&documents, exec).await?, None))
    }
}

impl TenantReference {
    fn query_of(&self, filter: Document) -> FindCommand {
        let reference = &self.0;
        let paths = reference.place.read_paths(reference.paths());
        let paths = paths.iter().map(String::as_str);
        let paths = paths.chain(reference.model.tenant());
        FindCommand::new(Place::of(reference.model), filter).select(projection(paths))
    }

    /// Lists the references to documents of another tenant. Sends at least one `find` for each target model.
    async fn compare(&self, documents: &[RawDocumentBuf], exec: &Exec) -> Result<Vec<Drifted>> {
        let reference = &self.0;
        let mut stored = Vec::new();
        for document in documents {
            each_slot(reference, document, &mut |path, slot| {
                if !slot.key.is_null() {
                    stored.push((document, path, slot));
                }
            });
        }
        let mut tenants = Tenants::new();
        for (number, target) in reference.targets().enumerate() {
            if reference.is_between_tenants(target) {
                let of_target = stored.iter().filter(|(.., slot)| slot.target == number);
                let keys: HashSet<&JoinKey> = of_target.map(|(.., slot)| &slot.key).collect();
                let keys: Vec<Bson> = keys.into_iter().map(JoinKey::to_bson).collect();
                add_tenants(&mut tenants, (number, target), &keys, exec).await?;
            }
        }
        let found = stored.into_iter().filter_map(|(document, path, slot)| {
            let of_target = tenants.get(&slot)?;
            let is_own = of_target.contains(&tenant_of(reference.model, document)?);
            (!is_own).then(|| self.finding(document, path, &slot))?
        });
        Ok(found.collect())
    }

    fn finding(&self, document: &RawDocument, path: String, slot: &StoredSlot) -> Option<Drifted> {
        let (model, key) = (self.0.model, slot.key.to_bson());
        let (id, kind) = (id_of(document)?, DriftKind::OtherTenant);
        Some(Drifted {
            path,
            key: Some(key.clone()),
            stored: Some(key),
            ..Drifted::new(&self.0.name(), model.name, model.collection, id, kind)
        })
    }
}

/// Returns the tenant of a document. A document without a tenant has the tenant null.
fn tenant_of(model: &ModelShape, document: &RawDocument) -> Option<JoinKey> {
    let tenant = document.get(model.tenant()?).ok()?;
    let tenant = tenant.map_or(Ok(Bson::Null), Bson::try_from);
    tenant.ok().map(JoinKey::from)
}

async fn add_tenants(
    tenants: &mut Tenants,
    (number, target): (usize, &Target),
    keys: &[Bson],
    exec: &Exec,
) -> Result<()> {
    let path = target.path.as_str();
    let fields = [path].into_iter().chain(target.model.tenant());
    let fields = projection(fields);
    for keys in parts(keys, usize::MAX, size_of) {
        let find = FindCommand::new(Place::of(target.model), any_of(path, keys.to_vec()));
        let find = find
            .select(fields.clone())
            .collation((path != "_id").then(simple));
        for document in exec.raw_documents(find).await? {
            let tenant = tenant_of(target.model, &document);
            let document = Document::try_from(&*document).map_err(mongodb::error::Error::from)?;
            each_value(&document, path, &mut |key| {
                let key = JoinKey::from(key.clone());
                let slot = StoredSlot {
                    target: number,
                    key,
                };
                tenants.entry(slot).or_default().extend(tenant.clone());
            });
        }
    }
    Ok(())
}
