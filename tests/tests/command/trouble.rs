//! Failures: no server, no models, a closed output pipe, and passwords.

use std::{io::Read, process::Stdio};

use mongo_odm::bson::doc;

use crate::{
    database, insert,
    process::{Ran, WITH_COPIES, WITH_MODELS, WITHOUT_MODELS, command, run_at},
};

/// The URI of a server that does not exist: no program listens on this reserved port.
const AWAY: &str = "mongodb://ann:s3cret@127.0.0.1:1/shop";

const COMMANDS: [&[&str]; 8] = [
    &["check"],
    &["indexes"],
    &["verify"],
    &["jobs"],
    &["worker", "--once"],
    &["backfill"],
    &["advise"],
    &["pull"],
];

fn assert_no_password(ran: &Ran) {
    assert!(
        !ran.out.contains("s3cret") && !ran.err.contains("s3cret"),
        "{ran:?}"
    );
}

#[test]
fn without_a_server_every_command_says_so_in_one_sentence() {
    for arguments in COMMANDS {
        let ran = run_at(
            WITH_MODELS,
            AWAY,
            &[arguments, &["--timeout", "0.5"]].concat(),
        );
        assert_eq!(
            (ran.code, ran.out.as_str()),
            (3, ""),
            "{arguments:?}: {ran:?}"
        );
        assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
        assert!(
            ran.err.contains("no server within reach") && ran.err.contains("127.0.0.1:1"),
            "{ran:?}"
        );
        assert_no_password(&ran);
    }
    let json = run_at(WITH_MODELS, AWAY, &["check", "--json", "--timeout", "0.5"]);
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["exit"], 3);
}

#[tokio::test]
async fn passwords_are_never_written() {
    let database = database("command_password").await;
    let with_password = database
        .uri()
        .replace("mongodb://", "mongodb://ann:s3cret@");
    for arguments in COMMANDS {
        let ran = run_at(WITH_MODELS, &with_password, arguments);
        assert_eq!(ran.code, 4, "{arguments:?}: {ran:?}");
        assert!(ran.err.contains("`?authSource=admin`"), "{ran:?}");
        assert_no_password(&ran);
    }
    for (uri, why) in [
        ("s3cret", "no scheme"),
        ("http://ann:s3cret@a/b", "the scheme"),
        ("mongodb://ann:s3cret@", "no host"),
        ("mongodb://ann:s3cret@a:b/c", "the port"),
        ("mongodb://ann:s3cret", "the port"),
        ("mongodb://ann:s3cret/@a:1/c", "`%2F` for `/`"),
        (
            "mongodb://ann:s3cret@x/y?ssl=maybe",
            "`ssl` option must be a boolean",
        ),
        ("mongodb://ann:s3cret@x/y?ssl", "an option"),
        ("mongodb://ann:s3cret@x/y z", "name of the database"),
        ("mongodb://ann:s3cret@x", "names no database"),
        // The driver panics for this URI, and its message contains these letters.
        ("mongodb://ann:%as3cr\u{e9}t@x/y", "`%25` for `%`"),
        ("mongodb://ann:%s3cret\u{e9}@x/y", "`%25` for `%`"),
    ] {
        let ran = run_at(WITH_MODELS, uri, &["check"]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains(why), "{uri}: {ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
        assert!(!ran.err.contains("s3cr"), "{ran:?}");
    }
    let named = ["check", "--database", "a b"];
    let ran = run_at(WITH_MODELS, database.uri(), &named);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("`a b`"), "{ran:?}");
    for arguments in [
        ["check", AWAY],
        ["--uri", AWAY],
        [AWAY, "check"],
        ["check", "--urii=mongodb://ann:s3cret@x/y"],
    ] {
        let ran = run_at(WITH_MODELS, "", &arguments);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert_no_password(&ran);
    }
    let help = run_at(WITH_MODELS, AWAY, &["--help"]);
    assert_eq!(help.code, 0, "{help:?}");
    assert_no_password(&help);
    assert!(
        help.out.contains("Examples:") && help.out.contains("Exit codes:"),
        "{help:?}"
    );
}

#[test]
fn every_command_has_help_with_an_example() {
    let schema: &[&str] = &["schema"];
    for arguments in COMMANDS.into_iter().chain([schema]) {
        let help = run_at(WITH_MODELS, "", &[arguments[0], "--help"]);
        assert_eq!(help.code, 0, "{help:?}");
        assert!(help.out.contains("Example"), "{help:?}");
    }
    for arguments in [&["nonsense"][..], &["check", "--nonsense"], &[]] {
        assert_eq!(run_at(WITH_MODELS, "", arguments).code, 2, "{arguments:?}");
    }
    for arguments in [
        &["check", "--sample", "0"][..],
        &["advise", "--sample", "0"],
        &["pull", "--sample", "0"],
        &["jobs", "--limit", "0"],
        &["worker", "--every", "0"],
        &["check", "--timeout", "1e19"],
    ] {
        let ran = run_at(WITH_MODELS, AWAY, arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
        assert!(ran.err.contains("invalid value"), "{ran:?}");
    }
    // The environment variable already contains the URI, so no hint asks for one.
    let hint = run_at(WITH_MODELS, AWAY, &["jobs", "--forget"]);
    assert!(
        hint.err.contains("Usage:") && !hint.err.contains("--uri"),
        "{hint:?}"
    );
    let unnamed = run_at(WITH_MODELS, "", &["check"]);
    assert_eq!(unnamed.code, 2);
    assert!(unnamed.err.contains("set MONGODB_URI"), "{unnamed:?}");
}

#[tokio::test]
async fn a_panic_is_an_error_of_the_command() {
    let database = database("command_panic").await;
    insert(&database, "cursed", vec![doc! { "_id": 1, "name": "Cain" }]).await;
    let ran = run_at(WITH_COPIES, database.uri(), &["check", "--json"]);
    assert_eq!(ran.code, 4, "{ran:?}");
    assert!(
        ran.err
            .starts_with("error: the command failed because of a bug in this program")
            && ran.err.contains("cursed be Cain"),
        "{ran:?}"
    );
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["exit"], 4);
}

#[tokio::test]
async fn a_reader_that_goes_away_is_no_error() {
    let database = database("command_pipe").await;
    let documents = (0..200).map(|n| doc! { "_id": n, "value": n }).collect();
    insert(&database, "pets", documents).await;
    for arguments in [
        &["pull"][..],
        &["pull", "--json"],
        &["jobs"],
        &["indexes", "--json"],
    ] {
        let mut child = command(WITH_MODELS, database.uri(), arguments);
        let mut child = child
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut err)
            .unwrap();
        let code = child.wait().unwrap().code();
        assert!(
            code.is_some_and(|code| code < 2) && err.is_empty(),
            "{arguments:?}: {code:?} {err}"
        );
    }
}

#[tokio::test]
async fn without_models_a_command_that_needs_them_says_so() {
    let database = database("command_without_models").await;
    for arguments in [
        &["check"][..],
        &["indexes"],
        &["verify"],
        &["backfill"],
        &["schema"],
    ] {
        let ran = run_at(WITHOUT_MODELS, database.uri(), arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
        assert!(
            ran.err.contains("no model is linked into this program"),
            "{ran:?}"
        );
    }
    assert_eq!(run_at(WITHOUT_MODELS, database.uri(), &["jobs"]).code, 0);
}
