//! Runs a history, and looks at what is stored after each step.

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::Duration,
};

use mongo_odm::bson::Document;
use tokio::time::{sleep, timeout};

use super::{
    bench::Bench,
    history::{Act, Kind, Step, Write},
    oracle::Stored,
    perform::{Struct, Structs},
    world::{Loaded, World},
};

/// No act takes that long, with its tries.
const LIMIT: Duration = Duration::from_secs(60);

/// One history, and what is known of its state.
pub(super) struct Case<'b> {
    bench: &'b Bench,
    /// What is stored apart from copies, unless a crash has left that open.
    world: Option<World>,
    /// Whether nothing but the last look at the copies can be relied upon.
    racy: bool,
    /// Whether commands were made to fail.
    trouble: bool,
    structs: Arc<Structs>,
    loaded: Loaded,
    /// The offices that must be there, with their makers.
    planted: BTreeMap<i64, i64>,
    hostile: Vec<Document>,
}

/// How an act ended, as far as its caller knows.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Done,
    Refused,
    Unknown,
}

impl<'b> Case<'b> {
    pub(super) fn new(bench: &'b Bench) -> Self {
        Self {
            bench,
            world: Some(World::default()),
            racy: false,
            trouble: false,
            structs: Arc::default(),
            loaded: Loaded::new(),
            planted: BTreeMap::new(),
            hostile: Vec::new(),
        }
    }

    pub(super) async fn run(mut self, history: &[Step]) -> Result<(), String> {
        for (at, step) in history.iter().chain([&Step::Settle]).enumerate() {
            self.bench.tally.steps.fetch_add(1, Relaxed);
            let done = self.step(step).await;
            // The history itself, too: a race need not show again while it is being shortened.
            done.map_err(|wrong| {
                format!(
                    "after {:#?}: {wrong}",
                    history.get(..=at).unwrap_or(history)
                )
            })?;
        }
        Ok(())
    }

    async fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Do(act) => {
                self.may_fell(act);
                let end = self.act(act).await?;
                self.note_planted(act, end);
                self.reconcile(&[(act, end)]).await?;
            }
            Step::Both(left, right) => {
                self.racy = true;
                self.may_fell(left);
                self.may_fell(right);
                self.bench.tally.at_once.fetch_add(1, Relaxed);
                let (one, other) = tokio::join!(self.act(left), self.act(right));
                self.reconcile(&[(left, one?), (right, other?)]).await?;
            }
            Step::Crash { act, after, wait } => {
                self.may_fell(act);
                let end = self.crash(act, Duration::from_micros(*after)).await?;
                if *wait || end != End::Unknown {
                    self.bench.quiet().await;
                    self.reconcile(&[(act, end)]).await?;
                } else {
                    self.world = None;
                }
            }
            Step::Load(kind, id) => self.load(*kind, *id).await,
            Step::Fail(command, failure) => {
                self.trouble = true;
                self.bench.fail(command, *failure).await;
            }
            Step::Vandal(hostile) => {
                let document = hostile.store(&self.bench.looks, self.hostile.len()).await;
                self.hostile.push(document);
                self.bench.tally.hostile.fetch_add(1, Relaxed);
            }
            Step::Settle => self.settle().await?,
        }
        self.check().await
    }

    async fn act(&self, act: &Act) -> Result<End, String> {
        let done = self
            .bench
            .handles
            .clone()
            .perform(act.clone(), Arc::clone(&self.structs));
        let done = timeout(LIMIT, done)
            .await
            .map_err(|_| format!("{act:?} hangs"))?;
        self.end_of(act, done)
    }

    /// Nobody can rely any longer on offices that an act may delete, whenever that is committed.
    fn may_fell(&mut self, act: &Act) {
        for write in act.writes() {
            match write {
                Write::Delete(Kind::Maker, maker) => self.planted.retain(|_, of| of != maker),
                // Of any maker.
                Write::Move(..) | Write::Fell(_) => self.planted.clear(),
                _ => {}
            }
        }
    }

    fn note_planted(&mut self, act: &Act, end: End) {
        let (Act::Write(writes, _), Some(world)) = (act, &self.world) else {
            return;
        };
        let is_certain = end == End::Done && !self.racy && !self.trouble;
        if let ([Write::Plant(maker, number)], true) = (writes.as_slice(), is_certain)
            && world.0.contains_key(&(Kind::Maker, *maker))
        {
            self.planted.insert(*number, *maker);
        }
    }

    fn end_of(&self, act: &Act, done: mongo_odm::Result<()>) -> Result<End, String> {
        let tally = &self.bench.tally;
        if matches!(act, Act::Cancelled(..)) {
            tally.cancelled.fetch_add(1, Relaxed);
            // The write that nobody waited for may be why the others are refused.
            return Ok(if done.is_ok() {
                End::Done
            } else {
                End::Unknown
            });
        }
        match done {
            Ok(()) => {
                tally.writes.fetch_add(act.writes().len() as u64, Relaxed);
                Ok(End::Done)
            }
            Err(error) if error.is_duplicate_key() => {
                tally.refused.fetch_add(1, Relaxed);
                Ok(End::Refused)
            }
            Err(_) if self.trouble => Ok(End::Unknown),
            Err(error) => Err(format!("{act:?} fails: {error}")),
        }
    }

    async fn crash(&mut self, act: &Act, after: Duration) -> Result<End, String> {
        self.racy = true;
        let handles = self.bench.handles.clone();
        let task = tokio::spawn(handles.perform(act.clone(), Arc::clone(&self.structs)));
        sleep(after).await;
        task.abort();
        if let Ok(done) = task.await {
            return self.end_of(act, done);
        }
        self.bench.tally.crashes.fetch_add(1, Relaxed);
        Ok(End::Unknown)
    }

    /// Finds the state that acts have led to: one after the other in some order, each as a whole.
    async fn reconcile(&mut self, acts: &[(&Act, End)]) -> Result<(), String> {
        let Some(world) = &self.world else {
            return Ok(());
        };
        let mut orders = vec![acts.to_vec()];
        if acts.len() > 1 {
            orders.push(acts.iter().rev().copied().collect());
        }
        let mut possible = vec![];
        for order in orders {
            possible.extend(self.states(world, &order));
        }
        let found = Stored::read(&self.bench.looks).await.world();
        // Two transactions that each skip a document which the other one inserts have no order.
        let may_skew = acts.len() > 1 && acts.iter().all(|(act, _)| act.writes().len() > 1);
        if !possible.contains(&found) && !may_skew {
            let wanted = possible.first();
            return Err(format!(
                "stored is {found:?}, and could be {wanted:?} ({})",
                possible.len()
            ));
        }
        self.world = Some(found);
        Ok(())
    }

    fn states(&self, from: &World, acts: &[(&Act, End)]) -> Vec<World> {
        let mut states = vec![from.clone()];
        for (act, end) in acts {
            let mut next = Vec::new();
            let outcomes = act.outcomes();
            for (state, writes) in states
                .iter()
                .flat_map(|state| outcomes.iter().map(move |writes| (state, writes)))
            {
                let (after, state) = (state.after(writes, &self.loaded), state.clone());
                match (end, after) {
                    (End::Done, Some(after)) => next.push(after),
                    (End::Refused | End::Unknown, None) => next.push(state),
                    (End::Unknown, Some(after)) => next.extend([state, after]),
                    (End::Done, None) | (End::Refused, Some(_)) => {}
                }
            }
            states = next;
        }
        states
    }

    async fn load(&mut self, kind: Kind, id: i64) {
        let loaded = Struct::load(&self.bench.handles.plain, kind, id).await;
        let Some(loaded) = loaded else {
            return;
        };
        self.loaded.insert((kind, id), loaded.row());
        let mut structs = Structs::clone(&self.structs);
        structs.insert((kind, id), loaded);
        self.structs = Arc::new(structs);
    }

    /// Lets the time of all jobs come, which is right only when nothing is in flight, and runs them.
    async fn settle(&mut self) -> Result<(), String> {
        self.bench.stop_failing().await;
        self.bench.quiet().await;
        for _ in 0..10 {
            let waiting = self.bench.count("_odm_jobs").await;
            if waiting + self.bench.count("_odm_deltas").await == 0 {
                break;
            }
            self.bench.pass_an_hour().await;
            let run = timeout(LIMIT, self.bench.handles.plain.run_pending_jobs()).await;
            run.map_err(|_| "the jobs hang")?
                .map_err(|error| error.to_string())?;
        }
        let jobs = self.bench.count("_odm_jobs").await;
        let cursors = self.bench.count("_odm_cursors").await;
        let deltas = self.bench.count("_odm_deltas").await;
        if deltas > 0 {
            return Err(format!("{deltas} deltas are left"));
        }
        // A runner can die after its job is gone; the server removes such a cursor after a day.
        if jobs > 0 || cursors > 0 && !self.racy {
            return Err(format!("{jobs} jobs and {cursors} cursors are left"));
        }
        let stored = Stored::read(&self.bench.looks).await;
        let orphans = stored.orphans();
        if !orphans.is_empty() {
            return Err(orphans.join("\n"));
        }
        self.world = Some(stored.world());
        (self.racy, self.trouble) = (false, false);
        Ok(())
    }

    /// Unless writers have met or died, copies are right as soon as their write returns, or as soon as
    /// its job has run.
    async fn check(&self) -> Result<(), String> {
        let stored = Stored::read(&self.bench.looks).await;
        let mut wrong = stored.spoilt(&self.hostile);
        let planted = self.planted.keys();
        let gone = planted.filter(|number| !stored.has_office(**number));
        wrong.extend(gone.map(|number| format!("office {number} is gone, or a part of it")));
        if !wrong.is_empty() {
            return Err(wrong.join("\n"));
        }
        if self.racy || self.trouble || self.bench.has_work().await {
            return Ok(());
        }
        let stale = Stored::read(&self.bench.looks).await.stale();
        if stale.is_empty() {
            return Ok(());
        }
        Err(stale.join("\n"))
    }
}
