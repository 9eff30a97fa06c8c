//! The saved position of a move, which lets an interrupted move continue.

use mongodb::bson::{Bson, Document, doc};

use super::{MoveReport, route::Route};
use crate::maintenance::resumable_walk::{Position, count, stored_count};

/// Returns the saved position of a move with the given models and options.
pub(super) fn position(route: &Route) -> Position {
    let (from, to) = (route.from.documents(), route.to.documents());
    let options = [(route.overwrite, "overwrite"), (route.delete, "delete")];
    // A position is valid only for the options that were set when the earlier documents were processed.
    let options = options.into_iter().filter(|(set, _)| *set);
    let work = options.map(|(_, name)| name.to_owned()).collect();
    Position::new("move", format!("{from} -> {to}"), work)
}

/// Reads the stored state: the `_id` of the document that was processed last, and the report up to that
/// document.
pub(super) fn read(stored: &Document) -> (Option<Bson>, MoveReport) {
    let ids = |name: &str| stored.get_array(name).cloned().unwrap_or_default();
    let so_far = MoveReport {
        looked_at: count(stored, "looked_at"),
        moved: count(stored, "moved"),
        present: count(stored, "present"),
        overwritten: count(stored, "overwritten"),
        deleted: count(stored, "deleted"),
        differing: ids("differing"),
        failed: ids("failed"),
        ..MoveReport::default()
    };
    (stored.get("lo").cloned(), so_far)
}

/// Returns the state to store with the position.
pub(super) fn document(lo: Bson, so_far: &MoveReport) -> Document {
    doc! {
        "lo": lo,
        "looked_at": stored_count(so_far.looked_at),
        "moved": stored_count(so_far.moved),
        "present": stored_count(so_far.present),
        "overwritten": stored_count(so_far.overwritten),
        "deleted": stored_count(so_far.deleted),
        "differing": so_far.differing.clone(),
        "failed": so_far.failed.clone(),
    }
}
