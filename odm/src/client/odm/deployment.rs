//! Facts about the server that all clones of a handle share.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OnceCell;

use super::{Exec, Odm, ask_before_write};
use crate::{
    client::command::RunCommand,
    error::{Error, Result},
};

/// Facts about the server, and one shared value for each type that other houses store along with a handle.
#[derive(Debug, Default)]
pub(crate) struct Deployment {
    has_transactions: OnceCell<bool>,
    kept: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Deployment {
    /// Returns the shared value of this type for the handle and its clones.
    pub(crate) fn shared<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || -> Arc<dyn Any + Send + Sync> { Arc::<T>::default() };
        let value = Arc::clone(kept.entry(TypeId::of::<T>()).or_insert_with(new));
        // The value of an entry has the type of its key.
        value.downcast().unwrap_or_default()
    }
}

impl Odm {
    /// Returns whether the server supports transactions, as replica sets and sharded clusters do. Sends one `hello` per
    /// handle.
    pub(crate) async fn has_transactions(&self) -> Result<bool> {
        let ask = async || {
            let exec = Exec::on(self.clone());
            let hello = ask_before_write(|| exec.send(RunCommand::hello())).await?;
            let is_router = hello.get_str("msg").is_ok_and(|msg| msg == "isdbgrid");
            Ok::<_, Error>(is_router || hello.contains_key("setName"))
        };
        let known = &self.deployment().has_transactions;
        known.get_or_try_init(ask).await.copied()
    }

    /// Whether the server has already been asked and is standalone.
    pub(super) fn is_standalone(&self) -> bool {
        self.deployment().has_transactions.get() == Some(&false)
    }
}
