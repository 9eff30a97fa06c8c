//! Reads a document and all documents that are linked with it, grouped by kind.

use mongo_odm::action::PageToken;
use odm_tests::{cluster::is_sharded, sent::commands};

use super::*;

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "snake_case")]
enum Enrollment {
    Class(Class),
    Student(Student),
}

#[derive(Debug, Deserialize, SingleCollection)]
#[serde(tag = "doc_type", rename_all = "snake_case")]
enum Everything {
    Class(Class),
    Student(Student),
    Room(Room),
    #[serde(untagged)]
    Other(Document),
}

/// Student 1 is in classes 0, 1 and 2, student 2 in class 1; a pet belongs to student 1.
async fn enrolled(test: &str) -> Harness {
    let t = school(test).await;
    student(1)
        .link(&t.odm, [class(0).id, class(1).id, class(2).id])
        .await
        .unwrap();
    student(2).link(&t.odm, &class(1)).await.unwrap();
    student(1).link(&t.odm, &room(1)).await.unwrap();
    let links = vec![
        doc! { "target": "P1", "doc_type": "pet" },
        doc! { "target": "S1", "doc_type": "student" },
    ];
    put(
        &t.odm,
        "linked_school",
        [doc! { "_id": "P1", "doc_type": "pet", "links": links }],
    )
    .await;
    t
}

/// Returns the names in the order in which they were found, or sorted if the documents of several shards have no order.
fn names<T>(found: &[T], name: impl Fn(&T) -> &str) -> Vec<&str> {
    let mut names: Vec<&str> = found.iter().map(name).collect();
    if is_sharded() {
        names.sort_unstable();
    }
    names
}

/// More documents than the first batch of the server contains by default.
#[tokio::test]
async fn many_linked_documents_are_read_by_one_reply() {
    let t = school("links_grouped_many").await;
    let links = |of: &str| {
        vec![
            doc! { "target": of, "doc_type": "student" },
            doc! { "target": "S1", "doc_type": "student" },
        ]
    };
    let more = |number: i32| {
        let id = format!("L{number}");
        doc! { "doc_type": "student", "links": links(&id), "name": &id, "_id": id }
    };
    put(&t.odm, "linked_school", (0..150).map(more)).await;
    let linked = || Enrollment::linked(&t.odm, "S1");
    let (found, sent) = t.sent(async { linked().await.unwrap() }).await;
    assert_eq!(found.students.len(), 151);
    assert_eq!(sent, ["find"]);
    let limited = linked().limit::<Student>(200);
    let (found, sent) = t.sent(async { limited.await.unwrap() }).await;
    assert_eq!(found.students.len(), 151);
    assert_eq!(sent, ["find", "find"]);
}

#[tokio::test]
async fn one_find_brings_a_document_and_all_that_it_is_linked_with() {
    let t = enrolled("links_grouped").await;
    t.forget();
    let found = Enrollment::linked(&t.odm, "S1").await.unwrap();
    assert_eq!(commands(&t, "find").len(), 1);
    assert_eq!(
        names(&found.classes, |it| &it.name),
        ["class 0", "class 1", "class 2"]
    );
    assert_eq!(names(&found.students, |it| &it.name), ["student 1"]);
    assert_eq!(found.unknown.len(), 1);
    assert_eq!(found.unknown[0].get_str("_id").unwrap(), "P1");
    assert_eq!(
        format!("{found:?}"),
        "EnrollmentLinked { classes: 3, students: 1, unknown: 1 }"
    );
    let found = Enrollment::linked(&t.odm, &class(1)).await.unwrap();
    assert_eq!(
        names(&found.students, |it| &it.name),
        ["student 1", "student 2"]
    );
    assert_eq!(names(&found.classes, |it| &it.name), ["class 1"]);
    let nothing = Enrollment::linked(&t.odm, "nobody").await.unwrap();
    assert_eq!(
        format!("{nothing:?}"),
        "EnrollmentLinked { classes: 0, students: 0, unknown: 0 }"
    );
}

#[tokio::test]
async fn documents_without_links_of_their_own_come_by_those_of_the_document() {
    let t = enrolled("links_grouped_one_sided").await;
    let stored = Student::get(&t.odm, student(1).id).await.unwrap();
    let found = Everything::linked(&t.odm, &stored).await.unwrap();
    assert_eq!(
        found.rooms.iter().map(|it| it.seats).collect::<Vec<_>>(),
        [10]
    );
    assert_eq!(
        (
            found.classes.len(),
            found.students.len(),
            found.unknown.len()
        ),
        (3, 1, 1)
    );
    let by_id = Everything::linked(&t.odm, &stored.id).await.unwrap();
    assert!(by_id.rooms.is_empty());
}

#[tokio::test]
async fn some_kinds_alone_are_found() {
    let t = enrolled("links_grouped_kinds").await;
    t.forget();
    let found = Enrollment::linked(&t.odm, "S1")
        .kinds::<(Class,)>()
        .await
        .unwrap();
    assert_eq!(
        (
            found.classes.len(),
            found.students.len(),
            found.unknown.len()
        ),
        (3, 0, 0)
    );
    assert_eq!(commands(&t, "find").len(), 1);
    let error = Enrollment::linked(&t.odm, "S1").kinds::<(Class,)>();
    let error = error
        .filter(Student::fields().name.eq("x"))
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("`kinds` does not contain it"),
        "{error}"
    );
}

#[tokio::test]
async fn filters_sorts_and_limits_are_of_one_kind() {
    let t = enrolled("links_grouped_of_kind").await;
    let classes = Class::fields();
    t.forget();
    let found = Enrollment::linked(&t.odm, "S1")
        .filter(classes.name.ne("class 1"))
        .await
        .unwrap();
    assert_eq!(
        commands(&t, "find").len(),
        1,
        "a filter of a kind is in the one find"
    );
    assert_eq!(names(&found.classes, |it| &it.name), ["class 0", "class 2"]);
    assert_eq!((found.students.len(), found.unknown.len()), (1, 1));
    t.forget();
    let query = Enrollment::linked(&t.odm, "S1")
        .sort(classes.name.desc())
        .limit::<Class>(2);
    let query = query.filter(classes.name.ne("class 1"));
    let plan = query.plan().unwrap().to_string();
    assert_eq!(plan.matches(".find(").count(), 2, "{plan}");
    let query = Enrollment::linked(&t.odm, "S1")
        .sort(classes.name.desc())
        .limit::<Class>(2);
    let found = query.await.unwrap();
    assert_eq!(commands(&t, "find").len(), 2);
    let classes = found.classes.iter().map(|it| it.name.as_str());
    assert!(classes.eq(["class 2", "class 1"]));
    assert_eq!((found.students.len(), found.unknown.len()), (1, 1));
}

#[tokio::test]
async fn every_page_has_documents_of_every_kind_that_has_more() {
    let t = school("links_grouped_pages").await;
    let many: Vec<Student> = (10..40).map(student).collect();
    t.given(&many).await;
    for one in &many {
        one.link(&t.odm, &class(1)).await.unwrap_or_else(|error| {
            assert!(matches!(error, mongo_odm::Error::BoundExceeded { .. }));
            mongo_odm::UpdateReport::default()
        });
    }
    student(1)
        .link(&t.odm, [class(0).id, class(2).id, class(3).id])
        .await
        .unwrap();
    student(1).link(&t.odm, many.iter()).await.unwrap();
    let (mut token, mut pages) = (None::<PageToken>, Vec::new());
    loop {
        let query = Enrollment::linked(&t.odm, "S1").sort(Student::fields().name.desc());
        t.forget();
        let page = query.page(2).after(token.take()).await.unwrap();
        let finds = commands(&t, "find").len();
        pages.push((page.items.classes.len(), page.items.students.len(), finds));
        token = page.next.map(|next| next.to_string().parse().unwrap());
        if token.is_none() {
            break;
        }
    }
    // There are 31 students and 3 classes, and each page has two of each kind.
    assert_eq!(pages[..3], [(2, 2, 3), (1, 2, 2), (0, 2, 1)], "{pages:?}");
    assert_eq!(pages.iter().map(|it| it.0).sum::<usize>(), 3);
    assert_eq!(pages.iter().map(|it| it.1).sum::<usize>(), 31);
    let limited = Enrollment::linked(&t.odm, "S1")
        .limit::<Class>(1)
        .page(2)
        .await;
    assert!(
        limited
            .unwrap_err()
            .to_string()
            .contains("remove the limit")
    );
}

#[tokio::test]
async fn a_kind_that_others_have_written_strangely_is_unknown() {
    let t = school("links_strange_kinds").await;
    let links = || vec![doc! { "target": "S1", "doc_type": "student" }];
    put(
        &t.odm,
        "linked_school",
        [
            doc! { "_id": "X2", "doc_type": null, "links": links() },
            doc! { "_id": "X3", "links": links() },
            doc! { "_id": "X4", "doc_type": { "a": 1 }, "links": links() },
            doc! { "_id": 5, "doc_type": 5, "links": links() },
        ],
    )
    .await;
    for n in 0..4 {
        student(1).link(&t.odm, [&class(n)]).await.unwrap();
    }
    let found = Enrollment::linked(&t.odm, "S1").await.unwrap();
    assert_eq!(
        (
            found.classes.len(),
            found.students.len(),
            found.unknown.len()
        ),
        (4, 1, 4)
    );
    let found = Enrollment::linked(&t.odm, "S1")
        .limit::<Class>(10)
        .await
        .unwrap();
    assert_eq!(
        (
            found.classes.len(),
            found.students.len(),
            found.unknown.len()
        ),
        (4, 1, 4)
    );
    let mut seen = (0, 0, 0);
    let mut token = None;
    loop {
        let page = Enrollment::linked(&t.odm, "S1")
            .page(1)
            .after(token)
            .await
            .unwrap();
        seen.0 += page.items.classes.len();
        seen.1 += page.items.students.len();
        seen.2 += page.items.unknown.len();
        token = page.next;
        if token.is_none() {
            break;
        }
    }
    assert_eq!(seen, (4, 1, 4));
}
