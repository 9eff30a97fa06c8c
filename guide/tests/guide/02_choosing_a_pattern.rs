//! Chapter 2: one model for each pattern.

use mongo_odm::{Settings, Settle, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Address {
    city: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "depot_customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: Id<Customer, String>,
    name: String,
    #[embed(max = 20)] // rule 1: few, and read together
    addresses: Vec<Address>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "depot_products")]
struct Product {
    #[serde(rename = "_id")]
    id: Id<Product, i32>,
    title: String,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "depot_orders", has_many(events = "Event.order"))]
struct Order {
    #[serde(rename = "_id")]
    id: Id<Order, i32>,
    #[parent_ref] // rule 3: a customer may have thousands of orders
    customer: Id<Customer, String>,
    #[denorm(from = "Customer.name")] // rule 5: often read, seldom changed
    customer_name: String,
    #[refs(many, max = 200)] // rule 2: products are read on their own
    products: Vec<Id<Product, i32>>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "depot_events", index(keys(order = 1, time = -1)))]
struct Event {
    #[serde(rename = "_id")]
    id: Id<Event, i32>,
    #[parent_ref] // rule 3: events have no upper bound
    order: Id<Order, i32>,
    time: i64,
}

async fn store(odm: &Odm) -> mongo_odm::Result<()> {
    let ann = Customer {
        id: Id::from_key("ann".into()),
        name: "Ann Berg".into(),
        addresses: vec![Address {
            city: "Oslo".into(),
        }],
    };
    ann.insert(odm).await?;
    let product = |(id, title): (i32, &str)| Product {
        id: Id::from_key(id),
        title: title.into(),
    };
    let products = [(1, "lamp"), (2, "desk")].map(product);
    Product::insert_many(odm, &products).await?;
    let order = Order {
        id: Id::from_key(7),
        customer: ann.id,
        customer_name: ann.name,
        products: products.map(|it| it.id).into(),
    };
    order.insert(odm).await?;
    let event = |(id, time)| Event {
        id: Id::from_key(id),
        order: order.id,
        time,
    };
    Event::insert_many(odm, &[(1, 100), (2, 200)].map(event)).await?;
    Ok(())
}

async fn show(odm: &Odm) -> mongo_odm::Result<()> {
    // Embedded addresses: no further statement.
    for customer in Customer::find(odm).limit(10).await? {
        println!("{}: {:?}", customer.name, customer.addresses);
    }
    // The copy of the name: no further statement.
    let orders = Order::find(odm).limit(10).await?;
    // Child references: one statement for all orders.
    let products = Order::join_products(&orders, odm).await?;
    // Parent references: one statement for all orders.
    let events = Order::join_events(&orders, odm).await?;
    for order in &orders {
        let titles = products.of(order).map(|product| &product.title);
        println!("{}: {:?}", order.customer_name, titles.collect::<Vec<_>>());
        println!("{} events", events.of(order).len());
    }
    Ok(())
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let sync = odm.sync_indexes().only::<Order>();
    sync.only::<Event>().await?;
    let odm = odm.with_settings(Settings::default().settle(Settle::Manual));
    store(&odm).await?;
    chapter.stores(&odm, "depot_customers").await?;
    chapter.stores(&odm, "depot_orders").await?;
    chapter.stores(&odm, "depot_products").await?;
    chapter.stores(&odm, "depot_events").await?;
    chapter.sends(&odm, show(&odm)).await?;
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("02-choosing-a-pattern", program).await;
}
