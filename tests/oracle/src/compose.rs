//! Generates a random program from a seed.

mod changes;
mod documents;
mod hostile;

use mongo_odm::bson::{Bson, Document, doc};

use crate::{
    declaration::{Declaration, Field, Form, Maintained, Missing, Scalar, What},
    program::{Call, Failure, Follow, Relate, Step, Verb, Write},
    random::Random,
};

/// Number of ids per model.
const IDS: usize = 5;
/// Number of handles per program.
pub const HANDLES: usize = 3;
/// The tenant of each handle; `None` for a handle of all tenants.
pub const TENANTS: [Option<&str>; HANDLES] = [Some("a"), Some("b"), None];

/// Draws the steps for a seed. Each step is made by one of the programs.
pub fn program(programs: &[Declaration], seed: u64) -> Vec<Step> {
    let mut compose = Compose {
        programs,
        at: 0,
        all: &programs[0],
        random: Random::new(seed, 2),
    };
    let steps = compose.random.between(8, 24);
    let mut program: Vec<Step> = (0..programs[0].models.len())
        .map(|model| compose.first(model))
        .collect();
    program.extend((0..steps).map(|_| compose.step()));
    program.push(Step::Settle);
    program
}

struct Compose<'d> {
    programs: &'d [Declaration],
    /// The number of the program that makes the call.
    at: usize,
    all: &'d Declaration,
    random: Random,
}

/// Makes a deferred delete inline if a write follows in the same transaction. The write could store the deleted
/// document again, or change a document that the job of the delete also deletes.
fn without_returns(mut calls: Vec<Call>) -> Vec<Call> {
    let last = calls.iter().rposition(|call| !call.deletes()).unwrap_or(0);
    for call in &mut calls[..last] {
        if call.deletes_later() {
            call.follow = Follow::Inline;
        }
    }
    calls
}

/// Makes all calls of a transaction use the handle of its first call.
fn one_handle(mut calls: Vec<Call>) -> Vec<Call> {
    let handle = calls.first().map_or(0, |it| it.handle);
    for call in &mut calls {
        call.handle = handle;
    }
    calls
}

impl Compose<'_> {
    /// Draws a step that inserts some documents of a model, so that later documents can refer to them.
    fn first(&mut self, model: usize) -> Step {
        let first = self.all.model(model).first_id;
        let ids: Vec<i64> = (first..first + 3)
            .filter(|_| self.random.percent(70))
            .collect();
        let documents = ids.into_iter().map(|id| self.document(model, id)).collect();
        Step::Call(self.call_of(model, Write::InsertMany(documents, true)))
    }

    fn step(&mut self) -> Step {
        self.choose();
        let at_once = |compose: &mut Self| {
            let calls = compose.random.between(2, 4);
            let call = |_| {
                compose.choose();
                compose.call()
            };
            (0..calls).map(call).collect()
        };
        let calls = |compose: &mut Self| {
            let calls = compose.random.between(2, 4);
            one_handle(without_returns(
                (0..calls).map(|_| compose.call()).collect(),
            ))
        };
        match self.random.below(100) {
            0..66 => Step::Call(self.call()),
            66..78 => Step::Transaction(calls(self), self.random.percent(70)),
            78..84 => Step::AtOnce(at_once(self)),
            84..88 => Step::Dropped(self.call(), self.micros()),
            88..90 => Step::DroppedTransaction(calls(self), self.micros()),
            90..93 => Step::Failing(self.call(), self.failure()),
            93..95 => self.hostile(),
            _ => Step::Settle,
        }
    }

    /// Draws the number of microseconds until a call is dropped.
    fn micros(&mut self) -> u64 {
        u64::try_from(self.random.below(8_000)).unwrap_or(0)
    }

    fn failure(&mut self) -> Failure {
        const COMMANDS: [&str; 7] = [
            "insert",
            "update",
            "delete",
            "findAndModify",
            "find",
            "aggregate",
            "commitTransaction",
        ];
        // A dropped connection, a write conflict, a primary that steps down, and an error that is not retried.
        const CODES: [Option<i32>; 4] = [None, Some(112), Some(91), Some(50)];
        Failure {
            command: (*self.random.pick(&COMMANDS)).to_owned(),
            code: *self.random.pick(&CODES),
            times: self.random.weighted(&[(5, 1), (3, 2), (1, 3)]),
        }
    }

    /// Chooses the program that makes the next call.
    fn choose(&mut self) {
        if self.programs.len() > 1 {
            self.at = self.random.below(self.programs.len());
            self.all = &self.programs[self.at];
        }
    }

    fn call(&mut self) -> Call {
        let model = self.random.below(self.all.models.len());
        let write = self.write(model);
        self.call_of(model, write)
    }

    fn call_of(&mut self, model: usize, write: Write) -> Call {
        let follow = self.random.weighted(&[
            (6, Follow::Inline),
            (2, Follow::Atomic),
            (3, Follow::Deferred),
            (1, Follow::KeepSnapshots),
        ]);
        Call {
            model,
            handle: self.at * HANDLES + self.random.below(HANDLES),
            follow,
            in_bulk: self.random.percent(20) && write.is_bulk_operation(),
            write,
        }
    }

    fn write(&mut self, model: usize) -> Write {
        let id = self.id(model);
        match self.random.below(100) {
            0..16 => Write::Insert(self.document(model, id)),
            16..22 => {
                let many = self.random.between(2, 4);
                let documents = (0..many).map(|_| self.id(model)).collect::<Vec<_>>();
                let documents = documents
                    .into_iter()
                    .map(|id| self.document(model, id))
                    .collect();
                Write::InsertMany(documents, self.random.percent(60))
            }
            30..34 => Write::Replace(self.document(model, id)),
            34..54 => Write::Update(id, self.changes(model)),
            54..58 => self.pipeline(model, id),
            58..64 => {
                let changes = self.changes(model);
                Write::UpdateMany(self.filter(model), changes)
            }
            64..69 => Write::FindAndUpdate(doc! { "_id": id }, self.changes(model)),
            69..74 if self.may_upsert(model) => Write::Upsert(id, self.whole(model, id)),
            22..30 | 69..74 => Write::Save(self.document(model, id)),
            74..86 => self.delete(model, id),
            86..90 => Write::DeleteMany(self.filter(model)),
            _ => self.relate(model, id).unwrap_or(Write::Delete(id)),
        }
    }

    /// Draws a call that deletes, purges or restores documents.
    fn delete(&mut self, model: usize, id: i64) -> Write {
        let is_soft = self
            .all
            .model(model)
            .maintained(Maintained::DeletedAt)
            .is_some();
        if !is_soft {
            return Write::Delete(id);
        }
        match self.random.below(8) {
            0..3 => Write::Delete(id),
            3..6 => Write::Restore(id),
            6 => Write::Purge(id),
            _ => Write::PurgeMany(self.filter(model)),
        }
    }

    /// Returns whether an upsert of a model can set all of its fields.
    fn may_upsert(&self, model: usize) -> bool {
        let is_flat =
            |field: &Field| matches!(&field.what, What::Embed(embed) if embed.form == Form::Flat);
        // An update cannot set a flattened struct, because it has no name.
        let mut fields = self.all.model(model).fields.iter();
        !fields.any(is_flat)
    }

    /// Draws an id of a model.
    fn id(&mut self, model: usize) -> i64 {
        self.all.model(model).first_id + self.small()
    }

    fn small(&mut self) -> i64 {
        i64::try_from(self.random.below(IDS)).unwrap_or(0)
    }

    fn filter(&mut self, model: usize) -> Document {
        let is_long = |field: &&Field| matches!(field.what, What::Value(Scalar::Long));
        let long = self
            .all
            .model(model)
            .fields
            .iter()
            .find(is_long)
            .map(|it| it.stored.clone());
        match (self.random.below(3), long) {
            (0, Some(field)) => doc! { field: { "$gte": Bson::Int64(self.small() * 2) } },
            (1, _) => doc! { "_id": { "$in": [self.id(model), self.id(model)] } },
            _ => doc! { "_id": { "$gte": self.id(model) } },
        }
    }

    fn relate(&mut self, model: usize, id: i64) -> Option<Write> {
        let all = self.all;
        let fields = all.model(model).fields.iter();
        let calls: Vec<(&Field, Verb, usize)> = fields
            .flat_map(|field| calls_of(all, model, field))
            .collect();
        if calls.is_empty() {
            return None;
        }
        let (field, verb, to) = *self.random.pick(&calls);
        let count = if verb == Verb::Reassign {
            1
        } else {
            self.random.between(1, 2)
        };
        let mut ids: Vec<i64> = (0..count).map(|_| self.id(to)).collect();
        ids.dedup();
        if verb == Verb::Reassign && field.missing != Missing::Never && self.random.percent(25) {
            ids.clear();
        }
        if matches!(field.what, What::Links(_)) {
            ids.retain(|it| *it != id);
        }
        let of = self.document(model, id);
        Some(Write::Relate(Relate {
            of,
            field: field.name.clone(),
            verb,
            to,
            ids,
            follow: Follow::Inline,
        }))
    }
}

/// Lists the calls that are generated for a field.
fn calls_of<'f>(
    all: &Declaration,
    model: usize,
    field: &'f Field,
) -> Vec<(&'f Field, Verb, usize)> {
    match &field.what {
        What::Follows(child, _) => vec![(field, Verb::Take, child.model)],
        What::Keys(it) if it.inverse.is_some() => {
            vec![(field, Verb::Link, it.to), (field, Verb::Unlink, it.to)]
        }
        What::Key(it) if it.inverse.is_some() => vec![(field, Verb::Reassign, it.to)],
        What::Links(false) => {
            let collection = &all.model(model).collection;
            let others =
                (0..all.models.len()).filter(|to| all.model(*to).collection == *collection);
            others
                .flat_map(|to| {
                    [
                        (field, Verb::Link, to),
                        (field, Verb::Link, to),
                        (field, Verb::Unlink, to),
                    ]
                })
                .collect()
        }
        _ => Vec::new(),
    }
}
