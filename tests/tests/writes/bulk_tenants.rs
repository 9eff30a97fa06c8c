//! Bulk writes through a handle for all tenants: each struct is written in its tenant, and all other operations apply to
//! all tenants.

use mongo_odm::{Error, Odm, prelude::*};
use odm_tests::Harness;

use crate::models::id;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "writes_invoices", tenant = "branch")]
struct Invoice {
    #[serde(rename = "_id")]
    id: Id<Invoice, i64>,
    branch: String,
    number: i64,
}

fn invoice(key: i64, branch: &str, number: i64) -> Invoice {
    Invoice {
        id: id(key),
        branch: branch.to_owned(),
        number,
    }
}

/// Stores the invoice 1 of harbour and the invoices 2 and 9 of hill, and returns a handle for all tenants.
async fn invoices(test: &str) -> (Harness, Odm) {
    let t = Harness::new(test).await;
    let all = t.odm.all_tenants();
    let stored = [
        invoice(1, "harbour", 1),
        invoice(2, "hill", 2),
        invoice(9, "hill", 9),
    ];
    Invoice::insert_many(&all, &stored).await.unwrap();
    (t, all)
}

async fn stored(all: &Odm) -> Vec<Invoice> {
    let sorted = Invoice::find(all).sort(Invoice::fields().id.asc());
    sorted.await.unwrap()
}

#[tokio::test]
async fn an_update_after_a_save_applies_to_all_tenants() {
    let (_t, all) = invoices("bulk_tenants_update").await;
    let number = Invoice::fields().number;
    let bulk = all
        .bulk_write()
        .add(invoice(1, "harbour", 5).save(&all))
        .add(Invoice::update_many(&all, number.gt(0)).inc(number, 1));
    assert_eq!(bulk.await.unwrap().counts.matched, 4);
    let expected = [
        invoice(1, "harbour", 6),
        invoice(2, "hill", 3),
        invoice(9, "hill", 10),
    ];
    assert_eq!(stored(&all).await, expected);
}

#[tokio::test]
async fn structs_of_several_tenants_are_saved_in_one_command() {
    let (t, all) = invoices("bulk_tenants_saves").await;
    let new = [invoice(1, "harbour", 5), invoice(2, "hill", 6)];
    t.forget();
    let bulk = new
        .iter()
        .fold(all.bulk_write(), |bulk, it| bulk.add(it.save(&all)));
    assert_eq!(bulk.await.unwrap().counts.matched, 2);
    assert_eq!(t.recorder().names(), ["update"]);
    let bulk = new
        .iter()
        .fold(all.bulk_write(), |bulk, it| bulk.add(it.replace(&all)));
    assert_eq!(bulk.await.unwrap().counts.matched, 2);
    assert_eq!(stored(&all).await[..2], new);
}

#[tokio::test]
async fn a_save_after_an_update_does_not_replace_a_document_of_another_tenant() {
    let (_t, all) = invoices("bulk_tenants_foreign").await;
    let number = Invoice::fields().number;
    let update = || Invoice::update(&all, id(9)).set(number, 3);
    let bulk = all
        .bulk_write()
        .add(update())
        .add(invoice(1, "hill", 5).save(&all));
    let error = bulk.await.unwrap_err();
    assert!(error.is_duplicate_key(), "{error:?}");
    let bulk = all
        .bulk_write()
        .add(update())
        .add(invoice(1, "hill", 5).replace(&all));
    assert_eq!(bulk.await.unwrap().counts.matched, 1);
    let expected = [
        invoice(1, "harbour", 1),
        invoice(2, "hill", 2),
        invoice(9, "hill", 3),
    ];
    assert_eq!(stored(&all).await, expected);
    let single = invoice(1, "hill", 5).save(&all).await.unwrap_err();
    assert!(matches!(single, Error::DuplicateKey { .. }), "{single:?}");
}
