//! Parents without a value in the field that their children refer to (`to`).

use std::time::Duration;

use mongo_odm::Settings;

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "keyless_accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: Id<Account, i64>,
    #[index(unique, sparse)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<i64>,
    #[rollup(count, of = "Payment", via = "account")]
    payments: u64,
    #[rollup(sum, of = "Payment", via = "account", field = "amount")]
    total: i64,
    #[rollup(max, of = "Payment", via = "account", field = "amount")]
    largest: Option<i64>,
    #[recent(of = "Payment", via = "account", sort = "amount", limit = 2)]
    last: Vec<PaymentLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Payment")]
struct PaymentLine {
    amount: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "keyless_payments")]
struct Payment {
    #[serde(rename = "_id")]
    id: Id<Payment, i64>,
    #[index]
    #[parent_ref(to = "Account.number")]
    account: i64,
    amount: i64,
}

/// An account with wrong summaries in its struct.
fn account(id: i64, number: Option<i64>) -> Account {
    Account {
        id: Id::from_key(id),
        number,
        payments: 42,
        total: 42,
        largest: Some(42),
        last: vec![PaymentLine { amount: 42 }],
    }
}

async fn assert_has_none(t: &Harness, id: i64) {
    let stored = Account::get(&t.odm, Id::from_key(id)).await.unwrap();
    let held = (stored.payments, stored.total, stored.largest, stored.last);
    assert_eq!(held, (0, 0, None, Vec::new()), "{id}");
}

#[tokio::test]
async fn a_parent_without_the_key_of_its_children_has_summaries_of_nothing() {
    let mut t = Harness::new("keyless").await;
    let settings = Settings::default().grace(Duration::ZERO);
    t.odm = Odm::new(t.odm.database().clone()).with_settings(settings);
    t.odm
        .sync_indexes()
        .only::<Account>()
        .only::<Payment>()
        .await
        .unwrap();
    account(1, None).insert(&t.odm).await.unwrap();
    Account::insert_many(&t.odm, &[account(2, None), account(3, Some(3))])
        .await
        .unwrap();
    account(4, None).save(&t.odm).await.unwrap();
    let number = Account::fields().number;
    let upsert = Account::upsert(&t.odm, doc! { "_id": 5_i64 });
    upsert.set(number, None).await.unwrap();
    let payment = Payment {
        id: Id::from_key(1),
        account: 3,
        amount: 10,
    };
    payment.insert(&t.odm).await.unwrap();
    let with_payment = Account::get(&t.odm, Id::from_key(3)).await.unwrap();
    assert_eq!((with_payment.payments, with_payment.total), (1, 10));
    Account::update(&t.odm, Id::from_key(3))
        .set(number, None)
        .await
        .unwrap();
    for id in 1..=5 {
        assert_has_none(&t, id).await;
    }
    // The effects of a write without the library are found and repaired.
    let accounts = t.odm.database().collection::<Document>("keyless_accounts");
    let wrong = doc! { "$set": { "payments": 7_i64, "last": [{ "amount": 7_i64 }] } };
    accounts
        .update_one(doc! { "_id": 1_i64 }, wrong)
        .await
        .unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    let drift = t.odm.verify().only::<Account>().await.unwrap();
    assert_eq!(drift.items.len(), 2, "{drift}");
    drift.repair(&t.odm).await.unwrap();
    assert_has_none(&t, 1).await;
}
