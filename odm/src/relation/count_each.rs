//! Counts the related documents of many owners on the server, separately for each owner.

use std::{fmt, marker::PhantomData, ops::Range};

use mongodb::{
    bson::{Bson, Document, RawDocument, doc},
    options::FindOptions,
};

use super::{
    count::read_count,
    element_condition::arrays_in_path,
    joined_owner::JoinedOwners,
    key_index::KeyIndex,
    key_number::{KeyNumber, index},
    key_ranges::Cut,
    load::Load,
    owner_keys::KeysOf,
    request::Request,
};
use crate::{
    client::{
        command::AggregateCommand,
        odm::{Exec, Running, traced_relation},
        plan::Plan,
    },
    error::Result,
    observe::stats::Asked,
    setters::option_setters,
    value::key::any_of,
};

/// Counts the related documents of many owners, separately for each owner: `Host::join_messages(&hosts,
/// &odm).count_each()`.
///
/// Awaiting the builder returns [`Counts`]. The count for an owner that has no related documents is 0.
///
/// # Sends
///
/// One aggregation for every 8 MB of keys, which groups the documents by key and counts them. If the owners do not have
/// any keys, nothing is sent.
///
/// # Index
///
/// The call uses the index for the relation. [`sync_indexes`](crate::Odm::sync_indexes) creates this index.
///
/// # Errors
///
/// - [`Error::Invalid`](crate::Error::Invalid) if you called `limit_each`, `skip_each` or `require_all`, which do not
///   apply to counts
/// - [`Error::Invalid`](crate::Error::Invalid) if you set a collation and the keys are strings
/// - errors from the driver
///
/// # Examples
///
/// ```no_run
#[doc = include_str!("../docs/log_models.txt")]
/// # async fn example(odm: Odm, hosts: Vec<Host>) -> mongo_odm::Result<()> {
/// let counts = Host::join_messages(&hosts, &odm).count_each().await?;
/// for host in &hosts {
///     println!("{}: {} messages", host.name, counts.of(host));
/// }
/// # Ok(()) }
/// ```
#[must_use = "a count is sent when it is awaited"]
pub struct CountEach<O, R> {
    lookup: JoinedOwners<O>,
    /// The settings of the join. The keys are in `lookup`.
    load: Load,
    relation: PhantomData<fn() -> R>,
}

/// The result of [`CountEach`]: the number of documents that are related to each owner by the relation `R`.
pub struct Counts<O, R> {
    lookup: JoinedOwners<O>,
    by_key: Vec<u64>,
    relation: PhantomData<fn() -> R>,
}

impl<O, R> fmt::Debug for CountEach<O, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountEach").finish_non_exhaustive()
    }
}

impl<O, R> fmt::Debug for Counts<O, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut counts = f.debug_struct("Counts");
        counts.field("by_key", &self.by_key).finish_non_exhaustive()
    }
}

impl<O, R> Counts<O, R> {
    /// Returns the number of documents that are related to `owner`. Sends nothing.
    ///
    /// A document that matches several keys of the owner is counted once for each of these keys.
    ///
    /// # Examples
    ///
    /// See [`CountEach`].
    pub fn of(&self, owner: &O) -> u64 {
        let mut numbers = self.lookup.numbers(owner);
        numbers.sort_unstable();
        numbers.dedup();
        let counts = numbers.iter();
        counts
            .filter_map(|number| self.by_key.get(index(*number)))
            .sum()
    }
}

impl<O, R> CountEach<O, R> {
    pub(super) fn new(keys: KeysOf<O>, mut load: Load) -> Self {
        let held = std::mem::take(&mut load.keys);
        Self {
            lookup: JoinedOwners::new(keys, held),
            load,
            relation: PhantomData,
        }
    }

    option_setters!(hint, collation, comment, max_time, let_vars, allow_disk_use);
    option_setters!(read_concern, read_preference);
    option_setters!(@ in load.request.options: FindOptions);

    #[doc = include_str!("../docs/plan.txt")]
    pub fn plan(mut self) -> Result<Plan> {
        self.load.check_count(self.lookup.index())?;
        let (request, index) = (&self.load.request, self.lookup.index());
        let ranges = index.ranges(self.load.exec.settings(), Cut::BySize);
        let ranges = ranges.into_iter();
        let counts = ranges.map(|range| count_by_key(request, range, index));
        self.load.exec.plan_reads(counts)
    }
}

/// Returns the number of documents for each key, indexed by key number.
async fn count(request: &Request, keys: &KeyIndex, exec: &Exec) -> Result<Vec<u64>> {
    let mut counts = vec![0; index(keys.len())];
    for range in keys.ranges(exec.settings(), Cut::BySize) {
        let batches = exec.open(count_by_key(request, range, keys)).await?;
        batches
            .for_each(|group| {
                add_group(group, keys, &mut counts);
                Ok(())
            })
            .await?;
    }
    Ok(counts)
}

fn count_by_key(request: &Request, range: Range<KeyNumber>, keys: &KeyIndex) -> AggregateCommand {
    let query = request.query(range.clone(), keys);
    let values = keys.values(range);
    let pipeline = group_by_key(request, query.filter, values);
    let mut options = request.aggregate_options(keys);
    options.batch_size = Some(100_000);
    AggregateCommand::new(request.target_place(), pipeline).with(options)
}

fn add_group(group: &RawDocument, keys: &KeyIndex, counts: &mut [u64]) {
    let Ok(Some(key)) = group.get("_id") else {
        return;
    };
    let number = keys.get_raw(0, key);
    if let Some(count) = number.and_then(|number| counts.get_mut(index(number))) {
        *count += read_count(group);
    }
}

/// Returns the pipeline that counts documents by key. If a document has several keys in an array, it is counted once in
/// the group of each key.
fn group_by_key(request: &Request, filter: Document, keys: Vec<Bson>) -> Vec<Document> {
    let mut pipeline = vec![doc! { "$match": filter }];
    let reference = format!("${}", request.path);
    let mut each_key = request.matched_keys_stages();
    let arrays = arrays_in_path(request.target, &request.path);
    if each_key.is_empty() && arrays > 0 {
        each_key.push(doc! { "$project": { "k": reference.clone() } });
        each_key.extend((0..arrays).map(|_| doc! { "$unwind": "$k" }));
    }
    if each_key.is_empty() {
        pipeline.push(doc! { "$group": { "_id": reference, "n": { "$sum": 1 } } });
        return pipeline;
    }
    pipeline.extend(each_key);
    pipeline.push(doc! { "$match": any_of("k", keys) });
    pipeline.push(doc! { "$group": { "_id": { "k": "$k", "d": "$_id" } } });
    pipeline.push(doc! { "$group": { "_id": "$_id.k", "n": { "$sum": 1 } } });
    pipeline
}

impl<O: 'static, R: 'static> IntoFuture for CountEach<O, R> {
    type Output = Result<Counts<O, R>>;
    type IntoFuture = Running<Counts<O, R>>;

    fn into_future(mut self) -> Self::IntoFuture {
        traced_relation(
            self.load.request.relation_and_model(),
            "count_each",
            async move {
                self.load.check_count(self.lookup.index())?;
                let Load { request, exec, .. } = &self.load;
                if self.lookup.index().len() > 0 {
                    request.count_call(Asked::CountEach, self.lookup.index(), exec);
                }
                let by_key = count(request, self.lookup.index(), exec).await?;
                Ok(Counts {
                    lookup: self.lookup,
                    by_key,
                    relation: PhantomData,
                })
            },
        )
    }
}
