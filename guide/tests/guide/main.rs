//! The programs of the chapters, one module each, and checks of all chapters.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::pedantic,
    reason = "programs of the guide: they panic to fail, and read as a user writes them"
)]

mod blocks;
mod links;

#[path = "25_bulk_writes.rs"]
mod bulk_writes;
#[path = "20_change_streams.rs"]
mod change_streams;
#[path = "14_changing_a_model.rs"]
mod changing_a_model;
#[path = "02_choosing_a_pattern.rs"]
mod choosing_a_pattern;
#[path = "17_coming_from.rs"]
mod coming_from;
#[path = "10_consistency.rs"]
mod consistency;
#[path = "07_copies_of_fields.rs"]
mod copies_of_fields;
#[path = "11_deletes.rs"]
mod deletes;
#[path = "03_embedded_documents.rs"]
mod embedded_documents;
#[path = "01_getting_started.rs"]
mod getting_started;
#[path = "22_hooks.rs"]
mod hooks;
#[path = "13_indexes.rs"]
mod indexes;
#[path = "19_json_and_http.rs"]
mod json_and_http;
#[path = "05_loading_and_joining.rs"]
mod loading_and_joining;
#[path = "15_operating.rs"]
mod operating;
#[path = "06_queries_and_updates.rs"]
mod queries_and_updates;
#[path = "04_references.rs"]
mod references;
#[path = "24_sharded_clusters.rs"]
mod sharded_clusters;
#[path = "09_single_collection.rs"]
mod single_collection;
#[path = "08_summaries.rs"]
mod summaries;
#[path = "23_tenants.rs"]
mod tenants;
#[path = "16_testing.rs"]
mod testing;
#[path = "12_transactions.rs"]
mod transactions;
#[path = "18_troubleshooting.rs"]
mod troubleshooting;
#[path = "21_validators.rs"]
mod validators;
