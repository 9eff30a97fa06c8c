//! Reads linked documents.

use anyhow::Result;
use mongo_odm::prelude::*;
use odm_examples::{Stage, ask, few};

use crate::models::{Class, Enrollment, Student};

/// Reads the documents that are linked with one document, and those that are linked with many
/// documents.
pub async fn run(stage: &Stage, students: &[Student], classes: &[Class]) -> Result<()> {
    a_student(stage, &students[0]).await?;
    a_class(stage, &classes[1]).await?;
    of_kinds(stage, &students[0]).await?;
    many(stage).await
}

async fn a_student(stage: &Stage, student: &Student) -> Result<()> {
    stage.pattern(
        "A student and all classes",
        "One find: a document has a link to itself as well, so that it comes with those that it is linked with. In two \
         collections it would be two.",
    );
    let odm = &stage.odm;
    let found = ask!(stage, Enrollment::linked(odm, &student.id));
    for student in &found.students {
        stage.answer(&student.name);
    }
    stage.answer(few(found.classes.iter().map(|class| &class.name)));
    let count = ask!(stage, Class::count_linked(odm, &student.id));
    stage.answer(count);
    Ok(())
}

async fn a_class(stage: &Stage, class: &Class) -> Result<()> {
    stage.pattern(
        "The students of a class",
        "One kind alone, which is found by both parts of a link; filters and sorts are those of any find.",
    );
    let odm = &stage.odm;
    let name = Student::fields().name;
    let found = ask!(stage, Student::linked_to(odm, &class.id).sort(name.asc()));
    stage.answer(few(found.iter().map(|student| &student.name)));
    Ok(())
}

async fn of_kinds(stage: &Stage, student: &Student) -> Result<()> {
    stage.pattern(
        "What is asked of one kind",
        "A filter of one kind leaves the others as they are. A kind with an order or a limit is a find of its own.",
    );
    let odm = &stage.odm;
    let name = Class::fields().name;
    let found = ask!(
        stage,
        Enrollment::linked(odm, &student.id).filter(name.ne("class 2"))
    );
    stage.answer(format!("{found:?}"));
    let found = ask!(
        stage,
        Enrollment::linked(odm, &student.id)
            .sort(name.desc())
            .limit::<Class>(2)
    );
    stage.answer(few(found.classes.iter().map(|class| &class.name)));
    Ok(())
}

async fn many(stage: &Stage) -> Result<()> {
    stage.pattern(
        "All students and their classes",
        "A join: one find for all of them, however many there are.",
    );
    let odm = &stage.odm;
    let students = Student::find(odm).await?;
    let classes = ask!(stage, Class::join_linked(&students, odm));
    for student in students.iter().take(3) {
        let names = classes.of(student).map(|class| &class.name);
        stage.answer(format!("{}: {}", student.name, few(names)));
    }
    Ok(())
}
