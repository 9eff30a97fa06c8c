//! Declarations inside containers other than `Vec` and `Option`, which have the same effect as
//! inside these two.

use std::{
    collections::{BTreeSet, HashSet, VecDeque},
    sync::Arc,
};

use mongo_odm::prelude::*;
use odm_tests::Harness;
use smallvec::SmallVec;

use crate::setting::{all, both_ways, empty};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "container_parts")]
struct Part {
    #[serde(rename = "_id")]
    id: Id<Part, i64>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Line {
    #[refs(one, on_delete = "pull")]
    part: Box<Id<Part, i64>>,
    #[denorm(from = "Part.name")]
    part_name: String,
}

/// A struct that occurs only inside the boxes of other structs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Slot {
    #[refs(one, on_delete = "nullify")]
    part: Option<Box<Id<Part, i64>>>,
    #[denorm(from = "Part.name")]
    part_name: Option<String>,
    #[embed]
    inner: Option<Box<Inner>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Inner {
    #[refs(one, on_delete = "nullify")]
    part: Option<Box<Id<Part, i64>>>,
    #[denorm(from = "Part.name")]
    part_name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "container_boards")]
struct Board {
    #[serde(rename = "_id")]
    id: Id<Board, i64>,
    #[refs(many, on_delete = "pull", max = 3)]
    queue: VecDeque<Id<Part, i64>>,
    #[refs(many)]
    set: BTreeSet<Id<Part, i64>>,
    #[refs(many)]
    hashed: HashSet<Id<Part, i64>>,
    #[refs(many)]
    pair: [Id<Part, i64>; 2],
    #[refs(one, on_delete = "restrict")]
    main: Box<Id<Part, i64>>,
    #[embed]
    lines: VecDeque<Line>,
    #[embed(max = 3)]
    few: SmallVec<[Line; 2]>,
    #[embed]
    slot: Box<Slot>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "container_trays")]
struct Tray {
    #[serde(rename = "_id")]
    id: Id<Tray, i64>,
    #[refs(many, on_delete = "pull", max = 3)]
    parts: Box<[Id<Part, i64>]>,
    lines: Box<[Line]>,
    more: Option<Box<[Arc<Line>]>>,
}

fn id(number: i64) -> Id<Part, i64> {
    Id::from_key(number)
}

fn line(number: i64) -> Line {
    Line {
        part: Box::new(id(number)),
        part_name: String::new(),
    }
}

fn slot(number: i64, inner: i64) -> Slot {
    Slot {
        part: Some(Box::new(id(number))),
        part_name: None,
        inner: Some(Box::new(Inner {
            part: Some(Box::new(id(inner))),
            part_name: None,
        })),
    }
}

fn board() -> Board {
    Board {
        id: Id::from_key(1),
        queue: [id(2), id(1), id(3)].into(),
        set: [id(3), id(1)].into(),
        hashed: [id(2)].into(),
        pair: [id(3), id(2)],
        main: Box::new(id(0)),
        lines: [line(1), line(2)].into(),
        few: [line(3), line(1)].into_iter().collect(),
        slot: Box::new(slot(2, 1)),
    }
}

async fn stored(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Part>().only::<Board>();
    sync.only::<Tray>().await.unwrap();
    let part = |number: i64| Part {
        id: id(number),
        name: format!("part {number}"),
    };
    t.given(&(0..4).map(part).collect::<Vec<_>>()).await;
    board().insert(&t.odm).await.unwrap();
    t
}

async fn names(odm: &Odm) -> Vec<String> {
    let stored = Board::get(odm, board().id).await.unwrap();
    let lines = stored.lines.iter().chain(&stored.few);
    let lines = lines.map(|line| line.part_name.clone());
    let inner = stored.slot.inner.and_then(|inner| inner.part_name);
    let slots = [stored.slot.part_name, inner].into_iter().flatten();
    lines.chain(slots).collect()
}

#[tokio::test]
async fn copies_follow() {
    for (way, _) in both_ways(&stored("containers_copies").await.odm) {
        let t = stored(&format!("containers_copies_{way}")).await;
        let (_, odm) = both_ways(&t.odm)
            .into_iter()
            .find(|(it, _)| *it == way)
            .unwrap();
        let as_inserted = ["part 1", "part 2", "part 3", "part 1", "part 2", "part 1"];
        assert_eq!(names(&odm).await, as_inserted);
        let name = Part::fields().name;
        Part::update(&odm, id(1)).set(name, "bolt").await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        let renamed = ["bolt", "part 2", "part 3", "bolt", "part 2", "bolt"];
        assert_eq!(names(&odm).await, renamed);
        assert!(odm.verify().only::<Board>().await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn rules_and_bounds_hold() {
    let t = stored("containers_rules").await;
    let odm = &t.odm;
    let refused = Part::delete(odm, id(0)).await.unwrap_err();
    assert!(refused.to_string().contains("Board.main"), "{refused}");
    let mut full = board();
    full.id = Id::from_key(2);
    full.queue.push_back(id(2));
    let refused = full.insert(odm).await.unwrap_err();
    assert!(refused.to_string().contains("queue"), "{refused}");
    let update = Board::update(odm, board().id);
    let refused = update.push(Board::fields().few, line(2)).await;
    refused.unwrap();
    let update = Board::update(odm, board().id);
    let refused = update.push(Board::fields().few, line(2)).await;
    assert!(refused.unwrap_err().to_string().contains("few"));
    Part::delete(odm, id(1)).await.unwrap();
    let stored = Board::get(odm, board().id).await.unwrap();
    assert_eq!(stored.queue, [id(2), id(3)]);
    assert_eq!(stored.lines.len(), 1);
    assert_eq!(stored.few.len(), 2);
    assert_eq!(stored.slot.inner.unwrap().part, None);
    let left = odm.verify().only::<Board>().await.unwrap();
    let dangling = left.items.iter().map(|it| it.path.as_str());
    assert_eq!(dangling.collect::<Vec<_>>(), ["set.0"], "{left}");
}

#[tokio::test]
async fn loads_and_joins_keep_the_order_of_the_container() {
    let t = stored("containers_loads").await;
    let odm = &t.odm;
    let board = board();
    let numbers = |parts: &[Part]| -> Vec<i64> { parts.iter().map(|it| *it.id.key()).collect() };
    let queue = board.load_queue(odm).await.unwrap();
    assert_eq!(numbers(&queue), [2, 1, 3]);
    assert_eq!(numbers(&board.load_set(odm).await.unwrap()), [1, 3]);
    assert_eq!(numbers(&board.load_hashed(odm).await.unwrap()), [2]);
    assert_eq!(numbers(&board.load_pair(odm).await.unwrap()), [3, 2]);
    let main = board.load_main(odm).await.unwrap().unwrap();
    assert_eq!(*main.id.key(), 0);
    let boards = [board];
    let joined = Board::join_pair(&boards, odm).await.unwrap();
    let of_one = joined.of(&boards[0]).map(|part| *part.id.key());
    assert_eq!(of_one.collect::<Vec<_>>(), [3, 2]);
    let with = Board::fields().set.contains(id(3)) & Board::fields().lines.part.eq(id(2));
    assert_eq!(Board::count(odm).filter(with).await.unwrap(), 1);
    assert_eq!(all(odm, "container_boards").await.len(), 1);
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "container_shared")]
struct Shared {
    #[serde(rename = "_id")]
    id: Id<Shared, i64>,
    #[refs(many)]
    parts: Arc<Vec<Id<Part, i64>>>,
}

#[tokio::test]
async fn what_is_shared_is_stored_as_what_it_is() {
    let t = stored("containers_shared").await;
    let odm = &t.odm;
    let shared = Shared {
        id: Id::from_key(1),
        parts: Arc::new(vec![id(3), id(1)]),
    };
    shared.insert(odm).await.unwrap();
    let parts = shared.load_parts(odm).await.unwrap();
    assert_eq!(parts.len(), 2);
    let push = Shared::update(odm, shared.id).push(Shared::fields().parts, id(2));
    push.await.unwrap();
    let stored = Shared::get(odm, shared.id).await.unwrap();
    assert_eq!(*stored.parts, [id(3), id(1), id(2)]);
}

#[tokio::test]
async fn boxed_slices_are_arrays() {
    let t = empty("containers_slices").await;
    let sync = t.odm.sync_indexes().only::<Part>().only::<Tray>();
    sync.only::<Board>().await.unwrap();
    let part = |number: i64| Part {
        id: id(number),
        name: format!("part {number}"),
    };
    t.given(&(0..3).map(part).collect::<Vec<_>>()).await;
    let tray = Tray {
        id: Id::from_key(1),
        parts: [id(0), id(1)].into(),
        lines: [line(0), line(1)].into(),
        more: Some([Arc::new(line(1)), Arc::new(line(2))].into()),
    };
    tray.insert(&t.odm).await.unwrap();
    let (parts, trays) = (Part::fields(), Tray::fields());
    let rename = Part::update(&t.odm, id(1)).set(parts.name, "renamed");
    rename.await.unwrap();
    let push = Tray::update(&t.odm, tray.id).push(trays.parts, id(2));
    push.push(trays.lines, line(2)).await.unwrap();
    let one_more = Tray::update(&t.odm, tray.id).push(trays.parts, id(2));
    assert_eq!(one_more.await.unwrap_err().code(), "odm.bound_exceeded");
    let loaded = tray.load_parts(&t.odm).await.unwrap();
    assert_eq!(loaded.len(), 2);
    Part::delete(&t.odm, id(0)).await.unwrap();

    let stored = Tray::get(&t.odm, tray.id).await.unwrap();
    assert_eq!(*stored.parts, [id(1), id(2)]);
    let names = |lines: &[&Line]| {
        let names = lines.iter().map(|line| line.part_name.clone());
        names.collect::<Vec<_>>()
    };
    let lines: Vec<&Line> = stored.lines.iter().collect();
    assert_eq!(names(&lines), ["renamed", "part 2"]);
    let more = stored.more.unwrap_or_default();
    let more: Vec<&Line> = more.iter().map(|line| &**line).collect();
    assert_eq!(names(&more), ["renamed", "part 2"]);
    let found = Tray::count(&t.odm).filter(trays.lines.part_name.eq("renamed"));
    assert_eq!(found.await.unwrap(), 1);
    assert!(t.odm.verify().only::<Tray>().await.unwrap().is_empty());
}
