//! Filters, updates, pages and transactions.

use anyhow::{Context, Result};
use mongo_odm::{Error, prelude::*};
use odm_examples::{Stage, ask, few};

use crate::models::{Part, Person, Product, Task};

/// Filters and updates with typed field handles, or with plain documents if you prefer them.
pub async fn filters_and_updates(stage: &Stage) -> Result<()> {
    stage.pattern(
        "Filters and updates",
        "Handles know the stored name and the type of a field; a plain document does as well.",
    );
    let odm = &stage.odm;
    let part = Part::fields();

    let count = ask!(
        stage,
        Part::count(odm).filter(part.qty.lt(10) & (part.price.gt(30.0) | part.cost.lt(1.0)))
    );
    stage.answer(format!("{count} parts are nearly out of stock"));

    let report = ask!(
        stage,
        Part::update_many(odm, part.qty.lt(10)).inc(part.qty, 100)
    );
    stage.answer(format!(
        "{} matched, {} changed",
        report.matched, report.modified
    ));

    let left = ask!(
        stage,
        Part::find(odm)
            .filter(doc! { "qty": { "$lt": 10 } })
            .count()
    );
    stage.answer(format!("{left} are left, by a plain document"));

    let renamed = ask!(
        stage,
        Part::find_one_and_update(odm, part.partno.eq("000007-aff"))
            .set(part.name, "#7 left-handed grommet")
            .return_new()
    );
    stage.answer(few(renamed.map(|part| part.name)));
    Ok(())
}

/// Reads pages that start after a given document instead of after a number of documents.
pub async fn pages(stage: &Stage) -> Result<()> {
    stage.pattern(
        "Keyset pages",
        "The next page starts after the last document of this one: no page is read to be left out, \
         and nothing shifts when documents come and go.",
    );
    let odm = &stage.odm;
    let sort = || Product::fields().name.asc();

    let first = ask!(stage, Product::find(odm).sort(sort()).page(3));
    stage.answer(few(first
        .items
        .iter()
        .map(|product| product.catalog_number)));
    let token = first.next.context("there is only one page")?;

    let second = ask!(
        stage,
        Product::find(odm).sort(sort()).page(3).after(token.clone())
    );
    stage.answer(few(second
        .items
        .iter()
        .map(|product| product.catalog_number)));
    Ok(())
}

/// Changes the owner of a task in a transaction. Either both sides of the reference change, or
/// neither.
pub async fn hand_over_in_a_transaction(stage: &Stage) -> Result<()> {
    stage.pattern(
        "A transaction",
        "`&tx` stands wherever `&odm` does, for loads and for writes.",
    );
    let odm = &stage.odm;
    let task = Task::find(odm).first().require().await?;
    let other = Person::find_one(odm)
        .filter(Person::fields().id.ne(task.owner))
        .require()
        .await?;

    let hand_over = odm.transaction(async |tx| {
        let before = task.load_owner(&tx).require().await?;
        Task::update(&tx, task.id)
            .set(Task::fields().owner, other.id)
            .await?;
        Ok(before.name)
    });
    let before = stage.run("odm.transaction(async |tx| { .. }): load, set", hand_over);
    let before = before.await?;
    let now = Task::get(odm, task.id)
        .await?
        .load_owner(odm)
        .require()
        .await?;
    stage.answer(format!(
        "{} went from {before} to {}",
        task.description, now.name
    ));
    let owned = Person::get(odm, other.id).await?.tasks.contains(&task.id);
    anyhow::ensure!(owned, "the new owner does not know the task");

    // An error ends the transaction, and nothing is written.
    let failing = odm.transaction(async |tx| {
        Task::delete(&tx, task.id).await?;
        Err::<(), _>(Error::custom("changed my mind"))
    });
    stage
        .refused("the same with a delete and an error of our own", failing)
        .await?;
    let still = Task::exists(odm)
        .filter(Task::fields().id.eq(task.id))
        .await?;
    stage.answer(format!("the task is still there: {still}"));
    anyhow::ensure!(still, "a failed transaction has left something behind");
    Ok(())
}
