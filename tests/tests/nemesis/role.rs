//! The work of the processes until they are killed.

use std::env;

use crate::{games, life::Life, relinks, renames, shelves, tallies, transactions, tree, vandal};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Renamer,
    /// Inserts, relinks, upserts and deletes.
    Relinker,
    /// Inserts and deletes trees of documents: a delete cascades three levels deep.
    Gardener,
    /// Writes pairs in transactions, some of which it drops.
    Transactor,
    /// Inserts scores into games, with inline and with deferred summaries.
    Player,
    /// Inserts crates, and deletes and restores them with their shelves.
    Packer,
    /// Increments counters.
    Counter,
    /// Writes documents that no program with the library would write.
    Vandal,
    Worker,
    /// A process with an older version of the program, which writes.
    Older,
    /// A process with the older version, which runs the jobs for its declarations.
    OlderWorker,
}

impl Role {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Renamer => "renamer",
            Self::Relinker => "relinker",
            Self::Gardener => "gardener",
            Self::Transactor => "transactor",
            Self::Player => "player",
            Self::Packer => "packer",
            Self::Counter => "counter",
            Self::Vandal => "vandal",
            Self::Worker => "worker",
            Self::Older => "older program",
            Self::OlderWorker => "older worker",
        }
    }

    pub(crate) const fn is_older(self) -> bool {
        matches!(self, Self::Older | Self::OlderWorker)
    }
}

/// Performs the role that the environment contains.
pub(crate) async fn live() {
    let Some(life) = Life::begin().await else {
        return;
    };
    match env::var("ODM_NEMESIS_ROLE").as_deref() {
        Ok("renamer") => life.repeat(&renames::ACTS, renames::perform).await,
        Ok("relinker") => life.repeat(&relinks::ACTS, relinks::perform).await,
        Ok("gardener") => life.repeat(&tree::ACTS, tree::perform).await,
        Ok("transactor") => {
            life.repeat(&transactions::ACTS, transactions::perform)
                .await;
        }
        Ok("player") => life.repeat(&games::ACTS, games::perform).await,
        Ok("packer") => life.repeat(&shelves::ACTS, shelves::perform).await,
        Ok("counter") => life.repeat(&tallies::ACTS, tallies::perform).await,
        Ok("vandal") => life.repeat(&vandal::ACTS, vandal::perform).await,
        _ => life.work().await,
    }
}
