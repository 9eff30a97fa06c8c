//! The counters of the handle, in the text format of Prometheus.

use std::fmt::{Display, Write};

use axum::{
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
};
use mongo_odm::Odm;

use crate::failure::Failure;

/// Returns the counters of the service and the number of pending jobs.
#[utoipa::path(get, path = "/metrics", tag = "operation", responses((status = 200, content_type = "text/plain")))]
pub(super) async fn show(State(odm): State<Odm>) -> Result<Response, Failure> {
    let mut text = Exposition::default();
    models(&odm, &mut text);
    relations(&odm, &mut text);
    copies(&odm, &mut text);
    jobs(&odm, &mut text).await?;
    let kind = [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    Ok((kind, text.0).into_response())
}

fn models(odm: &Odm, text: &mut Exposition) {
    let models = odm.stats().models;
    text.counter("odm_queries_total", "Calls that read documents.");
    for it in &models {
        text.sample("odm_queries_total", &[("model", it.model)], it.queries);
    }
    text.counter("odm_documents_read_total", "Documents that were returned.");
    for it in &models {
        let labels = [("model", it.model)];
        text.sample("odm_documents_read_total", &labels, it.documents);
    }
    text.counter(
        "odm_documents_written_total",
        "Documents that were written.",
    );
    for it in &models {
        for (write, number) in [
            ("insert", it.inserted),
            ("update", it.updated),
            ("delete", it.deleted),
        ] {
            let labels = [("model", it.model), ("write", write)];
            text.sample("odm_documents_written_total", &labels, number);
        }
    }
}

fn relations(odm: &Odm, text: &mut Exposition) {
    text.counter("odm_relation_calls_total", "Loads, joins and counts.");
    for it in odm.stats().relations {
        for (call, number) in [("load", it.loads), ("join", it.joins), ("count", it.counts)] {
            let labels = [("relation", it.relation), ("call", call)];
            text.sample("odm_relation_calls_total", &labels, number);
        }
    }
}

fn copies(odm: &Odm, text: &mut Exposition) {
    let copies = odm.stats().copies;
    text.counter(
        "odm_copies_read_total",
        "Documents that were read with copies.",
    );
    for it in &copies {
        let labels = [("relation", &*it.relation)];
        text.sample("odm_copies_read_total", &labels, it.reads);
    }
    text.counter(
        "odm_copies_written_total",
        "Documents whose copies changed.",
    );
    for it in &copies {
        let labels = [("relation", &*it.relation)];
        text.sample("odm_copies_written_total", &labels, it.copies_written);
    }
}

async fn jobs(odm: &Odm, text: &mut Exposition) -> Result<(), Failure> {
    let jobs = odm.jobs().count().await?;
    text.gauge("odm_jobs", "Pending jobs.");
    for (state, number) in [
        ("due", jobs.due),
        ("running", jobs.running),
        ("settling", jobs.settling),
        ("put_off", jobs.put_off),
        ("foreign", jobs.foreign),
    ] {
        text.sample("odm_jobs", &[("state", state)], number);
    }
    let oldest = jobs.oldest.unwrap_or_default();
    text.gauge("odm_oldest_job_seconds", "Age of the oldest job.");
    text.sample("odm_oldest_job_seconds", &[], oldest.as_secs_f64());
    text.gauge("odm_deltas", "Deltas that have not been applied yet.");
    text.sample("odm_deltas", &[], jobs.deltas);
    Ok(())
}

/// Text in the format of Prometheus.
#[derive(Debug, Default)]
struct Exposition(String);

impl Exposition {
    fn counter(&mut self, name: &str, help: &str) {
        self.describe(name, help, "counter");
    }

    fn gauge(&mut self, name: &str, help: &str) {
        self.describe(name, help, "gauge");
    }

    fn describe(&mut self, name: &str, help: &str, kind: &str) {
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} {kind}"));
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels: Vec<String> = labels
            .iter()
            .map(|(label, value)| format!("{label}={value:?}"))
            .collect();
        if labels.is_empty() {
            self.line(format_args!("{name} {value}"));
        } else {
            self.line(format_args!("{name}{{{}}} {value}", labels.join(",")));
        }
    }

    fn line(&mut self, line: impl Display) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{line}");
    }
}
