//! Grades refer to a student, and to a class that has no document.

use anyhow::Result;
use mongo_odm::prelude::*;
use odm_examples::{Stage, ask, few};

use crate::{facts::Facts, files::Files};

/// A score, which is embedded in students and in grades.
#[derive(Debug, Serialize, Deserialize, Embedded)]
pub struct Score {
    #[serde(rename = "type")]
    pub kind: String,
    pub score: f64,
}

/// A student. The `_id` is a number.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "students", has_many(grades = "Grade.student"))]
pub struct Student {
    #[serde(rename = "_id")]
    pub id: Id<Student, i32>,
    pub name: String,
    #[embed]
    pub scores: Vec<Score>,
}

/// A student's grades in one class.
#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "grades")]
pub struct Grade {
    #[serde(rename = "_id")]
    pub id: Id<Grade>,
    #[serde(rename = "student_id")]
    #[parent_ref]
    pub student: Id<Student, i32>,
    #[serde(rename = "class_id")]
    pub class: i32,
    #[embed]
    pub scores: Vec<Score>,
}

/// Loads and joins students and grades.
pub async fn run(stage: &Stage, files: &Files, facts: &mut Facts) -> Result<()> {
    stage.pattern(
        "school: students and grades",
        "Children, and what is embedded in them.",
    );
    let odm = &stage.odm;
    facts.check(
        "students",
        files.load(odm, "school/students.jsonl", "students").await?,
        200,
    );
    facts.check(
        "grades",
        files.load(odm, "school/grades.jsonl", "grades").await?,
        280,
    );

    let students = Student::find(odm).await?;
    let grades = ask!(stage, Student::join_grades(&students, odm));
    let with_grades: Vec<&Student> = students.iter().filter(|s| grades.of(s).len() > 0).collect();
    for student in with_grades.iter().take(2) {
        let classes = grades.of(student).map(|grade| {
            let best = grade
                .scores
                .iter()
                .map(|score| score.score)
                .fold(0.0, f64::max);
            format!("class {} with {best:.0} at best", grade.class)
        });
        stage.answer(format!("{}: {}", student.name, few(classes)));
    }
    facts.check("students with grades", with_grades.len(), 50);
    facts.check("grades that came with the join", grades.len(), 280);

    let all = Grade::find(odm).await?;
    let owners = ask!(stage, Grade::join_student(&all, odm));
    facts.check("grades whose student is missing", owners.missing().len(), 0);

    let classes = ask!(stage, Grade::distinct(odm, Grade::fields().class));
    facts.check("classes", classes.len(), 31);

    let fine = ask!(
        stage,
        Grade::find(odm).filter(
            Grade::fields()
                .scores
                .elem_match(|s| s.kind.eq("exam") & s.score.gt(95.0))
        )
    );
    stage.answer(format!("{} exams with more than 95 points", fine.len()));
    Ok(())
}
