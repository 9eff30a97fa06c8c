//! The checks D2 and D3.

use mongo_odm::bson::{Bson, doc};
use mongo_odm_tools::{OdmTools, Severity};
use odm_tests::Harness;

use crate::seeds::{figure, only, stored};

fn scan(id: i32, bytes: usize) -> mongo_odm::bson::Document {
    doc! { "_id": id, "name": "page", "picture": "x".repeat(bytes) }
}

#[tokio::test]
async fn a_large_document_and_the_field_that_makes_it_large() {
    let t = Harness::new("advise_d2").await;
    let large = |n: i32| scan(n, if n == 4 { 3 << 20 } else { 100 });
    stored(&t, "scans", (0..10).map(large)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "D2", "Scan.picture");
    assert_eq!(finding.severity, Severity::Warning);
    assert_eq!(finding.example, Some(Bson::Int32(4)));
    assert!(figure(finding, "largest") > 3 << 20, "{finding}");
    assert!(figure(finding, "heaviest_field") > 3 << 20, "{finding}");
}

#[tokio::test]
async fn a_document_near_the_limit_of_the_server() {
    let t = Harness::new("advise_d3").await;
    stored(&t, "scans", [scan(1, 100), scan(2, 11 << 20)]).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "D3", "Scan.picture");
    assert_eq!(finding.severity, Severity::Serious);
    assert_eq!(finding.example, Some(Bson::Int32(2)));
}
