//! Checks that a program recognizes its own declarations.

use std::collections::BTreeSet;

use mongo_odm::bson::{Document, doc};

use crate::Harness;

/// Checks that a program which reads its own declarations leaves nothing to others, and that it finds each of them by the
/// relation that it has stored. Each test binary has other models, and calls it.
///
/// # Panics
///
/// If a declaration is taken for one of another program, or if nothing is declared.
pub async fn assert_declarations_are_own(test: &str) {
    let t = Harness::new(test).await;
    let declared = t.odm.run_pending_jobs().await;
    declared.unwrap_or_else(|error| panic!("{error}"));
    let health = t.odm.health().await;
    let health = health.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(health.left_to_others, Vec::<String>::new());
    assert_eq!(health.contradictions, []);
    let schema = t.odm.database().collection::<Document>("_odm_schema");
    let ids = schema.distinct("_id", doc! {}).await;
    let ids = ids.unwrap_or_else(|error| panic!("{error}"));
    assert!(!ids.is_empty(), "nothing is declared");
    let ids: BTreeSet<&str> = ids.iter().filter_map(|id| id.as_str()).collect();
    for relation in ids {
        let forgotten = t.odm.forget_declaration(relation).await;
        let forgotten = forgotten.unwrap_or_else(|error| panic!("{relation}: {error}"));
        assert!(forgotten, "`{relation}` is declared under another name");
    }
}
