//! Relations that are stored on the other side.

use std::{ops::Range, sync::Arc};

use mongodb::{
    bson::{Bson, Document, RawBsonRef, RawDocument, doc},
    options::AggregateOptions,
};
use serde::de::DeserializeOwned;

use super::{
    fetch::{Fetched, check_limit},
    keys::{KeyIndex, SlotNumber},
    ranges::Cut,
    request::{Request, simple_collation},
};
use crate::{
    codec::encode_document,
    command::Aggregate,
    error::{EncodeError, Result},
    key::{JoinKey, Key},
    model::{IdOf, Model},
    odm::{Exec, each_document},
    place::Place,
    reference::KeySlot,
    relation::raw_keys::each_raw_key,
    shape::FieldShape,
};

/// Hands over the keys by which other documents refer to `owner`: its id, or the field that their
/// reference names with `to = "Model.field"`.
pub fn owner_keys<O: Model>(
    owner: &O,
    reference: Option<&'static FieldShape>,
    found: &mut dyn FnMut(KeySlot),
) {
    match reference.and_then(|field| field.reference.as_ref()?.key) {
        None => found(owner.id().as_key().join_key()),
        Some(key) => match stored_keys(owner, &(key.path)()) {
            Ok(keys) => keys.into_iter().for_each(|key| found(Ok(key))),
            Err(error) => found(Err(error)),
        },
    }
}

/// Reads the keys at a path of an owner as it is stored.
fn stored_keys<O: Model>(owner: &O, path: &str) -> Result<Vec<JoinKey>, EncodeError> {
    let stored = encode_document(owner)?;
    let mut keys = Vec::new();
    each_raw_key(&stored, path, &mut |key| keys.push(JoinKey::from_raw(key)));
    Ok(keys)
}

impl Request {
    /// Fetches at most `limit` documents of each key, in one aggregation: `$documents` with the
    /// keys, and a `$lookup` that the server answers from an index, key by key. It reads no more
    /// than it returns, while `$group` would read every child.
    pub(crate) async fn fetch_each<V>(
        &self,
        keys: &Arc<KeyIndex>,
        limit: usize,
        exec: &Exec,
    ) -> Result<Fetched<V>>
    where
        V: DeserializeOwned,
    {
        let mut fetched = Fetched::none();
        for range in keys.ranges(exec.settings(), Cut::Busy) {
            let mut batches = exec.open(self.each(keys, range, limit)).await?;
            while let Some(batch) = batches.next().await? {
                each_document(&batch, |pair| self.place_pair(pair, keys, &mut fetched))?;
                check_limit(fetched.documents.len(), exec.settings(), self.relation)?;
            }
        }
        Ok(fetched)
    }

    fn aggregate_options(&self, keys: &KeyIndex) -> AggregateOptions {
        let mut options = AggregateOptions::default();
        options.collation.clone_from(&self.options.collation);
        if options.collation.is_none() && keys.has_collation() {
            options.collation = Some(simple_collation());
        }
        options.max_time = self.options.max_time;
        options.batch_size = Some(100_000);
        options
    }

    /// Returns the aggregation for some of the keys.
    pub(super) fn each(
        &self,
        keys: &KeyIndex,
        range: Range<SlotNumber>,
        limit: usize,
    ) -> Aggregate {
        let pipeline = self.pipeline(keys.values(range), limit);
        Aggregate::new(Place::database(), pipeline).with(self.aggregate_options(keys))
    }

    fn pipeline(&self, keys: Vec<Bson>, limit: usize) -> Vec<Document> {
        let keys: Vec<Bson> = keys
            .into_iter()
            .map(|key| doc! { "k": { "$literal": key } }.into())
            .collect();
        let mut each = Vec::new();
        let scoped = Place::of(self.target).scope(self.filter.clone().unwrap_or_default());
        each.extend((!scoped.is_empty()).then(|| doc! { "$match": scoped }));
        each.extend(self.sort.clone().map(|sort| doc! { "$sort": sort }));
        each.push(doc! { "$limit": i64::try_from(limit).unwrap_or(i64::MAX) });
        each.extend(
            self.projected
                .document
                .clone()
                .map(|fields| doc! { "$project": fields }),
        );
        vec![
            doc! { "$documents": keys },
            doc! { "$lookup": {
                "from": self.target.collection,
                "localField": "k",
                "foreignField": self.path.clone(),
                "pipeline": each,
                "as": "d",
            } },
            doc! { "$unwind": "$d" },
        ]
    }

    fn place_pair<V: DeserializeOwned>(
        &self,
        pair: &RawDocument,
        keys: &KeyIndex,
        fetched: &mut Fetched<V>,
    ) -> Result<()> {
        let (Ok(Some(key)), Ok(Some(RawBsonRef::Document(document)))) =
            (pair.get("k"), pair.get("d"))
        else {
            return Ok(());
        };
        let last = fetched.answers.last().map_or(0, |(slot, _)| *slot);
        if let Some(slot) = keys.get_raw(last, key) {
            let at = u32::try_from(fetched.documents.len()).unwrap_or(u32::MAX);
            fetched.documents.push(self.decode(document)?);
            fetched.answers.push((slot, at));
        }
        Ok(())
    }
}
