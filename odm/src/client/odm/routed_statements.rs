//! Counts the statements that a sharded cluster sends to all shards.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use super::Exec;
use crate::{
    client::{command::Command, place::Shards},
    model::shape::ModelShape,
};

/// The counts of the application's statements on models that declare a shard key.
#[derive(Debug, Default)]
pub(crate) struct RoutedStatements(Mutex<BTreeMap<Name, (&'static ModelShape, Routed)>>);

/// The name of a model and the name of its collection.
type Name = (&'static str, &'static str);

/// The numbers of statements on one model.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Routed {
    /// Number of statements that have a filter.
    pub(crate) statements: u64,
    /// Number of these statements that a cluster sends to all shards.
    pub(crate) broadcasts: u64,
}

impl RoutedStatements {
    fn add(&self, model: &'static ModelShape, shards: Shards) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let name = (model.name, model.collection);
        let (_, routed) = all.entry(name).or_insert((model, Routed::default()));
        routed.statements += 1;
        routed.broadcasts += u64::from(shards == Shards::All);
    }

    /// Calls a function for each model whose statements were counted, and passes the counts.
    pub(crate) fn for_each(&self, mut found: impl FnMut(&'static ModelShape, Routed)) {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.values()
            .for_each(|(model, routed)| found(model, *routed));
    }
}

impl Exec {
    /// Counts a statement of the application, if its model declares a shard key. The statement must be scoped.
    pub(super) fn count_shards<C: Command>(&self, command: &C) {
        if !self.settings().counters || self.caller().is_none() {
            return;
        }
        if let (Some(shards), Some(model)) = (command.shards(), command.place().model()) {
            let deployment = self.odm().deployment();
            deployment.shared::<RoutedStatements>().add(model, shards);
        }
    }
}
