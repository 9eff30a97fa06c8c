//! Pictures of models with all features that a model can have. This is a separate program, because a picture shows all
//! linked models.
//!
//! `UPDATE_EXPECT=1 cargo test -p odm-tests --test pictures` writes the golden files again. Review them afterwards.

#![allow(
    dead_code,
    clippy::float_cmp,
    clippy::struct_field_names,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests: they panic to fail, and models are only looked at"
)]

mod drawn;
mod models;

use expect_test::expect_file;
use mongo_odm::{Cardinality, DerivedKind, FieldSchema, ModelSchema, schema};
use mongo_odm_tools::Pictures;

fn model(name: &str) -> ModelSchema {
    let collections = schema().collections.into_iter();
    let mut models = collections.flat_map(|it| it.models);
    models.find(|model| model.name == name).unwrap()
}

/// Returns a field by its stored path.
fn field(model: &ModelSchema, path: &str) -> FieldSchema {
    fn find(fields: &[FieldSchema], path: &str) -> Option<FieldSchema> {
        let own = fields.iter().find(|field| field.path == path).cloned();
        own.or_else(|| fields.iter().find_map(|field| find(&field.fields, path)))
    }
    find(&model.fields, path).unwrap()
}

#[test]
fn the_data_is_as_it_was() {
    expect_file!["golden/schema.json"].assert_eq(&schema().json());
}

#[test]
fn the_class_diagram_is_as_it_was() {
    expect_file!["golden/schema.mmd"].assert_eq(&schema().mermaid());
}

#[test]
fn the_graph_is_as_it_was() {
    expect_file!["golden/schema.dot"].assert_eq(&schema().dot());
}

#[test]
fn the_picture_is_as_it_was() {
    expect_file!["golden/schema.svg"].assert_eq(&schema().svg());
}

#[test]
fn a_graph_is_read_by_a_parser() {
    let text = schema().dot();
    let mut parser = layout::gv::DotParser::new(&text);
    if let Err(error) = parser.process() {
        parser.print_error();
        panic!("{error}");
    }
}

#[test]
fn keys_inside_of_a_struct_have_the_reference_of_the_field_around() {
    let product = model("Product");
    assert!(field(&product, "parts").references.is_empty());
    let references = field(&product, "parts.id").references;
    assert_eq!(references.len(), 1);
    assert_eq!(references[0].cardinality, Cardinality::Many);
    assert_eq!(references[0].to.collection, "parts");
}

#[test]
fn has_one_says_how_many_refer_to_a_document() {
    let holder = field(&model("Passport"), "holder").references;
    assert_eq!(holder[0].referrers, Cardinality::ZeroOrOne);
    assert_eq!(holder[0].cardinality, Cardinality::ZeroOrOne);
    assert!(holder[0].exists);
}

#[test]
fn a_copy_says_where_the_reference_is() {
    let copy = field(&model("Part"), "product_name").derived.unwrap();
    assert_eq!(
        (copy.kind, copy.from.model.as_str()),
        (DerivedKind::Copy, "Product")
    );
    let via = copy.via.unwrap();
    assert_eq!(
        (via.model.as_str(), via.path.as_str()),
        ("Product", "parts.id")
    );
    let copy = field(&model("Product"), "parts.price").derived.unwrap();
    assert_eq!(copy.kind, DerivedKind::Snapshot);
    let via = copy.via.unwrap();
    assert_eq!(
        (via.model.as_str(), via.path.as_str()),
        ("Product", "parts.id")
    );
}

#[test]
fn a_struct_that_embeds_itself_ends() {
    let inner = field(&model("Comment"), "replies.replies");
    assert!(inner.recursive && inner.fields.is_empty());
}

#[test]
fn a_polymorphic_reference_leads_to_each_model() {
    let references = field(&model("Comment"), "about.id").references;
    let targets: Vec<_> = references
        .iter()
        .map(|it| (it.to.model.as_str(), it.to.path.as_str()))
        .collect();
    assert_eq!(
        targets,
        [("Product", "_id"), ("Category", "slug"), ("Host", "_id")]
    );
}

#[test]
fn fields_of_a_flattened_struct_stand_in_its_place() {
    let comment = model("Comment");
    let names: Vec<_> = comment
        .fields
        .iter()
        .map(|field| field.stored.as_str())
        .collect();
    assert_eq!(
        names,
        ["_id", "about", "replies", "created", "changed", "tags"]
    );
}
