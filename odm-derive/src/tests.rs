//! Expansions are reviewed: each valid fixture is a snapshot and, in `tests/valid.rs`, a test.
//!
//! `UPDATE_EXPECT=1 cargo test -p mongo-odm-derive --lib` writes the snapshots anew.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot read its input has failed"
)]

use std::{fs, path::Path};

use expect_test::{expect, expect_file};
use quote::ToTokens;
use syn::{Attribute, Item, Token, punctuated::Punctuated};

use crate::{attr::Derive, derive::derive};

#[test]
fn expansions_of_the_valid_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    for fixture in fs::read_dir(folder.join("fixtures/valid")).unwrap() {
        let path = fixture.unwrap().path();
        let expansion = expand_file(&fs::read_to_string(&path).unwrap());
        if !expansion.is_empty() {
            let snapshot = folder.join("snapshots").join(path.file_name().unwrap());
            expect_file![snapshot].assert_eq(&expansion);
        }
    }
}

/// Expands every derive on a struct at the top of a file.
fn expand_file(source: &str) -> String {
    let items = syn::parse_file(source).unwrap().items;
    let tokens = items.iter().filter_map(|item| match item {
        Item::Struct(item) => Some((&item.attrs, item.to_token_stream())),
        Item::Enum(item) => Some((&item.attrs, item.to_token_stream())),
        _ => None,
    });
    tokens
        .flat_map(|(attrs, item)| {
            derives(attrs)
                .into_iter()
                .map(move |of| derive(of, item.clone()))
        })
        .map(|expansion| prettyplease::unparse(&syn::parse2(expansion).unwrap()))
        .collect::<Vec<_>>()
        .join("\n")
}

fn derives(attrs: &[Attribute]) -> Vec<Derive> {
    let lists = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    lists
        .flat_map(|attr| {
            attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated)
                .unwrap()
        })
        .filter_map(
            |path| match path.segments.last()?.ident.to_string().as_str() {
                "Model" => Some(Derive::Model),
                "Embedded" => Some(Derive::Embedded),
                "Projection" => Some(Derive::Projection),
                _ => None,
            },
        )
        .collect()
}

#[test]
fn every_mistake_is_reported_in_one_build() {
    let expansion = expand_file(
        r#"
        #[derive(Model)]
        #[model(colection = "a")]
        struct A {
            #[refs(meny)] a: u8,
            #[embed(max = "3")] b: u8,
        }
        "#,
    );
    // An unknown option, no id, an unknown option, a number in quotes.
    assert_eq!(
        expansion.matches("compile_error!").count(),
        4,
        "{expansion}"
    );
}

#[test]
fn a_mistake_still_gives_the_impls() {
    let expansion = expand_file("#[derive(Model)] struct A { a: u8 }");
    for expected in [
        "compile_error!",
        "__odm::Model for A",
        "fn fields()",
        "struct AFields",
    ] {
        assert!(
            expansion.contains(expected),
            "{expected} is not in {expansion}"
        );
    }
}

#[test]
fn the_expansion_of_ten_fields_and_four_relations_stays_small() {
    let expansion = expand_file(
        r#"
        #[derive(Model)]
        #[model(collection = "products", index(keys(name = 1, maker = 1)), has_many(offers = "Offer.product"))]
        struct Product {
            #[serde(rename = "_id")] id: Id<Product>,
            name: String,
            maker: String,
            #[index(unique)] number: i64,
            price: f64,
            made: DateTime,
            #[embed(max = 200)] notes: Vec<Note>,
            #[embed] #[refs(many)] parts: Vec<PartLine>,
            #[refs(one)] main: Option<Id<Part>>,
            #[parent_ref(inverse = "products")] shop: Id<Shop>,
        }
        "#,
    );
    expect!["405"].assert_eq(&expansion.lines().count().to_string());
}
