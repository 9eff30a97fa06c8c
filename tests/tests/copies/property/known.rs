//! Histories that once left a copy behind.

use super::{
    bench::Bench,
    history::{Act, How, Kind, Step, Write},
    world::Row,
};

fn run(history: &[Step]) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let bench = runtime.block_on(Bench::start());
    let outcome = runtime.block_on(bench.run(history));
    outcome.unwrap_or_else(|wrong| panic!("{wrong}"));
    runtime.block_on(bench.close());
}

fn done(write: Write) -> Step {
    Step::Do(Act::Write(vec![write], How::Inline))
}

fn insert(kind: Kind, id: i64, refs: &[i64]) -> Step {
    let row = Row {
        name: format!("{kind:?} {id}"),
        number: 0,
        refs: refs.iter().copied().map(Some).collect(),
    };
    done(Write::Insert(kind, id, kind.keeps(&row)))
}

#[test]
fn a_changed_reference_reaches_the_copies_of_its_copies() {
    run(&[
        insert(Kind::Maker, 0, &[]),
        insert(Kind::Maker, 1, &[]),
        insert(Kind::Item, 0, &[0]),
        insert(Kind::Kit, 0, &[0]),
        done(Write::Relink(Kind::Item, 0, vec![Some(1)])),
    ]);
}

#[test]
fn a_save_of_an_old_struct_does_not_reach_the_copies_of_its_copies() {
    run(&[
        insert(Kind::Maker, 0, &[]),
        insert(Kind::Item, 0, &[0]),
        insert(Kind::Kit, 0, &[0]),
        Step::Load(Kind::Item, 0),
        done(Write::Rename(Kind::Maker, 0, "n1".to_owned())),
        done(Write::Save(Kind::Item, 0)),
        done(Write::Delete(Kind::Item, 0)),
        insert(Kind::Item, 0, &[0]),
    ]);
}
