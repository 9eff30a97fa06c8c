//! No write through the library makes an array larger than its `max`.

use mongo_odm::{Error, UpdateOperators, bson::Document, prelude::*};
use odm_tests::{Harness, shop::Person};

/// A line of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    sku: String,
}

/// An order, whose lines are bounded inside the bounded orders.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Order {
    name: String,
    #[embed(max = 2)]
    lines: Vec<Line>,
}

/// A struct with a bounded array.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Profile {
    label: String,
    #[embed(max = 2)]
    phones: Vec<Line>,
}

/// A model with bounds of every kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: Id<Account>,
    name: String,
    count: i32,
    profile: Profile,
    #[embed(max = 3)]
    orders: Vec<Order>,
    #[refs(many, max = 4)]
    friends: Vec<Id<Account>>,
    others: Vec<Id<Account>>,
}

fn friends(count: usize) -> Vec<Id<Account>> {
    (0..count).map(|_| Id::new()).collect()
}

fn lines(count: usize) -> Vec<Line> {
    (0..count)
        .map(|n| Line {
            sku: format!("sku-{n}"),
        })
        .collect()
}

fn order(name: &str, count: usize) -> Order {
    Order {
        name: name.to_owned(),
        lines: lines(count),
    }
}

/// An account with three friends, one order of one line and one phone.
fn account(name: &str) -> Account {
    Account {
        id: Id::new(),
        name: name.to_owned(),
        count: 0,
        profile: Profile {
            label: "home".to_owned(),
            phones: lines(1),
        },
        orders: vec![order("first", 1)],
        friends: friends(3),
        others: vec![],
    }
}

fn full(name: &str) -> Account {
    Account {
        friends: friends(4),
        ..account(name)
    }
}

async fn stored(t: &Harness, account: &Account) -> Account {
    Account::get(&t.odm, account.id).await.unwrap()
}

/// Asserts what was exceeded; `len` is known where the array is in the update.
#[track_caller]
fn exceeds(error: &Error, path: &str, bound: u32, size: Option<usize>) {
    match error {
        Error::BoundExceeded {
            model,
            field,
            max,
            len,
        } => {
            assert_eq!(
                (*model, &**field, *max, *len),
                ("Account", path, bound, size)
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_message_names_model_field_size_and_rule() {
    let error = |len| Error::BoundExceeded {
        model: "Account",
        field: "a.b".to_owned(),
        max: 4,
        len,
    };
    assert_eq!(
        error(Some(5)).to_string(),
        "`Account.a.b` may hold 4 elements (`max = 4`) and would hold 5; raise `max`, remove \
         elements first, or refer from the other side instead"
    );
    assert_eq!(
        error(None).to_string(),
        "`Account.a.b` may hold 4 elements (`max = 4`) and would hold more; raise `max`, remove \
         elements first, or refer from the other side instead"
    );
}

#[tokio::test]
async fn a_whole_document_over_a_bound_is_refused_before_it_is_sent() {
    let t = Harness::new("bounds_whole").await;
    let fits = account("fits");
    fits.insert(&t.odm).await.unwrap();
    let too_many = [
        (
            Account {
                friends: friends(5),
                ..fits.clone()
            },
            "friends",
            4,
            5,
        ),
        (
            Account {
                orders: vec![order("a", 0); 6],
                ..fits.clone()
            },
            "orders",
            3,
            6,
        ),
        (
            Account {
                orders: vec![order("a", 0), order("b", 3)],
                ..fits.clone()
            },
            "orders.lines",
            2,
            3,
        ),
        (
            Account {
                profile: Profile {
                    label: String::new(),
                    phones: lines(7),
                },
                ..fits.clone()
            },
            "profile.phones",
            2,
            7,
        ),
    ];
    for (account, path, max, len) in too_many {
        let writes = async {
            let other = Account {
                id: Id::new(),
                ..account.clone()
            };
            [
                other.insert(&t.odm).await.unwrap_err(),
                Account::insert_many(&t.odm, [&fits, &other])
                    .await
                    .unwrap_err(),
                account.save(&t.odm).await.unwrap_err(),
                account.replace(&t.odm).await.unwrap_err(),
            ]
        };
        let (errors, sent) = t.sent(writes).await;
        for error in &errors {
            exceeds(error, path, max, Some(len));
        }
        assert!(sent.is_empty(), "{sent:?}");
    }
    assert_eq!(stored(&t, &fits).await, fits);
    let largest = Account {
        id: Id::new(),
        friends: friends(4),
        orders: vec![order("a", 2); 3],
        profile: Profile {
            label: String::new(),
            phones: lines(2),
        },
        ..fits
    };
    largest.insert(&t.odm).await.unwrap();
    largest.save(&t.odm).await.unwrap();
    assert_eq!(stored(&t, &largest).await, largest);
}

#[tokio::test]
async fn a_push_costs_one_round_trip_until_there_is_no_room() {
    let t = Harness::new("bounds_push").await;
    let mut account = account("a");
    account.insert(&t.odm).await.unwrap();
    let field = Account::fields().friends;
    let last = Id::new();
    let (report, sent) = t
        .sent(async {
            Account::update(&t.odm, account.id)
                .push(field, last)
                .await
                .unwrap()
        })
        .await;
    assert_eq!((report.matched, report.modified), (1, 1));
    assert_eq!(sent, ["update"]);
    account.friends.push(last);
    assert_eq!(stored(&t, &account).await, account);

    let push = async || {
        let push = Account::update(&t.odm, account.id).push(field, Id::new());
        push.inc(Account::fields().count, 1).await.unwrap_err()
    };
    let (error, sent) = t.sent(push()).await;
    exceeds(&error, "friends", 4, None);
    assert_eq!(sent, ["update", "find"]);
    assert_eq!(
        stored(&t, &account).await,
        account,
        "nothing else was written either"
    );

    let nobody = Account::update(&t.odm, Id::new())
        .push(field, Id::new())
        .await
        .unwrap();
    assert_eq!(nobody.matched, 0, "no document is no error");
    let filtered = Account::update(&t.odm, account.id)
        .filter(Account::fields().name.eq("another"))
        .push(field, Id::new());
    assert_eq!(
        filtered.await.unwrap().matched,
        0,
        "a document that does not match is no error"
    );
}

#[tokio::test]
async fn pushes_into_several_arrays_keep_every_bound() {
    let t = Harness::new("bounds_push_two").await;
    let account = account("a");
    account.insert(&t.odm).await.unwrap();
    let fields = Account::fields();
    let both = |phones: usize, count: usize| {
        Account::update(&t.odm, account.id)
            .push_all(fields.friends, friends(count))
            .push_all(fields.profile.phones, lines(phones))
    };
    exceeds(&both(2, 1).await.unwrap_err(), "profile.phones", 2, None);
    exceeds(&both(1, 2).await.unwrap_err(), "friends", 4, None);
    assert_eq!(stored(&t, &account).await, account);
    let (report, sent) = t.sent(async { both(1, 1).await.unwrap() }).await;
    assert_eq!(report.modified, 1);
    assert_eq!(sent, ["update"]);
}

#[tokio::test]
async fn elements_that_no_document_has_room_for_are_refused_unsent() {
    let t = Harness::new("bounds_push_all").await;
    let account = account("a");
    account.insert(&t.odm).await.unwrap();
    let fields = Account::fields();
    let updates = async {
        let update = || Account::update(&t.odm, account.id);
        [
            update()
                .push_all(fields.friends, friends(5))
                .await
                .unwrap_err(),
            update()
                .push_all(fields.friends, friends(3))
                .push_all(fields.friends, friends(2))
                .await
                .unwrap_err(),
            Account::update_many(&t.odm, doc! {})
                .push_all(fields.friends, friends(5))
                .await
                .unwrap_err(),
            Account::find_one_and_update(&t.odm, doc! {})
                .push_all(fields.friends, friends(5))
                .await
                .unwrap_err(),
            Account::upsert(&t.odm, doc! {})
                .push_all(fields.friends, friends(5))
                .await
                .unwrap_err(),
            update()
                .with(doc! { "$push": { "friends": { "$each": [1, 2, 3, 4, 5] } } })
                .await
                .unwrap_err(),
            update().set(fields.friends, friends(5)).await.unwrap_err(),
            update()
                .with(doc! { "$set": { "friends": [1, 2, 3, 4, 5] } })
                .await
                .unwrap_err(),
            update()
                .with(doc! { "$set": { "friends.4": 1 } })
                .await
                .unwrap_err(),
            update()
                .set_on_insert(fields.friends, friends(5))
                .await
                .unwrap_err(),
        ]
    };
    let (errors, sent) = t.sent(updates).await;
    for error in &errors {
        exceeds(error, "friends", 4, Some(5));
    }
    assert!(sent.is_empty(), "{sent:?}");
    assert_eq!(stored(&t, &account).await, account);

    let one = Account::update(&t.odm, account.id)
        .push_all(fields.friends, friends(1))
        .await;
    assert_eq!(one.unwrap().modified, 1);
}

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
    let within = doc! { "$set": { "orders.0.name": "x", "friends.3": Id::<Account>::new() } };
    assert_eq!(update(within).await.unwrap().modified, 1);
    assert_eq!(stored(&t, &account).await.friends.len(), 4);
    let unset = doc! { "$unset": { "orders.7": "" } };
    assert_eq!(update(unset).await.unwrap().matched, 1, "this adds nothing");
}

#[tokio::test]
async fn add_to_set_counts_only_new_elements() {
    let t = Harness::new("bounds_add_to_set").await;
    let account = full("a");
    account.insert(&t.odm).await.unwrap();
    let field = Account::fields().friends;
    let update = || Account::update(&t.odm, account.id);
    let known = update()
        .add_all_to_set(field, &account.friends)
        .await
        .unwrap();
    assert_eq!((known.matched, known.modified), (1, 0), "they are there");
    let (error, sent) = t
        .sent(async { update().add_to_set(field, Id::new()).await.unwrap_err() })
        .await;
    exceeds(&error, "friends", 4, Some(5));
    assert_eq!(sent, ["findAndModify", "find", "abortTransaction"]);
    assert_eq!(stored(&t, &account).await, account);
    update().pull(field, account.friends[0]).await.unwrap();
    let (report, sent) = t
        .sent(async { update().add_to_set(field, Id::new()).await.unwrap() })
        .await;
    assert_eq!(report.matched, 1);
    assert_eq!(sent, ["findAndModify", "find", "commitTransaction"]);
    assert_eq!(stored(&t, &account).await.friends.len(), 4);
    let nobody = Account::update(&t.odm, Id::new())
        .add_to_set(field, Id::new())
        .await
        .unwrap();
    assert_eq!(nobody.matched, 0);
}

#[tokio::test]
async fn a_slice_makes_room_by_itself() {
    let t = Harness::new("bounds_slice").await;
    let account = full("a");
    account.insert(&t.odm).await.unwrap();
    let update = |slice: i32, count: usize| {
        let each = friends(count);
        Account::update(&t.odm, account.id)
            .with(doc! { "$push": { "friends": { "$each": each, "$slice": slice } } })
    };
    let (report, sent) = t.sent(async { update(-4, 9).await.unwrap() }).await;
    assert_eq!(report.modified, 1);
    assert_eq!(sent, ["update"]);
    assert_eq!(stored(&t, &account).await.friends.len(), 4);
    assert_eq!(update(4, 1).await.unwrap().matched, 1);
    assert_eq!(stored(&t, &account).await.friends.len(), 4);
    exceeds(&update(-9, 1).await.unwrap_err(), "friends", 4, None);
    exceeds(&update(9, 5).await.unwrap_err(), "friends", 4, Some(5));
    assert_eq!(stored(&t, &account).await.friends.len(), 4);
}

#[tokio::test]
async fn update_many_pushes_to_all_or_to_none() {
    let t = Harness::new("bounds_update_many").await;
    let field = Account::fields().friends;
    let push = |name: &str| {
        let filter = Account::fields().name.eq(name);
        Account::update_many(&t.odm, filter).push(field, Id::new())
    };
    t.given(&[
        account("roomy"),
        account("roomy"),
        account("mixed"),
        full("mixed"),
    ])
    .await;
    let (report, sent) = t.sent(async { push("roomy").await.unwrap() }).await;
    assert_eq!((report.matched, report.modified), (2, 2));
    assert_eq!(sent, ["find", "update", "commitTransaction"]);
    exceeds(&push("mixed").await.unwrap_err(), "friends", 4, None);
    exceeds(&push("roomy").await.unwrap_err(), "friends", 4, None);
    let sizes = async |name: &str| {
        let found = Account::find(&t.odm)
            .filter(Account::fields().name.eq(name))
            .await
            .unwrap();
        found
            .iter()
            .map(|account| account.friends.len())
            .collect::<Vec<_>>()
    };
    assert_eq!(sizes("roomy").await, [4, 4]);
    assert_eq!(sizes("mixed").await, [3, 4]);

    let (error, sent) = t
        .sent(async {
            let all = Account::update_many(&t.odm, doc! {});
            all.add_to_set(field, Id::new()).await.unwrap_err()
        })
        .await;
    assert_eq!(
        error.to_string(),
        "what this update does to the bounded arrays of `Account` depends on each document; \
         update them one by one, or use `$push` with `$each`"
    );
    assert!(sent.is_empty(), "{sent:?}");
}

#[tokio::test]
async fn find_one_and_update_keeps_bounds_too() {
    let t = Harness::new("bounds_find_and").await;
    let fields = Account::fields();
    let mut account = account("a");
    account.insert(&t.odm).await.unwrap();
    let find = || Account::find_one_and_update(&t.odm, fields.name.eq("a"));
    let last = Id::new();
    let (before, sent) = t
        .sent(async { find().push(fields.friends, last).await.unwrap() })
        .await;
    assert_eq!(before, Some(account.clone()));
    assert_eq!(sent, ["findAndModify"]);
    account.friends.push(last);
    exceeds(
        &find().push(fields.friends, Id::new()).await.unwrap_err(),
        "friends",
        4,
        None,
    );
    let error = find()
        .add_to_set(fields.friends, Id::new())
        .await
        .unwrap_err();
    exceeds(&error, "friends", 4, Some(5));
    assert_eq!(stored(&t, &account).await, account);

    let extra = Line {
        sku: "extra".to_owned(),
    };
    let before = find()
        .add_to_set(fields.profile.phones, &extra)
        .await
        .unwrap();
    assert_eq!(before, Some(account.clone()));
    account.profile.phones.push(extra.clone());
    let after = find()
        .add_to_set(fields.profile.phones, &extra)
        .return_new()
        .await
        .unwrap();
    assert_eq!(after, Some(account.clone()));
    let nobody = Account::find_one_and_update(&t.odm, fields.name.eq("nobody"));
    assert_eq!(
        nobody.add_to_set(fields.friends, Id::new()).await.unwrap(),
        None
    );
    let nobody = Account::find_one_and_update(&t.odm, fields.name.eq("nobody"));
    assert_eq!(nobody.push(fields.friends, Id::new()).await.unwrap(), None);
}

#[tokio::test]
async fn a_sorted_push_goes_to_the_first_document_or_to_none() {
    let t = Harness::new("bounds_find_and_sort").await;
    let fields = Account::fields();
    let first = full("a");
    let second = account("b");
    t.given(&[first.clone(), second.clone()]).await;
    let find = || Account::find_one_and_update(&t.odm, doc! {}).push(fields.friends, Id::new());
    let error = find().sort(fields.name.asc()).await.unwrap_err();
    assert!(matches!(error, Error::BoundExceeded { .. }), "{error:?}");
    assert_eq!(stored(&t, &second).await, second);
    let before = find().sort(fields.name.desc()).await.unwrap();
    assert_eq!(before, Some(second.clone()));
    assert_eq!(stored(&t, &second).await.friends.len(), 4);
}

#[tokio::test]
async fn an_upsert_keeps_bounds_and_never_inserts_beside_a_full_document() {
    let t = Harness::new("bounds_upsert").await;
    let fields = Account::fields();
    let account = full("a");
    account.insert(&t.odm).await.unwrap();
    let upsert = |name: &str| Account::upsert(&t.odm, fields.name.eq(name));
    let error = upsert("a")
        .push(fields.friends, Id::new())
        .await
        .unwrap_err();
    exceeds(&error, "friends", 4, Some(5));
    assert_eq!(Account::count(&t.odm).await.unwrap(), 1);
    assert_eq!(stored(&t, &account).await, account);

    let report = upsert("b")
        .push_all(fields.friends, friends(2))
        .await
        .unwrap();
    assert_eq!((report.matched, report.modified), (0, 0));
    assert!(report.upserted_id.is_some());
    let report = upsert("b")
        .push_all(fields.friends, friends(2))
        .await
        .unwrap();
    assert_eq!(
        (report.matched, report.modified, report.upserted_id),
        (1, 1, None)
    );
    exceeds(
        &upsert("b")
            .push(fields.friends, Id::new())
            .await
            .unwrap_err(),
        "friends",
        4,
        Some(5),
    );

    let in_filter = Account::upsert(&t.odm, fields.friends.eq(friends(6)));
    exceeds(
        &in_filter.set(fields.name, "c").await.unwrap_err(),
        "friends",
        4,
        Some(6),
    );
    assert_eq!(Account::count(&t.odm).await.unwrap(), 2);
}

#[tokio::test]
async fn a_pipeline_is_checked_by_what_it_did() {
    let t = Harness::new("bounds_pipeline").await;
    let account = account("a");
    account.insert(&t.odm).await.unwrap();
    let append = |count: usize| {
        let more = friends(count);
        let all = doc! { "$concatArrays": ["$friends", more] };
        Account::update(&t.odm, account.id).modifications(vec![doc! { "$set": { "friends": all } }])
    };
    exceeds(&append(2).await.unwrap_err(), "friends", 4, Some(5));
    assert_eq!(stored(&t, &account).await, account);
    assert_eq!(append(1).await.unwrap().matched, 1);
    assert_eq!(stored(&t, &account).await.friends.len(), 4);

    let nested = vec![doc! { "$set": { "orders.lines": ["a", "b", "c"] } }];
    let error = Account::update(&t.odm, account.id)
        .modifications(nested)
        .await
        .unwrap_err();
    exceeds(&error, "orders.lines", 2, Some(3));
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

#[tokio::test]
async fn a_transaction_that_broke_a_bound_is_not_committed_if_its_error_is_swallowed() {
    let t = Harness::new("bounds_poisoned").await;
    let fields = Account::fields();
    let account = full("a");
    account.insert(&t.odm).await.unwrap();
    let mut runs = 0;
    let swallowed = t
        .odm
        .transaction(|tx| {
            runs += 1;
            let account = &account;
            async move {
                Account::update(&tx, account.id)
                    .inc(fields.count, 1)
                    .await?;
                let added = Account::update(&tx, account.id).add_to_set(fields.friends, Id::new());
                exceeds(&added.await.unwrap_err(), "friends", 4, Some(5));
                Ok(())
            }
        })
        .await;
    let swallowed = swallowed.unwrap_err().to_string();
    assert!(
        swallowed.contains("nothing was committed: `Account.friends` may hold 4 elements"),
        "{swallowed}"
    );
    assert_eq!(runs, 1);
    assert_eq!(stored(&t, &account).await, account);

    let refused = t.odm.transaction(async |tx| {
        Account::update(&tx, account.id)
            .inc(fields.count, 1)
            .await?;
        Account::update(&tx, account.id)
            .add_to_set(fields.friends, Id::new())
            .await
    });
    exceeds(&refused.await.unwrap_err(), "friends", 4, Some(5));
    assert_eq!(stored(&t, &account).await, account);
}

#[tokio::test]
async fn a_push_that_wrote_nothing_leaves_its_transaction_whole() {
    let t = Harness::new("bounds_tx_push").await;
    let fields = Account::fields();
    let (full, roomy) = (full("full"), account("roomy"));
    t.given(&[full.clone(), roomy.clone()]).await;
    t.odm
        .transaction(async |tx| {
            let push = |account: &Account| {
                Account::update(&tx, account.id).push(fields.friends, Id::new())
            };
            exceeds(&push(&full).await.unwrap_err(), "friends", 4, None);
            assert_eq!(push(&roomy).await?.modified, 1);
            exceeds(&push(&roomy).await.unwrap_err(), "friends", 4, None);
            let many = Account::update_many(&tx, doc! {}).push(fields.friends, Id::new());
            exceeds(&many.await.unwrap_err(), "friends", 4, None);
            exceeds(
                &Account {
                    friends: friends(7),
                    ..roomy.clone()
                }
                .save(&tx)
                .await
                .unwrap_err(),
                "friends",
                4,
                Some(7),
            );
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(stored(&t, &full).await, full);
    assert_eq!(stored(&t, &roomy).await.friends.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_pushes_at_once_into_five_places_end_with_five() {
    let t = Harness::new("bounds_concurrent").await;
    let person = Person {
        id: Id::new(),
        name: "Ann".to_owned(),
        addresses: vec![],
        tasks: vec![],
    };
    person.insert(&t.odm).await.unwrap();
    let push = || Person::update(&t.odm, person.id).push(Person::fields().tasks, Id::new());
    let pushes: Vec<_> = (0..20)
        .map(|_| tokio::spawn(push().into_future()))
        .collect();
    let (mut done, mut refused) = (0, 0);
    for push in pushes {
        match push.await.unwrap() {
            Ok(report) => done += report.modified,
            Err(Error::BoundExceeded {
                model: "Person",
                max: 5,
                ..
            }) => refused += 1,
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!((done, refused), (5, 15));
    assert_eq!(Person::get(&t.odm, person.id).await.unwrap().tasks.len(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn additions_at_once_that_need_a_transaction_end_with_the_bound() {
    let t = Harness::new("bounds_concurrent_set").await;
    let account = Account {
        friends: vec![],
        ..account("a")
    };
    account.insert(&t.odm).await.unwrap();
    let add =
        || Account::update(&t.odm, account.id).add_to_set(Account::fields().friends, Id::new());
    let additions: Vec<_> = (0..10).map(|_| tokio::spawn(add().into_future())).collect();
    let mut done = 0;
    for addition in additions {
        match addition.await.unwrap() {
            Ok(report) => done += report.matched,
            Err(error) => exceeds(&error, "friends", 4, Some(5)),
        }
    }
    assert_eq!(done, 4);
    assert_eq!(stored(&t, &account).await.friends.len(), 4);
}
