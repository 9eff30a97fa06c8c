//! A program: the models of one version of a declaration, and several handles. The program can run in a separate
//! process.

use std::{sync::Arc, time::Duration};

use mongo_odm::{Odm, Result, Settings, Token, mongodb::Database};
use serde::{Deserialize, Serialize};
use tokio::task::JoinHandle;

use super::{Refused, bench::sure};
use crate::{
    adapter::{Adapter, Report},
    compose::{HANDLES, TENANTS},
    program::{Call, Follow, Write},
};

/// A request to a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Ask {
    /// Use the models of a declaration in a database, and declare them there.
    Declare {
        /// The name of the declaration.
        name: String,
        /// The database.
        uri: String,
        /// The grace period in milliseconds; `None` for the default.
        grace: Option<u64>,
    },
    /// Create new handles, which read the declarations of other programs. If there are other programs, run a worker.
    Open(bool),
    /// Make a call.
    Call(Call),
    /// Make calls in a transaction, and commit it if the value is true.
    Transaction(Vec<Call>, bool),
    /// Make a call, and drop it after the given number of microseconds.
    Dropped(Call, u64),
    /// Make calls in a transaction, and drop it after the given number of microseconds.
    DroppedTransaction(Vec<Call>, u64),
    /// Wait for the remaining work of a write, for at most the given number of milliseconds.
    Wait(Token, u64),
    /// Run the jobs that are due.
    RunJobs,
    /// Read all documents of the models.
    Read,
}

/// The answer to a request.
pub(super) type Answer = std::result::Result<Vec<Report>, Refused>;

/// The models of one version of a declaration, and several handles.
pub(super) struct Party {
    pub models: Arc<Vec<Box<dyn Adapter>>>,
    pub handles: Vec<Odm>,
    database: Database,
    settings: Settings,
    worker: Option<JoinHandle<()>>,
}

impl Party {
    /// Creates the indexes of the models, and writes once to each model, so that the declarations are stored.
    pub(super) async fn declare(
        models: Vec<Box<dyn Adapter>>,
        database: Database,
        grace: Option<Duration>,
    ) -> Self {
        let settings =
            grace.map_or_else(Settings::default, |grace| Settings::default().grace(grace));
        let party = Self {
            models: Arc::new(models),
            handles: Vec::new(),
            database,
            settings,
            worker: None,
        };
        let first = party.handle().all_tenants();
        for model in party.models.iter() {
            sure(model.sync(&first).await);
        }
        for model in party.models.iter() {
            sure(model.send(&first, &Write::Delete(-1), Follow::Inline).await);
        }
        party
    }

    fn handle(&self) -> Odm {
        Odm::new(self.database.clone()).with_settings(self.settings.clone())
    }

    /// Makes the server reject documents that do not match the models.
    pub(super) async fn validate(&self) {
        for model in self.models.iter() {
            sure(model.validate(&self.handle()).await);
        }
    }

    /// Creates new handles.
    pub(super) fn open(&mut self, has_others: bool) {
        let handle = |number| match TENANTS[number] {
            Some(tenant) => self.handle().for_tenant(tenant),
            None => self.handle().all_tenants(),
        };
        self.handles = (0..HANDLES).map(handle).collect();
        self.worker = has_others.then(|| {
            let worker = self.handle().worker();
            tokio::spawn(async move { sure(worker.run().await) })
        });
    }

    /// Executes a request.
    pub(super) async fn answer(&self, ask: Ask) -> Answer {
        match ask {
            Ask::Call(call) => return Ok(vec![self.call(&call).await?]),
            Ask::Transaction(calls, commits) => return self.transaction(&calls, commits).await,
            Ask::Dropped(call, micros) => self.dropped(&call, micros).await,
            Ask::DroppedTransaction(calls, micros) => {
                self.dropped_transaction(&calls, micros).await;
            }
            // These requests change the program itself: `declare` and `open` execute them.
            Ask::Declare { .. } | Ask::Open(_) => {}
            ask => self
                .work(ask)
                .await
                .map_err(|error| Refused::from(&error))?,
        }
        Ok(Vec::new())
    }
}

impl Party {
    /// Executes a request that is not a call.
    async fn work(&self, ask: Ask) -> Result<()> {
        match ask {
            Ask::Wait(token, millis) => {
                let wait = self.handles[0].wait(&token);
                wait.timeout(Duration::from_millis(millis)).await
            }
            Ask::RunJobs => self.handles[1].run_pending_jobs().await.map(drop),
            Ask::Read => {
                for model in self.models.iter() {
                    model.read(&self.handles[2]).await?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl Drop for Party {
    fn drop(&mut self) {
        if let Some(worker) = self.worker.take() {
            worker.abort();
        }
    }
}
