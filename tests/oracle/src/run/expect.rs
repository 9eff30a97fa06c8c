//! The states that are allowed after a call.

use mongo_odm::bson::Document;

use super::{Case, Checked, Expected, party::Answer, perform};
use crate::{
    naive::Refusal,
    program::{Call, Write},
    world::World,
};

impl Case<'_> {
    /// Returns the states that can be correct after a call with a known result.
    pub(super) fn expected(&self, call: &Call, done: &Answer) -> Checked<Expected> {
        if let Write::InsertMany(documents, false) = &call.write {
            return self.after_import(call, documents, done);
        }
        let error = match (self.after(&self.world, call), done) {
            (Ok(world), Ok(_)) => return Ok(Expected::OneOf(vec![world])),
            (Err(Refusal::Unclear), Ok(_)) => return Ok(Expected::Any),
            (Err(refusal), Ok(_)) => {
                return Err(vec![format!("it should be refused: {refusal:?}")]);
            }
            (Ok(_), Err(error)) => return Err(vec![format!("it should not be refused: {error}")]),
            (Err(Refusal::Unclear), Err(_)) => {
                return Ok(Expected::OneOf(vec![self.world.clone()]));
            }
            (Err(refusal), Err(error)) => (refusal, error),
        };
        let (refusal, error) = error;
        if !perform::is_kind(refusal, error) {
            return Err(vec![format!(
                "it should be refused: {refusal:?}; it is by: {error}"
            )]);
        }
        Ok(Expected::OneOf(self.after_refusal(call)))
    }

    /// Returns the state after an unordered insert, which stores every document that it does not reject. A rejected
    /// document must be invalid in this state.
    fn after_import(&self, call: &Call, all: &[Document], done: &Answer) -> Checked<Expected> {
        let with = |write| Call {
            write,
            ..call.clone()
        };
        let rejected = match done {
            Ok(_) => &Vec::new(),
            Err(error) if error.rejected.is_empty() => {
                return Err(vec![format!("it should say what is rejected: {error}")]);
            }
            Err(error) => &error.rejected,
        };
        let numbered = all.iter().cloned().enumerate();
        let (out, stored): (Vec<_>, Vec<_>) = numbered.partition(|(at, _)| rejected.contains(at));
        let stored = stored.into_iter().map(|(_, document)| document).collect();
        let state = self.after(&self.world, &with(Write::InsertMany(stored, true)));
        let state =
            state.map_err(|refusal| vec![format!("more should be rejected: {refusal:?}")])?;
        for (at, document) in out {
            if self.after(&state, &with(Write::Insert(document))).is_ok() {
                return Err(vec![format!("document {at} should not be rejected")]);
            }
        }
        Ok(Expected::OneOf(vec![state]))
    }

    /// Returns the possible states after a rejected call: an insert of several documents may have stored some of them.
    pub(super) fn after_refusal(&self, call: &Call) -> Vec<World> {
        let mut states = vec![self.world.clone()];
        if let Write::InsertMany(documents, is_ordered) = &call.write {
            let mut state = self.world.clone();
            for document in documents {
                let one = Call {
                    write: Write::Insert(document.clone()),
                    ..call.clone()
                };
                match self.after(&state, &one) {
                    Ok(next) => state = next,
                    Err(_) if *is_ordered => break,
                    Err(_) => {}
                }
            }
            states.push(state);
        }
        states
    }
}
