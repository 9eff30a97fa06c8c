//! Collects the documents that a delete affects, level by level, before anything is written.

use std::collections::{BTreeSet, HashSet};

use mongodb::{
    bson::{Bson, Document, doc},
    options::UpdateModifications,
};

use super::{
    deleted_group::Gone,
    deletion::Deletion,
    key_removal::removal,
    owner::{in_statements, keys_without_document, owners},
};
use crate::{
    client::{
        command::FindCommand,
        odm::Exec,
        place::{Place, Visibility},
    },
    derived::{
        follow::{
            deleted_document::{DeletedDocuments, ids_of},
            source_change::keys_of_rule,
        },
        values::{Image, Images, key_condition},
    },
    error::Result,
    graph::{StoredReference, graph},
    model::shape::{DocumentSet, Maintained, ModelShape, OnDelete},
    query::maintained::Stamp,
    value::{key::JoinKey, path::each_value},
};

/// All documents that a delete affects.
#[derive(Debug)]
pub(super) struct Cascade {
    pub(super) deletion: Deletion,
    /// The documents to delete, grouped by model. The documents that the query found precede the other documents.
    pub(super) gone: Vec<Gone>,
    /// The documents from which the delete removes keys, grouped by rule.
    pub(super) unlinked: Vec<Unlinked>,
    /// The rules and keys that are left to jobs.
    pub(super) left: Vec<(&'static StoredReference, Vec<JoinKey>)>,
    /// All documents to delete, including those that are left to jobs.
    pub(super) going: DeletedDocuments,
    /// Documents that no longer exist because an earlier transaction has deleted them, with their ids.
    pub(super) missing: Option<(DocumentSet<'static>, HashSet<JoinKey>)>,
    /// How many more documents may be written. `None` means that the number is not limited.
    pub(super) budget: Option<u64>,
    /// Whether the cascade has collected the dependent documents of all documents, except for the rules and keys in
    /// `left`.
    pub(super) is_complete: bool,
    /// The budget at the start of the cascade.
    most: Option<u64>,
}

/// A rule for references to documents that the cascade has added, and the keys of these documents.
struct Step {
    rule: &'static StoredReference,
    keys: Vec<JoinKey>,
    /// The effect on the documents that refer to the keys.
    deletion: Deletion,
    /// Whether the documents with the keys are in the archive.
    is_archived: bool,
}

/// The documents from which one rule removes keys.
#[derive(Debug)]
pub(super) struct Unlinked {
    pub(super) rule: &'static StoredReference,
    pub(super) images: Images,
    pub(super) update: UpdateModifications,
    pub(super) array_filters: Vec<Document>,
    pub(super) before: Vec<Image>,
}

impl Cascade {
    pub(super) fn new(deletion: Deletion, budget: Option<u64>) -> Self {
        Self {
            deletion,
            gone: Vec::new(),
            unlinked: Vec::new(),
            left: Vec::new(),
            going: DeletedDocuments::default(),
            missing: None,
            budget,
            is_complete: false,
            most: budget,
        }
    }

    /// Adds the documents that a query of the delete finds. Returns their number. These documents do not count towards
    /// the budget.
    pub(super) async fn begin(
        &mut self,
        model: &'static ModelShape,
        find: FindCommand,
        exec: &Exec,
    ) -> Result<u64> {
        let mut gone = Gone::empty(model, find.place.sees_archive(), exec).await?;
        gone.comment.clone_from(&find.options.comment);
        gone.documents = exec
            .documents(find.select(gone.projection_with(None)))
            .await?;
        gone.asked = gone.documents.len();
        let count = gone.documents.len() as u64;
        if count > 0 {
            self.going.add(gone.collection(), ids_of(&gone.documents));
            self.gone.push(gone);
        }
        Ok(count)
    }

    /// Lists the collections in which the delete finds its documents.
    pub(super) fn collections(&self) -> BTreeSet<&'static str> {
        let mut all = BTreeSet::new();
        for gone in &self.gone {
            all.insert(gone.collection());
            let rules = graph().acting_rules(gone.model.documents());
            all.extend(rules.flat_map(|rule| {
                let archive = rule.model.archive_collection();
                [rule.model.collection].into_iter().chain(archive)
            }));
        }
        all
    }

    /// Collects the documents again, because hooks have changed the database. The documents that the query of the
    /// delete found are read again by their ids, even if the hooks have changed them.
    pub(super) async fn collect_again(&self, exec: &Exec) -> Result<Self> {
        let mut again = Self::new(self.deletion.clone(), self.most);
        for gone in self.gone.iter().filter(|gone| gone.asked > 0) {
            let place = if gone.is_archived {
                gone.place()
            } else {
                self.deletion.place(gone.model)
            };
            let asked = gone.documents.get(..gone.asked).unwrap_or_default();
            for ids in in_statements(&ids_of(asked), exec) {
                let by_ids = doc! { "_id": key_condition(&ids) };
                let mut find = FindCommand::new(place.clone(), by_ids).all();
                find.options.comment.clone_from(&gone.comment);
                again.begin(gone.model, find, exec).await?;
            }
        }
        if self.is_complete {
            again.descend(exec).await?;
        }
        Ok(again)
    }

    /// Adds at most `size` documents that refer to the given keys. Returns how many documents it added.
    pub(super) async fn reach(
        &mut self,
        rule: &'static StoredReference,
        keys: &[JoinKey],
        only: Document,
        size: usize,
        exec: &Exec,
    ) -> Result<u64> {
        let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
        if keys.is_empty() {
            return Ok(0);
        }
        for seen in self.deletion.visibilities(rule) {
            let mut reached = Reached::new(rule, &keys, seen, exec).await?;
            let find = affected(&self.deletion, rule, &keys, seen).and(only.clone());
            let find = find.select(reached.projection_with(&rule.path()));
            reached.documents(exec.documents(find.at_most(size)).await?, &self.going);
            let found = reached.len();
            if found > 0 {
                self.take(reached, found);
                return Ok(found);
            }
        }
        Ok(0)
    }

    /// Lists those of the given keys to which the collected documents refer, each key once. Returns `None` if one of the
    /// documents contains none of the keys. For example, the key is an array, and the reference consists of this array.
    pub(super) fn keys_of_owners(
        &self,
        rule: &StoredReference,
        keys: &[JoinKey],
    ) -> Option<Vec<JoinKey>> {
        let keys: HashSet<&JoinKey> = keys.iter().collect();
        let gone = self.gone.iter().flat_map(|gone| &gone.documents);
        let unlinked = self.unlinked.iter().flat_map(|unlinked| &unlinked.before);
        let mut held = BTreeSet::new();
        for owner in gone.chain(unlinked) {
            let mut is_known = false;
            each_value(owner, &rule.path(), &mut |key| {
                let key = JoinKey::from(key.clone());
                if keys.contains(&key) {
                    is_known = true;
                    held.insert(key);
                }
            });
            if !is_known {
                return None;
            }
        }
        Some(held.into_iter().collect())
    }

    /// Sets the missing documents: those with the given keys, if the rule has found that they do not exist.
    pub(super) fn set_missing(&mut self, rule: &'static StoredReference, keys: Vec<JoinKey>) {
        let is_missing = matches!(self.deletion, Deletion::Purge) && rule.target.path == "_id";
        self.missing = is_missing.then(|| {
            let documents = rule.target.model.documents();
            (documents, keys.into_iter().collect())
        });
    }

    /// Adds the documents that refer to the collected documents, directly or indirectly. Sends one `find` for each rule
    /// and level.
    pub(super) async fn descend(&mut self, exec: &Exec) -> Result<()> {
        loop {
            let level = self.next_level(exec);
            if level.is_empty() {
                self.is_complete = true;
                return Ok(());
            }
            for step in level {
                self.follow(step, exec).await?;
            }
        }
    }

    /// Lists the rules for references to the most recently added documents, with the keys of these documents.
    fn next_level(&mut self, exec: &Exec) -> Vec<Step> {
        let mut level = Vec::new();
        for gone in &mut self.gone {
            let is_archived = gone.is_archived;
            let new = gone.documents.get(gone.followed..).unwrap_or_default();
            let rules = graph().acting_rules(gone.model.documents());
            // The delete that archived the document has already applied the other rules.
            let acts =
                |rule: &&StoredReference| !is_archived || rule.on_delete == OnDelete::Cascade;
            let rules = rules.filter(acts);
            let rules = rules.filter(|rule| self.deletion.applies(rule));
            let effects = self.deletion.on_dependents(new);
            for (rule, (deletion, documents)) in
                rules.flat_map(|rule| effects.iter().map(move |it| (rule, it)))
            {
                let keys = keys_of_rule(rule, documents);
                let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
                let parts = in_statements(&keys, exec).into_iter();
                let keys = |part: Vec<Bson>| part.into_iter().map(JoinKey::from).collect();
                level.extend(parts.map(|part| Step {
                    rule,
                    keys: keys(part),
                    deletion: deletion.clone(),
                    is_archived,
                }));
            }
            gone.followed = gone.documents.len();
        }
        level
    }

    /// Adds the documents to which a rule applies because they refer to the given keys. Leaves these documents to a job
    /// if they exceed the budget.
    async fn follow(&mut self, step: Step, exec: &Exec) -> Result<()> {
        let rule = step.rule;
        // The `_id` is unique, so after the document has been deleted, no other document has this key. But a live
        // document can have the `_id` of an archived document.
        let is_unique = rule.target.path == "_id" && !step.is_archived;
        let keys = if is_unique || !self.deletion.can_be_restricted() {
            step.keys
        } else {
            let place = self.deletion.place(rule.target.model);
            keys_without_document(rule, step.keys, &place, &self.going, exec).await?
        };
        if keys.is_empty() {
            return Ok(());
        }
        for seen in self.deletion.visibilities(rule) {
            let mut wanted = keys.clone();
            let archive = Place::of(rule.target.model).seeing(seen);
            if archive.sees_archive() && !step.is_archived {
                // If an archived document has this key, archived documents that refer to the key belong to that
                // document.
                let none = DeletedDocuments::default();
                wanted = keys_without_document(rule, wanted, &archive, &none, exec).await?;
            }
            let wanted: Vec<Bson> = wanted.iter().map(JoinKey::to_bson).collect();
            if wanted.is_empty() {
                continue;
            }
            let find = affected(&step.deletion, rule, &wanted, seen);
            if !self.follow_into(rule, &wanted, (find, seen), exec).await? {
                if rule.on_delete == OnDelete::Cascade {
                    self.going.add_owners(rule, keys.iter().cloned());
                }
                self.left.push((rule, keys));
                return Ok(());
            }
        }
        Ok(())
    }

    /// Adds the documents to which a rule applies, unless they exceed the budget. Returns whether it added them.
    async fn follow_into(
        &mut self,
        rule: &'static StoredReference,
        wanted: &[Bson],
        (find, seen): (FindCommand, Visibility),
        exec: &Exec,
    ) -> Result<bool> {
        let mut reached = Reached::new(rule, wanted, seen, exec).await?;
        let mut find = find.select(reached.projection()).all();
        // The limit is the whole budget, not only its unused part. The query may also return documents that have
        // already been collected, and these do not count again.
        let limit = self.most.map(|most| most.saturating_add(1));
        find.options.limit = limit.and_then(|limit| i64::try_from(limit).ok());
        let found = exec.documents(find).await?;
        let is_cut = self.most.is_some_and(|most| found.len() as u64 > most);
        reached.documents(found, &self.going);
        let count = reached.len();
        // The query has not returned the documents beyond the limit, so a job handles all documents to which this rule
        // applies.
        if is_cut || self.budget.is_some_and(|left| count > left) {
            return Ok(false);
        }
        self.take(reached, count);
        Ok(true)
    }

    /// Keeps only the documents that the delete's query found. Jobs handle the other documents.
    pub(super) fn leave_to_jobs(&mut self) {
        // The cascade may have added more documents of the same model, which follow the documents that the query found.
        self.gone.retain(|gone| gone.asked > 0);
        self.unlinked.clear();
        self.left.clear();
        self.is_complete = false;
        self.going = DeletedDocuments::default();
        for gone in &mut self.gone {
            gone.documents.truncate(gone.asked);
            self.going.add(gone.collection(), ids_of(&gone.documents));
        }
    }

    fn take(&mut self, reached: Reached, count: u64) {
        self.budget = self.budget.map(|left| left.saturating_sub(count));
        match reached {
            Reached::Unlinked(unlinked) => self.unlinked.push(unlinked),
            Reached::Gone(gone) => {
                self.going.add(gone.collection(), ids_of(&gone.documents));
                let is_same = |known: &&mut Gone| {
                    // The comparison is not by address, because the compiler may create several copies of one
                    // description.
                    (known.collection(), known.model.name) == (gone.collection(), gone.model.name)
                        // A delete rule keeps the stored actors.
                        && (known.asked == 0 || !stores_actor(known.model))
                };
                match self.gone.iter_mut().find(is_same) {
                    Some(known) => known.documents.extend(gone.documents),
                    None => self.gone.push(gone),
                }
            }
        }
    }
}

/// Whether a change of a document stores the actor of the call.
fn stores_actor(model: &ModelShape) -> bool {
    let mut fields = model.maintained();
    fields.any(|(_, kind)| matches!(kind, Maintained::UpdatedBy(_)))
}

/// The documents that refer to some keys through one rule's reference.
enum Reached {
    Gone(Gone),
    Unlinked(Unlinked),
}

impl Reached {
    async fn new(
        rule: &'static StoredReference,
        keys: &[Bson],
        seen: Visibility,
        exec: &Exec,
    ) -> Result<Self> {
        match rule.on_delete {
            OnDelete::Cascade => {
                let is_archived = Place::of(rule.model).seeing(seen).sees_archive();
                return Ok(Self::Gone(
                    Gone::empty(rule.model, is_archived, exec).await?,
                ));
            }
            OnDelete::Nullify | OnDelete::Pull | OnDelete::Keep | OnDelete::Restrict => {}
        }
        let owners = rule.model.documents();
        let images = Images::of(owners).with_followers(exec.foreign(owners).await?);
        let foreign = exec.left_within(owners).await?;
        let (update, array_filters) = removal(rule, keys, &foreign);
        let mut update = UpdateModifications::Document(update);
        if let Some(stamp) = Stamp::of_delete_rule(rule.model, exec)? {
            update = stamp.update(update, false)?;
        }
        let images = images.touched_by(&update);
        Ok(Self::Unlinked(Unlinked {
            rule,
            images,
            update,
            array_filters,
            before: Vec::new(),
        }))
    }

    fn projection(&self) -> Document {
        match self {
            Self::Gone(gone) => gone.projection_with(None),
            Self::Unlinked(unlinked) => unlinked.images.projection(),
        }
    }

    /// Returns the projection for the documents and one additional path.
    fn projection_with(&self, path: &str) -> Document {
        match self {
            Self::Gone(gone) => gone.projection_with(Some(path)),
            Self::Unlinked(unlinked) => unlinked.images.projection_with(path),
        }
    }

    /// Keeps only documents that have not been collected for deletion yet.
    fn documents(&mut self, mut found: Vec<Image>, going: &DeletedDocuments) {
        match self {
            Self::Gone(gone) => {
                found.retain(|document| !going.contains(gone.collection(), document));
                gone.documents = found;
            }
            Self::Unlinked(unlinked) => {
                found.retain(|document| !going.contains(unlinked.rule.model.collection, document));
                unlinked.before = found;
            }
        }
    }

    fn len(&self) -> u64 {
        let documents = match self {
            Self::Gone(gone) => &gone.documents,
            Self::Unlinked(unlinked) => &unlinked.before,
        };
        documents.len() as u64
    }
}

/// Returns the query for the documents to which a delete applies because they refer to the given keys.
pub(super) fn affected(
    deletion: &Deletion,
    rule: &StoredReference,
    keys: &[Bson],
    seen: Visibility,
) -> FindCommand {
    let place = Place::of(rule.model).seeing(seen);
    owners(rule, keys, place).and(deletion.condition())
}
