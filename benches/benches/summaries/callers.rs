//! Callers that insert one message after the other, and how long a host does not show what they have inserted.

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

/// What each caller inserts before anything is measured: connections and sessions are opened.
const WARM: usize = 3;

/// How often somebody looks what the hosts show.
const LOOK: Duration = Duration::from_millis(5);

/// How long after the last insert the hosts may show less.
const PATIENCE: Duration = Duration::from_secs(60);

/// What was measured of one form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Messages a second.
    pub(crate) rate: f64,
    /// How long an insert took, in milliseconds.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    /// How long after an insert the host showed it, in milliseconds; of one host alone.
    pub(crate) stale_p99: f64,
}

/// An insert that was acknowledged.
struct Insert {
    took: Duration,
    done: Instant,
}

/// Lets callers insert for some time, waits until all is counted, and checks it.
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

/// Lets callers insert as long as they want to; each asks with the number of its inserts.
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

/// Looks again and again how many messages are counted, until that is what it is told at last.
///
/// While messages are inserted it looks where there is one host: many hosts are much to read.
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

/// Returns how many messages all hosts have counted.
async fn counted(target: &Target) -> Result<usize> {
    let hosts = target.hand.collection::<Document>(HOSTS);
    let sum = doc! { "$group": { "_id": null, "messages": { "$sum": "$messages" } } };
    let mut sums = hosts.aggregate([sum]).await?;
    if !sums.advance().await? {
        return Ok(0);
    }
    Ok(usize::try_from(sums.current().get_i64("messages")?)?)
}

/// Returns how long each insert was not counted, in milliseconds. A count does not say which messages are missing, so
/// those that were acknowledged last are taken for them.
fn stale(inserts: &[Insert], shown: &[(Instant, usize)], before: usize) -> Vec<f64> {
    let stale = inserts.iter().enumerate().filter_map(|(at, insert)| {
        let seen = shown.partition_point(|(_, counted)| *counted <= before + at);
        let (seen, _) = shown.get(seen)?;
        let stale = seen.saturating_duration_since(insert.done);
        Some(stale.as_secs_f64() * 1_000.0)
    });
    stale.collect()
}
