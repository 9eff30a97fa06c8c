//! What can happen, and random histories of it.

use std::fmt;

use proptest::prelude::*;

use super::{
    hostile::{self, Hostile},
    world::Row,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Maker,
    Item,
    Kit,
    Shelf,
    Note,
}

/// Keys that a document refers to; a slot of a shelf may be empty.
pub(super) type Refs = Vec<Option<i64>>;

impl Kind {
    /// How many documents of a kind there can be: few, so that writes meet.
    const fn ids(self) -> i64 {
        match self {
            Self::Maker | Self::Shelf => 2,
            Self::Item | Self::Kit | Self::Note => 3,
        }
    }

    /// Takes what a document of this kind can refer to.
    pub(super) fn refs(self, refs: &Refs) -> Refs {
        match self {
            Self::Maker => Vec::new(),
            Self::Item => vec![refs.first().copied().flatten()],
            Self::Note => vec![Some(refs.iter().flatten().next().copied().unwrap_or(0))],
            Self::Kit => refs.iter().flatten().copied().map(Some).collect(),
            Self::Shelf => refs.clone(),
        }
    }

    /// Takes what a document of this kind holds.
    pub(super) fn keeps(self, row: &Row) -> Row {
        let has_name = matches!(self, Self::Maker | Self::Item | Self::Kit);
        Row {
            name: if has_name {
                row.name.clone()
            } else {
                String::new()
            },
            number: if matches!(self, Self::Item | Self::Kit) {
                row.number
            } else {
                0
            },
            refs: self.refs(&row.refs),
        }
    }
}

/// One write through the library.
#[derive(Clone, PartialEq)]
pub(super) enum Write {
    /// Inserts a document whose copies are all stale.
    Insert(Kind, i64, Row),
    Rename(Kind, i64, String),
    RenameAll(Kind, String),
    Number(Kind, i64, i64),
    /// Gives all items to one maker.
    Gather(i64),
    /// Changes a reference, or replaces an array of them.
    Relink(Kind, i64, Refs),
    Push(i64, i64),
    Pull(i64, i64),
    /// Saves the struct that was loaded earlier, if there is one.
    Save(Kind, i64),
    Delete(Kind, i64),
    /// Renames a document, or inserts it.
    Upsert(Kind, i64, String),
    /// Inserts an office of a maker, with a desk and a drawer, if the maker is there.
    Plant(i64, i64),
    /// Moves one of the offices to a maker, if that is there.
    Move(usize, i64),
    /// Deletes one of the offices.
    Fell(usize),
}

/// How the copies follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Inline,
    /// By a job, because there may be no more than two copies in a transaction.
    Large,
    Atomic,
    Deferred,
}

/// What one task does.
#[derive(Clone, PartialEq)]
pub(super) enum Act {
    /// Several writes are one transaction.
    Write(Vec<Write>, How),
    /// A transaction in which the closure stops to wait for one of its writes.
    Cancelled(Vec<Write>, How, Cut),
    Worker,
    /// Verifies what makers keep, and repairs it.
    Repair,
}

/// How a transaction is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// The write that nobody waits for any longer.
    pub write: usize,
    /// Microseconds from its start.
    pub after: u64,
    pub then: Then,
}

/// What the closure does then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    GoOn,
    Return,
    /// It returns an error of its own in the end.
    Refuse,
}

#[derive(Clone, PartialEq)]
pub(super) enum Step {
    Do(Act),
    Both(Act, Act),
    /// Drops the task after some microseconds.
    Crash {
        act: Act,
        after: u64,
        wait: bool,
    },
    Load(Kind, i64),
    /// The next command of this name fails, once.
    Fail(&'static str, Failure),
    /// Somebody who does not know the library stores a document that no program of it would.
    Vandal(Hostile),
    /// Nothing is in flight, the time of all jobs comes, and they are run.
    Settle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The connection is closed instead of a reply.
    Closes,
    /// Another transaction was faster.
    Conflicts,
    /// It takes 30 ms.
    Waits,
}

impl Cut {
    /// Returns which of the writes is dropped.
    pub(super) fn at(self, writes: &[Write]) -> usize {
        self.write % writes.len().max(1)
    }
}

impl Act {
    /// Lists the writes that it asks for.
    pub(super) fn writes(&self) -> &[Write] {
        match self {
            Self::Write(writes, _) | Self::Cancelled(writes, ..) => writes,
            Self::Worker | Self::Repair => &[],
        }
    }

    /// Lists what it may have done when it is committed: a write that nobody waits for is done as a whole or not
    /// at all.
    pub(super) fn outcomes(&self) -> Vec<Vec<Write>> {
        let all = self.writes().to_vec();
        let Self::Cancelled(writes, _, cut) = self else {
            return vec![all];
        };
        let at = cut.at(writes);
        let (before, rest) = writes.split_at(at);
        let after = rest.get(1..).unwrap_or_default();
        match cut.then {
            Then::GoOn => vec![all, [before, after].concat()],
            Then::Return => vec![
                all,
                before.to_vec(),
                writes.iter().take(at + 1).cloned().collect(),
            ],
            Then::Refuse => vec![Vec::new()],
        }
    }
}

pub(super) fn histories(most: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(steps(), 1..=most)
}

fn steps() -> impl Strategy<Value = Step> {
    let settle = Just(Step::Settle);
    let load = documents(any_kind()).prop_map(|(kind, id)| Step::Load(kind, id));
    let both = (acts(), acts()).prop_map(|(left, right)| Step::Both(left, right));
    let crash = (acts(), 0_u64..15_000, any::<bool>());
    let crash = crash.prop_map(|(act, after, wait)| Step::Crash { act, after, wait });
    let commands = prop::sample::select(vec![
        "find",
        "insert",
        "update",
        "findAndModify",
        "commitTransaction",
    ]);
    let failures = prop::sample::select(vec![Failure::Closes, Failure::Conflicts, Failure::Waits]);
    let fail = (commands, failures).prop_map(|(command, failure)| Step::Fail(command, failure));
    let vandal = hostile::documents().prop_map(Step::Vandal);
    prop_oneof![
        2 => vandal,
        24 => acts().prop_map(Step::Do),
        8 => both,
        5 => crash,
        3 => load,
        2 => fail,
        2 => settle,
    ]
}

fn acts() -> impl Strategy<Value = Act> {
    let how = prop_oneof![
        4 => Just(How::Inline), 3 => Just(How::Large), 1 => Just(How::Atomic), 2 => Just(How::Deferred)
    ];
    let count = prop_oneof![8 => Just(1_usize), 1 => Just(2), 1 => Just(3)];
    let writes = count.prop_flat_map(|count| prop::collection::vec(writes(), count));
    let then = prop::sample::select(vec![Then::GoOn, Then::Return, Then::Refuse]);
    let cut = (0_usize..3, 0_u64..8_000, then);
    let cut = cut.prop_map(|(write, after, then)| Cut { write, after, then });
    let write = (writes.clone(), how.clone()).prop_map(|(writes, how)| Act::Write(writes, how));
    let cancelled = prop::collection::vec(self::writes(), 1..4);
    let cancelled = (cancelled, how, cut);
    let cancelled = cancelled.prop_map(|(writes, how, cut)| Act::Cancelled(writes, how, cut));
    prop_oneof![24 => write, 4 => cancelled, 2 => Just(Act::Worker), 1 => Just(Act::Repair)]
}

fn writes() -> impl Strategy<Value = Write> {
    let insert = (documents(any_kind()), rows())
        .prop_map(|((kind, id), row)| Write::Insert(kind, id, kind.keeps(&row)));
    let rename = (documents(sources()), names())
        .prop_map(|((kind, id), name)| Write::Rename(kind, id, name));
    let all = (sources(), names()).prop_map(|(kind, name)| Write::RenameAll(kind, name));
    let numbered = prop::sample::select(vec![Kind::Item, Kind::Item, Kind::Kit]);
    let number = (documents(numbered), 0_i64..5)
        .prop_map(|((kind, id), number)| Write::Number(kind, id, number));
    let gather = (0..Kind::Maker.ids()).prop_map(Write::Gather);
    let owners = prop::sample::select(vec![Kind::Item, Kind::Kit, Kind::Shelf, Kind::Note]);
    let relink = (documents(owners), refs())
        .prop_map(|((kind, id), refs)| Write::Relink(kind, id, kind.refs(&refs)));
    let (kit, item) = (0..Kind::Kit.ids(), 0..Kind::Item.ids());
    let push = (kit.clone(), item.clone()).prop_map(|(kit, item)| Write::Push(kit, item));
    let pull = (kit, item).prop_map(|(kit, item)| Write::Pull(kit, item));
    let save = documents(any_kind()).prop_map(|(kind, id)| Write::Save(kind, id));
    let delete = documents(any_kind()).prop_map(|(kind, id)| Write::Delete(kind, id));
    let upsert = (documents(sources()), names())
        .prop_map(|((kind, id), name)| Write::Upsert(kind, id, name));
    let maker = 0..Kind::Maker.ids();
    // A number of its own for each.
    let plant = (maker.clone(), any::<i64>().no_shrink());
    let plant = plant.prop_map(|(maker, number)| Write::Plant(maker, number));
    let moved = (0_usize..4, maker).prop_map(|(nth, maker)| Write::Move(nth, maker));
    let fell = (0_usize..4).prop_map(Write::Fell);
    prop_oneof![
        4 => upsert, 5 => plant, 2 => moved, 1 => fell,
        10 => insert, 8 => rename, 2 => all, 4 => number, 1 => gather, 4 => relink, 2 => push, 2 => pull, 3 => save,
        3 => delete,
    ]
}

fn any_kind() -> impl Strategy<Value = Kind> {
    let weighted = [
        (2, Kind::Maker),
        (4, Kind::Item),
        (4, Kind::Kit),
        (2, Kind::Shelf),
        (2, Kind::Note),
    ];
    prop::strategy::Union::new_weighted(weighted.map(|(weight, kind)| (weight, Just(kind))).into())
}

fn sources() -> impl Strategy<Value = Kind> {
    prop::sample::select(vec![Kind::Maker, Kind::Item, Kind::Kit])
}

fn documents(kinds: impl Strategy<Value = Kind>) -> impl Strategy<Value = (Kind, i64)> {
    kinds.prop_flat_map(|kind| (Just(kind), 0..kind.ids()))
}

fn names() -> impl Strategy<Value = String> {
    (0..5).prop_map(|number| format!("n{number}"))
}

fn refs() -> impl Strategy<Value = Refs> {
    prop::collection::vec(prop::option::weighted(0.9, 0_i64..3), 0..4)
}

fn rows() -> impl Strategy<Value = Row> {
    let row = (names(), 0_i64..5, refs());
    row.prop_map(|(name, number, refs)| Row { name, number, refs })
}

impl fmt::Debug for Write {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Insert(kind, id, row) => write!(f, "insert {kind:?} {id} {row:?}"),
            Self::Rename(kind, id, name) => write!(f, "rename {kind:?} {id} to {name}"),
            Self::RenameAll(kind, name) => write!(f, "rename every {kind:?} to {name}"),
            Self::Number(kind, id, number) => {
                write!(f, "give {kind:?} {id} the number {number}")
            }
            Self::Gather(maker) => write!(f, "give every Item to Maker {maker}"),
            Self::Relink(kind, id, refs) => write!(f, "relink {kind:?} {id} to {}", Keys(refs)),
            Self::Push(kit, item) => write!(f, "push Item {item} into Kit {kit}"),
            Self::Pull(kit, item) => write!(f, "pull Item {item} from Kit {kit}"),
            Self::Save(kind, id) => write!(f, "save the loaded {kind:?} {id}"),
            Self::Delete(kind, id) => write!(f, "delete {kind:?} {id}"),
            Self::Upsert(kind, id, name) => write!(f, "upsert {kind:?} {id} as {name}"),
            Self::Plant(maker, number) => write!(f, "plant office {number} of Maker {maker}"),
            Self::Move(nth, maker) => write!(f, "move office no. {nth} to Maker {maker}"),
            Self::Fell(nth) => write!(f, "fell office no. {nth}"),
        }
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "({} #{} -> {})",
            self.name,
            self.number,
            Keys(&self.refs)
        )
    }
}

struct Keys<'k>(&'k Refs);

impl fmt::Display for Keys<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (at, key) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { " " };
            match key {
                Some(key) => write!(f, "{comma}{key}")?,
                None => write!(f, "{comma}-")?,
            }
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Worker => f.write_str("run the pending jobs"),
            Self::Repair => f.write_str("repair the makers"),
            Self::Write(writes, how) => {
                if writes.len() > 1 {
                    f.write_str("in a transaction: ")?;
                }
                write!(f, "{writes:?} ({how:?})")
            }
            Self::Cancelled(writes, how, cut) => {
                write!(
                    f,
                    "in a transaction that is cancelled: {writes:?} ({how:?}) {cut:?}"
                )
            }
        }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Do(act) => write!(f, "{act:?}"),
            Self::Both(left, right) => write!(f, "at once: {left:?} | {right:?}"),
            Self::Crash { act, after, wait } => {
                let then = if *wait { ", and wait" } else { "" };
                write!(f, "crash {after} us after the start of: {act:?}{then}")
            }
            Self::Load(kind, id) => write!(f, "load {kind:?} {id}"),
            Self::Fail(command, failure) => write!(f, "the next {command} {failure:?}"),
            Self::Vandal(hostile) => write!(f, "vandal: {hostile:?}"),
            Self::Settle => f.write_str("settle"),
        }
    }
}
