//! What events mean for copies: the jobs that are written for them.

use std::collections::{BTreeSet, HashMap};

use mongodb::bson::Document;

use super::event::{Event, Kind, Sent, Transaction};
use crate::{
    copy::{Images, Tie, acting_rules, graph, keys_of},
    effects::are_there,
    error::Result,
    job::{JobEntry, JobId, Phase, record_all},
    key::JoinKey,
    odm::{Exec, Odm},
    path::overlap,
};

/// Lists the watched collections that were dropped or replaced as a whole.
pub(super) fn dropped(sent: &[Sent], sources: &[&'static str]) -> BTreeSet<&'static str> {
    let mut dropped = BTreeSet::new();
    for sent in sent {
        if let Sent::Source(event) = sent
            && let Kind::Drop(to) = &event.kind
        {
            let concerned =
                |source: &&&str| **source == event.collection || to.as_deref() == Some(**source);
            dropped.extend(sources.iter().filter(concerned));
        }
    }
    dropped
}

/// Writes the jobs for events: one `update`, and for inserted sources one `find` for each tie.
pub(super) async fn mark(sent: Vec<Sent>, odm: &Odm) -> Result<()> {
    let exec = Exec::on(odm.clone());
    let events = foreign(sent);
    let awaited = awaited(&events, &exec).await?;
    let mut marks = Marks::default();
    for event in &events {
        marks.add(event, &awaited);
    }
    record_all(&marks.entries, Phase::Run, &exec).await
}

/// Leaves out what the library has written itself: the same transaction has written the job, so that
/// whoever runs this version of the job sees the change.
///
/// That a job merely exists says nothing: its runner may have read the source before a foreign change,
/// and would remove the job after it.
fn foreign(sent: Vec<Sent>) -> Vec<Event> {
    let mut jobs: HashMap<(String, JoinKey), Vec<Transaction>> = HashMap::new();
    let mut events = Vec::new();
    for sent in sent {
        match sent {
            Sent::Job(job) => {
                let (id, transaction) = *job;
                let of = jobs.entry((id.source, JoinKey::from(id.key)));
                of.or_default().push(transaction);
            }
            Sent::Source(event) => events.push(*event),
        }
    }
    events.retain(|event| {
        let Some((transaction, id)) = event.transaction.as_ref().zip(event.id.as_ref()) else {
            return true;
        };
        let of = (event.collection.clone(), JoinKey::from(id.clone()));
        jobs.get(&of).is_none_or(|own| !own.contains(transaction))
    });
    events
}

/// Lists the ties with copies that an inserted source of these events may have been awaited by.
async fn awaited(events: &[Event], exec: &Exec) -> Result<BTreeSet<&'static str>> {
    let mut keys: HashMap<&'static str, (&'static Tie, Vec<JoinKey>)> = HashMap::new();
    for event in events.iter().filter(|event| event.kind == Kind::Insert) {
        for tie in graph().from(&event.collection) {
            let of = keys.entry(&tie.name).or_insert_with(|| (tie, Vec::new()));
            of.1.extend(keys_of(tie, event.after.as_ref()));
        }
    }
    let mut awaited = BTreeSet::new();
    for (name, (tie, keys)) in keys {
        if are_there(tie, &keys, exec).await? {
            awaited.insert(name);
        }
    }
    Ok(awaited)
}

/// The jobs to be written, one for each source.
#[derive(Debug, Default)]
struct Marks {
    entries: Vec<JobEntry>,
    at: HashMap<(String, JoinKey), usize>,
}

impl Marks {
    fn add(&mut self, event: &Event, awaited: &BTreeSet<&'static str>) {
        let (Some(id), Some(what)) = (&event.id, concerned(event, awaited)) else {
            return;
        };
        let key = (event.collection.clone(), JoinKey::from(id.clone()));
        let at = *self.at.entry(key).or_insert_with(|| {
            let id = JobId::new(&event.collection, id.clone());
            self.entries.push(JobEntry {
                id,
                lost: Vec::new(),
                ties: Vec::new(),
            });
            self.entries.len() - 1
        });
        if let Some(entry) = self.entries.get_mut(at) {
            entry.ties.extend(what.iter().map(|(name, _)| *name));
            entry
                .lost
                .extend(what.into_iter().filter(|(_, lost)| !lost.is_empty()));
        }
    }
}

type Concerned = Vec<(&'static str, Vec<JoinKey>)>;

/// Lists the ties and rules that an event concerns, with the keys that only the event tells; none if
/// nothing that is copied has changed.
fn concerned(event: &Event, awaited: &BTreeSet<&'static str>) -> Option<Concerned> {
    let images = Images::of(&event.collection);
    let (before, after) = (event.before.as_ref(), event.after.as_ref());
    let mut ties = match &event.kind {
        Kind::Insert => {
            let mut changed = images.changes(None, after);
            changed.retain(|(tie, _)| awaited.contains(tie.name.as_str()));
            of_ties(changed.into_iter().map(|(tie, _)| tie), None)
        }
        Kind::Replace if before.is_some() => {
            let changed = images.changes(before, after).into_iter();
            of_ties(changed.map(|(tie, _)| tie), before)
        }
        Kind::Replace => of_ties(images.ties.into_iter(), None),
        Kind::Update(paths) => {
            let touches = |tie: &&Tie| {
                let mut copied = tie.source_paths();
                copied.any(|path| paths.iter().any(|written| overlap(written, path)))
            };
            of_ties(images.ties.into_iter().filter(touches), before)
        }
        Kind::Delete => of_ties(images.ties.into_iter(), before),
        Kind::Drop(_) => return None,
    };
    if event.kind == Kind::Delete {
        ties.extend(acting_rules(
            &event.collection,
            before.unwrap_or(&Document::new()),
        ));
    }
    (!ties.is_empty()).then_some(ties)
}

/// Names ties with the keys that the source had.
fn of_ties(ties: impl Iterator<Item = &'static Tie>, before: Option<&Document>) -> Concerned {
    let lost = |tie: &Tie| match before {
        Some(_) if !tie.by_id() => keys_of(tie, before),
        _ => Vec::new(),
    };
    ties.map(|tie| (tie.name.as_str(), lost(tie))).collect()
}
