//! Fetches a limited number of documents for each key. The server applies the limit to each owner.
//!
//! The limit of a `find` would apply to the children of all parents together. So this module sends one aggregation
//! instead. The aggregation's `$documents` stage contains the keys, and its `$lookup` stage sorts, skips and limits the
//! documents of each key. The server processes one key after the other, and uses an index.

use std::{ops::Range, sync::Arc};

use mongodb::bson::{Bson, Document, RawBsonRef, RawDocument, doc};

use super::{
    fetched_documents::{KeyMatches, Sink, Store, lock},
    key_index::KeyIndex,
    key_number::KeyNumber,
    key_ranges::Cut,
    request::{Request, Window},
};
use crate::{
    client::{
        command::{AggregateCommand, limit_of},
        odm::{Exec, each_document},
        place::Place,
        plan::Plan,
    },
    error::Result,
};

impl Request {
    /// Fetches, for each key, the documents inside a window, which is a skip and a limit. The server reads only the
    /// documents that it skips or returns. In contrast, a `$group` would read every child.
    pub(super) async fn fetch_each(
        &self,
        keys: &Arc<KeyIndex>,
        window: Window,
        exec: &Exec,
        store: &mut dyn Store,
    ) -> Result<KeyMatches> {
        let mut matches = KeyMatches::default();
        let sink = store.open();
        for range in keys.ranges(exec.settings(), Cut::ByNumber) {
            let mut batches = exec
                .open_lookups(self.aggregation_of_keys(keys, range, window))
                .await?;
            while let Some(batch) = batches.next().await? {
                let sink = &mut *lock(&sink);
                each_document(&batch, |pair| {
                    self.place_key_and_document(pair, keys, &mut matches, sink)
                })?;
                self.check_limit(matches.documents, exec.settings())?;
            }
        }
        store.close(0, keys.len());
        Ok(matches)
    }

    /// Returns the aggregations as a plan.
    pub(super) fn plan_each(&self, keys: &KeyIndex, window: Window, exec: &Exec) -> Result<Plan> {
        let ranges = keys.ranges(exec.settings(), Cut::ByNumber).into_iter();
        exec.plan_reads(ranges.map(|range| self.aggregation_of_keys(keys, range, window)))
    }

    /// Returns the aggregation for a range of keys.
    fn aggregation_of_keys(
        &self,
        keys: &KeyIndex,
        range: Range<KeyNumber>,
        window: Window,
    ) -> AggregateCommand {
        let pipeline = self.pipeline(keys.values(range), window);
        let mut options = self.aggregate_options(keys);
        options.batch_size = Some(100_000);
        AggregateCommand::new(Place::database().for_model(self.target), pipeline).with(options)
    }

    fn pipeline(&self, keys: Vec<Bson>, window: Window) -> Vec<Document> {
        let keys: Vec<Bson> = keys
            .into_iter()
            .map(|key| doc! { "k": { "$literal": key } }.into())
            .collect();
        let skip = Some(window.skip).filter(|skip| *skip > 0);
        let mut each = Vec::new();
        let place = self.target_place();
        let scoped = place.scope(self.filter.clone().unwrap_or_default());
        each.extend((!scoped.is_empty()).then(|| doc! { "$match": scoped }));
        each.extend(
            self.elements_filter(Document::new())
                .map(|any| doc! { "$match": any }),
        );
        each.extend(self.sort.clone().map(|sort| doc! { "$sort": sort }));
        each.extend(self.key_match_stages());
        each.extend(skip.map(|skip| doc! { "$skip": limit_of(skip) }));
        each.extend(window.limit.map(|limit| doc! { "$limit": limit_of(limit) }));
        let fields = self.projected.document.clone();
        let fields = fields.filter(|fields| !fields.is_empty());
        each.extend(fields.map(|fields| doc! { "$project": fields }));
        let mut lookup = doc! {
            "from": place.name(),
            "localField": "k",
            "foreignField": self.path.clone(),
            "pipeline": each,
            "as": "d",
        };
        if !self.elements.is_empty() {
            lookup.insert("let", doc! { "k": "$k" });
        }
        vec![
            doc! { "$documents": keys },
            doc! { "$lookup": lookup },
            doc! { "$unwind": "$d" },
        ]
    }

    fn place_key_and_document(
        &self,
        pair: &RawDocument,
        keys: &KeyIndex,
        matches: &mut KeyMatches,
        sink: &mut dyn Sink,
    ) -> Result<()> {
        let (Ok(Some(key)), Ok(Some(RawBsonRef::Document(document)))) =
            (pair.get("k"), pair.get("d"))
        else {
            return Ok(());
        };
        let last = matches.pairs.last().map_or(0, |(key, _)| *key);
        if let Some(key) = keys.get_raw(last, key) {
            sink.push(self, document)?;
            matches.pairs.push((key, matches.documents));
            matches.documents += 1;
        }
        Ok(())
    }
}
