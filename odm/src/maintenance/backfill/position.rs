//! The saved position of a backfill, which lets an interrupted backfill continue.

use mongodb::bson::{Bson, DateTime, Document, doc};

use crate::{
    client::odm::Exec,
    derived::{follow::InboundCopies, outbox::some_of},
    error::Result,
    maintenance::resumable_walk::{Position, count, stored_count},
    model::shape::ModelShape,
};

/// The state of a backfill as stored with its position.
#[derive(Clone, Debug, Default)]
pub(super) struct BackfillState {
    /// The `_id` of the last document that was processed.
    pub(super) lo: Option<Bson>,
    pub(super) looked_at: u64,
    pub(super) changed: u64,
    pub(super) failed: Vec<Bson>,
}

/// Returns the saved position of a backfill with the given model, copies and filter.
pub(super) async fn position(
    model: &'static ModelShape,
    filter: &Document,
    own: &InboundCopies,
    exec: &Exec,
) -> Result<Position> {
    let mut work = Vec::new();
    for reference in &own.references {
        let fields = reference.copy_paths().zip(&reference.fields);
        let copies =
            fields.map(|(to, copied)| format!("{}: {} -> {to}", reference.name, copied.from));
        work.extend(copies);
        // While the copies are not declared, other programs store no jobs for them, not even for documents before the
        // position. So a position is valid only as long as the copies have been declared without interruption.
        let declared_at = exec.declared_at(reference).await?;
        let since = |at: DateTime| format!("{}: since {}", reference.name, at.timestamp_millis());
        work.extend(declared_at.map(since));
    }
    // A position is valid for only one filter, because a backfill with a different filter must also process documents
    // that the earlier backfill has skipped.
    let only = (!filter.is_empty()).then(|| format!("where {filter}"));
    work.extend(only);
    Ok(Position::new(
        "backfill",
        model.documents().to_string(),
        work,
    ))
}

impl BackfillState {
    pub(super) fn read(stored: &Document) -> Self {
        Self {
            lo: stored.get("lo").cloned(),
            looked_at: count(stored, "looked_at"),
            changed: count(stored, "changed"),
            failed: stored.get_array("failed").cloned().unwrap_or_default(),
        }
    }

    pub(super) fn document(&self) -> Document {
        let mut document = doc! {
            "looked_at": stored_count(self.looked_at),
            "changed": stored_count(self.changed),
            "failed": some_of(&self.failed),
        };
        document.extend(self.lo.clone().map(|lo| ("lo".to_owned(), lo)));
        document
    }
}
