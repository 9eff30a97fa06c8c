//! The span of a job is linked to the write that stored the job, even if another program runs the job.

use std::sync::{Arc, Mutex};

use tracing::Span;
use tracing_subscriber::{Registry, registry::LookupSpan};

use super::*;

/// Returns the names of the current span and of the outermost span above it.
fn current() -> Option<(String, String)> {
    let names = Span::current().with_subscriber(|(id, dispatch)| {
        let registry = dispatch.downcast_ref::<Registry>()?;
        let span = registry.span(id)?;
        let request = span.scope().last()?.name().to_owned();
        Some((span.name().to_owned(), request))
    });
    names.flatten()
}

/// The contexts that spans were linked to, each with the name of the span.
type Linked = Arc<Mutex<Vec<(String, String)>>>;

fn with_links(odm: &Odm) -> (Odm, Linked) {
    let linked = Linked::default();
    let links = Arc::clone(&linked);
    let settings = odm.settings().clone().trace_links(
        || Some(current()?.1),
        move |context| {
            let (span, _) = current().unwrap();
            links.lock().unwrap().push((span, context.to_owned()));
        },
    );
    (odm.with_settings(settings), linked)
}

fn rename(odm: &Odm, host: &Host, ipaddr: &str) -> mongo_odm::action::UpdateOne<Host> {
    Host::update(odm, host.id)
        .set(Host::fields().ipaddr, ipaddr)
        .deferred()
}

#[tokio::test]
async fn a_job_is_linked_to_the_write_that_stored_it() {
    Spans::seen();
    let (t, host) = host_with_messages("traces_job_links").await;
    let (writer, none) = with_links(&t.odm);
    rename(&writer, &host, "127.0.0.2")
        .into_future()
        .instrument(tracing::info_span!("request_of_a_rename"))
        .await
        .unwrap();
    // A program without links does not remove the context of another program.
    rename(&t.odm, &host, "127.0.0.3").await.unwrap();
    let (runner, linked) = with_links(&Odm::new(t.odm.database().clone()));
    let runner = runner.with_settings(runner.settings().clone().settle(Settle::Manual));
    runner.run_pending_jobs().await.unwrap();
    let linked = linked.lock().unwrap().clone();
    assert!(!linked.is_empty());
    for (span, context) in linked {
        assert_eq!((&*span, &*context), ("job", "request_of_a_rename"));
    }
    assert!(none.lock().unwrap().is_empty());
    let messages = LogMsg::find(&t.odm).await.unwrap();
    assert!(messages.iter().all(|it| it.ipaddr == "127.0.0.3"));
}

#[tokio::test]
async fn a_program_without_links_stores_no_context() {
    let (t, host) = host_with_messages("traces_no_job_links").await;
    rename(&t.odm, &host, "127.0.0.2").await.unwrap();
    let jobs = t.odm.database().collection::<Document>("_odm_jobs");
    let job = jobs.find_one(Document::new()).await.unwrap().unwrap();
    assert!(!job.contains_key("trace"), "{job}");
}
