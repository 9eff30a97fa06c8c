//! The stored position of a change stream, which is either a resume token or a time.

use mongodb::bson::{Bson, Document, Timestamp, doc};

use crate::{
    client::{
        command::{FindCommand, RunCommand, UpdateCommand},
        odm::{Exec, Odm},
        place::Place,
    },
    error::Result,
};

/// The collection that stores the positions. The collection contains one document for each set of watched
/// collections: `{_id: {sources}, token, at, saved_at}`.
pub(super) const STREAMS: &str = "_odm_streams";

/// The position at which a stream is opened or reopened.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ResumePosition {
    /// Directly after the event or batch to which this token belongs.
    After(Bson),
    /// At a server time. Events after this time have not been read.
    At(Timestamp),
}

/// The stored position of one watcher's stream.
#[derive(Clone, Debug)]
pub(super) struct Bookmark {
    odm: Odm,
    id: Document,
}

impl Bookmark {
    /// Returns the bookmark for a set of collections. Watchers for different collections store separate positions,
    /// because the token of one watcher does not show which events a different watcher has processed.
    pub(super) fn new(odm: &Odm, sources: &[&str]) -> Self {
        Self {
            odm: odm.clone(),
            id: doc! { "sources": sources.to_vec() },
        }
    }

    /// Reads the stored position. Returns `None` if the watcher starts for the first time.
    pub(super) async fn read(&self) -> Result<Option<ResumePosition>> {
        let filter = doc! { "_id": self.id.clone() };
        let exec = Exec::on(self.odm.clone());
        let found = exec.documents(FindCommand::new(streams(), filter).first());
        Ok(found.await?.pop().and_then(|mut saved| {
            let token = saved.remove("token").map(ResumePosition::After);
            let at = || saved.get_timestamp("at").ok().map(ResumePosition::At);
            token.or_else(at)
        }))
    }

    /// Stores a position. The write must be acknowledged by a majority.
    pub(super) async fn save(&self, position: &ResumePosition) -> Result<()> {
        let mut set = doc! { "saved_at": "$$NOW" };
        let (kept, gone) = match position {
            ResumePosition::After(token) => (("token", token.clone()), "at"),
            ResumePosition::At(time) => (("at", Bson::Timestamp(*time)), "token"),
        };
        set.insert(kept.0, doc! { "$literal": kept.1 });
        let update = vec![doc! { "$set": set }, doc! { "$unset": gone }];
        let filter = doc! { "_id": self.id.clone() };
        let exec = Exec::on(self.odm.clone());
        exec.send(UpdateCommand::one(streams(), filter, update).upsert())
            .await?;
        Ok(())
    }

    /// Asks the server for its current time.
    pub(super) async fn now(&self) -> Result<ResumePosition> {
        let exec = Exec::on(self.odm.clone());
        let reply = exec.send(RunCommand::hello());
        let reply = reply.await?;
        // Only a standalone server omits this field.
        let time = reply.get_timestamp("operationTime");
        let time = time.map_err(|_| crate::Error::NoChangeStreams)?;
        Ok(ResumePosition::At(time))
    }
}

fn streams() -> Place {
    Place::whole_collection(STREAMS).durable()
}
