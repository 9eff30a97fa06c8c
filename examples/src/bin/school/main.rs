//! The Single Collection Pattern on the grades of a school: students and classes in one collection, linked both ways.
//!
//! `cargo run -p odm-examples --bin school -- --data FOLDER`
//!
//! The pattern is for documents of several kinds that are read together, with many-to-many relations among them and arrays of
//! links that stay short. It is not for kinds that are read apart, and not for a class with ten thousand students: its
//! array, and the index over it, would grow with each of them (`#[links(one_sided)]` leaves that array out). Two
//! collections with a reference need less room, and one find more.

#![allow(unreachable_pub, reason = "models read better with `pub`")]
#![allow(clippy::large_futures, reason = "one program, one future")]
#![allow(
    clippy::indexing_slicing,
    reason = "the example knows what it has made"
)]

mod grades;
mod models;
mod reads;
mod writes;

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Result, ensure};
use clap::Parser;
use mongo_odm::prelude::*;
use odm_examples::{Stage, report, thousands};

use crate::{
    grades::{Sheet, sheets},
    models::{Class, Student, classes, students},
};

/// Makes students and classes of grades, links them, and asks who is linked with whom.
#[derive(Debug, Parser)]
struct Arguments {
    /// The folder with the data sets; without it, the environment variable `ODM_DATA` names it, and without that a few
    /// grades are taken that are part of the program
    #[arg(long)]
    data: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    report(run(Arguments::parse()).await)
}

async fn run(arguments: Arguments) -> Result<()> {
    let sheets = sheets(arguments.data)?;
    let mut stage = Stage::open("school").await?;
    // The printed costs are those of the calls: declarations are read once a minute, whatever is called.
    let alone = stage.odm.settings().clone().schema_refresh(None);
    stage.odm = stage.odm.with_settings(alone);
    println!("{}", stage.odm.sync_indexes().await?);
    let (students, classes) = (students(&sheets), classes(&sheets));
    store(&stage, &students, &classes).await?;
    link(&stage, &students, &sheets).await?;
    reads::run(&stage, &students, &classes).await?;
    writes::run(&stage, &students, &classes).await?;
    check(&stage).await?;
    stage.close().await
}

async fn store(stage: &Stage, students: &[Student], classes: &[Class]) -> Result<()> {
    stage.pattern(
        "One collection for both",
        "Students and classes are read together nearly always: the page of a student shows the classes, and that of a \
         class its students. So both kinds are in one collection, each with its own struct.",
    );
    let odm = &stage.odm;
    Class::insert_many(odm, classes).await?;
    Student::insert_many(odm, students).await?;
    stage.answer(format!(
        "{} students and {} classes",
        thousands(students.len()),
        thousands(classes.len())
    ));
    Ok(())
}

async fn link(stage: &Stage, students: &[Student], sheets: &[Sheet]) -> Result<()> {
    stage.pattern(
        "A grade is a link",
        "Each grade says that a student is in a class. A link is written at both ends, in one transaction.",
    );
    let odm = &stage.odm;
    for (number, student) in students.iter().enumerate() {
        let of = models::classes_of(student, sheets);
        if number == 0 {
            let report = stage.run("student.link(odm, classes)", student.link(odm, &of));
            stage.answer(format!("{} links", of.len()));
            writes::both_ends(stage, &report.await?);
        } else {
            student.link(odm, &of).await?;
        }
    }
    let all = Student::find(odm).await?;
    let links: usize = all.iter().map(|it| it.links.len() - 1).sum();
    ensure!(
        links == sheets.len(),
        "{links} links of {} grades",
        sheets.len()
    );
    stage.answer(format!("{} grades, as many links", thousands(links)));
    Ok(())
}

async fn check(stage: &Stage) -> Result<()> {
    stage.pattern(
        "Both ends agree",
        "A verification reads all links, and the names of classes that students hold beside their grades.",
    );
    let drift = stage.run("odm.verify()", stage.odm.verify()).await?;
    ensure!(drift.is_empty(), "{drift}");
    let (found, checked) = (drift.len(), drift.checked);
    stage.answer(format!("{found} findings in {checked} that were looked at"));
    Ok(())
}
