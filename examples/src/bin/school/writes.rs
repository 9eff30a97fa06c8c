//! Writes that also change linked documents.

use anyhow::Result;
use mongo_odm::{UpdateReport, prelude::*};
use odm_examples::{Stage, few};

use crate::models::{Class, Grade, Student};

/// Removes a link, renames a class, and deletes a class.
pub async fn run(stage: &Stage, students: &[Student], classes: &[Class]) -> Result<()> {
    leave(stage, &students[0], &classes[0]).await?;
    rename(stage, &students[0], &classes[1]).await?;
    give_up(stage, &classes[2]).await
}

async fn leave(stage: &Stage, student: &Student, class: &Class) -> Result<()> {
    stage.pattern(
        "A student leaves a class",
        "The link ends at both ends. A link that is not there is ended as well: the call may be repeated.",
    );
    let odm = &stage.odm;
    let left = stage.run("student.unlink(odm, class)", student.unlink(odm, class));
    both_ends(stage, &left.await?);
    let found = Student::linked_to(odm, class).await?;
    let names = few(found.iter().map(|student| &student.name));
    stage.answer(format!("{}: {names}", class.name));
    let again = student.unlink(odm, class).await?;
    stage.answer(format!("the same again: {} changed", again.modified));
    Ok(())
}

/// Prints the changes of a write, including those in linked documents.
pub fn both_ends(stage: &Stage, report: &UpdateReport) {
    stage.answer(format!("here: {} changed", report.modified));
    for copies in report.copies.iter().filter(|it| it.modified > 0) {
        stage.answer(format!(
            "{}: {} changed, {:?}",
            copies.relation, copies.modified, copies.guarantee
        ));
    }
}

async fn rename(stage: &Stage, student: &Student, class: &Class) -> Result<()> {
    stage.pattern(
        "A class gets another name",
        "Students hold the name beside their grades; it follows, in the transaction of the rename.",
    );
    let odm = &stage.odm;
    let rename = Class::update(odm, &class.id).set(Class::fields().name, "Algebra");
    let renamed = stage.run("Class::update(odm, id).set(name, ..)", rename);
    both_ends(stage, &renamed.await?);
    let stored = Student::get(odm, &student.id).await?;
    stage.answer(few(stored.grades.iter().map(|grade| &grade.class_name)));
    Ok(())
}

async fn give_up(stage: &Stage, class: &Class) -> Result<()> {
    stage.pattern(
        "A class is given up",
        "Its students lose the link with the class. Their grades are theirs, and are taken away by a write of them.",
    );
    let odm = &stage.odm;
    let grades = Student::fields().grades;
    let without = Student::update_many(odm, grades.class.eq(&class.id))
        .pull_where(grades, Grade::fields().class.eq(&class.id));
    without.await?;
    let gone = stage.run("Class::delete(odm, id)", Class::delete(odm, &class.id));
    stage.answer(gone.await?.deleted);
    let students = Student::find(odm).await?;
    let left = students.iter().filter(|student| {
        let mut links = student.links.iter();
        links.any(|link| link.target == *class.id.key())
    });
    stage.answer(format!("{} students with a link to it", left.count()));
    Ok(())
}
