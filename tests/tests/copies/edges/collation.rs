//! Collections whose default collation ignores case.

use mongo_odm::{
    mongodb::options::{Collation, CollationStrength},
    prelude::*,
};
use odm_tests::Harness;

use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "kinds")]
pub struct Kind {
    #[serde(rename = "_id")]
    pub id: Id<Kind, String>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "grommets")]
pub struct Grommet {
    #[serde(rename = "_id")]
    pub id: Id<Grommet>,
    #[parent_ref]
    pub kind: Id<Kind, String>,
    #[denorm(from = Kind.name)]
    pub kind_name: String,
}

async fn ignoring_case(test: &str) -> Harness {
    let t = empty(test).await;
    for collection in ["kinds", "grommets"] {
        let collation = Collation::builder()
            .locale("en".to_owned())
            .strength(CollationStrength::Secondary)
            .build();
        let create = t.odm.database().create_collection(collection);
        create.collation(collation).await.unwrap();
    }
    let sync = t.odm.sync_indexes().only::<Kind>().only::<Grommet>();
    sync.await.unwrap();
    t
}

fn kind(key: &str) -> Kind {
    Kind {
        id: Id::from_key(key.to_owned()),
        name: "grommet".to_owned(),
    }
}

fn grommet(key: &str) -> Grommet {
    Grommet {
        id: Id::new(),
        kind: Id::from_key(key.to_owned()),
        kind_name: "grommet".to_owned(),
    }
}

fn rename(odm: &Odm, to: &str) -> mongo_odm::action::UpdateOne<Kind> {
    Kind::update(odm, kind("rubber").id).set(Kind::fields().name, to)
}

/// Copies and sources are compared by their stored values, not by the collation of the collection.
#[tokio::test]
async fn a_rename_that_changes_nothing_but_case_reaches_the_copies() {
    let t = ignoring_case("collation_case").await;
    t.given(&[kind("rubber")]).await;
    t.given(&[grommet("rubber"), grommet("rubber")]).await;
    for (way, odm) in both_ways(&t.odm) {
        for name in ["Grommet", "grommet"] {
            let report = rename(&odm, name).await.unwrap();
            assert_eq!(report.copies[0].modified, 2, "{way} {name}");
            for stored in all(&odm, "grommets").await {
                assert_eq!(stored.get_str("kind_name").unwrap(), name, "{way}");
            }
        }
        settle(&odm).await;
    }
}

/// A key that differs in case is a different key, so its document gets no copies from this source.
#[tokio::test]
async fn a_key_that_differs_in_case_is_another_key() {
    let t = ignoring_case("collation_keys").await;
    t.given(&[kind("rubber")]).await;
    let mut other = grommet("RUBBER");
    other.kind_name = "of another kind".to_owned();
    t.given(&[grommet("rubber"), other.clone()]).await;
    for (way, odm) in both_ways(&t.odm) {
        let report = rename(&odm, way).await.unwrap();
        assert_eq!(report.copies[0].modified, 1, "{way}");
        let stored = Grommet::get(&odm, other.id).await.unwrap();
        assert_eq!(stored.kind_name, "of another kind", "{way}");
        settle(&odm).await;
    }
    Kind::delete(&t.odm, kind("rubber").id).await.unwrap();
    settle(&t.odm).await;
}

/// A document whose id can differ only by case from another id, with a copy of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cased_gauges")]
pub struct Gauge {
    #[serde(rename = "_id")]
    pub id: Id<Gauge, String>,
    pub name: String,
    pub level: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "cased_dials")]
pub struct Dial {
    #[serde(rename = "_id")]
    pub id: Id<Dial>,
    #[parent_ref]
    pub gauge: Id<Gauge, String>,
    #[denorm(from = Gauge.level)]
    pub level: i64,
}

/// The collation of a call applies to its filter, but not to the ids that the library adds to the filter.
#[tokio::test]
async fn a_collation_does_not_mix_up_ids() {
    let t = empty("collation_ids").await;
    let sync = t.odm.sync_indexes().only::<Gauge>().only::<Dial>();
    sync.await.unwrap();
    let ignoring_case = || {
        Collation::builder()
            .locale("en".to_owned())
            .strength(CollationStrength::Secondary)
            .build()
    };
    let gauge = |key: String| Gauge {
        id: Id::from_key(key),
        name: "Main".to_owned(),
        level: 0,
    };
    // The ids of each pair differ only by case. Because of the first id, one pair is in two batches.
    let pairs = (0..300).flat_map(|number| [format!("A.{number}"), format!("a.{number}")]);
    let keys = std::iter::once("0".to_owned()).chain(pairs);
    let gauges: Vec<Gauge> = keys.map(gauge).collect();
    t.given(&gauges).await;
    let fields = Gauge::fields();
    let all = Gauge::update_many(&t.odm, fields.name.eq("main")).inc(fields.level, 1);
    let report = all.collation(ignoring_case()).await.unwrap();
    assert_eq!(report.matched, 601);
    let once = Gauge::count(&t.odm).filter(fields.level.eq(1));
    assert_eq!(once.await.unwrap(), 601);
    let last = Gauge::find_one_and_update(&t.odm, fields.name.eq("main"))
        .inc(fields.level, 1)
        .sort(fields.id.desc());
    let last = last.collation(ignoring_case()).await.unwrap().unwrap();
    let twice = Gauge::find(&t.odm).filter(fields.level.eq(2));
    let twice: Vec<_> = twice.await.unwrap().into_iter().map(|it| it.id).collect();
    assert_eq!(twice, [last.id]);
    let upserted = Gauge::upsert(&t.odm, fields.name.eq("MAIN")).inc(fields.level, 10);
    let upserted = upserted.set_on_insert(fields.id, Id::from_key("new".to_owned()));
    let report = upserted.collation(ignoring_case()).await.unwrap();
    assert_eq!((report.matched, report.upserted_id), (1, None));
    let raised = Gauge::count(&t.odm).filter(fields.level.gte(10));
    assert_eq!(raised.await.unwrap(), 1);
}
