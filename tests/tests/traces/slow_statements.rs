//! The lines of code about which a handle warns during development, and those about which it does
//! not warn.

use std::{panic::Location, time::Duration};

use futures_util::TryStreamExt;
use mongo_odm::{Odm, Settings, prelude::*};
use odm_tests::Harness;

use super::{Host, LogMsg, Spans, host_with_messages};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "racks")]
struct Rack {
    #[serde(rename = "_id")]
    id: Id<Rack>,
    #[refs(many, max = 10, name = "machines")]
    hosts: Vec<Id<Host>>,
}

/// Lists the warnings about a line of this file.
fn warned(spans: &Spans, line: u32) -> Vec<String> {
    warnings(spans, &format!("{}:{line}:", file!()))
}

/// Lists the warnings about a call.
pub(super) fn warned_at(spans: &Spans, at: &Location<'static>) -> Vec<String> {
    warnings(spans, &at.to_string())
}

fn warnings(spans: &Spans, start: &str) -> Vec<String> {
    let all = spans.0.lock().unwrap();
    let of_line = all.iter().filter(|(_, seen)| {
        let at = seen.fields.get("at");
        seen.name == "event" && at.is_some_and(|at| at.starts_with(start))
    });
    of_line
        .map(|(_, it)| it.fields["message"].clone())
        .collect()
}

/// Waits for the only warning about a line that the library checks in the background.
async fn warning(spans: &Spans, line: u32) -> String {
    for _ in 0..2_000 {
        if let [warning] = &*warned(spans, line) {
            return warning.clone();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("no warning of line {line}: {:?}", warned(spans, line));
}

#[track_caller]
fn line() -> u32 {
    Location::caller().line()
}

/// Returns a new handle that warns from three documents on. It has not counted the documents of any collection yet.
pub(super) fn warning_handle(odm: &Odm) -> Odm {
    let settings = Settings::default();
    Odm::new(odm.database().clone())
        .with_settings(settings.warn_of_slow_statements(true).watch_from(3))
}

async fn host(test: &str) -> (Spans, Harness, Host) {
    let spans = Spans::seen();
    let (mut t, host) = host_with_messages(test).await;
    t.odm = warning_handle(&t.odm);
    (spans, t, host)
}

#[tokio::test]
async fn loads_in_a_loop_are_warned_of_once_with_the_join_to_use() {
    let (spans, t, host) = host("slow_loads").await;
    let rack = Rack {
        id: Id::new(),
        hosts: vec![host.id],
    };
    let mut lines = Vec::new();
    for _ in 0..25 {
        lines.push(line() + 1);
        host.load_messages(&t.odm).await.unwrap();
    }
    let [warning] = warned(&spans, lines[0]).try_into().unwrap();
    let place = format!("{}:{}", file!(), lines[0]);
    assert_eq!(
        warning,
        format!("10 loads of `Host.messages` in one task at {place}; use `Host::join_messages`")
    );
    for _ in 0..10 {
        lines.push(line() + 1);
        rack.load_machines(&t.odm).await.unwrap();
    }
    let [warning] = warned(&spans, *lines.last().unwrap()).try_into().unwrap();
    assert!(
        warning.ends_with("; use `Rack::join_machines`"),
        "{warning}"
    );
    for _ in 0..10 {
        lines.push(line() + 1);
        host.count_messages(&t.odm).await.unwrap();
    }
    let [warning] = warned(&spans, *lines.last().unwrap()).try_into().unwrap();
    let remedy = "; use `Host::join_messages(..).count_each()`";
    assert!(warning.ends_with(remedy), "{warning}");
    assert!(warning.contains(" counts of `Host.messages` "), "{warning}");
    for _ in 0..10 {
        lines.push(line() + 1);
        host.load_messages(&t.odm).limit(2).await.unwrap();
    }
    let [warning] = warned(&spans, *lines.last().unwrap()).try_into().unwrap();
    let remedy = "; use `Host::join_messages(..).limit_each(n)`";
    assert!(warning.ends_with(remedy), "{warning}");
}

#[tokio::test]
async fn a_find_without_results_is_no_warning() {
    let (spans, t, _) = host("slow_no_results").await;
    let settings = t.odm.settings().clone().watch_from(0);
    let odm = t.odm.with_settings(settings);
    let at = line() + 1;
    Rack::find(&odm).await.unwrap();
    assert_eq!(warned(&spans, at), [""; 0]);
}

#[tokio::test]
async fn loads_of_several_tasks_and_few_loads_are_no_warning() {
    let (spans, t, host) = host("slow_tasks").await;
    let mut lines = Vec::new();
    for _ in 0..15 {
        let (odm, host) = (t.odm.clone(), host.clone());
        lines.push(line() + 1);
        let load = async move { host.load_messages(&odm).await.unwrap() };
        tokio::spawn(load).await.unwrap();
    }
    for _ in 0..9 {
        lines.push(line() + 1);
        host.load_messages(&t.odm).await.unwrap();
    }
    let silent = t
        .odm
        .with_settings(Settings::default().warn_of_slow_statements(false));
    for _ in 0..15 {
        lines.push(line() + 1);
        host.load_messages(&silent).await.unwrap();
    }
    for line in lines {
        assert_eq!(warned(&spans, line), [""; 0]);
    }
}

#[tokio::test]
async fn a_filter_without_an_index_is_warned_of_where_the_collection_is_large() {
    let (spans, t, host) = host("slow_plans").await;
    t.forget();
    let address = &*host.ipaddr;
    let mut others = vec![line() + 1];
    Host::find(&t.odm)
        .filter(Host::fields().ipaddr.eq(address))
        .await
        .unwrap();
    others.push(line() + 1);
    LogMsg::find(&t.odm)
        .filter(LogMsg::fields().host.eq(host.id))
        .limit(9)
        .await
        .unwrap();
    others.push(line() + 1);
    LogMsg::find(&t.odm)
        .filter(LogMsg::fields().id.eq(Id::new()))
        .await
        .unwrap();
    let silent = t
        .odm
        .with_settings(Settings::default().warn_of_slow_statements(false));
    others.push(line() + 1);
    LogMsg::find(&silent)
        .filter(LogMsg::fields().ipaddr.eq("x"))
        .await
        .unwrap();
    let at = line() + 1;
    LogMsg::find(&t.odm)
        .filter(LogMsg::fields().ipaddr.eq("x"))
        .await
        .unwrap();
    let warning = warning(&spans, at).await;
    assert!(
        warning.starts_with(
            "a filter of `LogMsg` by `ipaddr` has no index and goes through up to 3 documents of `logmsg`, at "
        ),
        "{warning}"
    );
    for line in others {
        assert_eq!(warned(&spans, line), [""; 0]);
    }
    let unindexed = t
        .odm
        .stats()
        .models
        .into_iter()
        .map(|it| (it.model, it.unindexed));
    let unindexed: Vec<_> = unindexed.filter(|(_, unindexed)| *unindexed > 0).collect();
    assert_eq!(unindexed, [("LogMsg", 1)]);
    let names = t.recorder().names();
    assert_eq!(names, ["find"; 5]);
}

#[tokio::test]
async fn a_find_of_very_many_and_an_array_near_its_bound_are_warned_of() {
    let (spans, t, host) = host("slow_reads").await;
    let first = line() + 1;
    LogMsg::find(&t.odm).await.unwrap();
    let [warning] = warned(&spans, first).try_into().unwrap();
    let start = "a `find` without a limit returned 3 documents of `LogMsg` at ";
    assert!(warning.starts_with(start), "{warning}");
    LogMsg::find(&t.odm).limit(3).await.unwrap();
    Host::find(&t.odm).await.unwrap();
    for line in [first + 4, first + 5] {
        assert_eq!(warned(&spans, line), [""; 0]);
    }

    let rack = |hosts| Rack {
        id: Id::new(),
        hosts: vec![host.id; hosts],
    };
    let (roomy, full) = (rack(7), rack(8));
    t.given(&[roomy.clone(), full.clone()]).await;
    let at = line() + 1;
    Rack::get(&t.odm, roomy.id).await.unwrap();
    Rack::get(&t.odm, full.id).await.unwrap();
    Rack::get(
        &t.odm
            .with_settings(Settings::default().warn_of_slow_statements(false)),
        full.id,
    )
    .await
    .unwrap();
    assert_eq!(warned(&spans, at), [""; 0]);
    assert_eq!(warned(&spans, at + 2), [""; 0]);
    let mut streamed = std::pin::pin!(Rack::find(&t.odm).stream());
    while streamed.try_next().await.unwrap().is_some() {}
    let streamed = line() - 2;
    Rack::find(&t.odm).page(5).await.unwrap();
    let paged = line() - 1;
    for line in [streamed, paged] {
        let [warning] = warned(&spans, line).try_into().unwrap();
        assert!(warning.starts_with("`Rack.hosts` has 8 of"), "{warning}");
    }
    let [warning] = warned(&spans, at + 1).try_into().unwrap();
    let start = "`Rack.hosts` has 8 of at most 10 elements in the document ";
    assert!(warning.starts_with(start), "{warning}");
}
