//! Projections of arrays and fields in which a null is preserved at its position.

use std::collections::HashMap;

use mongo_odm::{Presence, prelude::*, relation::Slot as RefSlot};
use odm_tests::Harness;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "null_screws")]
struct Screw {
    #[serde(rename = "_id")]
    id: Id<Screw>,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Slot {
    #[refs(one)]
    screw: Id<Screw>,
    #[denorm(from = "Screw.name")]
    name: String,
    turns: i64,
}

/// A struct for maps and for arrays of arrays, which cannot contain copies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Hole {
    turns: i64,
    depth: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Row {
    label: String,
    slots: Vec<Option<Slot>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "null_trays")]
struct Tray {
    #[serde(rename = "_id")]
    id: Id<Tray>,
    #[embed]
    #[refs(many)]
    slots: Vec<Option<Slot>>,
    grid: Vec<Vec<Option<Hole>>>,
    rows: Vec<Row>,
    spare: Option<Row>,
    by_name: HashMap<String, Option<Hole>>,
    #[refs(many)]
    screws: Vec<Option<Id<Screw>>>,
    #[serde(default, skip_serializing_if = "Presence::is_missing")]
    last: Presence<Slot>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Slot")]
#[serde(deny_unknown_fields)]
struct SlotView {
    name: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Hole")]
#[serde(deny_unknown_fields)]
struct HoleView {
    depth: i64,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Row")]
#[serde(deny_unknown_fields)]
struct RowView {
    #[embed]
    slots: Vec<Option<SlotView>>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Tray")]
#[serde(deny_unknown_fields)]
struct TrayView {
    #[embed]
    slots: Vec<Option<SlotView>>,
    #[embed]
    grid: Vec<Vec<Option<HoleView>>>,
    #[embed]
    rows: Vec<RowView>,
    #[embed]
    spare: Option<RowView>,
    by_name: HashMap<String, Option<Hole>>,
    screws: Vec<Option<Id<Screw>>>,
    #[embed]
    #[serde(default)]
    last: Presence<SlotView>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Slot")]
struct SlotScrew {
    #[refs(one)]
    screw: Id<Screw>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Tray")]
struct TrayScrews {
    #[embed]
    #[refs(many)]
    slots: Vec<Option<SlotScrew>>,
}

/// A projection that contains the whole embedded struct.
#[derive(Clone, Debug, PartialEq, Deserialize, Projection)]
#[projection(of = "Tray")]
struct TraySlots {
    slots: Vec<Option<Slot>>,
}

fn screw(name: &str) -> Screw {
    Screw {
        id: Id::new(),
        name: name.to_owned(),
    }
}

fn slot(screw: &Screw) -> Slot {
    Slot {
        screw: screw.id,
        name: screw.name.clone(),
        turns: 3,
    }
}

fn tray(a: &Screw, b: &Screw) -> Tray {
    let row = Row {
        label: "row".to_owned(),
        slots: vec![None, Some(slot(b))],
    };
    let hole = |depth| Some(Hole { turns: 1, depth });
    Tray {
        id: Id::new(),
        slots: vec![None, Some(slot(a)), None, Some(slot(b))],
        grid: vec![vec![None, hole(1)], vec![], vec![hole(2), None]],
        rows: vec![row.clone(), row.clone()],
        spare: Some(row),
        by_name: HashMap::from([("none".to_owned(), None), ("some".to_owned(), hole(3))]),
        screws: vec![None, Some(a.id), None],
        last: Presence::Null,
    }
}

fn view_of(slot: Option<&Slot>) -> Option<SlotView> {
    slot.map(|slot| SlotView {
        name: slot.name.clone(),
    })
}

fn views_of(slots: &[Option<Slot>]) -> Vec<Option<SlotView>> {
    slots.iter().map(|slot| view_of(slot.as_ref())).collect()
}

fn holes_of(holes: &[Option<Hole>]) -> Vec<Option<HoleView>> {
    let view = |hole: &Hole| HoleView { depth: hole.depth };
    holes.iter().map(|hole| hole.as_ref().map(view)).collect()
}

fn row_view(row: &Row) -> RowView {
    RowView {
        slots: views_of(&row.slots),
    }
}

fn view(tray: &Tray) -> TrayView {
    TrayView {
        slots: views_of(&tray.slots),
        grid: tray.grid.iter().map(|holes| holes_of(holes)).collect(),
        rows: tray.rows.iter().map(row_view).collect(),
        spare: tray.spare.as_ref().map(row_view),
        by_name: tray.by_name.clone(),
        screws: tray.screws.clone(),
        last: match &tray.last {
            Presence::Missing => Presence::Missing,
            Presence::Null => Presence::Null,
            Presence::Value(slot) => Presence::Value(view_of(Some(slot)).unwrap()),
        },
    }
}

async fn given(t: &Harness) -> (Screw, Screw, Tray) {
    let (a, b) = (screw("a"), screw("b"));
    t.odm.sync_indexes().only::<Tray>().await.unwrap();
    t.given(&[a.clone(), b.clone()]).await;
    let tray = tray(&a, &b);
    t.given(std::slice::from_ref(&tray)).await;
    (a, b, tray)
}

#[tokio::test]
async fn a_view_keeps_the_nulls_of_an_array_in_their_places() {
    let t = Harness::new("null_elements_view").await;
    let (a, _, full) = given(&t).await;
    let empty = Tray {
        id: Id::new(),
        slots: vec![],
        grid: vec![],
        rows: vec![],
        spare: None,
        by_name: HashMap::new(),
        screws: vec![],
        last: Presence::Missing,
    };
    let last = Tray {
        id: Id::new(),
        last: Presence::Value(slot(&a)),
        ..empty.clone()
    };
    t.given(&[empty.clone(), last.clone()]).await;
    for tray in [full, empty, last] {
        let found = Tray::find(&t.odm).filter(Tray::fields().id.eq(tray.id));
        assert_eq!(found.select::<TrayView>().await.unwrap(), [view(&tray)]);
        let page = Tray::find(&t.odm).filter(Tray::fields().id.eq(tray.id));
        let page = page.select::<TrayView>().page(1).await.unwrap();
        assert_eq!(page.items, [view(&tray)]);
        let whole = Tray::find(&t.odm).filter(Tray::fields().id.eq(tray.id));
        let whole = whole.select::<TraySlots>().await.unwrap();
        assert_eq!(whole[0].slots, tray.slots);
    }
}

#[tokio::test]
async fn a_view_with_nulls_asks_for_no_other_field_of_the_elements() {
    let t = Harness::new("null_elements_asked").await;
    let (_, _, tray) = given(&t).await;
    let found = Tray::find(&t.odm).select::<TrayView>().first();
    assert_eq!(
        found.await.unwrap(),
        Some(view(&tray)),
        "`turns` is refused"
    );
}

#[tokio::test]
async fn references_in_a_view_are_at_the_positions_of_the_array() {
    let t = Harness::new("null_elements_references").await;
    let (a, b, _) = given(&t).await;
    let trays = Tray::find(&t.odm).select::<TrayScrews>().await.unwrap();
    let joined = TrayScrews::join_slots(&trays, &t.odm).await.unwrap();
    let expected = [
        RefSlot::Null,
        RefSlot::Found(a),
        RefSlot::Null,
        RefSlot::Found(b),
    ];
    let found: Vec<RefSlot<&Screw>> = joined.slots_of(&trays[0]);
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    let loaded = trays[0].load_slots(&t.odm).slots().await.unwrap();
    assert_eq!(loaded, expected);
}

#[tokio::test]
async fn a_document_without_the_array_stays_without_it() {
    let t = Harness::new("null_elements_missing").await;
    let (_, _, tray) = given(&t).await;
    let trays = t.odm.collection::<Tray>();
    trays
        .update_many(doc! {}, doc! { "$unset": { "spare": 1, "last": 1 } })
        .await
        .unwrap();
    let expected = Tray {
        spare: None,
        last: Presence::Missing,
        ..tray
    };
    let found = Tray::find(&t.odm).select::<TrayView>().await.unwrap();
    assert_eq!(found, [view(&expected)]);
}
