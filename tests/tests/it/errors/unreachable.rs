//! Unreachable servers. The error contains the addresses, the waiting time and a remedy.

use std::{
    net::TcpListener,
    time::{Duration, Instant},
};

use mongo_odm::{
    Error, ErrorKind,
    mongodb::{Client, options::ClientOptions},
    prelude::*,
};
use odm_tests::{Harness, shop::*};

/// Returns a port on which no program listens.
fn unused_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[tokio::test]
async fn without_a_server_the_message_says_what_was_tried_and_what_to_do() {
    let (one, other) = (unused_port(), unused_port());
    let uri = format!(
        "mongodb://127.0.0.1:{one},127.0.0.1:{other}/shop?serverSelectionTimeoutMS=300\
         &connectTimeoutMS=200"
    );
    let client = Client::with_uri_str(uri).await.unwrap();
    let odm = Odm::new(client.database("shop"));
    let error = Part::find(&odm).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    assert_eq!(error.code(), "odm.unreachable");
    let text = error.to_string();
    assert!(
        text.starts_with("while `find` on `parts` (`Part`): no server within reach for 0."),
        "{text}"
    );
    for host in [one, other] {
        assert!(text.contains(&format!("`127.0.0.1:{host}` (")), "{text}");
    }
    assert!(text.contains("refused"), "{text}");
    assert!(
        text.ends_with(
            "; start it, or check the hosts of the connection string and the network access \
             (firewall, VPN, allowed addresses)"
        ),
        "{text}"
    );
    let Error::Unreachable {
        mut hosts, waited, ..
    } = error
    else {
        panic!("{text}")
    };
    let mut expected = [one, other].map(|port| format!("127.0.0.1:{port}"));
    hosts.sort();
    expected.sort();
    assert_eq!(hosts, expected);
    assert!(waited.unwrap().as_millis() >= 250, "{waited:?}");

    let write = part(1).insert(&odm).await.unwrap_err();
    assert_eq!(write.kind(), ErrorKind::Unreachable);
    let inside = odm.transaction(async |tx| part(1).insert(&tx).await).await;
    assert_eq!(inside.unwrap_err().kind(), ErrorKind::Unreachable);
}

#[tokio::test]
async fn connect_fails_in_one_sentence_after_the_time_of_the_connection_string() {
    let port = unused_port();
    let uri = format!("mongodb://127.0.0.1:{port}/shop?serverSelectionTimeoutMS=300");
    let error = Odm::connect(uri).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    let text = error.to_string();
    assert!(text.starts_with("no server within reach for 0."), "{text}");
    assert!(text.contains(&format!("`127.0.0.1:{port}` (")), "{text}");
    assert_eq!(format!("{error:?}"), text, "the end of `main`");
}

#[tokio::test]
async fn connect_waits_five_seconds() {
    let uri = format!("mongodb://127.0.0.1:{}/shop", unused_port());
    let started = Instant::now();
    let error = Odm::connect(uri).await.unwrap_err();
    let waited = started.elapsed().as_secs();
    assert!((4..20).contains(&waited), "{waited} s: {error}");
    assert_eq!(error.kind(), ErrorKind::Unreachable);

    let t = Harness::new("errors_connect").await;
    let odm = Odm::connect(t.database().uri()).await.unwrap();
    assert_eq!(Part::count(&odm).await.unwrap(), 0);
}

#[tokio::test]
async fn servers_that_do_not_suit_a_statement_are_within_no_reach() {
    let t = Harness::new("errors_no_such_set").await;
    let mut options = ClientOptions::parse(t.database().uri()).await.unwrap();
    options.repl_set_name = Some("another".to_owned());
    options.server_selection_timeout = Some(Duration::from_millis(300));
    let client = Client::with_options(options).unwrap();
    let odm = Odm::new(client.database("shop"));
    let error = Part::find(&odm).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    let text = error.to_string();
    assert!(text.contains("no server within reach for 0."), "{text}");
    assert!(text.contains("vailable servers"), "{text}");
}
