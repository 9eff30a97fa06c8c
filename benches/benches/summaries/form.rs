//! The forms of inserting a single message.

use mongo_odm::prelude::*;
use odm_benches::Result;

use crate::{
    deltas::WithDelta,
    hand::{self, Batch},
    models::{LogMsg, message},
    target::Target,
};

/// How a message is inserted, and how its host is updated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Library,
    /// The host is not updated.
    Alone,
    /// Two statements without a transaction. If the second one fails, the message is never counted.
    ThenUpdate,
    Transaction,
    Deltas,
}

impl Form {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Library => "library",
            Self::Alone => "insert alone",
            Self::ThenUpdate => "insert, then update",
            Self::Transaction => "one transaction",
            Self::Deltas => "deltas",
        }
    }

    /// Whether the host eventually counts all messages.
    pub(crate) fn counts(self) -> bool {
        self != Self::Alone
    }

    /// Inserts the message that has the given number.
    pub(crate) async fn insert(self, target: &Target, number: usize) -> Result<()> {
        let host = target.at_random(number)?;
        let by_hand = || hand::LogMsg::new(number, host.into_key());
        let hand = &target.hand;
        match self {
            Self::Library => {
                let message: LogMsg = message(number, host);
                message.insert(&target.odm).await?;
                Ok(())
            }
            Self::Alone => hand.insert(&by_hand()).await,
            Self::ThenUpdate => {
                let message = by_hand();
                hand.insert(&message).await?;
                hand.count_in(&message).await
            }
            Self::Transaction => hand.commit(&Batch(vec![by_hand()])).await,
            Self::Deltas => hand.commit(&WithDelta(by_hand())).await,
        }
    }
}
