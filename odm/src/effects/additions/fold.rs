//! Applies deltas to the documents that they are about.

use mongodb::bson::Bson;

use super::{AddedUp, Parents};
use crate::{
    copy::{
        ExtendedReference, Step,
        deltas::{self, StoredDelta},
    },
    effects::change::entries,
    error::Result,
    key::JoinKey,
    odm::Exec,
    outbox::{JobId, Phase, record_all},
};

/// How many deltas one fold applies.
const AT_ONCE: i64 = 1_000;

/// What a fold did.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    /// How many deltas it has removed.
    pub(crate) deltas: u64,
    /// Whether these were all that there were.
    pub(crate) are_all: bool,
    pub(crate) modified: u64,
    /// The jobs of what copies these fields, and of parents whose fields are computed anew.
    pub(crate) jobs: Vec<JobId>,
}

/// Applies some of the deltas of a few keys to their documents, and removes them; for a transaction of its own.
///
/// A `find`, an `update` of the documents, a `delete`. Fields that only other programs declare stay in their deltas.
pub(crate) async fn fold(
    reference: &'static ExtendedReference,
    keys: &[JoinKey],
    exec: &Exec,
) -> Result<Folded> {
    let keys: Vec<Bson> = keys.iter().map(JoinKey::to_bson).collect();
    let (stored, are_all) = deltas::read(reference, &keys, AT_ONCE, exec).await?;
    let mut parents = Parents::of_deltas(reference, &stored);
    let mut done = AddedUp::default();
    parents.add(&mut done, exec).await?;
    done.left.extend(parents.left());
    let entries = entries(&done.left, Phase::Run);
    record_all(&entries, exec).await?;
    deltas::remove(reference, &stored, exec).await?;
    Ok(Folded {
        deltas: stored.len() as u64,
        are_all,
        modified: done.followed.reports.iter().map(|it| it.modified).sum(),
        jobs: entries.into_iter().map(|entry| entry.id).collect(),
    })
}

impl Parents {
    /// Adds deltas up, in the order in which they came.
    fn of_deltas(reference: &'static ExtendedReference, stored: &[StoredDelta]) -> Self {
        let mut parents = Self::none(reference);
        for StoredDelta { delta, .. } in stored {
            for (at, copied) in reference.fields.iter().enumerate() {
                let added = delta.steps.iter().filter(|(field, _)| *field == copied.to);
                for (_, addition) in added {
                    parents.step(&delta.key, at, Step::Add(addition.clone()));
                }
            }
        }
        parents
    }
}
