//! Copies of copies: `Country.name -> City.country_name -> Address.country_name`.

use mongo_odm::{Guarantee, prelude::*};
use odm_tests::Harness;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "countries")]
pub struct Country {
    #[serde(rename = "_id")]
    pub id: Id<Country>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cities")]
pub struct City {
    #[serde(rename = "_id")]
    pub id: Id<City>,
    pub name: String,
    #[parent_ref]
    pub country: Id<Country>,
    #[denorm(from = Country.name)]
    pub country_name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "street_addresses")]
pub struct Address {
    #[serde(rename = "_id")]
    pub id: Id<Address>,
    #[parent_ref]
    pub city: Id<City>,
    #[denorm(from = City.name)]
    pub city_name: String,
    #[denorm(from = City.country_name)]
    pub country_name: String,
}

struct World {
    t: Harness,
    countries: [Country; 2],
    cities: Vec<City>,
}

impl World {
    /// Two countries. The first has `cities` cities with `addresses` addresses each.
    async fn new(test: &str, cities: usize, addresses: usize) -> Self {
        let t = empty(test).await;
        let sync = t.odm.sync_indexes().only::<Country>().only::<City>();
        sync.only::<Address>().await.unwrap();
        let countries = ["Siam", "Persia"].map(|name| Country {
            id: Id::new(),
            name: name.to_owned(),
        });
        t.given(&countries).await;
        let city = |number: usize| city(&countries[0], number);
        let cities: Vec<_> = (0..cities).map(city).collect();
        t.given(&cities).await;
        let all = cities
            .iter()
            .flat_map(|city| (0..addresses).map(|_| address(city)));
        t.given(&all.collect::<Vec<_>>()).await;
        Self {
            t,
            countries,
            cities,
        }
    }

    async fn expect(&self, name: &str, context: &str) {
        let odm = &self.t.odm;
        let others = doc! { "country_name": { "$ne": name } };
        assert_eq!(count(odm, "cities", others.clone()).await, 0, "{context}");
        assert_eq!(count(odm, "street_addresses", others).await, 0, "{context}");
    }
}

fn city(country: &Country, number: usize) -> City {
    City {
        id: Id::new(),
        name: format!("City {number}"),
        country: country.id,
        country_name: country.name.clone(),
    }
}

fn address(city: &City) -> Address {
    Address {
        id: Id::new(),
        city: city.id,
        city_name: city.name.clone(),
        country_name: city.country_name.clone(),
    }
}

fn rename(odm: &Odm, country: &Country, to: &str) -> mongo_odm::action::UpdateOne<Country> {
    Country::update(odm, country.id).set(Country::fields().name, to)
}

/// A few copies of copies change with their source, in one transaction.
#[tokio::test]
async fn a_small_chain_is_written_in_one_transaction() {
    let w = World::new("chains_small", 3, 4).await;
    w.t.forget();
    let report = rename(&w.t.odm, &w.countries[0], "Thailand").await.unwrap();
    assert_eq!(w.t.recorder().count("commitTransaction"), 1);
    let copies: Vec<_> = report
        .copies
        .iter()
        .map(|it| (it.relation.as_str(), it.modified, it.guarantee))
        .collect();
    let expected = [
        ("City.country <- Country", 3, Guarantee::Atomic),
        ("Address.city <- City", 12, Guarantee::Atomic),
    ];
    assert_eq!(copies, expected);
    w.expect("Thailand", "").await;
    settle(&w.t.odm).await;
}

/// Many copies of copies are written by jobs, and all of them are up to date when the write returns.
#[tokio::test]
async fn a_large_chain_is_written_by_jobs_before_the_write_returns() {
    let w = World::new("chains_large", 20, 60).await;
    let odm = w.t.odm.with_settings(settings().inline_copies(10));
    rename(&odm, &w.countries[0], "Thailand").await.unwrap();
    w.expect("Thailand", "20 cities").await;
    settle(&odm).await;
    // The first step fits into the transaction, the second does not.
    let odm = w.t.odm.with_settings(settings().inline_copies(100));
    rename(&odm, &w.countries[0], "Siam").await.unwrap();
    w.expect("Siam", "1,200 addresses").await;
    settle(&odm).await;
    // The copies do not change before the jobs are run.
    rename(&odm, &w.countries[0], "Muang Thai")
        .deferred()
        .await
        .unwrap();
    w.expect("Siam", "deferred").await;
    settle(&odm).await;
    w.expect("Muang Thai", "settled").await;
}

/// If a copy changes because its reference changes, the copies of this copy change, too.
#[tokio::test]
async fn a_changed_reference_goes_down_the_chain() {
    let w = World::new("chains_relink", 1, 3).await;
    let (fields, id) = (City::fields(), w.cities[0].id);
    for (way, odm) in both_ways(&w.t.odm) {
        let to = |at: usize| w.countries[at].id;
        City::update(&odm, id)
            .set(fields.country, to(1))
            .await
            .unwrap();
        w.expect("Persia", &format!("update, {way}")).await;
        City::update_many(&odm, fields.name.exists())
            .set(fields.country, to(0))
            .await
            .unwrap();
        w.expect("Siam", &format!("update_many, {way}")).await;
        City::upsert(&odm, fields.id.eq(id))
            .set(fields.country, to(1))
            .set_on_insert(fields.name, "new")
            .await
            .unwrap();
        w.expect("Persia", &format!("upsert, {way}")).await;
        let back = City::find_one_and_update(&odm, fields.id.eq(id)).set(fields.country, to(0));
        back.await.unwrap();
        w.expect("Siam", &format!("find_one_and_update, {way}"))
            .await;
        let mut city = w.cities[0].clone();
        city.country = to(1);
        city.save(&odm).await.unwrap();
        w.expect("Persia", &format!("save, {way}")).await;
        city.country = to(0);
        city.replace(&odm).await.unwrap();
        w.expect("Siam", &format!("replace, {way}")).await;
        settle(&odm).await;
        w.expect("Siam", &format!("settled, {way}")).await;
    }
}

/// Saving a struct that was loaded before a rename does not propagate its old copies down the chain.
#[tokio::test]
async fn a_save_of_an_old_struct_does_not_bring_old_copies_down_the_chain() {
    let w = World::new("chains_save", 1, 3).await;
    rename(&w.t.odm, &w.countries[0], "Thailand").await.unwrap();
    for (way, odm) in both_ways(&w.t.odm) {
        let mut old = w.cities[0].clone();
        old.name = format!("City by {way}");
        old.save(&odm).await.unwrap();
        w.expect("Thailand", way).await;
        let named = doc! { "city_name": &old.name };
        assert_eq!(count(&odm, "street_addresses", named).await, 3, "{way}");
        settle(&odm).await;
        w.expect("Thailand", way).await;
    }
}

/// Documents that wait for a source get the values that are stored in the source, not those in the inserted struct.
#[tokio::test]
async fn an_insert_in_the_middle_hands_on_what_it_took() {
    let w = World::new("chains_insert", 0, 0).await;
    let mut middle = city(&w.countries[0], 1);
    middle.id = Id::from_key(ObjectId::from_bytes([1; 12]));
    address(&middle).insert(&w.t.odm).await.unwrap();
    let mut old = middle.clone();
    old.country_name = "an old name".to_owned();
    old.insert(&w.t.odm).await.unwrap();
    w.expect("Siam", "insert").await;
    City::delete(&w.t.odm, old.id).await.unwrap();
    settle(&w.t.odm).await;
    rename(&w.t.odm, &w.countries[0], "Thailand").await.unwrap();
    let fields = City::fields();
    City::upsert(&w.t.odm, fields.id.eq(old.id))
        .set(fields.name, "City 2")
        .set(fields.country, w.countries[0].id)
        .with(doc! { "$setOnInsert": { "country_name": "an old name" } })
        .await
        .unwrap();
    w.expect("Thailand", "upsert").await;
    settle(&w.t.odm).await;
    w.expect("Thailand", "settled").await;
}

/// A write runs its own jobs, including those for copies of copies, but no jobs of other writes. Otherwise, it would
/// not return while other sources are renamed continuously.
#[tokio::test]
async fn a_write_by_jobs_leaves_the_jobs_of_others_to_others() {
    let w = World::new("chains_of_others", 2, 2).await;
    let odm = by_jobs(&w.t.odm);
    let abroad = city(&w.countries[1], 7);
    w.t.given(&[abroad.clone()]).await;
    w.t.given(&[address(&abroad)]).await;
    settle(&odm).await;
    let other = City::update(&odm, abroad.id).set(City::fields().name, "left");
    other.deferred().await.unwrap();
    rename(&odm, &w.countries[0], "Thai").await.unwrap();
    let at_home = doc! { "country_name": "Thai" };
    assert_eq!(count(&odm, "cities", at_home.clone()).await, 2);
    assert_eq!(count(&odm, "street_addresses", at_home).await, 4);
    let renamed = doc! { "city_name": "left" };
    assert_eq!(count(&odm, "street_addresses", renamed.clone()).await, 0);
    settle(&odm).await;
    assert_eq!(count(&odm, "street_addresses", renamed).await, 1);
}
