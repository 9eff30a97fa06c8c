//! Shows the Single Collection Pattern with the grades of a school. Students and classes are in one collection, and
//! they link to each other.
//!
//! `cargo run -p odm-examples --bin school -- --data FOLDER`
//!
//! Use the pattern for documents of several kinds that are read together, if they have many-to-many relations and their
//! arrays of links remain short. Do not use it for kinds that are read separately, or for a class that has ten thousand
//! students. The array of such a class, and the index over this array, would grow with each student
//! (`#[links(one_sided)]` omits the array). A design with two collections and a reference needs less space, but one
//! more `find`.

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

/// Creates students and classes from grades, links them, and reads the linked documents.
#[derive(Debug, Parser)]
struct Arguments {
    /// The folder with the data sets. The default is the environment variable `ODM_DATA`. Without both, a few grades
    /// that are part of the program are used
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
    // The printed costs should include only the calls themselves. So the handle does not read the declarations of other
    // programs, which it would do once a minute.
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
