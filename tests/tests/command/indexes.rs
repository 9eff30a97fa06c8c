//! `odm indexes`.

use mongo_odm::bson::doc;

use crate::{
    database,
    process::{json, run},
};

#[tokio::test]
async fn indexes_are_shown_first_and_created_when_told_to() {
    let database = database("command_indexes").await;
    let shown = run(&database, &["indexes"]);
    assert_eq!(shown.code, 1, "{shown:?}");
    assert!(
        shown.out.contains("createIndex") && shown.out.contains("`odm indexes --apply`"),
        "{shown:?}"
    );
    assert_eq!(
        run(&database, &["indexes"]).code,
        1,
        "the first call has changed something"
    );
    let (code, created) = json(&database, &["indexes", "--apply"]);
    assert_eq!(code, 0);
    assert!(
        !created["created"].as_array().unwrap().is_empty(),
        "{created}"
    );
    let own = mongo_odm::mongodb::IndexModel::builder()
        .keys(doc! { "own": 1 })
        .build();
    database
        .collection("parts")
        .create_index(own)
        .await
        .unwrap();
    assert_eq!(run(&database, &["indexes"]).code, 0);
    assert_eq!(run(&database, &["indexes", "--drop"]).code, 1);
    let (code, dropped) = json(&database, &["indexes", "--apply", "--drop"]);
    assert_eq!(
        (code, &dropped["dropped"]),
        (0, &serde_json::json!(["parts.own_1"]))
    );
    let (code, diff) = json(&database, &["indexes"]);
    assert_eq!(
        (code, &diff["missing"], &diff["undeclared"]),
        (0, &serde_json::json!([]), &serde_json::json!([]))
    );
}

#[tokio::test]
async fn indexes_in_the_way_are_replaced_when_told_to() {
    let database = database("command_replace").await;
    assert_eq!(run(&database, &["indexes", "--apply"]).code, 0);
    let products = database.collection("products");
    products.drop_index("name_1_manufacturer_1").await.unwrap();
    let other = mongo_odm::mongodb::options::IndexOptions::builder()
        .sparse(true)
        .name("name_1_manufacturer_1".to_owned())
        .build();
    let other = mongo_odm::mongodb::IndexModel::builder()
        .keys(doc! { "name": 1, "manufacturer": 1 })
        .options(other)
        .build();
    products.create_index(other).await.unwrap();
    for arguments in [&["indexes"][..], &["indexes", "--replace"]] {
        let shown = run(&database, arguments);
        assert_eq!(shown.code, 1, "{shown:?}");
        let remedy = "`odm indexes --apply --replace` ";
        assert!(shown.out.contains(remedy), "{shown:?}");
    }
    let refused = run(&database, &["indexes", "--apply"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(
        refused.err.contains("`odm indexes --apply --replace`"),
        "{refused:?}"
    );
    let replaced = run(&database, &["indexes", "--apply", "--replace"]);
    assert_eq!(replaced.code, 0, "{replaced:?}");
    assert!(
        replaced
            .out
            .contains("dropped: products.name_1_manufacturer_1"),
        "{replaced:?}"
    );
    let own = mongo_odm::mongodb::IndexModel::builder()
        .keys(doc! { "own": 1 })
        .build();
    products.create_index(own).await.unwrap();
    for arguments in [&["indexes"][..], &["indexes", "--drop"]] {
        let shown = run(&database, arguments);
        assert!(
            shown.out.contains("kept without `--apply --drop`"),
            "{shown:?}"
        );
        assert!(!shown.out.contains("drop_undeclared"), "{shown:?}");
    }
}
