//! The limits from which a finding is reported.

use std::time::Duration;

/// The limits from which a finding is reported. All fields are public, and each default has a
/// source.
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
    /// Number of documents below which a collection is small. Its indexes and the distribution of
    /// its values are then irrelevant. The default is 100, about the first batch of a server.
    pub few_documents: u64,
    /// A1: share of `max` from which an array is near its bound. The default is 0.8.
    pub near_bound: f64,
    /// A2: number of elements from which an array without `max` is long, in one of a hundred
    /// documents. The default is 250, as in Compass.
    pub long_array: u64,
    /// A2: number of elements in half of the oldest arrays from which growth with the age of the
    /// document is checked. The default is 50.
    pub growing_array: u64,
    /// A3: number of elements from which an array is very long. The default is 1,000, from the
    /// guide `mongodb-schema-design` of `MongoDB`.
    pub very_long_array: u64,
    /// A4: number of elements from which an array counts as unbounded. The default is 10,000, as in
    /// the Performance Advisor of Atlas.
    pub unbounded_array: u64,
    /// A4: size of an array in bytes that is too large for a document. The default is 4 MB, a
    /// quarter of the server's limit of 16 MB.
    pub array_bytes: u64,
    /// A5: number of index entries of one document in an index over an array. The default is 1,000.
    pub index_entries: u64,
    /// A6: ratio of the longest array to the 95th percentile from which it is an outlier. The
    /// default is 20.
    pub outlier: u64,
    /// D1: median size of the documents. The default is 16 KB, the limit for the working set in
    /// `mongodb-schema-design`.
    pub median_bytes: u64,
    /// D1: largest requested share of the bytes. The default is 0.1.
    pub part_asked_for: f64,
    /// D2: size of a large document. The default is 2 MB, as in the Performance Advisor of Atlas.
    pub large_document: u64,
    /// D3: size of a document near the limit of 16 MB. The default is 10,000,000 bytes, as in
    /// Compass.
    pub huge_document: u64,
    /// R1: largest number of documents per owner that can be embedded. The default is 100, the
    /// "few" of `mongodb-schema-design`.
    pub few_embedded: u64,
    /// R1, R2, R3, R8, R9, R10, K3, D1, D4: smallest number of calls for which counters and
    /// profiles are significant. The default is 100, as for `$lookup` in the Performance Advisor of
    /// Atlas.
    pub enough_calls: u64,
    /// R3: number of joins per write of the source from which a copy pays. The default is 100, the
    /// ratio of rule 5.
    pub reads_for_one_write: u64,
    /// R5: tolerated share of dangling references. With the default, 0, each one is reported.
    pub dangling: f64,
    /// R7: largest number of references in one array if a parent reference exists. The default is
    /// 2,000, the "couple of thousand" of rule 3.
    pub many_references: u64,
    /// R8: number of loads of one relation in one task from which a join is better. The default is
    /// 10.
    pub loads_in_one_task: u64,
    /// I2: time without use from which an index is unused. The default is 7 days, as in the
    /// Performance Advisor of Atlas.
    pub unused_for: Duration,
    /// I4: number of indexes of one collection for a note. The default is 10, as in Compass.
    pub several_indexes: u64,
    /// I4: number of indexes of one collection for a warning. The default is 30, as in the
    /// Performance Advisor of Atlas.
    pub many_indexes: u64,
    /// I7: smallest number of documents that a query reads without an index. The default is 1,000.
    pub scanned_documents: u64,
    /// K1: number of collections of one database. The default is 100, as in the Performance Advisor
    /// of Atlas.
    pub many_collections: u64,
    /// K4: number of collections of all databases together. The default is 10,000, the
    /// recommendation of `MongoDB` for a replica set.
    pub many_in_deployment: u64,
    /// K2: number of collections whose names differ only in a number. The default is 5.
    pub numbered_collections: u64,
    /// C1: number of grace periods of the handle after which a job is late. The default is 5.
    pub late_job: u32,
    /// C3: tolerated share of documents that do not decode. With the default, 0, each one is
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
            late_job: 5,
            undecodable: 0.0,
        }
    }
}
