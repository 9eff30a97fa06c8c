//! The grades of a data set, or a few grades that are part of the program.

use std::{collections::HashMap, path::PathBuf};

use anyhow::{Context, Result};
use mongo_odm::{bson, prelude::*};
use mongo_odm_testkit::data;

use crate::models::{Class, Score, Student};

/// For each grade, the student's number and name, the class, and the scores in the exam, the quiz
/// and the homework.
const SAMPLE: [(i32, &str, i32, [f64; 3]); 7] = [
    (0, "Jane Doe", 2, [57.9, 21.2, 68.2]),
    (0, "Jane Doe", 5, [88.2, 79.3, 18.7]),
    (0, "Jane Doe", 28, [39.2, 78.4, 20.8]),
    (1, "Joe Bloggs", 5, [95.4, 44.8, 71.0]),
    (1, "Joe Bloggs", 28, [61.3, 90.1, 83.5]),
    (2, "Kate Monster", 5, [73.6, 52.2, 49.9]),
    (2, "Kate Monster", 16, [12.8, 66.7, 91.4]),
];

/// The scores of a student in one class.
#[derive(Debug)]
pub struct Sheet {
    pub student: Id<Student, String>,
    pub name: String,
    pub class: Id<Class, String>,
    pub scores: Vec<Score>,
}

/// A document of `school/grades.jsonl`.
#[derive(Debug, Deserialize)]
struct GradeDocument {
    student_id: i32,
    class_id: i32,
    scores: Vec<Score>,
}

/// A document of `school/students.jsonl`.
#[derive(Debug, Deserialize)]
struct StudentDocument {
    #[serde(rename = "_id")]
    id: i32,
    name: String,
}

/// Returns the grades of the data set, or those in the program if no folder is given.
pub fn sheets(given: Option<PathBuf>) -> Result<Vec<Sheet>> {
    let folder = match data::dir_or(given) {
        Ok(folder) => folder.join("school"),
        Err(mongo_odm_testkit::Error::NoData) => return Ok(SAMPLE.iter().map(of_sample).collect()),
        Err(error) => return Err(error.into()),
    };
    let students: Vec<StudentDocument> = read(folder.join("students.jsonl"))?;
    let names: HashMap<i32, String> = students.into_iter().map(|it| (it.id, it.name)).collect();
    let grades: Vec<GradeDocument> = read(folder.join("grades.jsonl"))?;
    let sheet = |grade: GradeDocument| {
        let name = names.get(&grade.student_id);
        let name = name.with_context(|| format!("no student {}", grade.student_id))?;
        Ok(sheet(grade.student_id, name, grade.class_id, grade.scores))
    };
    grades.into_iter().map(sheet).collect()
}

fn read<T: serde::de::DeserializeOwned>(file: PathBuf) -> Result<Vec<T>> {
    let documents = data::read_jsonl(file)?;
    documents
        .map(|document| Ok(bson::deserialize_from_document(document?)?))
        .collect()
}

fn of_sample((student, name, class, scores): &(i32, &str, i32, [f64; 3])) -> Sheet {
    let kinds = ["exam", "quiz", "homework"].into_iter();
    let score = |(kind, score): (&str, &f64)| Score {
        kind: kind.to_owned(),
        score: *score,
    };
    sheet(
        *student,
        name,
        *class,
        kinds.zip(scores).map(score).collect(),
    )
}

/// Creates a sheet. Students and classes are in the same collection, so their ids start with
/// different letters.
fn sheet(student: i32, name: &str, class: i32, scores: Vec<Score>) -> Sheet {
    Sheet {
        student: Id::from_key(format!("S{student}")),
        name: name.to_owned(),
        class: Id::from_key(format!("C{class}")),
        scores,
    }
}
