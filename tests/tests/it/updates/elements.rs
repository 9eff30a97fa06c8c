//! Updates of single elements of arrays.

use super::*;

#[tokio::test]
async fn array_filters_choose_the_elements() {
    let t = Harness::new("updates_array_filter").await;
    let before = cart();
    before.insert(&t.odm).await.unwrap();
    let quantities = async || {
        let cart = Cart::get(&t.odm, before.id).await.unwrap();
        cart.items
            .iter()
            .map(|item| item.quantity)
            .collect::<Vec<_>>()
    };
    let set = |to: i32| doc! { "$set": { "items.$[i].quantity": to } };
    let only = |sku: &str| doc! { "i.sku": sku };
    Cart::update(&t.odm, before.id)
        .with(set(7))
        .array_filter(only("b"))
        .await
        .unwrap();
    assert_eq!(quantities().await, [1, 7]);
    Cart::update_many(&t.odm, doc! {})
        .with(set(8))
        .array_filter(only("a"))
        .await
        .unwrap();
    assert_eq!(quantities().await, [8, 7]);
    let found = Cart::find_one_and_update(&t.odm, doc! {})
        .with(set(9))
        .array_filter(only("b"));
    assert_eq!(
        found.return_new().await.unwrap().unwrap().items[1].quantity,
        9
    );
    let missing = Cart::update(&t.odm, before.id)
        .with(set(1))
        .await
        .unwrap_err();
    assert!(matches!(missing, Error::Invalid { .. }), "{missing:?}");
    assert!(
        missing
            .to_string()
            .contains("`items.$[i].quantity` does not say which elements `i` stands for"),
        "{missing}"
    );
}

#[test]
fn elements_are_named_by_their_positions() {
    let cart = Cart::fields();
    assert_eq!(cart.items.at::<2>().path(), "items.2");
    assert_eq!(cart.items.at::<2>().sku.path(), "items.2.sku");
    assert_eq!(cart.items.matched().quantity.path(), "items.$.quantity");
    assert_eq!(cart.numbers.every().path(), "numbers.$[]");
    assert_eq!(cart.items.named::<'i'>().sku.path(), "items.$[i].sku");
}

#[tokio::test]
async fn an_update_of_elements_changes_these_alone() {
    let t = Harness::new("updates_elements").await;
    let before = cart();
    before.insert(&t.odm).await.unwrap();
    let fields = Cart::fields();
    let (item, number) = (fields.items.named::<'i'>(), fields.numbers.named::<'n'>());
    Cart::update(&t.odm, before.id)
        .set(item.sku, "c")
        .inc(item.quantity, 10)
        .array_filter(item.when(|item| item.sku.eq("b") & item.quantity.lt(5)))
        .set(number, 0)
        .array_filter(number.when(|number| number.gte(2)))
        .await
        .unwrap();
    let after = Cart::get(&t.odm, before.id).await.unwrap();
    assert_eq!(after.items, [self::item("a", 1), self::item("c", 12)]);
    assert_eq!(after.numbers, [1, 0, 0]);

    Cart::update_many(&t.odm, fields.items.elem_match(|item| item.sku.eq("c")))
        .set(fields.items.matched().sku, "d")
        .set(fields.numbers.at::<1>(), 5)
        .await
        .unwrap();
    let found = Cart::find_one_and_update(&t.odm, doc! {})
        .inc(fields.items.every().quantity, 1)
        .return_new()
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.items, [self::item("a", 2), self::item("d", 13)]);
    assert_eq!(found.numbers, [1, 5, 0]);
}
