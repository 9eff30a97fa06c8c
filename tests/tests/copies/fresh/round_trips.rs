//! The statements that a fresh read sends.

use super::*;

#[tokio::test]
async fn a_document_without_derived_fields_is_read_as_ever() {
    let (t, host, _) = logs("fresh_trips_none").await;
    let (read, sent) = t
        .sent(Host::get(&t.odm, host.id).fresh().into_future())
        .await;
    read.unwrap();
    assert_eq!(sent, ["find"]);
}

#[tokio::test]
async fn a_fresh_read_with_nothing_pending_is_a_look_and_a_find() {
    let (t, north) = observatory("fresh_trips").await;
    let read = Station::get(&t.odm, north.id).fresh().into_future();
    assert_eq!(t.sent(read).await.1, ["aggregate", "find"]);
    // The references of the copies are read first.
    index_shop(&t.odm).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 1);
    t.given(&messages).await;
    settle(&t.odm).await;
    let read = LogMsg::get(&t.odm, messages[0].id).fresh().into_future();
    assert_eq!(t.sent(read).await.1, ["find", "aggregate", "find"]);
    // The copied field is computed, so pending work for this field is read first.
    let board = Board {
        id: Id::new(),
        station: north.id,
        readings: 0,
    };
    board.insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    let read = Board::get(&t.odm, board.id).fresh().into_future();
    assert_eq!(
        t.sent(read).await.1,
        ["find", "aggregate", "aggregate", "find"]
    );
}

#[tokio::test]
async fn looks_are_answered_by_indexes() {
    let (t, north) = observatory("fresh_explained").await;
    for number in 2..50 {
        let new = reading(north.id, number);
        new.insert(&t.odm).deferred().await.unwrap();
    }
    t.forget();
    Station::get(&t.odm, north.id)
        .fresh_within(Duration::from_secs(600))
        .await
        .unwrap();
    let look = t.recorder().commands().remove(0).command;
    let pipeline = look.get_array("pipeline").unwrap();
    let explain = doc! {
        "explain": { "aggregate": "_odm_deltas", "pipeline": pipeline, "cursor": {} },
        "verbosity": "executionStats",
    };
    let explained = t
        .odm
        .database()
        .run_command(explain)
        .await
        .unwrap()
        .to_string();
    assert!(explained.contains("IXSCAN"), "{explained}");
    assert!(!explained.contains("COLLSCAN"), "{explained}");
    settle(&t.odm).await;
}

#[tokio::test]
async fn deltas_are_folded_in_one_transaction_before_the_read() {
    let t = both_sides("fresh_trips_delta").await;
    let branch = |above: Option<Id<Branch>>| Branch {
        id: Id::new(),
        below: Vec::new(),
        above,
    };
    let root = branch(None);
    t.given(&[root.clone()]).await;
    branch(Some(root.id))
        .insert(&t.odm)
        .deferred()
        .await
        .unwrap();
    let read = Branch::get(&t.odm, root.id).fresh().into_future();
    let folded = ["find", "update", "delete", "commitTransaction"];
    // A program that has folded other deltas may have stored a job.
    let asked = ["find", "commitTransaction"];
    let whole = ["aggregate"].into_iter().chain(folded).chain(asked);
    let whole: Vec<&str> = whole.chain(["find"]).collect();
    assert_eq!(t.sent(read).await.1, whole);
    settle(&t.odm).await;
}
