//! Random deletes, restores and runs of jobs, compared with a naive model that has no jobs.

use std::collections::BTreeMap;

use super::*;

/// A document of the naive model.
#[derive(Clone, Copy, Debug)]
struct Kept {
    parent: i64,
    /// The number of the delete that has deleted the document.
    deleted: Option<u32>,
}

/// The documents of the three levels.
#[derive(Debug)]
struct Naive {
    deletes: u32,
    levels: [BTreeMap<i64, Kept>; 3],
}

impl Naive {
    fn new() -> Self {
        let level = |most| {
            let kept = |number| Kept {
                parent: parent_of(number),
                deleted: None,
            };
            (1..=most).map(|number| (number, kept(number))).collect()
        };
        Self {
            deletes: 0,
            levels: [2, 6, 18].map(level),
        }
    }

    fn is_live(&self, level: usize, number: i64) -> bool {
        self.levels[level][&number].deleted.is_none()
    }

    fn children(&self, level: usize, number: i64) -> Vec<i64> {
        let below = self.levels.get(level + 1).into_iter().flatten();
        let children = below.filter(|(_, kept)| kept.parent == number);
        children.map(|(child, _)| *child).collect()
    }

    /// Changes a document and its descendants if the delete or restore applies to them.
    fn change(&mut self, level: usize, number: i64, from: Option<u32>, to: Option<u32>) {
        let kept = self.levels[level].get_mut(&number).unwrap();
        if kept.deleted != from {
            return;
        }
        kept.deleted = to;
        for child in self.children(level, number) {
            self.change(level + 1, child, from, to);
        }
    }

    fn delete(&mut self, level: usize, number: i64) {
        self.deletes += 1;
        self.change(level, number, None, Some(self.deletes));
    }

    fn restore(&mut self, level: usize, number: i64) {
        let deleted = self.levels[level][&number].deleted;
        if deleted.is_some() {
            self.change(level, number, deleted, None);
        }
    }

    fn live(&self, level: usize) -> Vec<i64> {
        let live = self.levels[level]
            .iter()
            .filter(|(_, it)| it.deleted.is_none());
        live.map(|(number, _)| *number).collect()
    }
}

/// Deletes or restores one document.
async fn call<M>(odm: &Odm, number: i64, deletes: bool, deferred: bool)
where
    M: Model<Id = Id<M, i64>, Key = i64> + SoftDelete,
{
    let id: Id<M, i64> = id(number);
    match (deletes, deferred) {
        (true, false) => _ = M::delete(odm, id).await.unwrap(),
        (true, true) => _ = M::delete(odm, id).deferred().await.unwrap(),
        (false, false) => _ = M::restore(odm, id).await.unwrap(),
        (false, true) => _ = M::restore(odm, id).deferred().await.unwrap(),
    }
}

/// Whether the call has the same effect on the stored documents as in the naive model. If jobs are pending, the stored
/// documents can differ from the naive model when the call is made. A delete does not cancel the restore of a document
/// below the deleted one.
async fn can_call<T: Tree>(
    odm: &Odm,
    naive: &Naive,
    level: usize,
    number: i64,
    deletes: bool,
) -> bool {
    let stored = live(odm, T::LEVELS[level]).await.contains(&number);
    if stored != naive.is_live(level, number) || stored != deletes {
        return false;
    }
    let Some(above) = level.checked_sub(1) else {
        return true;
    };
    let parent = naive.levels[level][&number].parent;
    let stored = live(odm, T::LEVELS[above]).await.contains(&parent);
    stored && naive.is_live(above, parent)
}

async fn assert_same<T: Tree>(odm: &Odm, naive: &Naive, history: &[String]) {
    run_all(odm).await;
    for (level, collection) in T::LEVELS.iter().enumerate() {
        let stored = live(odm, collection).await;
        assert_eq!(
            stored,
            naive.live(level),
            "{collection}:\n{}",
            history.join("\n")
        );
    }
}

async fn program<T: Tree>(test: &str, seed: u64) {
    let (_t, odm) = tree::<T>(&format!("{test}_{seed}")).await;
    let mut random = fastrand::Rng::with_seed(seed);
    let (mut naive, mut history) = (Naive::new(), Vec::new());
    for step in 0..60 {
        let level = [0, 0, 0, 1, 1, 2][random.usize(0..6)];
        let number = random.i64(1..=[2, 6, 18][level]);
        let (deletes, deferred) = (random.bool(), random.bool());
        let inline = [0, 1, 4, 1_000][random.usize(0..4)];
        history.push(format!(
            "{step}: {} {number}, deletes: {deletes}, deferred: {deferred}, inline: {inline}",
            T::LEVELS[level]
        ));
        if can_call::<T>(&odm, &naive, level, number, deletes).await {
            let odm = odm.with_settings(settings().inline_copies(inline));
            match level {
                0 => call::<T>(&odm, number, deletes, deferred).await,
                1 => call::<T::Child>(&odm, number, deletes, deferred).await,
                _ => call::<T::Leaf>(&odm, number, deletes, deferred).await,
            }
            if deletes {
                naive.delete(level, number);
            } else {
                naive.restore(level, number);
            }
        }
        if random.u8(0..4) == 0 {
            history.push("jobs".into());
            odm.run_pending_jobs().await.unwrap();
        }
        if random.u8(0..8) == 0 {
            assert_same::<T>(&odm, &naive, &history).await;
        }
    }
    assert_same::<T>(&odm, &naive, &history).await;
    assert_verified(&odm).await;
}

#[tokio::test]
async fn random_deletes_and_restores_of_marked_documents_are_those_of_the_naive_model() {
    for seed in 0..3 {
        program::<Root>("life_chain_random", seed).await;
    }
}

#[tokio::test]
async fn random_deletes_and_restores_of_archived_documents_are_those_of_the_naive_model() {
    for seed in 10..13 {
        program::<Trunk>("life_chain_random", seed).await;
    }
}
