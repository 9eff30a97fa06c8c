//! The work of processes until they are killed: random writes of children, of all kinds.

use std::time::Duration;

use mongo_odm::{Settings, Settle, prelude::*};

use crate::{
    computed::{Reading, Station, reading},
    setting::settings,
    two_way::Branch,
};

/// Numbers that differ from process to process.
struct Dice(u64);

impl Dice {
    fn new() -> Self {
        Self(u64::from(std::process::id()))
    }

    fn below(&mut self, end: usize) -> usize {
        let mixed = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = mixed.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    /// One of a few times, so that many are equal.
    fn time(&mut self) -> DateTime {
        DateTime::from_millis(i64::try_from(self.below(6)).unwrap())
    }
}

/// Inserts a reading of any station. The delta of the reading remains.
pub async fn add_later(odm: &Odm) {
    let station = Station::find(odm).first().require().await.unwrap();
    let new = reading(station.id, 1);
    new.insert(odm).deferred().await.unwrap();
}

/// Writes readings of the existing stations. Half of the new readings are stored with deltas, which are folded in the
/// background.
pub async fn measure(odm: &Odm) {
    let folding: Settings = settings().settle(Settle::Background);
    let (odm, mut dice) = (odm.with_settings(folding), Dice::new());
    let stations = Station::find(&odm).await.unwrap();
    let fields = Reading::fields();
    loop {
        let station = stations[dice.below(stations.len())].id;
        let all = Reading::find(&odm).await.unwrap();
        let any = (!all.is_empty()).then(|| all[dice.below(all.len())].id);
        match (dice.below(10), any) {
            (0..=5, _) | (_, None) => {
                let mut new = reading(station, i64::try_from(dice.below(50)).unwrap());
                new.time = dice.time();
                let insert = new.insert(&odm);
                let is_later = dice.below(2) == 0;
                let insert = if is_later { insert.deferred() } else { insert };
                insert.await.unwrap();
            }
            (6, Some(any)) => {
                let update = Reading::update(&odm, any).set(fields.time, dice.time());
                update.await.unwrap();
            }
            (7, Some(any)) => {
                let update = Reading::update(&odm, any).set(fields.station, Some(station));
                update.await.unwrap();
            }
            (_, Some(any)) => _ = Reading::delete(&odm, any).await.unwrap(),
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// Moves the branches that are not at the top to random branches at the top.
pub async fn reassign(odm: &Odm, atomic: bool) {
    let mut dice = Dice::new();
    let all = Branch::find(odm).await.unwrap();
    let (roots, leaves): (Vec<_>, Vec<_>) = all.into_iter().partition(|it| it.above.is_none());
    loop {
        let leaf = leaves[dice.below(leaves.len())].id;
        let root = roots[dice.below(roots.len())].id;
        let update = Branch::update(odm, leaf).set(Branch::fields().above, Some(root));
        let update = if atomic { update.atomic() } else { update };
        update.await.unwrap();
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
