//! What there is to check: all of it follows from the shapes.

use std::sync::Arc;

use mongodb::bson::Document;

use super::{bounds as bounded, group, two_way::TwoWay};
use crate::{
    bound::{Bound, bounds},
    command::Command,
    copy::{Tie, graph},
    error::{Error, Result},
    registry::models,
    shape::ModelShape,
    statement::Statement,
};

/// One thing to check.
#[derive(Clone, Debug)]
pub(super) enum Check {
    Copies(&'static Tie),
    TwoWay(Arc<TwoWay>),
    Bounds(&'static ModelShape, Vec<Bound>),
}

#[derive(Clone, Debug)]
pub(super) struct Checks {
    pub(super) all: Vec<Check>,
}

impl Checks {
    pub(super) fn all() -> Self {
        let models = models();
        let copies = graph().ties.iter().map(Check::Copies);
        let pairs = TwoWay::all(&models).into_iter();
        let pairs = pairs.map(|pair| Check::TwoWay(Arc::new(pair)));
        let bounded = models.iter().map(|model| (*model, bounds(model)));
        let bounded = bounded.filter(|(_, bounds)| !bounds.is_empty());
        let bounded = bounded.map(|(model, bounds)| Check::Bounds(model, bounds));
        Self {
            all: copies.chain(pairs).chain(bounded).collect(),
        }
    }

    /// Keeps what is stored in a collection.
    pub(super) fn within(mut self, collection: Option<&str>) -> Self {
        if let Some(collection) = collection {
            self.all.retain(|check| check.is_within(collection));
        }
        self
    }

    /// Keeps the relation with a name.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] with the names that there are.
    pub(super) fn named(mut self, name: Option<&str>) -> Result<Self> {
        let Some(name) = name else {
            return Ok(self);
        };
        let known: Vec<String> = self.all.iter().flat_map(Check::names).collect();
        self.all.retain_mut(|check| check.restrict(name));
        if self.all.is_empty() {
            return Err(Error::Invalid(format!(
                "no relation is called `{name}`; there are `{}`",
                known.join("`, `")
            )));
        }
        Ok(self)
    }
}

/// Whether a name is meant: as it is, or by its part before the arrow.
fn is(name: &str, meant: &str) -> bool {
    let before = name.split_once(" <").map(|(before, _)| before);
    name == meant || before == Some(meant)
}

impl Check {
    fn is_within(&self, collection: &str) -> bool {
        match self {
            Self::Copies(tie) => tie.target.collection == collection,
            Self::TwoWay(pair) => [&pair.left, &pair.right]
                .iter()
                .any(|side| side.model.collection == collection),
            Self::Bounds(model, _) => model.collection == collection,
        }
    }

    /// Keeps of the check what has a name; returns whether anything is left.
    fn restrict(&mut self, name: &str) -> bool {
        if let Self::Bounds(model, bounds) = self {
            bounds.retain(|bound| bounded::name(model, bound) == name);
            return !bounds.is_empty();
        }
        self.names().iter().any(|it| is(it, name))
    }

    fn names(&self) -> Vec<String> {
        match self {
            Self::Copies(tie) => vec![tie.name.clone()],
            Self::TwoWay(pair) => vec![pair.name.clone()],
            Self::Bounds(model, bounds) => {
                let names = bounds.iter().map(|bound| bounded::name(model, bound));
                names.collect()
            }
        }
    }

    /// Returns the statement that the check begins with.
    pub(super) fn statement(&self) -> Statement {
        match self {
            Self::Copies(tie) => group::aggregate(tie).shown(),
            Self::TwoWay(pair) => pair.left.query(Document::new()).shown(),
            Self::Bounds(model, bounds) => bounded::query(model, bounds).shown(),
        }
    }
}
