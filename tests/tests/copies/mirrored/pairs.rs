//! All kinds of writes to either array.

use super::*;

#[tokio::test]
async fn every_write_of_either_array_is_mirrored() {
    for (title, way) in ["inline", "job"].into_iter().zip([false, true]) {
        let (t, students, courses) = school(&format!("mirrored_{title}")).await;
        let [ann, bob, cid] = [0, 1, 2].map(|at: usize| students[at].clone());
        let [art, biology, chess] = [0, 1, 2].map(|at: usize| courses[at].clone());
        let odm = if way { by_jobs(&t.odm) } else { t.odm.clone() };
        let right = async |step: &str, pairs: usize| {
            assert_mirrored(&t.odm, &format!("{title}, {step}"), pairs).await;
        };
        let (of_course, of_student) = (Course::fields(), Student::fields());
        let push = Course::update(&odm, art.id).push(of_course.students, ann.id);
        push.await.unwrap();
        right("push", 1).await;
        let both = Student::update(&odm, bob.id).set(of_student.courses, vec![art.id, biology.id]);
        both.await.unwrap();
        right("set", 3).await;
        let other = Student::update(&odm, bob.id).set(of_student.courses, vec![chess.id, art.id]);
        other.await.unwrap();
        right("set to others", 3).await;
        // The order of an array does not depend on the other end.
        let stored = Course::get(&t.odm, art.id).await.unwrap();
        assert_eq!(stored.students, [ann.id, bob.id]);
        let turned = Course::update(&odm, art.id).set(of_course.students, vec![bob.id, ann.id]);
        turned.await.unwrap();
        right("another order", 3).await;
        let stored = Course::get(&t.odm, art.id).await.unwrap();
        assert_eq!(stored.students, [bob.id, ann.id]);
        let twice = Course::update(&odm, art.id).add_to_set(of_course.students, ann.id);
        twice.await.unwrap();
        right("add_to_set", 3).await;
        let pull = Student::update(&odm, bob.id).pull(of_student.courses, art.id);
        pull.await.unwrap();
        right("pull", 2).await;
        let drama = course("drama", &[&ann, &cid]);
        drama.insert(&odm).await.unwrap();
        right("insert", 4).await;
        let more = [student("Dot", &[&art, &chess]), student("Eve", &[&chess])];
        Student::insert_many(&odm, &more).await.unwrap();
        right("insert_many", 7).await;
        let all = Student::update_many(&odm, of_student.name.is_in(["Dot", "Eve"]));
        all.set(of_student.courses, vec![biology.id]).await.unwrap();
        right("update_many", 6).await;
        let mut saved = Course::get(&t.odm, drama.id).await.unwrap();
        saved.students = vec![more[0].id, ann.id];
        saved.save(&odm).await.unwrap();
        right("save", 6).await;
        let found = Course::find_one_and_update(&odm, of_course.title.eq("chess"));
        found.set(of_course.students, vec![cid.id]).await.unwrap();
        right("find_one_and_update", 6).await;
        let new = Course::upsert(&odm, of_course.title.eq("economics"))
            .set(of_course.students, vec![ann.id, bob.id]);
        new.await.unwrap();
        right("upsert", 8).await;
        let unset = Student::update(&odm, cid.id).with(doc! { "$unset": { "courses": "" } });
        unset.await.unwrap();
        let empty = Student::update(&odm, cid.id).set(of_student.courses, vec![]);
        empty.await.unwrap();
        right("unset", 7).await;
        Course::delete(&odm, drama.id).await.unwrap();
        right("delete", 5).await;
        let inside = async |tx: mongo_odm::Tx| {
            let fields = Course::fields();
            let one = Course::update(&tx, chess.id).push(fields.students, ann.id);
            one.await?;
            course("fencing", &[&ann, &bob, &cid]).insert(&tx).await?;
            let other = Student::update(&tx, ann.id).pull(Student::fields().courses, chess.id);
            other.await?;
            Ok(())
        };
        t.odm.transaction(inside).await.unwrap();
        right("a transaction", 8).await;
        Student::delete_many(&odm, of_student.name.is_in(["Ann", "Dot"]))
            .await
            .unwrap();
        let left = both_ends(&t.odm).await[0].len();
        right("delete_many", left).await;
        settle(&t.odm).await;
        right("the end", left).await;
    }
}

#[tokio::test]
async fn whoever_comes_later_finds_who_named_it() {
    let t = super::pairs("mirrored_late").await;
    let (ann, art) = (student("Ann", &[]), course("art", &[]));
    let early = Student {
        courses: vec![art.id],
        ..ann.clone()
    };
    early.insert(&t.odm).await.unwrap();
    art.insert(&t.odm).await.unwrap();
    assert_mirrored(&t.odm, "one after the other", 1).await;
    // Both inserts run at the same time, and commit in either order.
    for round in 0..20 {
        let (ann, art) = (student("Ann", &[]), course("art", &[]));
        let named = Student {
            courses: vec![art.id],
            ..ann.clone()
        };
        let (one, other) = tokio::join!(named.insert(&t.odm), art.insert(&t.odm));
        one.unwrap();
        other.unwrap();
        let stored = Course::get(&t.odm, art.id).await.unwrap();
        assert_eq!(stored.students, [ann.id], "{round}");
    }
    assert_mirrored(&t.odm, "at once", 21).await;
}

#[tokio::test]
async fn neither_end_changes_where_the_other_is_full() {
    let (t, students, courses) = school("mirrored_full").await;
    let full: Vec<Student> = (0..4)
        .map(|n| student(&n.to_string(), &[&courses[0]]))
        .collect();
    t.given(&full).await;
    for odm in [t.odm.clone(), by_jobs(&t.odm)] {
        let fifth = student("one too many", &[&courses[1], &courses[0]]);
        let refused = fifth.insert(&odm).await.unwrap_err();
        assert_eq!(refused.kind(), mongo_odm::ErrorKind::BoundExceeded);
        let refused = Student::update(&odm, students[0].id)
            .push(Student::fields().courses, courses[0].id)
            .await;
        assert_eq!(
            refused.unwrap_err().kind(),
            mongo_odm::ErrorKind::BoundExceeded
        );
        assert_mirrored(&t.odm, "refused", 4).await;
    }
    // If an update removes one student, it can add another student in the same call.
    let swap =
        Course::update(&t.odm, courses[0].id).set(Course::fields().students, vec![students[0].id]);
    swap.await.unwrap();
    assert_mirrored(&t.odm, "swapped", 1).await;
}

/// Four students referred to the course before it existed, and its insert adds a fifth student.
#[tokio::test]
async fn an_insert_is_refused_if_those_who_name_it_fill_its_array() {
    let t = super::pairs("mirrored_full_insert").await;
    let other = student("other", &[]);
    let art = course("art", &[&other]);
    let early: Vec<Student> = (0..4).map(|n| student(&n.to_string(), &[&art])).collect();
    t.given(&early).await;
    for odm in [t.odm.clone(), by_jobs(&t.odm)] {
        for insert in [art.insert(&odm), art.insert(&odm).deferred()] {
            let refused = insert.await.unwrap_err();
            assert_eq!(refused.kind(), mongo_odm::ErrorKind::BoundExceeded);
        }
        let save = art.save(&odm).deferred().await.unwrap_err();
        assert_eq!(save.kind(), mongo_odm::ErrorKind::BoundExceeded);
    }
    assert_eq!(Course::count(&t.odm).await.unwrap(), 0);
    settle(&t.odm).await;
    // Without the fifth student, there is room for the others.
    let art = Course {
        students: Vec::new(),
        ..art
    };
    art.insert(&t.odm).deferred().await.unwrap();
    // The counts of the students are left to jobs.
    settle(&t.odm).await;
    assert_mirrored(&t.odm, "deferred", 4).await;
}

#[tokio::test]
async fn what_leaves_and_what_comes_in_one_call_are_both_done() {
    let (t, students, courses) = school("mirrored_both").await;
    let [ann, bob] = [0, 1].map(|at: usize| students[at].clone());
    let art = courses[0].clone();
    let fields = Student::fields();
    Student::update(&t.odm, ann.id)
        .push(fields.courses, art.id)
        .await
        .unwrap();
    // One student leaves the course, and another one joins it.
    let turned = vec![doc! { "$set": { "courses": {
        "$cond": [{ "$eq": ["$name", "Ann"] }, [], [art.id]],
    } } }];
    let some = fields.name.is_in(["Ann", "Bob"]);
    Student::update_many(&t.odm, some)
        .modifications(turned)
        .await
        .unwrap();
    assert_mirrored(&t.odm, "turned", 1).await;
    let stored = Course::get(&t.odm, art.id).await.unwrap();
    assert_eq!(stored.students, [bob.id]);
}

#[tokio::test]
async fn lines_and_their_copies_are_mirrored() {
    let t = super::pairs("mirrored_lines").await;
    let band = Band {
        id: Id::new(),
        members: Vec::new(),
    };
    let musician = |name: &str, bands: &[Id<Band>]| Musician {
        id: Id::new(),
        name: name.to_owned(),
        bands: bands.to_vec(),
    };
    band.insert(&t.odm).await.unwrap();
    let (one, other) = (musician("One", &[band.id]), musician("Other", &[]));
    t.given(&[one.clone(), other.clone()]).await;
    let members = async || Band::get(&t.odm, band.id).await.unwrap().members;
    let line = |of: &Musician, name: &str| MemberLine {
        musician: of.id,
        name: name.to_owned(),
    };
    assert_eq!(members().await, [line(&one, "One")]);
    // The copy in the pushed element is corrected, and the musician refers to the band.
    let push = Band::update(&t.odm, band.id).push(Band::fields().members, line(&other, "?"));
    push.await.unwrap();
    assert_eq!(members().await, [line(&one, "One"), line(&other, "Other")]);
    let bands = async |of: &Musician| Musician::get(&t.odm, of.id).await.unwrap().bands;
    assert_eq!(bands(&other).await, [band.id]);
    let renamed = Musician::update(&t.odm, one.id).set(Musician::fields().name, "First");
    renamed.await.unwrap();
    assert_eq!(
        members().await,
        [line(&one, "First"), line(&other, "Other")]
    );
    let left = Musician::update(&t.odm, one.id).set(Musician::fields().bands, vec![]);
    left.await.unwrap();
    assert_eq!(members().await, [line(&other, "Other")]);
    let pulled = Band::update(&t.odm, band.id).set(Band::fields().members, vec![]);
    pulled.await.unwrap();
    assert!(bands(&other).await.is_empty());
    assert!(t.odm.verify().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_collection_can_name_itself() {
    let t = super::pairs("mirrored_self").await;
    let one = user();
    let other = User {
        friends: vec![one.id],
        ..user()
    };
    // Both users are inserted in one call, and the second refers to the first.
    User::insert_many(&t.odm, &[one.clone(), other.clone()])
        .await
        .unwrap();
    let get = async |of: &User| User::get(&t.odm, of.id).await.unwrap();
    assert_eq!(get(&one).await.friends, [other.id]);
    let fields = User::fields();
    // A user can also be its own friend.
    let push = User::update(&t.odm, one.id).push(fields.friends, one.id);
    push.await.unwrap();
    assert_eq!(get(&one).await.friends, [other.id, one.id]);
    let follow = User::update(&t.odm, one.id).set(fields.follows, vec![other.id, one.id]);
    follow.await.unwrap();
    assert_eq!(get(&other).await.followers, [one.id]);
    assert_eq!(get(&one).await.followers, [one.id]);
    let lost = User::update(&t.odm, other.id).set(fields.followers, vec![]);
    lost.await.unwrap();
    assert_eq!(get(&one).await.follows, [one.id]);
    let drift = t.odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    User::delete(&t.odm, one.id).await.unwrap();
    assert!(get(&other).await.friends.is_empty());
    settle(&t.odm).await;
    let drift = t.odm.verify().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
}
