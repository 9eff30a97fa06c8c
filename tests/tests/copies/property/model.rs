//! Models with every kind of copy: scalar, in an array, in nested arrays, with the key in the source,
//! and copies of copies both ways.
//!
//! | source | copy | kind |
//! |---|---|---|
//! | `Maker.name` | `Item.maker_name` | scalar, optional reference |
//! | `Item.name`, `Item.maker_name` | `Kit.lines[]` | array; the second is a copy of a copy |
//! | `Kit.name`, `Kit.number` | `Item.kit_name`, `.kit_number` | the key is in the source |
//! | `Kit.name`, `Kit.number` | `Shelf.rows[].slots[]` | nested arrays, optional reference |
//! | `Item.name`, `Item.kit_name` | `Note` | scalar; the second is a copy of a copy |
//! | `Maker.name` | `Office` | goes with its maker, and so do its desks with their drawers: copies of copies |
//! | `Item.maker` | `Maker.items` | two-way reference |
//! | `Item.number`, `Item.name` | `Maker.largest` | list without ids |
//! | `Item.number` | `Maker.count` to `Maker.greatest` | count, sum, mean, extremes; the number of an item may be missing |
//! | `Office.maker` | `Maker.offices` | count of what goes with a cascade |
//! | `Maker.count` | `Office.maker_count` | copy of what was computed |

use mongo_odm::{Average, prelude::*};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "prop_makers")]
pub(super) struct Maker {
    #[serde(rename = "_id")]
    pub id: Id<Maker, i64>,
    pub name: String,
    #[refs(many, inverse = "maker")]
    pub items: Vec<Id<Item, i64>>,
    #[recent(of = "Item", via = "maker", sort = "number", limit = 2)]
    pub largest: Vec<ItemLine>,
    #[rollup(count, of = "Item", via = "maker")]
    pub count: i64,
    #[rollup(sum, of = "Item", via = "maker", field = "number")]
    pub sum: i64,
    #[rollup(average, of = "Item", via = "maker", field = "number")]
    pub mean: Average,
    #[rollup(min, of = "Item", via = "maker", field = "number")]
    pub least: Option<i64>,
    #[rollup(max, of = "Item", via = "maker", field = "number")]
    pub greatest: Option<i64>,
    #[rollup(count, of = "Office", via = "maker")]
    pub offices: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Item")]
pub(super) struct ItemLine {
    pub name: String,
    pub number: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "prop_items")]
pub(super) struct Item {
    #[serde(rename = "_id")]
    pub id: Id<Item, i64>,
    pub name: String,
    #[serde(default)]
    pub number: Option<i64>,
    #[parent_ref(inverse = "items")]
    pub maker: Option<Id<Maker, i64>>,
    #[denorm(from = Maker.name)]
    pub maker_name: Option<String>,
    #[denorm(from = Kit.name, via = Kit.lines)]
    pub kit_name: Option<String>,
    #[denorm(from = Kit.number, via = Kit.lines)]
    pub kit_number: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub(super) struct Line {
    #[refs(one)]
    pub item: Id<Item, i64>,
    #[denorm(from = Item.name)]
    pub name: String,
    #[denorm(from = Item.maker_name)]
    pub maker_name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "prop_kits")]
pub(super) struct Kit {
    #[serde(rename = "_id")]
    pub id: Id<Kit, i64>,
    pub name: String,
    pub number: i64,
    #[embed]
    #[refs(many)]
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub(super) struct Slot {
    #[refs(one)]
    pub kit: Option<Id<Kit, i64>>,
    #[denorm(from = Kit.name)]
    pub kit_name: Option<String>,
    #[denorm(from = Kit.number)]
    pub kit_number: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub(super) struct Row {
    #[embed]
    pub slots: Vec<Slot>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "prop_shelves")]
pub(super) struct Shelf {
    #[serde(rename = "_id")]
    pub id: Id<Shelf, i64>,
    #[embed]
    pub rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "prop_notes")]
pub(super) struct Note {
    #[serde(rename = "_id")]
    pub id: Id<Note, i64>,
    #[refs(one)]
    pub item: Id<Item, i64>,
    #[denorm(from = Item.name)]
    pub item_name: String,
    #[denorm(from = Item.kit_name)]
    pub kit_name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "prop_offices")]
pub(super) struct Office {
    #[serde(rename = "_id")]
    pub id: Id<Office, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub maker: Id<Maker, i64>,
    #[denorm(from = Maker.name)]
    pub maker_name: String,
    #[denorm(from = Maker.count)]
    pub maker_count: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "prop_desks")]
pub(super) struct Desk {
    #[serde(rename = "_id")]
    pub id: Id<Desk, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub office: Id<Office, i64>,
    #[denorm(from = Office.maker_name)]
    pub maker_name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "prop_drawers")]
pub(super) struct Drawer {
    #[serde(rename = "_id")]
    pub id: Id<Drawer, i64>,
    #[parent_ref(on_delete = "cascade")]
    pub desk: Id<Desk, i64>,
    #[denorm(from = Desk.maker_name)]
    pub maker_name: String,
}

/// What goes with a maker, level by level.
pub(super) const LEVELS: [&str; 3] = ["prop_offices", "prop_desks", "prop_drawers"];

pub(super) const COLLECTIONS: [&str; 5] = [
    "prop_makers",
    "prop_items",
    "prop_kits",
    "prop_shelves",
    "prop_notes",
];

/// What every copy holds before the library looks at it.
pub(super) fn old() -> String {
    "stale".to_owned()
}

pub(super) fn maker(id: i64, name: String) -> Maker {
    Maker {
        id: Id::from_key(id),
        name,
        items: Vec::new(),
        largest: Vec::new(),
        count: -1,
        sum: -1,
        mean: Average::default(),
        least: Some(-1),
        greatest: Some(99),
        offices: -1,
    }
}

pub(super) fn item(id: i64, name: String, number: i64, maker: Option<i64>) -> Item {
    Item {
        id: Id::from_key(id),
        name,
        number: Some(number),
        maker: maker.map(Id::from_key),
        maker_name: Some(old()),
        kit_name: Some(old()),
        kit_number: Some(-1),
    }
}

pub(super) fn line(item: i64) -> Line {
    Line {
        item: Id::from_key(item),
        name: old(),
        maker_name: Some(old()),
    }
}

pub(super) fn kit(id: i64, name: String, number: i64, items: &[i64]) -> Kit {
    Kit {
        id: Id::from_key(id),
        name,
        number,
        lines: items.iter().map(|item| line(*item)).collect(),
    }
}

pub(super) fn rows(kits: &[Vec<Option<i64>>]) -> Vec<Row> {
    let slot = |kit: &Option<i64>| Slot {
        kit: kit.map(Id::from_key),
        kit_name: Some(old()),
        kit_number: Some(-1),
    };
    let row = |kits: &Vec<Option<i64>>| Row {
        slots: kits.iter().map(slot).collect(),
    };
    kits.iter().map(row).collect()
}

pub(super) fn shelf(id: i64, kits: &[Vec<Option<i64>>]) -> Shelf {
    Shelf {
        id: Id::from_key(id),
        rows: rows(kits),
    }
}

pub(super) fn note(id: i64, item: i64) -> Note {
    Note {
        id: Id::from_key(id),
        item: Id::from_key(item),
        item_name: old(),
        kit_name: Some(old()),
    }
}
