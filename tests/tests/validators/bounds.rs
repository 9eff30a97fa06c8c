//! Writes that exceed a bound fail with the error of the bound, even if the validator checks the document first.

use super::*;

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
struct Row {
    #[embed(max = 2)]
    cells: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "valid_tables")]
struct Table {
    #[serde(rename = "_id")]
    id: Id<Table, i64>,
    #[embed(max = 2)]
    words: Vec<String>,
    #[embed]
    rows: Vec<Row>,
}

fn words(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("word {at}")).collect()
}

/// Returns an empty database with a validator and one document whose arrays are full.
async fn with_a_full_table(test: &str) -> Harness {
    let t = Harness::new(test).await;
    t.odm.sync_validators().only::<Table>().await.unwrap();
    let table = Table {
        id: Id::from_key(1),
        words: words(2),
        rows: vec![Row { cells: words(2) }],
    };
    table.insert(&t.odm).await.unwrap();
    t
}

#[track_caller]
fn assert_exceeded(error: &Error, array: &str) {
    let reason = match error {
        Error::PartlyUpdated { source, .. } => source,
        error => error,
    };
    match reason {
        Error::BoundExceeded { field, max: 2, .. } => assert_eq!(field, array),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn an_update_reports_the_bound() {
    let t = with_a_full_table("validators_bounds").await;
    let (odm, id, fields) = (&t.odm, Id::from_key(1), Table::fields());
    let one = Table::update(odm, id).add_to_set(fields.words, "more");
    assert_exceeded(&one.await.unwrap_err(), "words");
    let many = Table::update_many(odm, Filter::all()).add_to_set(fields.words, "more");
    assert_exceeded(&many.await.unwrap_err(), "words");
    let found = Table::find_one_and_update(odm, fields.id.eq(id));
    let found = found.add_to_set(fields.words, "more").await;
    assert_exceeded(&found.unwrap_err(), "words");
    let rows = doc! { "$push": { "rows.0.cells": "more" } };
    let inner = Table::update(odm, id).modifications(rows).await;
    assert_exceeded(&inner.unwrap_err(), "rows.cells");
    let upsert = Table::upsert(odm, fields.id.eq(Id::from_key(2)));
    let upsert = upsert.set(fields.rows, Vec::new());
    let upsert = upsert.set_on_insert(fields.words, words(3)).await;
    assert_exceeded(&upsert.unwrap_err(), "words");
    let push = Table::upsert(odm, fields.id.eq(id)).push(fields.words, "more");
    let push = push.set_on_insert(fields.rows, Vec::new());
    assert_exceeded(&push.await.unwrap_err(), "words");
    let stored = Table::find(odm).await.unwrap();
    assert_eq!(stored.len(), 1);
    assert_eq!(
        (stored[0].words.len(), stored[0].rows[0].cells.len()),
        (2, 2)
    );
}

/// The document also violates a different rule. An error about the bound would hide this rule.
#[tokio::test]
async fn other_rules_are_reported_by_the_validator() {
    let t = with_a_full_table("validators_bounds_other").await;
    let both = doc! { "$push": { "rows.0.cells": "more" }, "$set": { "words": 7 } };
    let error = Table::update(&t.odm, Id::from_key(1))
        .modifications(both)
        .await;
    assert_eq!(error.unwrap_err().kind(), ErrorKind::InvalidDocument);
}
