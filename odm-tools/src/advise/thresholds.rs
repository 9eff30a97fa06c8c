//! From where on something is a finding.

use std::time::Duration;

/// From where on something is a finding. All fields are public, and each has a default with a source.
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
    /// Below so many documents a collection is small: how it is indexed and how its values are spread makes no
    /// difference. 100, the number of documents that a server sends with a first batch, about.
    pub few_documents: u64,
    /// A1: an array is near its `max` from this part of it on; 0.8.
    pub near_bound: f64,
    /// A2: an array without `max` is long from so many elements on, in one document of a hundred; 250, as in
    /// Compass.
    pub long_array: u64,
    /// A2: an array that becomes longer with the age of its document is looked at from so many elements on, in half of
    /// the oldest; 50.
    pub growing_array: u64,
    /// A3: so many elements hurt; 1,000, from the guide `mongodb-schema-design` of `MongoDB`.
    pub very_long_array: u64,
    /// A4: so many elements are an array without bound; 10,000, as in the Performance Advisor of Atlas.
    pub unbounded_array: u64,
    /// A4: so many bytes of one array are too much of a document; 4 MB, a quarter of the server's limit of 16.
    pub array_bytes: u64,
    /// A5: so many entries of one document in an index over an array; 1,000.
    pub index_entries: u64,
    /// A6: the longest array is an outlier if it is so many times as long as 95 of 100 are; 20.
    pub outlier: u64,
    /// D1: half of the documents are larger; 16 KB, what `mongodb-schema-design` says of the working set.
    pub median_bytes: u64,
    /// D1: so small a part of the bytes is what is asked for; 0.1.
    pub part_asked_for: f64,
    /// D2: a document is large; 2 MB, as in the Performance Advisor of Atlas.
    pub large_document: u64,
    /// D3: a document is near the limit of 16 MB; 10,000,000 bytes, as in Compass.
    pub huge_document: u64,
    /// R1: so few documents for one owner can be embedded; 100, the "few" of `mongodb-schema-design`.
    pub few_embedded: u64,
    /// R1, R2, R3, R8, R9, R10, K3, D1, D4: counters and profiles below this say nothing yet; 100 calls, above
    /// which the Performance Advisor of Atlas counts `$lookup`s.
    pub enough_calls: u64,
    /// R3: a copy pays if its source is joined so many times for each write to it; 100, the ratio of rule 5.
    pub reads_for_one_write: u64,
    /// R5: so large a part of references leads nowhere; 0: each of them.
    pub dangling: f64,
    /// R7: so many references in one array are too many where a parent reference exists; 2,000, the "couple of
    /// thousand" of rule 3.
    pub many_references: u64,
    /// R8: so many loads of one relation in one task are a join; 10.
    pub loads_in_one_task: u64,
    /// I2: an index is unused if nobody asked for it for so long; 7 days, as in the Performance Advisor of Atlas.
    pub unused_for: Duration,
    /// I4: so many indexes of one collection are a note; 10, as in Compass.
    pub several_indexes: u64,
    /// I4: so many are a warning; 30, as in the Performance Advisor of Atlas.
    pub many_indexes: u64,
    /// I7: a query reads a collection of so many documents without an index; 1,000.
    pub scanned_documents: u64,
    /// K1: so many collections of one database; 100, as in the Performance Advisor of Atlas.
    pub many_collections: u64,
    /// K4: so many collections of all databases together; 10,000, what `MongoDB` recommends for a replica set.
    pub many_in_deployment: u64,
    /// K2: so many collections whose names differ by a number alone; 5.
    pub numbered_collections: u64,
    /// C1: a job is late if it waits so many times the grace of the handle; 5.
    pub late_job: u32,
    /// C3: so large a part of the documents does not decode; 0: each of them.
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
