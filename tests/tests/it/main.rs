//! Tests of `mongo-odm` against a real server, with one module for each behaviour.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::cloned_ref_to_slice_refs,
    clippy::struct_field_names,
    reason = "tests panic to fail"
)]
#![allow(
    clippy::useless_conversion,
    clippy::unnecessary_fallible_conversions,
    reason = "which conversions do something depends on the BSON major"
)]

mod bounds;
mod calls;
mod collated_relations;
mod crud;
mod datasets;
mod declared_scope;
mod document_keys;
mod encoding;
mod errors;
mod filters;
mod foreign_types;
mod futures;
mod geo;
mod get_or_create;
mod group;
mod has_many;
mod index;
mod join_absent;
mod join_elements;
mod join_keys;
mod join_paths;
mod join_property;
mod join_queries;
mod join_splits;
mod join_views;
mod key_collation;
mod key_types;
mod kinds;
mod links;
mod mixed;
mod observe;
mod optional_targets;
mod pages;
mod plans;
mod polymorphic;
mod presence;
mod projections;
mod reverse;
mod round_trips;
mod seeds;
mod smoke;
mod stats;
mod stored_ids;
mod streams;
mod strings;
mod text_search;
mod transactions;
mod updates;
mod watch;

#[tokio::test]
async fn a_program_takes_no_declaration_of_its_own_for_one_of_another() {
    odm_tests::declared::assert_declarations_are_own("it_own_declarations").await;
}
