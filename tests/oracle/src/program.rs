//! Programs as data: the writes of a case.

use mongo_odm::bson::{Bson, Document};
use serde::{Deserialize, Serialize};

/// What a program does, step by step.
#[derive(Clone, Debug)]
pub enum Step {
    /// One call.
    Call(Call),
    /// A transaction, which is committed or given up in the end.
    Transaction(Vec<Call>, bool),
    /// Calls of several tasks at once.
    AtOnce(Vec<Call>),
    /// A call that is dropped after so many microseconds.
    Dropped(Call, u64),
    /// A transaction that is dropped after so many microseconds.
    DroppedTransaction(Vec<Call>, u64),
    /// A call during which the server fails.
    Failing(Call, Failure),
    /// Waits until nothing is left to be done.
    Settle,
    /// Inserts a document of a model past the library.
    Hostile(usize, Document),
    /// Injects one of the errors, by its position.
    Inject(usize),
    /// Injects one of the errors and lets the library repair it.
    Repair(usize),
}

/// How the server fails.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// The command that fails.
    pub command: String,
    /// The code of the error; none closes the connection.
    pub code: Option<i32>,
    /// How often.
    pub times: i32,
}

/// A call of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Call {
    /// The number of the model.
    pub model: usize,
    /// Which of the handles is used.
    pub handle: usize,
    /// How what is derived follows.
    pub follow: Follow,
    /// Whether the write is an operation of a bulk write. An insert of several documents is one operation for each.
    pub in_bulk: bool,
    /// What is written.
    pub write: Write,
}

/// How what is derived follows a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the calls")]
pub enum Follow {
    Inline,
    Atomic,
    Deferred,
    KeepSnapshots,
}

/// What is written. Fields are named as in Rust in changes, and as they are stored in documents.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the calls")]
pub enum Write {
    Insert(Document),
    InsertMany(Vec<Document>, bool),
    Save(Document),
    Replace(Document),
    Update(i64, Vec<Change>),
    /// An update by a pipeline that sets fields.
    Pipeline(i64, Vec<Change>),
    UpdateMany(Document, Vec<Change>),
    FindAndUpdate(Document, Vec<Change>),
    Upsert(i64, Vec<Change>),
    Delete(i64),
    DeleteMany(Document),
    Restore(i64),
    Purge(i64),
    PurgeMany(Document),
    Relate(Relate),
}

/// One operator of an update.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Change {
    /// The operator.
    pub operator: Operator,
    /// The name of the field.
    pub field: String,
    /// The name of the field as it is stored.
    pub stored: String,
    /// The operand.
    pub value: Bson,
    /// The same as a plain document, if it is sent so.
    pub plain: Option<Document>,
}

/// The operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the operators")]
pub enum Operator {
    Set,
    SetOnInsert,
    Unset,
    Inc,
    Mul,
    Min,
    Max,
    Push,
    AddToSet,
    Pull,
    PopFirst,
    PopLast,
}

/// A call that is generated for a relation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Relate {
    /// The document that has the method.
    pub of: Document,
    /// The relation.
    pub field: String,
    /// The method.
    pub verb: Verb,
    /// The number of the model of the other ends.
    pub to: usize,
    /// The other ends.
    pub ids: Vec<i64>,
    /// How what is derived follows.
    pub follow: Follow,
}

/// The methods of relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the methods")]
pub enum Verb {
    Link,
    Unlink,
    Take,
    Reassign,
}

impl Step {
    /// Lists the calls of the step.
    pub const fn calls(&self) -> &[Call] {
        match self {
            Self::Call(call) | Self::Dropped(call, _) | Self::Failing(call, _) => {
                std::slice::from_ref(call)
            }
            Self::Transaction(calls, _)
            | Self::DroppedTransaction(calls, _)
            | Self::AtOnce(calls) => calls.as_slice(),
            Self::Settle | Self::Hostile(..) | Self::Inject(_) | Self::Repair(_) => &[],
        }
    }
}

impl Write {
    /// Returns whether its call can be an operation of a bulk write.
    pub const fn is_bulk_operation(&self) -> bool {
        matches!(
            self,
            Self::Insert(_)
                | Self::InsertMany(..)
                | Self::Save(_)
                | Self::Replace(_)
                | Self::Update(..)
                | Self::UpdateMany(..)
                | Self::Upsert(..)
                | Self::Delete(_)
                | Self::DeleteMany(_)
        )
    }
}

impl Call {
    /// Returns whether it inserts documents independently of each other.
    pub const fn is_unordered(&self) -> bool {
        matches!(self.write, Write::InsertMany(_, false))
    }

    /// Returns whether it deletes documents.
    pub const fn deletes(&self) -> bool {
        matches!(
            self.write,
            Write::Delete(_) | Write::DeleteMany(_) | Write::Purge(_) | Write::PurgeMany(_)
        )
    }

    /// Returns whether rules for deletes apply to it.
    pub const fn applies_rules(&self) -> bool {
        self.deletes() || matches!(self.write, Write::Restore(_))
    }

    /// Returns whether it leaves what goes with deleted or restored documents to jobs.
    pub fn deletes_later(&self) -> bool {
        self.follow == Follow::Deferred && self.applies_rules()
    }
}

impl Operator {
    /// Returns the name in an update of the server.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Set => "$set",
            Self::SetOnInsert => "$setOnInsert",
            Self::Unset => "$unset",
            Self::Inc => "$inc",
            Self::Mul => "$mul",
            Self::Min => "$min",
            Self::Max => "$max",
            Self::Push => "$push",
            Self::AddToSet => "$addToSet",
            Self::Pull => "$pull",
            Self::PopFirst | Self::PopLast => "$pop",
        }
    }
}
