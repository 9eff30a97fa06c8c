//! Keys that are not an `Id`, keys other than `_id`, and keys that several documents share.

use mongo_odm::prelude::*;
use odm_tests::Harness;

use super::deletes::{Chapter, Novel};
use crate::{models::*, setting::*};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "bank_accounts")]
pub struct Account {
    #[serde(rename = "_id")]
    pub id: i32,
    #[index]
    pub account_id: i32,
    pub limit: i64,
}

/// Refers to accounts by a field that several of them may share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "bank_customers")]
pub struct Customer {
    #[serde(rename = "_id")]
    pub id: Id<Customer>,
    #[refs(one, to = "Account.account_id")]
    pub account: i32,
    #[denorm(from = Account.limit)]
    pub limit: i64,
}

/// Refers to an account by its `_id`, which is a plain number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "bank_cards")]
pub struct Card {
    #[serde(rename = "_id")]
    pub id: Id<Card>,
    #[refs(one, to = "Account")]
    pub account: i32,
    #[denorm(from = Account.limit)]
    pub limit: i64,
}

fn account(id: i32, account_id: i32, limit: i64) -> Account {
    Account {
        id,
        account_id,
        limit,
    }
}

async fn bank(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Account>().only::<Customer>();
    sync.only::<Card>().await.unwrap();
    t
}

async fn customer(t: &Harness, account: i32) -> Id<Customer> {
    let customer = Customer {
        id: Id::new(),
        account,
        limit: -1,
    };
    customer.insert(&t.odm).await.unwrap();
    customer.id
}

async fn limit(t: &Harness, customer: Id<Customer>) -> i64 {
    Customer::get(&t.odm, customer).await.unwrap().limit
}

fn raise(odm: &Odm, account: i32, to: i64) -> mongo_odm::action::UpdateOne<Account> {
    Account::update(odm, account).set(Account::fields().limit, to)
}

/// Copies do not depend on the type of a key, or on the number type in which the key is stored.
#[tokio::test]
async fn copies_follow_a_plain_number_whatever_its_stored_type() {
    let t = bank("keys_plain").await;
    t.given(&[account(1, 7, 10)]).await;
    let card = Card {
        id: Id::new(),
        account: 1,
        limit: -1,
    };
    card.insert(&t.odm).await.unwrap();
    assert_eq!(Card::get(&t.odm, card.id).await.unwrap().limit, 10);
    let others = [
        doc! { "account": 1_i64, "limit": 0 },
        doc! { "account": 1.0, "limit": 0 },
    ];
    put(&t.odm, "bank_cards", others).await;
    for (to, (way, odm)) in [(20, 30), (40, 50)].into_iter().zip(both_ways(&t.odm)) {
        for to in [to.0, to.1] {
            let report = raise(&odm, 1, to).await.unwrap();
            let cards = report
                .copies
                .iter()
                .find(|it| it.collection == "bank_cards")
                .unwrap();
            assert_eq!(cards.modified, 3, "{way}");
            assert_eq!(
                count(&odm, "bank_cards", doc! { "limit": to }).await,
                3,
                "{way}"
            );
        }
        settle(&odm).await;
    }
}

/// If several sources have the same key, the source with the lowest `_id` is copied, even if the lowest `_id` changes.
#[tokio::test]
async fn the_source_with_the_lowest_id_counts() {
    let t = bank("keys_shared").await;
    t.given(&[account(2, 7, 20), account(1, 7, 10)]).await;
    let (seven, eight) = (customer(&t, 7).await, customer(&t, 8).await);
    assert_eq!((limit(&t, seven).await, limit(&t, eight).await), (10, -1));
    for (_, odm) in both_ways(&t.odm) {
        raise(&odm, 2, 21).await.unwrap();
        assert_eq!(limit(&t, seven).await, 10, "the other one does not count");
        raise(&odm, 1, 11).await.unwrap();
        assert_eq!(limit(&t, seven).await, 11);
        account(0, 7, 5).insert(&odm).await.unwrap();
        assert_eq!(limit(&t, seven).await, 5, "a lower one has come");
        Account::update(&odm, 0)
            .set(Account::fields().account_id, 8)
            .await
            .unwrap();
        assert_eq!(
            (limit(&t, seven).await, limit(&t, eight).await),
            (11, 5),
            "it has gone to others"
        );
        Account::delete(&odm, 1).await.unwrap();
        assert_eq!(limit(&t, seven).await, 21, "the next one takes its place");
        settle(&odm).await;
        assert_eq!((limit(&t, seven).await, limit(&t, eight).await), (21, 5));
        account(1, 7, 10).insert(&odm).await.unwrap();
        Account::delete(&odm, 0).await.unwrap();
        settle(&odm).await;
        assert_eq!((limit(&t, seven).await, limit(&t, eight).await), (10, 5));
    }
}

/// If two products use a part, the part copies from the product with the lower `_id`.
#[tokio::test]
async fn the_lowest_of_several_products_names_a_part() {
    let t = shop("keys_products").await;
    let part = part(1);
    t.given(&[part.clone()]).await;
    let products = [product(1, [&part]), product(2, [&part])];
    let number = async || {
        Part::get(&t.odm, part.id)
            .await
            .unwrap()
            .product_catalog_number
    };
    for (_, odm) in both_ways(&t.odm) {
        products[1].insert(&odm).await.unwrap();
        assert_eq!(number().await, Some(2));
        products[0].insert(&odm).await.unwrap();
        assert_eq!(number().await, Some(1));
        let fields = Product::fields();
        Product::update(&odm, products[1].id)
            .set(fields.catalog_number, 3)
            .await
            .unwrap();
        assert_eq!(number().await, Some(1));
        Product::delete(&odm, products[0].id).await.unwrap();
        assert_eq!(number().await, Some(3));
        Product::delete(&odm, products[1].id).await.unwrap();
        assert_eq!(number().await, None);
        settle(&odm).await;
        assert_eq!(number().await, None);
    }
}

/// The copies of a reference that is written before its target get the target's values after the target is inserted.
/// They get them at once, or, if the insert of a new id does not look for such references, in the last look of a job.
#[tokio::test]
async fn copies_that_were_there_before_their_source_follow_it() {
    let t = shop("keys_child_first").await;
    let patient = settings().grace(std::time::Duration::from_secs(180));
    for (at, odm) in [(1, t.odm.clone()), (3, t.odm.with_settings(patient))] {
        let (one, two) = (part(at), part(at + 1));
        let mut product = product(at, [&one, &two]);
        product.parts[0].name = "a guess".to_owned();
        let pushed = product.parts.pop().unwrap();
        product.insert(&odm).await.unwrap();
        let parts = Product::fields().parts;
        let push = Product::update(&odm, product.id).push(
            parts,
            PartLine {
                name: "?".to_owned(),
                ..pushed
            },
        );
        push.await.unwrap();
        Part::insert_many(&odm, [&one, &two]).await.unwrap();
        later(&odm).await;
        settle(&odm).await;
        let stored = Product::get(&odm, product.id).await.unwrap();
        assert_eq!(stored.parts, [line(&one), line(&two)]);
    }
}

/// A dangling reference whose target never existed does not cause a delete.
#[tokio::test]
async fn a_reference_without_a_target_is_left_alone() {
    let t = empty("keys_dangling").await;
    let sync = t.odm.sync_indexes().only::<Novel>().only::<Chapter>();
    sync.await.unwrap();
    let chapter = Chapter {
        id: Id::new(),
        novel: Id::new(),
        novel_title: "to be written".to_owned(),
    };
    chapter.insert(&t.odm).await.unwrap();
    settle(&t.odm).await;
    assert_eq!(Chapter::find(&t.odm).await.unwrap(), [chapter]);
}
