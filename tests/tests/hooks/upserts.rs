//! Upserts of existing documents whose hooks write other documents.

use mongo_odm::Executor;

use super::*;

/// A customer, with the number of events of all its orders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_customers")]
pub struct Customer {
    #[serde(rename = "_id")]
    pub id: Id<Customer, i64>,
    #[rollup(sum, of = Order, via = customer, field = events)]
    pub events: i64,
}

/// An order. Each update of an order stores an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_orders", hooks)]
pub struct Order {
    #[serde(rename = "_id")]
    pub id: Id<Order, i64>,
    pub state: String,
    #[parent_ref]
    pub customer: Id<Customer, i64>,
    #[rollup(count, of = OrderEvent, via = order)]
    pub events: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "hook_order_events")]
pub struct OrderEvent {
    #[serde(rename = "_id")]
    pub id: Id<OrderEvent>,
    #[parent_ref]
    pub order: Id<Order, i64>,
}

impl Hooks for Order {
    async fn before_update(&self, _: &mut Update<Self>, tx: &Tx) -> mongo_odm::Result<()> {
        let (id, order) = (Id::new(), self.id);
        OrderEvent { id, order }.insert(tx).await.map(|_| ())
    }
}

/// Opens a database with a customer who has one order without events.
async fn orders(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Customer>().only::<Order>();
    sync.only::<OrderEvent>().await.unwrap();
    let customer = Customer {
        id: id(1),
        events: 0,
    };
    t.given(&[customer]).await;
    let order = Order {
        id: id(1),
        state: "new".to_owned(),
        customer: id(1),
        events: 0,
    };
    t.given(&[order]).await;
    t
}

/// Changes the state of the order with an upsert.
async fn upsert(odm: &impl Executor, state: &str) -> mongo_odm::Result<()> {
    let fields = Order::fields();
    let upsert = Order::upsert(odm, fields.id.eq(id(1))).set(fields.state, state);
    let report = upsert.set_on_insert(fields.customer, id(1)).await?;
    assert_eq!(report.matched, 1);
    Ok(())
}

/// Returns the number of events of the order and of the customer.
async fn events_of(t: &Harness) -> (i64, i64) {
    let order = Order::get(&t.odm, id(1)).await.unwrap();
    let customer = Customer::get(&t.odm, id(1)).await.unwrap();
    (order.events, customer.events)
}

#[tokio::test]
async fn an_upsert_counts_a_child_that_its_hook_inserts_once() {
    let t = orders("hooks_upserts").await;
    for (number, state) in [(1, "paid"), (2, "sent")] {
        upsert(&t.odm, state).await.unwrap();
        assert_eq!(events_of(&t).await, (number, number), "{state}");
    }
    let inside = t.odm.transaction(async |tx| upsert(&tx, "done").await);
    inside.await.unwrap();
    assert_eq!(events_of(&t).await, (3, 3));
    Order::update(&t.odm, id(1))
        .set(Order::fields().state, "closed")
        .await
        .unwrap();
    assert_eq!(events_of(&t).await, (4, 4));
    t.odm.run_pending_jobs().await.unwrap();
    let verify = t.odm.verify().only::<Customer>().only::<Order>();
    let drift = verify.await.unwrap();
    assert!(drift.is_empty(), "{drift}");
}
