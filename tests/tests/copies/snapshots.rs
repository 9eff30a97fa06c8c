//! Snapshots. A new struct gets their values from the source once, unless the caller sets them
//! explicitly.

mod elements;
mod options;

use mongo_odm::{Odm, bson::Bson, prelude::*};
use odm_tests::Harness;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "snapshot_makers")]
pub struct Maker {
    #[serde(rename = "_id")]
    pub id: Id<Maker, i32>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "snapshot_items")]
pub struct Item {
    #[serde(rename = "_id")]
    pub id: Id<Item, i32>,
    pub name: String,
    pub price: i32,
    #[refs(one)]
    pub maker: Option<Id<Maker, i32>>,
}

/// A line of a sale. The name is updated with its source, and the price is that of the sale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Line {
    #[refs(one)]
    pub item: Id<Item, i32>,
    #[denorm(from = Item.name)]
    pub name: String,
    #[denorm(from = Item.price, snapshot)]
    pub price: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Section {
    pub title: String,
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "snapshot_sales")]
pub struct Sale {
    #[serde(rename = "_id")]
    pub id: Id<Sale, i32>,
    #[serde(default)]
    pub buyer: String,
    #[embed]
    #[serde(default)]
    pub lines: Vec<Line>,
    #[embed]
    #[serde(default)]
    pub sections: Vec<Section>,
}

/// A document with only snapshots.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "snapshot_receipts")]
pub struct Receipt {
    #[serde(rename = "_id")]
    pub id: Id<Receipt, i32>,
    #[refs(one)]
    pub item: Option<Id<Item, i32>>,
    #[denorm(from = Item.price, snapshot)]
    pub price: Option<i32>,
}

/// A warranty. The maker is a snapshot, and the maker's name is a copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "snapshot_warranties")]
pub struct Warranty {
    #[serde(rename = "_id")]
    pub id: Id<Warranty, i32>,
    #[refs(one)]
    pub item: Id<Item, i32>,
    #[denorm(from = Maker.name, via = maker)]
    pub maker_name: Option<String>,
    #[refs(one)]
    #[denorm(from = Item.maker, via = item, snapshot)]
    pub maker: Option<Id<Maker, i32>>,
}

pub fn id<M>(number: i32) -> Id<M, i32> {
    Id::from_key(number)
}

/// A line as in a struct that was created long ago.
pub fn old_line(item: i32) -> Line {
    Line {
        item: id(item),
        name: "old".to_owned(),
        price: 1,
    }
}

pub fn old_sale(number: i32) -> Sale {
    let section = Section {
        title: "first".to_owned(),
        lines: vec![old_line(2)],
    };
    Sale {
        id: id(number),
        buyer: "Kate".to_owned(),
        lines: vec![old_line(1)],
        sections: vec![section],
    }
}

pub fn old_receipt(number: i32, item: impl Into<Option<i32>>) -> Receipt {
    Receipt {
        id: id(number),
        item: item.into().map(id),
        price: Some(1),
    }
}

/// Two items for 100 and 200, of one maker.
pub async fn market(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Item>().only::<Sale>();
    let sync = sync.only::<Receipt>().only::<Warranty>();
    sync.only::<Maker>().await.unwrap();
    let maker = Maker {
        id: id(7),
        name: "Acme".to_owned(),
    };
    maker.insert(&t.odm).await.unwrap();
    let item = |number: i32| Item {
        id: id(number),
        name: format!("item {number}"),
        price: number * 100,
        maker: Some(maker.id),
    };
    t.given(&[item(1), item(2)]).await;
    t
}

/// Returns the stored names and prices of all lines of a sale.
pub async fn lines(odm: &Odm, number: i32) -> Vec<(String, i32)> {
    let sale = Sale::get(odm, id(number)).await.unwrap();
    let nested = sale.sections.into_iter().flat_map(|section| section.lines);
    let all = sale.lines.into_iter().chain(nested);
    all.map(|line| (line.name, line.price)).collect()
}

pub async fn price(odm: &Odm, receipt: i32) -> Option<i32> {
    let receipt = Receipt::get(odm, id(receipt)).await;
    receipt.unwrap().price
}

pub fn expected(lines: &[(&str, i32)]) -> Vec<(String, i32)> {
    let lines = lines
        .iter()
        .map(|(name, price)| ((*name).to_owned(), *price));
    lines.collect()
}

#[tokio::test]
async fn a_new_document_takes_what_its_source_holds_and_keeps_it() {
    let t = market("snapshot_new").await;
    let odm = &t.odm;
    old_sale(1).insert(odm).await.unwrap();
    Sale::insert_many(odm, &[old_sale(2)]).await.unwrap();
    old_sale(3).save(odm).await.unwrap();
    let upsert = Sale::upsert(odm, Sale::fields().id.eq(id(4)));
    let upsert = upsert.set(Sale::fields().buyer, "Kate");
    let upsert = upsert.set(Sale::fields().lines, old_sale(4).lines);
    let upsert = upsert.set_on_insert(Sale::fields().sections, old_sale(4).sections);
    upsert.await.unwrap();
    let inside = async |tx: mongo_odm::Tx| old_sale(5).insert(&tx).await;
    odm.transaction(inside).await.unwrap();
    for sale in 1..=5 {
        let now = expected(&[("item 1", 100), ("item 2", 200)]);
        assert_eq!(lines(odm, sale).await, now, "{sale}");
    }
    let dearer = Item::update(odm, id(1)).set(Item::fields().price, 111);
    dearer.set(Item::fields().name, "item one").await.unwrap();
    for sale in 1..=5 {
        let then = expected(&[("item one", 100), ("item 2", 200)]);
        assert_eq!(lines(odm, sale).await, then, "{sale}");
    }
    settle(odm).await;
}

#[tokio::test]
async fn a_document_with_snapshots_alone_takes_them_too() {
    let t = market("snapshot_alone").await;
    let odm = &t.odm;
    old_receipt(1, 1).insert(odm).await.unwrap();
    old_receipt(2, 1).save(odm).await.unwrap();
    let upsert = Receipt::upsert(odm, Receipt::fields().id.eq(id(3)));
    let upsert = upsert.set(Receipt::fields().item, Some(id(1)));
    upsert.await.unwrap();
    for receipt in 1..=3 {
        assert_eq!(price(odm, receipt).await, Some(100), "{receipt}");
    }
    // The writes store no jobs, because nothing depends on snapshots.
    assert_eq!(jobs(odm).await.len(), 0);
}

/// Without a source, there is no value for the snapshot.
#[tokio::test]
async fn a_snapshot_without_a_source_stays_as_it_is_given() {
    let t = market("snapshot_gone").await;
    let odm = &t.odm;
    old_receipt(1, None).insert(odm).await.unwrap();
    old_receipt(2, 99).insert(odm).await.unwrap();
    old_receipt(3, None).save(odm).await.unwrap();
    for receipt in 1..=3 {
        assert_eq!(price(odm, receipt).await, Some(1), "{receipt}");
    }
    assert_eq!(jobs(odm).await.len(), 0);
}

/// A stored document does not count as a new struct, whichever write replaces it.
#[tokio::test]
async fn a_stored_document_gets_what_it_is_given() {
    let t = market("snapshot_stored").await;
    let odm = &t.odm;
    for number in 1..=5 {
        let (id, receipt) = (id(number), old_receipt(number, 1));
        receipt.insert(odm).await.unwrap();
        match number {
            1 => _ = receipt.save(odm).await.unwrap(),
            2 => _ = receipt.replace(odm).await.unwrap(),
            3 => {
                let update = Receipt::update(odm, id).set(Receipt::fields().price, Some(1));
                update.await.unwrap();
            }
            4 => {
                let upsert = Receipt::upsert(odm, Receipt::fields().id.eq(id));
                let upsert = upsert.set(Receipt::fields().price, Some(1));
                upsert.await.unwrap();
            }
            _ => {
                let update = Receipt::find_one_and_update(odm, Receipt::fields().id.eq(id));
                let update = update.set(Receipt::fields().price, Some(1));
                update.await.unwrap();
            }
        }
        assert_eq!(price(odm, number).await, Some(1), "{number}");
    }
    // `replace` does not create a missing document.
    let report = old_receipt(9, 1).replace(odm).await.unwrap();
    assert_eq!(report.matched, 0);
    let sale = old_sale(1);
    sale.insert(odm).await.unwrap();
    sale.save(odm).await.unwrap();
    let given = expected(&[("item 1", 1), ("item 2", 1)]);
    assert_eq!(lines(odm, 1).await, given);
    settle(odm).await;
}

/// A key can be a snapshot. The copies from its target are still updated.
#[tokio::test]
async fn copies_follow_a_key_that_is_a_snapshot() {
    let t = market("snapshot_key").await;
    let odm = &t.odm;
    let old = |number| Warranty {
        id: id(number),
        item: id(1),
        maker: None,
        maker_name: Some("old".to_owned()),
    };
    old(1).insert(odm).await.unwrap();
    old(2).save(odm).await.unwrap();
    let upsert = Warranty::upsert(odm, Warranty::fields().id.eq(id(3)));
    let upsert = upsert.set(Warranty::fields().item, id::<Item>(1));
    upsert.await.unwrap();
    for (name, change) in [("Acme", false), ("Acme Corp", true)] {
        if change {
            let rename = Maker::update(odm, id(7)).set(Maker::fields().name, name);
            rename.await.unwrap();
            let sold = Item::update(odm, id(1)).set(Item::fields().maker, None);
            sold.await.unwrap();
        }
        for warranty in 1..=3 {
            let stored = Warranty::get(odm, id(warranty)).await.unwrap();
            let maker = (stored.maker, stored.maker_name.as_deref());
            assert_eq!(maker, (Some(id(7)), Some(name)), "{warranty}");
        }
    }
    settle(odm).await;
}

/// The source is read in the transaction of the insert, which may have written it.
#[tokio::test]
async fn a_snapshot_sees_what_its_own_transaction_has_written() {
    let t = market("snapshot_tx").await;
    let inside = async |tx: mongo_odm::Tx| {
        let dearer = Item::update(&tx, id(1)).set(Item::fields().price, 111);
        dearer.await?;
        old_receipt(1, 1).insert(&tx).await
    };
    t.odm.transaction(inside).await.unwrap();
    assert_eq!(price(&t.odm, 1).await, Some(111));
    let stored = raw(&t.odm, "snapshot_receipts", 1).await;
    assert_eq!(stored.get("price"), Some(&Bson::Int32(111)));
}

/// Snapshots are never updated, so the library does not prepare the collections of jobs.
#[tokio::test]
async fn a_model_with_snapshots_alone_needs_no_collections_of_jobs() {
    let t = empty("snapshot_alone").await;
    let item = doc! { "_id": 1, "name": "item", "price": 100 };
    put(&t.odm, "snapshot_items", [item]).await;
    t.forget();
    old_receipt(1, 1).insert(&t.odm).await.unwrap();
    let sent = t.recorder().names();
    assert!(!sent.iter().any(|name| name == "createIndexes"), "{sent:?}");
    assert_eq!(price(&t.odm, 1).await, Some(100));
}
