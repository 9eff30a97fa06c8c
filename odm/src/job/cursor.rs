//! The cursor of a job: who runs it, and how far that one has come.

use std::time::Duration;

use mongodb::bson::{Bson, DateTime, Document, doc};

use super::store::{Job, JobId, cursors};
use crate::{
    command::{Delete, FindAndUpdate, Update},
    error::{Error, Result},
    odm::{Exec, Odm},
};

/// For how long a runner that says nothing is taken for alive. It saves double work and no more: what
/// keeps a dead runner's late batch out is the token.
const LEASE: Duration = Duration::from_secs(30);

/// A claimed cursor.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    pub(crate) id: JobId,
    pub(crate) token: i64,
    /// Where an earlier runner of the same state of the job stopped: the tie and the last `_id`.
    pub(crate) at: Option<(String, Bson)>,
}

/// Takes the cursor of a job, unless a live runner has it.
pub(crate) async fn claim(job: &Job, odm: &Odm) -> Result<Option<Cursor>> {
    let token = fastrand::i64(..);
    let (id, version) = (job.id.to_bson(), job.version);
    // An upsert takes no `$expr` in its filter, so that the update itself leaves a live runner alone.
    let expired = doc! { "$lt": [{ "$ifNull": ["$until", DateTime::MIN] }, "$$NOW"] };
    let if_free = |field: &str, new: Bson| doc! { "$cond": [expired.clone(), new, field] };
    let is_same = doc! { "$eq": ["$version", version] };
    let kept = |field: &str| doc! { "$cond": [is_same.clone(), field, "$$REMOVE"] };
    let update = vec![doc! { "$set": {
        "token": if_free("$token", token.into()),
        "until": if_free("$until", doc! { "$add": ["$$NOW", lease()] }.into()),
        "tie": if_free("$tie", kept("$tie").into()),
        "lo": if_free("$lo", kept("$lo").into()),
        "version": if_free("$version", version.into()),
    } }];
    let exec = Exec::on(odm.clone());
    let claim = FindAndUpdate::new(cursors(), doc! { "_id": id }, update);
    let claimed = exec.send(claim.upsert().return_new());
    let claimed = match claimed.await {
        // Two runners made it at the same moment.
        Err(error) if error.is_duplicate_key() => None,
        claimed => claimed?,
    };
    let claimed = claimed.and_then(|raw| Document::try_from(&*raw).ok());
    let is_mine = |cursor: &Document| cursor.get_i64("token").is_ok_and(|it| it == token);
    Ok(claimed.filter(is_mine).map(|cursor| Cursor {
        id: job.id.clone(),
        token,
        at: position(&cursor),
    }))
}

fn position(cursor: &Document) -> Option<(String, Bson)> {
    Some((
        cursor.get_str("tie").ok()?.to_owned(),
        cursor.get("lo")?.clone(),
    ))
}

#[allow(clippy::cast_possible_truncation, reason = "half a minute")]
const fn lease() -> i64 {
    LEASE.as_millis() as i64
}

impl Cursor {
    /// Writes down how far the runner is, as a part of the transaction that does the work.
    ///
    /// This write is what keeps runners of one source apart: a batch of one that was thought dead
    /// meets it, and is aborted instead of writing what it read long ago.
    ///
    /// # Errors
    ///
    /// [`Error::Superseded`] if somebody else has the cursor.
    pub(crate) async fn advance(&self, tie: &str, lo: Option<&Bson>, exec: &Exec) -> Result<()> {
        let filter = doc! { "_id": self.id.to_bson(), "token": self.token };
        let mut set = doc! { "tie": tie, "until": { "$add": ["$$NOW", lease()] } };
        set.insert(
            "lo",
            lo.map_or_else(
                || Bson::from("$$REMOVE"),
                |lo| doc! { "$literal": lo }.into(),
            ),
        );
        let update = vec![doc! { "$set": set }];
        let updated = exec.send(Update::one(cursors(), filter, update));
        if updated.await?.matched == 1 {
            Ok(())
        } else {
            Err(Error::Superseded)
        }
    }

    /// Gives the cursor up; another runner may take it at once.
    pub(crate) async fn release(&self, exec: &Exec) -> Result<()> {
        let filter = doc! { "_id": self.id.to_bson(), "token": self.token };
        exec.send(Delete::one(cursors(), filter)).await?;
        Ok(())
    }
}
