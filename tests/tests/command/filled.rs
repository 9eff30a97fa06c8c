//! `odm backfill`.

use mongo_odm::bson::doc;

use crate::{
    database, insert,
    process::{WITH_COPIES, json_at, run, run_at},
};

#[tokio::test]
async fn copies_are_filled_when_told_to() {
    let database = database("command_backfill").await;
    let shown = run(&database, &["backfill"]);
    assert_eq!(shown.code, 0, "{shown:?}");
    assert_eq!(run(&database, &["backfill", "--apply"]).code, 0);
    let unknown = run(&database, &["backfill", "Nobody"]);
    assert_eq!(unknown.code, 2, "{unknown:?}");
    assert!(
        unknown.err.contains("there is no model `Nobody`"),
        "{unknown:?}"
    );
}

#[tokio::test]
async fn copies_are_shown_first_and_filled_in_stored_documents() {
    let database = database("command_copies").await;
    let authors = [
        doc! { "_id": 1, "name": "Ann" },
        doc! { "_id": 2, "name": "Bob" },
    ];
    insert(&database, "authors", authors.to_vec()).await;
    let post = |n: i32| doc! { "_id": n, "author": n % 2 + 1 };
    insert(&database, "posts", (0..1_500).map(post).collect()).await;
    assert_eq!(
        run_at(WITH_COPIES, database.uri(), &["indexes", "--apply"]).code,
        0
    );
    let shown = run_at(WITH_COPIES, database.uri(), &["backfill"]);
    assert_eq!(
        (shown.code, shown.out.as_str()),
        (
            0,
            "models with copies: Comment, Post\nnothing was changed; `odm backfill --apply` fills them\n"
        )
    );
    let shown = run_at(WITH_COPIES, database.uri(), &["backfill", "Post"]);
    let remedy = "nothing was changed; `odm backfill Post --apply` fills them\n";
    assert!(shown.out.ends_with(remedy), "{}", shown.out);
    let posts = database.collection("posts");
    let unfilled = doc! { "author_name": { "$exists": false } };
    assert_eq!(
        posts.count_documents(unfilled.clone()).await.unwrap(),
        1_500
    );
    let (code, stale) = json_at(WITH_COPIES, &database, &["verify"]);
    assert_eq!(
        (code, stale["findings"].as_array().unwrap().len()),
        (1, 1_500)
    );
    // The command reports the document that rejects its copy, and fills the other documents.
    let odd = doc! { "validator": { "$or": [{ "_id": { "$ne": 7 } }, { "author_name": { "$exists": false } }] } };
    let mut refuse = doc! { "collMod": "posts" };
    refuse.extend(odd);
    database.database().run_command(refuse).await.unwrap();
    let (code, filled) = json_at(WITH_COPIES, &database, &["backfill", "Post", "--apply"]);
    let of_posts = &filled["models"][0];
    assert_eq!((code, &of_posts["model"]), (1, &"Post".into()), "{filled}");
    assert_eq!(
        (&of_posts["changed"], &of_posts["failed"]),
        (&1_499.into(), &serde_json::json!([7])),
        "{filled}"
    );
    assert_eq!(posts.count_documents(unfilled).await.unwrap(), 1);
    let named = doc! { "author": 2, "author_name": "Bob" };
    assert_eq!(posts.count_documents(named).await.unwrap(), 749);
    let allow = doc! { "collMod": "posts", "validator": {} };
    database.database().run_command(allow).await.unwrap();
    let again = run_at(
        WITH_COPIES,
        database.uri(),
        &["backfill", "--apply", "--restart"],
    );
    assert_eq!(again.code, 0, "{again:?}");
    assert!(
        again.out.contains("Post: ") && again.out.contains('1'),
        "{again:?}"
    );
    assert_eq!(run_at(WITH_COPIES, database.uri(), &["verify"]).code, 0);
}
