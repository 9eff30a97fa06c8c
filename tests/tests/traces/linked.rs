//! Reads of linked documents are counted like those of a relation.

use std::future::IntoFuture;

use futures_util::TryStreamExt;
use mongo_odm::{Odm, RelationStats, prelude::*};
use odm_tests::Harness;

use super::{
    Spans,
    observed::{compared, succeeds},
    slow_statements::{warned_at, warning_handle},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Link {
    target: String,
    doc_type: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "traced_school", kind(doc_type = "class"))]
struct Class {
    #[serde(rename = "_id")]
    id: Id<Class, String>,
    #[links]
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "traced_school", kind(doc_type = "pupil"))]
struct Pupil {
    #[serde(rename = "_id")]
    id: Id<Pupil, String>,
    #[links]
    links: Vec<Link>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "doc_type")]
enum Enrollment {
    #[serde(rename = "class")]
    Class(Class),
    #[serde(rename = "pupil")]
    Pupil(Pupil),
}

/// A document with links to documents of both kinds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "traced_notes")]
struct Note {
    #[serde(rename = "_id")]
    id: Id<Note>,
    #[refs(one, name = "subject")]
    about: Id<Enrollment, String>,
}

/// Stores two classes with two pupils each.
async fn school(test: &str) -> (Spans, Harness, Vec<Class>, Vec<Pupil>) {
    let spans = Spans::seen();
    let mut t = Harness::new(test).await;
    t.odm
        .sync_indexes()
        .only::<Class>()
        .only::<Pupil>()
        .await
        .unwrap();
    let class = |name: &str| Class {
        id: Id::from_key(name.to_owned()),
        links: Vec::new(),
    };
    let pupil = |name: &str| Pupil {
        id: Id::from_key(name.to_owned()),
        links: Vec::new(),
    };
    let (classes, pupils) = ([class("art"), class("chess")], ["ann", "bob"].map(pupil));
    t.given(&classes).await;
    t.given(&pupils).await;
    for class in &classes {
        class.link(&t.odm, &pupils).await.unwrap();
    }
    t.odm = warning_handle(&t.odm);
    (spans, t, classes.to_vec(), pupils.to_vec())
}

fn relation(odm: &Odm, name: &str) -> RelationStats {
    let mut relations = odm.stats().relations.into_iter();
    relations.find(|it| it.relation == name).unwrap()
}

#[tokio::test]
async fn what_documents_are_linked_with_is_counted_as_a_relation() {
    let (_, t, classes, pupils) = school("linked_counts").await;
    let odm = &t.odm;
    Pupil::linked_to(odm, &classes[0]).await.unwrap();
    Pupil::linked_to(odm, classes[1].id.clone())
        .page(1)
        .await
        .unwrap();
    let stream = Pupil::linked_to(odm, &classes[0]).stream();
    stream.try_collect::<Vec<_>>().await.unwrap();
    Pupil::count_linked(odm, &classes[0]).await.unwrap();
    Pupil::join_linked(&classes, odm).await.unwrap();
    let linked = relation(odm, "Class.linked");
    assert_eq!(
        (linked.target, linked.loads, linked.joins, linked.counts),
        ("Pupil", 3, 1, 1)
    );
    // Each load and the count has one key, and the join has two.
    assert_eq!((linked.keys, linked.documents), (6, 2 + 1 + 2 + 2));
    let of_pupils = odm
        .stats()
        .models
        .into_iter()
        .find(|it| it.model == "Pupil")
        .unwrap();
    assert_eq!((of_pupils.queries, of_pupils.documents), (0, 7));

    let all = Enrollment::linked(odm, &pupils[0]).await.unwrap();
    assert_eq!((all.classes.len(), all.pupils.len()), (2, 1));
    Enrollment::linked(odm, "art").page(10).await.unwrap();
    let linked = relation(odm, "Enrollment.linked");
    assert_eq!(
        (linked.target, linked.loads, linked.keys),
        ("Enrollment", 2, 2)
    );
    assert_eq!(linked.documents, 3 + 3);
    let observed = odm
        .observe(Enrollment::linked(odm, "art").into_future())
        .await;
    assert_eq!(observed.sent[0].relation, Some("Enrollment.linked"));
    let observed = odm
        .observe(Pupil::linked_to(odm, &classes[0]).into_future())
        .await;
    assert_eq!(observed.sent[0].relation, Some("Class.linked"));
}

#[tokio::test]
async fn loads_of_links_in_a_loop_are_warned_of_with_the_joins_of_what_is_found() {
    let (spans, t, classes, _) = school("linked_loads").await;
    let (odm, class) = (&t.odm, &classes[0]);
    let note = Note {
        id: Id::new(),
        about: Enrollment::id_of::<Class>(&class.id),
    };
    let mut places = Vec::new();
    for _ in 0..12 {
        let mut calls = Vec::new();
        let observed = odm
            .observe(Pupil::linked_to(odm, class).into_future())
            .await;
        calls.extend(observed.sent[0].at);
        let observed = odm
            .observe(Pupil::count_linked(odm, class).into_future())
            .await;
        calls.extend(observed.sent[0].at);
        let observed = odm
            .observe(Enrollment::linked(odm, class).into_future())
            .await;
        calls.extend(observed.sent[0].at);
        let observed = odm.observe(note.load_subject(odm).into_future()).await;
        calls.extend(observed.sent[0].at);
        places = calls;
    }
    let expected = [
        ("10 loads of `Class.linked`", "use `Pupil::join_linked`"),
        (
            "10 counts of `Class.linked`",
            "use `Pupil::join_linked(..).count_each()`",
        ),
        (
            "10 loads of `Enrollment.linked`",
            "use `Class::join_linked` and `Pupil::join_linked`",
        ),
        ("10 loads of `Note.subject`", "use `Note::join_subject`"),
    ];
    for (at, (start, remedy)) in places.into_iter().zip(expected) {
        let [warning] = warned_at(&spans, at).try_into().unwrap();
        let place = format!("{}:{}", at.file(), at.line());
        assert_eq!(warning, format!("{start} in one task at {place}; {remedy}"));
    }
}

#[tokio::test]
async fn one_page_after_the_other_is_no_loop() {
    let (spans, t, classes, _) = school("linked_pages").await;
    let odm = &t.odm;
    let pupils = (0..12).map(|at| Pupil {
        id: Id::from_key(format!("pupil {at}")),
        links: Vec::new(),
    });
    let pupils: Vec<_> = pupils.collect();
    t.given(&pupils).await;
    classes[0].link(odm, &pupils).await.unwrap();
    let (mut of_pupils, mut of_all, mut pages) = (None, None, 0);
    let places = loop {
        let page = Pupil::linked_to(odm, &classes[0]).page(1).after(of_pupils);
        let page = odm.observe(page.into_future()).await;
        let all = Enrollment::linked(odm, "art").page(1).after(of_all);
        let all = odm.observe(all.into_future()).await;
        let places = [page.sent[0].at.unwrap(), all.sent[0].at.unwrap()];
        (of_pupils, of_all) = (page.value.unwrap().next, all.value.unwrap().next);
        pages += 1;
        if of_pupils.is_none() {
            break places;
        }
    };
    let [of_pupils, of_all] = ["Class.linked", "Enrollment.linked"].map(|it| relation(odm, it));
    assert_eq!((pages, of_pupils.loads, of_all.loads), (14, 14, 14));
    assert_eq!(
        (of_pupils.most_loads_in_a_task, of_all.most_loads_in_a_task),
        (1, 1)
    );
    for at in places {
        assert_eq!(warned_at(&spans, at), [""; 0]);
    }
}

#[tokio::test]
async fn what_is_sent_for_links_and_for_several_kinds_is_seen() {
    let (_, t, classes, pupils) = school("linked_observed").await;
    let (odm, art) = (&t.odm, &classes[0]);
    succeeds(&t, Enrollment::linked(odm, "art")).await;
    let limited = Enrollment::linked(odm, "art").limit::<Class>(1);
    assert_eq!(compared(&t, limited).await.names(), ["find"; 2]);
    let pages = Enrollment::linked(odm, "art").page(1);
    assert_eq!(compared(&t, pages).await.names(), ["find"; 3]);
    succeeds(&t, Enrollment::find(odm)).await;
    succeeds(&t, Enrollment::find(odm).page(2)).await;
    succeeds(&t, Pupil::linked_to(odm, art)).await;
    succeeds(&t, Pupil::count_linked(odm, art)).await;
    succeeds(&t, Pupil::join_linked(&classes, odm)).await;
    succeeds(&t, Pupil::join_linked(&classes, odm).count_each()).await;
    let ended = compared(&t, art.unlink(odm, &pupils)).await;
    assert!(ended.names().contains(&"commitTransaction"), "{ended}");
    succeeds(&t, art.link(odm, &pupils)).await;
    succeeds(&t, Class::delete(odm, &art.id)).await;
}
