//! The output of the command: usage errors as JSON, views, and files that do not exist.

use mongo_odm::bson::doc;

use crate::{
    database, insert,
    process::{WITH_COPIES, WITH_MODELS, WITHOUT_MODELS, json_at, run, run_at},
};

#[test]
fn errors_of_usage_are_json_where_it_was_asked_for() {
    for arguments in [
        &["chek", "--json"][..],
        &["--json", "check", "--sample", "0"],
        &["--json"],
    ] {
        let ran = run_at(WITH_MODELS, "", arguments);
        assert_eq!(ran.code, 2, "{ran:?}");
        let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(json["exit"], 2, "{ran:?}");
        assert!(!json["error"].as_str().unwrap().is_empty(), "{ran:?}");
        assert!(!ran.err.is_empty(), "{ran:?}");
    }
    for arguments in [&["chek"][..], &["chek", "--", "--json"]] {
        assert_eq!(run_at(WITH_MODELS, "", arguments).out, "");
    }
}

#[tokio::test]
async fn a_model_over_a_view_is_a_finding_if_it_declares_an_index_and_others_are_looked_at() {
    const WORDS: &str = "`Lonely` is the model of the view `lonely`, and a view cannot have indexes; remove `name_1` from the model";

    let database = database("words_view").await;
    insert(&database, "authors", vec![doc! { "_id": 1, "name": "Ann" }]).await;
    for view in ["lonely", "quiet"] {
        let create = doc! { "create": view, "viewOn": "authors", "pipeline": [] };
        database.database().run_command(create).await.unwrap();
    }
    let (code, diff) = json_at(WITH_COPIES, &database, &["indexes"]);
    assert_eq!(code, 1, "{diff}");
    assert_eq!(
        diff["on_views"],
        serde_json::json!([{ "collection": "lonely", "name": "name_1", "why": WORDS }])
    );
    assert_eq!(diff["missing"].as_array().unwrap().len(), 2, "{diff}");
    let applied = run_at(WITH_COPIES, database.uri(), &["indexes", "--apply"]);
    assert_eq!(applied.code, 1, "{applied:?}");
    assert!(
        applied
            .out
            .contains("created: comments.author_1__id_1, posts.author_1__id_1")
            && applied.out.contains("views have no indexes: lonely.name_1"),
        "{applied:?}"
    );
    let shown = run_at(WITH_COPIES, database.uri(), &["indexes"]);
    assert!(
        shown.out.contains(WORDS) && !shown.out.contains("--apply"),
        "{shown:?}"
    );
    let (code, found) = json_at(WITH_COPIES, &database, &["check"]);
    assert_eq!(code, 1, "{found}");
    let findings = found["findings"].as_array().unwrap();
    let of_views: Vec<_> = findings
        .iter()
        .map(|it| (&it["rule"], &it["message"]))
        .collect();
    assert_eq!(of_views, [(&"view".into(), &WORDS.into())], "{found}");
}

#[tokio::test]
async fn counts_of_one_are_in_the_singular_and_flags_are_those_that_are_needed() {
    let database = database("words_counts").await;
    assert_eq!(run(&database, &["indexes", "--apply"]).code, 0);
    let part = doc! { "_id": 7, "partno": "1", "name": "nut", "qty": 1, "cost": 0.5, "price": 1.0 };
    insert(&database, "parts", vec![part]).await;
    let found = run(&database, &["check"]);
    assert!(found.out.contains("\n1 finding in "), "{found:?}");
    assert!(!found.out.contains("deserialization-related"), "{found:?}");
    let of_author = run_at(
        WITH_COPIES,
        database.uri(),
        &["backfill", "Author", "--apply"],
    );
    assert_eq!(of_author.code, 0, "{of_author:?}");
    assert!(
        of_author.out.contains("`Author` has no copies to fill"),
        "{of_author:?}"
    );
}

#[tokio::test]
async fn what_cannot_be_connected_with_is_named() {
    let database = database("words_connect").await;
    let options = |options: &str| {
        let uri = database.uri();
        let between = if uri.contains('?') { '&' } else { '?' };
        format!("{uri}{between}{options}")
    };
    let file = options("tls=true&tlsCAFile=/nope/ca.pem");
    let ran = run_at(WITH_MODELS, &file, &["check"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err.contains("`tlsCAFile`") && ran.err.contains("/nope/ca.pem"),
        "{ran:?}"
    );
}

#[test]
fn the_ready_command_says_that_it_has_no_models() {
    let ran = run_at(WITHOUT_MODELS, "", &["schema"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(
        ran.err.contains("`mongo_odm_tools::cli!(models);`"),
        "{ran:?}"
    );
}
