//! Counts events in a cluster, such as moves of chunks, so that a test can check whether these events have occurred.

use std::{
    fmt,
    sync::atomic::{AtomicI64, Ordering::Relaxed},
};

use mongodb::bson::{Document, doc};

use crate::cluster::{
    link::role::Role,
    message::reply::{NOT_MONGOS, number_of},
};

/// The counters of the front. The front's reply to `serverStatus` contains those that `mongos` also reports.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) single_commits: AtomicI64,
    pub(crate) two_phase_commits: AtomicI64,
    pub(crate) single_shard: AtomicI64,
    pub(crate) all_shards: AtomicI64,
    pub(crate) moves: AtomicI64,
    /// Number of documents on each shard in databases that were dropped.
    pub(crate) dropped: [AtomicI64; 2],
    /// Number of collections that the front has sharded before their first write.
    pub(crate) sharded: AtomicI64,
    /// Number of collections that the front has not sharded; see `Policy::OfTests`.
    pub(crate) unsharded: AtomicI64,
}

impl Counters {
    pub(crate) fn add(counter: &AtomicI64) {
        counter.fetch_add(1, Relaxed);
    }

    /// Counts a statement that was sent to these shards.
    pub(crate) fn add_statement(&self, shards: &[Role]) {
        match shards.len() {
            0 => {}
            1 => Self::add(&self.single_shard),
            _ => Self::add(&self.all_shards),
        }
    }

    /// Returns the counters in the sections of `serverStatus`.
    pub(crate) fn sections(&self) -> Document {
        let get = |counter: &AtomicI64| counter.load(Relaxed);
        let hosts =
            doc! { "allShards": get(&self.all_shards), "oneShard": get(&self.single_shard) };
        doc! {
            "shardingStatistics": { "numHostsTargeted": { "statements": hosts } },
            "transactions": { "commitTypes": {
                "singleShard": { "successful": get(&self.single_commits) },
                "twoPhaseCommit": { "successful": get(&self.two_phase_commits) },
            } },
        }
    }
}

/// Writes the report of a test process.
impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counters = ClusterCounters::of_status(&self.sections(), self.moves.load(Relaxed));
        let dropped = self.dropped.each_ref().map(|count| count.load(Relaxed));
        let [sharded, unsharded] =
            [&self.sharded, &self.unsharded].map(|count| count.load(Relaxed));
        write!(
            f,
            "{NOT_MONGOS}: {sharded} collections sharded, {unsharded} not; \
             {dropped:?} documents per shard in dropped databases; {counters}"
        )
    }
}

/// The counters of a cluster, since it was started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClusterCounters {
    /// Number of transactions that were committed on one shard.
    pub commits_on_one_shard: i64,
    /// Number of transactions that wrote to two shards and were committed in two phases.
    pub commits_on_two_shards: i64,
    /// Number of statements that were sent to one shard.
    pub statements_to_one_shard: i64,
    /// Number of statements that were sent to both shards.
    pub statements_to_both_shards: i64,
    /// Number of chunks that were moved.
    pub moves: i64,
}

impl ClusterCounters {
    /// Reads the counters from the reply to `serverStatus`, which has the same fields as the reply of `mongos`.
    pub(crate) fn of_status(status: &Document, moves: i64) -> Self {
        let section = |outer: &str, inner: &str| {
            let outer = status.get_document(outer).ok();
            let inner = outer.and_then(|it| it.get_document(inner).ok());
            inner.cloned().unwrap_or_default()
        };
        let commits = section("transactions", "commitTypes");
        let commits = |kind| {
            commits
                .get_document(kind)
                .map_or(0, |it| number_of(it, "successful"))
        };
        let hosts = section("shardingStatistics", "numHostsTargeted");
        let hosts = |kind: &str| {
            let kinds = hosts.values().filter_map(|it| it.as_document());
            kinds.map(|it| number_of(it, kind)).sum::<i64>()
        };
        Self {
            commits_on_one_shard: commits("singleShard"),
            commits_on_two_shards: commits("twoPhaseCommit"),
            statements_to_one_shard: hosts("oneShard"),
            statements_to_both_shards: hosts("allShards") + hosts("manyShards"),
            moves,
        }
    }
}

impl fmt::Display for ClusterCounters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} commits on one shard, {} on two shards; {} statements to one shard, {} to both; {} chunks moved",
            self.commits_on_one_shard,
            self.commits_on_two_shards,
            self.statements_to_one_shard,
            self.statements_to_both_shards,
            self.moves
        )
    }
}
