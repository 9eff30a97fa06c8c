//! Servers start, are shared, and leave nothing behind, however their process ends.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Command},
    sync::Arc,
};

use mongo_odm_testkit::{Error, Server, TestDb, Topology};
use mongodb::{
    Client,
    bson::{Document, doc},
};

use crate::child::{assert_gone, child, is_alive, text, value};

async fn hello(server: &Server) -> Document {
    let client = Client::with_options(server.client_options().await.unwrap()).unwrap();
    client
        .database("admin")
        .run_command(doc! { "hello": 1 })
        .await
        .unwrap()
}

#[tokio::test]
async fn a_replica_set_of_one_starts_and_stops() {
    let server = Server::builder().private().start().await.unwrap();
    let hello = hello(&server).await;
    assert_eq!(hello.get_str("setName").unwrap(), "odm");
    assert!(hello.get_bool("isWritablePrimary").unwrap());
    let (pids, folder) = (server.pids(), server.folder().unwrap().to_owned());
    assert_eq!(pids, [server.primary_pid().await.unwrap()]);
    assert!(is_alive(pids[0]) && folder.join("node0").is_dir());
    drop(server);
    assert!(!is_alive(pids[0]) && !folder.exists());
}

#[tokio::test]
async fn a_standalone_server_has_no_set() {
    let standalone = Server::builder().private().topology(Topology::Standalone);
    let server = standalone.start().await.unwrap();
    assert!(!hello(&server).await.contains_key("setName"));
    assert!(!server.uri().contains("replicaSet"));
}

#[tokio::test]
async fn transactions_and_failpoints_work_on_request() {
    let server = Server::builder()
        .private()
        .test_commands(true)
        .start()
        .await
        .unwrap();
    let db = TestDb::builder("failpoints")
        .server(Arc::new(server))
        .open()
        .await
        .unwrap();
    let fail = doc! { "configureFailPoint": "failCommand", "mode": { "times": 1 },
    "data": { "failCommands": ["find"], "errorCode": 2 } };
    db.client()
        .database("admin")
        .run_command(fail)
        .await
        .unwrap();
    db.collection("c").find_one(doc! {}).await.unwrap_err();
    let mut session = db.client().start_session().await.unwrap();
    session.start_transaction().await.unwrap();
    db.collection("c")
        .insert_one(doc! { "_id": 1 })
        .session(&mut session)
        .await
        .unwrap();
    session.commit_transaction().await.unwrap();
    assert_eq!(
        db.collection("c").count_documents(doc! {}).await.unwrap(),
        1
    );
}

#[tokio::test]
async fn test_commands_are_off_unless_asked_for() {
    let server = Server::builder().private().start().await.unwrap();
    let client = Client::with_options(server.client_options().await.unwrap()).unwrap();
    let fail = doc! { "configureFailPoint": "failCommand", "mode": "off" };
    client
        .database("admin")
        .run_command(fail)
        .await
        .unwrap_err();
}

#[test]
fn threads_with_their_own_runtimes_share_one_server() {
    let one = || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let db = TestDb::new("shared").await.unwrap();
            db.collection("c")
                .insert_one(doc! { "_id": 1 })
                .await
                .unwrap();
            let uri = db.server().uri().to_owned();
            db.close().await.unwrap();
            uri
        })
    };
    let threads: Vec<_> = (0..8).map(|_| std::thread::spawn(one)).collect();
    let mut uris: Vec<_> = threads
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .collect();
    uris.dedup();
    assert_eq!(uris.len(), 1);
}

#[tokio::test]
#[ignore = "a child: starts the shared server and ends in the way ODM_TEST_END says"]
async fn child_ends() {
    let server = Server::shared().await.unwrap();
    println!(
        "\npid={}\nfolder={}",
        server.pids()[0],
        server.folder().unwrap().display()
    );
    println!("uri={}", server.uri());
    match std::env::var("ODM_TEST_END").as_deref() {
        Ok("exit") => std::process::exit(0),
        Ok("abort") => std::process::abort(),
        Ok("panic") => panic!("on purpose"),
        Ok("wait") => tokio::time::sleep(std::time::Duration::from_secs(60)).await,
        _ => {}
    }
}

fn ending(end: &str) -> Command {
    let mut command = child("lifetime::child_ends");
    command.env("ODM_TEST_END", end);
    command
}

#[test]
fn nothing_is_left_by_a_process_that_returns_exits_aborts_or_panics() {
    for end in ["return", "exit", "abort", "panic"] {
        let text = text(&ending(end).output().unwrap());
        let pid = value(&text, "pid").parse().unwrap();
        assert_gone(pid, value(&text, "folder").as_ref());
    }
}

#[test]
fn nothing_is_left_by_a_process_that_is_interrupted_or_killed() {
    for signal in ["INT", "TERM", "KILL"] {
        let mut child = ending("wait").spawn().unwrap();
        let text = read_until(&mut child, "uri=");
        let pid = value(&text, "pid").parse().unwrap();
        assert!(is_alive(pid));
        send(signal, child.id());
        child.wait().unwrap();
        assert_gone(pid, value(&text, "folder").as_ref());
    }
}

#[test]
fn a_server_stays_on_request() {
    let output = ending("exit").env("ODM_KEEP_SERVER", "1").output().unwrap();
    let text = text(&output);
    let pid = value(&text, "pid").parse().unwrap();
    assert!(text.contains("stays after this process"), "{text}");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(is_alive(pid));
    send("KILL", pid);
    std::fs::remove_dir_all(value(&text, "folder")).unwrap();
}

#[test]
fn the_server_of_the_user_is_used_and_not_stopped() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime
        .block_on(Server::builder().private().start())
        .unwrap();
    let mut command = child("lifetime::child_uses_the_given_server");
    let output = command.env("MONGODB_URI", server.uri()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    assert!(is_alive(server.pids()[0]));
}

#[tokio::test]
#[ignore = "a child: uses MONGODB_URI"]
async fn child_uses_the_given_server() {
    let db = TestDb::new("given").await.unwrap();
    let server = db.server();
    assert_eq!(server.uri(), std::env::var("MONGODB_URI").unwrap());
    assert!(!server.is_private() && server.pids().is_empty());
    assert!(matches!(
        server.kill(0),
        Err(Error::NoSuchNode { node: 0, .. })
    ));
    db.collection("c").insert_one(doc! {}).await.unwrap();
}

#[test]
fn a_dead_uri_is_an_error_without_the_password() {
    let mut command = child("lifetime::child_ends");
    let output = command
        .env("MONGODB_URI", "mongodb://me:secret@127.0.0.1:1/")
        .output()
        .unwrap();
    let text = text(&output);
    assert!(
        text.contains("MONGODB_URI=mongodb://me:***@127.0.0.1:1/"),
        "{text}"
    );
    assert!(!text.contains("secret"), "{text}");
}

fn send(signal: &str, pid: u32) {
    let kill = format!("kill -{signal} {pid}");
    assert!(
        Command::new("sh")
            .args(["-c", &kill])
            .status()
            .unwrap()
            .success()
    );
}

fn read_until(child: &mut Child, end: &str) -> String {
    let mut text = String::new();
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap());
    while lines.read_line(&mut text).unwrap() > 0 {
        if text.contains(end) {
            return text;
        }
    }
    child
        .stderr
        .as_mut()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    panic!("the child ended early:\n{text}");
}
