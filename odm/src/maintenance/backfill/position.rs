//! The saved position of a backfill, which lets an interrupted backfill continue.

use mongodb::bson::{Bson, Document, doc};

use crate::{
    derived::{follow::InboundCopies, outbox::some_of},
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
pub(super) fn position(
    model: &'static ModelShape,
    filter: &Document,
    own: &InboundCopies,
) -> Position {
    let copies = own.references.iter().flat_map(|reference| {
        let copied = reference.copy_paths().zip(&reference.fields);
        copied.map(|(to, copied)| format!("{}: {} -> {to}", reference.name, copied.from))
    });
    // A position is valid for only one filter, because a backfill with a different filter must also process documents
    // that the earlier backfill has skipped.
    let only = (!filter.is_empty()).then(|| format!("where {filter}"));
    let id = doc! { "backfill": model.documents().to_string() };
    Position::new(id, copies.chain(only).collect())
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
