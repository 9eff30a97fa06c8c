//! Two-way references that consist of two arrays. Each write to one array also changes the other.

mod beside_jobs;
mod deletes;
mod drift;
mod links;
mod pairs;
mod storms;

use mongo_odm::{Odm, bson::Bson, prelude::*};
use odm_tests::Harness;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mirrored_courses")]
pub struct Course {
    #[serde(rename = "_id")]
    pub id: Id<Course>,
    pub title: String,
    #[refs(many, inverse = "courses", max = 4)]
    pub students: Vec<Id<Student>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mirrored_students")]
pub struct Student {
    #[serde(rename = "_id")]
    pub id: Id<Student>,
    pub name: String,
    #[refs(many, inverse = "students")]
    pub courses: Vec<Id<Course>>,
    #[rollup(count, of = "Course", via = "students")]
    pub attended: i64,
}

/// A band, whose array has an element with the id and the name of each musician.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mirrored_bands")]
pub struct Band {
    #[serde(rename = "_id")]
    pub id: Id<Band>,
    #[refs(many, inverse = "bands")]
    pub members: Vec<MemberLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct MemberLine {
    #[refs(one)]
    pub musician: Id<Musician>,
    #[denorm(from = "Musician.name")]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mirrored_musicians")]
pub struct Musician {
    #[serde(rename = "_id")]
    pub id: Id<Musician>,
    pub name: String,
    #[refs(many, inverse = "members")]
    pub bands: Vec<Id<Band>>,
}

/// A user. The inverse of `friends` is the same field, and the inverse of `follows` is a different field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "mirrored_users")]
pub struct User {
    #[serde(rename = "_id")]
    pub id: Id<User>,
    #[refs(many, inverse = "friends")]
    pub friends: Vec<Id<User>>,
    #[refs(many, inverse = "followers")]
    pub follows: Vec<Id<User>>,
    #[refs(many, inverse = "follows")]
    pub followers: Vec<Id<User>>,
}

fn course(title: &str, students: &[&Student]) -> Course {
    Course {
        id: Id::new(),
        title: title.to_owned(),
        students: students.iter().map(|it| it.id).collect(),
    }
}

fn student(name: &str, courses: &[&Course]) -> Student {
    Student {
        id: Id::new(),
        name: name.to_owned(),
        courses: courses.iter().map(|it| it.id).collect(),
        attended: 0,
    }
}

pub fn user() -> User {
    User {
        id: Id::new(),
        friends: Vec::new(),
        follows: Vec::new(),
        followers: Vec::new(),
    }
}

/// A database with the indexes of these models.
async fn pairs(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Course>().only::<Student>();
    let sync = sync.only::<Band>().only::<Musician>();
    sync.only::<User>().await.unwrap();
    t
}

async fn school(test: &str) -> (Harness, Vec<Student>, Vec<Course>) {
    let t = pairs(test).await;
    let students = ["Ann", "Bob", "Cid"].map(|name| student(name, &[]));
    let courses = ["art", "biology", "chess"].map(|title| course(title, &[]));
    t.given(&students).await;
    t.given(&courses).await;
    (t, students.to_vec(), courses.to_vec())
}

/// Lists the links at each of the two ends, both as pairs `(course, student)`.
async fn both_ends(odm: &Odm) -> [Vec<(Bson, Bson)>; 2] {
    let courses = Course::find(odm).await.unwrap();
    let students = Student::find(odm).await.unwrap();
    let of_course = |course: Course| {
        let pair = move |student| (Bson::from(course.id), Bson::from(student));
        course.students.into_iter().map(pair).collect::<Vec<_>>()
    };
    let of_student = |student: Student| {
        let pair = move |course| (Bson::from(course), Bson::from(student.id));
        student.courses.into_iter().map(pair).collect::<Vec<_>>()
    };
    let mut ends = [
        courses.into_iter().flat_map(of_course).collect::<Vec<_>>(),
        students.into_iter().flat_map(of_student).collect(),
    ];
    for end in &mut ends {
        end.sort_by_key(|pair| format!("{pair:?}"));
    }
    ends
}

/// Asserts that both ends contain the same links, that there are `pairs` links, and that the counts of students are
/// correct.
async fn assert_mirrored(odm: &Odm, title: &str, pairs: usize) {
    let [left, right] = both_ends(odm).await;
    assert_eq!(left, right, "{title}");
    assert_eq!(left.len(), pairs, "{title}: {left:?}");
    for student in Student::find(odm).await.unwrap() {
        let own = i64::try_from(student.courses.len()).unwrap();
        assert_eq!(student.attended, own, "{title}: {student:?}");
    }
    let drift = odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{title}: {drift}");
}
