//! Snapshots that the caller sets explicitly.

use super::*;

#[tokio::test]
async fn a_snapshot_that_is_given_on_purpose_is_kept() {
    let t = market("snapshot_given").await;
    let odm = &t.odm;
    let fields = Sale::fields();
    old_sale(1).insert(odm).keep_snapshots().await.unwrap();
    let many = Sale::insert_many(odm, &[old_sale(2)]).keep_snapshots();
    many.await.unwrap();
    old_sale(3).save(odm).keep_snapshots().await.unwrap();
    let upsert = Sale::upsert(odm, fields.id.eq(id(4))).keep_snapshots();
    let upsert = upsert.set(fields.buyer, "Kate");
    let upsert = upsert.set(fields.lines, old_sale(4).lines);
    let upsert = upsert.set(fields.sections, old_sale(4).sections);
    upsert.await.unwrap();
    for sale in 1..=4 {
        let given = expected(&[("item 1", 1), ("item 2", 1)]);
        assert_eq!(lines(odm, sale).await, given, "{sale}");
    }
    let push = Sale::update(odm, id(1)).push(fields.lines, old_line(2));
    push.keep_snapshots().await.unwrap();
    let push = Sale::update_many(odm, fields.id.eq(id(2))).push(fields.lines, old_line(2));
    push.keep_snapshots().await.unwrap();
    let push = Sale::find_one_and_update(odm, fields.id.eq(id(3))).push(fields.lines, old_line(2));
    push.keep_snapshots().await.unwrap();
    let push = Sale::upsert(odm, fields.id.eq(id(4))).push(fields.lines, old_line(2));
    push.keep_snapshots().await.unwrap();
    for sale in 1..=4 {
        let given = expected(&[("item 1", 1), ("item 2", 1), ("item 2", 1)]);
        assert_eq!(lines(odm, sale).await, given, "{sale}");
    }
    old_receipt(1, 1)
        .insert(odm)
        .keep_snapshots()
        .await
        .unwrap();
    assert_eq!(price(odm, 1).await, Some(1));
    settle(odm).await;
}

/// With explicit snapshots, a write of a document with only snapshots is one statement.
#[tokio::test]
async fn snapshots_that_are_given_cost_nothing() {
    let t = market("snapshot_given_cost").await;
    t.forget();
    let receipt = old_receipt(1, 1);
    receipt.insert(&t.odm).keep_snapshots().await.unwrap();
    receipt.save(&t.odm).keep_snapshots().await.unwrap();
    assert_eq!(t.recorder().names(), ["insert", "update"]);
}

/// In a bulk write, `keep_snapshots` applies only to its own operation.
#[tokio::test]
async fn a_bulk_write_keeps_the_snapshots_of_single_inserts() {
    let t = market("snapshot_given_bulk").await;
    let odm = &t.odm;
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk.add(old_receipt(1, 1).insert(odm).keep_snapshots());
    bulk.add(old_receipt(2, 1).insert(odm)).await.unwrap();
    let bulk = odm.bulk_write().unordered();
    let bulk = bulk.add(old_receipt(3, 1).insert(odm));
    let bulk = bulk.add(old_receipt(4, 1).insert(odm).keep_snapshots());
    bulk.await.unwrap();
    let inside = async |tx: mongo_odm::Tx| {
        let bulk = tx.bulk_write();
        let bulk = bulk.add(old_receipt(5, 1).insert(&tx).keep_snapshots());
        bulk.add(old_receipt(6, 1).insert(&tx)).await
    };
    odm.transaction(inside).await.unwrap();
    let mut prices = Vec::new();
    for receipt in 1..=6 {
        prices.push(price(odm, receipt).await);
    }
    assert_eq!(prices, [1, 100, 100, 1, 1, 100].map(Some));
    settle(odm).await;
}

/// A voucher with the price of an item on the day of the voucher. The price is required.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "snapshot_vouchers")]
struct Voucher {
    #[serde(rename = "_id")]
    id: Id<Voucher, i32>,
    #[refs(one)]
    item: Id<Item, i32>,
    #[denorm(from = Item.price, snapshot)]
    price: i32,
}

/// A new voucher without its price.
#[derive(Debug, Deserialize, Insertable)]
#[insertable(of = "Voucher")]
struct NewVoucher {
    id: Id<Voucher, i32>,
    item: Id<Item, i32>,
}

/// With `keep_snapshots`, the library does not set a snapshot, so the upsert or the insertable struct has to set it.
#[tokio::test]
async fn an_upsert_that_keeps_snapshots_gives_those_that_are_required() {
    let t = market("snapshot_given_required").await;
    let fields = Voucher::fields();
    let upsert = || Voucher::upsert(&t.odm, fields.id.eq(id(1))).set(fields.item, id(1));
    let refused = upsert().keep_snapshots().await.unwrap_err().to_string();
    let lacks = "an upsert of `Voucher` may insert a document without `price`";
    assert!(refused.starts_with(lacks), "{refused}");
    let price = doc! { "$setOnInsert": { "price": 7 } };
    upsert().with(price).keep_snapshots().await.unwrap();
    assert_eq!(Voucher::get(&t.odm, id(1)).await.unwrap().price, 7);
    let new = NewVoucher {
        id: id(2),
        item: id(1),
    };
    let lacks = "the new `Voucher` has no value for the snapshot `price`";
    for refused in [
        new.insert(&t.odm).keep_snapshots().await.map(drop),
        new.insert(&t.odm)
            .reporting()
            .keep_snapshots()
            .await
            .map(drop),
    ] {
        let refused = refused.unwrap_err().to_string();
        assert!(refused.starts_with(lacks), "{refused}");
    }
    assert_eq!(new.insert(&t.odm).await.unwrap().price, 100);
}
