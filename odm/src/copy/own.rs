//! The copies inside the documents that are being written.

mod operand;

use std::collections::HashMap;

use mongodb::{
    bson::{Bson, Document, RawDocument, RawDocumentBuf, doc},
    options::UpdateModifications,
};

use super::{
    early::expect,
    follow::{Change, Follow, follow},
    graph::{Tie, graph},
    images::{Images, written_paths},
    place::raw_value_at,
    resolve::{Resolved, resolve},
    statement::{CopyUpdate, key_condition},
    tuple::{Expected, Source, Tuple, expected},
    write::followers,
};
use crate::{
    error::{Error, Result},
    job::JobId,
    key::JoinKey,
    odm::{Exec, Odm},
    path::{covers, overlap, put},
};

/// The ties whose copies a write brings into its own documents.
#[derive(Clone, Debug)]
pub(crate) struct OwnCopies {
    pub(crate) ties: Vec<&'static Tie>,
}

/// What a write took from the sources, to be looked at once more when it is committed.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    tie: &'static Tie,
    /// The documents that were written.
    ids: Vec<Bson>,
    keys: Vec<JoinKey>,
    resolved: Resolved,
}

impl Written {
    pub(crate) const fn new(
        tie: &'static Tie,
        ids: Vec<Bson>,
        keys: Vec<JoinKey>,
        resolved: Resolved,
    ) -> Self {
        Self {
            tie,
            ids,
            keys,
            resolved,
        }
    }
}

/// Documents with the values of their sources.
#[derive(Debug, Default)]
pub(crate) struct Filled {
    /// The documents that had other values, by their position; most have the right ones.
    pub(crate) patches: HashMap<usize, RawDocumentBuf>,
    pub(crate) written: Vec<Written>,
}

impl Filled {
    /// Returns a document as it is to be stored.
    pub(crate) fn stored<'d>(
        &'d self,
        at: usize,
        document: &'d RawDocumentBuf,
    ) -> &'d RawDocumentBuf {
        self.patches.get(&at).unwrap_or(document)
    }
}

/// What the correction of a stored document did.
#[derive(Debug, Default)]
pub(crate) struct Corrected {
    pub(crate) written: Vec<Written>,
    /// Whether the document is another one now.
    pub(crate) changed: bool,
}

impl OwnCopies {
    /// Lists the ties with copies in a collection.
    pub(crate) fn of(collection: &str) -> Self {
        Self {
            ties: graph().within(collection).collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ties.is_empty()
    }

    /// Keeps the ties whose keys or copies an update can concern.
    pub(crate) fn touched_by(mut self, update: &UpdateModifications) -> Self {
        if let UpdateModifications::Document(operators) = update {
            let written = written_paths(operators);
            let touched = |path: &str| written.iter().any(|written| overlap(written, path));
            self.ties.retain(|tie| {
                touched(&tie.key_path()) || tie.copy_paths().any(|copy| touched(&copy))
            });
        }
        self
    }

    /// Lists the ties that copy these copies in turn.
    pub(crate) fn followers(&self) -> Vec<&'static Tie> {
        let feeding = self.ties.iter().filter(|tie| tie.has_followers);
        feeding.flat_map(|tie| tie.followers()).collect()
    }

    /// Refuses an update that writes to a copy and not to its key.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] with the source to be written instead.
    pub(crate) fn refuse_direct(&self, update: &UpdateModifications) -> Result<()> {
        let UpdateModifications::Document(operators) = update else {
            return Ok(());
        };
        let mut operators = operators.clone();
        // An upsert needs every field of the struct; what it says about a copy is put right.
        operators.remove("$setOnInsert");
        let written = written_paths(&operators);
        for tie in &self.ties {
            let key = tie.key_path();
            if written.iter().any(|written| overlap(written, &key)) {
                continue;
            }
            for (copied, path) in tie.fields.iter().zip(tie.copy_paths()) {
                if written.iter().any(|written| covers(&path, written)) {
                    return Err(Error::Invalid(format!(
                        "`{}.{path}` is a copy of `{source}.{}`; update the `{source}`, and the copy \
                         follows",
                        tie.target.name,
                        copied.from,
                        source = tie.source.name
                    )));
                }
            }
        }
        Ok(())
    }

    /// Finds the values of their sources for documents that are to be written whole: one `find` for
    /// each tie that has keys.
    pub(crate) async fn fill(&self, documents: &[RawDocumentBuf], exec: &Exec) -> Result<Filled> {
        let mut filled = Filled::default();
        for tie in &self.ties {
            let keys = keys_in(tie, documents.iter().map(|raw| &**raw));
            let resolved = resolve(tie, keys.iter().cloned(), exec).await?;
            expect(tie, &keys, &resolved, exec).await?;
            for (at, document) in documents.iter().enumerate() {
                let document = filled.patches.get(&at).unwrap_or(document);
                if differs(tie, &resolved, document) {
                    let patched = filled_one(tie, &resolved, document)?;
                    filled.patches.insert(at, patched);
                }
            }
            if !keys.is_empty() {
                filled.written.push(Written {
                    tie,
                    ids: documents.iter().filter_map(|raw| id_of(raw)).collect(),
                    keys,
                    resolved,
                });
            }
        }
        Ok(filled)
    }

    /// Prepares an update that touches copies: one `find` for each tie whose keys it brings, and their
    /// values put into it.
    pub(crate) async fn prepare(
        &self,
        update: &mut UpdateModifications,
        exec: &Exec,
    ) -> Result<Prepared> {
        let mut prepared = Prepared::default();
        for tie in &self.ties {
            let known = operand::complete(tie, update, exec).await?;
            prepared.0.push(known);
        }
        Ok(prepared)
    }
}

/// What an update says about the copies in the documents that it changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prepared(Vec<operand::Known>);

impl Prepared {
    /// Whether the updated documents need no look.
    pub(crate) fn is_complete(&self) -> bool {
        self.0.iter().all(|known| known.complete)
    }

    /// Returns what is to be looked at once more after the commit.
    pub(crate) fn written(self, ids: &[Bson]) -> Vec<Written> {
        let known = self.0.into_iter();
        known
            .filter_map(|known| {
                Some(Written {
                    tie: known.tie,
                    ids: ids.to_vec(),
                    keys: known.keys.filter(|keys| !keys.is_empty())?,
                    resolved: known.resolved,
                })
            })
            .collect()
    }

    /// Gives the copies of one updated document the values of their sources, where the update did not:
    /// an `update` where a copy differs, and a `find` where only the document tells its keys.
    pub(crate) async fn correct(&self, document: &RawDocument, exec: &Exec) -> Result<Corrected> {
        let mut corrected = Corrected::default();
        let Some(id) = id_of(document) else {
            return Ok(corrected);
        };
        for known in &self.0 {
            let tie = known.tie;
            let (keys, resolved) = if let Some(keys) = &known.keys {
                (keys.clone(), known.resolved.clone())
            } else {
                let keys = keys_in(tie, [document]);
                let resolved = resolve(tie, keys.iter().cloned(), exec).await?;
                expect(tie, &keys, &resolved, exec).await?;
                (keys, resolved)
            };
            if !known.complete && differs(tie, &resolved, document) {
                corrected.changed = true;
                let only = doc! { "_id": id.clone() };
                write(tie, &keys, &resolved, &only, exec).await?;
                if let Some(empty) = CopyUpdate::new(tie, &[Bson::Null], Source::NoKey) {
                    exec.copy(empty.and(only)).await?;
                }
            }
            if !keys.is_empty() {
                let ids = vec![id.clone()];
                corrected.written.push(Written {
                    tie,
                    ids,
                    keys,
                    resolved,
                });
            }
        }
        Ok(corrected)
    }
}

/// Reads the sources once more after the commit, and corrects what a source has changed meanwhile.
///
/// Under snapshot isolation the writer of a copy and the writer of its source can both commit, each
/// without having seen the other. If the source was first, this read sees it; if it was last, its job
/// does. One `find` for each tie, outside the transaction. Returns the jobs of copies of these copies.
pub(crate) async fn recheck(written: Vec<Written>, odm: &Odm) -> Result<Vec<JobId>> {
    let exec = Exec::Odm(odm.clone());
    let mut jobs = Vec::new();
    for written in written {
        let now = resolve(written.tie, written.keys.iter().cloned(), &exec).await?;
        let is_old = |key: &&JoinKey| now.get(key) != written.resolved.get(key);
        let keys: Vec<_> = written.keys.iter().filter(is_old).cloned().collect();
        if keys.is_empty() {
            continue;
        }
        let correct = (written.tie, keys, written.ids);
        let followed = exec.together(correct, |(tie, keys, ids), exec| async move {
            let collection = tie.target.collection;
            let images = Images {
                ties: followers(tie, &exec).await?,
            };
            let resolved = resolve(tie, keys.iter().cloned(), &exec).await?;
            let only = doc! { "_id": key_condition(&ids) };
            let before = images.by_ids(collection, &ids, &exec).await?;
            write(tie, &keys, &resolved, &only, &exec).await?;
            let after = images.by_ids(collection, &ids, &exec).await?;
            let changes = Change::between(collection, &images, before, &after);
            follow(changes, Follow::Converge, &exec).await
        });
        jobs.extend(followed.await?.jobs);
    }
    Ok(jobs)
}

/// Updates the copies of keys in some documents.
async fn write(
    tie: &Tie,
    keys: &[JoinKey],
    resolved: &Resolved,
    only: &Document,
    exec: &Exec,
) -> Result<()> {
    for (keys, tuple) in by_tuple(keys, resolved)? {
        let source = tuple.map_or(Source::Gone, Source::Is);
        if let Some(update) = CopyUpdate::new(tie, &keys, source) {
            exec.copy(update.and(only.clone())).await?;
        }
    }
    Ok(())
}

/// Groups keys by the values that their copies have to hold, so that one statement serves many.
pub(crate) fn by_tuple<'r>(
    keys: &[JoinKey],
    resolved: &'r Resolved,
) -> Result<Vec<(Vec<Bson>, Option<&'r Tuple>)>> {
    let mut groups: Vec<(Vec<Bson>, Option<&'r Tuple>)> = Vec::new();
    let mut found: HashMap<Option<Vec<u8>>, usize> = HashMap::new();
    for key in keys {
        let tuple = resolved.get(key);
        let bytes = tuple.map(bytes).transpose()?;
        let at = *found.entry(bytes).or_insert_with(|| {
            groups.push((Vec::new(), tuple));
            groups.len() - 1
        });
        if let Some((keys, _)) = groups.get_mut(at) {
            keys.push(key.to_bson());
        }
    }
    Ok(groups)
}

fn bytes(tuple: &Tuple) -> Result<Vec<u8>> {
    let values = tuple.0.iter().enumerate();
    let present = values.filter_map(|(at, value)| Some((at.to_string(), value.clone()?)));
    let document: Document = present.collect();
    let raw = RawDocumentBuf::try_from(&document).map_err(mongodb::error::Error::from)?;
    Ok(raw.as_bytes().to_vec())
}

fn id_of(document: &RawDocument) -> Option<Bson> {
    Bson::try_from(document.get("_id").ok()??).ok()
}

/// Lists the keys of a tie in documents, each once.
pub(crate) fn keys_in<'d>(
    tie: &Tie,
    documents: impl IntoIterator<Item = &'d RawDocument>,
) -> Vec<JoinKey> {
    let (mut keys, mut seen) = (Vec::new(), std::collections::HashSet::new());
    for document in documents {
        tie.place.each(document, &mut |inner| {
            if let Some(value) = raw_value_at(inner, &tie.key) {
                let key = JoinKey::from_raw(value);
                if !key.is_null() && !seen.contains(&key) {
                    seen.insert(key.clone());
                    keys.push(key);
                }
            }
        });
    }
    keys
}

fn source_of<'r>(tie: &Tie, resolved: &'r Resolved, inner: &RawDocument) -> Source<'r> {
    let key = raw_value_at(inner, &tie.key).map(JoinKey::from_raw);
    match key.filter(|key| !key.is_null()) {
        None => Source::NoKey,
        Some(key) => resolved.get(&key).map_or(Source::Gone, Source::Is),
    }
}

pub(crate) fn differs(tie: &Tie, resolved: &Resolved, document: &RawDocument) -> bool {
    let mut found = false;
    tie.place.each(document, &mut |inner| {
        let source = source_of(tie, resolved, inner);
        found |=
            expected(tie, source).any(|(copied, value)| !value.is(raw_value_at(inner, &copied.to)));
    });
    found
}

/// Returns a document with the values of its sources.
fn filled_one(tie: &Tie, resolved: &Resolved, document: &RawDocument) -> Result<RawDocumentBuf> {
    let mut owned = Document::try_from(document).map_err(mongodb::error::Error::from)?;
    tie.place.each_mut(&mut owned, &mut |inner| {
        let key = crate::path::value_at(inner, &tie.key).cloned();
        let key = key.map(JoinKey::from).filter(|key| !key.is_null());
        let source = match &key {
            None => Source::NoKey,
            Some(key) => resolved.get(key).map_or(Source::Gone, Source::Is),
        };
        for (copied, value) in expected(tie, source) {
            match value {
                Expected::Value(value) => put(inner, &copied.to, Some(value.clone())),
                Expected::Absent => put(inner, &copied.to, None),
                Expected::Empty => put(inner, &copied.to, Some(Bson::Null)),
                Expected::Any => {}
            }
        }
    });
    Ok(RawDocumentBuf::try_from(&owned).map_err(mongodb::error::Error::from)?)
}
