//! One-to-few: data that belongs to a single document is embedded in it.

use anyhow::Result;
use mongo_odm::prelude::*;
use odm_examples::{Stage, ask, few};

use crate::models::{Address, Person};

/// Finds people by the addresses that are embedded in them.
pub async fn one_to_few(stage: &Stage) -> Result<()> {
    stage.pattern(
        "One-to-few: embed",
        "The addresses come with the person, and a filter reaches into them.",
    );
    let odm = &stage.odm;

    let people = ask!(
        stage,
        Person::find(odm)
            .filter(Person::fields().addresses.city.eq("Bern"))
            .limit(3)
    );
    for person in &people {
        let addresses = person
            .addresses
            .iter()
            .map(|a| format!("{}, {}", a.street, a.city));
        stage.answer(format!("{}: {}", person.name, few(addresses)));
    }

    // Both conditions apply to the same address. Otherwise, each condition could match a different
    // address.
    let people = ask!(
        stage,
        Person::find(odm)
            .filter(
                Person::fields()
                    .addresses
                    .elem_match(|address| address.cc.eq("USA") & address.city.ne("NYC"))
            )
            .count()
    );
    stage.answer(format!("{people} people live in the USA outside New York"));
    Ok(())
}

/// Tries to push more addresses than the model allows.
pub async fn bounded(stage: &Stage) -> Result<()> {
    stage.pattern(
        "Arrays have bounds",
        "`#[embed(max = 5)]`: the push carries the bound in its filter, so two writers at once do not get past it.",
    );
    let odm = &stage.odm;
    let person = Person::find_one(odm)
        .filter(Person::fields().name.eq("person 00001"))
        .require()
        .await?;
    let new = Address {
        street: "123 Avenue Q".to_owned(),
        city: "NYC".to_owned(),
        cc: "USA".to_owned(),
    };
    let fields = Person::fields();

    let report = ask!(
        stage,
        Person::update(odm, person.id).push(fields.addresses, new.clone())
    );
    stage.answer(format!("{} updated", report.modified));

    // The array may have room for one more address, but not for five.
    let five = vec![new; 5];
    let too_many = Person::update(odm, person.id).push_all(fields.addresses, five);
    let question = "Person::update(odm, person.id).push_all(fields.addresses, five)";
    stage.refused(question, too_many).await
}
