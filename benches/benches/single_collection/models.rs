//! Students and classes, which link to each other.

use mongo_odm::prelude::*;

/// The collection that contains both kinds.
pub(crate) const TOGETHER: &str = "enrollments";

#[derive(Clone, Debug, Serialize, Deserialize, Embedded)]
pub(crate) struct Link {
    pub(crate) target: String,
    pub(crate) doc_type: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Instructor {
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) office_hours: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "enrollments", kind(doc_type = "class"))]
pub(crate) struct Class {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Class, String>,
    pub(crate) name: String,
    pub(crate) semester: String,
    pub(crate) instructor: Instructor,
    pub(crate) current_topic: String,
    pub(crate) seats: i64,
    #[links]
    pub(crate) links: Vec<Link>,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "enrollments", kind(doc_type = "student"))]
pub(crate) struct Student {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Student, String>,
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) year: i64,
    #[links]
    pub(crate) links: Vec<Link>,
}

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "snake_case")]
pub(crate) enum Enrollment {
    Student(Student),
    Class(Class),
}

/// Returns a student that has no links.
pub(crate) fn student(number: usize) -> Student {
    Student {
        id: Id::from_key(format!("S{number:05}")),
        name: format!("Jane Doe {number}"),
        email: format!("jane.doe.{number}@example.com"),
        year: i64::try_from(number % 4).unwrap_or_default(),
        links: Vec::new(),
    }
}

/// Returns a class that has no links.
pub(crate) fn class(number: usize) -> Class {
    Class {
        id: Id::from_key(format!("C{number:05}")),
        name: format!("Introduction to Programming {number}"),
        semester: "Spring 2025".to_owned(),
        instructor: Instructor {
            name: "Dr. Emily Smith".to_owned(),
            email: "emily.smith@example.com".to_owned(),
            office_hours: "Tuesdays and Thursdays 2:00 PM - 4:00 PM".to_owned(),
        },
        current_topic: "Loops and iterations, and when to use which of them".to_owned(),
        seats: i64::try_from(number).unwrap_or_default(),
        links: Vec::new(),
    }
}
