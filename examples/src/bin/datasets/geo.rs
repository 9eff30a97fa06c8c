//! Cities refer to their country. A few countries have thousands of cities.

use anyhow::{Context, Result};
use mongo_odm::prelude::*;
use odm_examples::{Stage, ask, few, thousands};

use crate::{facts::Facts, files::Files};

/// A country, which has a number as its `_id`.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "countries", has_many(cities = "City.country"))]
pub struct Country {
    #[serde(rename = "_id")]
    pub id: Id<Country, i32>,
    pub name: String,
    pub iso2: String,
}

/// A city. The stored name of the reference is `country_id`, and its Rust name is `country`. So the
/// method is called `load_country` and not `load_country_id`.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "cities", index(keys(country = 1, population = -1)))]
pub struct City {
    #[serde(rename = "_id")]
    pub id: Id<City, i32>,
    pub name: String,
    #[serde(rename = "country_id")]
    #[parent_ref]
    pub country: Id<Country, i32>,
    /// A copy of `Country.iso2`.
    pub country_code: String,
    pub population: Option<i64>,
}

/// A projection that contains only the code of a country.
#[derive(Debug, Deserialize, Projection)]
#[projection(of = "Country")]
pub struct Code {
    pub iso2: String,
}

/// A projection that contains the name and the population of a city.
#[derive(Debug, Deserialize, Projection)]
#[projection(of = "City")]
pub struct CitySize {
    pub name: String,
    pub population: Option<i64>,
}

/// Loads and joins countries and cities.
pub async fn run(stage: &Stage, files: &Files, facts: &mut Facts) -> Result<()> {
    stage.pattern(
        "geo: countries and cities",
        "One-to-squillions: 58,220 parent references.",
    );
    let odm = &stage.odm;
    facts.check(
        "countries",
        files.load(odm, "geo/countries.jsonl", "countries").await?,
        250,
    );
    facts.check(
        "cities",
        files.load(odm, "geo/cities.jsonl.gz", "cities").await?,
        58_220,
    );

    counts(stage, facts).await?;
    largest(stage).await?;
    codes(stage, facts).await?;
    all_of_one(stage, facts).await
}

async fn counts(stage: &Stage, facts: &mut Facts) -> Result<()> {
    let odm = &stage.odm;
    let countries = Country::find(odm).await?;
    let counts = ask!(stage, Country::join_cities(&countries, odm).count_each());
    let cities_of = |id: i32| {
        let country = countries.iter().find(|country| *country.id.key() == id);
        country.map_or(0, |country| counts.of(country))
    };
    facts.check("cities of country 45", cities_of(45), 4_133);
    facts.check("cities of country 232", cities_of(232), 3_879);
    let without = countries
        .iter()
        .filter(|country| counts.of(country) == 0)
        .count();
    facts.check("countries without cities", without, 39);
    Ok(())
}

async fn largest(stage: &Stage) -> Result<()> {
    let odm = &stage.odm;
    let countries = Country::find(odm).await?;
    let largest = ask!(
        stage,
        Country::join_cities(&countries, odm)
            .sort(City::fields().population.desc())
            .limit_each(2)
            .select::<CitySize>()
    );
    for country in countries
        .iter()
        .filter(|country| largest.of(country).len() > 0)
        .take(3)
    {
        let cities = largest.of(country).map(|city| {
            let people = usize::try_from(city.population.unwrap_or(0)).unwrap_or(0);
            format!("{} ({})", city.name, thousands(people))
        });
        stage.answer(format!("{}: {}", country.name, few(cities)));
    }
    stage.answer(format!("{} cities came over the wire", largest.len()));
    Ok(())
}

async fn codes(stage: &Stage, facts: &mut Facts) -> Result<()> {
    let odm = &stage.odm;
    let cities = City::find(odm).await?;
    let countries = ask!(stage, City::join_country(&cities, odm).select::<Code>());
    stage.answer(format!(
        "{} cities, {} distinct countries",
        thousands(cities.len()),
        countries.len()
    ));
    facts.check("references that lead nowhere", countries.missing().len(), 0);
    let is_stale = |city: &&City| {
        countries
            .one_of(city)
            .is_none_or(|country| country.iso2 != city.country_code)
    };
    facts.check(
        "cities whose copy of the code is stale",
        cities.iter().filter(is_stale).count(),
        0,
    );
    Ok(())
}

async fn all_of_one(stage: &Stage, facts: &mut Facts) -> Result<()> {
    let odm = &stage.odm;
    let country = Country::get(odm, Id::from_key(45)).await?;
    let cities = ask!(stage, country.load_cities(odm).select::<CitySize>());
    facts.check("cities of country 45, loaded", cities.len(), 4_133);

    let city = City::find_one(odm)
        .filter(City::fields().country.eq(country.id))
        .require()
        .await?;
    let home = ask!(stage, city.load_country(odm)).context("the city has no country")?;
    stage.answer(format!("{} lies in {}", city.name, home.name));
    Ok(())
}
