//! Recognizes attributes of other libraries, so that an error can suggest the matching attribute of this library.
//!
//! `lib.rs` registers each of these names as a helper attribute. Do not add a name that another widely used derive
//! registers. A struct can have both derives, and this derive would then reject the attributes of the other derive.

use syn::{Attribute, Data, DeriveInput};

use crate::error::Errors;

/// Each row lists the names that other libraries use for an attribute, the remedy for a struct, and the remedy for a
/// field.
const HABITS: [(&[&str], &str, &str); 18] = [
    (
        &["belongs_to", "many_to_one"],
        "write `#[parent_ref]` at the field with the id of the parent",
        "write `#[parent_ref]`; the type of the field is the model: `Id<Author>`",
    ),
    (
        &["has_many", "one_to_many"],
        HAS_MANY,
        "remove the field; write `has_many(books = \"Book.author\")` in `#[model(..)]`",
    ),
    (
        &["has_one", "one_to_one"],
        "write `has_one(cover = \"Cover.book\")` in `#[model(..)]`",
        "remove the field; write `has_one(cover = \"Cover.book\")` in `#[model(..)]`, or `#[refs(one)]` at an id",
    ),
    (
        &["many_to_many", "has_and_belongs_to_many"],
        "write `#[refs(many)]` at a field with ids: `authors: Vec<Id<Author>>`",
        "write `#[refs(many)]` at a field with ids: `authors: Vec<Id<Author>>`",
    ),
    (
        &["reference", "references", "foreign_key"],
        "write `#[parent_ref]` or `#[refs(one)]` at the field with the id",
        "write `#[parent_ref]` for the id of the parent, `#[refs(one)]` or `#[refs(many)]` for other ids",
    ),
    (
        &["embeds_many", "embeds_one", "nested"],
        "write `#[embed]` at the field with the embedded structs",
        "write `#[embed]`, and `#[derive(Embedded)]` at the type of the field",
    ),
    (
        &["table_name", "collection", "collection_name"],
        "write `#[model(collection = \"..\")]`",
        "write `#[model(collection = \"..\")]` above the struct",
    ),
    (
        &["primary_key", "id"],
        "write `#[serde(rename = \"_id\")]` at the field with the id",
        "write `#[serde(rename = \"_id\")]`",
    ),
    (
        &["unique", "indexed"],
        "write `#[index(unique)]` at the field, or `index(keys(first = 1, second = 1), unique)` in `#[model(..)]`",
        "write `#[index(unique)]`, or `#[index]`",
    ),
    (
        &["rename", "column", "column_name"],
        "write `#[serde(rename_all = \"..\")]`, or `#[serde(rename = \"..\")]` at the field",
        "write `#[serde(rename = \"..\")]`",
    ),
    (
        &["skip", "ignore"],
        "write `#[serde(skip)]` at the field",
        "write `#[serde(skip)]`",
    ),
    (&["timestamps"], TIMESTAMPS, TIMESTAMPS),
    (
        &["required"],
        "remove it; a field is required if its type is not an `Option`",
        "remove it; a field is required if its type is not an `Option`",
    ),
    (
        &["ttl", "expires"],
        "write `#[index(expire_after_secs = 3600)]` at a field of the type `DateTime`",
        "write `#[index(expire_after_secs = 3600)]` at a field of the type `DateTime`",
    ),
    (
        &["auto_increment"],
        "remove it; `Id::new()` returns a new id",
        "remove it; `Id::new()` returns a new id",
    ),
    (
        &["computed", "virtual_field"],
        "write a method, or `#[rollup(..)]` at a field that is computed from other documents",
        "write a method, or `#[rollup(..)]` if the value is computed from other documents",
    ),
    (
        &["soft_delete"],
        SOFT_DELETE,
        "write `#[deleted_at]`, and make the field an `Option<DateTime>`",
    ),
    (
        &["tenant"],
        "write `tenant = \"..\"` in `#[model(..)]`, with the field that contains the tenant",
        "write `tenant = \"..\"` in `#[model(..)]`, with the name of this field",
    ),
];

const HAS_MANY: &str = "write `has_many(books = \"Book.author\")` in `#[model(..)]`";

/// The remedy for attributes that add timestamps. This library does not add fields, so the user must declare them.
pub(super) const TIMESTAMPS: &str =
    "add fields of the type `DateTime` with `#[created_at]` and `#[updated_at]`";

/// The remedy for an option or attribute above the struct that turns on soft delete.
pub(super) const SOFT_DELETE: &str = "add a field `#[deleted_at] deleted_at: Option<DateTime>`";

/// The remedies for `SeaORM`'s attribute, which has many purposes.
const SEA_ORM: (&str, &str) = (
    "write `#[model(collection = \"..\")]`",
    "write `#[serde(rename = \"..\")]` for the stored name, `#[index(unique)]` for an index, and `#[parent_ref]` for a reference",
);

/// Rejects attributes of other libraries on the struct and on its fields.
pub(super) fn refuse(input: &DeriveInput, errors: &mut Errors) {
    for attribute in &input.attrs {
        refuse_one(attribute, |(above, _)| above, errors);
    }
    if let Data::Struct(data) = &input.data {
        let attributes = data.fields.iter().flat_map(|field| &field.attrs);
        attributes.for_each(|attribute| refuse_one(attribute, |(_, inside)| inside, errors));
    }
}

/// Returns whether an attribute of another library contains the name of the collection. In that case, the error about
/// this attribute is sufficient, and the missing name is not reported separately.
pub(super) fn name_a_collection(input: &DeriveInput) -> bool {
    let names = ["table_name", "collection", "collection_name", "sea_orm"];
    let mut attributes = input.attrs.iter();
    attributes.any(|attribute| names.iter().any(|name| attribute.path().is_ident(name)))
}

type Remedies = (&'static str, &'static str);

fn refuse_one(attribute: &Attribute, pick: fn(Remedies) -> &'static str, errors: &mut Errors) {
    let Some(name) = attribute.path().get_ident().map(ToString::to_string) else {
        return;
    };
    let habits = HABITS.into_iter();
    let mut found = habits.filter(|(names, ..)| names.contains(&name.as_str()));
    let remedies = match found.next() {
        Some((_, above, inside)) => (above, inside),
        None if name == "sea_orm" => SEA_ORM,
        None => return,
    };
    let message = format!("this library has no attribute `{name}`; {}", pick(remedies));
    errors.at(attribute.path(), message);
}
