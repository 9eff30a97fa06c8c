//! Reads of models.

use std::time::Duration;

use mongo_odm::{
    Executor,
    bson::Document,
    mongodb::options::{Collation, ReadConcern},
    prelude::*,
};
use odm_tests::{Harness, cluster::is_sharded, planned::assert_sent};

use super::{Note, is_in_transaction, note, setting};

#[tokio::test]
async fn reads_send_what_they_plan() {
    let t = setting("plan_run_reads").await;
    let notes = [note(1), note(2), note(3)];
    t.given(&notes).await;
    reads(&t, &t.odm, &notes[2]).await;
    // A transaction has its own read concern.
    let find = || Note::find(&t.odm).read_concern(ReadConcern::local());
    same!(t, "read concern", find());
    let inside = async |tx: mongo_odm::Tx| {
        reads(&t, &tx, &notes[2]).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
}

async fn reads(t: &Harness, odm: &impl Executor, one: &Note) {
    let fields = Note::fields();
    same!(*t, "find", Note::find(odm).filter(fields.stars.gt(0)));
    same!(
        *t,
        "find with everything",
        Note::find(odm)
            .filter(fields.stars.gt(0))
            .sort(fields.stars.desc())
            .skip(1)
            .limit(5)
            .hint(doc! { "_id": 1 })
            .collation(Collation::builder().locale("en").build())
            .comment("a comment")
            .max_time(Duration::from_secs(9))
            .let_vars(doc! { "x": 1 })
            .allow_disk_use()
    );
    same!(
        *t,
        "find_one",
        Note::find_one(odm).filter(fields.stars.eq(1))
    );
    same!(*t, "get", Note::get(odm, one.id));
    let page = || Note::find(odm).sort(fields.stars.asc()).page(2);
    let first = same!(*t, "page", page());
    assert!(first.next.is_some());
    let second = same!(*t, "page after a token", page().after(first.next.clone()));
    assert_eq!(second.items.len(), 1);
    same!(
        *t,
        "count",
        Note::count(odm).filter(fields.stars.gt(0)).limit(2)
    );
    same!(*t, "exists", Note::exists(odm).filter(fields.stars.gt(0)));
    let distinct = || Note::distinct(odm, fields.stars).filter(fields.stars.gt(0));
    // In a transaction, a cluster rejects `distinct` on a sharded collection.
    if is_sharded() && is_in_transaction(t) {
        let plan = distinct().plan().unwrap();
        assert_eq!(plan.statements[0].method, "distinct");
        let ((), sent) = t.sent(async { drop(distinct().await.unwrap()) }).await;
        assert_eq!(sent, ["aggregate"]);
    } else {
        same!(*t, "distinct", distinct());
    }
    let pipeline = [doc! { "$match": { "stars": 1 } }];
    let aggregate = || Note::aggregate::<Document>(odm, pipeline.clone()).comment("a comment");
    let plan = aggregate().plan().unwrap();
    t.forget();
    aggregate().await.unwrap();
    assert_sent(t, "aggregate", &plan);
}
