//! `odm verify` with copies.

use mongo_odm::bson::{Document, doc};
use mongo_odm_testkit::TestDb;

use crate::{
    database, insert,
    process::{WITH_COPIES, json_at, run_at},
};

/// A database with its indexes, an author, and posts and comments with stale copies of the author's name.
async fn with_drift(test: &str, posts: i32, comments: i32) -> TestDb {
    let database = database(test).await;
    let made = run_at(WITH_COPIES, database.uri(), &["indexes", "--apply"]);
    assert_eq!(made.code, 0, "{made:?}");
    insert(&database, "authors", vec![doc! { "_id": 1, "name": "Ann" }]).await;
    let old = |n: i32| doc! { "_id": n, "author": 1, "author_name": "Old" };
    for (collection, documents) in [("posts", posts), ("comments", comments)] {
        if documents > 0 {
            insert(&database, collection, (0..documents).map(old).collect()).await;
        }
    }
    database
}

async fn refuse(database: &TestDb, collection: &str, validator: Document) {
    let refuse = doc! { "collMod": collection, "validator": validator };
    database.database().run_command(refuse).await.unwrap();
}

#[tokio::test]
async fn what_lacks_its_index_is_left_with_its_reason_and_the_rest_is_repaired() {
    let database = with_drift("repair_index", 3, 60).await;
    let posts = database.collection("posts");
    posts.drop_index("author_1__id_1").await.unwrap();
    let (code, repaired) = json_at(WITH_COPIES, &database, &["verify", "--repair"]);
    assert_eq!(
        (code, &repaired["repaired"], &repaired["left"]),
        (1, &60.into(), &3.into()),
        "{repaired}"
    );
    let relations = repaired["relations"].as_array().unwrap();
    let of_posts = relations.iter().find(|it| it["left"] == 3).unwrap();
    assert_eq!(of_posts["relation"], "Post.author <- Author", "{repaired}");
    let why = of_posts["why"].as_str().unwrap();
    assert!(
        why.contains("`posts`") && why.contains("`odm indexes --apply`"),
        "{why}"
    );
    let again = run_at(WITH_COPIES, database.uri(), &["verify", "--repair"]);
    assert_eq!(again.code, 1, "{again:?}");
    assert!(
        again
            .out
            .starts_with("0 documents repaired, 3 findings left\n"),
        "{again:?}"
    );
    assert!(again.out.contains("`odm indexes --apply`"), "{again:?}");
    assert!(!again.out.contains(".force()"), "{again:?}");
    for arguments in [["indexes", "--apply"], ["verify", "--repair"]] {
        let ran = run_at(WITH_COPIES, database.uri(), &arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
    }
    assert_eq!(run_at(WITH_COPIES, database.uri(), &["verify"]).code, 0);
}

#[tokio::test]
async fn documents_that_refuse_their_copies_are_named_with_the_reason() {
    let database = with_drift("repair_refused", 3, 2).await;
    refuse(&database, "posts", doc! { "author_name": "Old" }).await;
    let repaired = run_at(WITH_COPIES, database.uri(), &["verify", "--repair"]);
    assert_eq!(repaired.code, 1, "{repaired:?}");
    assert!(
        repaired
            .out
            .starts_with("2 documents repaired, 0 findings left, 3 documents failed\n"),
        "{repaired:?}"
    );
    assert!(
        repaired.out.contains("`_id` 0, 1, 2") && repaired.out.contains("rejects the document"),
        "{repaired:?}"
    );
    let (code, again) = json_at(WITH_COPIES, &database, &["verify", "--repair"]);
    let of_posts = &again["relations"][0];
    assert_eq!(
        (code, &again["failed"], &of_posts["failed"]),
        (1, &3.into(), &serde_json::json!([0, 1, 2])),
        "{again}"
    );
    let why = of_posts["why"].as_str().unwrap();
    assert!(why.contains("rejects the document"), "{why}");
}

#[tokio::test]
async fn copies_that_differ_in_their_type_alone_are_told_apart() {
    let database = with_drift("repair_types", 0, 0).await;
    let author = doc! { "_id": 2, "name": "Bob", "age": 25_i64 };
    insert(&database, "authors", vec![author]).await;
    let comment = doc! { "_id": 1, "author": 2, "author_name": "Bob", "author_age": 25_i32 };
    insert(&database, "comments", vec![comment]).await;
    let (code, found) = json_at(WITH_COPIES, &database, &["verify"]);
    let finding = &found["findings"][0];
    assert_eq!(
        (code, &finding["stored"], &finding["source"]),
        (
            1,
            &serde_json::json!({ "$numberInt": "25" }),
            &serde_json::json!({ "$numberLong": "25" })
        ),
        "{found}"
    );
}

#[tokio::test]
async fn kinds_of_findings_that_are_cut_are_counted() {
    let database = with_drift("repair_kinds", 0, 30).await;
    insert(&database, "posts", vec![doc! { "_id": 1, "author": 9 }]).await;
    let found = run_at(WITH_COPIES, database.uri(), &["verify"]);
    assert_eq!(found.code, 1, "{found:?}");
    assert!(
        found.out.contains(".. and 11 more: 10 stale, 1 dangling")
            && found.out.contains("`--json` prints all of them")
            && found.out.starts_with("31 findings in ")
            && found.out.contains(" places checked\n"),
        "{found:?}"
    );
}
