//! Checks the links in a single collection in one walk: kinds, duplicates, each document's link to itself, and the
//! link at the other end.

pub(in crate::maintenance) mod repair;

use std::collections::{HashMap, HashSet};

use mongodb::bson::{Bson, Document, doc};

use super::{
    finding::{Cause, DriftKind, Drifted, LinkFault, set_aside},
    finding_stream::EventSender,
    options::Options,
    pending_job::pending,
};
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, simple},
        odm::{Exec, each_document},
        place::Place,
    },
    derived::values::key_condition,
    error::{Error, Result},
    graph::{LinkedDocuments, graph},
    model::shape::{ModelLinks, ModelShape},
    value::{
        codec::decode,
        key::{JoinKey, is_operator_or_pattern},
        path::projection,
    },
};

/// Number of links that are compared with one read of the linked documents. The same limit applies to the number of
/// documents.
const LINKS: usize = 5_000;

/// Number of documents that one transaction reads again.
const AGAIN: usize = 500;

type Linked = &'static LinkedDocuments;

/// A document to which another one links.
struct OtherEnd {
    model: Option<(&'static ModelShape, ModelLinks)>,
    kind: Option<Bson>,
    /// The keys of the documents to which this document links.
    back: HashSet<JoinKey>,
}

/// Checks the links in all documents of a collection.
pub(in crate::maintenance) async fn verify(
    linked: Linked,
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let exec = Exec::on(options.odm.clone());
    let mut batches = exec.open(query(linked, doc! {})).await?;
    let (mut documents, mut count) = (Vec::new(), 0);
    while let Some(batch) = batches.next().await? {
        let (mut read, mut unreadable) = (Vec::<Document>::new(), Vec::new());
        each_document(&batch, |raw| {
            match decode(linked.all.collection, raw) {
                Ok(document) => read.push(document),
                Err(error) => unreadable.extend(not_read(linked, &error)),
            }
            Ok(())
        })?;
        out.add_page(unreadable).await?;
        for document in read {
            count += links_of(linked, &document).len();
            documents.push(document);
            // Documents without links count, too. Otherwise, any number of them could accumulate in memory.
            if count.max(documents.len()) >= LINKS {
                compare(linked, &documents, options, out).await?;
                documents.clear();
                count = 0;
            }
        }
    }
    compare(linked, &documents, options, out).await
}

/// Returns the query that reads the links and the kinds of documents.
pub(in crate::maintenance) fn query(linked: Linked, filter: Document) -> FindCommand {
    // The index on `_id` uses the collation of its collection. For string ids, a query with another collation could
    // not use this index.
    let collation = (!filter.contains_key("_id")).then(simple);
    FindCommand::new(Place::of(linked.all), filter)
        .select(projection([linked.form.array, linked.form.kind.field]))
        .collation(collation)
}

fn not_read(linked: Linked, error: &Error) -> Option<Drifted> {
    Drifted::unreadable(&linked.name(), &[linked.all], error, None)
}

/// Returns the links that a document stores.
pub(in crate::maintenance) fn links_of(linked: Linked, document: &Document) -> &[Bson] {
    let links = document.get_array(linked.form.array);
    links.map_or(&[], Vec::as_slice)
}

/// Checks the links in some documents. If the server cannot compare them, the documents are halved until only one is
/// left, which is a finding.
async fn compare(
    linked: Linked,
    documents: &[Document],
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let mut left = vec![documents];
    while let Some(documents) = left.pop() {
        match compare_some(linked, documents, options, out).await {
            Err(error) if error.is_about_one_document() && documents.len() > 1 => {
                let (first, second) = documents.split_at(documents.len() / 2);
                // `pop` returns the first half next, so the findings stay in the order of the walk.
                left.extend([second, first]);
            }
            Err(error) if error.is_about_one_document() => {
                out.add_page(not_read(linked, &error).into_iter().collect())
                    .await?;
            }
            done => done?,
        }
    }
    Ok(())
}

async fn compare_some(
    linked: Linked,
    documents: &[Document],
    options: &Options,
    out: &EventSender,
) -> Result<()> {
    let exec = Exec::on(options.odm.clone());
    let mut ids: Vec<Bson> = Vec::new();
    for suspect in check(linked, documents, &exec).await? {
        if ids.last() != Some(&suspect.id) {
            ids.push(suspect.id);
        }
    }
    // The walk and the read of the other ends happen at different moments, so a link that was stored in between looks
    // one-sided. The documents are therefore read again in one snapshot, which contains both ends.
    for ids in parts(&ids, AGAIN, size_of) {
        let state = (linked, ids.to_vec(), options.pending);
        let read = exec.together(state, |(linked, ids, also), exec| async move {
            let mut found = compare_again(linked, &ids, &exec).await?;
            // The jobs are read in the same snapshot as the findings. A job that finishes after this snapshot has not
            // yet repaired the data that the snapshot shows.
            let pending = set_pending_aside(linked, &mut found, also, &exec).await?;
            Ok((found, pending))
        });
        let (found, pending) = read.await?;
        out.add_page(found).await?;
        out.pending(pending).await?;
    }
    let count = documents.iter().map(|it| links_of(linked, it).len());
    out.checked(count.sum::<usize>() as u64).await
}

/// Reads documents again by their ids, and compares them with the documents to which they link.
async fn compare_again(linked: Linked, ids: &[Bson], exec: &Exec) -> Result<Vec<Drifted>> {
    let documents = exec
        .documents(query(linked, doc! { "_id": key_condition(ids) }))
        .await?;
    check(linked, &documents, exec).await
}

/// Marks or removes findings that a job will correct. Returns the number of these findings.
async fn set_pending_aside(
    linked: Linked,
    found: &mut Vec<Drifted>,
    include: bool,
    exec: &Exec,
) -> Result<u64> {
    let mut waiting: HashMap<String, HashSet<JoinKey>> = HashMap::new();
    for item in &*found {
        let repairing_job = relation_of(linked, item).zip(item.key.clone());
        if let Some((relation, key)) = repairing_job {
            waiting
                .entry(relation)
                .or_default()
                .insert(JoinKey::from(key));
        }
    }
    for (relation, keys) in &mut waiting {
        let all: Vec<JoinKey> = keys.iter().cloned().collect();
        *keys = pending([relation.clone()], &all, exec).await?;
    }
    Ok(set_aside(found, include, |item| {
        let keys = relation_of(linked, item).and_then(|relation| waiting.get(&relation));
        let key = item.key.clone().map(JoinKey::from);
        keys.zip(key).is_some_and(|(keys, key)| keys.contains(&key))
    }))
}

/// Returns the relation of the job that would correct a finding.
fn relation_of(linked: Linked, item: &Drifted) -> Option<String> {
    match &item.cause {
        Cause::Link(_, LinkFault::OneSided(model)) => {
            graph().keeper_of_links(model).map(|it| it.relation.clone())
        }
        Cause::Link(_, LinkFault::Dangling) => {
            graph().rule_of_links(linked).map(|it| it.relation.clone())
        }
        _ => None,
    }
}

/// Lists the faults in the links of some documents. Sends one `find` for every 5,000 links.
pub(in crate::maintenance) async fn check(
    linked: Linked,
    documents: &[Document],
    exec: &Exec,
) -> Result<Vec<Drifted>> {
    let others = linked_documents(linked, documents, exec).await?;
    let mut found = Vec::new();
    for document in documents {
        // Documents of kinds that no model declares are skipped, because the meaning of their links is not declared.
        if let (Some((_, own)), Some(id)) = (linked.model_of(document), document.get("_id")) {
            let at = DocumentCheck {
                linked,
                own,
                id,
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
        // An `_id` cannot be a value that the server would execute as an operator or a pattern.
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
                back: back.map(|target| JoinKey::from(target.clone())).collect(),
            };
            others.insert(JoinKey::from(id), other);
        }
    }
    Ok(others)
}

/// Whether a document with this key can exist. An element that is not a link has the key null.
pub(in crate::maintenance) fn may_lead(key: &JoinKey) -> bool {
    !key.is_null() && !is_operator_or_pattern(&key.to_bson())
}

/// The check of one document's links.
struct DocumentCheck<'c> {
    linked: Linked,
    own: &'c ModelLinks,
    id: &'c Bson,
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
                self.fault(at, &key, DriftKind::Dangling, LinkFault::Written);
            } else if !seen.insert(key.clone()) {
                self.fault(at, &key, DriftKind::DoubledLink, LinkFault::Written);
            } else if key == own {
                self.kind(at, &key, link, self.own.kind_of(None, link));
            } else {
                self.link(at, &key, link, others.get(&key), &own);
            }
        }
        if !seen.contains(&own) {
            let array = self.linked.form.array;
            let stored = Some(links.to_vec().into());
            self.add(
                array,
                None,
                stored,
                DriftKind::NoOwnLink,
                LinkFault::Written,
            );
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
            return self.fault(at, key, DriftKind::Dangling, LinkFault::Dangling);
        };
        let kind = other.kind.as_ref();
        let kind = match &other.model {
            Some((_, links)) => links.kind_of(kind, link),
            None => kind.cloned(),
        };
        self.kind(at, key, link, kind);
        if let Some((model, links)) = other.model
            && !links.shape.one_sided
            && !other.back.contains(own)
        {
            self.fault(at, key, DriftKind::OneSided, LinkFault::OneSided(model));
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
        let stored = stored.cloned();
        self.add(
            &path,
            Some(key),
            stored,
            DriftKind::Stale,
            LinkFault::Written,
        );
        if let Some(last) = self.found.last_mut() {
            last.source = expected;
        }
    }

    fn fault(&mut self, at: usize, key: &JoinKey, kind: DriftKind, fault: LinkFault) {
        let (array, target) = (self.linked.form.array, self.linked.form.shape.target);
        let path = crate::value::path::join(&format!("{array}.{at}"), target);
        self.add(&path, Some(key), Some(key.to_bson()), kind, fault);
    }

    fn add(
        &mut self,
        path: &str,
        key: Option<&JoinKey>,
        stored: Option<Bson>,
        kind: DriftKind,
        fault: LinkFault,
    ) {
        self.found.push(Drifted {
            relation: self.linked.name(),
            model: self.linked.all.name,
            collection: self.linked.all.collection,
            id: self.id.clone(),
            path: path.to_owned(),
            key: key.map(JoinKey::to_bson),
            stored,
            source: None,
            kind,
            pending: false,
            cause: Cause::Link(self.linked, fault),
        });
    }
}
