//! Models of the database `analytics`, written by `odm pull` from samples of its documents.
//!
//! What the samples do not show is not known: `odm check` finds documents that do not fit.

use std::collections::BTreeMap;

use mongo_odm::bson::Document;
use mongo_odm::prelude::*;

/// The 1746 documents of `accounts`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "accounts", has_many(customers = "Customer.accounts"))]
pub struct Account {
    #[serde(rename = "_id")]
    pub id: Id<Account>,
    pub account_id: i32,
    pub limit: i32,
    // The longest seen has 5 (`_id` ObjectId("5ca4bbc7a2dd94ee58162391")); `max` leaves room, and writes refuse more.
    #[embed(max = 20)]
    pub products: Vec<AccountProduct>,
}

/// What `products[]` holds in `accounts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum AccountProduct {
    InvestmentStock,
    CurrencyService,
    Brokerage,
    InvestmentFund,
    Commodity,
    Derivatives,
    // Any text that the sample does not have.
    #[serde(untagged)]
    Other(String),
}

/// The 500 documents of `customers`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "customers")]
pub struct Customer {
    #[serde(rename = "_id")]
    pub id: Id<Customer>,
    pub username: String,
    pub name: String,
    pub address: String,
    pub birthdate: DateTime,
    pub email: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<bool>,
    // The longest seen has 6 (`_id` ObjectId("5ca4bbcea2dd94ee58162a68")); `max` leaves room, and writes refuse more.
    #[refs(many, to = "Account.account_id", max = 50)]
    pub accounts: Vec<i32>,
    // The names are values in an order of their own: a write sorts them.
    pub tier_and_details: BTreeMap<String, TierAndDetail>,
    // Some fields are in fewer than 2 of 100 documents (`active`): there may be others, which are kept here.
    #[serde(flatten)]
    pub rest: Document,
}

/// What `tier_and_details.*` holds in `customers`.
/// A write changes the order of the fields in one document: `_id` ObjectId("5ca4bbcea2dd94ee58162a68").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct TierAndDetail {
    pub tier: TierAndDetailTier,
    pub benefits: Vec<String>,
    pub active: bool,
    #[serde(rename = "id")]
    pub id_: String,
}

/// What `tier_and_details.*.tier` holds in `customers`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum TierAndDetailTier {
    Platinum,
    Silver,
    Gold,
    Bronze,
    // Any text that the sample does not have.
    #[serde(untagged)]
    Other(String),
}
