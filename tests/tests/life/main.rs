//! Models that keep deleted documents until they are purged (`#[deleted_at]`, `on_delete = "archive"`), and models with a tenant.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::doc_markdown,
    clippy::struct_field_names,
    unreachable_pub,
    reason = "tests of one binary: they panic to fail"
)]

mod actors;
mod archive;
mod calls;
mod cascades;
mod chains;
mod conflicts;
mod declarations;
mod derived;
mod events;
mod exact;
mod flattened;
mod foreign_rules;
mod fresh_kinds;
mod get_or_create;
mod indexes;
mod insertables;
mod jobs;
mod kinds;
mod models;
mod moving;
mod numbered_children;
mod prefixes;
mod random;
mod reads;
mod tenant_calls;
mod tenant_links;
mod tenant_references;
mod tenant_rules;
mod tenants;
mod two_references;
mod unusual_paths;
mod writes;
