//! Information about sent statements. A `tracing` subscriber receives each statement below the span of its operation
//! and request, and warnings about statements that will be slow. A test can observe the statements of a block.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests: they panic to fail"
)]

mod job_links;
mod linked;
mod observed;
mod plans;
mod slow_statements;

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, LazyLock, Mutex},
    time::Duration,
};

use futures_util::TryStreamExt;
use mongo_odm::{Settings, Settle, bson::Document, prelude::*};
use odm_tests::Harness;
use tracing::{
    Event, Instrument, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id as SpanId, Record},
};
use tracing_subscriber::{Layer, layer::Context, prelude::*, registry::LookupSpan};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hosts", has_many(messages = LogMsg.host))]
struct Host {
    #[serde(rename = "_id")]
    id: Id<Host>,
    ipaddr: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "logmsg", index(keys(host = 1)))]
struct LogMsg {
    #[serde(rename = "_id")]
    id: Id<LogMsg>,
    #[parent_ref]
    host: Id<Host>,
    #[denorm(from = Host.ipaddr)]
    ipaddr: String,
}

/// The opened spans and the events, in this order: their names and fields, and the spans that contain them.
#[derive(Clone, Debug, Default)]
struct Spans(Arc<Mutex<Vec<(SpanId, Opened)>>>);

#[derive(Clone, Debug, Default)]
struct Opened {
    name: &'static str,
    above: Vec<&'static str>,
    fields: HashMap<&'static str, String>,
}

struct Fields<'a>(&'a mut HashMap<&'static str, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let value = format!("{value:?}").trim_matches('"').to_owned();
        self.0.insert(field.name(), value);
    }
}

impl<S: Subscriber + for<'s> LookupSpan<'s>> Layer<S> for Spans {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &SpanId, context: Context<'_, S>) {
        let above = context.span_scope(id).unwrap().skip(1);
        let mut opened = Opened {
            name: attributes.metadata().name(),
            above: above.map(|span| span.name()).collect(),
            fields: HashMap::new(),
        };
        attributes.record(&mut Fields(&mut opened.fields));
        self.0.lock().unwrap().push((id.clone(), opened));
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let above = context.event_scope(event).into_iter().flatten();
        let mut seen = Opened {
            name: "event",
            above: above.map(|span| span.name()).collect(),
            fields: HashMap::new(),
        };
        event.record(&mut Fields(&mut seen.fields));
        let no_span = SpanId::from_u64(u64::MAX);
        self.0.lock().unwrap().push((no_span, seen));
    }

    fn on_record(&self, id: &SpanId, values: &Record<'_>, _: Context<'_, S>) {
        let mut all = self.0.lock().unwrap();
        let opened = all.iter_mut().rev().find(|(opened, _)| opened == id);
        if let Some((_, opened)) = opened {
            values.record(&mut Fields(&mut opened.fields));
        }
    }
}

impl Spans {
    /// Returns the spans of the whole program. Each test calls this function first.
    fn seen() -> Self {
        static SEEN: LazyLock<Spans> = LazyLock::new(|| {
            let spans = Spans::default();
            let subscriber = tracing_subscriber::registry().with(spans.clone());
            tracing::subscriber::set_global_default(subscriber).unwrap();
            spans
        });
        SEEN.clone()
    }

    /// Lists the spans with this name that are inside the span of the test's request.
    fn of(&self, name: &str, request: &str) -> Vec<Opened> {
        let all = self.0.lock().unwrap();
        let all = all.iter().map(|(_, opened)| opened);
        all.filter(|it| it.name == name && it.above.contains(&request))
            .cloned()
            .collect()
    }
}

/// A host with three messages. Only the test runs the jobs of their copies.
async fn host_with_messages(test: &str) -> (Harness, Host) {
    let mut t = Harness::long_declared(test).await;
    let settings = Settings::default().settle(Settle::Manual);
    let settings = settings.grace(Duration::ZERO);
    t.odm = t.odm.with_settings(settings);
    t.odm.sync_indexes().await.unwrap();
    let host = Host {
        id: Id::new(),
        ipaddr: "127.66.66.1".to_owned(),
    };
    let message = || LogMsg {
        id: Id::new(),
        host: host.id,
        ipaddr: host.ipaddr.clone(),
    };
    t.given(std::slice::from_ref(&host)).await;
    t.given(&[message(), message(), message()]).await;
    (t, host)
}

#[tokio::test]
async fn every_statement_of_a_rename_is_below_the_span_of_the_request() {
    let spans = Spans::seen();
    let (t, host) = host_with_messages("traces_rename").await;
    let rename = |address: &str| Host::update(&t.odm, host.id).set(Host::fields().ipaddr, address);
    rename("10.0.0.1").await.unwrap();
    t.forget();
    let request = tracing::info_span!("rename");
    let renamed = rename("10.0.0.2").into_future().instrument(request);
    renamed.await.unwrap();

    let operation = spans.of("operation", "rename").remove(0);
    assert_eq!(operation.fields["model"], "Host");
    assert_eq!(operation.fields["name"], "update");
    let statements = spans.of("statement", "rename");
    for statement in &statements {
        assert!(statement.above.contains(&"operation"), "{statement:?}");
        assert!(statement.fields.contains_key("micros"), "{statement:?}");
    }
    let mut sent = t.recorder().names();
    let commands = statements
        .iter()
        .map(|it| it.fields["db.operation.name"].clone());
    let mut seen: Vec<_> = commands.collect();
    sent.sort();
    seen.sort();
    assert_eq!(seen, sent);
    let mut collections = statements
        .iter()
        .map(|it| &*it.fields["db.collection.name"]);
    assert!(collections.any(|it| it == "logmsg"), "{statements:?}");
    let mut updates = statements.iter();
    let update = updates
        .find(|it| it.fields["db.operation.name"] == "update")
        .unwrap();
    assert_eq!(update.fields["documents"], "3");
}

#[tokio::test]
async fn a_statement_tells_what_it_has_brought_and_why_it_failed() {
    let spans = Spans::seen();
    let (t, host) = host_with_messages("traces_fields").await;
    let request = async {
        LogMsg::find(&t.odm).await.unwrap();
        host.insert(&t.odm).await.unwrap_err();
    };
    request.instrument(tracing::info_span!("refused")).await;

    let statements = spans.of("statement", "refused");
    let of = |command: &str| {
        let mut all = statements.iter();
        all.find(|it| it.fields["db.operation.name"] == command)
            .unwrap()
    };
    assert_eq!(of("find").fields["documents"], "3");
    assert!(of("find").fields["bytes"].parse::<u64>().unwrap() > 300);
    let error = &of("insert").fields["error"];
    assert!(error.contains("unique index `_id_`"), "{error}");
}

#[tokio::test]
async fn every_statement_of_loads_and_joins_is_below_an_operation() {
    let spans = Spans::seen();
    let (t, host) = host_with_messages("traces_joins").await;
    // Two ranges of keys, each read in a separate task.
    let odm = t.odm.with_settings(Settings::default().split_from(2));
    let messages = LogMsg::find(&odm).await.unwrap();
    let other = Host {
        id: Id::new(),
        ipaddr: "127.66.66.2".to_owned(),
    };
    t.given(std::slice::from_ref(&other)).await;
    let hosts = [host, other];
    let request = async {
        let [one, _] = &hosts;
        Host::join_messages(&hosts, &odm).await.unwrap();
        one.load_messages(&odm).await.unwrap();
        one.load_messages(&odm).slots().await.unwrap();
        one.count_messages(&odm).await.unwrap();
        let each = Host::join_messages(&hosts, &odm).count_each();
        each.await.unwrap();
        let [message, ..] = messages.as_slice() else {
            panic!("there are messages");
        };
        message.load_host(&odm).require().await.unwrap();
        message.load_host(&odm).missing().await.unwrap();
        LogMsg::find_one(&odm).require().await.unwrap();
        let _ = odm.verify().await.unwrap();
        odm.index_diff().await.unwrap();
    };
    t.forget();
    request.instrument(tracing::info_span!("loading")).await;

    let statements = spans.of("statement", "loading");
    for statement in &statements {
        assert!(statement.above.contains(&"operation"), "{statement:?}");
    }
    assert!(statements.len() > 10, "{statements:?}");
    let operations = spans.of("operation", "loading");
    let names: Vec<_> = operations.iter().map(|it| &*it.fields["name"]).collect();
    assert_eq!(
        names,
        [
            "join",
            "load_many",
            "slots",
            "count",
            "count_each",
            "load_one",
            "missing",
            "find_one",
            "verify",
            "index_diff"
        ]
    );
    let [join, ..] = operations.as_slice() else {
        panic!("there are operations");
    };
    assert_eq!(join.fields["model"], "Host");
    assert_eq!(join.fields["relation"], "Host.messages");
}

/// The figures on which alerts are based.
#[tokio::test]
async fn a_worker_emits_the_counts_of_jobs_and_other_counts_are_silent() {
    let spans = Spans::seen();
    let (t, host) = host_with_messages("traces_jobs").await;
    t.odm.run_pending_jobs().await.unwrap();
    let rename = Host::update(&t.odm, host.id).set(Host::fields().ipaddr, "10.0.0.1");
    rename.deferred().await.unwrap();
    let silent = tracing::info_span!("silent");
    let counted = t.odm.jobs().count().instrument(silent.clone());
    let counts = counted.await.unwrap();
    assert_eq!((counts.due, counts.copies_behind), (1, 3));
    t.odm.health().instrument(silent).await.unwrap();
    let events = spans.of("event", "silent");
    assert!(events.is_empty(), "{events:?}");

    let counted = || {
        let mut events = spans.of("event", "alert").into_iter();
        events.find(|event| event.fields["message"] == "jobs")
    };
    let seen = async {
        while counted().is_none() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let worker = t.odm.worker().run_until(seen);
    let alert = tracing::info_span!("alert");
    worker.instrument(alert).await.unwrap();
    let jobs = counted().unwrap();
    for figure in ["due", "settling", "copies_behind", "oldest_seconds"] {
        assert!(jobs.fields[figure].parse::<u64>().is_ok(), "{jobs:?}");
    }
}

#[tokio::test]
async fn every_statement_of_a_stream_is_below_its_operation() {
    let spans = Spans::seen();
    let (t, host) = host_with_messages("traces_streams").await;
    let odm = &t.odm;
    let request = async {
        let mut messages = std::pin::pin!(
            LogMsg::find(odm)
                .options(|it| it.batch_size = Some(1))
                .stream()
        );
        messages.try_next().await.unwrap();
        // Spans that the caller opens between two reads are not part of the stream.
        tracing::info_span!("between");
        messages.try_collect::<Vec<_>>().await.unwrap();
        let batches = LogMsg::find(odm).batches(2);
        batches.try_collect::<Vec<_>>().await.unwrap();
        let all = LogMsg::aggregate::<Document>(odm, [doc! { "$match": {} }]);
        all.stream().try_collect::<Vec<_>>().await.unwrap();
        let loaded = host.load_messages(odm).stream();
        loaded.try_collect::<Vec<_>>().await.unwrap();
        let findings = odm.verify().only::<LogMsg>().stream();
        findings.try_collect::<Vec<_>>().await.unwrap();
        let pipeline = [doc! { "$match": {} }];
        LogMsg::aggregate::<Document>(odm, pipeline).await.unwrap();
    };
    t.forget();
    request.instrument(tracing::info_span!("streaming")).await;

    let statements = spans.of("statement", "streaming");
    assert!(statements.len() > 6, "{statements:?}");
    for statement in &statements {
        let above = statement.above.iter().filter(|it| **it == "operation");
        assert_eq!(above.count(), 1, "{statement:?}");
    }
    let between = spans.of("between", "streaming").remove(0);
    assert_eq!(between.above, ["streaming"]);
    let operations = spans.of("operation", "streaming");
    let names: Vec<_> = operations.iter().map(|it| &*it.fields["name"]).collect();
    assert_eq!(
        names,
        [
            "find",
            "find",
            "aggregate",
            "load_many",
            "verify",
            "aggregate"
        ]
    );
    let models = operations
        .iter()
        .map(|it| it.fields.get("model").map(|it| &**it));
    let (message, host) = (Some("LogMsg"), Some("Host"));
    let expected = [message, message, message, host, None, message];
    assert_eq!(models.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn calls_of_a_database_and_transactions_are_operations() {
    let spans = Spans::seen();
    let (t, host) = host_with_messages("traces_calls").await;
    let odm = &t.odm;
    let request = async {
        odm.run_pending_jobs().await.unwrap();
        odm.health().await.unwrap();
        let rename = Host::update(odm, host.id).set(Host::fields().ipaddr, "10.0.0.9");
        rename.plan().unwrap().estimate(odm).await.unwrap();
        let failed = odm.transaction(async |tx| {
            Host::get(&tx, host.id).await?;
            Err::<(), _>(mongo_odm::Error::custom(std::fmt::Error))
        });
        failed.await.unwrap_err();
    };
    t.forget();
    request.instrument(tracing::info_span!("calling")).await;
    let operations = spans.of("operation", "calling");
    let names: Vec<_> = operations.iter().map(|it| &*it.fields["name"]).collect();
    for name in ["run_pending_jobs", "health", "estimate", "transaction"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    let statements = spans.of("statement", "calling");
    for statement in &statements {
        assert!(statement.above.contains(&"operation"), "{statement:?}");
    }
    let seen = statements
        .iter()
        .map(|it| it.fields["db.operation.name"].clone());
    // The driver does not report a `hello`.
    let mut seen: Vec<_> = seen.filter(|command| command != "hello").collect();
    let mut sent = t.all_names();
    sent.sort();
    seen.sort();
    assert_eq!(seen, sent);
}

#[tokio::test]
async fn every_statement_of_a_transaction_is_below_the_span_of_the_request() {
    let spans = Spans::seen();
    let (t, host) = host_with_messages("traces_transaction").await;
    let renamed = async |tx: mongo_odm::Tx| {
        let rename = Host::update(&tx, host.id).set(Host::fields().ipaddr, "10.0.0.3");
        rename.await?;
        LogMsg::find(&tx).await
    };
    t.odm.transaction(renamed).await.unwrap();
    t.forget();
    let request = tracing::info_span!("transaction");
    let whole = t.odm.transaction(renamed).instrument(request);
    whole.await.unwrap();

    let commands = spans.of("statement", "transaction").into_iter();
    let mut seen: Vec<_> = commands
        .map(|it| it.fields["db.operation.name"].clone())
        .collect();
    let mut sent = t.recorder().names();
    sent.sort();
    seen.sort();
    assert_eq!(seen, sent);
}

#[tokio::test]
async fn an_odm_inside_a_transaction_is_warned_of_with_the_line_of_the_call() {
    let spans = Spans::seen();
    let (t, host) = host_with_messages("traces_outside").await;
    let (first, odm) = (line!() + 2, &t.odm);
    let counted = odm.transaction(async |tx| {
        let inside = Host::count(&tx).await?;
        Host::count(odm).await?;
        host.load_messages(odm).await?;
        Host::count(tx.odm()).await?;
        odm.transaction(async |_| Ok(())).await?;
        Ok(inside)
    });
    let request = tracing::info_span!("outside");
    assert_eq!(counted.instrument(request).await.unwrap(), 1);
    // After the closure, the call causes no warning.
    Host::count(odm).await.unwrap();

    let events = spans.of("event", "outside").into_iter();
    let lines = events.filter_map(|event| event.fields.get("at").cloned());
    let lines: Vec<_> = lines
        .map(|at| at.split(':').nth(1).unwrap().to_owned())
        .collect();
    let called = [first + 1, first + 2, first + 4].map(|line| line.to_string());
    assert_eq!(lines, called);
}

#[tokio::test]
async fn an_odm_inside_a_transaction_is_warned_of_once_where_it_is_of_the_same_database() {
    let spans = Spans::seen();
    let (t, _) = host_with_messages("traces_outside_once").await;
    let (odm, silent) = (
        &t.odm,
        t.odm
            .with_settings(Settings::default().warn_of_slow_statements(false)),
    );
    let other = odm.database().client().database("traces_outside_audit");
    let other = Odm::new(other);
    let request = tracing::info_span!("outside_once");
    let run = async {
        for _ in 0..3 {
            let run = odm.transaction(async |_| {
                for _ in 0..3 {
                    Host::count(odm).await?;
                }
                Host::count(&silent).await?;
                Host::count(&other).await?;
                Ok(())
            });
            run.await.unwrap();
        }
    };
    run.instrument(request).await;
    assert_eq!(spans.of("event", "outside_once").len(), 1);
}

#[tokio::test]
async fn a_program_takes_no_declaration_of_its_own_for_one_of_another() {
    odm_tests::declared::assert_declarations_are_own("traces_own_declarations").await;
}
