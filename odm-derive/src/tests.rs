//! Snapshot tests for the code that the derives generate.
//!
//! Each file in `tests/fixtures/valid` is also a test in `tests/valid.rs`. The first line of the file contains the
//! name of a struct or enum (`// shows: Product`), and the code generated for that item is stored as a snapshot.
//! `UPDATE_EXPECT=1 cargo test -p mongo-odm-derive --lib` writes the snapshots.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot read its input has failed"
)]

mod half_written;
mod test_function;

use std::{collections::BTreeSet, fs, path::Path};

use expect_test::{expect, expect_file};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Item, Token, punctuated::Punctuated};

use crate::{derive::derive, insertable, ir::Derive, patch};

#[test]
fn a_snapshot_holds_what_its_fixture_shows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut shown = BTreeSet::new();
    for fixture in fs::read_dir(folder.join("fixtures/valid")).unwrap() {
        let path = fixture.unwrap().path();
        let source = fs::read_to_string(&path).unwrap();
        let items = syn::parse_file(&source).unwrap().items;
        let Some(name) = source.lines().next().unwrap().strip_prefix("// shows: ") else {
            let hidden = items.iter().all(|item| expand(item).is_empty());
            assert!(hidden, "{} does not say what it shows", path.display());
            continue;
        };
        let item = items.iter().find(|item| declares(item, name));
        let expansion = expand(item.unwrap_or_else(|| panic!("no `{name}` in {}", path.display())));
        let file = path.file_name().unwrap();
        expect_file![folder.join("snapshots").join(file)].assert_eq(&expansion);
        shown.insert(file.to_owned());
    }
    let snapshots = fs::read_dir(folder.join("snapshots")).unwrap();
    let snapshots: BTreeSet<_> = snapshots.map(|file| file.unwrap().file_name()).collect();
    assert_eq!(snapshots, shown, "each snapshot has its fixture");
}

fn declares(item: &Item, name: &str) -> bool {
    match item {
        Item::Struct(item) => item.ident == name,
        Item::Enum(item) => item.ident == name,
        _ => false,
    }
}

/// Returns the code that is generated for all items in a source text.
fn expand_source(source: &str) -> String {
    let items = syn::parse_file(source).unwrap().items;
    items.iter().map(expand).collect()
}

/// Returns the code that all derives on a struct or enum generate.
fn expand(item: &Item) -> String {
    let mut item = item.clone();
    let attrs = match &mut item {
        Item::Struct(item) => &mut item.attrs,
        Item::Enum(item) => &mut item.attrs,
        _ => return String::new(),
    };
    let derives = derives(attrs);
    // A derive does not receive the `#[derive(..)]` list that contains it.
    attrs.retain(|attr| !attr.path().is_ident("derive"));
    let tokens = item.into_token_stream();
    let expansions = derives.into_iter().map(|expand| expand(tokens.clone()));
    expansions
        .map(|expansion| prettyplease::unparse(&syn::parse2(expansion).unwrap()))
        .collect::<Vec<_>>()
        .join("\n")
}

/// A function that expands a derive.
type Expand = fn(TokenStream) -> TokenStream;

fn derives(attrs: &[Attribute]) -> Vec<Expand> {
    let lists = attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    let paths = lists.flat_map(|attr| {
        attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated)
            .unwrap()
    });
    paths.filter_map(|path| expand_of(&path)).collect()
}

fn expand_of(path: &syn::Path) -> Option<Expand> {
    let expand: Expand = match path.segments.last()?.ident.to_string().as_str() {
        "Model" => |tokens| derive(Derive::Model, tokens),
        "Embedded" => |tokens| derive(Derive::Embedded, tokens),
        "Projection" => |tokens| derive(Derive::Projection, tokens),
        "SingleCollection" => |tokens| derive(Derive::SingleCollection, tokens),
        "Patch" => patch::derive,
        "Insertable" => insertable::derive,
        _ => return None,
    };
    Some(expand)
}

#[test]
fn every_mistake_is_reported_in_one_build() {
    let expansion = expand_source(
        r#"
        #[derive(Model)]
        #[model(colection = "a")]
        struct A {
            #[refs(meny)] a: u8,
            #[embed(max = "3")] b: u8,
        }
        "#,
    );
    // The mistakes are an unknown option, a missing id, a second unknown option, and a number in quotes.
    assert_eq!(
        expansion.matches("compile_error!").count(),
        4,
        "{expansion}"
    );
}

#[test]
fn a_mistake_still_gives_the_impls() {
    let expansion = expand_source("#[derive(Model)] struct A { a: u8 }");
    for expected in [
        "compile_error!",
        "__odm::Described for A",
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
    let expansion = expand_source(
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
    expect!["833"].assert_eq(&expansion.lines().count().to_string());
}
