//! E1 and E2: reads of one student with all classes, and joins of many students with their classes.

use std::sync::Arc;

use mongo_odm::{Linked as _, Odm};
use odm_benches::{
    Result, digest,
    measure::{Kind, Variant},
    table::{Limit, Table},
    text,
};

use crate::{
    hand::{Hand, Linked},
    models::{Class, Enrollment, Student},
    rounds::Rounds,
    school::School,
};

/// Number of students that are joined at once.
const MANY: usize = 100;

/// E1: reads one student with all classes. Each operation reads a different student.
pub(crate) async fn a_student(school: &School, rounds: &Rounds, table: &mut Table) -> Result<()> {
    let by_hand = |name, kind, read: fn(Hand, String) -> Reading| {
        let (hand, students) = (school.hand.clone(), Arc::clone(&school.students));
        Variant::new(name, kind, move |number| {
            read(hand.clone(), id_of(&students, number))
        })
    };
    let odm = school.odm.clone();
    let students = Arc::clone(&school.students);
    let library = Variant::new("library", Kind::Library, move |number| {
        library(odm.clone(), id_of(&students, number))
    });
    let one = by_hand("one find by hand", Kind::Hand, |hand, id| {
        Box::pin(async move { Ok(folded(&hand.linked(&id).await?)) })
    });
    let serde = by_hand("one find of a serde enum", Kind::Usual, |hand, id| {
        Box::pin(async move { Ok(folded(&hand.linked_by_serde(&id).await?)) })
    });
    let two = by_hand("two collections, two finds", Kind::Usual, |hand, id| {
        Box::pin(async move { Ok(folded(&hand.two_finds(&id).await?)) })
    });
    let at_once = by_hand(
        "two collections, both finds at once",
        Kind::Usual,
        |hand, id| Box::pin(async move { Ok(folded(&hand.two_finds_at_once(&id).await?)) }),
    );
    let variants = [
        (library, Limit::None),
        (one, Limit::AtMost(1.05)),
        (serde, Limit::AtMost(1.05)),
        (two, Limit::None),
        (at_once, Limit::None),
    ];
    let title = format!("E1 a student and {} classes", school.each);
    rounds.compare(&title, &variants, table).await
}

type Reading = futures_util::future::BoxFuture<'static, Result<u64>>;

async fn library(odm: Odm, id: String) -> Result<u64> {
    let found = Enrollment::linked(&odm, id).await?;
    Ok(folded(&Linked {
        students: found.students,
        classes: found.classes,
    }))
}

/// Returns a different id for each number. Successive ids are far from each other.
fn id_of(students: &[Student], number: usize) -> String {
    let at = number.wrapping_mul(7_919) % students.len().max(1);
    students
        .get(at)
        .map_or_else(String::new, |it| it.id.key().clone())
}

/// Returns a digest that does not depend on the order of the documents, because the order differs
/// if there are two collections.
fn folded(linked: &Linked) -> u64 {
    let students = linked
        .students
        .iter()
        .map(|it| links(&it.name, it.links.len()));
    let classes = linked.classes.iter().map(of_class);
    students.chain(classes).fold(0, u64::wrapping_add)
}

fn of_class(class: &Class) -> u64 {
    links(&class.name, class.links.len())
}

fn links(name: &str, links: usize) -> u64 {
    text(name).wrapping_add(u64::try_from(links).unwrap_or_default())
}

/// E2: joins many students, which are already in memory, with their classes.
pub(crate) async fn many_students(
    school: &School,
    rounds: &Rounds,
    table: &mut Table,
) -> Result<()> {
    let (odm, students) = (school.odm.clone(), Arc::clone(&school.students));
    let library = Variant::new("library", Kind::Library, move |number| {
        let (odm, some) = (odm.clone(), some(&students, number));
        async move {
            let classes = Class::join_linked(&some, &odm).await?;
            Ok(digest(
                some.iter().flat_map(|it| classes.of(it)).map(of_class),
            ))
        }
    });
    let (hand, students) = (school.hand.clone(), Arc::clone(&school.students));
    let by_hand = Variant::new("one find by hand", Kind::Hand, move |number| {
        let (hand, some) = (hand.clone(), some(&students, number));
        async move {
            let joined = hand.join(&some).await?;
            let classes = joined.of.iter().flatten();
            let classes = classes.filter_map(|at| joined.classes.get(*at));
            Ok(digest(classes.map(of_class)))
        }
    });
    let variants = [(library, Limit::None), (by_hand, Limit::AtMost(1.05))];
    let title = format!(
        "E2 {MANY} students joined with {} classes each",
        school.each
    );
    rounds.compare(&title, &variants, table).await
}

/// Returns many students of the school. The selection depends on the number.
fn some(students: &[Student], number: usize) -> Vec<Student> {
    let begin = number.wrapping_mul(37);
    let at = (0..MANY).map(|place| (begin + place) % students.len().max(1));
    at.filter_map(|at| students.get(at).cloned()).collect()
}
