//! Transactions of the application that are cancelled at any point: completely, during a write, or by an error of the
//! closure.

use std::time::Duration;

use mongo_odm::{Error, Result, Tx, prelude::*};
use tokio::time::{sleep, timeout};

use crate::{
    models::{Host, LogMsg},
    program::{HOSTS, PAIRS, host_id},
    random::Random,
    relinks::messages,
};

/// A document of a pair. After every transaction, both documents of a pair have the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "twins")]
pub(crate) struct Twin {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Twin, i64>,
    pub(crate) name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "portraits", shard_key(twin = 1))]
pub(crate) struct Portrait {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Portrait>,
    #[parent_ref]
    pub(crate) twin: Id<Twin, i64>,
    #[denorm(from = Twin.name)]
    pub(crate) name: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Whole,
    /// The caller drops the whole transaction.
    Dropped,
    /// The closure drops one of its writes and continues.
    WriteDropped,
    /// The closure drops its last write and returns immediately.
    WriteDroppedLast,
    /// The closure returns an error after its writes.
    Refused,
}

pub(crate) const ACTS: [(u64, &str, Act); 5] = [
    (40, "transaction", Act::Whole),
    (25, "transaction, dropped", Act::Dropped),
    (15, "transaction with a dropped write", Act::WriteDropped),
    (
        10,
        "transaction with a dropped last write",
        Act::WriteDroppedLast,
    ),
    (10, "transaction, refused", Act::Refused),
];

/// The writes of a transaction.
struct Plan {
    act: Act,
    pair: i64,
    name: String,
    after: Duration,
    messages: Vec<LogMsg>,
    host: Id<Host>,
}

/// Runs a transaction, and returns 1 if it has ended in the intended way.
pub(crate) async fn perform(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    let plan = Plan {
        act,
        pair: random.below(PAIRS).cast_signed(),
        name: name.to_owned(),
        after: random.millis(0, 60),
        messages: messages(1 + random.below(5), random),
        host: host_id(random.below(HOSTS)),
    };
    let run = odm.transaction(async |tx: Tx| plan.write(&tx).await);
    match act {
        Act::Dropped => Ok(u64::from(timeout(plan.after, run).await.is_err())),
        Act::Refused => match run.await {
            Err(error) if error.driver().is_none() => Ok(1),
            done => done.map(|()| 0),
        },
        Act::Whole | Act::WriteDropped | Act::WriteDroppedLast => run.await.map(|()| 1),
    }
}

impl Plan {
    async fn write(&self, tx: &Tx) -> Result<()> {
        self.rename(2 * self.pair, tx).await?;
        let insert = LogMsg::insert_many(tx, &self.messages);
        let host = Host::update(tx, self.host).set(Host::fields().ipaddr, self.name.as_str());
        match self.act {
            Act::WriteDropped => tokio::select! {
                biased;
                done = insert.into_future() => drop(done?),
                () = sleep(self.after) => {}
            },
            _ => drop(insert.await?),
        }
        self.rename(2 * self.pair + 1, tx).await?;
        match self.act {
            Act::WriteDroppedLast => match timeout(self.after, host.into_future()).await {
                Ok(done) => drop(done?),
                Err(_) => return Ok(()),
            },
            _ => drop(host.await?),
        }
        if self.act == Act::Refused {
            return Err(Error::custom("the application says no"));
        }
        Ok(())
    }

    async fn rename(&self, twin: i64, tx: &Tx) -> Result<()> {
        let twin = Twin::update(tx, Id::from_key(twin));
        let twin = twin.set(Twin::fields().name, self.name.as_str());
        twin.await.map(drop)
    }
}
