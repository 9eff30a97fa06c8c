//! What compiles: the valid fixtures, all of them modules of one program.
//!
//! A program for each would link the driver as often. The modules are public, because what no other
//! crate can reach is spared by the lints that a fixture denies.

#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::assertions_on_constants,
    clippy::trivially_copy_pass_by_ref,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::struct_field_names,
    clippy::unwrap_used,
    reason = "fixtures are written as their readers would write them"
)]

use std::{fs, path::Path};

macro_rules! fixtures {
    ($($name:ident)*) => {
        pub mod fixtures {
            pub mod valid {
                $(pub mod $name;)*
            }
        }

        $(#[test]
        fn $name() {
            fixtures::valid::$name::main();
        })*

        const MODULES: &[&str] = &[$(stringify!($name)),*];
    };
}

fixtures! {
    aliases
    bytes_with_codec
    clones
    conditional_fields
    containers
    crate_path
    decimals
    denorm
    denorm_from_source
    denorm_keys_in_source
    denorm_of_optional_fields
    denorm_sources
    embedded
    embedded_and_projection
    embedded_generic
    embedded_has_many
    executors
    filters
    flatten
    foreign_types
    generic_functions
    generic_updates
    has_many
    has_one
    hooks
    hundred_fields
    hygiene_copies
    hygiene_deny_everything
    hygiene_function_body
    hygiene_generic_names
    hygiene_macro_rules
    hygiene_private_types
    hygiene_raw_identifiers
    hygiene_shadowed_names
    index_on_field
    index_on_struct
    insertable
    keys
    kind
    left_out
    links
    literature
    maintained
    model
    names_beside
    names_of_all_kinds
    names_of_constants
    names_of_habits
    no_implicit_prelude
    no_prelude
    on_delete
    on_delete_embed
    operands
    other_crate
    own_errors
    parent_ref
    patch
    paths_between_modules
    polymorphic
    polymorphic_loaded
    pre_images
    projection
    projection_boxes
    projection_flatten
    projection_relation
    re_exports
    recent_and_rollup
    recursion
    refs_exists
    refs_many
    refs_name
    refs_one
    refs_to
    relation_scope
    serde_defaults
    serde_names
    serde_with
    serde_written_only
    shard_key
    single_collection
    single_collection_boxes
    spawned
    ten_fields
    two_way
    values
}

#[test]
fn every_valid_fixture_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/valid");
    let mut files: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path().with_extension(""))
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    files.sort_unstable();
    assert_eq!(files, MODULES);
}
