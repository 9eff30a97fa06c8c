//! E3: creating and removing a link, which is stored at both ends.

use std::sync::Arc;

use mongo_odm::Linked as _;
use odm_benches::{
    Result,
    measure::{Kind, Variant},
    table::{Limit, Table},
};

use crate::{
    models::{Class, Student},
    rounds::Rounds,
    school::School,
};

/// Measures linking a student with a class and removing the link again. Each operation uses a
/// different pair.
pub(crate) async fn links(school: &School, rounds: &Rounds, table: &mut Table) -> Result<()> {
    let (odm, pairs) = (school.odm.clone(), Pairs::of(school));
    let library = Variant::new("library", Kind::Library, move |number| {
        let (odm, pairs) = (odm.clone(), pairs.clone());
        async move {
            let (student, class) = pairs.not_linked(number).ok_or("no pair")?;
            student.link(&odm, class).await?;
            student.unlink(&odm, class).await?;
            Ok(1)
        }
    });
    let (hand, pairs) = (school.hand.clone(), Pairs::of(school));
    let by_hand = Variant::new("two updates in a transaction by hand", Kind::Hand, {
        move |number| {
            let (hand, pairs) = (hand.clone(), pairs.clone());
            async move {
                let (student, class) = pairs.not_linked(number).ok_or("no pair")?;
                hand.link_and_unlink(student.id.key(), class.id.key())
                    .await?;
                Ok(1)
            }
        }
    });
    let variants = [(library, Limit::None), (by_hand, Limit::None)];
    let title = format!("E3 a link made and ended, beside {} others", school.each);
    rounds.compare(&title, &variants, table).await
}

/// Pairs of students and classes that are not linked.
#[derive(Clone)]
struct Pairs {
    students: Arc<Vec<Student>>,
    classes: Arc<Vec<Class>>,
    each: usize,
}

impl Pairs {
    fn of(school: &School) -> Self {
        Self {
            students: Arc::clone(&school.students),
            classes: Arc::clone(&school.classes),
            each: school.each,
        }
    }

    /// Returns a student, and the class after the student's last linked class.
    fn not_linked(&self, number: usize) -> Option<(&Student, &Class)> {
        let at = number % self.students.len().max(1);
        let class = (at * 7 + self.each) % self.classes.len().max(1);
        Some((self.students.get(at)?, self.classes.get(class)?))
    }
}
