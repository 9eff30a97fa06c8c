//! The models of students and classes, which are two kinds in one collection.

use mongo_odm::prelude::*;

use crate::grades::Sheet;

/// A link to a document of any kind in the collection.
#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
pub struct Link {
    pub target: String,
    pub doc_type: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "enrollments", kind(doc_type = "class"))]
pub struct Class {
    #[serde(rename = "_id")]
    pub id: Id<Class, String>,
    pub name: String,
    #[links]
    #[serde(default)]
    pub links: Vec<Link>,
}

/// A score in an exam, a quiz or a homework.
#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
pub struct Score {
    #[serde(rename = "type")]
    pub kind: String,
    pub score: f64,
}

/// The scores of a student in one class. Scores belong to one student and one class, so they are
/// stored in the student. A link would be the wrong place, because links are equal at both ends.
#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
pub struct Grade {
    #[refs(one)]
    pub class: Id<Class, String>,
    #[denorm(from = "Class.name")]
    pub class_name: String,
    #[embed]
    pub scores: Vec<Score>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "enrollments", kind(doc_type = "student"))]
pub struct Student {
    #[serde(rename = "_id")]
    pub id: Id<Student, String>,
    pub name: String,
    #[embed]
    pub grades: Vec<Grade>,
    #[links]
    #[serde(default)]
    pub links: Vec<Link>,
}

/// A document of either kind. A read of the whole collection returns this type.
#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "snake_case")]
pub enum Enrollment {
    Student(Student),
    Class(Class),
}

/// Returns the students that have grades, with their scores but without links.
pub fn students(sheets: &[Sheet]) -> Vec<Student> {
    let mut students: Vec<Student> = Vec::new();
    for sheet in sheets {
        let known = students.iter().position(|it| it.id == sheet.student);
        let at = known.unwrap_or_else(|| {
            students.push(Student {
                id: sheet.student.clone(),
                name: sheet.name.clone(),
                grades: Vec::new(),
                links: Vec::new(),
            });
            students.len() - 1
        });
        students[at].grades.push(Grade {
            class: sheet.class.clone(),
            class_name: String::new(),
            scores: sheet.scores.clone(),
        });
    }
    students
}

/// Returns the classes that have grades, without links.
pub fn classes(sheets: &[Sheet]) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for sheet in sheets {
        if classes.iter().all(|it| it.id != sheet.class) {
            classes.push(Class {
                id: sheet.class.clone(),
                name: sheet.class.key().replacen('C', "class ", 1),
                links: Vec::new(),
            });
        }
    }
    classes
}

/// Returns the ids of the classes in which a student has grades.
pub fn classes_of(student: &Student, sheets: &[Sheet]) -> Vec<Id<Class, String>> {
    let own = sheets.iter().filter(|it| it.student == student.id);
    own.map(|it| it.class.clone()).collect()
}
