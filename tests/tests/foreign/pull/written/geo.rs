//! Models of the database `geo`, written by `odm pull` from samples of its documents.
//!
//! What the samples do not show is not known: `odm check` finds documents that do not fit.

use mongo_odm::prelude::*;

/// The 58220 documents of `cities`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cities")]
pub struct City {
    #[serde(rename = "_id")]
    pub id: Id<City, i32>,
    pub name: String,
    #[parent_ref]
    pub country_id: Id<Country, i32>,
    pub country_code: String,
    pub state_id: i32,
    pub state_code: String,
    // Numbers as text, which sort as text: `$toDouble` or `$toDecimal` makes numbers of them.
    pub latitude: String,
    // Numbers as text, which sort as text: `$toDouble` or `$toDecimal` makes numbers of them.
    pub longitude: String,
    pub population: Option<i32>,
}

/// The 250 documents of `countries`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "countries", has_many(cities = "City.country_id"))]
pub struct Country {
    #[serde(rename = "_id")]
    pub id: Id<Country, i32>,
    pub name: String,
    pub iso3: String,
    pub iso2: String,
    pub capital: String,
    pub currency: String,
    pub currency_name: String,
    pub region: String,
    pub subregion: String,
    pub nationality: String,
    pub population: Option<i32>,
    pub latitude: String,
    pub longitude: String,
    // The longest seen has 29 (`_id` 233); `max` leaves room, and writes refuse more.
    #[embed(max = 200)]
    pub timezones: Vec<Timezone>,
}

/// What `timezones[]` holds in `countries`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Timezone {
    #[serde(rename = "zoneName")]
    pub zone_name: String,
    #[serde(rename = "gmtOffset")]
    pub gmt_offset: i32,
    #[serde(rename = "gmtOffsetName")]
    pub gmt_offset_name: String,
    pub abbreviation: String,
    #[serde(rename = "tzName")]
    pub tz_name: String,
}
