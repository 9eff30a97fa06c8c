//! Checks the links in one collection: their kinds, duplicates, each document's link to itself, the links at the other
//! end, and the tenants of linked documents.

mod repair;

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::{
    Invariant, Invariants, Query, Repairing, Scope,
    finding::{DriftKind, Drifted, RepairingJob},
    list,
    walk::{Confirmed, Seen, SuspectStream, Walked, documents_of},
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, simple},
        odm::Exec,
        place::Place,
        plan::Statement,
    },
    derived::values::key_condition,
    error::Result,
    graph::{LinkedDocuments, graph},
    model::shape::{LinkEnds, ModelLinks, ModelShape},
    value::{
        codec::decode,
        key::{JoinKey, is_operator_or_pattern},
        path::{join, projection},
    },
};

/// Number of links that the check compares after one read of the linked documents.
const LINKS: usize = 5_000;

type Linked = &'static LinkedDocuments;

/// A document to which another document links.
struct OtherEnd {
    model: Option<(&'static ModelShape, ModelLinks)>,
    kind: Option<Bson>,
    tenant: Option<JoinKey>,
    /// The keys of the documents to which this document links.
    back: HashSet<JoinKey>,
}

/// The links between the documents of one collection.
#[derive(Clone, Copy, Debug)]
struct Links(Linked);

pub(super) fn all(_: &Scope<'_>) -> Invariants {
    list(graph().linked.iter().map(Links))
}

impl Invariant for Links {
    fn names(&self) -> Vec<String> {
        vec![self.0.name()]
    }

    fn models(&self) -> Vec<&'static ModelShape> {
        vec![self.0.all]
    }

    fn query(&self) -> Query {
        Query::Find(query(self.0, Document::new()).into())
    }

    fn repair(self: Arc<Self>, repairing: Repairing<'_>) -> BoxFuture<'_, Result<()>> {
        Box::pin(repair::repair(self.0, repairing))
    }

    fn plan(&self, findings: &[&Drifted], grace: Duration) -> Vec<Statement> {
        repair::plan(self.0, findings, grace)
    }
}

impl Walked for Links {
    type Item = Document;
    type Suspects = Vec<Bson>;

    fn read(&self, raw: &RawDocument) -> Seen<Document> {
        decode(self.0.all.collection, raw).map_or_else(Seen::Unreadable, Seen::Item)
    }

    fn weight(&self, item: &Document) -> usize {
        links_of(self.0, item).len()
    }

    async fn suspects(&self, batch: &[Document], exec: &Exec) -> Result<SuspectStream<Vec<Bson>>> {
        Ok(documents_of(compare(self.0, batch, exec).await?))
    }

    async fn confirm(&self, ids: Vec<Bson>, exec: &Exec) -> Result<Confirmed<Vec<Bson>>> {
        let find = query(self.0, doc! { "_id": key_condition(&ids) });
        let documents = exec.documents(find).await?;
        Ok((compare(self.0, &documents, exec).await?, None))
    }

    fn is_repaired(&self, _: &Drifted) -> bool {
        true
    }
}

/// Returns the query that reads the links, the kinds and the tenants of documents.
fn query(linked: Linked, filter: Document) -> FindCommand {
    // The index on `_id` uses the collation of its collection. For string ids, a query with a different collation could
    // not use this index.
    let collation = (!filter.contains_key("_id")).then(simple);
    let fields = [linked.form.array, linked.form.kind.field];
    let fields = fields.into_iter().chain(linked.all.tenant());
    FindCommand::new(Place::of(linked.all), filter)
        .select(projection(fields))
        .collation(collation)
}

/// Returns the links that a document stores.
fn links_of(linked: Linked, document: &Document) -> &[Bson] {
    let links = document.get_array(linked.form.array);
    links.map_or(&[], Vec::as_slice)
}

/// Returns the tenant of a document, if the collection has tenants. Like the server, the comparison of tenants ignores
/// the types of numbers.
fn tenant_of(linked: Linked, document: &Document) -> Option<JoinKey> {
    let tenant = document.get(linked.all.tenant()?)?;
    Some(JoinKey::from(tenant.clone()))
}

/// Lists the faults in the links of the given documents. Sends one `find` for every 5,000 links.
async fn compare(linked: Linked, documents: &[Document], exec: &Exec) -> Result<Vec<Drifted>> {
    let others = linked_documents(linked, documents, exec).await?;
    let mut found = Vec::new();
    for document in documents {
        // Documents of undeclared kinds are skipped, because no model defines the meaning of their links.
        if let (Some((_, own)), Some(id)) = (linked.model_of(document), document.get("_id")) {
            let at = DocumentCheck {
                linked,
                own,
                id,
                tenant: tenant_of(linked, document),
                found: &mut found,
            };
            at.document(links_of(linked, document), &others);
        }
    }
    Ok(found)
}

async fn linked_documents(
    linked: Linked,
    documents: &[Document],
    exec: &Exec,
) -> Result<HashMap<JoinKey, OtherEnd>> {
    let mut ids: HashSet<JoinKey> = HashSet::new();
    for document in documents {
        let own = document.get("_id");
        let links = links_of(linked, document).iter();
        let targets = links.filter_map(|link| linked.form.target_of(link));
        // An `_id` cannot be an operator or a pattern, so such values are excluded from the query.
        let targets =
            targets.filter(|target| Some(*target) != own && !is_operator_or_pattern(target));
        ids.extend(targets.map(|target| JoinKey::from(target.clone())));
    }
    let ids: Vec<Bson> = ids.iter().map(JoinKey::to_bson).collect();
    let mut others = HashMap::new();
    for ids in parts(&ids, LINKS, size_of) {
        let find = query(linked, doc! { "_id": key_condition(ids) });
        for document in exec.documents(find).await? {
            let Some(id) = document.get("_id").cloned() else {
                continue;
            };
            let links = links_of(linked, &document).iter();
            let back = links.filter_map(|link| linked.form.target_of(link));
            let other = OtherEnd {
                model: linked.model_of(&document).copied(),
                kind: document.get(linked.form.kind.field).cloned(),
                tenant: tenant_of(linked, &document),
                back: back.map(|target| JoinKey::from(target.clone())).collect(),
            };
            others.insert(JoinKey::from(id), other);
        }
    }
    Ok(others)
}

/// Whether a document with this key can exist. An element that is not a link has the key null.
fn may_lead(key: &JoinKey) -> bool {
    !key.is_null() && !is_operator_or_pattern(&key.to_bson())
}

/// The check of one document's links.
struct DocumentCheck<'c> {
    linked: Linked,
    own: &'c ModelLinks,
    id: &'c Bson,
    tenant: Option<JoinKey>,
    found: &'c mut Vec<Drifted>,
}

impl DocumentCheck<'_> {
    fn document(mut self, links: &[Bson], others: &HashMap<JoinKey, OtherEnd>) {
        let own = JoinKey::from(self.id.clone());
        let mut seen = HashSet::new();
        for (at, link) in links.iter().enumerate() {
            let target = self.linked.form.target_of(link).cloned();
            let key = JoinKey::from(target.unwrap_or(Bson::Null));
            if !may_lead(&key) {
                self.fault(at, &key, DriftKind::Dangling, None);
            } else if !seen.insert(key.clone()) {
                self.fault(at, &key, DriftKind::DoubledLink, None);
            } else if key == own {
                self.kind(at, &key, link, self.own.kind_of(None, link));
            } else {
                self.link(at, &key, link, others.get(&key), &own);
            }
        }
        if !seen.contains(&own) {
            let stored = Some(links.to_vec().into());
            self.found.push(Drifted {
                stored,
                ..self.finding(self.linked.form.array.to_owned(), DriftKind::NoOwnLink)
            });
        }
    }

    fn link(
        &mut self,
        at: usize,
        key: &JoinKey,
        link: &Bson,
        other: Option<&OtherEnd>,
        own: &JoinKey,
    ) {
        let Some(other) = other else {
            let rule = graph().rule_of_links(self.linked);
            let job = rule.map(|rule| RepairingJob {
                rule: Some(rule.relation.clone()),
                key: Some(key.clone()),
                ..RepairingJob::default()
            });
            return self.fault(at, key, DriftKind::Dangling, job);
        };
        if other.tenant != self.tenant {
            return self.fault(at, key, DriftKind::OtherTenant, None);
        }
        let kind = other.kind.as_ref();
        let kind = match &other.model {
            Some((_, links)) => links.kind_of(kind, link),
            None => kind.cloned(),
        };
        self.kind(at, key, link, kind);
        if let Some((model, links)) = other.model
            && links.ends() == LinkEnds::Both
            && !other.back.contains(own)
        {
            let keeper = graph().keeper_of_links(model);
            let job = keeper.map(|keeper| RepairingJob {
                reference: Some(Arc::clone(keeper)),
                key: Some(key.clone()),
                ..RepairingJob::default()
            });
            self.fault(at, key, DriftKind::OneSided, job);
        }
    }

    /// Compares the kind that a link stores with the kind of the linked document.
    fn kind(&mut self, at: usize, key: &JoinKey, link: &Bson, expected: Option<Bson>) {
        let (Some(kind), Some(link)) = (self.linked.form.shape.kind, link.as_document()) else {
            return;
        };
        let stored = link.get(kind);
        if stored == expected.as_ref() {
            return;
        }
        let path = format!("{}.{at}.{kind}", self.linked.form.array);
        self.found.push(Drifted {
            key: Some(key.to_bson()),
            stored: stored.cloned(),
            source: expected,
            ..self.finding(path, DriftKind::Stale)
        });
    }

    fn fault(&mut self, at: usize, key: &JoinKey, kind: DriftKind, job: Option<RepairingJob>) {
        let (array, target) = (self.linked.form.array, self.linked.form.shape.target);
        let path = join(&format!("{array}.{at}"), target);
        self.found.push(Drifted {
            key: Some(key.to_bson()),
            stored: Some(key.to_bson()),
            job: job.map(Arc::new),
            ..self.finding(path, kind)
        });
    }

    fn finding(&self, path: String, kind: DriftKind) -> Drifted {
        let (all, id) = (self.linked.all, self.id.clone());
        Drifted {
            path,
            ..Drifted::new(&self.linked.name(), all.name, all.collection, id, kind)
        }
    }
}
