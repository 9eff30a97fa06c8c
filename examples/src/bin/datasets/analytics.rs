//! Customers refer to accounts by a number. The number of an account is not its `_id`, and it is
//! not even unique.

use anyhow::Result;
use mongo_odm::prelude::*;
use odm_examples::{Stage, ask, few};

use crate::{facts::Facts, files::Files};

/// A number that two account documents in the data set have.
const TWICE: i32 = 627_788;

/// A customer. The stored documents have more fields, because a model need not declare all of them.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "customers")]
pub struct Customer {
    #[serde(rename = "_id")]
    pub id: Id<Customer>,
    pub name: String,
    /// Plain numbers, stored as 32-bit integers. `to` specifies the field that they refer to.
    #[refs(many, to = "Account.number", max = 6)]
    pub accounts: Vec<i32>,
}

/// An account. `customers` reads the references of customers in the other direction.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "accounts", has_many(customers = "Customer.accounts"))]
pub struct Account {
    #[serde(rename = "_id")]
    pub id: Id<Account>,
    /// Stored as `account_id`. Attributes use the Rust name of the field.
    #[serde(rename = "account_id")]
    pub number: i32,
    pub limit: i32,
    pub products: Vec<String>,
}

/// Loads and joins customers and accounts.
pub async fn run(stage: &Stage, files: &Files, facts: &mut Facts) -> Result<()> {
    stage.pattern(
        "analytics: customers and accounts",
        "References to a key that is not `_id` and not unique.",
    );
    let odm = &stage.odm;
    files
        .load(odm, "analytics/customers.jsonl", "customers")
        .await?;
    files
        .load(odm, "analytics/accounts.jsonl", "accounts")
        .await?;

    all_accounts(stage, facts).await?;
    the_number_that_stands_twice(stage, facts).await
}

async fn all_accounts(stage: &Stage, facts: &mut Facts) -> Result<()> {
    let odm = &stage.odm;
    let customers = ask!(stage, Customer::find(odm));
    facts.check("customers", customers.len(), 500);
    facts.check(
        "references",
        customers.iter().map(|c| c.accounts.len()).sum(),
        1_746,
    );
    let most = customers
        .iter()
        .map(|c| c.accounts.len())
        .max()
        .unwrap_or(0);
    facts.check("most references of one customer", most, 6);

    let accounts = ask!(stage, Customer::join_accounts(&customers, odm));
    for customer in customers.iter().take(2) {
        let limits = accounts
            .of(customer)
            .map(|a| format!("{} up to {}", a.number, a.limit));
        stage.answer(format!("{}: {}", customer.name, few(limits)));
    }
    facts.check("references that lead nowhere", accounts.missing().len(), 0);
    // Customers refer to all accounts, so the join returns every document of the collection.
    facts.check("accounts that a customer refers to", accounts.len(), 1_746);
    facts.check("accounts", Account::count(odm).await?, 1_746);
    Ok(())
}

async fn the_number_that_stands_twice(stage: &Stage, facts: &mut Facts) -> Result<()> {
    let odm = &stage.odm;
    let number = Account::fields().number;
    let accounts = ask!(stage, Account::find(odm).filter(number.eq(TWICE)));
    facts.check(
        "account documents with the number 627788",
        accounts.len(),
        2,
    );
    for account in &accounts {
        stage.answer(format!(
            "{} up to {}: {}",
            account.id,
            account.limit,
            few(&account.products)
        ));
    }

    let owners = ask!(stage, Account::join_customers(&accounts, odm));
    for account in &accounts {
        let names = few(owners.of(account).map(|customer| &customer.name));
        stage.answer(format!("{} belongs to {names}", account.id));
    }
    facts.check("customers that refer to 627788", owners.len(), 2);

    // A key that is not unique returns all documents that have it, in the position of the
    // reference.
    for owner in owners.documents() {
        let loaded = ask!(stage, owner.load_accounts(odm));
        let both = loaded
            .iter()
            .filter(|account| account.number == TWICE)
            .count();
        let (references, name) = (owner.accounts.len(), &owner.name);
        stage.answer(format!(
            "{name}: {references} references, {} accounts",
            loaded.len()
        ));
        facts.check("documents in the place of 627788", both, 2);
    }
    Ok(())
}
