//! Advice about databases without models, from samples.

use mongo_odm::bson::{Bson, doc};
use odm_tests::Harness;

use crate::seeds::{array, figure, numbered, only, stored};

#[tokio::test]
async fn a_reference_is_told_by_its_values_and_lacks_an_index() {
    let t = Harness::new("advise_foreign").await;
    stored(
        &t,
        "authors",
        (0..300).map(|n| doc! { "_id": n, "name": format!("author {n}") }),
    )
    .await;
    let book = |n: i32| doc! { "_id": n, "author_id": n % 300, "title": format!("book {n}") };
    stored(&t, "books", (0..900).map(book)).await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "I1", "books.author_id");
    assert_eq!(
        (figure(finding, "documents"), figure(finding, "found")),
        (900, 300)
    );
    assert_eq!(finding.model, None);
    let not_looked_at: Vec<_> = advice.not_looked_at.iter().map(|it| it.what).collect();
    assert!(not_looked_at.contains(&"the models"), "{advice}");
}

#[tokio::test]
async fn references_in_arrays_lack_their_indexes_too() {
    let t = Harness::new("advise_foreign_arrays").await;
    stored(
        &t,
        "authors",
        (0..300).map(|n| doc! { "_id": n, "name": format!("author {n}") }),
    )
    .await;
    let book = |n: i32| {
        let chapters = [doc! { "author_id": n % 300 }, doc! { "author_id": n % 7 }];
        doc! { "_id": n, "authors": [n % 300, n % 11], "chapters": chapters.as_slice() }
    };
    stored(&t, "books", (0..900).map(book)).await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let places: Vec<_> = advice
        .findings
        .iter()
        .map(|it| (it.code, it.place()))
        .collect();
    let both = ["authors", "chapters.author_id"].map(|path| ("I1", format!("books.{path}")));
    assert_eq!(places, both, "{advice}");
    for (finding, attribute) in advice.findings.iter().zip([
        "`#[refs(many)]` at `authors` of the model of `books`, with `#[index]`,",
        "`#[refs(one)]` at `chapters.author_id` of the model of `books` and",
    ]) {
        assert!(finding.change.starts_with(attribute), "{finding}");
    }
    for path in ["authors", "chapters.author_id"] {
        let index = mongo_odm::mongodb::IndexModel::builder().keys(doc! { path: 1 });
        let books = t.database().collection("books");
        books.create_index(index.build()).await.unwrap();
    }
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    assert!(advice.is_empty(), "{advice}");
}

#[tokio::test]
async fn one_collection_for_each_day() {
    let t = Harness::new("advise_k2").await;
    for day in 1..8 {
        stored(
            &t,
            &format!("events_2024_05_0{day}"),
            numbered(3, "n", Bson::Int32),
        )
        .await;
    }
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "K2", "events_2024_05_01");
    assert_eq!(figure(finding, "collections"), 7);
    assert!(finding.evidence.contains("`events_#`"), "{finding}");
    assert!(
        finding.change.contains("collection = \"events\""),
        "{finding}"
    );
}

#[tokio::test]
async fn the_attribute_of_a_reference_is_the_one_that_models_are_written_with() {
    let t = Harness::new("advise_foreign_attributes").await;
    // Created before the documents, because the testkit does not shard a collection that is created with a unique
    // index.
    let index = mongo_odm::mongodb::IndexModel::builder().keys(doc! { "sku": 1 });
    let unique = mongo_odm::mongodb::options::IndexOptions::builder().unique(true);
    let goods = t.database().collection("goods");
    let index = index.options(unique.build()).build();
    goods.create_index(index).await.unwrap();
    let good = |n: i32| doc! { "_id": n, "sku": format!("G-{n:04}"), "title": format!("t{n}") };
    stored(&t, "goods", (0..200).map(good)).await;
    // Every value except one refers to a document.
    let sale = |n: i32| doc! { "_id": n, "sku": format!("G-{:04}", n * 7 % 201) };
    stored(&t, "sales", (0..900).map(sale)).await;
    let visit = |n: i32| doc! { "_id": n, "good": { "$ref": "goods", "$id": n * 7 % 201 } };
    stored(&t, "visits", (0..900).map(visit)).await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let changes = |code: &str| {
        let found = advice.findings.iter().filter(|it| it.code == code);
        let found = found.map(|it| (it.place(), it.change.clone()));
        found.collect::<Vec<_>>()
    };
    for (code, options) in [("R5", ", exists, on_delete = \"restrict\""), ("I1", "")] {
        let found = changes(code);
        let [(sales, sku), (visits, id)] = found.as_slice() else {
            panic!("not two {code}: {advice}");
        };
        assert_eq!((&**sales, &**visits), ("sales.sku", "visits.good.$id"));
        let with_key = format!("`#[parent_ref(to = \"Good.sku\"{options})]` at `sku`");
        assert!(sku.starts_with(&with_key), "{sku}");
        let of_bare = format!(
            "`#[parent_ref{}]` at a field with only the `_id`",
            match options {
                "" => "",
                _ => "(exists, on_delete = \"restrict\")",
            }
        );
        assert!(
            id.starts_with(&of_bare) && id.contains("the `DBRef` `good`"),
            "{id}"
        );
    }
}

#[tokio::test]
async fn a_value_that_stands_for_no_document_is_no_dangling_key_to_refuse() {
    let t = Harness::new("advise_r5_placeholder").await;
    stored(
        &t,
        "zones",
        numbered(201, "name", |n| Bson::from(format!("z{n}"))).skip(1),
    )
    .await;
    stored(
        &t,
        "parcels",
        numbered(900, "zone_id", |n| {
            Bson::Int32(if n % 9 == 0 { 0 } else { n % 200 + 1 })
        }),
    )
    .await;
    let index = mongo_odm::mongodb::IndexModel::builder().keys(doc! { "zone_id": 1 });
    let parcels = t.database().collection("parcels");
    parcels.create_index(index.build()).await.unwrap();
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "R5", "parcels.zone_id");
    assert!(
        finding
            .evidence
            .starts_with("`zone_id` is `0` 100 times, which is not a `_id` of `zones`"),
        "{finding}"
    );
    assert!(
        finding
            .change
            .starts_with("`Option` as the type of `parcels.zone_id`"),
        "{finding}"
    );
    assert!(!finding.change.contains("#["), "{finding}");
    assert!(finding.check.contains("find({ zone_id: 0 })"), "{finding}");
}

#[tokio::test]
async fn collections_of_different_documents_are_no_series() {
    let t = Harness::new("advise_k2_apart").await;
    for (name, field) in [
        ("iso3166", "alpha2"),
        ("iso639", "language"),
        ("iso4217", "currency"),
        ("iso8601", "format"),
        ("iso9001", "certificate"),
    ] {
        let norm = |n: i32| doc! { "_id": n, field: "x", "k": n };
        stored(&t, name, (0..10).map(norm)).await;
    }
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    assert!(advice.is_empty(), "{advice}");
}

#[tokio::test]
async fn more_collections_than_a_database_should_have() {
    let t = Harness::new("advise_k1").await;
    for n in 0..4_u8 {
        for m in 0..26_u8 {
            let name = format!("{}{}", char::from(b'a' + n), char::from(b'a' + m));
            t.odm.database().create_collection(name).await.unwrap();
        }
    }
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    assert_eq!(advice.findings[0].code, "K1", "{advice}");
    assert_eq!(
        (advice.len(), figure(&advice.findings[0], "collections")),
        (1, 104)
    );
}

#[tokio::test]
async fn an_array_without_bound_in_a_foreign_database() {
    let t = Harness::new("advise_foreign_a2").await;
    let lines = |n: i32| doc! { "lines": array(300 + n % 7) };
    stored(
        &t,
        "notes",
        (0..100).map(|n| doc! { "_id": n, "body": lines(n) }),
    )
    .await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "A2", "notes.body.lines");
    assert!(
        finding
            .change
            .starts_with("`#[embed(max = 500)]` at the field `body.lines`"),
        "{finding}"
    );
}
