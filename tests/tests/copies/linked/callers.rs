//! Concurrent writers of all kinds. Some of them are dropped, and some roll back.

use std::time::Duration;

use futures_util::future::join_all;
use mongo_odm::{Error, Result};

use super::{oracle::Dice, *};

fn is_expected(error: &Error) -> bool {
    error.is_not_found() || error.is_duplicate_key() || matches!(error, Error::BoundExceeded { .. })
}

async fn write(odm: &impl Executor, dice: &mut Dice) -> Result<()> {
    // Every class has room for these three students.
    let (one, two) = (student(dice.below(3)), student(dice.below(3)));
    let (course, other) = (dice.class(), dice.class());
    match dice.roll(16) {
        0..=2 => one.link(odm, [&course, &other]).await.map(drop),
        3 | 4 => course.link(odm, [&one, &two]).await.map(drop),
        5 | 6 => one.unlink(odm, [&course]).await.map(drop),
        7 | 8 => course.unlink(odm, [&one, &two]).await.map(drop),
        9 if one.id != two.id => one.link(odm, [&two]).await.map(drop),
        10 => {
            let mut new = one.clone();
            new.links = vec![link(course.id.key())];
            new.save(odm).await.map(drop)
        }
        11 => Class::delete(odm, &course.id).await.map(drop),
        12 => course.save(odm).await.map(drop),
        13 => Student::delete(odm, &one.id).deferred().await.map(drop),
        14 => {
            let mut new = one.clone();
            new.links = vec![link(course.id.key())];
            new.insert(odm).await.map(drop)
        }
        _ => {
            let upsert = Class::upsert(odm, Class::fields().id.eq(&course.id));
            upsert.set(Class::fields().name, "upserted").await.map(drop)
        }
    }
}

async fn caller(odm: Odm, mut dice: Dice, steps: usize) {
    for _ in 0..steps {
        let after = Duration::from_micros(dice.roll(20_000));
        let leaves = dice.roll(4) == 0;
        let from = dice.roll(1 << 30);
        let kind = dice.roll(10);
        let odm = &odm;
        let run = async move {
            let mut dice = Dice(from);
            match kind {
                0 | 1 => {
                    let fails = dice.roll(3) == 0;
                    odm.transaction(async |tx| {
                        let mut dice = Dice(from);
                        write(&tx, &mut dice).await?;
                        write(&tx, &mut dice).await?;
                        if fails {
                            Student::get(&tx, Id::from_key("nobody".to_owned())).await?;
                        }
                        Ok(())
                    })
                    .await
                }
                _ => write(odm, &mut dice).await,
            }
        };
        let done = if leaves {
            tokio::time::timeout(after, run).await.unwrap_or(Ok(()))
        } else {
            run.await
        };
        if let Err(error) = done {
            assert!(is_expected(&error), "{error}");
        }
    }
}

async fn storm(test: &str, seed: u64) {
    let t = school(test).await;
    let by_jobs = by_jobs(&t.odm);
    let tasks = (0..8).map(|task| {
        let odm = if task % 4 == 0 { &by_jobs } else { &t.odm };
        tokio::spawn(caller(odm.clone(), Dice(seed * 100 + task), 40))
    });
    for done in join_all(tasks).await {
        done.unwrap();
    }
    t.odm.finish_writes().await;
    by_jobs.finish_writes().await;
    settle(&t.odm).await;
    let verify = t.odm.verify().only::<Class>();
    let drift = verify.include_pending().await.unwrap();
    assert!(drift.is_empty(), "{test} {seed}: {drift}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_all_writes_leaves_no_link_at_one_end() {
    for seed in super::oracle::seeds() {
        storm("links_storm_all", seed).await;
    }
}
