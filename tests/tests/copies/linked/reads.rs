//! Reads of linked documents, which use the index on the links.

use std::future::IntoFuture;

use super::*;

async fn enrolled(test: &str) -> Harness {
    let t = school(test).await;
    for number in 0..3 {
        student(1).link(&t.odm, [&class(number)]).await.unwrap();
    }
    student(2).link(&t.odm, [&class(1)]).await.unwrap();
    student(1).link(&t.odm, [&room(1)]).await.unwrap();
    class(1).link(&t.odm, [&room(0)]).await.unwrap();
    t
}

fn ids<T>(found: &[T], id: impl Fn(&T) -> String) -> Vec<String> {
    let mut ids: Vec<String> = found.iter().map(id).collect();
    ids.sort();
    ids
}

#[tokio::test]
async fn the_documents_of_a_kind_that_one_is_linked_with_are_one_find() {
    let t = enrolled("links_linked_to").await;
    let (found, sent) = t
        .sent(Class::linked_to(&t.odm, &student(1)).into_future())
        .await;
    assert_eq!(sent, ["find"]);
    assert_eq!(
        ids(&found.unwrap(), |it| it.id.key().clone()),
        ["C0", "C1", "C2"]
    );
    let found = Student::linked_to(&t.odm, class(1).id).await.unwrap();
    assert_eq!(ids(&found, |it| it.id.key().clone()), ["S1", "S2"]);
    assert_eq!(Class::count_linked(&t.odm, student(2).id).await.unwrap(), 1);
    let named = Class::fields().name.eq("class 2");
    let found = Class::linked_to(&t.odm, &student(1))
        .filter(named)
        .await
        .unwrap();
    assert_eq!(ids(&found, |it| it.id.key().clone()), ["C2"]);
    assert_eq!(Student::linked_to(&t.odm, &student(1)).await.unwrap(), []);
    let found = Student::linked_to(&t.odm, &room(1)).await.unwrap();
    assert_eq!(ids(&found, |it| it.id.key().clone()), ["S1"]);
}

#[tokio::test]
async fn where_one_side_holds_the_links_its_document_says_with_whom_it_is_linked() {
    let t = enrolled("links_one_sided_reads").await;
    let stored = Student::get(&t.odm, student(1).id).await.unwrap();
    let found = Room::linked_to(&t.odm, &stored).await.unwrap();
    assert_eq!(ids(&found, |it| it.id.key().clone()), ["R1"]);
    let error = Room::linked_to(&t.odm, student(1).id).await.unwrap_err();
    assert!(error.to_string().contains("load the `Student`"), "{error}");
    let students = Student::find(&t.odm).await.unwrap();
    let rooms = Room::join_linked(&students, &t.odm).await.unwrap();
    let seats = |it: &Student| rooms.of(it).map(|room| room.seats).collect::<Vec<_>>();
    let of = |id: &str| seats(students.iter().find(|it| it.id.key() == id).unwrap());
    assert_eq!((of("S1"), of("S2")), (vec![10], vec![]));
}

#[tokio::test]
async fn many_documents_are_joined_with_what_they_are_linked_with_by_one_find() {
    let t = enrolled("links_join").await;
    let students = Student::find(&t.odm).await.unwrap();
    let (classes, sent) = t
        .sent(async { Class::join_linked(&students, &t.odm).await })
        .await;
    assert_eq!(sent, ["find"]);
    let classes = classes.unwrap();
    let of = |id: &str| {
        let student = students.iter().find(|it| it.id.key() == id).unwrap();
        let classes: Vec<Class> = classes.of(student).cloned().collect();
        ids(&classes, |it| it.id.key().clone())
    };
    assert_eq!(of("S1"), ["C0", "C1", "C2"]);
    assert_eq!(of("S2"), ["C1"]);
    assert_eq!(of("S3"), Vec::<String>::new());
}

#[tokio::test]
async fn a_document_whose_links_others_hold_is_not_linked_with_itself() {
    let t = school("links_room_itself").await;
    let stored = Room::get(&t.odm, &room(1).id).await.unwrap();
    assert_eq!(Room::linked_to(&t.odm, &stored).await.unwrap(), []);
}
