//! Compares the library with hand-written driver code for documents of two kinds that are in one collection and link to
//! each other. All variants are measured in the same rounds.
//!
//! | | workload | limit |
//! |---|---|---|
//! | E1 | a student and all linked classes | 1.05 of a hand-written `find` into the same structs, and of one into a serde enum |
//! | | compared with two hand-written `find`s for the same documents in two collections | |
//! | E2 | 100 students, joined with their classes | 1.05 of one hand-written `find` and a table of the students |
//! | E3 | creating and removing a link between a student and a class | |
//!
//! Each workload is measured with 5 and with 50 classes per student.

mod changes;
mod hand;
mod models;
mod options;
mod reads;
mod rounds;
mod school;

use odm_benches::{Result, place::Place, table::Table};

use crate::{options::Options, school::School};

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::from_args()?;
    let place = Place::start().await?;
    let mut table = Table::default();
    Table::head();
    for &each in &options.classes {
        let school = School::fill(&place, options.students, each).await?;
        for &callers in &options.callers {
            let rounds = options.rounds(&place, callers);
            if options.wants("e1") {
                reads::a_student(&school, &rounds, &mut table).await?;
            }
            if options.wants("e2") {
                reads::many_students(&school, &rounds, &mut table).await?;
            }
        }
        if options.wants("e3") {
            changes::links(&school, &options.rounds(&place, 1), &mut table).await?;
        }
    }
    table.finish(options.strict)
}
