//! Checks references that forbid a delete (`on_delete = "restrict"`).

use std::collections::HashSet;

use mongodb::bson::{Bson, Document};

use super::owner::{in_statements, owners};
use crate::{
    client::{
        command::FindCommand,
        odm::{Batch, Exec, each_document},
        place::{Place, Visibility},
    },
    derived::{
        follow::{deleted_document::DeletedDocuments, source_change::keys_of_rule},
        values::Image,
    },
    error::{Error, Result},
    graph::{StoredReference, graph},
    model::shape::{DocumentSet, ModelShape, OnDelete},
    value::{
        key::JoinKey,
        path::{each_value, projection},
    },
};

/// Largest number of documents that one batch of the check reads.
const AT_ONCE: u32 = 10_000;

pub(super) fn restricting(
    documents: DocumentSet<'_>,
) -> impl Iterator<Item = &'static StoredReference> {
    let rules = graph().rules(documents);
    rules.filter(|rule| rule.on_delete == OnDelete::Restrict)
}

fn cascading(documents: DocumentSet<'_>) -> impl Iterator<Item = &'static StoredReference> {
    let rules = graph().rules(documents);
    rules.filter(|rule| rule.on_delete == OnDelete::Cascade)
}

/// Whether a reference with `restrict` can forbid a delete of the given documents.
pub(crate) fn is_restricted(documents: DocumentSet<'_>) -> bool {
    restricting(documents).next().is_some()
}

/// Whether a reference with `restrict` can forbid a delete of the given documents, or of further documents that
/// `cascade` then deletes.
pub(crate) fn may_be_refused(documents: DocumentSet<'static>) -> bool {
    let mut all = Owners::by(|rule| rule == OnDelete::Cascade);
    all.visit(documents);
    all.sets.into_iter().any(is_restricted)
}

/// Sorts the given sets of documents, and adds all sets on which their deletes depend. Owners of references that can
/// forbid a delete precede the targets of these references.
pub(crate) fn order_of_deletes(
    sets: impl IntoIterator<Item = DocumentSet<'static>>,
) -> Vec<DocumentSet<'static>> {
    let mut all = Owners::by(|rule| matches!(rule, OnDelete::Cascade | OnDelete::Restrict));
    for documents in sets {
        all.visit(documents);
    }
    all.sets
}

/// Sets of documents, and the sets of all owners that refer to them, directly or indirectly.
struct Owners {
    is_followed: fn(OnDelete) -> bool,
    /// Each set is visited only once, because references can form a cycle.
    visited: Vec<DocumentSet<'static>>,
    /// The visited sets. The owners of references precede the targets.
    sets: Vec<DocumentSet<'static>>,
}

impl Owners {
    fn by(is_followed: fn(OnDelete) -> bool) -> Self {
        Self {
            is_followed,
            visited: Vec::new(),
            sets: Vec::new(),
        }
    }

    fn visit(&mut self, documents: DocumentSet<'static>) {
        if self.visited.contains(&documents) {
            return;
        }
        self.visited.push(documents);
        let is_followed = self.is_followed;
        let rules = graph().rules(documents);
        for rule in rules.filter(|rule| is_followed(rule.on_delete)) {
            self.visit(rule.model.documents());
        }
        self.sets.push(documents);
    }
}

/// Rejects a delete if remaining documents refer to deleted documents through one of the given references with
/// `restrict`.
pub(super) async fn refuse(
    rules: &[&'static StoredReference],
    documents: &[Image],
    going: [&DeletedDocuments; 2],
    exec: &Exec,
) -> Result<()> {
    for rule in rules {
        let keys = keys_of_rule(rule, documents);
        let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        for some in in_statements(&keys, exec) {
            refuse_references(rule, &some, going, exec).await?;
        }
    }
    Ok(())
}

/// Rejects a delete of the documents that a query finds, before the first document is deleted. Returns the documents
/// that the whole delete removes, if they can contain references with `restrict`. These documents cannot forbid their
/// own delete.
///
/// Sends one `find` for the keys of the documents, and one `find` for each rule and every 10,000 documents. Sends
/// nothing if no reference has the rule `restrict`.
pub(crate) async fn check_restrict(
    model: &'static ModelShape,
    find: &FindCommand,
    exec: &Exec,
) -> Result<DeletedDocuments> {
    let (of, collection) = (model.documents(), model.collection);
    let mut going = DeletedDocuments::default();
    if !is_restricted(of) {
        return Ok(going);
    }
    let restricts = |it: &&StoredReference| restricting(of).any(|rule| has_same_owners(rule, it));
    let cascades = cascading(of).filter(|it| is_by_id(it, of));
    let cascades: Vec<_> = cascades.filter(restricts).collect();
    if !cascades.is_empty() || restricting(of).any(|rule| rule.model.collection == collection) {
        let ids = exec.ids(find.clone().all()).await?;
        for cascade in cascades {
            going.add_owners(cascade, ids.iter().cloned().map(JoinKey::from));
        }
        going.add(collection, ids);
    }
    let rules = restricting(of).filter(|rule| !is_left_to_batches(rule, of));
    let rules: Vec<_> = rules.collect();
    if rules.is_empty() {
        return Ok(going);
    }
    let keys = projection(rules.iter().map(|rule| rule.target.path.as_str()));
    let find = find.clone().select(keys).batches_of(AT_ONCE);
    let mut batches = exec.open(find).await?;
    while let Some(batch) = batches.next().await? {
        let documents = documents_of(&batch)?;
        let going = [&going, &DeletedDocuments::default()];
        refuse(&rules, &documents, going, exec).await?;
    }
    Ok(going)
}

/// Whether the owners of a reference contain the ids of documents of exactly this set.
fn is_by_id(rule: &StoredReference, of: DocumentSet<'_>) -> bool {
    rule.target.path == "_id" && rule.target.model.documents() == of
}

fn has_same_owners(one: &StoredReference, other: &StoredReference) -> bool {
    one.model.documents() == other.model.documents()
}

/// Whether only the batches of a delete can determine which owners of a reference the delete removes. This is the case
/// if `cascade` reaches the owners through other documents, or through keys that several documents can have.
fn is_left_to_batches(rule: &StoredReference, of: DocumentSet<'static>) -> bool {
    let mut below = Owners::by(|rule| rule == OnDelete::Cascade);
    for cascade in cascading(of) {
        below.visit(cascade.model.documents());
    }
    let indirect = below.sets.iter().flat_map(|set| cascading(*set));
    let by_key = cascading(of).filter(|it| !is_by_id(it, of));
    indirect.chain(by_key).any(|it| has_same_owners(rule, it))
}

fn documents_of(batch: &Batch) -> Result<Vec<Document>> {
    let mut documents = Vec::new();
    each_document(batch, |raw| {
        documents.push(Document::try_from(raw).map_err(mongodb::error::Error::from)?);
        Ok(())
    })?;
    Ok(documents)
}

async fn refuse_references(
    rule: &StoredReference,
    keys: &[Bson],
    going: [&DeletedDocuments; 2],
    exec: &Exec,
) -> Result<()> {
    let path = rule.path();
    let (model, collection) = (rule.model, rule.model.collection);
    let keys_of_owners: Vec<String> = going.iter().flat_map(|it| it.paths(model)).collect();
    // References in documents that are already deleted cannot forbid a delete.
    let live = Place::of(model).seeing(Visibility::Live);
    let paths = [&path].into_iter().chain(&keys_of_owners);
    let find = owners(rule, keys, live).select(projection(paths.map(String::as_str)));
    // The limit is one more than the number of documents to delete. So if any remaining documents refer to the keys, at
    // least one of them is in the result. The number of documents that jobs delete is not known.
    let most = going.iter().map(|it| it.count(collection)).sum::<usize>() + 1;
    let find = if !keys_of_owners.is_empty() {
        find.batches_of(AT_ONCE)
    } else if most == 1 {
        find.first()
    } else {
        find.at_most(most)
    };
    let stays = |owner: &Image| going.iter().all(|it| !it.contains_owner(model, owner));
    let mut batches = exec.open(find.finds_none()).await?;
    let owner = loop {
        let Some(batch) = batches.next().await? else {
            return Ok(());
        };
        if let Some(owner) = documents_of(&batch)?.into_iter().find(stays) {
            break owner;
        }
    };
    // Keys are compared in their normalized form (`JoinKey`), in which an `i32`, for example, has become a `long`.
    let deleted: HashSet<JoinKey> = keys.iter().cloned().map(JoinKey::from).collect();
    let mut by = Bson::Null;
    each_value(&owner, &path, &mut |key| {
        if deleted.contains(&JoinKey::from(key.clone())) {
            by = key.clone();
        }
    });
    let error = Error::Restricted {
        model: rule.target.model.name,
        collection: rule.target.model.collection,
        reference: rule.title.clone(),
        key: Box::new(by),
    };
    // The transaction must not commit, even if your closure ignores this error.
    exec.poison(&error);
    Err(error)
}
