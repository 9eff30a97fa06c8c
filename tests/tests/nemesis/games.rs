//! Games in which many players score concurrently. The derived fields of a game are updated in the transactions of its
//! scores, by deltas that are folded later, and by recomputation. Games are inserted and deleted in the meantime.

use futures_util::future::try_join_all;
use mongo_odm::{Average, Result, Settle, prelude::*};

use crate::{program::any, random::Random};

/// A small number, so that concurrent writes change the same game.
pub(crate) const GAMES: u64 = 3;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "games")]
pub(crate) struct Game {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Game, i64>,
    pub(crate) name: String,
    #[refs(many, inverse = "game")]
    pub(crate) all: Vec<Id<Score>>,
    #[recent(of = "Score", via = "game", sort = "points", limit = 4)]
    pub(crate) top: Vec<ScoreLine>,
    #[rollup(count, of = "Score", via = "game")]
    pub(crate) scores: i64,
    #[rollup(sum, of = "Score", via = "game", field = "points")]
    pub(crate) points: i64,
    #[rollup(average, of = "Score", via = "game", field = "points")]
    pub(crate) mean: Average,
    #[rollup(min, of = "Score", via = "game", field = "points")]
    pub(crate) worst: Option<i64>,
    #[rollup(max, of = "Score", via = "game", field = "points")]
    pub(crate) best: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "scores")]
pub(crate) struct Score {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Score>,
    #[parent_ref(inverse = "all")]
    pub(crate) game: Id<Game, i64>,
    pub(crate) points: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Score")]
pub(crate) struct ScoreLine {
    #[serde(rename = "_id")]
    pub(crate) id: Id<Score>,
    pub(crate) points: i64,
}

#[derive(Clone, Copy)]
pub(crate) enum Act {
    Score,
    Later,
    /// Inserts several scores concurrently, which conflict at their game.
    Crowd,
    Many,
    Bulk,
    Correct,
    Move,
    MoveAll,
    Delete,
    Fold,
    UpsertGame,
    DeleteGame,
}

pub(crate) const ACTS: [(u64, &str, Act); 12] = [
    (20, "scored", Act::Score),
    (30, "scored later", Act::Later),
    (10, "scored at once", Act::Crowd),
    (10, "scored many", Act::Many),
    (10, "wrote in bulk", Act::Bulk),
    (12, "corrected a score", Act::Correct),
    (10, "moved a score", Act::Move),
    (1, "moved all scores", Act::MoveAll),
    (12, "deleted a score", Act::Delete),
    (6, "folded", Act::Fold),
    (8, "upserted a game", Act::UpsertGame),
    (2, "deleted a game", Act::DeleteGame),
];

pub(crate) async fn perform(act: Act, odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    let settle = if random.percent(50) {
        Settle::Background
    } else {
        Settle::Manual
    };
    let odm = &odm.with_settings(odm.settings().clone().settle(settle));
    let game = game_id(random.below(GAMES));
    let fields = Score::fields();
    match act {
        Act::Score => score(game, random).insert(odm).await.map(|_| 1),
        Act::Later => score(game, random).insert(odm).deferred().await.map(|_| 1),
        Act::Crowd => {
            let crowd: Vec<Score> = (0..4).map(|_| score(game, random)).collect();
            let all = crowd.iter().map(|score| score.insert(odm).into_future());
            try_join_all(all).await.map(|done| done.len() as u64)
        }
        Act::Many => {
            let many = 1 + random.below(20);
            let many: Vec<Score> = (0..many)
                .map(|_| score(game_id(random.below(GAMES)), random))
                .collect();
            let insert = Score::insert_many(odm, &many);
            let is_later = random.percent(50);
            let insert = if is_later { insert.deferred() } else { insert };
            insert.await.map(|_| many.len() as u64)
        }
        Act::Bulk => bulk(odm, random, name).await,
        Act::Fold => odm.run_pending_jobs().await.map(|done| done.folded),
        Act::MoveAll => {
            let from = Score::update_many(odm, fields.game.eq(game));
            let to = game_id(random.below(GAMES));
            from.set(fields.game, to).await.map(|done| done.modified)
        }
        Act::UpsertGame => {
            let game = Game::upsert(odm, Game::fields().id.eq(game));
            game.set(Game::fields().name, name).await.map(|_| 1)
        }
        Act::DeleteGame => Ok(Game::delete(odm, game).await?.deleted),
        Act::Correct | Act::Move | Act::Delete => {
            let Some(any) = any::<Score>(odm, doc! {}).await? else {
                return Ok(0);
            };
            let update = Score::update(odm, any);
            match act {
                Act::Correct => update.set(fields.points, points(random)).await.map(drop)?,
                Act::Move => update.set(fields.game, game).await.map(drop)?,
                _ => Score::delete(odm, any).await.map(drop)?,
            }
            Ok(1)
        }
    }
}

/// Inserts, corrects and deletes scores in a bulk write, and renames a game.
async fn bulk(odm: &Odm, random: &mut Random, name: &str) -> Result<u64> {
    let new = 1 + random.below(5);
    let new: Vec<Score> = (0..new)
        .map(|_| score(game_id(random.below(GAMES)), random))
        .collect();
    let bulk = odm.bulk_write();
    let bulk = if random.percent(50) {
        bulk.unordered()
    } else {
        bulk
    };
    let mut bulk = bulk.add_all(new.iter().map(|score| score.insert(odm)));
    if let Some(any) = any::<Score>(odm, doc! {}).await? {
        let correct = Score::update(odm, any).set(Score::fields().points, points(random));
        bulk = bulk.add(correct).add(Score::delete(odm, new[0].id));
    }
    let game = Game::update(odm, game_id(random.below(GAMES)));
    let counts = bulk.add(game.set(Game::fields().name, name)).await?.counts;
    Ok(counts.inserted + counts.modified + counts.deleted)
}

pub(crate) fn game_id(number: u64) -> Id<Game, i64> {
    Id::from_key(number.cast_signed())
}

/// Returns a game without scores.
pub(crate) fn game(number: u64) -> Game {
    Game {
        id: game_id(number),
        name: "new".to_owned(),
        all: Vec::new(),
        top: Vec::new(),
        scores: 0,
        points: 0,
        mean: Average::default(),
        worst: None,
        best: None,
    }
}

fn score(game: Id<Game, i64>, random: &mut Random) -> Score {
    Score {
        id: Id::new(),
        game,
        points: points(random),
    }
}

/// Returns one of only a few values, so that many are equal.
fn points(random: &mut Random) -> i64 {
    random.below(20).cast_signed() - 5
}
