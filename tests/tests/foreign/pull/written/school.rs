//! Models of the database `school`, written by `odm pull` from samples of its documents.
//!
//! What the samples do not show is not known: `odm check` finds documents that do not fit.

use mongo_odm::prelude::*;

/// The 280 documents of `grades`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "grades")]
pub struct Grade {
    #[serde(rename = "_id")]
    pub id: Id<Grade>,
    #[parent_ref]
    pub student_id: Id<Student, i32>,
    pub class_id: i32,
    // The longest seen has 6 (`_id` ObjectId("50b59cd75bed76f46522c34f")); `max` leaves room, and writes refuse more.
    #[embed(max = 50)]
    pub scores: Vec<Score>,
}

/// What `scores[]` holds in `grades`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct Score {
    pub r#type: ScoreType,
    pub score: f64,
}

/// What `scores[].type` holds in `grades`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScoreType {
    #[serde(rename = "homework")]
    Homework,
    #[serde(rename = "exam")]
    Exam,
    #[serde(rename = "quiz")]
    Quiz,
    // Any text that the sample does not have.
    #[serde(untagged)]
    Other(String),
}

/// The 200 documents of `students`, all of which were looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "students", has_many(grades = "Grade.student_id"))]
pub struct Student {
    #[serde(rename = "_id")]
    pub id: Id<Student, i32>,
    pub name: String,
    pub scores: Vec<StudentScore>,
}

/// What `scores[]` holds in `students`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Embedded)]
pub struct StudentScore {
    pub score: f64,
    pub r#type: StudentScoreType,
}

/// What `scores[].type` holds in `students`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum StudentScoreType {
    #[serde(rename = "exam")]
    Exam,
    #[serde(rename = "homework")]
    Homework,
    #[serde(rename = "quiz")]
    Quiz,
    // Any text that the sample does not have.
    #[serde(untagged)]
    Other(String),
}
