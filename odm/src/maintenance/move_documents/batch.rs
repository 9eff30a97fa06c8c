//! Writes one batch of a move in a transaction.

use futures_util::future::BoxFuture;
use mongodb::{
    bson::{Bson, doc},
    options::{DeleteOptions, InsertManyOptions, ReplaceOptions, WriteConcern},
};

use super::{
    MoveReport,
    existing_target::{
        Comparison, ConvertedDocument, compare_with_target, convert_all, refuse_equal_ids,
    },
    position::{document, read},
    route::Route,
};
use crate::{
    client::{
        id_order::{self, id_of},
        odm::{Exec, Write},
        place::Visibility,
    },
    derived::{
        follow::{Deletion, FanOut},
        outbox::some_of,
        values::key_condition,
    },
    error::Result,
    maintenance::resumable_walk::{BatchScope, Position},
    model::shape::ModelShape,
    write::{Archived, DeleteWrite, InsertWrite, SaveWrite},
};

/// Write that moves the next batch of documents. The struct contains all arguments of the write.
#[derive(Clone, Debug)]
pub(super) struct NextToMove {
    pub(super) route: Route,
    pub(super) position: Position,
    pub(super) scope: BatchScope,
}

impl Write for NextToMove {
    type Report = Option<MoveReport>;

    fn model(&self) -> &'static ModelShape {
        self.route.from
    }

    fn write_concern(&self) -> Option<&WriteConcern> {
        None
    }

    fn run(self, exec: Exec) -> BoxFuture<'static, Result<Option<MoveReport>>> {
        Box::pin(async move { exec.together(self, Self::write_batch).await })
    }
}

impl NextToMove {
    /// Moves one batch: reads the documents and their counterparts in the target, sends the writes, and stores the
    /// new position.
    async fn write_batch(self, exec: Exec) -> Result<Option<MoveReport>> {
        let Some(stored) = self.position.read(&exec).await? else {
            // Another call has already finished the walk and deleted the position.
            return Ok(None);
        };
        let (lo, mut so_far) = read(&stored);
        let find = self.route.find();
        let documents = id_order::next(&find, lo.as_ref(), self.scope.size, &exec).await?;
        let Some(last) = documents.last().and_then(|raw| id_of(raw)) else {
            self.position.remove(&exec).await?;
            return Ok(None);
        };
        so_far.looked_at += documents.len() as u64;
        if self.scope.skip {
            so_far
                .failed
                .extend(documents.iter().filter_map(|raw| id_of(raw)));
        } else {
            let (moving, failed) = convert_all(&self.route, &documents, &exec);
            so_far.failed.extend(failed);
            refuse_equal_ids(&self.route, &moving)?;
            let found = compare_with_target(&self.route, moving, &exec).await?;
            self.write(found, &mut so_far, &exec).await?;
        }
        so_far.differing = some_of(&so_far.differing);
        so_far.failed = some_of(&so_far.failed);
        self.position
            .advance(document(last, &so_far), &exec)
            .await?;
        Ok(Some(so_far))
    }

    /// Inserts the documents that are missing from the target, and overwrites target documents or deletes `Old`
    /// documents if the options require it.
    async fn write(
        &self,
        found: Vec<(ConvertedDocument, Comparison)>,
        so_far: &mut MoveReport,
        exec: &Exec,
    ) -> Result<()> {
        let (mut new, mut other, mut there) = (Vec::new(), Vec::new(), Vec::new());
        for (it, found) in found {
            match found {
                Comparison::Different if !self.route.overwrite => {
                    so_far.differing.push(it.from);
                    continue;
                }
                Comparison::Missing => new.push(it.document),
                Comparison::Different => other.push((it.id, it.document)),
                Comparison::Same => so_far.present += 1,
            }
            there.push(it.from);
        }
        so_far.overwritten += other.len() as u64;
        let (model, fan_out) = (self.route.to, kept_snapshots());
        let insert = InsertWrite {
            hooks: None,
            model,
            documents: new,
            unfit: Vec::new(),
            one: false,
            options: InsertManyOptions::default(),
            fan_out: fan_out.clone(),
            returned_as: None,
        };
        so_far.moved += insert.run(exec.clone()).await?.report.inserted;
        for (id, document) in other {
            let save = SaveWrite {
                hooks: None,
                model,
                id,
                document,
                kept: Vec::new(),
                // The target's document can be marked as deleted.
                visibility: Visibility::All,
                moving: false,
                version: None,
                options: ReplaceOptions::default(),
                fan_out: fan_out.clone(),
            };
            save.run(exec.clone()).await?;
        }
        if self.route.delete && !there.is_empty() {
            so_far.deleted += self.delete(&there, exec).await?;
        }
        Ok(())
    }

    async fn delete(&self, ids: &[Bson], exec: &Exec) -> Result<u64> {
        let delete = DeleteWrite {
            deletion: Deletion::Purge,
            model: self.route.from,
            filter: doc! { "_id": key_condition(ids) },
            many: true,
            archived: Archived::Kept,
            options: DeleteOptions::default(),
            fan_out: FanOut::default(),
            expected: None,
            also: None,
        };
        Ok(delete.run(exec.clone()).await?.deleted)
    }
}

/// Returns options that keep the snapshots of the converted document. Snapshots record earlier values, which may differ
/// from the current source.
fn kept_snapshots() -> FanOut {
    FanOut {
        snapshots_are_given: true,
        ..FanOut::default()
    }
}
