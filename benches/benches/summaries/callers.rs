//! Callers that insert single messages, and the time until their host shows the messages.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::future::try_join_all;
use mongo_odm::{bson::Document, prelude::*};
use odm_benches::{Result, measure::quantile};
use tokio::sync::watch;

use crate::{deltas::Folder, form::Form, hand::HOSTS, right, target::Target};

/// Number of messages that each caller inserts before the measurement, to open connections and sessions.
const WARM: usize = 3;

/// Interval at which the hosts are read.
const LOOK: Duration = Duration::from_millis(5);

/// Time after the last insert within which the hosts must show all messages.
const PATIENCE: Duration = Duration::from_secs(60);

/// The measurements for one form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Messages per second.
    pub(crate) rate: f64,
    /// Percentiles of the duration of an insert, in milliseconds.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    /// The 99th percentile of the time from an insert until the host showed the message, in milliseconds. This value is
    /// meaningful only for one host.
    pub(crate) stale_p99: f64,
}

/// A message whose insert was acknowledged.
struct Insert {
    took: Duration,
    done: Instant,
}

/// Runs callers for some time, waits until all messages are counted, and checks the counts.
pub(crate) async fn run(
    form: Form,
    target: &Target,
    callers: usize,
    time: Duration,
) -> Result<Sample> {
    let folder = (form == Form::Deltas).then(|| Folder::start(target.hand.clone()));
    let next = Arc::new(AtomicUsize::new(target.given));
    let warm = callers * WARM;
    insert(form, target, callers, &next, |done| done < WARM).await?;

    let (tell, told) = watch::channel(None);
    let looks = tokio::spawn(look(form, target.clone(), told));
    let began = Instant::now();
    let mut inserts = insert(form, target, callers, &next, move |_| {
        began.elapsed() < time
    })
    .await?;
    let took = began.elapsed().as_secs_f64();
    inserts.sort_by_key(|insert| insert.done);
    let total = target.given + warm + inserts.len();
    tell.send(Some(total))?;
    let shown = looks.await??;
    if let Some(folder) = folder {
        folder.stop().await?;
    }
    if form.counts() {
        right::check(target, total).await?;
    }

    let stale = stale(&inserts, &shown, target.given + warm);
    let took_each = inserts.iter().map(|it| it.took.as_secs_f64() * 1_000.0);
    Ok(Sample {
        rate: inserts.len() as f64 / took,
        p50: quantile(took_each.clone(), 0.5),
        p99: quantile(took_each, 0.99),
        stale_p99: quantile(stale, 0.99),
    })
}

/// Runs callers that insert messages. A caller stops when `wants` returns false for the number of its inserts.
async fn insert(
    form: Form,
    target: &Target,
    callers: usize,
    next: &Arc<AtomicUsize>,
    wants: impl Fn(usize) -> bool + Copy + Send + 'static,
) -> Result<Vec<Insert>> {
    let callers = (0..callers).map(|_| {
        let (target, next) = (target.clone(), Arc::clone(next));
        tokio::spawn(async move {
            let mut inserts = Vec::new();
            while wants(inserts.len()) {
                let began = Instant::now();
                let number = next.fetch_add(1, Ordering::Relaxed);
                form.insert(&target, number).await?;
                let done = Instant::now();
                let took = done - began;
                inserts.push(Insert { took, done });
            }
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(inserts)
        })
    });
    let inserts: Result<Vec<Vec<Insert>>> = try_join_all(callers).await?.into_iter().collect();
    Ok(inserts?.into_iter().flatten().collect())
}

/// Repeatedly reads the number of counted messages, until this number equals the total that `told` receives at the end.
///
/// If there are several hosts, the function starts to read only after the inserts, because reading many hosts is
/// expensive.
async fn look(
    form: Form,
    target: Target,
    mut told: watch::Receiver<Option<usize>>,
) -> Result<Vec<(Instant, usize)>> {
    let mut shown = Vec::new();
    if target.hosts.len() > 1 {
        told.wait_for(Option::is_some).await?;
    }
    let mut since = None;
    loop {
        let counted = counted(&target).await?;
        shown.push((Instant::now(), counted));
        if let Some(total) = *told.borrow() {
            if counted == total || !form.counts() {
                return Ok(shown);
            }
            if since.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
                return Err(format!("{}: {counted} of {total} are shown", form.name()).into());
            }
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Returns the sum of the messages that all hosts have counted.
async fn counted(target: &Target) -> Result<usize> {
    let hosts = target.hand.collection::<Document>(HOSTS);
    let sum = doc! { "$group": { "_id": null, "messages": { "$sum": "$messages" } } };
    let mut sums = hosts.aggregate([sum]).await?;
    if !sums.advance().await? {
        return Ok(0);
    }
    Ok(usize::try_from(sums.current().get_i64("messages")?)?)
}

/// Returns for how long each inserted message was not counted, in milliseconds. A count does not show which messages
/// are missing. So the messages that were acknowledged last are assumed to be missing.
fn stale(inserts: &[Insert], shown: &[(Instant, usize)], before: usize) -> Vec<f64> {
    let stale = inserts.iter().enumerate().filter_map(|(at, insert)| {
        let seen = shown.partition_point(|(_, counted)| *counted <= before + at);
        let (seen, _) = shown.get(seen)?;
        let stale = seen.saturating_duration_since(insert.done);
        Some(stale.as_secs_f64() * 1_000.0)
    });
    stale.collect()
}
