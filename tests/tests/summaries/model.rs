//! The possible next steps of a client.

pub(crate) use crate::uneventful::Event;
use crate::{
    child,
    client::{Client, Op, Step},
    folder,
    machine::{Next, State},
    parent, runner,
    setup::{Form, Setup},
};

/// How a child is inserted.
pub(crate) type Choice = Form;

impl Setup {
    pub(crate) fn next(&self, state: &State, client: &Client) -> Option<Next> {
        let latest = &state.database;
        Some(match client.step {
            Step::Write([]) => return None,
            Step::Write([op, left @ ..]) => match *op {
                Op::Insert(_) => return None,
                Op::Remove(child) => child::remove(self, latest, child, left),
                Op::Change(child, to) => child::change(self, latest, child, to, left),
                Op::InsertParent => parent::insert(self, latest, left),
                Op::RemoveParent => parent::remove(latest, left),
            },
            Step::Look(left) => child::look(latest, left),
            Step::Reread(counted, left) => parent::reread(latest, counted, left),
            Step::Correct(left) => parent::correct(self, latest, left),
            Step::WriteChild(child, left) => child::write_child(latest, child, Step::Write(left)),
            Step::WriteDelta(child, left) => {
                child::write_delta(self, latest, child, Step::Write(left))
            }
            Step::Fold if folder::waits(self, latest) => return None,
            Step::Fold => folder::fold(self, latest),
            Step::Forget(children, leaves) => folder::forget(latest, children, leaves),
            Step::Idle => return runner::claim(self, state),
            Step::Claimed(job) => runner::visit(self, latest, job),
            Step::Visited(job) => runner::end(latest, job),
        })
    }

    pub(crate) fn choices(&self, _: &State, client: &Client) -> Vec<Choice> {
        match client.step {
            Step::Write([Op::Insert(_), ..]) => self.forms.clone(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn choose(&self, state: &mut State, index: usize, form: Choice) -> Option<()> {
        let Step::Write([Op::Insert(child), left @ ..]) = state.clients[index].step else {
            return None;
        };
        let next = child::insert(self, &state.database, *child, form, left);
        state.follow(self, index, next);
        Some(())
    }
}
