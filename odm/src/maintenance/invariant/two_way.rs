//! Checks that in each two-way reference, either both sides refer to each other, or neither does.

mod other_side;
pub(super) mod pair;
mod repair;

use std::{sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use mongodb::bson::{Bson, Document, RawDocument};

use super::{
    Invariant, Invariants, Query, Repairing, Scope,
    finding::Drifted,
    list,
    walk::{Confirmed, Seen, SuspectStream, Walked, documents_of},
};
use crate::{
    client::{odm::Exec, plan::Statement},
    error::Result,
    model::{registry::ModelSelection, shape::ModelShape},
    value::codec::decode,
};
use other_side::references;
use pair::{Direction, Side, TwoWay};

/// The invariant for one side of a pair: all documents to which this side refers must refer back.
#[derive(Clone, Debug)]
struct TwoWaySide {
    pair: Arc<TwoWay>,
    direction: Direction,
}

/// Lists the sides of all pairs. The left side of each pair comes first, because its repair makes room in bounded
/// arrays.
pub(super) fn all(scope: &Scope<'_>) -> Invariants {
    let pairs = TwoWay::all(scope.models).into_iter().map(Arc::new);
    let sides = pairs.flat_map(|pair| {
        let directions = pair.directions().into_iter();
        directions.map(move |direction| TwoWaySide {
            pair: Arc::clone(&pair),
            direction,
        })
    });
    list(sides)
}

impl TwoWaySide {
    /// Returns this side, and the side to which this side refers.
    fn sides(&self) -> (&Side, &Side) {
        self.pair.sides(self.direction)
    }
}

impl Invariant for TwoWaySide {
    fn names(&self) -> Vec<String> {
        vec![self.pair.name.clone()]
    }

    fn models(&self) -> Vec<&'static ModelShape> {
        let (here, there) = self.sides();
        vec![here.model, there.model]
    }

    fn is_selected(&self, only: &ModelSelection) -> bool {
        let mut models = self.models().into_iter();
        models.any(|it| only.includes(it.documents()))
    }

    fn query(&self) -> Query {
        Query::Find(self.sides().0.query(Document::new()).into())
    }

    fn restrict(&mut self, name: &str) -> bool {
        let names = [&self.pair.name, &self.pair.reversed()];
        names.iter().any(|it| super::is_meant(it, name))
    }

    fn repair(self: Arc<Self>, repairing: Repairing<'_>) -> BoxFuture<'_, Result<()>> {
        Box::pin(repair::repair(self, repairing))
    }

    fn plan(&self, findings: &[&Drifted], grace: Duration) -> Vec<Statement> {
        repair::plan(self, findings, grace)
    }
}

impl Walked for TwoWaySide {
    type Item = Document;
    type Suspects = Vec<Bson>;

    fn read(&self, raw: &RawDocument) -> Seen<Document> {
        let collection = self.sides().0.model.collection;
        decode(collection, raw).map_or_else(Seen::Unreadable, Seen::Item)
    }

    fn weight(&self, item: &Document) -> usize {
        references(self.sides().0, item).len()
    }

    async fn suspects(&self, batch: &[Document], exec: &Exec) -> Result<SuspectStream<Vec<Bson>>> {
        Ok(documents_of(self.compare(batch, exec).await?))
    }

    async fn confirm(&self, ids: Vec<Bson>, exec: &Exec) -> Result<Confirmed<Vec<Bson>>> {
        Ok((self.compare_again(&ids, exec).await?, None))
    }

    fn is_repaired(&self, _: &Drifted) -> bool {
        true
    }
}
