//! Tests for the indexes that shapes describe, and for their differences from the indexes on a server. No server is
//! necessary.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests panic to fail"
)]

use mongodb::bson::{Bson, Document, doc};

use super::{
    desired::{DesiredIndex, contradictions, desired},
    diff::IndexDiff,
    server::OnServer,
    spec::{IndexOrigin, IndexSpec},
};
use crate::{
    model::shape::{
        Containers, EmbeddedStruct, FieldShape, IndexKey, IndexKind, IndexShape, KindShape,
        Maintained, ModelShape, ReferenceKind, ReferenceShape, StructShape,
    },
    value::bson_form::BsonForm,
};

const fn refers(to: fn() -> &'static ModelShape) -> ReferenceShape {
    ReferenceShape::new(ReferenceKind::One, to, String::new)
}

const fn key(path: fn() -> String) -> IndexKey {
    IndexKey::new(path, IndexKind::Ascending)
}

static HOST: ModelShape = ModelShape::new("Host", "hosts", &[FieldShape::new("id", "_id")]);

static LINE: StructShape = StructShape::new(
    "PartLine",
    &[
        FieldShape::new("id", "id").reference(refers(|| &HOST)),
        FieldShape::new("name", "name").index(IndexShape::new(&[])),
    ],
);

static PRODUCT: ModelShape = ModelShape::new(
    "Product",
    "products",
    &[
        FieldShape::new("id", "_id"),
        FieldShape::new("number", "catalog_number").index(IndexShape::new(&[]).unique()),
        FieldShape::new("parts", "parts")
            .of_type(
                true,
                false,
                Some(|| EmbeddedStruct::new(&LINE, Containers::NONE)),
            )
            .reference(ReferenceShape::new(
                ReferenceKind::Many,
                || &HOST,
                || "id".to_owned(),
            )),
    ],
);

fn wanted(models: &[&'static ModelShape], collection: &'static str) -> Vec<DesiredIndex> {
    let mut desired = desired(models, &[collection]).unwrap();
    desired.remove(collection).unwrap().indexes(None).unwrap()
}

fn names(wanted: &[DesiredIndex]) -> Vec<&str> {
    wanted
        .iter()
        .map(|wanted| wanted.spec.name.as_str())
        .collect()
}

fn error(models: &[&'static ModelShape], collection: &'static str) -> String {
    let wanted = desired(models, &[collection])
        .and_then(|mut all| all.remove(collection).unwrap_or_default().indexes(None));
    wanted.unwrap_err().to_string()
}

#[test]
fn a_sparse_index_on_a_reference_does_not_cover_it_and_keeps_its_name() {
    static TASK: ModelShape = ModelShape::new(
        "Task",
        "tasks",
        &[FieldShape::new("owner", "owner")
            .index(IndexShape::new(&[]).sparse())
            .reference(refers(|| &HOST))],
    );
    assert_eq!(
        names(&wanted(&[&TASK], "tasks")),
        ["owner_1", "owner_1_implied"]
    );
}

#[test]
fn an_index_that_only_supports_searches_does_not_cover_a_reference() {
    static NOTE: ModelShape = ModelShape::new(
        "Note",
        "notes",
        &[
            FieldShape::new("owner", "owner").reference(refers(|| &HOST)),
            FieldShape::new("room", "room").reference(refers(|| &HOST)),
            FieldShape::new("state", "state").reference(refers(|| &HOST)),
        ],
    )
    .indexes(&[
        IndexShape::new(&[
            key(|| "owner".to_owned()),
            IndexKey::new(|| "body".to_owned(), IndexKind::Text),
        ]),
        IndexShape::new(&[
            key(|| "room".to_owned()),
            IndexKey::new(|| "place".to_owned(), IndexKind::TwoDSphere),
        ]),
        IndexShape::new(&[
            key(|| "state".to_owned()),
            IndexKey::new(|| "code".to_owned(), IndexKind::Hashed),
        ]),
    ]);
    assert_eq!(
        names(&wanted(&[&NOTE], "notes")),
        [
            "owner_1_body_text",
            "room_1_place_2dsphere",
            "state_1_code_hashed",
            "owner_1",
            "room_1"
        ]
    );
}

#[test]
fn a_sparse_index_of_an_embedded_struct_is_rejected_in_a_model_with_deleted_documents() {
    static TAG: StructShape = StructShape::new(
        "Tag",
        &[FieldShape::new("code", "code").index(IndexShape::new(&[]).unique().sparse())],
    );
    static TAGGED: ModelShape = ModelShape::new(
        "Tagged",
        "tagged",
        &[
            FieldShape::new("tag", "tag").of_type(
                false,
                false,
                Some(|| EmbeddedStruct::new(&TAG, Containers::NONE)),
            ),
            FieldShape::new("deleted", "deleted").maintained(Maintained::DeletedAt),
        ],
    );
    let error = desired(&[&TAGGED], &["tagged"]).unwrap_err().to_string();
    let expected = "the index `tag.code_1` (declared by Tagged.tag.code) is partial";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_hashed_index_inside_an_array_is_rejected() {
    static LINE: StructShape = StructShape::new(
        "HashedLine",
        &[FieldShape::new("sku", "sku").index(IndexShape::new(&[]).kind(IndexKind::Hashed))],
    );
    static ORDER: ModelShape = ModelShape::new(
        "HashedOrder",
        "hashed_orders",
        &[FieldShape::new("lines", "lines").of_type(
            true,
            false,
            Some(|| EmbeddedStruct::new(&LINE, Containers::NONE.in_array())),
        )],
    );
    let error = desired(&[&ORDER], &["hashed_orders"]).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("`lines.sku` is or lies in an array"),
        "{error}"
    );
}

#[test]
fn a_condition_of_a_partial_index_names_a_stored_field() {
    static WRONG: ModelShape = ModelShape::new(
        "Wrong",
        "wrong",
        &[
            FieldShape::new("is_active", "isActive"),
            FieldShape::new("code", "code").index(
                IndexShape::new(&[])
                    .unique()
                    .partial(r#"{"is_active": true}"#),
            ),
        ],
    );
    static RIGHT: ModelShape = ModelShape::new(
        "Right",
        "right",
        &[
            FieldShape::new("is_active", "isActive"),
            FieldShape::new("code", "code").index(
                IndexShape::new(&[]).partial(r#"{"$and": [{"isActive": true}, {"code.part": 1}]}"#),
            ),
        ],
    );
    let error = desired(&[&WRONG], &["wrong"]).unwrap_err().to_string();
    assert!(
        error.contains("write `isActive`, the name in documents"),
        "{error}"
    );
    assert!(desired(&[&RIGHT], &["right"]).is_ok());
}

#[test]
fn a_condition_of_a_partial_index_names_a_stored_variant() {
    const STATE: FieldShape = FieldShape::new("state", "state").form(
        Some(|| BsonForm::nullable(BsonForm::Names(vec!["open", "closed"]))),
        None,
    );
    const STATES: IndexShape = IndexShape::new(&[key(|| "state".to_owned())]);
    static WRONG: ModelShape = ModelShape::new("Wrong", "wrong", &[STATE])
        .indexes(&[STATES.partial(r#"{"state": "Open"}"#)]);
    static WRONG_IN_LIST: ModelShape = ModelShape::new("Wrong", "wrong", &[STATE])
        .indexes(&[STATES.partial(r#"{"state": {"$in": ["closed", "Open"]}}"#)]);
    static RIGHT: ModelShape = ModelShape::new("Right", "right", &[STATE])
        .indexes(&[STATES.partial(r#"{"state": {"$in": ["open", "closed"]}}"#)]);
    let expected = "compares `state` with \"Open\", but documents of `Wrong` contain only \"open\", \"closed\"";
    for wrong in [&WRONG, &WRONG_IN_LIST] {
        let error = desired(&[wrong], &["wrong"]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    assert!(desired(&[&RIGHT], &["right"]).is_ok());
}

#[test]
fn a_struct_that_embeds_itself_is_followed_once() {
    static COMMENT: StructShape = StructShape::new(
        "Comment",
        &[
            FieldShape::new("author", "author").reference(refers(|| &HOST)),
            FieldShape::new("replies", "replies").of_type(
                true,
                false,
                Some(|| EmbeddedStruct::new(&COMMENT, Containers::NONE)),
            ),
        ],
    );
    static POST: ModelShape = ModelShape::new(
        "Post",
        "posts",
        &[FieldShape::new("comments", "comments").of_type(
            true,
            false,
            Some(|| EmbeddedStruct::new(&COMMENT, Containers::NONE)),
        )],
    );
    let wanted = wanted(&[&POST], "posts");
    assert_eq!(
        names(&wanted),
        ["comments.author_1", "comments.replies.author_1"]
    );
}

#[test]
fn two_models_of_one_collection_share_what_both_declare() {
    static OTHER: ModelShape = ModelShape::new("Other", "products", &[]).indexes(&[
        IndexShape::new(&[key(|| "catalog_number".to_owned())])
            .unique()
            .name("by_number"),
        IndexShape::new(&[key(|| "price".to_owned())]),
    ]);
    let wanted = wanted(&[&PRODUCT, &OTHER], "products");
    assert_eq!(
        names(&wanted),
        ["by_number", "parts.name_1", "price_1", "parts.id_1"]
    );
}

#[test]
fn two_indexes_with_one_name_are_refused_with_both_places() {
    static OTHER: ModelShape = ModelShape::new("Other", "products", &[])
        .indexes(&[IndexShape::new(&[key(|| "catalog_number".to_owned())])]);
    assert_eq!(
        error(&[&PRODUCT, &OTHER], "products"),
        "two indexes of `products` have the name `catalog_number_1`, one declared by \
         Product.catalog_number, one declared by Other; give one of them another with \
         `name = \"..\"`"
    );
}

#[test]
fn a_partial_filter_that_is_no_json_is_refused_with_its_place() {
    static BAD: ModelShape = ModelShape::new(
        "Bad",
        "bad",
        &[FieldShape::new("qty", "qty").index(IndexShape::new(&[]).partial("{qty: 1}"))],
    );
    static TWICE: ModelShape = ModelShape::new("Twice", "twice", &[]).indexes(&[
        IndexShape::new(&[key(|| "a".to_owned())]),
        IndexShape::new(&[key(|| "a".to_owned())]).unique(),
    ]);
    let error = error(&[&BAD], "bad");
    assert!(
        error.starts_with("`partial` of the index `qty_1` (declared by Bad.qty)"),
        "{error}"
    );
    assert!(desired(&[&BAD], &["products"]).is_ok());
    let message = |models: &[&'static ModelShape]| {
        let errors = contradictions(models).into_iter();
        errors.map(|error| error.to_string()).collect::<Vec<_>>()
    };
    let expected = [message(&[&BAD]), message(&[&TWICE])].concat();
    assert_eq!(expected.len(), 2);
    assert_eq!(message(&[&BAD, &TWICE]), expected);
}

#[test]
fn two_text_indexes_are_refused() {
    static MODEL: ModelShape = ModelShape::new(
        "Model",
        "models",
        &[
            FieldShape::new("a", "a").index(IndexShape::new(&[]).kind(IndexKind::Text)),
            FieldShape::new("b", "b").index(IndexShape::new(&[]).kind(IndexKind::Text)),
        ],
    );
    assert_eq!(
        error(&[&MODEL], "models"),
        "`MongoDB` allows one text index for each collection, and `models` would have two: `a_text` (declared by Model.a) \
         and `b_text` (declared by Model.b); declare one over the fields of both at one model, with `all_kinds` if the \
         model has a kind"
    );
}

#[test]
fn the_index_on_the_id_is_never_wanted() {
    static MODEL: ModelShape = ModelShape::new(
        "Model",
        "models",
        &[FieldShape::new("id", "_id")
            .index(IndexShape::new(&[]).unique())
            .reference(refers(|| &HOST))],
    );
    assert!(wanted(&[&MODEL], "models").is_empty());
}

fn on_server(name: &str, keys: Document, options: Document) -> IndexSpec {
    let collection = "products".to_owned();
    IndexSpec {
        collection,
        name: name.to_owned(),
        keys,
        options,
        origin: IndexOrigin::Server,
    }
}

fn diff(indexes: Vec<IndexSpec>) -> IndexDiff {
    diff_of(&[&PRODUCT], indexes)
}

fn diff_of(models: &[&'static ModelShape], indexes: Vec<IndexSpec>) -> IndexDiff {
    let wanted = desired(models, &["products"])
        .unwrap()
        .remove("products")
        .unwrap();
    IndexDiff::of_collection(
        wanted,
        &OnServer {
            indexes,
            collation: None,
            is_view: false,
        },
    )
    .unwrap()
}

#[test]
fn a_diff_reads_as_statements() {
    let diff = diff(vec![
        on_server("catalog_number_1", doc! { "catalog_number": 1 }, doc! {}),
        on_server("names", doc! { "parts.name": 1 }, doc! {}),
        on_server("old-one", doc! { "old": 1 }, doc! {}),
    ]);
    assert_eq!(
        diff.to_string(),
        r#"db.products.createIndex({ "parts.id": 1 }, { name: "parts.id_1", collation: { locale: "simple" } })  // implied by Product.parts.id
// products.catalog_number_1 (declared by Product.catalog_number) contradicts catalog_number_1 on the server in: unique
//   on the server: db.products.createIndex({ catalog_number: 1 }, { name: "catalog_number_1" })
// db.products.dropIndex("catalog_number_1")
// db.products.createIndex({ catalog_number: 1 }, { name: "catalog_number_1", unique: true })
// undeclared, kept without `.drop_undeclared()`:
// db.products.dropIndex("old-one")
// as declared: 1"#
    );
    assert!(!diff.is_in_sync());
}

#[test]
fn an_index_is_present_under_any_name_unless_its_name_was_chosen() {
    static NAMED: ModelShape = ModelShape::new(
        "Named",
        "products",
        &[FieldShape::new("a", "a").index(IndexShape::new(&[]).name("by_a"))],
    );
    static UNNAMED: ModelShape = ModelShape::new(
        "Unnamed",
        "products",
        &[FieldShape::new("a", "a").index(IndexShape::new(&[]))],
    );
    let existing = || vec![on_server("hand_made", doc! { "a": 1 }, doc! {})];
    let diff = diff_of(&[&NAMED], existing());
    assert_eq!(diff.conflicts[0].differs, ["name"]);

    let diff = diff_of(&[&UNNAMED], existing());
    assert_eq!(diff.present[0].name, "hand_made");
    assert!(diff.is_in_sync() && diff.undeclared.is_empty());
}

#[test]
fn a_unique_index_serves_a_reference_and_one_in_another_collation_stands_beside_it() {
    static TASK: ModelShape = ModelShape::new(
        "Task",
        "products",
        &[FieldShape::new("a", "a").reference(refers(|| &HOST))],
    );
    let unique = on_server("a_1", doc! { "a": 1 }, doc! { "unique": true });
    assert_eq!(diff_of(&[&TASK], vec![unique]).present.len(), 1);

    let options = doc! { "collation": { "locale": "en", "strength": 2 } };
    let diff = diff_of(&[&TASK], vec![on_server("a_ci", doc! { "a": 1 }, options)]);
    assert_eq!(
        (
            diff.missing.len(),
            diff.undeclared.len(),
            diff.conflicts.len()
        ),
        (1, 1, 0)
    );
}

#[test]
fn an_index_of_a_kind_that_only_other_programs_know_is_kept() {
    static CABLE: ModelShape = ModelShape::new(
        "Cable",
        "products",
        &[FieldShape::new("name", "name").index(IndexShape::new(&[]).unique())],
    )
    .kind(KindShape::new("type", "cable"));
    static CHIP: ModelShape = ModelShape::new(
        "Chip",
        "products",
        &[FieldShape::new("name", "name").index(IndexShape::new(&[]).unique())],
    )
    .kind(KindShape::new("type", "chip").or_missing());
    let index = |name: &str, filter: Document| {
        let options = doc! { "unique": true, "partialFilterExpression": filter };
        on_server(name, doc! { "name": 1 }, options)
    };
    let cable = || index("name_1_cable", doc! { "type": "cable" });
    let chip = || {
        index(
            "name_1_chip",
            doc! { "type": { "$in": ["chip", Bson::Null] } },
        )
    };
    for (model, other) in [(&CABLE, chip()), (&CHIP, cable())] {
        let diff = diff_of(&[model], vec![other]);
        let counts = (diff.missing.len(), diff.undeclared.len());
        assert_eq!((counts, diff.conflicts.len()), ((1, 1), 0), "{diff}");
        let diff = diff_of(&[model], vec![cable(), chip()]);
        assert_eq!((diff.present.len(), diff.undeclared.len()), (1, 1));
        assert!(diff.is_in_sync(), "{diff}");
    }
    // An index of all documents could be an older form of the index.
    let all = on_server("by_name", doc! { "name": 1 }, doc! { "unique": true });
    assert_eq!(diff_of(&[&CABLE], vec![all]).conflicts.len(), 1);
}

#[test]
fn a_second_text_index_is_a_conflict() {
    static TEXT: ModelShape = ModelShape::new(
        "Text",
        "products",
        &[FieldShape::new("a", "a").index(IndexShape::new(&[]).kind(IndexKind::Text))],
    );
    let diff = diff_of(
        &[&TEXT],
        vec![on_server("b_text", doc! { "b": "text" }, doc! {})],
    );
    assert_eq!(diff.conflicts[0].differs, ["name", "keys"]);
}
