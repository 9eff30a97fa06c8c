//! Checks that a program recognizes its own declarations.

use std::collections::BTreeSet;

use mongo_odm::bson::{Document, doc};

use crate::Harness;

/// Checks that a program that reads its own declarations does not treat them as foreign, and that it finds each of them
/// by the stored relation. Each test binary calls this function, because each has different models.
///
/// # Panics
///
/// If the program treats a declaration as foreign, or if nothing is declared.
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
