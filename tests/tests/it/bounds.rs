//! No write through the library makes an array larger than its `max`.

mod elements;
mod forms;
mod transactions;

use mongo_odm::{
    Error, UpdateOperators,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::{
    Harness,
    shop::{Address, Person},
};

/// A line of an order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    sku: String,
}

/// An order with bounded lines, as an element of the bounded array of orders.
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

/// Returns an account with three friends, one order with one line, and one phone.
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

/// Asserts the model, the field and the lengths in an error. The length of the array is only known if the update
/// contains the array.
#[track_caller]
fn exceeds(error: &Error, path: &str, bound: u32, size: Option<usize>) {
    match error {
        Error::BoundExceeded {
            model,
            field,
            max,
            len,
            ..
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
    let error = |id: Option<i32>, len| Error::BoundExceeded {
        model: "Account",
        id: id.map(|id| Box::new(id.into())),
        field: "a.b".to_owned(),
        max: 4,
        len,
    };
    assert_eq!(
        error(Some(7), Some(5)).to_string(),
        "`Account.a.b` of 7 may have 4 elements (`max = 4`) and would have 5; raise `max`, remove \
         elements first, or refer from the other side instead"
    );
    assert_eq!(
        error(None, None).to_string(),
        "`Account.a.b` may have 4 elements (`max = 4`) and would have more; raise `max`, remove \
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
