//! Bounds of whole arrays, of positions, and of arrays in elements of arrays.

use super::*;

#[tokio::test]
async fn a_set_array_is_measured_wherever_it_is() {
    let t = Harness::new("bounds_set").await;
    let account = account("a");
    account.insert(&t.odm).await.unwrap();
    let fields = Account::fields();
    let update = || Account::update(&t.odm, account.id);
    let phones = |count| Profile {
        label: "x".to_owned(),
        phones: lines(count),
    };
    let refused = [
        (
            update().set(fields.profile, phones(3)),
            "profile.phones",
            2,
            3,
        ),
        (
            update().set(fields.profile.phones, lines(4)),
            "profile.phones",
            2,
            4,
        ),
        (
            update().set(fields.orders, vec![order("a", 1); 5]),
            "orders",
            3,
            5,
        ),
        (
            update().set(fields.orders, [order("a", 1), order("b", 3)]),
            "orders.lines",
            2,
            3,
        ),
        (
            update().with(doc! { "$set": { "orders.0": { "name": "a", "lines": [1, 2, 3] } } }),
            "orders.lines",
            2,
            3,
        ),
        (
            update().with(doc! { "$set": { "orders.0.lines": [1, 2, 3] } }),
            "orders.lines",
            2,
            3,
        ),
        (
            update().with(doc! { "$set": { "orders.$[].lines": [1, 2, 3] } }),
            "orders.lines",
            2,
            3,
        ),
        (
            update().with(doc! { "$set": { "orders.0.lines.2": 1 } }),
            "orders.lines",
            2,
            3,
        ),
        (
            update().with(doc! { "$set": { "orders.3": { "name": "a", "lines": [] } } }),
            "orders",
            3,
            4,
        ),
        (
            update().with(doc! { "$max": { "orders": [1, 2, 3, 4] } }),
            "orders",
            3,
            4,
        ),
    ];
    for (update, path, max, len) in refused {
        let (error, sent) = t.sent(async { update.await.unwrap_err() }).await;
        exceeds(&error, path, max, Some(len));
        assert!(sent.is_empty(), "{sent:?}");
    }
    assert_eq!(stored(&t, &account).await, account);

    let (report, sent) = t
        .sent(async {
            update()
                .set(fields.profile, phones(2))
                .set(fields.orders, vec![order("a", 2); 3])
                .set(fields.friends, friends(4))
                .await
                .unwrap()
        })
        .await;
    assert_eq!(report.modified, 1);
    assert_eq!(sent, ["update"]);
}

#[tokio::test]
async fn a_position_beyond_the_bound_is_refused_under_every_operator() {
    let t = Harness::new("bounds_position").await;
    let account = account("a");
    account.insert(&t.odm).await.unwrap();
    let update = |operators: Document| Account::update(&t.odm, account.id).with(operators);
    for operators in [
        doc! { "$set": { "orders.7.name": "x" } },
        doc! { "$inc": { "orders.7.total": 1 } },
        doc! { "$min": { "orders.7": 1 } },
        doc! { "$max": { "orders.7.total": 1 } },
        doc! { "$mul": { "orders.7": 2 } },
        doc! { "$currentDate": { "orders.7": true } },
        doc! { "$push": { "orders.7.lines": 1 } },
        doc! { "$addToSet": { "orders.7.lines": 1 } },
        doc! { "$setOnInsert": { "orders.7.name": "x" } },
        doc! { "$bit": { "orders.7.flags": { "or": 1 } } },
    ] {
        let (error, sent) = t
            .sent(async { update(operators.clone()).await.unwrap_err() })
            .await;
        exceeds(&error, "orders", 3, Some(8));
        assert!(sent.is_empty(), "{operators}: {sent:?}");
    }
    assert_eq!(stored(&t, &account).await, account);
    let within = doc! { "$set": {
        "orders.0.name": "x", "orders.0.lines.1": { "sku": "y" }, "friends.3": Id::<Account>::new(),
    } };
    let (report, sent) = t.sent(async { update(within).await.unwrap() }).await;
    assert_eq!(report.modified, 1);
    assert_eq!(sent, ["update"]);
    assert_eq!(stored(&t, &account).await.friends.len(), 4);
    let unset = doc! { "$unset": { "orders.7": "" } };
    assert_eq!(update(unset).await.unwrap().matched, 1, "this adds nothing");
}

#[tokio::test]
async fn arrays_of_elements_keep_their_bounds() {
    let t = Harness::new("bounds_nested").await;
    let account = Account {
        orders: vec![order("a", 1), order("b", 2)],
        ..account("a")
    };
    account.insert(&t.odm).await.unwrap();
    let push = |path: &str, name: &str| {
        let line = doc! { "sku": "new" };
        let update = Account::update(&t.odm, account.id).with(doc! { "$push": { path: line } });
        if path.contains("$[o]") {
            update.array_filter(doc! { "o.name": name })
        } else {
            update
        }
    };
    exceeds(
        &push("orders.$[o].lines", "b").await.unwrap_err(),
        "orders.lines",
        2,
        Some(3),
    );
    exceeds(
        &push("orders.$[].lines", "").await.unwrap_err(),
        "orders.lines",
        2,
        Some(3),
    );
    exceeds(
        &push("orders.1.lines", "").await.unwrap_err(),
        "orders.lines",
        2,
        Some(3),
    );
    assert_eq!(stored(&t, &account).await, account);
    let (report, sent) = t
        .sent(async { push("orders.$[o].lines", "a").await.unwrap() })
        .await;
    assert_eq!(report.matched, 1);
    assert_eq!(sent, ["findAndModify", "find", "commitTransaction"]);
    assert_eq!(stored(&t, &account).await.orders[0].lines.len(), 2);

    let whole = Account::update(&t.odm, account.id);
    let error = whole
        .push(Account::fields().orders, order("c", 3))
        .await
        .unwrap_err();
    exceeds(&error, "orders.lines", 2, Some(3));
    let whole = Account::update(&t.odm, account.id);
    assert_eq!(
        whole
            .push(Account::fields().orders, order("c", 2))
            .await
            .unwrap()
            .matched,
        1
    );
    assert_eq!(stored(&t, &account).await.orders.len(), 3);
}

#[tokio::test]
async fn a_renamed_array_keeps_the_bound_of_its_new_name() {
    let t = Harness::new("bounds_rename").await;
    let account = Account {
        others: friends(5),
        ..account("a")
    };
    account.insert(&t.odm).await.unwrap();
    let rename = doc! { "$rename": { "others": "friends" } };
    let error = Account::update(&t.odm, account.id)
        .with(rename)
        .await
        .unwrap_err();
    exceeds(&error, "friends", 4, Some(5));
    assert_eq!(stored(&t, &account).await, account);
}
