//! A database with hosts, for which one form inserts messages.

use mongo_odm::{Odm, prelude::*};
use odm_benches::{
    Result,
    place::{Place, fill},
};

use crate::{
    hand::Hand,
    models::{Host, host, message},
};

/// The database into which messages are inserted.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) odm: Odm,
    pub(crate) hand: Hand,
    pub(crate) hosts: Vec<Id<Host>>,
    /// Number of messages that existed at first. The numbers of new messages begin with this value.
    pub(crate) given: usize,
}

impl Target {
    /// Creates a separate database. `each` contains the number of messages for each host.
    pub(crate) async fn fill(place: &Place, name: &str, each: &[usize]) -> Result<Self> {
        let odm = place.database(name).await?;
        let (mut hosts, mut given) = (Vec::new(), 0);
        for (number, &count) in each.iter().enumerate() {
            let id = Id::new();
            let messages: Vec<_> = (given..given + count).map(|at| message(at, id)).collect();
            fill([host(number, id, &messages)].into_iter(), &odm).await?;
            fill(messages.into_iter(), &odm).await?;
            hosts.push(id);
            given += count;
        }
        place.flush().await?;
        Ok(Self {
            hand: Hand::new(&odm).await?,
            odm,
            hosts,
            given,
        })
    }

    /// Returns the host for a number. The hosts take turns, and the result is the same in every
    /// database.
    pub(crate) fn in_turn(&self, number: usize) -> Result<Id<Host>> {
        let at = number % self.hosts.len().max(1);
        self.hosts.get(at).copied().ok_or_else(|| "no host".into())
    }

    /// Returns a random host for a number. The result is the same in every database.
    pub(crate) fn at_random(&self, number: usize) -> Result<Id<Host>> {
        let seed = u64::try_from(number)?;
        self.in_turn(fastrand::Rng::with_seed(seed).usize(..))
    }
}
