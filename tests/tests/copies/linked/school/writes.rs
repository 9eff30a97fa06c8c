//! Writes to students and classes of the school, and the resulting links at the other end.

use super::*;

/// Links in the inserted structs have the same effect as links that are created after the insert.
#[tokio::test]
async fn a_school_that_is_inserted_with_its_links_is_the_one_that_is_linked_one_by_one() {
    let Some((linked, _)) = linked_one_by_one("links_school_one_by_one").await else {
        return;
    };
    let Some((inserted, _)) = stored("links_school_inserted").await else {
        return;
    };
    assert_eq!(by_target(&inserted.odm).await, by_target(&linked.odm).await);
    assert_right(&inserted.odm).await;
}

/// Returns all documents, with their links sorted by target.
async fn by_target(odm: &Odm) -> Vec<Document> {
    let mut stored = all(odm, "school_enrollments").await;
    for document in &mut stored {
        let links = document.get_array_mut("links").unwrap();
        links.sort_by_key(|link| {
            link.as_document()
                .unwrap()
                .get_str("target")
                .unwrap()
                .to_owned()
        });
    }
    stored
}

#[tokio::test]
async fn a_student_who_leaves_a_class_is_in_all_others_still() {
    let Some((t, data)) = stored("links_school_left").await else {
        return;
    };
    let (student, class) = &data.links[0];
    let leaving = data.students.iter().find(|it| it.id.key() == student);
    let left = Id::<SchoolClass, String>::from_key(class.clone());
    leaving.unwrap().unlink(&t.odm, &left).await.unwrap();
    let mut classes = data.classes_of()[student].clone();
    classes.remove(class);
    let found = SchoolClass::linked_to(&t.odm, leaving.unwrap())
        .await
        .unwrap();
    assert_eq!(class_ids(&found), classes);
    let mut students = data.students_of()[class].clone();
    students.remove(student);
    let found = SchoolStudent::linked_to(&t.odm, &left).await.unwrap();
    assert_eq!(student_ids(&found), students);
    assert_right(&t.odm).await;
}

#[tokio::test]
async fn a_class_that_is_given_up_is_in_no_links_of_its_students() {
    let Some((t, data)) = stored("links_school_given_up").await else {
        return;
    };
    let class = &data.classes[22];
    let students = &data.students_of()[class.id.key()];
    assert_eq!(students.len(), 14);
    // The grades of the class are a separate reference, so the test removes them first.
    let grades = SchoolStudent::fields().grades;
    let without = SchoolStudent::update_many(&t.odm, grades.class.eq(&class.id))
        .pull_where(grades, Grade::fields().class.eq(&class.id));
    assert_eq!(without.await.unwrap().modified, 14);
    SchoolClass::delete(&t.odm, &class.id).await.unwrap();
    let found = Enrollment::linked(&t.odm, class.id.key().as_str()).await;
    let found = found.unwrap();
    assert_eq!((found.classes.len(), found.students.len()), (0, 0));
    for (student, mut classes) in data.classes_of() {
        classes.remove(class.id.key());
        let id = Id::<SchoolStudent, String>::from_key(student);
        let found = SchoolClass::linked_to(&t.odm, &id).await.unwrap();
        assert_eq!(class_ids(&found), classes);
    }
    assert_right(&t.odm).await;
}
