//! A plan contains the statements of a write, the updates of derived data, and the number of
//! copies.

use mongo_odm::prelude::*;

use crate::{models::*, setting::*};

#[tokio::test]
async fn a_plan_shows_the_copies_their_index_and_their_number() {
    let t = shop("copies_plan").await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, 3)).await;
    t.forget();
    let plan = Host::update(&t.odm, host.id)
        .set(Host::fields().ipaddr, "10.0.0.1")
        .plan()
        .unwrap();
    assert!(t.recorder().names().is_empty());
    let plan = plan.estimate(&t.odm).await.unwrap().to_string();
    let id = host.id;
    let right =
        "$nor: [{ ipaddr: { $eq: \"10.0.0.1\", $not: { $type: [\"array\", \"symbol\"] } } }]";
    let expected = [
        "// in one transaction, with all that follows",
        &format!(
            "db.hosts.findOneAndUpdate({{ _id: ObjectId(\"{id}\") }}, \
             {{ $set: {{ ipaddr: \"10.0.0.1\" }} }})"
        ),
        "(job)",
        "// LogMsg.host <- Host: more than 1000 copies are left to a job",
        &format!(
            "db.logmsg.aggregate([{{ $match: {{ host: {{ $eq: ObjectId(\"{id}\") }}, \
             {right} }} }}, {{ $limit: NumberLong(\"1001\") }}, \
             {{ $count: \"n\" }}], {{ collation: {{ locale: \"simple\" }} }})"
        ),
        "// LogMsg.host <- Host, by the index { host: 1, _id: 1 }",
        "// 3 documents of `logmsg` now",
        &format!(
            "db.logmsg.updateMany({{ host: {{ $eq: ObjectId(\"{id}\") }}, \
             {right} }}, {{ $set: {{ ipaddr: \"10.0.0.1\" }} }}, \
             {{ collation: {{ locale: \"simple\" }} }})"
        ),
    ];
    let is_job = |line: &&str| line.starts_with("db._odm_jobs.findOneAndUpdate(");
    let lines = plan
        .lines()
        .map(|line| if is_job(&line) { "(job)" } else { line });
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}

#[tokio::test]
async fn a_plan_names_what_only_the_server_knows() {
    let t = shop("copies_plan_unknown").await;
    let fields = Part::fields();
    let plan = Part::update_many(&t.odm, fields.qty.gt(5))
        .set(fields.name, "grommet")
        .plan()
        .unwrap()
        .to_string();
    let last = plan.lines().last().unwrap();
    assert_eq!(
        last,
        "db.products.updateMany({ parts: { $elemMatch: { id: { $eq: <_id now> }, \
         $nor: [{ name: { $eq: \"grommet\", $not: { $type: [\"array\", \"symbol\"] } } }] } } }, { $set: { \"parts.$[l0].name\": \"grommet\" } }, \
         { arrayFilters: [{ \"l0.id\": { $eq: <_id now> } }], collation: { locale: \"simple\" } })"
    );
    let plan = messages(&host(1), 1)[0].insert(&t.odm).plan().unwrap();
    let names: Vec<_> = plan.statements.iter().map(|it| it.method).collect();
    assert_eq!(names, ["find", "insertOne", "find"]);
}
