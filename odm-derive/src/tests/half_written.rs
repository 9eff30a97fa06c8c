//! Tests for items that the user is still writing. An editor adds the missing closing brackets, and the derives
//! must still generate everything for the complete parts.

use std::str::FromStr;

use proc_macro2::TokenStream;

use crate::{derive::derive, ir::Derive};

/// Expands the tokens that an editor passes to the derive, and checks that the result is valid Rust.
fn expand(of: Derive, source: &str) -> String {
    let expansion = derive(of, TokenStream::from_str(source).unwrap());
    let file = syn::parse2(expansion).unwrap_or_else(|error| panic!("{error}: {source}"));
    prettyplease::unparse(&file)
}

fn assert_has(expansion: &str, expected: &[&str], source: &str) {
    for expected in expected {
        assert!(
            expansion.contains(expected),
            "{expected} is missing for\n{source}\n{expansion}"
        );
    }
}

/// Returns a model in which incomplete tokens take the place of the middle field.
fn model(attribute: &str, half_written: &str) -> String {
    format!(
        r#"
        #[model(collection = "products", has_many(offers = "Offer.product"){attribute})]
        pub struct Product {{
            #[serde(rename = "_id")] id: Id<Product>,
            name: String,
            {half_written}
            #[refs(many)] parts: Vec<Id<Part>>,
            by_number: HashMap<String, Vec<i32>>,
        }}
        "#
    )
}

/// Generated items for the complete fields, which an editor should offer for completion.
const OTHERS: [&str; 9] = [
    "compile_error!",
    "pub name: ",
    "pub parts: ",
    "pub by_number: ",
    "pub fn fields()",
    "fn load_parts",
    "fn join_parts",
    "fn load_offers",
    "__odm::Described for Product",
];

#[test]
fn a_field_that_is_half_written_takes_no_other_away() {
    for half_written in [
        "foo: ,",
        "foo",
        "foo,",
        "foo:",
        "pub foo: ,",
        "foo: Vec<,",
        "foo: Vec<",
        "foo: Option<Vec<,",
        "foo: HashMap<String,",
        "foo: HashMap<String, Vec<i32>,",
        "foo: &,",
        "foo: Id<,",
        "#[refs(many)] foo: ,",
        "#[refs(many)] foo: Vec<Id<,",
        "#[embed] foo: Vec<,",
        "#[index] ,",
        "#[] ,",
        "#[index = ] foo: String,",
        "#[denorm(from = Part.)] foo: ,",
        ": String,",
        "1,",
        "foo: String = ,",
    ] {
        let source = model("", half_written);
        assert_has(&expand(Derive::Model, &source), &OTHERS, &source);
    }
}

/// If only the attribute of a field is incomplete, the field itself is kept.
#[test]
fn an_attribute_that_is_half_written_takes_nothing_away() {
    for half_written in [
        "#[refs(many, on_del)] foo: Vec<Id<Part>>,",
        "#[refs(many, on_delete)] foo: Vec<Id<Part>>,",
        "#[refs(many, on_delete = )] foo: Vec<Id<Part>>,",
        "#[refs(many, on_delete = \"\")] foo: Vec<Id<Part>>,",
        "#[refs(many, max = )] foo: Vec<Id<Part>>,",
        "#[refs(many, = )] foo: Vec<Id<Part>>,",
        "#[refs(many, sort(a = ))] foo: Vec<Id<Part>>,",
        "#[refs(many, .)] foo: Vec<Id<Part>>,",
        "#[refs(m)] foo: Vec<Id<Part>>,",
        "#[refs()] foo: Vec<Id<Part>>,",
        "#[refs] foo: Vec<Id<Part>>,",
    ] {
        let source = model("", half_written);
        let expansion = expand(Derive::Model, &source);
        assert_has(&expansion, &OTHERS, &source);
        assert_has(&expansion, &["pub foo: ", "fn load_foo"], &source);
    }
    for half_written in [
        "#[index()] foo: String,",
        "#[index(uni)] foo: String,",
        "#[index = ] foo: String,",
        "#[index(unique, = )] foo: String,",
        "#[denorm(from = )] foo: String,",
        "#[denorm(from = Part.)] foo: String,",
        "#[rollup(count, of = )] foo: i64,",
        "#[recent(of = LogMsg, via = )] foo: Vec<Line>,",
        "#[embed(max = )] foo: Vec<Line>,",
        "#[] foo: String,",
        "#[serde(rename = )] foo: String,",
    ] {
        let source = model("", half_written);
        let expansion = expand(Derive::Model, &source);
        let others = OTHERS.into_iter().filter(|it| *it != "compile_error!");
        assert_has(&expansion, &others.collect::<Vec<_>>(), &source);
        assert_has(&expansion, &["pub foo: "], &source);
    }
}

#[test]
fn an_option_of_the_model_that_is_half_written_takes_no_other_away() {
    for half_written in [
        ", kin",
        ", kind(",
        ", kind()",
        ", index(keys())",
        ", index(ke)",
        ", has_many(x = )",
        ", has_many(x = Offer.)",
        ", = ",
        ", .",
    ] {
        let closing =
            ")".repeat(half_written.matches('(').count() - half_written.matches(')').count());
        let source = model(&format!("{half_written}{closing}"), "");
        assert_has(&expand(Derive::Model, &source), &OTHERS, &source);
    }
}

#[test]
fn a_missing_comma_takes_neither_field_away() {
    let source = model("", "foo: String bar: i32,");
    let expansion = expand(Derive::Model, &source);
    assert_has(&expansion, &OTHERS, &source);
    assert_has(&expansion, &["pub foo: ", "pub bar: "], &source);
}

#[test]
fn structs_in_documents_and_projections_keep_the_rest_too() {
    let fields = "{ #[refs(one)] part: Id<Part>, foo: Vec<, name: String, }";
    let embedded = format!("struct Line {fields}");
    let expected = [
        "compile_error!",
        "name: ",
        "fn load_part",
        "__odm::Embedded for Line",
    ];
    assert_has(&expand(Derive::Embedded, &embedded), &expected, &embedded);
    let projection = format!("#[projection(of = Product)] struct View {fields}");
    let expected = [
        "compile_error!",
        "fn load_part",
        "__odm::Projection<Product> for View",
    ];
    assert_has(
        &expand(Derive::Projection, &projection),
        &expected,
        &projection,
    );
}

#[test]
fn an_enum_keeps_its_other_variants() {
    for half_written in [
        "Ho",
        "Host(",
        "Host()",
        "Host(Id<)",
        "#[refs(to = )] Host(i32)",
        "#[] Host(Id<Host>)",
    ] {
        let closing =
            ")".repeat(half_written.matches('(').count() - half_written.matches(')').count());
        let source = format!(
            r#"#[serde(tag = "kind", content = "id")] pub enum Subject {{ Part(Id<Part>), {half_written}{closing}, Product(Id<Product>) }}"#
        );
        let expected = [
            "__odm::PolymorphicTo<Part> for Subject",
            "__odm::PolymorphicTo<Product> for Subject",
        ];
        assert_has(&expand(Derive::Embedded, &source), &expected, &source);
    }
}

/// If an item does not have a name or braces yet, the derive generates nothing.
#[test]
fn what_is_no_struct_yet_is_an_error_alone() {
    for source in [
        "struct",
        "struct A",
        "pub",
        "#[model(collection = \"a\")]",
        "struct { a: i32 }",
    ] {
        let expansion = expand(Derive::Model, source);
        assert!(
            expansion.starts_with("::core::compile_error!"),
            "{source}: {expansion}"
        );
    }
}
