//! Keys in fields other than `_id` and plain arrays: not unique, embedded, or in the same collection.

use mongo_odm::{Error, bson::Bson, prelude::*, relation::Slot};
use odm_tests::{
    Harness,
    cluster::is_sharded,
    sent::{commands, keys_of, number, only},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[allow(clippy::struct_field_names, reason = "as the data calls it")]
#[model(collection = "bank_accounts", has_many(clients = "Holder.accounts"))]
struct Account {
    #[serde(rename = "_id")]
    id: Id<Account>,
    #[index]
    account_id: i32,
    limit: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "holders")]
struct Holder {
    #[serde(rename = "_id")]
    id: Id<Holder>,
    #[refs(many, to = "Account.account_id")]
    accounts: Vec<i32>,
    #[refs(one, to = "Account.account_id")]
    main: Option<i32>,
}

fn account(account_id: i32, limit: i32) -> Account {
    Account {
        id: Id::new(),
        account_id,
        limit,
    }
}

fn holder(accounts: &[i32], main: Option<i32>) -> Holder {
    Holder {
        id: Id::new(),
        accounts: accounts.to_vec(),
        main,
    }
}

fn limits<'a>(accounts: impl IntoIterator<Item = &'a Account>) -> Vec<i32> {
    accounts.into_iter().map(|account| account.limit).collect()
}

#[tokio::test]
async fn a_key_that_is_not_unique_leads_to_all_its_documents() {
    let t = Harness::new("a_key_that_is_not_unique").await;
    t.given(&[account(7, 1), account(8, 2), account(7, 3), account(9, 4)])
        .await;
    let owner = holder(&[9, 7, 5, 7], None);
    let loaded = owner.load_accounts(&t.odm).await.unwrap();
    assert_limits(&limits(&loaded), [4, 1, 3, 1, 3]);
    let joined = Holder::join_accounts([&owner], &t.odm).await.unwrap();
    assert_limits(&limits(joined.of(&owner)), [4, 1, 3, 1, 3]);
    assert_eq!(joined.len(), 3);
    let slots = owner.load_accounts(&t.odm).slots().await.unwrap();
    let missing: Vec<_> = slots.iter().map(Slot::is_missing).collect();
    assert_eq!(missing, [false, false, false, true, false, false]);
    assert_eq!(joined.slots_of(&owner).len(), 6);
    assert_eq!(owner.count_accounts(&t.odm).await.unwrap(), 3);
    let counts = Holder::join_accounts([&owner], &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(counts.of(&owner), 3);
    let sorted = owner
        .load_accounts(&t.odm)
        .sort(Account::fields().limit.desc())
        .await
        .unwrap();
    assert_eq!(limits(&sorted), [4, 3, 1]);
    let joined = Holder::join_accounts([&owner], &t.odm)
        .limit_each(2)
        .await
        .unwrap();
    assert_limits(&limits(joined.of(&owner)), [4, 1]);
}

/// Compares the limits of accounts. On a cluster without a sort, the order of the two accounts with the number 7 is
/// undefined.
fn assert_limits<const N: usize>(found: &[i32], expected: [i32; N]) {
    let other = expected.map(|limit| if limit < 4 { 4 - limit } else { limit });
    if !is_sharded() || found != other {
        assert_eq!(found, expected);
    }
}

#[tokio::test]
async fn a_reference_to_one_document_that_finds_two_is_ambiguous() {
    let t = Harness::new("a_reference_to_one").await;
    t.given(&[account(7, 1), account(8, 2), account(7, 3)])
        .await;
    let unique = holder(&[], Some(8));
    assert_eq!(unique.load_main(&t.odm).await.unwrap().unwrap().limit, 2);
    let twice = holder(&[], Some(7));
    t.forget();
    let error = twice.load_main(&t.odm).await.unwrap_err();
    assert_eq!(number(&only(&t, "find"), "limit"), Some(2));
    let Error::Ambiguous {
        relation,
        collection,
        path,
        key,
        found,
        ..
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!(
        (relation.as_str(), *collection, path.as_str(), *found),
        ("Holder.main", "bank_accounts", "account_id", 2)
    );
    assert!(
        key.as_i64() == Some(7) && error.to_string().contains("account_id"),
        "{error}"
    );
    let error = Holder::join_main([&unique, &twice], &t.odm)
        .await
        .unwrap_err();
    assert!(
        matches!(error, Error::Ambiguous { found: 2, .. }),
        "{error}"
    );
    let joined = Holder::join_main([&unique, &holder(&[], None)], &t.odm)
        .await
        .unwrap();
    assert_eq!(joined.one_of(&unique).unwrap().limit, 2);
    // With a filter that matches only one of the two, the reference is not ambiguous.
    let high = twice
        .load_main(&t.odm)
        .filter(Account::fields().limit.gt(2))
        .await
        .unwrap();
    assert_eq!(high.unwrap().limit, 3);
}

#[tokio::test]
async fn owners_are_found_by_the_field_that_references_name() {
    let t = Harness::new("owners_are_found_by_the_field").await;
    let accounts = [account(7, 1), account(8, 2)];
    let holders = [
        holder(&[7, 8], None),
        holder(&[8, 8], None),
        holder(&[], None),
    ];
    t.given(&holders).await;
    t.forget();
    let by_id = Holder::fields().id.asc();
    let joined = Account::join_clients(&accounts, &t.odm).sort(by_id.clone());
    let joined = joined.await.unwrap();
    let find = only(&t, "find");
    assert_eq!(keys_of(&find, "accounts").len(), 2);
    let ids = |at: usize| {
        joined
            .of(&accounts[at])
            .map(|holder| holder.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(0), [holders[0].id]);
    assert_eq!(ids(1), [holders[0].id, holders[1].id]);
    let loaded = accounts[1].load_clients(&t.odm).sort(by_id);
    assert_eq!(loaded.await.unwrap(), holders[..2]);
    assert_eq!(accounts[1].count_clients(&t.odm).await.unwrap(), 2);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "screws", has_many(buyers = "Buyer.orders"))]
struct Screw {
    #[serde(rename = "_id")]
    id: Id<Screw>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    #[refs(one)]
    screw: Id<Screw>,
    quantity: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Order {
    #[embed]
    #[refs(many)]
    lines: Vec<Line>,
    note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "buyers")]
struct Buyer {
    #[serde(rename = "_id")]
    id: Id<Buyer>,
    name: String,
    #[embed]
    #[refs(many)]
    orders: Vec<Order>,
}

fn screws(count: usize) -> Vec<Screw> {
    (0..count)
        .map(|at| Screw {
            id: Id::new(),
            name: format!("M{at}"),
        })
        .collect()
}

fn order<'a>(screws: impl IntoIterator<Item = &'a Screw>) -> Order {
    let line = |screw: &Screw| Line {
        screw: screw.id,
        quantity: 1,
    };
    Order {
        lines: screws.into_iter().map(line).collect(),
        note: None,
    }
}

fn buyer(name: &str, orders: Vec<Order>) -> Buyer {
    Buyer {
        id: Id::new(),
        name: name.into(),
        orders,
    }
}

fn labels<'a>(screws: impl IntoIterator<Item = &'a Screw>) -> Vec<&'a str> {
    screws
        .into_iter()
        .map(|screw| screw.name.as_str())
        .collect()
}

#[tokio::test]
async fn references_two_arrays_deep_load_in_the_order_of_the_document() {
    let t = Harness::new("references_two_arrays_deep").await;
    let screws = screws(4);
    t.given(&screws).await;
    let orders = vec![
        order([&screws[3], &screws[1]]),
        order([]),
        order([&screws[0], &screws[3]]),
    ];
    let buyer = buyer("a", orders);
    t.forget();
    assert_eq!(
        labels(&buyer.load_orders(&t.odm).await.unwrap()),
        ["M3", "M1", "M0", "M3"]
    );
    assert_eq!(keys_of(&only(&t, "find"), "_id").len(), 3);
    let joined = Buyer::join_orders([&buyer], &t.odm).await.unwrap();
    assert_eq!(labels(joined.of(&buyer)), ["M3", "M1", "M0", "M3"]);

    t.forget();
    let of_orders = Order::join_lines(&buyer.orders, &t.odm).await.unwrap();
    let of_lines = Line::join_screw(buyer.orders.iter().flat_map(|order| &order.lines), &t.odm)
        .await
        .unwrap();
    assert_eq!(t.recorder().names(), ["find", "find"]);
    assert_eq!(labels(of_orders.of(&buyer.orders[2])), ["M0", "M3"]);
    assert_eq!(of_orders.of(&buyer.orders[1]).len(), 0);
    assert_eq!(
        of_lines.one_of(&buyer.orders[0].lines[1]).unwrap().name,
        "M1"
    );
    assert_eq!(
        buyer.orders[0].lines[0]
            .load_screw(&t.odm)
            .await
            .unwrap()
            .unwrap()
            .name,
        "M3"
    );
}

#[tokio::test]
async fn references_two_arrays_deep_are_followed_from_the_other_side() {
    let t = Harness::new("references_from_the_other_side").await;
    let screws = screws(3);
    let all = [&screws[0], &screws[1], &screws[0]];
    let buyers = [
        buyer("a", vec![order(all), order([&screws[0]])]),
        buyer("b", vec![order([&screws[1]])]),
    ];
    t.given(&buyers).await;
    t.forget();
    let joined = Screw::join_buyers(&screws, &t.odm).await.unwrap();
    assert_eq!(keys_of(&only(&t, "find"), "orders.lines.screw").len(), 3);
    let names = |at: usize| {
        let names = joined.of(&screws[at]).map(|buyer| buyer.name.as_str());
        let mut names: Vec<_> = names.collect();
        // Documents of several shards are in no order.
        names.sort_unstable();
        names
    };
    assert_eq!(
        [names(0), names(1), names(2)],
        [vec!["a"], vec!["a", "b"], vec![]]
    );
    let counts = Screw::join_buyers(&screws, &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(
        screws
            .iter()
            .map(|screw| counts.of(screw))
            .collect::<Vec<_>>(),
        [1, 2, 0]
    );
    assert_eq!(screws[1].count_buyers(&t.odm).await.unwrap(), 2);
    let limited = Screw::join_buyers(&screws, &t.odm)
        .sort(Buyer::fields().name.desc())
        .limit_each(1)
        .await
        .unwrap();
    let first = |at: usize| {
        limited
            .of(&screws[at])
            .map(|buyer| buyer.name.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        [first(0), first(1), first(2)],
        [vec!["a"], vec!["b"], vec![]]
    );
    assert_eq!(screws[0].load_buyers(&t.odm).await.unwrap(), buyers[..1]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "categories", has_many(children = "Category.parent"))]
struct Category {
    #[serde(rename = "_id")]
    id: Id<Category>,
    name: String,
    #[parent_ref]
    parent: Option<Id<Category>>,
}

#[tokio::test]
async fn a_tree_in_one_collection_is_walked_level_by_level() {
    let t = Harness::new("a_tree_in_one_collection").await;
    let category = |name: &str, parent: Option<&Category>| Category {
        id: Id::new(),
        name: name.into(),
        parent: parent.map(|parent| parent.id),
    };
    let root = category("root", None);
    let other = category("other", None);
    let leaves = [
        category("left", Some(&root)),
        category("right", Some(&root)),
    ];
    let below = category("below", Some(&leaves[1]));
    t.given(&[root.clone(), other.clone()]).await;
    t.given(&leaves).await;
    t.given(std::slice::from_ref(&below)).await;
    t.forget();
    let by_id = Category::fields().id.asc();
    let found = root.load_children(&t.odm).sort(by_id.clone()).await;
    assert_eq!(found.unwrap(), leaves);
    assert_eq!(root.load_parent(&t.odm).await.unwrap(), None);
    assert_eq!(t.recorder().names(), ["find"], "a root asks for nothing");
    assert_eq!(
        below.load_parent(&t.odm).await.unwrap(),
        Some(leaves[1].clone())
    );

    let all = Category::find(&t.odm).await.unwrap();
    t.forget();
    let children = Category::join_children(&all, &t.odm).sort(by_id);
    let children = children.await.unwrap();
    let parents = Category::join_parent(&all, &t.odm).await.unwrap();
    let finds = commands(&t, "find");
    assert_eq!(finds.len(), 2);
    assert!(
        finds
            .iter()
            .all(|find| !keys_of(find, "_id").contains(&Bson::Null))
    );
    assert!(children.of(&root).eq(&leaves));
    assert_eq!(children.of(&other).len(), 0);
    assert_eq!(parents.one_of(&below), Some(&leaves[1]));
    assert_eq!(parents.one_of(&root), None);
    // A document that is its own parent is returned only once.
    let mut own = category("own", None);
    own.parent = Some(own.id);
    own.insert(&t.odm).await.unwrap();
    assert_eq!(own.load_parent(&t.odm).await.unwrap(), Some(own.clone()));
    assert_eq!(own.load_children(&t.odm).await.unwrap(), [own.clone()]);
}
