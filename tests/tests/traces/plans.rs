//! The filters without an index about which a handle warns, for all kinds of statements, and the index that the warning
//! recommends.

use std::{collections::HashSet, future::IntoFuture, panic::Location, time::Duration};

use futures_util::TryStreamExt;
use mongo_odm::{Odm, Settings, bson::Document, prelude::*};
use odm_tests::{Harness, cluster::is_sharded};

use super::{
    Spans,
    slow_statements::{warned_at, warning_handle},
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "sensors", has_many(readings = Reading.sensor))]
struct Sensor {
    #[serde(rename = "_id")]
    id: Id<Sensor>,
    place: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Embedded)]
struct Unit {
    #[serde(rename = "n")]
    name: String,
}

/// A model for which `sync_indexes` is not called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "readings")]
struct Reading {
    #[serde(rename = "_id")]
    id: Id<Reading>,
    #[parent_ref]
    sensor: Id<Sensor>,
    #[serde(rename = "lvl")]
    level: i64,
    unit: Unit,
    #[index]
    batch: i64,
}

#[derive(Clone, Debug, Serialize, Deserialize, Model)]
#[model(collection = "permits", tenant = "city")]
struct Permit {
    #[serde(rename = "_id")]
    id: Id<Permit, i64>,
    city: i64,
    #[index(unique)]
    number: i64,
    #[deleted_at]
    deleted_at: Option<DateTime>,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "events", kind(of = "view"))]
struct View {
    #[serde(rename = "_id")]
    id: Id<View>,
    #[index]
    page: i64,
}

#[derive(Debug, Serialize, Deserialize, Model)]
#[model(collection = "events", kind(of = "login"))]
struct Login {
    #[serde(rename = "_id")]
    id: Id<Login>,
}

#[derive(Debug, Serialize, Deserialize, SingleCollection)]
#[serde(tag = "of", rename_all = "snake_case")]
enum Event {
    View(View),
    Login(Login),
}

fn reading(sensor: &Sensor, level: i64) -> Reading {
    Reading {
        id: Id::new(),
        sensor: sensor.id,
        level,
        unit: Unit {
            name: "K".to_owned(),
        },
        batch: 1,
    }
}

async fn sensors(test: &str) -> (Spans, Harness, Vec<Sensor>) {
    let spans = Spans::seen();
    let mut t = Harness::new(test).await;
    let sensors: Vec<_> = (0..5)
        .map(|at| Sensor {
            id: Id::new(),
            place: format!("room {at}"),
        })
        .collect();
    t.given(&sensors).await;
    let readings = (0..).zip(&sensors).map(|(level, it)| reading(it, level));
    t.given(&readings.collect::<Vec<_>>()).await;
    t.odm = warning_handle(&t.odm);
    (spans, t, sensors)
}

/// Makes calls and records the lines of code that make them.
struct Calls<'t> {
    odm: &'t Odm,
    lines: Vec<&'static Location<'static>>,
}

impl<'t> Calls<'t> {
    fn of(odm: &'t Odm) -> Self {
        Self {
            odm,
            lines: Vec::new(),
        }
    }

    async fn make<T>(&mut self, call: impl IntoFuture<Output = mongo_odm::Result<T>>) {
        let observed = self.odm.observe(call.into_future()).await;
        let mut lines = observed.sent.iter().filter_map(|sent| sent.at);
        self.lines.push(lines.next_back().unwrap());
        observed.value.unwrap();
    }
}

/// Lists the warnings about filters without an index for a line of code.
fn warnings(spans: &Spans, at: &Location<'static>) -> Vec<String> {
    let all = warned_at(spans, at).into_iter();
    all.filter(|it| it.contains("has no index")).collect()
}

/// Waits for the only warning about a filter, which the library emits in the background for a line of code.
async fn warning(spans: &Spans, at: &Location<'static>) -> String {
    for _ in 0..2_000 {
        if let [warning] = &*warnings(spans, at) {
            return warning.clone();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("no warning of {at}");
}

/// Counts the `explain` commands in the server's profile.
async fn plans(odm: &Odm) -> u64 {
    let profile = odm.database().collection::<Document>("system.profile");
    let explains = doc! { "command.explain": { "$exists": true } };
    profile.count_documents(explains).await.unwrap()
}

#[tokio::test]
async fn reads_of_every_kind_are_looked_at_and_each_line_is_warned_once() {
    let (spans, t, _) = sensors("plans_reads").await;
    let (odm, by_level) = (&t.odm, || Reading::fields().level.gte(0));
    // A router has no profiler.
    if !is_sharded() {
        odm.database()
            .run_command(doc! { "profile": 2 })
            .await
            .unwrap();
    }
    let mut calls = Calls::of(odm);
    for _ in 0..3 {
        calls.make(Reading::find(odm).filter(by_level())).await;
        calls.make(Reading::find_one(odm).filter(by_level())).await;
        calls.make(Reading::count(odm).filter(by_level())).await;
        calls.make(Reading::exists(odm).filter(by_level())).await;
        calls
            .make(Reading::find(odm).filter(by_level()).page(2))
            .await;
        let stream = Reading::find(odm).filter(by_level()).stream();
        calls.make(stream.try_collect::<Vec<_>>()).await;
        let units = Reading::distinct(odm, Reading::fields().batch).filter(by_level());
        calls.make(units).await;
        let stages = [
            doc! { "$match": { "lvl": { "$gte": 0 } } },
            doc! { "$limit": 2 },
        ];
        calls
            .make(Reading::aggregate::<Document>(odm, stages))
            .await;
        let in_tx = odm.transaction(async |tx| Reading::find(&tx).filter(by_level()).await);
        calls.make(in_tx).await;
    }
    let places: HashSet<_> = calls.lines.iter().collect();
    assert_eq!((calls.lines.len(), places.len()), (27, 9));
    for at in &calls.lines {
        warning(&spans, at).await;
    }
    if !is_sharded() {
        assert_eq!(plans(odm).await, 9);
    }
    let is_named = |name: &str| {
        let all = spans.0.lock().unwrap();
        let mut all = all
            .iter()
            .filter_map(|(_, it)| it.fields.get("db.operation.name"));
        all.any(|command| command == name)
    };
    assert!(is_named("explain") && is_named("count"));
    for (at, until) in [
        (0, ""),
        (1, " until it has found one"),
        (2, ""),
        (4, " until it has found 3"),
    ] {
        let at = calls.lines[at];
        let place = format!("{}:{}", at.file(), at.line());
        let expected = format!(
            "a filter of `Reading` by `lvl` has no index and goes through up to 5 documents of `readings`{until}, at {place}; "
        );
        let [warning] = warnings(&spans, at).try_into().unwrap();
        assert!(warning.starts_with(&expected), "{warning}\n{expected}");
    }
    let models = odm.stats().models;
    let unindexed = models.iter().find(|it| it.model == "Reading").unwrap();
    assert_eq!(unindexed.unindexed, 9);
}

#[tokio::test]
async fn writes_are_looked_at_and_not_run_twice() {
    let (spans, t, sensors) = sensors("plans_writes").await;
    let (odm, fields) = (&t.odm, Reading::fields());
    let mut calls = Calls::of(odm);
    for _ in 0..2 {
        let all = Reading::update_many(odm, fields.level.gte(0));
        calls.make(all.inc(fields.level, 1)).await;
        let one = Reading::find_one_and_update(odm, fields.level.gte(100));
        calls.make(one.inc(fields.level, 1)).await;
        calls
            .make(Reading::delete_many(odm, fields.level.gte(100)))
            .await;
        let unit = fields.unit.name.eq("mK");
        let upsert = Reading::upsert(odm, unit.and(fields.batch.eq(7)));
        let upsert = upsert
            .set_on_insert(fields.level, 50)
            .set_on_insert(fields.sensor, sensors[0].id);
        calls.make(upsert).await;
    }
    for at in &calls.lines {
        warning(&spans, at).await;
    }
    let levels = Reading::find(odm).sort(fields.level.asc()).await.unwrap();
    let levels: Vec<_> = levels.iter().map(|it| it.level).collect();
    assert_eq!(levels, [2, 3, 4, 5, 6, 51]);
    // Statements by id, and statements with a hint.
    let mut others = Calls::of(odm);
    let id = Reading::find(odm).await.unwrap()[0].id;
    let by_id = Reading::update(odm, id).inc(fields.level, 1);
    others.make(by_id).await;
    others.make(Reading::delete(odm, id)).await;
    let hinted = Reading::count(odm).filter(fields.level.gte(0));
    others.make(hinted.hint(doc! { "_id": 1 })).await;
    let unwatched = odm.with_settings(Settings::default().warn_of_slow_statements(false));
    others
        .make(Reading::count(&unwatched).filter(fields.level.gte(0)))
        .await;
    others.make(Sensor::find(odm)).await;
    let large = odm.with_settings(odm.settings().clone().watch_from(1_000));
    others
        .make(Reading::count(&large).filter(fields.level.gte(0)))
        .await;
    let last = Reading::count(odm).filter(fields.level.lt(0));
    calls.make(last).await;
    warning(&spans, calls.lines.last().unwrap()).await;
    for at in others.lines {
        assert_eq!(warnings(&spans, at), [""; 0], "{at}");
    }
}

#[tokio::test]
async fn a_relation_without_its_index_is_warned_of_with_its_name() {
    let (spans, t, sensors) = sensors("plans_relations").await;
    let odm = &t.odm;
    let mut calls = Calls::of(odm);
    calls.make(sensors[0].load_readings(odm)).await;
    calls.make(Sensor::join_readings(&sensors, odm)).await;
    calls
        .make(Sensor::join_readings(&sensors, odm).limit_each(1))
        .await;
    calls.make(sensors[0].count_readings(odm)).await;
    calls
        .make(Sensor::join_readings(&sensors, odm).count_each())
        .await;
    for at in calls.lines {
        let warning = warning(&spans, at).await;
        let start = "a filter of `Reading` by `sensor` (`Sensor.readings`) has no index and goes through up to 5 documents";
        assert!(warning.starts_with(start), "{warning}");
        let end = "; call `sync_indexes`, which creates the index for `Sensor.readings`";
        assert!(warning.ends_with(end), "{warning}");
    }
}

#[tokio::test]
async fn the_index_to_write_has_the_fields_of_the_filter_and_of_the_sort() {
    let (spans, t, sensors) = sensors("plans_remedies").await;
    let (odm, fields) = (&t.odm, Reading::fields());
    let views = (0..5).map(|page| View {
        id: Id::new(),
        page,
    });
    t.given(&views.collect::<Vec<_>>()).await;
    let mut calls = Calls::of(odm);
    let named = || fields.unit.name.eq("K");
    calls.make(Reading::find(odm).filter(named())).await;
    let sorted = Reading::find(odm).filter(fields.level.gte(0).and(named()));
    calls.make(sorted.sort(fields.level.desc())).await;
    calls
        .make(Reading::find(odm).filter(named().or(fields.level.eq(1))))
        .await;
    calls
        .make(Reading::find(odm).filter(fields.batch.eq(1)))
        .await;
    calls
        .make(Reading::find(odm).filter(fields.sensor.eq(sensors[0].id)))
        .await;
    calls
        .make(Reading::find(odm).filter(fields.batch.eq(1).or(fields.level.eq(1))))
        .await;
    let compared = doc! { "$expr": { "$gt": ["$lvl", "$batch"] } };
    calls.make(Reading::find(odm).filter(compared)).await;
    calls
        .make(Event::find(odm).filter(doc! { "page": 1 }))
        .await;
    let remedies = [
        "write `#[index]` at `Reading.unit.name`, and call `sync_indexes`",
        "write `index(keys(unit.name = 1, level = -1))` in `#[model(..)]` of `Reading`, and call `sync_indexes`",
        "write `#[index]` at each of `Reading.level`, `Reading.unit.name`, and call `sync_indexes`",
        "call `sync_indexes`: the model declares an index that starts with `batch`, and the database does not have it",
        "call `sync_indexes`: the model declares an index that starts with `sensor`, and the database does not have it",
        "write `#[index]` at `Reading.level`, and call `sync_indexes`",
        "compare fields with values instead, with an index on one of them",
        "write `#[index(all_kinds)]` at `View.page`, and call `sync_indexes`",
    ];
    for (at, remedy) in calls.lines.into_iter().zip(remedies) {
        let warning = warning(&spans, at).await;
        assert!(warning.ends_with(&format!("; {remedy}")), "{warning}");
    }
}

#[tokio::test]
async fn a_page_in_the_order_of_an_index_is_no_warning() {
    let (spans, t, _) = sensors("plans_sorted").await;
    let (odm, fields) = (&t.odm, Reading::fields());
    odm.sync_indexes().only::<Reading>().await.unwrap();
    let mut calls = Calls::of(odm);
    let first = Reading::find(odm)
        .filter(fields.level.gte(0))
        .sort(fields.batch.asc());
    calls.make(first.limit(2)).await;
    let all = Reading::find(odm)
        .filter(fields.level.gte(0))
        .sort(fields.batch.asc());
    calls.make(all.hint(doc! { "batch": 1 })).await;
    calls
        .make(Reading::find(odm).filter(fields.batch.eq(1)))
        .await;
    let last = Reading::count(odm).filter(fields.level.lt(0));
    calls.make(last).await;
    warning(&spans, calls.lines.pop().unwrap()).await;
    for at in calls.lines {
        assert_eq!(warnings(&spans, at), [""; 0], "{at}");
    }
}

#[tokio::test]
async fn the_plan_is_that_of_the_tenant_and_of_the_visible_documents() {
    let spans = Spans::seen();
    let t = Harness::new("plans_tenants").await;
    t.odm.sync_indexes().only::<Permit>().await.unwrap();
    let all = warning_handle(&t.odm).all_tenants();
    let city = all.for_tenant(1_i64);
    let permits = (0..5).map(|number| Permit {
        id: Id::from_key(number),
        city: 1,
        number,
        deleted_at: None,
    });
    let permits: Vec<_> = permits.collect();
    Permit::insert_many(&city, &permits).await.unwrap();
    let number = Permit::fields().number;
    let mut indexed = Calls::of(&all);
    let found = Permit::find(&city).filter(number.eq(1));
    indexed.make(found).await;
    let deleted = Permit::delete_many(&city, number.eq(4));
    indexed.make(deleted).await;
    let mut calls = Calls::of(&all);
    calls.make(Permit::find(&all).filter(number.eq(1))).await;
    let with_deleted = Permit::find(&city).filter(number.eq(1)).with_deleted();
    calls.make(with_deleted).await;
    let remedies = [
        "compare `city` by `eq`, or call `odm.for_tenant(..)`, because declared indexes begin with the tenant",
        "write `index(keys(number = 1), name = \"..\")` in `#[model(..)]` of `Permit`, and call `sync_indexes`, because the unique \
         index on this field contains only documents that are not deleted",
    ];
    for (at, remedy) in calls.lines.into_iter().zip(remedies) {
        let warning = warning(&spans, at).await;
        assert!(warning.ends_with(&format!("; {remedy}")), "{warning}");
    }
    for at in indexed.lines {
        assert_eq!(warnings(&spans, at), [""; 0], "{at}");
    }
}
