//! `verify` finds only data that differs from the declarations, and `repair` corrects this data.

mod drift;
mod models;
mod pending;
mod references;
mod repair;

use mongo_odm::{
    Drift, DriftKind,
    bson::{Bson, Document},
    mongodb::Collection,
    prelude::*,
};
use odm_tests::Harness;

/// Returns a collection of the driver. Writes to it bypass the library.
fn raw(t: &Harness, collection: &str) -> Collection<Document> {
    t.odm.database().collection(collection)
}

async fn set(t: &Harness, collection: &str, filter: Document, update: Document) {
    let updated = raw(t, collection).update_many(filter, update).await;
    assert!(updated.unwrap().modified_count > 0, "nothing was set");
}

/// Stores documents without the library, which would write both ends of their references.
async fn put_unseen<M: Model>(t: &Harness, collection: &str, documents: &[M]) {
    let collection = t.odm.database().collection::<M>(collection);
    collection.insert_many(documents).await.unwrap();
}

type Shown<'d> = (&'d str, &'d str, Option<Bson>, Option<Bson>, DriftKind);

/// Shows findings as relation, path, stored and source value, and kind.
fn shown(drift: &Drift) -> Vec<Shown<'_>> {
    let items = drift.items.iter().map(|it| {
        let (relation, path) = (it.relation.as_str(), it.path.as_str());
        (
            relation,
            path,
            it.stored.clone(),
            it.source.clone(),
            it.kind,
        )
    });
    items.collect()
}
