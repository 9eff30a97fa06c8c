//! Chapter 12: transactions, and calls that are dropped.

use std::{fmt, time::Duration};

use mongo_odm::{CustomError, prelude::*};
use odm_guide::{Chapter, run};

#[derive(Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "accounts")]
struct Account {
    #[serde(rename = "_id")]
    id: Id<Account, String>,
    cents: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "transfers")]
struct Transfer {
    #[serde(rename = "_id")]
    id: Id<Transfer>,
    #[parent_ref]
    from: Id<Account, String>,
    #[refs(one)]
    to: Id<Account, String>,
    cents: i64,
}

#[derive(Debug)]
struct NotEnough {
    missing: i64,
}

impl fmt::Display for NotEnough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cents are missing", self.missing)
    }
}

impl std::error::Error for NotEnough {}
impl CustomError for NotEnough {}

async fn book(odm: &Odm, transfer: &Transfer) -> mongo_odm::Result<()> {
    odm.transaction(async |tx| {
        let from = Account::get(&tx, &transfer.from).await?;
        if from.cents < transfer.cents {
            let missing = transfer.cents - from.cents;
            Err(NotEnough { missing })?;
        }
        let cents = Account::fields().cents;
        Account::update(&tx, &transfer.from)
            .inc(cents, -transfer.cents)
            .await?;
        Account::update(&tx, &transfer.to)
            .inc(cents, transfer.cents)
            .await?;
        transfer.insert(&tx).await?;
        Ok(())
    })
    .await
}

async fn book_or_explain(odm: &Odm, transfer: &Transfer) -> mongo_odm::Result<String> {
    match book(odm, transfer).await {
        Ok(()) => Ok("done".into()),
        Err(error) => match error.get_custom::<NotEnough>() {
            Some(reason) => Ok(format!("refused: {reason}")),
            None => Err(error),
        },
    }
}

/// Takes money from an account if it has enough.
async fn withdraw(odm: &Odm, account: &Account, cents: i64) -> mongo_odm::Result<bool> {
    let balance = Account::fields().cents;
    let report = Account::update(odm, &account.id)
        .filter(balance.gte(cents))
        .inc(balance, -cents)
        .await?;
    Ok(report.matched == 1)
}

async fn ignore_an_error(odm: &Odm, account: &Account) -> mongo_odm::Result<()> {
    odm.transaction(async |tx| {
        if account.insert(&tx).await.is_err() {
            println!("the account exists");
        }
        Ok(())
    })
    .await
}

async fn deposit_in_time(odm: &Odm, account: &Account) -> bool {
    let deposit = Account::update(odm, &account.id).inc(Account::fields().cents, 1);
    let timeout = tokio::time::timeout(Duration::from_micros(1), deposit.into_future());
    timeout.await.is_ok()
}

async fn program(chapter: &mut Chapter, odm: Odm) -> mongo_odm::Result<()> {
    let account = |id: &str, cents| Account {
        id: Id::from_key(id.into()),
        cents,
    };
    let (ann, bob) = (account("ann", 500), account("bob", 0));
    Account::insert_many(&odm, [&ann, &bob]).await?;
    let transfer = |cents| Transfer {
        id: Id::new(),
        from: ann.id.clone(),
        to: bob.id.clone(),
        cents,
    };
    chapter.sends(&odm, book(&odm, &transfer(200))).await?;
    chapter.stores(&odm, "accounts").await?;
    chapter.shows(book_or_explain(&odm, &transfer(900)).await?);
    chapter.sends(&odm, withdraw(&odm, &ann, 400)).await?;
    assert!(!withdraw(&odm, &ann, 400).await?);
    chapter.shows(ignore_an_error(&odm, &bob).await.unwrap_err());
    deposit_in_time(&odm, &bob).await;
    odm.finish_writes().await;
    Ok(())
}

#[tokio::test]
async fn runs() {
    run("12-transactions", program).await;
}
