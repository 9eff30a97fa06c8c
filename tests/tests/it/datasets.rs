//! Real data. Joins and counts must return known results.
//!
//! The data is not part of the repository. The environment variable `ODM_DATA` contains its folder.
//! Without this variable, the tests print a note to standard error and check nothing.

use std::path::PathBuf;

use mongo_odm::prelude::*;
use odm_tests::{
    Harness,
    data::{documents, folder},
    sent::commands,
};

/// Stores the documents of a file unchanged.
async fn import(t: &Harness, file: PathBuf, collection: &str) -> usize {
    let documents = documents(file);
    t.database()
        .collection(collection)
        .insert_many(&documents)
        .await
        .unwrap();
    documents.len()
}

async fn index(t: &Harness, collection: &str, path: &str) {
    let keys = doc! { path: 1 };
    let index = mongo_odm::mongodb::IndexModel::builder().keys(keys).build();
    t.database()
        .collection(collection)
        .create_index(index)
        .await
        .unwrap();
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(
    collection = "analytics_accounts",
    has_many(customers = "Customer.accounts")
)]
struct AnalyticsAccount {
    #[serde(rename = "_id")]
    id: Id<AnalyticsAccount>,
    #[index]
    account_id: i32,
    limit: i32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "analytics_customers")]
struct Customer {
    #[serde(rename = "_id")]
    id: Id<Customer>,
    username: String,
    #[refs(many, to = "AnalyticsAccount.account_id")]
    accounts: Vec<i32>,
}

#[tokio::test]
async fn every_account_of_every_customer_is_found() {
    let Some(folder) = folder("every_account_of_every_customer_is_found", "analytics") else {
        return;
    };
    let t = Harness::new("analytics").await;
    assert_eq!(
        import(&t, folder.join("customers.jsonl"), "analytics_customers").await,
        500
    );
    assert_eq!(
        import(&t, folder.join("accounts.jsonl"), "analytics_accounts").await,
        1_746
    );
    index(&t, "analytics_accounts", "account_id").await;
    index(&t, "analytics_customers", "accounts").await;
    let customers = Customer::find(&t.odm).await.unwrap();
    assert_eq!(
        customers
            .iter()
            .map(|customer| customer.accounts.len())
            .sum::<usize>(),
        1_746
    );
    assert_eq!(
        customers
            .iter()
            .map(|customer| customer.accounts.len())
            .max(),
        Some(6)
    );

    t.forget();
    let accounts = Customer::join_accounts(&customers, &t.odm)
        .require_all()
        .await
        .unwrap();
    assert_eq!(
        commands(&t, "find").len(),
        1,
        "1,745 keys are one statement"
    );
    assert!(accounts.missing().is_empty(), "none dangling");
    assert_eq!(accounts.len(), 1_746, "every account is referenced");
    // Two accounts have the number 627788, which is referenced twice: 1,744 + 2 * 2.
    assert_eq!(
        customers
            .iter()
            .map(|customer| accounts.of(customer).len())
            .sum::<usize>(),
        1_748
    );
    for customer in customers
        .iter()
        .filter(|customer| !customer.accounts.contains(&627_788))
    {
        assert!(
            accounts
                .of(customer)
                .map(|account| account.account_id)
                .eq(customer.accounts.iter().copied())
        );
    }
    let twice: Vec<_> = customers
        .iter()
        .filter(|customer| customer.accounts.contains(&627_788))
        .collect();
    for customer in &twice {
        let loaded = customer.load_accounts(&t.odm).await.unwrap();
        let same = loaded
            .iter()
            .filter(|account| account.account_id == 627_788)
            .count();
        assert_eq!(
            same,
            2 * customer
                .accounts
                .iter()
                .filter(|key| **key == 627_788)
                .count()
        );
        assert!(accounts.of(customer).eq(&loaded));
    }
    let counts = Customer::join_accounts(&customers, &t.odm)
        .count_each()
        .await
        .unwrap();
    assert!(
        customers
            .iter()
            .all(|customer| counts.of(customer) == accounts.of(customer).len() as u64)
    );

    let all = AnalyticsAccount::find(&t.odm).await.unwrap();
    let owners = AnalyticsAccount::join_customers(&all, &t.odm)
        .require_all()
        .await
        .unwrap();
    assert_eq!(
        all.iter()
            .map(|account| owners.of(account).len())
            .sum::<usize>(),
        1_748 - twice_in_one(&twice)
    );
}

/// Returns the number of repeated references within one customer. A join from the accounts does not count them.
fn twice_in_one(customers: &[&Customer]) -> usize {
    let repeats = |customer: &&Customer| {
        customer
            .accounts
            .iter()
            .filter(|key| **key == 627_788)
            .count()
            - 1
    };
    customers.iter().map(repeats).sum::<usize>() * 2
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "geo_countries", has_many(cities = "City.country_id"))]
struct Country {
    #[serde(rename = "_id")]
    id: Id<Country, i32>,
    name: String,
    iso2: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "geo_cities")]
struct City {
    #[serde(rename = "_id")]
    id: Id<City, i32>,
    name: String,
    country_code: String,
    #[parent_ref]
    country_id: Id<Country, i32>,
}

#[tokio::test]
async fn the_cities_of_every_country_are_counted_and_joined() {
    let Some(folder) = folder("the_cities_of_every_country", "geo") else {
        return;
    };
    let t = Harness::new("geo").await;
    assert_eq!(
        import(&t, folder.join("countries.jsonl"), "geo_countries").await,
        250
    );
    assert_eq!(
        import(&t, folder.join("cities.jsonl.gz"), "geo_cities").await,
        58_220
    );
    index(&t, "geo_cities", "country_id").await;
    let countries = Country::find(&t.odm).await.unwrap();
    t.forget();
    let counts = Country::join_cities(&countries, &t.odm)
        .count_each()
        .await
        .unwrap();
    assert_eq!(t.recorder().names(), ["aggregate"]);
    let of = |id: i32| {
        counts.of(countries
            .iter()
            .find(|country| *country.id.key() == id)
            .unwrap())
    };
    assert_eq!((of(45), of(232)), (4_133, 3_879));
    assert_eq!(
        countries
            .iter()
            .filter(|country| counts.of(country) == 0)
            .count(),
        39
    );
    assert_eq!(
        countries
            .iter()
            .map(|country| counts.of(country))
            .sum::<u64>(),
        58_220
    );

    let cities = Country::join_cities(&countries, &t.odm).await.unwrap();
    assert!(
        countries
            .iter()
            .all(|country| cities.of(country).len() as u64 == counts.of(country))
    );
    assert_eq!(cities.missing().len(), 39);
    let stale = |country: &Country| {
        cities
            .of(country)
            .any(|city| city.country_code != country.iso2)
    };
    assert!(!countries.iter().any(stale), "no stale copy");

    let first = Country::join_cities(&countries, &t.odm)
        .sort(City::fields().name.asc())
        .limit_each(3);
    let first = first.await.unwrap();
    let expected: u64 = countries
        .iter()
        .map(|country| counts.of(country).min(3))
        .sum();
    assert_eq!(first.len() as u64, expected);
    let home = City::join_country_id(cities.documents(), &t.odm)
        .require_all()
        .await
        .unwrap();
    assert_eq!(home.len(), 211, "none dangling");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "school_students", has_many(grades = "Grade.student_id"))]
struct Student {
    #[serde(rename = "_id")]
    id: Id<Student, i32>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "school_grades")]
struct Grade {
    #[serde(rename = "_id")]
    id: Id<Grade>,
    class_id: i32,
    #[parent_ref]
    student_id: Id<Student, i32>,
}

#[tokio::test]
async fn fifty_students_have_grades() {
    let Some(folder) = folder("fifty_students_have_grades", "school") else {
        return;
    };
    let t = Harness::new("school").await;
    assert_eq!(
        import(&t, folder.join("students.jsonl"), "school_students").await,
        200
    );
    assert_eq!(
        import(&t, folder.join("grades.jsonl"), "school_grades").await,
        280
    );
    let students = Student::find(&t.odm).await.unwrap();
    let grades = Student::join_grades(&students, &t.odm).await.unwrap();
    assert_eq!(grades.len(), 280);
    assert_eq!(
        students
            .iter()
            .filter(|student| grades.of(student).len() > 0)
            .count(),
        50
    );
    let of_students = Grade::join_student_id(grades.documents(), &t.odm)
        .require_all()
        .await
        .unwrap();
    assert_eq!(of_students.len(), 50);
    let mut classes: Vec<i32> = grades
        .documents()
        .iter()
        .map(|grade| grade.class_id)
        .collect();
    classes.sort_unstable();
    classes.dedup();
    assert_eq!(classes.len(), 31);
}
