//! Programs as data: the writes of a case.

use mongo_odm::bson::{Bson, Document};
use serde::{Deserialize, Serialize};

/// A step of a program.
#[derive(Clone, Debug)]
pub enum Step {
    /// One call.
    Call(Call),
    /// A transaction, and whether it is committed.
    Transaction(Vec<Call>, bool),
    /// Concurrent calls of several tasks.
    AtOnce(Vec<Call>),
    /// A call that is dropped after the given number of microseconds.
    Dropped(Call, u64),
    /// A transaction that is dropped after the given number of microseconds.
    DroppedTransaction(Vec<Call>, u64),
    /// A call during which commands of the server fail.
    Failing(Call, Failure),
    /// Waits until no work is left.
    Settle,
    /// Inserts a document of a model without the library.
    Hostile(usize, Document),
    /// Injects the error at a position of the list.
    Inject(usize),
    /// Injects the error at a position of the list, and lets the library repair it.
    Repair(usize),
}

/// An injected failure of the server.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// The command that fails.
    pub command: String,
    /// The error code; without one, the server closes the connection.
    pub code: Option<i32>,
    /// Number of times that the command fails.
    pub times: i32,
}

/// A call of a model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Call {
    /// The number of the model.
    pub model: usize,
    /// The number of the handle that makes the call.
    pub handle: usize,
    /// How the derived data is updated.
    pub follow: Follow,
    /// Whether the write is an operation of a bulk write. An insert of several documents has one operation per
    /// document.
    pub in_bulk: bool,
    /// The write.
    pub write: Write,
}

/// How the data derived from a write is updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the calls")]
pub enum Follow {
    Inline,
    Atomic,
    Deferred,
    KeepSnapshots,
}

/// A write. Changes contain the fields' names in Rust; documents contain their stored names.
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
    /// The stored name of the field.
    pub stored: String,
    /// The operand.
    pub value: Bson,
    /// The change as a plain update document, if it is sent in this form.
    pub plain: Option<Document>,
}

/// The update operators.
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
    /// The document on which the method is called.
    pub of: Document,
    /// The relation.
    pub field: String,
    /// The method.
    pub verb: Verb,
    /// The number of the model at the other end.
    pub to: usize,
    /// The ids of the documents at the other end.
    pub ids: Vec<i64>,
    /// How the derived data is updated.
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
    /// Returns whether the call can be an operation of a bulk write.
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
    /// Returns whether the call inserts documents independently of each other.
    pub const fn is_unordered(&self) -> bool {
        matches!(self.write, Write::InsertMany(_, false))
    }

    /// Returns whether the call deletes documents.
    pub const fn deletes(&self) -> bool {
        matches!(
            self.write,
            Write::Delete(_) | Write::DeleteMany(_) | Write::Purge(_) | Write::PurgeMany(_)
        )
    }

    /// Returns whether the library applies delete rules in the call.
    pub const fn applies_rules(&self) -> bool {
        self.deletes() || matches!(self.write, Write::Restore(_))
    }

    /// Returns whether the call leaves cascades to jobs.
    pub fn deletes_later(&self) -> bool {
        self.follow == Follow::Deferred && self.applies_rules()
    }
}

impl Operator {
    /// Returns the name of the operator in MongoDB.
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
