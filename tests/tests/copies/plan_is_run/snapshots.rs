//! Writes that add new structs with snapshots.

use mongo_odm::{Executor, prelude::*};
use odm_tests::{Harness, planned::assert_sent};

use crate::{
    setting::settle,
    snapshots::{Receipt, Sale, Warranty, id, market, old_line, old_receipt, old_sale},
};

#[tokio::test]
async fn writes_with_snapshots_send_what_they_plan() {
    let t = market("plan_run_snapshots").await;
    // Sends the statements that a handle sends only once.
    old_sale(100).insert(&t.odm).await.unwrap();
    writes(&t, &t.odm, 0).await;
    settle(&t.odm).await;
    let inside = async |tx: mongo_odm::Tx| {
        writes(&t, &tx, 10).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
    settle(&t.odm).await;
}

async fn writes(t: &Harness, odm: &impl Executor, from: i32) {
    let fields = Sale::fields();
    let sale = old_sale(from);
    same!(*t, "insert", sale.insert(odm));
    let many = [old_sale(from + 1), old_sale(from + 2)];
    same!(*t, "insert_many", Sale::insert_many(odm, &many));
    let given = old_sale(from + 3);
    same!(*t, "insert, given", given.insert(odm).keep_snapshots());
    let receipt = old_receipt(from, 1);
    same!(*t, "snapshots alone", receipt.insert(odm));
    let given = old_receipt(from + 1, 1);
    let insert = || given.insert(odm).keep_snapshots();
    same!(*t, "snapshots alone, given", insert());
    same!(*t, "save", receipt.save(odm));
    same!(*t, "save, with copies", sale.save(odm));
    same!(*t, "replace", receipt.replace(odm));
    let warranty = Warranty {
        id: id(from),
        item: id(1),
        maker: None,
        maker_name: None,
    };
    same!(*t, "a key that is a snapshot", warranty.insert(odm));
    let push = || Sale::update(odm, sale.id).push(fields.lines, old_line(2));
    same!(*t, "push", push());
    same!(*t, "push, given", push().keep_snapshots());
    let deep = || {
        let line = doc! { "item": 1, "name": "old", "price": 1 };
        let push = doc! { "$push": { "sections.0.lines": line } };
        Sale::update(odm, sale.id).with(push)
    };
    same!(*t, "push at a position", deep());
    let many = || Sale::update_many(odm, fields.id.eq(sale.id)).push(fields.lines, old_line(1));
    same!(*t, "push to many", many());
    let found =
        || Sale::find_one_and_update(odm, fields.id.eq(sale.id)).push(fields.lines, old_line(1));
    same!(*t, "find_one_and_update", found());
    let upsert = || Sale::upsert(odm, fields.id.eq(sale.id)).push(fields.lines, old_line(1));
    same!(*t, "upsert", upsert());
    let price = || Receipt::update(odm, receipt.id).set(Receipt::fields().price, Some(3));
    same!(*t, "set", price());
}
