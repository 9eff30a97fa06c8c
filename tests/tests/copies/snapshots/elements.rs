//! Snapshots in elements that an update adds to an array. Such elements count as new structs.

use super::*;

#[tokio::test]
async fn an_element_that_is_added_takes_its_snapshot_and_leaves_the_others_alone() {
    let t = market("snapshot_elements").await;
    let odm = &t.odm;
    let fields = Sale::fields();
    for number in 1..=6 {
        old_sale(number).insert(odm).await.unwrap();
    }
    let dearer = Item::update_many(odm, doc! {}).inc(Item::fields().price, 1);
    dearer.await.unwrap();
    let push = Sale::update(odm, id(1)).push(fields.lines, old_line(2));
    push.await.unwrap();
    let push = Sale::update(odm, id(2)).push_all(fields.lines, [old_line(2), old_line(1)]);
    push.await.unwrap();
    let add = Sale::update(odm, id(3)).add_to_set(fields.lines, old_line(2));
    add.await.unwrap();
    let push = Sale::update_many(odm, fields.id.eq(id(4))).push(fields.lines, old_line(2));
    push.await.unwrap();
    let push = Sale::find_one_and_update(odm, fields.id.eq(id(5))).push(fields.lines, old_line(2));
    push.await.unwrap();
    let upsert = Sale::upsert(odm, fields.id.eq(id(6))).push(fields.lines, old_line(2));
    upsert.await.unwrap();
    for sale in 1..=6 {
        let mut with_new = vec![("item 1", 100), ("item 2", 201), ("item 2", 200)];
        if sale == 2 {
            with_new.insert(2, ("item 1", 101));
        }
        assert_eq!(lines(odm, sale).await, expected(&with_new), "{sale}");
    }
    settle(odm).await;
}

#[tokio::test]
async fn an_element_deep_in_a_document_takes_its_snapshot() {
    let t = market("snapshot_deep").await;
    let odm = &t.odm;
    for number in 1..=4 {
        old_sale(number).insert(odm).await.unwrap();
    }
    let line = doc! { "item": 1, "name": "old", "price": 1 };
    let at_position = doc! { "$push": { "sections.0.lines": line.clone() } };
    let at_all = doc! { "$push": { "sections.$[].lines": { "$each": [line.clone()] } } };
    let at_name = doc! { "$push": { "sections.$[s].lines": line } };
    Sale::update(odm, id(1)).with(at_position).await.unwrap();
    Sale::update(odm, id(2)).with(at_all).await.unwrap();
    let named = Sale::update(odm, id(3)).with(at_name);
    let named = named.array_filter(doc! { "s.title": "first" });
    named.await.unwrap();
    let section = Section {
        title: "second".to_owned(),
        lines: vec![old_line(1)],
    };
    let push = Sale::update(odm, id(4)).push(Sale::fields().sections, section);
    push.await.unwrap();
    for sale in 1..=4 {
        let all = expected(&[("item 1", 100), ("item 2", 200), ("item 1", 100)]);
        assert_eq!(lines(odm, sale).await, all, "{sale}");
    }
    settle(odm).await;
}

/// `set` writes the given value. The elements of an array that is set as a whole do not count as new structs.
#[tokio::test]
async fn elements_that_are_set_hold_what_they_are_given() {
    let t = market("snapshot_set").await;
    let odm = &t.odm;
    old_sale(1).insert(odm).await.unwrap();
    let set = Sale::update(odm, id(1)).set(Sale::fields().lines, vec![old_line(2)]);
    set.await.unwrap();
    let stored = expected(&[("item 2", 1), ("item 2", 200)]);
    assert_eq!(lines(odm, 1).await, stored);
    settle(odm).await;
}

/// An update without new structs sends the same statements as without snapshots.
#[tokio::test]
async fn an_update_without_new_elements_is_one_statement() {
    let t = market("snapshot_cost").await;
    old_sale(1).insert(&t.odm).await.unwrap();
    old_receipt(1, 1).insert(&t.odm).await.unwrap();
    t.forget();
    let buyer = Sale::update(&t.odm, id(1)).set(Sale::fields().buyer, "Joe");
    buyer.await.unwrap();
    let price = Receipt::update(&t.odm, id(1)).set(Receipt::fields().price, None);
    price.await.unwrap();
    assert_eq!(t.recorder().names(), ["update", "update"]);
    t.forget();
    // One read of the item returns the name and the price. The name is checked again after the commit.
    let push = Sale::update(&t.odm, id(1)).push(Sale::fields().lines, old_line(2));
    push.await.unwrap();
    let sent = ["find", "update", "commitTransaction", "find"];
    assert_eq!(t.recorder().names(), sent);
}
