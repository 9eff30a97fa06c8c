//! `odm verify` while jobs are pending.

use mongo_odm::bson::doc;

use crate::{
    database, insert,
    process::{WITH_COPIES, json_at, run_at},
};

#[tokio::test]
async fn what_a_job_will_correct_is_printed_and_fails_only_when_told_to() {
    let database = database("verify_pending").await;
    let made = run_at(WITH_COPIES, database.uri(), &["indexes", "--apply"]);
    assert_eq!(made.code, 0, "{made:?}");
    insert(&database, "authors", vec![doc! { "_id": 1, "name": "Ann" }]).await;
    let old = |n: i32| doc! { "_id": n, "author": 1, "author_name": "Old" };
    insert(&database, "posts", (0..3).map(old).collect()).await;
    let job = doc! {
        "_id": { "relation": "posts.author <- authors._id", "key": 1 },
        "name": "Post.author <- Author",
        "phase": "run",
    };
    insert(&database, "_odm_jobs", vec![job]).await;
    let verify = |more: &[&str]| {
        let arguments = [&["verify"], more].concat();
        let ran = run_at(WITH_COPIES, database.uri(), &arguments);
        let (code, json) = json_at(WITH_COPIES, &database, &arguments);
        assert_eq!(ran.code, code, "{ran:?}");
        (code, ran.out, json)
    };
    let (code, text, json) = verify(&[]);
    assert_eq!((code, &json["pending"]), (0, &3.into()), "{json}");
    assert!(text.starts_with("0 findings, 3 pending in "), "{text}");
    let (code, text, json) = verify(&["--pending"]);
    assert_eq!((code, &json["pending"]), (0, &3.into()), "{json}");
    assert_eq!(text.matches(" (pending)").count(), 3, "{text}");
    let listed = json["findings"].as_array().unwrap();
    assert!(
        listed.len() == 3 && listed.iter().all(|it| it["pending"] == true),
        "{json}"
    );
    for more in [
        &["--fail-on", "pending"][..],
        &["--fail-on", "pending", "--pending"],
    ] {
        let (code, ..) = verify(more);
        assert_eq!(code, 1, "{more:?}");
    }
    let typo = run_at(WITH_COPIES, database.uri(), &["verify", "--fail-on", "x"]);
    assert_eq!(typo.code, 2, "{typo:?}");
    // A finding in addition to the pending jobs.
    let stale = doc! { "_id": 7, "author": 2, "author_name": "Old" };
    insert(&database, "posts", vec![stale]).await;
    let (code, text, json) = verify(&["--pending"]);
    assert_eq!(code, 1, "{json}");
    assert!(text.starts_with("1 finding, 3 pending in "), "{text}");
    let posts = database.collection("posts");
    posts.delete_one(doc! { "_id": 7 }).await.unwrap();
    let repair = ["verify", "--repair"];
    let (code, json) = json_at(WITH_COPIES, &database, &repair);
    assert_eq!((code, &json["pending"]), (0, &3.into()), "{json}");
    let (code, json) = json_at(
        WITH_COPIES,
        &database,
        &[&repair[..], &["--fail-on", "pending"]].concat(),
    );
    assert_eq!((code, &json["pending"]), (1, &3.into()), "{json}");
}
