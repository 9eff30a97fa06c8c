//! Concurrent callers, and callers that are dropped.

use std::{collections::HashMap, sync::Arc, time::Duration};

use mongo_odm::{Error, ErrorKind};

use super::*;

fn branches(number: usize) -> Vec<Branch> {
    let branch = |_| Branch {
        id: Id::new(),
        below: Vec::new(),
        above: None,
    };
    (0..number).map(branch).collect()
}

/// Every caller loads the leaf and assigns it to a branch that no other caller uses.
#[tokio::test(flavor = "multi_thread")]
async fn of_those_who_loaded_one_state_one_reassigns_it() {
    const CALLERS: usize = 8;
    const TIMES: usize = 10;
    let t = both_sides("reassign_race").await;
    let (leaf, owners) = (branches(1).remove(0), branches(CALLERS * TIMES));
    leaf.insert(&t.odm).await.unwrap();
    t.given(&owners).await;
    let barrier = Arc::new(tokio::sync::Barrier::new(CALLERS));
    let caller = |number: usize| {
        let (odm, barrier, leaf) = (t.odm.clone(), Arc::clone(&barrier), leaf.id);
        let own: Vec<_> = owners[number * TIMES..][..TIMES]
            .iter()
            .map(|it| it.id)
            .collect();
        async move {
            let mut moves = Vec::new();
            for to in own {
                barrier.wait().await;
                let loaded = Branch::get(&odm, leaf).await.unwrap();
                match loaded.reassign_above(&odm, to).await {
                    Ok(_) => moves.push((loaded.above, to)),
                    Err(error) => assert_eq!(error.kind(), ErrorKind::Reassigned, "{error}"),
                }
            }
            moves
        }
    };
    let callers: Vec<_> = (0..CALLERS)
        .map(|number| tokio::spawn(caller(number)))
        .collect();
    let mut next = HashMap::new();
    for caller in callers {
        for (from, to) in caller.await.unwrap() {
            assert_eq!(
                next.insert(from, to),
                None,
                "two have moved it away from {from:?}"
            );
        }
    }
    // In each round, at least one caller succeeds.
    assert!(next.len() >= TIMES, "{}", next.len());
    let mut above = None;
    while let Some(to) = next.remove(&above) {
        above = Some(to);
    }
    assert!(next.is_empty(), "moves that nobody saw: {next:?}");
    assert_eq!(Branch::get(&t.odm, leaf.id).await.unwrap().above, above);
    t.odm.run_pending_jobs().await.unwrap();
    let drift = t.odm.verify().only::<Branch>().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
}

/// 900 reassigns of 48 tasks by 8 callers: updates, reassigns of loaded tasks, and takes.
#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_reassigns_leaves_no_task_with_two_owners_or_none() {
    let t = both_sides("two_way_storm").await;
    let roomy = branches(6);
    t.given(&roomy).await;
    let tasks: Vec<Branch> = branches(48)
        .into_iter()
        .enumerate()
        .map(|(n, task)| Branch {
            above: Some(roomy[n % 6].id),
            ..task
        })
        .collect();
    t.given(&tasks).await;
    let caller = |number: usize| {
        let (odm, roomy, tasks) = (t.odm.clone(), roomy.clone(), tasks.clone());
        async move {
            for step in 0..900 / 8 {
                let (task, owner) = ((step * 7 + number * 5) % 48, (step * 5 + number) % 6);
                let (task, owner) = (&tasks[task], &roomy[owner]);
                match step % 3 {
                    0 => drop(owner.take_below(&odm, [task.id]).await.unwrap()),
                    1 => {
                        let update = Branch::update(&odm, task.id);
                        let update = update.set(Branch::fields().above, Some(owner.id));
                        update.await.unwrap();
                    }
                    _ => reassign(&odm, task, owner).await,
                }
            }
        }
    };
    let callers: Vec<_> = (0..8).map(|number| tokio::spawn(caller(number))).collect();
    for caller in callers {
        caller.await.unwrap();
    }
    t.odm.run_pending_jobs().await.unwrap();
    let drift = t.odm.verify().only::<Branch>().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    let owners = Branch::find(&t.odm)
        .filter(Branch::fields().above.eq(None))
        .await
        .unwrap();
    assert_eq!(owners.iter().map(|it| it.below.len()).sum::<usize>(), 48);
}

/// Loads a branch and reassigns it. If another caller was faster, the error contains the present owner, which differs
/// from the loaded owner.
async fn reassign(odm: &Odm, task: &Branch, owner: &Branch) {
    let loaded = Branch::get(odm, task.id).await.unwrap();
    match loaded.reassign_above(odm, owner.id).await {
        Ok(_) => {}
        Err(Error::Reassigned {
            expected, present, ..
        }) => {
            assert_eq!(*expected, loaded.above.unwrap().into());
            assert_ne!(present, expected);
        }
        Err(error) => panic!("{error}"),
    }
}

/// The inserts conflict only at the document with the array.
#[tokio::test(flavor = "multi_thread")]
async fn inserts_at_once_fill_an_array_to_its_bound_and_no_further() {
    let (t, kate, _) = office("two_way_full_at_once").await;
    for round in 0..3 {
        Task::delete_many(&t.odm, doc! {})
            .everything()
            .await
            .unwrap();
        let insert = |number: usize| {
            let (odm, new) = (t.odm.clone(), task(&kate, &number.to_string()));
            tokio::spawn(async move { new.insert(&odm).await })
        };
        let inserts: Vec<_> = (0..12).map(insert).collect();
        let mut stored = 0;
        for insert in inserts {
            match insert.await.unwrap() {
                Ok(_) => stored += 1,
                Err(error) => assert_eq!(error.kind(), ErrorKind::BoundExceeded, "{error}"),
            }
        }
        assert_eq!(stored, 5, "{round}");
        assert_both_ends(&t.odm, &format!("round {round}")).await;
    }
}

/// Concurrent takes by one owner from two other owners fill the owner's array at most to its bound.
#[tokio::test(flavor = "multi_thread")]
async fn two_takes_at_once_keep_the_bound() {
    let (t, kate, nicky) = office("take_race").await;
    let rod = person("Rod");
    rod.insert(&t.odm).await.unwrap();
    for round in 0..8 {
        Task::delete_many(&t.odm, doc! {})
            .everything()
            .await
            .unwrap();
        let tasks: Vec<Task> = [&nicky, &nicky, &rod, &rod]
            .map(|of| task(of, "taken"))
            .to_vec();
        t.given(&tasks).await;
        let own = [task(&kate, "own"), task(&kate, "own too")];
        t.given(&own).await;
        let take = |some: &[Task]| {
            let ids: Vec<_> = some.iter().map(|task| task.id).collect();
            let take = kate.take_tasks(&t.odm, ids);
            tokio::spawn(async move { take.await })
        };
        let (one, other) = tokio::join!(take(&tasks[..2]), take(&tasks[2..]));
        let failed: Vec<_> = [one.unwrap(), other.unwrap()]
            .into_iter()
            .filter_map(Result::err)
            .collect();
        let kinds: Vec<_> = failed.iter().map(Error::kind).collect();
        assert_eq!(kinds, [ErrorKind::BoundExceeded], "{round}: {failed:?}");
        assert_both_ends(&t.odm, &format!("round {round}")).await;
        assert_eq!(Person::get(&t.odm, kate.id).await.unwrap().tasks.len(), 4);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reassign_or_take_that_is_dropped_moves_both_ends_or_none() {
    let (t, kate, nicky) = office("reassign_dropped").await;
    let tasks: Vec<Task> = (0..4).map(|n| task(&kate, &n.to_string())).collect();
    t.given(&tasks).await;
    for (round, after) in (200..12_000)
        .step_by(700)
        .map(Duration::from_micros)
        .enumerate()
    {
        let (from, to) = if round % 2 == 0 {
            (&kate, &nicky)
        } else {
            (&nicky, &kate)
        };
        let loaded = Task {
            owner: Some(from.id),
            ..tasks[0].clone()
        };
        let reassigned =
            tokio::time::timeout(after, loaded.reassign_owner(&t.odm, to.id).into_future());
        let _ = reassigned.await;
        let rest = tasks[1..].iter().map(|task| task.id);
        let _ = tokio::time::timeout(after, to.take_tasks(&t.odm, rest).into_future()).await;
        t.odm.finish_writes().await;
        assert_both_ends(&t.odm, &format!("dropped after {after:?}")).await;
        let of_rest: Vec<_> = Task::find(&t.odm)
            .await
            .unwrap()
            .iter()
            .filter(|it| it.id != tasks[0].id)
            .map(|it| it.owner)
            .collect();
        assert!(
            of_rest.windows(2).all(|two| two[0] == two[1]),
            "{of_rest:?}"
        );
    }
    settle(&t.odm).await;
}
