//! Loads, joins and counts of relations.

use std::time::Duration;

use mongo_odm::{
    Executor,
    bson::Bson,
    mongodb::options::{Collation, ReadConcern},
    prelude::*,
};
use odm_tests::{Harness, planned::assert_sent};

use super::{Keeper, Note, Toy, family, note, setting};

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Toy")]
struct ToyId {
    #[serde(rename = "_id")]
    id: Id<Toy>,
}

struct Given {
    keepers: Vec<Keeper>,
    toy: Toy,
}

async fn given(t: &Harness) -> Given {
    let notes = [note(1), note(2)];
    t.given(&notes).await;
    let (one, _, toy) = family(&t.odm).await;
    let (two, ..) = family(&t.odm).await;
    let notes: Vec<_> = notes.iter().map(|note| note.id).collect();
    let with_notes = |keeper: Keeper| Keeper {
        notes: notes.clone(),
        ..keeper
    };
    Given {
        keepers: vec![with_notes(one), with_notes(two)],
        toy,
    }
}

#[tokio::test]
async fn relations_send_what_they_plan() {
    let t = setting("plan_run_relations").await;
    let given = given(&t).await;
    relations(&t, &t.odm, &given).await;
    let inside = async |tx: mongo_odm::Tx| {
        relations(&t, &tx, &given).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
}

async fn relations(t: &Harness, odm: &impl Executor, given: &Given) {
    let Given { keepers, toy } = given;
    let (keeper, stars, id) = (&keepers[0], Note::fields().stars, Toy::fields().id);
    same!(*t, "load", keeper.load_notes(odm));
    same!(
        *t,
        "sorted load",
        keeper.load_notes(odm).sort(stars.asc()).limit(1).skip(1)
    );
    same!(
        *t,
        "filtered load",
        keeper.load_notes(odm).filter(stars.gt(1))
    );
    same!(*t, "load one", toy.load_keeper(odm));
    same!(*t, "load the one that refers", keeper.load_pet(odm));
    same!(*t, "load those that refer", keeper.load_toys(odm));
    same!(*t, "projected", keeper.load_toys(odm).select::<ToyId>());
    same!(
        *t,
        "plainly projected",
        keeper
            .load_toys(odm)
            .project::<mongo_odm::bson::Document>(doc! { "keeper": 1 })
    );
    same!(*t, "join", Keeper::join_notes(keepers, odm));
    same!(*t, "join one", Toy::join_keeper([toy], odm));
    same!(*t, "join those that refer", Keeper::join_toys(keepers, odm));
    same!(
        *t,
        "sorted join",
        Keeper::join_toys(keepers, odm).sort(id.desc())
    );
    same!(
        *t,
        "so many of each",
        Keeper::join_toys(keepers, odm)
            .sort(id.desc())
            .limit_each(1)
    );
    same!(
        *t,
        "so many of each, later ones",
        Keeper::join_toys(keepers, odm)
            .sort(id.desc())
            .skip_each(1)
            .limit_each(1)
    );
    same!(
        *t,
        "so many of each reference",
        Keeper::join_notes(keepers, odm).skip_each(1).limit_each(1)
    );
    same!(*t, "count", keeper.count_notes(odm));
    same!(
        *t,
        "filtered count",
        keeper.count_notes(odm).filter(stars.gt(1))
    );
    same!(
        *t,
        "count each",
        Keeper::join_notes(keepers, odm).count_each()
    );
    same!(
        *t,
        "count each of those that refer",
        Keeper::join_toys(keepers, odm).count_each()
    );
}

/// Sets every option that a load, a join and a count have.
macro_rules! with_options {
    ($builder:expr) => {
        $builder
            .collation(Collation::builder().locale("en").build())
            .comment("a comment")
            .max_time(Duration::from_secs(9))
            .let_vars(doc! { "x": 1 })
            .read_concern(ReadConcern::local())
    };
}

#[tokio::test]
async fn options_of_relations_are_planned_and_sent() {
    let t = setting("plan_run_relation_options").await;
    let Given { keepers, .. } = given(&t).await;
    let (odm, keeper, hint) = (&t.odm, &keepers[0], doc! { "keeper": 1 });
    let by_x = || doc! { "$expr": { "$eq": ["$$x", 1] } };
    let load = || with_options!(keeper.load_toys(odm).filter(by_x())).hint(hint.clone());
    assert_eq!(same!(t, "load", load().allow_disk_use()).len(), 1);
    all_sent(&t, "find");
    let join = || with_options!(Keeper::join_toys(&keepers, odm).filter(by_x())).allow_disk_use();
    let joined = same!(t, "join", join().hint(hint.clone()));
    assert_eq!(joined.of(keeper).len(), 1);
    all_sent(&t, "find");
    let limited = same!(t, "limited", join().limit_each(1));
    assert_eq!(limited.of(keeper).len(), 1);
    all_sent(&t, "aggregate");
    let count = || with_options!(keeper.count_toys(odm).filter(by_x()));
    assert_eq!(same!(t, "count", count().hint(hint.clone())), 1);
    all_sent(&t, "aggregate");
    let counts = same!(t, "count each", join().count_each().hint(hint.clone()));
    assert_eq!(counts.of(keeper), 1);
    all_sent(&t, "aggregate");
    // If the server looks up each key separately, the caller cannot choose an index.
    let refused = join().hint(hint).limit_each(1).await.unwrap_err();
    assert!(refused.to_string().contains("`limit_each`"), "{refused}");
}

fn all_sent(t: &Harness, command: &str) {
    let sent = odm_tests::sent::only(t, command);
    for option in ["collation", "comment", "maxTimeMS", "let", "readConcern"] {
        assert!(sent.contains_key(option), "{option}: {sent}");
    }
    let comment: Option<&Bson> = sent.get("comment");
    assert_eq!(comment, Some(&Bson::from("a comment")));
}

/// A transaction of the application has these concerns once, for all its statements.
#[tokio::test]
async fn concerns_of_relations_are_refused_in_a_transaction() {
    let t = setting("plan_run_concern_of_relations").await;
    let Given { keepers, toy } = given(&t).await;
    macro_rules! refused {
        ($builder:expr) => {
            for error in [
                $builder
                    .read_concern(ReadConcern::local())
                    .plan()
                    .unwrap_err(),
                $builder
                    .read_concern(ReadConcern::local())
                    .await
                    .unwrap_err(),
            ] {
                assert_eq!(error.kind(), mongo_odm::ErrorKind::Invalid, "{error:?}");
                let text = error.to_string();
                assert!(text.contains("has no `read_concern`"), "{text}");
            }
        };
    }
    let keeper = &keepers[0];
    let in_transaction = t.odm.transaction(async |tx| {
        refused!(keeper.load_toys(&tx));
        refused!(keeper.load_toys(&tx).limit(1));
        refused!(toy.load_keeper(&tx));
        refused!(Keeper::join_toys(&keepers, &tx));
        refused!(Keeper::join_toys(&keepers, &tx).limit_each(1));
        refused!(keeper.count_toys(&tx));
        refused!(Keeper::join_toys(&keepers, &tx).count_each());
        keeper.load_toys(&tx).await
    });
    assert_eq!(in_transaction.await.unwrap(), [toy]);
}
