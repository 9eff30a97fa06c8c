//! Chapter 22: hooks.

use mongo_odm::{Committed, CustomError, Update, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "shop_orders", hooks)]
struct ShopOrder {
    #[serde(rename = "_id")]
    id: Id<ShopOrder, i32>,
    customer: String,
    #[serde(default)]
    search: String,
    lines: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "shop_log")]
struct LogEntry {
    #[serde(rename = "_id")]
    id: Id<LogEntry>,
    text: String,
}

#[derive(Debug)]
struct NoLines;

impl std::fmt::Display for NoLines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an order has at least one line")
    }
}

impl std::error::Error for NoLines {}
impl CustomError for NoLines {}

impl Hooks for ShopOrder {
    async fn before_insert(&mut self, tx: &Tx) -> mongo_odm::Result<()> {
        if self.lines.is_empty() {
            return Err(NoLines.into());
        }
        self.search = self.customer.to_lowercase();
        log(format!("order {} is new", self.id), tx).await
    }

    async fn before_update(&self, change: &mut Update<Self>, tx: &Tx) -> mongo_odm::Result<()> {
        let order = ShopOrder::fields();
        if let Some(customer) = change.value_set(order.customer)? {
            change.set(order.search, customer.to_lowercase());
            let text = format!(
                "order {}: {} instead of {}",
                self.id, customer, self.customer
            );
            log(text, tx).await?;
        }
        Ok(())
    }

    async fn before_delete(&self, tx: &Tx) -> mongo_odm::Result<()> {
        log(format!("order {} is deleted", self.id), tx).await
    }

    async fn after_commit(&self, write: Committed, _odm: &Odm) -> mongo_odm::Result<()> {
        println!("{write:?}: order {}", self.id);
        Ok(())
    }
}

async fn log(text: String, tx: &Tx) -> mongo_odm::Result<()> {
    let id = Id::new();
    LogEntry { id, text }.insert(tx).await?;
    Ok(())
}

async fn order(odm: &Odm) -> mongo_odm::Result<()> {
    let order = ShopOrder {
        id: Id::from_key(1),
        customer: "Ann Moor".into(),
        search: String::new(),
        lines: vec!["4 chairs".into()],
    };
    order.insert(odm).await?;
    let customer = ShopOrder::fields().customer;
    ShopOrder::update(odm, order.id)
        .set(customer, "Eve Moor")
        .await?;
    Ok(())
}

async fn order_nothing(odm: &Odm) -> mongo_odm::Result<()> {
    let empty = ShopOrder {
        id: Id::from_key(2),
        customer: "Ann Moor".into(),
        search: String::new(),
        lines: Vec::new(),
    };
    let error = empty.insert(odm).await.unwrap_err();
    assert!(error.get_custom::<NoLines>().is_some());
    assert_eq!(error.code(), "odm.hook");
    println!("{error}");
    Ok(())
}

async fn import(odm: &Odm, orders: &[ShopOrder]) -> mongo_odm::Result<()> {
    ShopOrder::insert_many(odm, orders).without_hooks().await?;
    Ok(())
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    order(&odm).await?;
    chapter.stores(&odm, "shop_orders").await?;
    chapter.stores(&odm, "shop_log").await?;
    let customer = ShopOrder::fields().customer;
    let update = ShopOrder::update(&odm, Id::from_key(1)).set(customer, "Eve Moor");
    chapter.sends(&odm, update.into_future()).await?;
    order_nothing(&odm).await?;
    let empty = ShopOrder {
        id: Id::from_key(2),
        customer: "Ann Moor".into(),
        search: String::new(),
        lines: Vec::new(),
    };
    chapter.shows(empty.insert(&odm).await.unwrap_err());
    import(&odm, &[empty]).await?;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("22-hooks", program).await;
}
