//! S5: a change of a task's owner, compared with the same transaction by hand.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use mongo_odm::{Odm, prelude::*};
use odm_benches::{
    Result,
    measure::{Kind, Variant, measure, median},
    place::{Place, fill},
    report::Ratio,
    table::{Limit, Table},
};

use crate::{
    hand::Hand,
    options::Options,
    tasks::{Person, Reassignment, Task, check, person, reassign, task},
};

const PEOPLE: usize = 50;

/// Number of tasks that each person has at first.
const EACH: usize = 20;

/// People and their tasks. The tasks are passed from one person to the next.
#[derive(Clone)]
struct Team {
    people: Arc<Vec<Id<Person>>>,
    tasks: Arc<Vec<Id<Task>>>,
    next: Arc<AtomicUsize>,
}

impl Team {
    async fn fill(odm: &Odm) -> Result<Self> {
        let mut people: Vec<Person> = (0..PEOPLE).map(person).collect();
        let mut tasks: Vec<Task> = Vec::new();
        for number in 0..EACH {
            for owner in &mut people {
                let task = task(number, owner.id);
                owner.tasks.push(task.id);
                tasks.push(task);
            }
        }
        fill(people.iter().cloned(), odm).await?;
        fill(tasks.iter().cloned(), odm).await?;
        Ok(Self {
            people: Arc::new(people.iter().map(|person| person.id).collect()),
            tasks: Arc::new(tasks.iter().map(|task| task.id).collect()),
            next: Arc::default(),
        })
    }

    /// Returns a task and its next owner. After all tasks have had a turn, each is passed on again.
    fn turn(&self) -> Option<(Id<Task>, Id<Person>)> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (turn, at) = (number / self.tasks.len(), number % self.tasks.len());
        let to = self.people.get((at + turn + 1) % self.people.len())?;
        Some((*self.tasks.get(at)?, *to))
    }
}

pub(crate) async fn run(place: &Place, options: &Options, table: &mut Table) -> Result<()> {
    let odm = place.database("s5").await?;
    let hand = Hand::new(&odm).await?;
    let [one, other] = [Team::fill(&odm).await?, Team::fill(&odm).await?];
    place.flush().await?;
    let variants = [library(&odm, one.clone()), by_hand(hand, other.clone())];
    let rounds = measure(&variants, 1, options.seconds, options.least, place.process).await?;
    check(&odm, &one.people).await?;
    check(&odm, &other.people).await?;
    let of = |at: usize| {
        let samples = rounds.samples.iter();
        samples.filter_map(move |round| Some(round.get(at)?.time))
    };
    let text = |at| format!("{:.2} ms", median(of(at)));
    table.row(
        "S5 another owner for a task, in the arrays of both",
        &text(0),
        &text(1),
        &Ratio::of(of(0).zip(of(1))),
        Limit::AtMost(1.10),
    );
    table.notes.push(format!(
        "S5: {} rounds of {} ({} more dropped), other processes took {:.2} cores",
        rounds.samples.len(),
        rounds.operations,
        rounds.dropped,
        rounds.disturbance
    ));
    Ok(())
}

fn library(odm: &Odm, team: Team) -> Variant {
    let odm = odm.clone();
    Variant::new("library", Kind::Library, move |_| {
        let (odm, turn) = (odm.clone(), team.turn());
        async move {
            let (task, to) = turn.ok_or("no task")?;
            reassign(&odm, task, to).await?;
            Ok(1)
        }
    })
}

fn by_hand(hand: Hand, team: Team) -> Variant {
    Variant::new("hand-written", Kind::Hand, move |_| {
        let (hand, turn) = (hand.clone(), team.turn());
        async move {
            let (task, to) = turn.ok_or("no task")?;
            let (task, to) = (task.into_key(), to.into_key());
            hand.commit(&Reassignment { task, to }).await?;
            Ok(1)
        }
    })
}
