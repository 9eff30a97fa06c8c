//! Tests of denormalized copies against a real server, with one module for each behaviour.

#![allow(
    clippy::unwrap_used,
    clippy::cloned_ref_to_slice_refs,
    clippy::unnecessary_fallible_conversions,
    clippy::doc_markdown,
    clippy::indexing_slicing,
    clippy::struct_field_names,
    unreachable_pub,
    reason = "tests of one binary: they panic to fail"
)]

mod models;
mod setting;

mod aggregations;
mod arrivals;
mod backfill;
mod background;
mod cancelled;
mod cascades;
mod causal_handles;
mod change_stream;
mod computed;
mod containers;
mod default_settings;
mod dry_run;
mod edges;
mod fan_out;
mod faults;
mod fleet;
mod fresh;
mod handles;
mod hostile;
mod immediate;
mod imports;
mod jobs;
mod kinds;
mod large_changes;
mod late;
mod left_out;
mod linked;
mod maintained;
mod mirrored;
mod moving;
mod operators;
mod outdated;
mod plan_is_run;
mod plans;
mod presence;
mod schema;
mod seeds;
mod snapshots;
mod two_way;
mod verify;
mod waiting;
mod whole;
mod writes;
