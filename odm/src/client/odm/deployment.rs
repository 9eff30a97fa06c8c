//! What a handle has found out about its server, once for all its clones.

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

/// What is known about the server, and what the parts of the library keep beside a handle: one value of
/// each of their types.
#[derive(Debug, Default)]
pub(crate) struct Deployment {
    has_transactions: OnceCell<bool>,
    kept: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
}

impl Deployment {
    /// Returns the value of a type that is kept for this handle and its clones.
    pub(crate) fn shared<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || -> Arc<dyn Any + Send + Sync> { Arc::<T>::default() };
        let value = Arc::clone(kept.entry(TypeId::of::<T>()).or_insert_with(new));
        // The entry of a type holds a value of that type.
        value.downcast().unwrap_or_default()
    }
}

impl Odm {
    /// Asks once whether the server has transactions: a replica set or a sharded cluster.
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

    /// Whether it is known that the server has no transactions.
    pub(super) fn is_standalone(&self) -> bool {
        self.deployment().has_transactions.get() == Some(&false)
    }
}
