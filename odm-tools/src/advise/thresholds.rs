//! The limits that trigger findings.

use std::time::Duration;

/// The limits that trigger findings. You can change each limit. The documentation of each field states its default and,
/// in most cases, where the default comes from.
///
/// # Examples
///
/// ```
/// use mongo_odm_tools::Thresholds;
///
/// let mut thresholds = Thresholds::default();
/// thresholds.long_array = 500;
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Thresholds {
    /// Number of documents below which a collection counts as small. The checks ignore the indexes of a small
    /// collection and the distribution of its values. The default is 100, which is about the number of documents in the
    /// server's first batch.
    pub few_documents: u64,
    /// Check A1: share of `max` at which an array counts as close to its bound. The default is 0.8.
    pub near_bound: f64,
    /// Check A2: number of elements at which an array without `max` counts as long, if at least 1 % of the documents
    /// have that many. The default is 250, as in Compass.
    pub long_array: u64,
    /// Check A2: smallest median length of the oldest arrays for which growth with the document's age is checked. The
    /// default is 50 elements.
    pub growing_array: u64,
    /// Check A3: number of elements above which an array counts as very long. The default is 1,000, from `MongoDB`'s
    /// guide `mongodb-schema-design`.
    pub very_long_array: u64,
    /// Check A4: number of elements above which an array counts as unbounded. The default is 10,000, as in Atlas's
    /// Performance Advisor.
    pub unbounded_array: u64,
    /// Check A4: size in bytes above which an array counts as too large for a document. The default is 4 MB, a quarter
    /// of the server's limit of 16 MB.
    pub array_bytes: u64,
    /// Check A5: number of entries in an index on an array that one document must have before a finding is reported.
    /// The default is 1,000.
    pub index_entries: u64,
    /// Check A6: ratio of the longest array to the 95th percentile above which the longest array counts as an outlier.
    /// The default is 20.
    pub outlier: u64,
    /// Check D1: median size in bytes above which the documents of a collection count as large. The default is 16 KB,
    /// the limit for the working set in `mongodb-schema-design`.
    pub median_bytes: u64,
    /// Check D1: share of the median document size below which the fields that queries request count as a small part.
    /// The default is 0.1.
    pub part_asked_for: f64,
    /// Check D2: size in bytes above which a document counts as large. The default is 2 MB, as in Atlas's Performance
    /// Advisor.
    pub large_document: u64,
    /// Check D3: size in bytes above which a document counts as close to the server's limit of 16 MB. The default is
    /// 10,000,000 bytes, as in Compass.
    pub huge_document: u64,
    /// Check R1: largest number of children per parent for which embedding is recommended. The default is 100, which
    /// `mongodb-schema-design` calls "few".
    pub few_embedded: u64,
    /// Checks R1, R2, R3, R8, R9, R10, K3, D1, D4, S1: smallest number of calls for which the counters and the profile
    /// are significant. The default is 100, as for `$lookup` in Atlas's Performance Advisor.
    pub enough_calls: u64,
    /// Check R3: ratio of documents read through a reference to writes of the target, from which a copy is recommended.
    /// The default is 100, based on the read/write ratio of rule of thumb 5.
    pub reads_for_one_write: u64,
    /// Check R5: tolerated share of dangling references. With the default of 0, every dangling reference is reported.
    pub dangling: f64,
    /// Check R7: largest number of references in an array if the children also refer to their parent. The default is
    /// 2,000, the "couple of thousand" of rule of thumb 3.
    pub many_references: u64,
    /// Check R8: number of loads of the same relation in one task, from which a join is recommended. The default is 10.
    pub loads_in_one_task: u64,
    /// Check I2: time without any use after which an index counts as unused. The default is 7 days, as in Atlas's
    /// Performance Advisor.
    pub unused_for: Duration,
    /// Check I4: number of indexes on one collection above which a note is reported. The default is 10, as in Compass.
    pub several_indexes: u64,
    /// Check I4: number of indexes on one collection above which the finding is a warning. The default is 30, as in
    /// Atlas's Performance Advisor.
    pub many_indexes: u64,
    /// Check I7: number of documents that a query must examine without an index before the query is reported. The
    /// default is 1,000.
    pub scanned_documents: u64,
    /// Check K1: number of collections in one database above which a finding is reported. The default is 100, as in
    /// Atlas's Performance Advisor.
    pub many_collections: u64,
    /// Check K4: number of collections in all databases together above which a finding is reported. The default is
    /// 10,000, which `MongoDB` recommends as the maximum for a replica set.
    pub many_in_deployment: u64,
    /// Check K2: number of collections that must have the same name except for a number before they are reported. The
    /// default is 5.
    pub numbered_collections: u64,
    /// Check S1: share of a model's statements that a cluster sends to all shards, from which a finding is reported.
    /// The default is 0.1. At least [`enough_calls`](Self::enough_calls) statements must be sent to all shards.
    pub broadcasts: f64,
    /// Check S2: share of neighbouring documents, in the order of their creation, whose shard key must rise before the
    /// key counts as growing. The default is 0.95. A key that is independent of the creation time has a share of 0.5.
    pub rising_key: f64,
    /// Check S5: size in bytes from which an unsharded collection is reported on a sharded cluster. The default is
    /// 384 MB. The manual states that the balancer does not move data before two shards differ by this size.
    pub spread_bytes: u64,
    /// Check S5: size in bytes from which a collection is reported on a replica set. The default is 3 TB, from which
    /// the manual recommends that you consider sharding a collection.
    pub shard_bytes: u64,
    /// Check C1: number of grace periods, as configured for the handle, after which a job counts as late. The default
    /// is 5.
    pub late_job: u32,
    /// Check C3: tolerated share of documents that cannot be decoded. With the default of 0, every such document is
    /// reported.
    pub undecodable: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            few_documents: 100,
            near_bound: 0.8,
            long_array: 250,
            growing_array: 50,
            very_long_array: 1_000,
            unbounded_array: 10_000,
            array_bytes: 4 << 20,
            index_entries: 1_000,
            outlier: 20,
            median_bytes: 16 << 10,
            part_asked_for: 0.1,
            large_document: 2 << 20,
            huge_document: 10_000_000,
            few_embedded: 100,
            enough_calls: 100,
            reads_for_one_write: 100,
            dangling: 0.0,
            many_references: 2_000,
            loads_in_one_task: 10,
            unused_for: Duration::from_secs(7 * 24 * 3_600),
            several_indexes: 10,
            many_indexes: 30,
            scanned_documents: 1_000,
            many_collections: 100,
            many_in_deployment: 10_000,
            numbered_collections: 5,
            broadcasts: 0.1,
            rising_key: 0.95,
            spread_bytes: 384 << 20,
            shard_bytes: 3 << 40,
            late_job: 5,
            undecodable: 0.0,
        }
    }
}
