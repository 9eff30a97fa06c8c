//! Waits for the remaining work of a write, with its token.

mod cascades;
mod cycles;
mod next_level;
mod others;
mod transactions;

use std::time::Duration;

use mongo_odm::{
    Error, ErrorKind, Form, Guarantee, Odm, Pending, Settle, Token, bson::Document, prelude::*,
};
use odm_tests::Harness;

use crate::{
    computed::{Board, Reading, Station, assert_right, reading, station, weather},
    models::*,
    setting::*,
};

pub const MESSAGES: &str = "logmsg.host <- hosts._id";
pub const READINGS: &str = "stations._id <- readings.station";

/// A host with messages, whose jobs are settled.
pub async fn logs(test: &str) -> (Harness, Host, Vec<LogMsg>) {
    let t = shop(test).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    let messages = messages(&host, 3);
    t.given(&messages).await;
    settle(&t.odm).await;
    (t, host, messages)
}

pub async fn rename(odm: &Odm, host: &Host, to: &str) -> Token {
    let rename = Host::update(odm, host.id).set(Host::fields().ipaddr, to);
    rename.deferred().await.unwrap().token().clone()
}

/// A station with one counted reading.
pub async fn observatory(test: &str) -> (Harness, Station) {
    let t = weather(test).await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    reading(north.id, 1).insert(&t.odm).await.unwrap();
    (t, north)
}

/// Starts another program, which has no information about the work of this program.
pub fn another(odm: &Odm) -> Odm {
    Odm::new(odm.database().clone()).with_settings(settings())
}

/// Serializes a token, as if it were passed to another service.
pub fn handed_over(token: &Token) -> Token {
    let text = serde_json::to_string(token).unwrap();
    serde_json::from_str(&text).unwrap()
}

pub fn pending(error: &Error) -> &[Pending] {
    assert_eq!(error.kind(), ErrorKind::Pending, "{error}");
    match error {
        Error::Pending { pending, .. } => pending,
        other => panic!("{other}"),
    }
}

/// Stores a lease of another runner on the job of a host. The lease ends after some seconds.
pub async fn held(odm: &Odm, host: &Host) {
    let until = DateTime::from_millis(DateTime::now().timestamp_millis() + 25_000);
    let cursor = doc! {
        "_id": { "relation": MESSAGES, "key": host.id }, "until": until, "token": 1_i64,
    };
    let cursors = odm.database().collection::<Document>("_odm_cursors");
    cursors.insert_one(cursor).await.unwrap();
}

pub async fn let_go(odm: &Odm) {
    let cursors = odm.database().collection::<Document>("_odm_cursors");
    cursors.delete_many(doc! {}).await.unwrap();
}

#[tokio::test]
async fn a_deferred_write_is_waited_for_by_another_handle() {
    let (t, host, _) = logs("waiting_another").await;
    let token = rename(&t.odm, &host, "10.0.0.1").await;
    assert!(!token.is_empty());
    assert_eq!(stale(&t.odm, &host).await, 3);
    let handed = handed_over(&token);
    assert_eq!(handed, token);
    another(&t.odm).wait(&handed).await.unwrap();
    assert_eq!(stale(&t.odm, &host).await, 0);
    settle(&t.odm).await;
}

#[tokio::test]
async fn deltas_that_nobody_folds_are_folded_by_who_waits() {
    let (t, north) = observatory("waiting_deltas").await;
    let mut last = Token::default();
    for number in 2..5 {
        let new = reading(north.id, number);
        let report = new.insert(&t.odm).deferred().await.unwrap();
        last = report.token().clone();
    }
    assert_eq!(count(&t.odm, "_odm_deltas", doc! {}).await, 3);
    let other = another(&t.odm);
    let (waited, sent) = t.sent(async { other.wait(&last).await }).await;
    waited.unwrap();
    assert_eq!(count(&t.odm, "_odm_deltas", doc! {}).await, 0);
    assert_eq!(Station::get(&t.odm, north.id).await.unwrap().readings, 4);
    assert_right(&t.odm, "waited").await;
    // The wait also looks for copies of the counts.
    assert_eq!(
        (sent[0].as_str(), sent[sent.len() - 1].as_str()),
        ("aggregate", "aggregate")
    );
    settle(&t.odm).await;
}

#[tokio::test]
async fn what_copies_a_count_is_waited_for_whoever_folds() {
    let (t, north) = observatory("waiting_board").await;
    let board = Board {
        id: Id::new(),
        station: north.id,
        readings: 0,
    };
    board.insert(&t.odm).await.unwrap();
    let folding = t.odm.with_settings(settings().settle(Settle::Background));
    for number in 2..22 {
        let new = reading(north.id, number);
        let report = new.insert(&folding).deferred().await.unwrap();
        // The waits begin at different moments of the concurrent fold.
        let nap = Duration::from_millis(number.unsigned_abs() * 2);
        tokio::time::sleep(nap).await;
        another(&t.odm).wait(report.token()).await.unwrap();
        assert_eq!(
            Station::get(&t.odm, north.id).await.unwrap().readings,
            number
        );
        let shown = Board::get(&t.odm, board.id).await.unwrap().readings;
        assert_eq!(shown, number, "after {nap:?}");
    }
    folding.finish_writes().await;
}

#[tokio::test]
async fn two_who_wait_at_once_both_see_it_done() {
    let (t, north) = observatory("waiting_two").await;
    index_shop(&t.odm).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 300)).await;
    settle(&t.odm).await;
    for round in 0..5 {
        let to = format!("10.0.0.{round}");
        let renamed = rename(&t.odm, &host, &to).await;
        let new = reading(north.id, 2 + round);
        let counted = new.insert(&t.odm).deferred().await.unwrap();
        let counted = counted.token();
        let see = async |odm: Odm| {
            odm.wait(&renamed).await.unwrap();
            odm.wait(counted).await.unwrap();
            assert_eq!(stale(&odm, &host).await, 0, "{round}");
            let readings = Station::get(&odm, north.id).await.unwrap().readings;
            assert_eq!(readings, 2 + round);
        };
        tokio::join!(see(another(&t.odm)), see(another(&t.odm)));
    }
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_write_that_leaves_nothing_has_an_empty_token_which_sends_nothing() {
    let (t, host, _) = logs("waiting_nothing").await;
    let inline = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    let inline = inline.await.unwrap();
    assert_eq!(inline.copies[0].forms, [Form::Written]);
    let by_job = Host::update(&by_jobs(&t.odm), host.id).set(Host::fields().ipaddr, "10.0.0.2");
    let by_job = by_job.await.unwrap();
    assert_eq!(by_job.copies[0].guarantee, Guarantee::Converged);
    assert_eq!(by_job.copies[0].forms, [Form::Job]);
    let without = Host::update(&t.odm, host.id).set(Host::fields().name, "other");
    let without = without.await.unwrap();
    for report in [&inline, &by_job, &without] {
        assert!(report.token().is_empty(), "{report:?}");
        let (waited, sent) = t.sent(async { t.odm.wait(report.token()).await }).await;
        waited.unwrap();
        assert_eq!(sent, [""; 0]);
    }
    settle(&t.odm).await;
}

#[tokio::test]
async fn a_wait_for_what_is_done_already_is_one_look() {
    let (t, host, _) = logs("waiting_done").await;
    let token = rename(&t.odm, &host, "10.0.0.1").await;
    settle(&t.odm).await;
    let (waited, sent) = t.sent(async { t.odm.wait(&token).await }).await;
    waited.unwrap();
    assert_eq!(sent, ["aggregate"]);
}

#[tokio::test]
async fn reports_say_in_which_form_fields_were_reached() {
    let (t, north) = observatory("waiting_forms").await;
    let new = |number| reading(north.id, number);
    let forms = |report: &mongo_odm::InsertReport| report.copies[0].forms.clone();
    let added = new(2).insert(&t.odm).await.unwrap();
    assert_eq!(forms(&added), [Form::Added]);
    let delta = new(3).insert(&t.odm).deferred().await.unwrap();
    assert_eq!(forms(&delta), [Form::Delta]);
    let gone = Reading::find_one(&t.odm).await.unwrap().unwrap();
    // While a delta is pending, the list without the child is recomputed, and the change of the count is stored as a
    // delta.
    let left = Reading::delete(&t.odm, gone.id).await.unwrap();
    assert_eq!(left.copies[0].forms, [Form::Written, Form::Delta]);
    let gone = Reading::find_one(&t.odm).await.unwrap().unwrap();
    let job = Reading::delete(&t.odm, gone.id).deferred().await.unwrap();
    assert_eq!(job.copies[0].forms, [Form::Job]);
    assert!(!job.token().is_empty());
    t.odm.wait(job.token()).await.unwrap();
    assert_right(&t.odm, "at the end").await;
    settle(&t.odm).await;
}
