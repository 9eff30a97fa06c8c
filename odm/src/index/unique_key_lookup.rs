//! Finds the documents of an insert for which another document already stores the same unique key. The search runs
//! before the insert is sent.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use mongodb::bson::{Bson, Document, RawDocument, doc};

use super::server;
use crate::{
    batches::{parts, size_of},
    client::{
        command::{FindCommand, rejected_documents::duplicate},
        odm::Exec,
        place::Place,
    },
    error::{Error, Result},
    value::{
        key::{JoinKey, any_of},
        path::{projection, raw_value_at},
    },
};

/// Largest number of keys in one statement. `KEYS` is the limit for indexes on one field, and `COMPOUND_KEYS` is the
/// limit for compound indexes.
const KEYS: usize = 10_000;
const COMPOUND_KEYS: usize = 500;

/// The documents of an insert that have the same unique key as another document.
#[derive(Debug, Default)]
pub(crate) struct DuplicateKeys {
    /// The documents for which the key is already stored.
    pub(crate) stored: HashMap<usize, Arc<Error>>,
    /// The documents that have the same key as an earlier document of the insert. The earlier document may still be
    /// rejected for a different reason.
    pub(crate) twice: HashSet<usize>,
}

/// A unique index that is not partial.
struct UniqueIndex {
    name: String,
    paths: Vec<String>,
}

/// Looks up the unique keys of documents. Sends one `listIndexes`. For each unique index on one field, also sends one
/// `find` per 10,000 keys. For each compound unique index, sends one `find` per 500 keys.
///
/// The lookup finds only keys that the server is certain to reject: single values in indexes that are not partial.
/// Indexes that contain a copy are skipped, because the insert replaces the copies in the documents. The server reports
/// all other duplicates.
pub(crate) async fn look_up(
    place: &Place,
    documents: &[(usize, &RawDocument)],
    has_copy_at: impl Fn(&str) -> bool + Send,
    exec: &Exec,
) -> Result<DuplicateKeys> {
    let mut taken = DuplicateKeys::default();
    let indexes = unique_indexes(place, exec).await?.into_iter();
    let is_known = |index: &UniqueIndex| !index.paths.iter().any(|path| has_copy_at(path));
    let known: Vec<_> = indexes.filter(is_known).collect();
    for index in known {
        let mut keys: Vec<(usize, Vec<Bson>)> = Vec::new();
        let mut seen = HashSet::new();
        for (at, document) in documents {
            let Some(key) = index.key_of(document) else {
                continue;
            };
            if !seen.insert(joined(&key)) {
                taken.twice.insert(*at);
            }
            keys.push((*at, key));
        }
        let stored = index.stored(place, &keys, exec).await?;
        for (at, key) in keys {
            if stored.contains(&joined(&key)) {
                let fields = index.paths.iter().cloned().zip(key).collect();
                let error = || Arc::new(duplicate(place, &index.name, fields));
                taken.stored.entry(at).or_insert_with(error);
            }
        }
    }
    taken.twice.retain(|at| !taken.stored.contains_key(at));
    Ok(taken)
}

async fn unique_indexes(place: &Place, exec: &Exec) -> Result<Vec<UniqueIndex>> {
    let found = server::list(exec.odm(), place.name()).await?;
    let of_id = UniqueIndex {
        name: "_id_".to_owned(),
        paths: vec!["_id".to_owned()],
    };
    let others = found.indexes.into_iter().filter(|index| {
        index.options.get_bool("unique").unwrap_or_default()
            && !index.options.contains_key("partialFilterExpression")
            && index.keys.values().all(|kind| kind.as_str().is_none())
    });
    let others = others.map(|index| UniqueIndex {
        name: index.name,
        paths: index.keys.keys().cloned().collect(),
    });
    Ok([of_id].into_iter().chain(others).collect())
}

impl UniqueIndex {
    /// Returns the key of a document, or `None` if only the server can determine the key.
    fn key_of(&self, document: &RawDocument) -> Option<Vec<Bson>> {
        let values = self.paths.iter().map(|path| {
            let value = Bson::try_from(raw_value_at(document, path)?).ok()?;
            is_simple(&value).then_some(value)
        });
        values.collect()
    }

    /// Returns those of the given keys that are already stored.
    async fn stored(
        &self,
        place: &Place,
        keys: &[(usize, Vec<Bson>)],
        exec: &Exec,
    ) -> Result<HashSet<Vec<JoinKey>>> {
        let most = if self.paths.len() == 1 {
            KEYS
        } else {
            COMPOUND_KEYS
        };
        let size = |(_, key): &(usize, Vec<Bson>)| key.iter().map(size_of).sum::<usize>();
        let mut stored = HashSet::new();
        for part in parts(keys, most, size) {
            // The unique index covers documents of all kinds, so the query is not restricted to one kind.
            let whole = Place::whole_collection(place.name().to_owned());
            let mut find = FindCommand::new(whole, self.filter(part));
            exec.read_latest(&mut find.options);
            let find = find.select(projection(self.paths.iter().map(String::as_str)));
            for document in exec.raw_documents(find.all()).await? {
                stored.extend(self.key_of(&document).map(|key| joined(&key)));
            }
        }
        Ok(stored)
    }

    /// Returns a filter for documents that have one of the given keys. If a collation applies, the filter also finds
    /// other documents, so the caller compares the keys again.
    fn filter(&self, keys: &[(usize, Vec<Bson>)]) -> Document {
        if let [path] = self.paths.as_slice() {
            let keys = keys.iter().filter_map(|(_, key)| key.first().cloned());
            return any_of(path, keys.collect());
        }
        let of_key = |(_, key): &(usize, Vec<Bson>)| -> Document {
            self.paths
                .iter()
                .cloned()
                .zip(key.iter().cloned())
                .collect()
        };
        doc! { "$or": keys.iter().map(of_key).collect::<Vec<_>>() }
    }
}

fn joined(key: &[Bson]) -> Vec<JoinKey> {
    key.iter().cloned().map(JoinKey::from).collect()
}

/// Whether the index contains the value unchanged, and a filter compares with the value instead of interpreting it.
fn is_simple(value: &Bson) -> bool {
    !matches!(
        value,
        Bson::Null
            | Bson::Undefined
            | Bson::Array(_)
            | Bson::Document(_)
            | Bson::RegularExpression(_)
    )
}
