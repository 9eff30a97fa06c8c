//! Check R11: undeclared copies.

use mongo_odm::{
    Settings,
    bson::{Bson, Document, doc},
    prelude::*,
};
use mongo_odm_tools::{OdmTools, Severity};
use odm_tests::Harness;

use crate::{
    models::{Bag, Brand, Shoe},
    seeds::{figure, only, stored},
};

fn countries() -> impl Iterator<Item = Document> {
    (0..60)
        .map(|n| doc! { "_id": n, "iso2": format!("C{n}"), "level": n % 3, "open": true, "n": n, "tenant": format!("t{}", n % 12) })
}

async fn cities(t: &Harness, city: impl Fn(i32) -> Document) {
    stored(t, "countries", countries()).await;
    stored(t, "cities", (0..600).map(city)).await;
    let cities = t.database().collection("cities");
    let index = mongo_odm::mongodb::IndexModel::builder().keys(doc! { "country_id": 1 });
    cities.create_index(index.build()).await.unwrap();
}

#[tokio::test]
async fn a_copy_that_is_kept_by_hand_in_a_foreign_database() {
    let t = Harness::new("advise_r11").await;
    let city = |n: i32| {
        let code = if n == 7 {
            "old".to_owned()
        } else {
            format!("C{}", n % 60)
        };
        doc! { "_id": n, "country_id": n % 60, "country_code": code }
    };
    cities(&t, city).await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "R11", "cities.country_code");
    let pairs = figure(finding, "pairs");
    assert!(pairs >= 300, "{finding}");
    assert!(
        figure(finding, "keys") >= 50 && finding.model.is_none(),
        "{finding}"
    );
    assert!(
        finding
            .change
            .starts_with("`#[denorm(from = \"Country.iso2\")]` at `country_code`"),
        "{finding}"
    );
    // If all copies are equal to their sources, the finding is a note.
    let cities = t.database().collection("cities");
    let right = doc! { "$set": { "country_code": "C7" } };
    cities.update_one(doc! { "_id": 7 }, right).await.unwrap();
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "R11", "cities.country_code");
    assert_eq!(figure(finding, "pairs"), figure(finding, "equal"));
    assert_eq!(finding.severity, Severity::Note);
}

#[tokio::test]
async fn copies_in_the_lines_of_an_order() {
    let t = Harness::new("advise_r11_lines").await;
    stored(
        &t,
        "articles_sold",
        (0..80).map(
            |n| doc! { "_id": format!("article-{n}"), "label": format!("l{n}"), "cents": n * 7 },
        ),
    )
    .await;
    let line = |n: i32| doc! { "articles_sold_id": format!("article-{}", n % 80), "label": format!("l{}", n % 80), "pieces": n % 4 };
    let order = |n: i32| doc! { "_id": n, "lines": [line(n), line(n * 7)] };
    stored(&t, "orders", (0..200).map(order)).await;
    let orders = t.database().collection("orders");
    let keys = doc! { "lines.articles_sold_id": 1 };
    let index = mongo_odm::mongodb::IndexModel::builder().keys(keys);
    orders.create_index(index.build()).await.unwrap();
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let finding = only(&advice, "R11", "orders.lines.label");
    assert_eq!(figure(finding, "pairs"), figure(finding, "equal"));
}

#[tokio::test]
async fn values_that_are_equal_by_chance_are_no_copies() {
    let t = Harness::new("advise_r11_chance").await;
    let city = |n: i32| {
        doc! {
            // Few values, a constant, the key again, a value of the city itself, and values that many countries have.
            "tenant": format!("t{}", n % 12),
            "_id": n, "country_id": n % 60, "level": (n % 60) % 3, "open": true,
            "n": n % 60, "name": format!("C{}", n % 59), "lamps": n % 60,
        }
    };
    cities(&t, city).await;
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    assert!(advice.is_empty(), "{advice}");
}

#[tokio::test]
async fn what_programs_declare_is_no_copy_by_hand() {
    let t = Harness::new("advise_r11_declared").await;
    t.odm
        .sync_indexes()
        .only::<Bag>()
        .only::<Shoe>()
        .await
        .unwrap();
    let brand = |n: i32| doc! { "_id": n, "title": format!("brand {n}"), "founded": 1900 + n };
    stored(&t, "brands", (0..40).map(brand)).await;
    let bag =
        |n: i32| doc! { "_id": n, "brand": n % 40, "brand_title": format!("brand {}", n % 40) };
    stored(&t, "bags", (0..200).map(bag)).await;
    assert!(t.odm.advise().await.unwrap().is_empty());
    // The database does not contain the declaration yet.
    let advice = mongo_odm_tools::advise(&t.odm).await.unwrap();
    only(&advice, "R11", "bags.brand_title");
    let odm = t.odm.with_settings(Settings::default());
    let founded = Brand::fields().founded;
    let update = Brand::update(&odm, Id::from(1)).set(founded, 1850);
    update.await.unwrap();
    let advice = mongo_odm_tools::advise(&t.odm).await.unwrap();
    assert!(advice.is_empty(), "{advice}");
}

#[tokio::test]
async fn a_field_of_a_model_is_named_with_the_field_that_it_copies() {
    let t = Harness::new("advise_r11_models").await;
    t.odm
        .sync_indexes()
        .only::<crate::models::Hat>()
        .await
        .unwrap();
    let brand = |n: i32| doc! { "_id": n, "title": format!("brand {n}"), "founded": 1900 + n };
    stored(&t, "brands", (0..40).map(brand)).await;
    let hat = |n: i32| doc! { "_id": n, "brand": n % 40, "size": 1900 + n % 40, "brandTitle": Bson::from(format!("brand {}", n % 40)) };
    stored(&t, "hats", (0..200).map(hat)).await;
    let advice = t.odm.advise().await.unwrap();
    let finding = only(&advice, "R11", "Hat.brandTitle");
    assert!(
        finding
            .change
            .starts_with("`#[denorm(from = \"Brand.title\")]` at `Hat.brandTitle`"),
        "{finding}"
    );
}

#[tokio::test]
async fn a_copy_is_told_once_beside_the_reference_that_it_belongs_to() {
    let t = Harness::new("advise_r11_once").await;
    let index = |key: &str| mongo_odm::mongodb::IndexModel::builder().keys(doc! { key: 1 });
    // Created before the documents, because the testkit does not shard a collection that is created with a unique
    // index.
    let unique = mongo_odm::mongodb::options::IndexOptions::builder();
    let unique = index("email").options(unique.unique(true).build());
    let users = t.database().collection("users");
    users.create_index(unique.build()).await.unwrap();
    let user = |n: i32| {
        let name = format!("User {n} {}", n * 7 % 60);
        doc! { "_id": n, "name": name, "email": format!("u{n}@example.org") }
    };
    stored(&t, "users", (0..120).map(user)).await;
    let order = |n: i32| {
        let mut of = user(n % 120);
        let (id, name, email) = (of.remove("_id"), of.remove("name"), of.remove("email"));
        doc! { "_id": n, "user_email": email, "user_id": id.clone(), "paid_by_user_id": id, "user_name": name }
    };
    stored(&t, "orders", (0..600).map(order)).await;
    for key in ["user_id", "paid_by_user_id"] {
        let orders = t.database().collection("orders");
        orders.create_index(index(key).build()).await.unwrap();
    }
    let advice = mongo_odm_tools::advise(t.database().database())
        .await
        .unwrap();
    let found: Vec<_> = advice
        .findings
        .iter()
        .map(|it| (it.code, it.place()))
        .collect();
    let copies = ["email", "name"].map(|name| ("R11", format!("orders.user_{name}")));
    assert_eq!(found, copies, "{advice}");
    for finding in &advice.findings {
        assert!(
            finding.evidence.contains("that `user_id` refers to"),
            "{finding}"
        );
    }
}
