//! Copies of structs and arrays that contain references with their own copies and rules.

use mongo_odm::{Error, prelude::*};
use odm_tests::Harness;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "struct_bolts")]
pub struct Bolt {
    #[serde(rename = "_id")]
    pub id: Id<Bolt, i32>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct BoltLine {
    #[refs(one, on_delete = "pull")]
    pub bolt: Id<Bolt, i32>,
    #[denorm(from = Bolt.name)]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct BestBolt {
    #[refs(one)]
    pub bolt: Id<Bolt, i32>,
    #[denorm(from = Bolt.name)]
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "struct_kits")]
pub struct Kit {
    #[serde(rename = "_id")]
    pub id: Id<Kit, i32>,
    pub title: String,
    #[embed]
    pub bolts: Vec<BoltLine>,
    #[embed]
    pub best: BestBolt,
}

/// A crate with copies and snapshots of its kit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "struct_crates")]
pub struct Crate {
    #[serde(rename = "_id")]
    pub id: Id<Crate, i32>,
    pub title: String,
    #[refs(one)]
    pub kit: Id<Kit, i32>,
    #[embed]
    #[denorm(from = Kit.bolts)]
    pub bolts: Vec<BoltLine>,
    #[denorm(from = Kit.best)]
    pub best: BestBolt,
    #[embed]
    #[denorm(from = Kit.bolts, snapshot)]
    pub bolts_then: Vec<BoltLine>,
}

/// The key of its copy is itself part of a copy. The compiler cannot detect this mistake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "struct_nuts")]
pub struct Nut {
    #[serde(rename = "_id")]
    pub id: Id<Nut, i32>,
    #[denorm(from = Box_.title, via = Box_.nuts.nut)]
    pub box_title: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
pub struct NutLine {
    #[refs(one)]
    pub nut: Id<Nut, i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "struct_boxes")]
pub struct Box_ {
    #[serde(rename = "_id")]
    pub id: Id<Box_, i32>,
    pub title: String,
    #[refs(one)]
    pub of: Id<NutSet, i32>,
    #[denorm(from = NutSet.nuts)]
    pub nuts: Vec<NutLine>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "struct_nut_sets")]
pub struct NutSet {
    #[serde(rename = "_id")]
    pub id: Id<NutSet, i32>,
    pub nuts: Vec<NutLine>,
}

fn id<M>(number: i32) -> Id<M, i32> {
    Id::from_key(number)
}

fn bolt(number: i32) -> Bolt {
    Bolt {
        id: id(number),
        name: format!("M{number}"),
    }
}

fn line(bolt: &Bolt) -> BoltLine {
    BoltLine {
        bolt: bolt.id,
        name: bolt.name.clone(),
    }
}

fn best(bolt: &Bolt) -> BestBolt {
    BestBolt {
        bolt: bolt.id,
        name: bolt.name.clone(),
    }
}

/// Two bolts, a kit with both bolts, and a crate with this kit. The struct of the crate is old.
async fn workshop(test: &str) -> Harness {
    let t = empty(test).await;
    let sync = t.odm.sync_indexes().only::<Bolt>().only::<Kit>();
    let sync = sync.only::<Crate>().only::<Nut>().only::<Box_>();
    sync.only::<NutSet>().await.unwrap();
    let bolts = [bolt(6), bolt(8)];
    t.given(&bolts).await;
    let kit = Kit {
        id: id(1),
        title: "small".to_owned(),
        bolts: bolts.iter().map(line).collect(),
        best: best(&bolts[0]),
    };
    kit.insert(&t.odm).await.unwrap();
    crate_of(1).insert(&t.odm).await.unwrap();
    t
}

fn crate_of(kit: i32) -> Crate {
    Crate {
        id: id(1),
        title: "blue".to_owned(),
        kit: id(kit),
        bolts: Vec::new(),
        best: best(&bolt(99)),
        bolts_then: Vec::new(),
    }
}

fn names(lines: &[BoltLine]) -> Vec<&str> {
    lines.iter().map(|line| line.name.as_str()).collect()
}

#[tokio::test]
async fn a_copied_array_follows_what_is_copied_into_it() {
    let t = workshop("struct_rename").await;
    let (first, name) = (bolt(6), Bolt::fields().name);
    for (way, odm) in both_ways(&t.odm) {
        Bolt::update(&odm, first.id).set(name, way).await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        let kit = Kit::get(&odm, id(1)).await.unwrap();
        let stored = Crate::get(&odm, id(1)).await.unwrap();
        assert_eq!(names(&kit.bolts), [way, "M8"]);
        assert_eq!((&stored.bolts, &stored.best), (&kit.bolts, &kit.best));
        // All fields inside a snapshot keep their first value.
        assert_eq!(names(&stored.bolts_then), ["M6", "M8"], "{way}");
    }
    let push = Kit::update(&t.odm, id(1)).push(Kit::fields().bolts, line(&bolt(6)));
    push.await.unwrap();
    let stored = Crate::get(&t.odm, id(1)).await.unwrap();
    assert_eq!(names(&stored.bolts), ["job", "M8", "job"]);
    crate_of(1).save(&t.odm).await.unwrap();
    let stored = Crate::get(&t.odm, id(1)).await.unwrap();
    assert_eq!(names(&stored.bolts), ["job", "M8", "job"]);
    settle(&t.odm).await;
    let verify = t.odm.verify().only::<Kit>().only::<Crate>();
    let drift = verify.await.unwrap();
    assert!(drift.is_empty(), "{drift}");
}

/// A delete rule inside a copied struct applies to the source.
#[tokio::test]
async fn a_copied_array_follows_the_rules_of_its_source() {
    let t = workshop("struct_delete").await;
    for (number, (way, odm)) in [8, 6].into_iter().zip(both_ways(&t.odm)) {
        Bolt::delete(&odm, id::<Bolt>(number)).await.unwrap();
        odm.run_pending_jobs().await.unwrap();
        let kit = Kit::get(&odm, id(1)).await.unwrap();
        let stored = Crate::get(&odm, id(1)).await.unwrap();
        assert_eq!(stored.bolts, kit.bolts, "{way}");
        assert_eq!(names(&stored.bolts_then), ["M6", "M8"], "{way}");
    }
    let kit = Kit::get(&t.odm, id(1)).await.unwrap();
    assert_eq!(names(&kit.bolts), Vec::<&str>::new());
    settle(&t.odm).await;
}

#[tokio::test]
async fn what_is_inside_a_copy_is_not_written_by_itself() {
    let t = workshop("struct_refused").await;
    let set = Crate::update(&t.odm, id(1)).with(doc! { "$set": { "bolts.0.bolt": 8 } });
    let error = set.await.unwrap_err().to_string();
    assert!(
        error.contains("`Crate.bolts` is a copy of `Kit.bolts`"),
        "{error}"
    );
}

/// An impossible declaration makes only the writes of its own model fail.
#[tokio::test]
async fn a_wrong_declaration_concerns_the_writes_of_its_own_model() {
    let t = workshop("struct_wrong").await;
    let set = NutSet {
        id: id(1),
        nuts: vec![NutLine { nut: id(1) }],
    };
    let a_box = Box_ {
        id: id(1),
        title: "blue".to_owned(),
        of: id(1),
        nuts: Vec::new(),
    };
    set.insert(&t.odm).await.unwrap();
    a_box.insert(&t.odm).await.unwrap();
    let title = Box_::update(&t.odm, id(1)).set(Box_::fields().title, "red");
    title.await.unwrap();
    let push = NutSet::update(&t.odm, id(1)).push(NutSet::fields().nuts, NutLine { nut: id(2) });
    push.await.unwrap();
    let stored = Box_::get(&t.odm, id(1)).await.unwrap();
    assert_eq!(stored.nuts.len(), 2);
    let nut = Nut {
        id: id(1),
        box_title: None,
    };
    let error = nut.insert(&t.odm).await.unwrap_err();
    assert!(matches!(error, Error::Declaration(_)), "{error:?}");
    let message = error.to_string();
    assert!(
        message.contains("`Box_.nuts` is a copy of `NutSet.nuts`"),
        "{message}"
    );
    let all = mongo_odm::check_models().unwrap_err().to_string();
    assert!(all.contains("`Nut._id <- Box_.nuts.nut`"), "{all}");
    assert!(!all.contains("Crate"), "{all}");
    settle(&t.odm).await;
}
