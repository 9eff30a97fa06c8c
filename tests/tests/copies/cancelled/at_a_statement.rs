//! Calls that are dropped while the server delays one of their statements. Each statement is delayed in turn.

use std::time::Duration;

use mongo_odm::{Tx, bson::Document, prelude::*};

use super::band::*;
use crate::faults::lab::Lab;

const HELD: Duration = Duration::from_millis(12);

/// Lists the commands that a write sends in a transaction.
async fn commands(lab: &Lab, odm: &Odm, kind: Kind) -> Vec<String> {
    let stored = Stored::anew(&lab.other).await;
    // The first write sends the statements that a handle needs only once, so they are not counted below.
    kind.write(odm, &stored, "new").await.unwrap();
    let stored = Stored::anew(&lab.other).await;
    lab.database.recorder().clear();
    let run = async |tx: Tx| {
        kind.write(&tx, &stored, "new").await?;
        Ok(lab.database.recorder().names())
    };
    odm.transaction(run).await.unwrap()
}

/// Waits until the client has sent this statement of a write.
async fn is_sent(lab: &Lab, statement: usize) {
    while lab.database.recorder().names().len() <= statement {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Sets a fail point for a statement of a write and for all later statements, and drops the write after the statement
/// is sent. The closure returns `Ok`.
async fn drop_at(
    lab: &Lab,
    odm: &Odm,
    kind: Kind,
    (commands, statement): (&[String], usize),
    happens: Document,
) -> mongo_odm::Result<()> {
    let stored = Stored::anew(&lab.other).await;
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let skip = i32::try_from(statement).unwrap();
    lab.trap(doc! { "skip": skip }, &commands, happens).await;
    lab.database.recorder().clear();
    let dropped = async |tx: Tx| {
        tokio::select! {
            biased;
            _ = kind.write(&tx, &stored, "new") => {}
            () = is_sent(lab, statement) => {}
        }
        Ok(())
    };
    let committed = odm.transaction(dropped).await;
    lab.disarm().await;
    committed
}

#[tokio::test]
async fn a_write_that_is_dropped_at_any_of_its_statements_is_committed_as_a_whole() {
    let lab = Lab::new("cancelled_held").await;
    index(&lab.other).await;
    for (number, (way, odm, kind)) in ways(&lab.odm).into_iter().enumerate() {
        let commands = commands(&lab, &odm, kind).await;
        // Tests only half of the statements of each kind: the even ones of one kind, and the odd ones of the next kind.
        for statement in (number % 2..commands.len()).step_by(2) {
            let context = format!("{way}: {kind:?} dropped at {statement} of {commands:?}");
            let at = (commands.as_slice(), statement);
            let held = lab.held(None, HELD);
            let committed = drop_at(&lab, &odm, kind, at, held).await;
            committed.unwrap_or_else(|error| panic!("{context}: {error}"));
            expect_together(&lab.other, &context).await;
        }
    }
}

/// No caller gets the error, because the closure has already returned `Ok`. The server does not abort a transaction
/// after an error of a fail point, so only the library can prevent its commit.
#[tokio::test]
async fn a_write_that_fails_half_way_after_it_was_dropped_is_not_committed() {
    let lab = Lab::new("cancelled_fails").await;
    index(&lab.other).await;
    let kinds = [
        Kind::InsertMany,
        Kind::UpdateMany,
        Kind::UpsertNew,
        Kind::Delete,
    ];
    for (way, odm, kind) in ways(&lab.odm) {
        if !kinds.contains(&kind) {
            continue;
        }
        let commands = commands(&lab, &odm, kind).await;
        for statement in 0..commands.len() {
            let context = format!("{way}: {kind:?} fails at {statement} of {commands:?}");
            let at = (commands.as_slice(), statement);
            let mut fails = lab.held(None, HELD);
            fails.insert("errorCode", 2);
            let committed = drop_at(&lab, &odm, kind, at, fails).await;
            let wrote = ["insert", "update", "delete", "findAndModify"];
            let mut before = commands[..statement].iter();
            // The first statement should have begun the transaction.
            let is_half = statement == 0 || before.any(|it| wrote.contains(&it.as_str()));
            assert_eq!(committed.is_err(), is_half, "{context}: {committed:?}");
            expect_together(&lab.other, &context).await;
        }
    }
}
