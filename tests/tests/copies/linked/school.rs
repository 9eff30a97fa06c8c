//! The grades of a real school. Each grade is a link between a student and a class.

mod explain;
mod writes;

use std::collections::{BTreeMap, BTreeSet};

use odm_tests::data;

use super::*;

/// The ids to which each id has links.
type Groups = BTreeMap<String, BTreeSet<String>>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "school_enrollments", kind(doc_type = "class"))]
struct SchoolClass {
    #[serde(rename = "_id")]
    id: Id<SchoolClass, String>,
    name: String,
    #[links]
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Score {
    #[serde(rename = "type")]
    kind: String,
    score: f64,
}

/// The result of a student in a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Grade {
    #[refs(one)]
    class: Id<SchoolClass, String>,
    #[denorm(from = "SchoolClass.name")]
    class_name: String,
    #[embed]
    scores: Vec<Score>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "school_enrollments", kind(doc_type = "student"))]
struct SchoolStudent {
    #[serde(rename = "_id")]
    id: Id<SchoolStudent, String>,
    name: String,
    #[embed]
    grades: Vec<Grade>,
    #[links]
    #[serde(default)]
    links: Vec<Link>,
}

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "doc_type")]
enum Enrollment {
    #[serde(rename = "student")]
    Student(SchoolStudent),
    #[serde(rename = "class")]
    Class(SchoolClass),
}

/// A document of the data set's grades.
struct GradeDocument {
    student_id: i32,
    class_id: i32,
    scores: Vec<Score>,
}

struct StudentDocument {
    id: i32,
    name: String,
}

impl From<Document> for GradeDocument {
    fn from(stored: Document) -> Self {
        let scores = stored.get_array("scores").unwrap().iter();
        let score = |it: &bson::Bson| {
            let it = it.as_document().unwrap();
            Score {
                kind: it.get_str("type").unwrap().to_owned(),
                score: it.get_f64("score").unwrap(),
            }
        };
        Self {
            student_id: stored.get_i32("student_id").unwrap(),
            class_id: stored.get_i32("class_id").unwrap(),
            scores: scores.map(score).collect(),
        }
    }
}

impl From<Document> for StudentDocument {
    fn from(stored: Document) -> Self {
        Self {
            id: stored.get_i32("_id").unwrap(),
            name: stored.get_str("name").unwrap().to_owned(),
        }
    }
}

/// The data set: students and classes without links, and the links between them.
struct Data {
    students: Vec<SchoolStudent>,
    classes: Vec<SchoolClass>,
    /// Ids of a student and of a class.
    links: Vec<(String, String)>,
}

impl Data {
    /// Reads the data set, or reports that it is missing.
    fn read(test: &str) -> Option<Self> {
        let folder = data::folder(test, "school")?;
        let grades: Vec<GradeDocument> = read(data::documents(folder.join("grades.jsonl")));
        let names: Vec<StudentDocument> = read(data::documents(folder.join("students.jsonl")));
        let classes: BTreeSet<i32> = grades.iter().map(|grade| grade.class_id).collect();
        let has_grades =
            |it: &StudentDocument| grades.iter().any(|grade| grade.student_id == it.id);
        let students = names.into_iter().filter(has_grades);
        Some(Self {
            students: students.map(|it| student_with(it, &grades)).collect(),
            classes: classes.into_iter().map(school_class).collect(),
            links: grades.iter().map(link_of).collect(),
        })
    }

    /// Returns the classes of each student.
    fn classes_of(&self) -> Groups {
        grouped(self.links.iter().cloned())
    }

    /// Returns the students of each class.
    fn students_of(&self) -> Groups {
        let links = self.links.iter().cloned();
        grouped(links.map(|(student, class)| (class, student)))
    }
}

fn read<T: From<Document>>(documents: Vec<Document>) -> Vec<T> {
    documents.into_iter().map(T::from).collect()
}

fn link_of(grade: &GradeDocument) -> (String, String) {
    let (student, class) = (grade.student_id, grade.class_id);
    (format!("S{student}"), format!("C{class}"))
}

fn school_class(number: i32) -> SchoolClass {
    SchoolClass {
        id: Id::from_key(format!("C{number}")),
        name: format!("class {number}"),
        links: Vec::new(),
    }
}

fn student_with(student: StudentDocument, grades: &[GradeDocument]) -> SchoolStudent {
    let own = grades.iter().filter(|grade| grade.student_id == student.id);
    let grade = |it: &GradeDocument| Grade {
        class: Id::from_key(format!("C{}", it.class_id)),
        class_name: String::new(),
        scores: it.scores.clone(),
    };
    SchoolStudent {
        id: Id::from_key(format!("S{}", student.id)),
        name: student.name,
        grades: own.map(grade).collect(),
        links: Vec::new(),
    }
}

fn grouped(pairs: impl Iterator<Item = (String, String)>) -> Groups {
    let mut groups = Groups::new();
    for (of, member) in pairs {
        groups.entry(of).or_default().insert(member);
    }
    groups
}

/// Stores the school. The inserted students already contain the links to their classes.
async fn stored(test: &str) -> Option<(Harness, Data)> {
    let data = Data::read(test)?;
    let t = indexed_school(test).await;
    let mut students = data.students.clone();
    for student in &mut students {
        let own = data.links.iter().filter(|(id, _)| id == student.id.key());
        student.links = own.map(|(_, class)| link(class)).collect();
    }
    t.given(&data.classes).await;
    t.given(&students).await;
    Some((t, data))
}

/// Stores the school without links. Then links a student and a class for each grade document.
async fn linked_one_by_one(test: &str) -> Option<(Harness, Data)> {
    let data = Data::read(test)?;
    let t = indexed_school(test).await;
    t.given(&data.classes).await;
    t.given(&data.students).await;
    for (student, class) in &data.links {
        let student = data.students.iter().find(|it| it.id.key() == student);
        let class = Id::<SchoolClass, String>::from_key(class.clone());
        student.unwrap().link(&t.odm, class).await.unwrap();
    }
    Some((t, data))
}

async fn indexed_school(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes();
    let sync = sync.only::<SchoolClass>().only::<SchoolStudent>();
    sync.await.unwrap();
    t
}

fn ids<T>(found: &[T], id: impl Fn(&T) -> &String) -> BTreeSet<String> {
    let ids: BTreeSet<String> = found.iter().map(|it| id(it).clone()).collect();
    assert_eq!(ids.len(), found.len(), "no document twice");
    ids
}

fn class_ids(found: &[SchoolClass]) -> BTreeSet<String> {
    ids(found, |it| it.id.key())
}

fn student_ids(found: &[SchoolStudent]) -> BTreeSet<String> {
    ids(found, |it| it.id.key())
}

async fn assert_right(odm: &Odm) {
    let drift = odm.verify().only::<SchoolClass>().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    assert!(drift.checked > 0);
    settle(odm).await;
}

#[tokio::test]
async fn every_grade_of_a_school_is_a_link_at_both_ends() {
    let Some((t, data)) = linked_one_by_one("links_school").await else {
        return;
    };
    let (classes_of, students_of) = (data.classes_of(), data.students_of());
    assert_eq!(data.links.len(), 280);
    assert_eq!((classes_of.len(), students_of.len()), (50, 31));
    for (student, classes) in &classes_of {
        let found = Enrollment::linked(&t.odm, student.as_str()).await.unwrap();
        assert_eq!(class_ids(&found.classes), *classes, "{student}");
        assert_eq!(student_ids(&found.students), [student.clone()].into());
        assert!(found.unknown.is_empty());
        let id = Id::<SchoolStudent, String>::from_key(student.clone());
        let found = SchoolClass::linked_to(&t.odm, &id).await.unwrap();
        assert_eq!(class_ids(&found), *classes, "{student}");
        let count = SchoolClass::count_linked(&t.odm, &id).await.unwrap();
        assert_eq!(count, classes.len() as u64, "{student}");
    }
    for (class, students) in &students_of {
        let found = Enrollment::linked(&t.odm, class.as_str()).await.unwrap();
        assert_eq!(student_ids(&found.students), *students, "{class}");
        assert_eq!(class_ids(&found.classes), [class.clone()].into());
        let id = Id::<SchoolClass, String>::from_key(class.clone());
        let found = SchoolStudent::linked_to(&t.odm, &id).await.unwrap();
        assert_eq!(student_ids(&found), *students, "{class}");
        let count = SchoolStudent::count_linked(&t.odm, &id).await.unwrap();
        assert_eq!(count, students.len() as u64, "{class}");
    }
    assert_right(&t.odm).await;
}

#[tokio::test]
async fn all_students_of_a_school_are_joined_with_their_classes_by_one_find() {
    let Some((t, data)) = stored("links_school_joined").await else {
        return;
    };
    let (classes_of, students_of) = (data.classes_of(), data.students_of());
    let students = SchoolStudent::find(&t.odm).await.unwrap();
    let classes = SchoolClass::find(&t.odm).await.unwrap();
    assert_eq!((students.len(), classes.len()), (50, 31));
    let joining = async { SchoolClass::join_linked(&students, &t.odm).await };
    let (joined, sent) = t.sent(joining).await;
    assert_eq!(sent, ["find"]);
    let joined = joined.unwrap();
    for student in &students {
        let of: Vec<SchoolClass> = joined.of(student).cloned().collect();
        assert_eq!(class_ids(&of), classes_of[student.id.key()]);
    }
    let joined = SchoolStudent::join_linked(&classes, &t.odm).await.unwrap();
    for class in &classes {
        let of: Vec<SchoolStudent> = joined.of(class).cloned().collect();
        assert_eq!(student_ids(&of), students_of[class.id.key()]);
    }
    let joining = SchoolClass::join_linked(&students, &t.odm);
    let counts = joining.count_each().await.unwrap();
    let all: u64 = students.iter().map(|it| counts.of(it)).sum();
    assert_eq!(all, 280);
}

/// The student contains the scores of a grade, together with a copy of the class's name.
#[tokio::test]
async fn the_scores_of_a_school_are_kept_and_the_names_of_classes_follow() {
    let Some((t, data)) = stored("links_school_scores").await else {
        return;
    };
    let named = |class: &str| class.replacen('C', "class ", 1);
    for given in &data.students {
        let stored = SchoolStudent::get(&t.odm, &given.id).await.unwrap();
        let mut expected = given.clone();
        for grade in &mut expected.grades {
            grade.class_name = named(grade.class.key());
        }
        assert_eq!(stored.grades, expected.grades);
    }
    let class = &data.classes[10];
    let rename = SchoolClass::update(&t.odm, &class.id).set(SchoolClass::fields().name, "Art");
    rename.await.unwrap();
    let grades = SchoolStudent::fields().grades;
    let renamed = SchoolStudent::find(&t.odm).filter(grades.class_name.eq("Art"));
    let students = student_ids(&renamed.await.unwrap());
    assert_eq!(students, data.students_of()[class.id.key()]);
    assert_right(&t.odm).await;
}
