//! The limits from which a finding is reported.

use std::time::Duration;

/// The limits from which a finding is reported. All fields are public, and each default is based on a source.
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
    /// Number of documents below which a collection is small. The indexes of a small collection and the distribution of
    /// its values are irrelevant. The default is 100, about the size of the server's first batch.
    pub few_documents: u64,
    /// A1: share of `max` from which an array counts as near its bound. The default is 0.8.
    pub near_bound: f64,
    /// A2: number of elements from which an array without `max` counts as long, if one document in a hundred reaches
    /// it. The default is 250, as in Compass.
    pub long_array: u64,
    /// A2: number of elements that half of the oldest arrays must have before growth with the document's age is
    /// checked. The default is 50.
    pub growing_array: u64,
    /// A3: number of elements from which an array counts as very long. The default is 1,000, from `MongoDB`'s guide
    /// `mongodb-schema-design`.
    pub very_long_array: u64,
    /// A4: number of elements from which an array counts as unbounded. The default is 10,000, as in Atlas's Performance
    /// Advisor.
    pub unbounded_array: u64,
    /// A4: size in bytes from which an array is too large for a document. The default is 4 MB, a quarter of the
    /// server's limit of 16 MB.
    pub array_bytes: u64,
    /// A5: number of index entries that one document may have in an index on an array. The default is 1,000.
    pub index_entries: u64,
    /// A6: ratio of the longest array to the 95th percentile from which it is an outlier. The
    /// default is 20.
    pub outlier: u64,
    /// D1: median size of the documents. The default is 16 KB, the limit for the working set in
    /// `mongodb-schema-design`.
    pub median_bytes: u64,
    /// D1: largest share of the bytes that queries may request. The default is 0.1.
    pub part_asked_for: f64,
    /// D2: size from which a document counts as large. The default is 2 MB, as in Atlas's Performance Advisor.
    pub large_document: u64,
    /// D3: size from which a document counts as near the limit of 16 MB. The default is 10,000,000 bytes, as in
    /// Compass.
    pub huge_document: u64,
    /// R1: largest number of documents per owner that can be embedded. The default is 100, which
    /// `mongodb-schema-design` calls "few".
    pub few_embedded: u64,
    /// R1, R2, R3, R8, R9, R10, K3, D1, D4: smallest number of calls for which counters and profiles are significant.
    /// The default is 100, as for `$lookup` in Atlas's Performance Advisor.
    pub enough_calls: u64,
    /// R3: number of joins per write to the source from which a copy is worthwhile. The default is 100, the ratio in
    /// rule 5.
    pub reads_for_one_write: u64,
    /// R5: tolerated share of dangling references. With the default, 0, each one is reported.
    pub dangling: f64,
    /// R7: largest number of references in one array if a parent reference exists. The default is 2,000, the "couple of
    /// thousand" in rule 3.
    pub many_references: u64,
    /// R8: number of times that one task loads a relation before a join is better. The default is 10.
    pub loads_in_one_task: u64,
    /// I2: time without use after which an index counts as unused. The default is 7 days, as in Atlas's Performance
    /// Advisor.
    pub unused_for: Duration,
    /// I4: number of indexes on one collection that causes a note. The default is 10, as in Compass.
    pub several_indexes: u64,
    /// I4: number of indexes on one collection that causes a warning. The default is 30, as in Atlas's Performance
    /// Advisor.
    pub many_indexes: u64,
    /// I7: smallest number of documents that a query must read without an index to be reported. The default is 1,000.
    pub scanned_documents: u64,
    /// K1: number of collections in one database. The default is 100, as in Atlas's Performance Advisor.
    pub many_collections: u64,
    /// K4: number of collections in all databases together. The default is 10,000, which `MongoDB` recommends for a
    /// replica set.
    pub many_in_deployment: u64,
    /// K2: number of collections whose names differ only in a number. The default is 5.
    pub numbered_collections: u64,
    /// C1: number of the handle's grace periods after which a job counts as late. The default is 5.
    pub late_job: u32,
    /// C3: tolerated share of documents that cannot be decoded. With the default, 0, each one is reported.
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
