//! Every call of the library applies only to live documents of the handle's tenant. The list of calls is read from the
//! source, so a new call fails the test until it is covered.

use std::{collections::BTreeSet, path::Path, pin::pin};

use futures_util::{TryStreamExt, future::BoxFuture};
use mongo_odm::{
    Odm,
    bson::{Bson, Document, doc},
    prelude::*,
};
use odm_tests::Harness;

use crate::models::{id, settings};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_items", tenant = "org", index(keys(text = "text")))]
struct Item {
    #[serde(rename = "_id")]
    id: Id<Item, i64>,
    org: Option<i64>,
    #[index(unique)]
    number: i64,
    text: String,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

/// A future with the ids of the items that a call has returned or changed.
type Seen = BoxFuture<'static, Vec<i64>>;

/// A function that makes a call with a handle.
type Call = fn(Odm) -> Seen;

/// The calls of `Documents`. In the database, item 1 is live, item 2 is deleted, and item 3 belongs to another tenant.
/// Each call is made for all three items, and returns the ids of the items to which it applied.
const CALLS: &[(&str, Call)] = &[
    ("get", |odm| {
        Box::pin(async move {
            let mut seen = Vec::new();
            for number in 1..=3 {
                seen.extend(Item::get(&odm, id(number)).await.ok());
            }
            ids(seen)
        })
    }),
    ("find", |odm| {
        Box::pin(async move {
            let streamed: Vec<Item> = Item::find(&odm).stream().try_collect().await.unwrap();
            let batches: Vec<Vec<Item>> = Item::find(&odm).batches(2).try_collect().await.unwrap();
            let page = Item::find(&odm).page(5).with_total().await.unwrap();
            let found = Item::find(&odm).text("word").await.unwrap();
            assert_eq!(
                (streamed.len(), batches.concat().len(), found.len()),
                (1, 1, 1)
            );
            assert_eq!((page.items.len(), page.total), (1, Some(1)));
            assert_eq!(Item::find(&odm).count().await.unwrap(), 1);
            assert!(Item::find(&odm).exists().await.unwrap());
            ids(Item::find(&odm).await.unwrap())
        })
    }),
    ("find_one", |odm| {
        Box::pin(async move {
            let last = Item::find_one(&odm).sort(Item::fields().id.desc());
            ids(last.await.unwrap())
        })
    }),
    ("count", |odm| {
        Box::pin(async move {
            each(
                |number| Item::count(&odm).filter(numbered(number)).into_future(),
                |it| it.unwrap() == 1,
            )
            .await
        })
    }),
    ("exists", |odm| {
        Box::pin(async move {
            each(
                |number| Item::exists(&odm).filter(numbered(number)).into_future(),
                |it| it.unwrap(),
            )
            .await
        })
    }),
    ("distinct", |odm| {
        Box::pin(async move { Item::distinct(&odm, Item::fields().number).await.unwrap() })
    }),
    ("aggregate", |odm| {
        Box::pin(async move {
            let rows: Vec<Document> = Item::aggregate(&odm, vec![doc! { "$sort": { "_id": 1 } }])
                .await
                .unwrap();
            rows.iter().map(|row| row.get_i64("_id").unwrap()).collect()
        })
    }),
    ("group_into", |odm| {
        Box::pin(async move {
            let groups = Item::group_into::<Numbers>(&odm);
            let groups = groups
                .by(|row| row.number, Item::fields().number)
                .await
                .unwrap();
            groups.iter().map(|group| group.number).collect()
        })
    }),
    ("watch", |odm| {
        Box::pin(async move {
            let mut events = pin!(Item::watch(&odm).await.unwrap());
            let items = odm.database().collection::<Document>("life_items");
            for number in [3_i64, 2, 1] {
                let changed = doc! { "$set": { "text": "word changed" } };
                items
                    .update_one(doc! { "_id": number }, changed)
                    .await
                    .unwrap();
            }
            let event = events.try_next().await.unwrap().unwrap();
            ids(event.change.document().cloned())
        })
    }),
    ("reload", |odm| {
        Box::pin(async move {
            each(
                |number| item(number).reload(&odm).into_future(),
                |it| it.is_ok(),
            )
            .await
        })
    }),
    ("save", |odm| {
        Box::pin(async move {
            each(
                |number| item(number).save(&odm).into_future(),
                |it| it.is_ok(),
            )
            .await
        })
    }),
    ("replace", |odm| {
        Box::pin(async move {
            each(
                |number| item(number).replace(&odm).into_future(),
                |it| it.is_ok_and(|it| it.matched == 1),
            )
            .await
        })
    }),
    ("save_changes", |odm| {
        Box::pin(async move {
            let write = |number| {
                let mut changed = item(number);
                changed.text.push_str(" again");
                changed.save_changes(&odm, &item(number)).into_future()
            };
            each(write, |it| it.is_ok_and(|it| it.matched == 1)).await
        })
    }),
    ("update", |odm| {
        Box::pin(async move {
            let text = Item::fields().text;
            each(
                |number| Item::update(&odm, id(number)).set(text, "x").into_future(),
                |it| it.unwrap().matched == 1,
            )
            .await
        })
    }),
    ("update_many", |odm| {
        Box::pin(async move {
            let text = Item::fields().text;
            let write = |number| {
                Item::update_many(&odm, numbered(number))
                    .set(text, "x")
                    .into_future()
            };
            each(write, |it| it.unwrap().matched == 1).await
        })
    }),
    ("find_one_and_update", |odm| {
        Box::pin(async move {
            let text = Item::fields().text;
            let write = |number| {
                Item::find_one_and_update(&odm, numbered(number))
                    .set(text, "x")
                    .into_future()
            };
            each(write, |it| it.unwrap().is_some()).await
        })
    }),
    ("upsert", |odm| {
        Box::pin(async move {
            let write = |number| {
                let upsert = Item::upsert(&odm, Item::fields().id.eq(id::<Item>(number)));
                upsert
                    .set(Item::fields().text, "x")
                    .set_on_insert(Item::fields().number, number)
                    .into_future()
            };
            each(write, |it| it.is_ok_and(|it| it.matched == 1)).await
        })
    }),
    ("get_or_create", |odm| {
        Box::pin(async move {
            let call = |number| {
                let mut new = item(number + 100);
                new.number = number;
                Item::get_or_create(&odm, Item::fields().number.eq(number), &new).into_future()
            };
            each(call, |it| !it.unwrap().is_created).await
        })
    }),
    ("delete", |odm| {
        Box::pin(async move {
            each(
                |number| Item::delete(&odm, id(number)).into_future(),
                |it| it.unwrap().deleted == 1,
            )
            .await
        })
    }),
    ("delete_many", |odm| {
        Box::pin(async move {
            each(
                |number| Item::delete_many(&odm, numbered(number)).into_future(),
                |it| it.unwrap().deleted == 1,
            )
            .await
        })
    }),
];

/// The calls that are meant for deleted documents, or that insert documents. Other tests cover them.
const OTHERS: [&str; 5] = ["insert", "insert_many", "restore", "purge", "purge_many"];

#[derive(Debug, Insertable)]
#[insertable(of = "Item")]
struct NewItem {
    id: Id<Item, i64>,
    number: i64,
    text: String,
}

/// Inserts items, and returns those that were inserted.
type InsertCall = fn(Odm) -> BoxFuture<'static, Vec<Item>>;

/// The calls of `Insertable`. Each call is made for the ids 1 to 4, and returns the inserted items.
const INSERTS: &[(&str, InsertCall)] = &[
    ("insert", |odm| {
        Box::pin(async move {
            let mut inserted = Vec::new();
            for number in 1..=4 {
                inserted.extend(new_item(number).insert(&odm).await.ok());
            }
            inserted
        })
    }),
    ("insert_many", |odm| {
        Box::pin(async move {
            let mut inserted = Vec::new();
            for number in 1..=4 {
                let many = NewItem::insert_many(&odm, &[new_item(number)]);
                inserted.extend(many.await.unwrap_or_default());
            }
            inserted
        })
    }),
];

fn new_item(number: i64) -> NewItem {
    NewItem {
        id: id(number),
        number: number + 10,
        text: "new".to_owned(),
    }
}

#[derive(Debug, Serialize, Deserialize, Embedded)]
struct Numbers {
    number: i64,
}

fn item(number: i64) -> Item {
    Item {
        id: id(number),
        org: None,
        number,
        text: "word".to_owned(),
        deleted_at: None,
    }
}

fn numbered(number: i64) -> Filter<Item> {
    Item::fields().number.eq(number)
}

fn ids(items: impl IntoIterator<Item = Item>) -> Vec<i64> {
    items.into_iter().map(|it| it.id.into_key()).collect()
}

/// Makes a call for each item. Returns the ids of the items to which the call applied, according to its result.
async fn each<F: Future>(call: impl Fn(i64) -> F, applied: impl Fn(F::Output) -> bool) -> Vec<i64> {
    let mut seen = Vec::new();
    for number in 1..=3 {
        if applied(call(number).await) {
            seen.push(number);
        }
    }
    seen
}

/// Opens a database with the three items. Returns the handle of the first tenant.
async fn three(test: &str) -> (Harness, Odm) {
    let mut t = Harness::long_declared(test).await;
    t.odm = t.odm.with_settings(settings());
    t.odm.sync_indexes().only::<Item>().await.unwrap();
    let odm = t.odm.for_tenant(1_i64);
    Item::insert_many(&odm, &[item(1), item(2)]).await.unwrap();
    item(3).insert(&t.odm.for_tenant(2_i64)).await.unwrap();
    Item::delete(&odm, id(2)).await.unwrap();
    (t, odm)
}

/// Parses the names of the methods of a trait from the source code.
fn declared(file: &str, declaration: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../odm/src/action");
    let source = std::fs::read_to_string(folder.join(file)).unwrap();
    let (_, body) = source.split_once(declaration).unwrap();
    let (body, _) = body.split_once("\n}\n").unwrap();
    let names = body.lines().filter_map(|line| line.strip_prefix("    fn "));
    let end = |name: &str| name.find(['(', '<']).unwrap_or(name.len());
    names.map(|name| name[..end(name)].to_owned()).collect()
}

#[test]
fn the_lists_contain_every_call_of_documents() {
    let calls = CALLS.iter().map(|(name, _)| *name).chain(OTHERS);
    let covered: BTreeSet<String> = calls.map(str::to_owned).collect();
    assert_eq!(covered, declared("model.rs", "pub trait Documents"));
    let inserts = INSERTS.iter().map(|(name, _)| (*name).to_owned());
    let declared = declared("insertable.rs", "pub trait Insertable");
    assert_eq!(inserts.collect::<BTreeSet<_>>(), declared);
}

#[tokio::test]
async fn each_call_sees_only_live_documents_of_the_tenant() {
    for (name, call) in CALLS {
        let (t, odm) = three(&format!("life_call_{name}")).await;
        assert_eq!(call(odm).await, [1], "{name}");
        let items = t.odm.database().collection::<Document>("life_items");
        for (number, org) in [(2_i64, 1_i64), (3, 2)] {
            let stored = items
                .find_one(doc! { "_id": number })
                .await
                .unwrap()
                .unwrap();
            assert_eq!(stored.get("org"), Some(&Bson::Int64(org)), "{name}");
            assert_eq!(stored.get_i64("number").unwrap(), number, "{name}");
            let is_deleted = stored.get_datetime("deleted_at").is_ok();
            assert_eq!(is_deleted, number == 2, "{name}");
            if *name != "watch" {
                assert_eq!(stored.get_str("text").unwrap(), "word", "{name}");
            }
        }
    }
}

#[tokio::test]
async fn an_insert_belongs_to_the_tenant_and_replaces_no_document() {
    for (name, call) in INSERTS {
        let (t, odm) = three(&format!("life_insert_{name}")).await;
        let new = Item {
            org: Some(1),
            number: 14,
            text: "new".to_owned(),
            ..item(4)
        };
        let inserted = call(odm.clone()).await;
        assert_eq!(inserted, std::slice::from_ref(&new), "{name}");
        assert_eq!(Item::get(&odm, id(4)).await.unwrap(), new, "{name}");
        let items = t.odm.database().collection::<Document>("life_items");
        let kept = items.count_documents(doc! { "text": "word" });
        assert_eq!(kept.await.unwrap(), 3, "{name}");
    }
}
