//! `get_or_create` with tenants, with unique indexes that have a collation, and with documents that are deleted at the same
//! time.

use std::sync::atomic::{AtomicU32, Ordering};

use mongo_odm::{Committed, Error, Odm, bson::doc, prelude::*};
use odm_tests::Harness;

use crate::models::{id, settings, stored};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_shelves", tenant = "shop")]
struct Shelf {
    #[serde(rename = "_id")]
    id: Id<Shelf, i64>,
    shop: Option<String>,
    #[index(unique)]
    name: String,
}

/// A model whose unique index declares the tenant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "life_seats",
    tenant = "shop",
    index(keys(name = 1, shop = 1), unique)
)]
struct Seat {
    #[serde(rename = "_id")]
    id: Id<Seat, i64>,
    shop: Option<String>,
    name: String,
}

/// A model whose unique index does not contain documents without the field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_lockers", tenant = "shop")]
struct Locker {
    #[serde(rename = "_id")]
    id: Id<Locker, i64>,
    shop: Option<String>,
    #[index(unique, partial = r#"{"code": {"$exists": true}}"#)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

/// A model whose unique index declares the kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "life_shields",
    kind(form = "round"),
    index(keys(form = 1, name = 1), unique, all_kinds)
)]
struct Shield {
    #[serde(rename = "_id")]
    id: Id<Shield, i64>,
    form: Option<String>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: Id<Account, i64>,
    #[index(unique, locale = "en", strength = 2)]
    email: String,
}

/// A document that another program deletes immediately after its insert. `deletes` is the number of such deletes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "life_sparks", hooks)]
struct Spark {
    #[serde(rename = "_id")]
    id: Id<Spark, i64>,
    #[index(unique)]
    name: String,
    deletes: u32,
}

static DELETED: AtomicU32 = AtomicU32::new(0);

impl Hooks for Spark {
    async fn after_commit(&self, _: Committed, odm: &Odm) -> mongo_odm::Result<()> {
        if DELETED.fetch_add(1, Ordering::SeqCst) < self.deletes {
            let all = odm
                .database()
                .collection::<mongo_odm::bson::Document>("life_sparks");
            all.delete_one(doc! { "name": &self.name }).await?;
        }
        Ok(())
    }
}

fn shelf(number: i64, shop: Option<&str>) -> Shelf {
    Shelf {
        id: id(number),
        shop: shop.map(ToOwned::to_owned),
        name: "tea".to_owned(),
    }
}

async fn database(test: &str) -> Harness {
    let mut t = Harness::long_declared(test).await;
    t.odm = t.odm.with_settings(settings());
    let sync = t.odm.sync_indexes().only::<Shelf>().only::<Account>();
    let sync = sync.only::<Spark>().only::<Seat>();
    let sync = sync.only::<Locker>();
    sync.only::<Shield>().await.unwrap();
    t
}

#[tokio::test]
async fn a_handle_for_all_tenants_finds_the_document_of_the_tenant_in_the_struct() {
    let t = database("goc_all_tenants").await;
    let all = &t.odm.all_tenants();
    let f = Shelf::fields();
    let filter = || f.name.eq("tea");
    shelf(1, None)
        .insert(&t.odm.for_tenant("old"))
        .await
        .unwrap();
    let new = shelf(2, Some("new"));
    let created = Shelf::get_or_create(all, filter(), &new).await.unwrap();
    assert!(created.is_created);
    assert_eq!(created.document, new);
    let found = Shelf::get_or_create(all, filter(), &shelf(3, Some("old"))).await;
    let found = found.unwrap();
    assert_eq!((found.is_created, found.document.id), (false, id(1)));
    let both = filter() & f.shop.eq(Some("new".to_owned()));
    let found = Shelf::get_or_create(all, both.clone(), &shelf(3, Some("new"))).await;
    assert_eq!(found.unwrap().document.id, id(2));
    t.forget();
    let wrong = [
        Shelf::get_or_create(all, filter(), &shelf(3, None)).await,
        Shelf::get_or_create(all, both, &shelf(3, Some("old"))).await,
        Shelf::get_or_create(&t.odm, filter(), &shelf(3, Some("old"))).await,
        Shelf::get_or_create(&t.odm.for_tenant("new"), filter(), &shelf(3, Some("old"))).await,
    ];
    for wrong in wrong {
        assert!(matches!(wrong, Err(Error::Invalid { .. })), "{wrong:?}");
    }
    assert_eq!(t.all_names(), [""; 0]);
    let plan = Shelf::get_or_create(all, filter(), &new).plan().unwrap();
    let plan = plan.to_string();
    assert!(
        plan.starts_with("db.life_shelves.find({ name: \"tea\", shop: \"new\" })"),
        "{plan}"
    );
}

#[tokio::test]
async fn the_document_is_found_with_the_collation_of_the_unique_index() {
    let t = database("goc_collation").await;
    let account = |number, email: &str| Account {
        id: id(number),
        email: email.to_owned(),
    };
    let f = Account::fields();
    let first = Account::get_or_create(&t.odm, f.email.eq("Ann@x"), &account(1, "Ann@x")).await;
    assert!(first.unwrap().is_created);
    let same = Account::get_or_create(&t.odm, f.email.eq("ann@x"), &account(2, "ann@x")).await;
    let same = same.unwrap();
    assert_eq!((same.is_created, same.document.id), (false, id(1)));
    // Comparisons by `_id` use no collation.
    let by_id = f.id.eq(id::<Account>(3));
    let new = Account::get_or_create(&t.odm, by_id, &account(3, "bob@x")).await;
    assert!(new.unwrap().is_created);
    let inside = t.odm.transaction(async |tx| {
        Account::get_or_create(&tx, f.email.eq("BOB@x"), &account(4, "BOB@x")).await
    });
    assert_eq!(inside.await.unwrap().document.id, id(3));
}

#[tokio::test]
async fn a_document_that_is_deleted_at_the_same_time_is_created_again() {
    let t = database("goc_deleted").await;
    let f = Spark::fields();
    let spark = |deletes| Spark {
        id: id(1),
        name: "fire".to_owned(),
        deletes,
    };
    DELETED.store(0, Ordering::SeqCst);
    let again = Spark::get_or_create(&t.odm, f.name.eq("fire"), &spark(1)).await;
    assert!(again.unwrap().is_created);
    assert!(stored(&t.odm, "life_sparks", 1).await.is_some());
    Spark::delete(&t.odm, id(1)).without_hooks().await.unwrap();
    DELETED.store(0, Ordering::SeqCst);
    let never = Spark::get_or_create(&t.odm, f.name.eq("fire"), &spark(1000)).await;
    assert!(matches!(never, Err(Error::NotFound { .. })), "{never:?}");
    assert!(DELETED.load(Ordering::SeqCst) < 10);
    // The new document does not match the rest of the filter, so a second insert would not help.
    DELETED.store(0, Ordering::SeqCst);
    let filter = f.name.eq("fire") & f.deletes.gt(5);
    let unfit = Spark::get_or_create(&t.odm, filter, &spark(0)).await;
    assert!(matches!(unfit, Err(Error::Invalid { .. })), "{unfit:?}");
    assert_eq!(DELETED.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_tenant_and_the_kind_of_a_unique_index_need_no_condition() {
    let t = database("goc_given_keys").await;
    let seat = |number: i64| Seat {
        id: id(number),
        shop: None,
        name: "first".to_owned(),
    };
    for (shop, number, expected) in [("old", 1, 1), ("old", 2, 1), ("new", 3, 3)] {
        let odm = &t.odm.for_tenant(shop);
        let filter = Seat::fields().name.eq("first");
        let found = Seat::get_or_create(odm, filter, &seat(number));
        let found = found.await.unwrap();
        assert_eq!(found.document.id, id(expected));
        assert_eq!(found.is_created, number == expected);
    }
    for (number, is_created) in [(1, true), (2, false)] {
        let shield = Shield {
            id: id(number),
            form: None,
            name: "exit".to_owned(),
        };
        let filter = Shield::fields().name.eq("exit");
        let found = Shield::get_or_create(&t.odm, filter, &shield)
            .await
            .unwrap();
        assert_eq!((found.document.id, found.is_created), (id(1), is_created));
    }
}

#[tokio::test]
async fn a_partial_index_of_existing_fields_is_unique_for_values() {
    let t = database("goc_partial").await;
    let odm = &t.odm.for_tenant("new");
    for (number, is_created) in [(1, true), (2, false)] {
        let locker = Locker {
            id: id(number),
            shop: None,
            code: Some("a".to_owned()),
        };
        let found = Locker::get_or_create(odm, doc! { "code": "a" }, &locker);
        let found = found.await.unwrap();
        assert_eq!((found.document.id, found.is_created), (id(1), is_created));
    }
    let without = Locker {
        id: id(3),
        shop: None,
        code: None,
    };
    let none = doc! { "code": null };
    let error = Locker::get_or_create(odm, none, &without)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("`$exists`"), "{error}");
}
