//! What a subscriber of `tracing` sees: every statement, below the span of the operation and of the request.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex},
};

use mongo_odm::prelude::*;
use tracing::{
    Instrument, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id as SpanId, Record},
};
use tracing_subscriber::{Layer, layer::Context, prelude::*, registry::LookupSpan};

use crate::{models::*, setting::*};

/// The spans that were opened: their names and fields, and those above them.
#[derive(Clone, Debug, Default)]
struct Spans(Arc<Mutex<HashMap<u64, Opened>>>);

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
        let mut opened = Opened {
            name: attributes.metadata().name(),
            above: context
                .span_scope(id)
                .unwrap()
                .skip(1)
                .map(|span| span.name())
                .collect(),
            fields: HashMap::new(),
        };
        attributes.record(&mut Fields(&mut opened.fields));
        self.0.lock().unwrap().insert(id.into_u64(), opened);
    }

    fn on_record(&self, id: &SpanId, values: &Record<'_>, _: Context<'_, S>) {
        if let Some(opened) = self.0.lock().unwrap().get_mut(&id.into_u64()) {
            values.record(&mut Fields(&mut opened.fields));
        }
    }
}

impl Spans {
    fn of(&self, name: &str) -> Vec<Opened> {
        let all = self.0.lock().unwrap();
        let mut all: Vec<_> = all.iter().filter(|(_, it)| it.name == name).collect();
        all.sort_by_key(|(id, _)| **id);
        all.into_iter().map(|(_, opened)| opened.clone()).collect()
    }
}

#[tokio::test]
async fn every_statement_of_a_rename_is_below_the_span_of_the_request() {
    let t = shop("traces_rename").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    let rename = |name: &str| Host::update(&t.odm, host.id).set(Host::fields().ipaddr, name);
    rename("10.0.0.1").await.unwrap();
    t.forget();
    let spans = Spans::default();
    let subscriber = tracing_subscriber::registry().with(spans.clone());
    let listening = tracing::subscriber::set_default(subscriber);
    let request = tracing::info_span!("request");
    rename("10.0.0.2")
        .into_future()
        .instrument(request)
        .await
        .unwrap();
    drop(listening);

    let operation = spans.of("operation").remove(0);
    assert_eq!(operation.fields["model"], "Host");
    assert_eq!(operation.fields["name"], "update");
    let statements = spans.of("statement");
    for statement in &statements {
        assert!(statement.above.contains(&"request"), "{statement:?}");
        assert!(statement.above.contains(&"operation"), "{statement:?}");
        assert!(statement.fields.contains_key("micros"), "{statement:?}");
    }
    let mut sent = t.recorder().names();
    let mut seen: Vec<_> = statements
        .iter()
        .map(|it| it.fields["command"].clone())
        .collect();
    sent.sort();
    seen.sort();
    assert_eq!(seen, sent);
    let copies = statements
        .iter()
        .find(|it| it.fields["collection"] == "logmsg");
    assert!(copies.is_some(), "{statements:?}");
    let update = statements
        .iter()
        .find(|it| it.fields["command"] == "update")
        .unwrap();
    assert_eq!(update.fields["documents"], "3");
}

#[tokio::test]
async fn a_statement_tells_what_it_has_brought_and_why_it_failed() {
    let t = shop("traces_fields").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    // `tracing` may miss a place that is reached for the first time while a subscriber is being set.
    LogMsg::find(&t.odm).await.unwrap();
    let spans = Spans::default();
    let subscriber = tracing_subscriber::registry().with(spans.clone());
    let listening = tracing::subscriber::set_default(subscriber);
    LogMsg::find(&t.odm).await.unwrap();
    assert!(host.insert(&t.odm).await.is_err());
    drop(listening);

    let statements = spans.of("statement");
    let find = statements
        .iter()
        .find(|it| it.fields["command"] == "find")
        .unwrap();
    assert_eq!(find.fields["documents"], "3");
    assert!(find.fields["bytes"].parse::<u64>().unwrap() > 300);
    let insert = statements
        .iter()
        .find(|it| it.fields["command"] == "insert")
        .unwrap();
    assert!(
        insert.fields["error"].contains("unique index `_id_`"),
        "{insert:?}"
    );
}
