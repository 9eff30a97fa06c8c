//! Facts about the server that all clones of a handle share.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::future::BoxFuture;
use mongodb::bson::Document;
use tokio::sync::OnceCell;

use super::{Exec, Odm, ask_before_write, detached_task::for_all_calls};
use crate::{
    client::command::RunCommand,
    error::{Error, Result},
};

/// Facts about the server, and values that other houses store with a handle. At most one value of each type can be
/// stored.
#[derive(Debug, Default)]
pub(crate) struct Deployment {
    topology: OnceCell<Topology>,
    kept: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Deployment {
    /// Returns the value of type `T`, which the handle and its clones share.
    pub(crate) fn shared<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || -> Arc<dyn Any + Send + Sync> { Arc::<T>::default() };
        let value = Arc::clone(kept.entry(TypeId::of::<T>()).or_insert_with(new));
        // The key of an entry is the type of its value, so this conversion always succeeds.
        value.downcast().unwrap_or_default()
    }
}

impl Odm {
    /// Whether the server supports transactions, as replica sets and sharded clusters do.
    pub(crate) async fn has_transactions(&self) -> Result<bool> {
        Ok(self.topology().await? != Topology::Standalone)
    }

    /// Whether the server is a sharded cluster.
    pub(crate) async fn is_cluster(&self) -> Result<bool> {
        Ok(self.topology().await? == Topology::Cluster)
    }

    /// Whether the server may be a sharded cluster: true unless an earlier reply has shown otherwise. Sends nothing.
    pub(super) fn may_be_cluster(&self) -> bool {
        let known = self.deployment().topology.get();
        known.is_none_or(|it| *it == Topology::Cluster)
    }

    /// Returns the type of the server. A handle and its clones together send only one `hello`.
    async fn topology(&self) -> Result<Topology> {
        if let Some(known) = self.deployment().topology.get() {
            return Ok(*known);
        }
        for_all_calls(ask_topology(self.clone())).await
    }

    /// Whether an earlier reply has shown that the server is a standalone server.
    pub(super) fn is_standalone(&self) -> bool {
        self.deployment().topology.get() == Some(&Topology::Standalone)
    }
}

/// Asks for the type of the server, unless another call has already asked.
fn ask_topology(odm: Odm) -> BoxFuture<'static, Result<Topology>> {
    Box::pin(async move {
        let ask = async || {
            let exec = Exec::on(odm.clone());
            let hello = ask_before_write(|| exec.send(RunCommand::hello())).await?;
            Ok::<_, Error>(Topology::of(&hello))
        };
        let known = &odm.deployment().topology;
        known.get_or_try_init(ask).await.copied()
    })
}

/// The type of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topology {
    Standalone,
    ReplicaSet,
    Cluster,
}

impl Topology {
    /// Reads the type of the server from its reply to `hello`.
    pub(crate) fn of(hello: &Document) -> Self {
        if hello.get_str("msg").is_ok_and(|msg| msg == "isdbgrid") {
            Self::Cluster
        } else if hello.contains_key("setName") {
            Self::ReplicaSet
        } else {
            Self::Standalone
        }
    }
}
