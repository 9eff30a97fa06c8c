//! Puts operations that can share a command into groups.

use mongodb::bson::Bson;

use super::operation::{BulkOperation, Sharing};
use crate::{
    client::{command::SharedStatement, odm::Exec},
    model::shape::ModelShape,
    write::InsertWrite,
};

/// Operations that are sent together, with their positions in the bulk write.
#[derive(Debug)]
pub(super) enum Group {
    /// An operation that runs as a single call.
    One(usize, Box<BulkOperation>),
    /// Inserts of documents of one model.
    Inserts(Vec<(usize, InsertWrite)>),
    /// Statements that share commands, for documents of one model.
    Statements(SharedStatements),
}

/// Statements that share commands, for documents of one model.
#[derive(Debug)]
pub(super) struct SharedStatements {
    pub(super) model: &'static ModelShape,
    /// Whether the statements delete documents, or mark them as deleted.
    pub(super) deletes: bool,
    /// The positions of the operations in the bulk write, in ascending order.
    pub(super) indexes: Vec<usize>,
    /// The positions and ids of operations that must fail if their documents are deleted.
    pub(super) checked: Vec<(usize, Bson)>,
    pub(super) statements: Vec<SharedStatement>,
}

/// An operation, and how it can share a command with other operations.
struct Member {
    index: usize,
    operation: BulkOperation,
    sharing: Option<Sharing>,
}

impl Member {
    fn can_join(&self, other: &Self) -> bool {
        let (model, other_model) = (self.operation.model(), other.operation.model());
        let is_same_model =
            model.name == other_model.name && model.documents() == other_model.documents();
        match (&self.sharing, &other.sharing) {
            (Some(one), Some(two)) => is_same_model && one.is_same(two),
            _ => false,
        }
    }
}

/// Returns the groups of a bulk write, in the order of their first operations.
pub(super) async fn groups(
    operations: Vec<(usize, BulkOperation)>,
    ordered: bool,
    exec: &Exec,
) -> Vec<Group> {
    let mut groups: Vec<Vec<Member>> = Vec::new();
    // The positions of the groups that further operations can join. There are few of them, even if there are many
    // groups of single operations.
    let mut open: Vec<usize> = Vec::new();
    for (index, operation) in operations {
        // If `sharing` fails, the operation runs as a single call, which reports the error.
        let sharing = operation.sharing(ordered, exec).await.unwrap_or_default();
        let member = Member {
            index,
            operation,
            sharing,
        };
        let fits = |at: &usize| {
            let first = groups.get(*at).and_then(|group| group.first());
            first.is_some_and(|first| first.can_join(&member))
        };
        let at = if ordered {
            groups.len().checked_sub(1).filter(fits)
        } else {
            open.iter().copied().find(fits)
        };
        if let Some(group) = at.and_then(|at| groups.get_mut(at)) {
            group.push(member);
        } else {
            if member.sharing.is_some() {
                open.push(groups.len());
            }
            groups.push(vec![member]);
        }
    }
    groups.into_iter().flat_map(group_of).collect()
}

/// Returns a group of operations that share a command. A single operation does not need a group.
fn group_of(members: Vec<Member>) -> Vec<Group> {
    let is_shared = members.len() > 1;
    let (mut groups, mut inserts, mut statements) = (Vec::new(), Vec::new(), None);
    for member in members {
        let (index, model) = (member.index, member.operation.model());
        match (member.operation, member.sharing.filter(|_| is_shared)) {
            (BulkOperation::Insert(write), Some(Sharing::Insert { .. })) => {
                inserts.push((index, write));
            }
            (
                _,
                Some(Sharing::Statement {
                    deletes,
                    checked_id,
                    statement,
                }),
            ) => {
                let shared = statements.get_or_insert_with(|| SharedStatements {
                    model,
                    deletes,
                    indexes: Vec::new(),
                    checked: Vec::new(),
                    statements: Vec::new(),
                });
                shared.checked.extend(checked_id.map(|id| (index, id)));
                shared.indexes.push(index);
                shared.statements.push(statement);
            }
            (operation, _) => groups.push(Group::One(index, Box::new(operation))),
        }
    }
    if !inserts.is_empty() {
        groups.push(Group::Inserts(inserts));
    }
    groups.extend(statements.map(Group::Statements));
    groups
}
