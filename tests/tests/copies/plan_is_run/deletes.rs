//! Deletes of documents to which other documents refer.

use mongo_odm::{Executor, prelude::*};
use odm_tests::{Harness, planned::assert_sent};

use super::{Keeper, family, setting};
use crate::setting::settle;

#[tokio::test]
async fn deletes_with_rules_send_what_they_plan() {
    let t = setting("plan_run_deletes").await;
    deletes(&t, &t.odm).await;
    settle(&t.odm).await;
    let inside = async |tx: mongo_odm::Tx| {
        deletes(&t, &tx).await;
        Ok(())
    };
    t.odm.transaction(inside).await.unwrap();
    settle(&t.odm).await;
}

/// Each delete deletes a different keeper, with pet and toy.
async fn deletes(t: &Harness, odm: &impl Executor) {
    let by_id = |keeper: &Keeper| Keeper::fields().id.eq(keeper.id);
    let (keeper, ..) = family(odm).await;
    same!(*t, "delete", Keeper::delete(odm, keeper.id));
    let (keeper, ..) = family(odm).await;
    same!(
        *t,
        "delete, atomic",
        Keeper::delete(odm, keeper.id).atomic()
    );
    let (keeper, ..) = family(odm).await;
    same!(
        *t,
        "delete, deferred",
        Keeper::delete(odm, keeper.id).deferred()
    );
    let (keeper, ..) = family(odm).await;
    same!(*t, "delete_many", Keeper::delete_many(odm, by_id(&keeper)));
    let (keeper, ..) = family(odm).await;
    same!(
        *t,
        "delete_many, atomic",
        Keeper::delete_many(odm, by_id(&keeper)).atomic()
    );
    let (keeper, ..) = family(odm).await;
    same!(
        *t,
        "delete_many, deferred",
        Keeper::delete_many(odm, by_id(&keeper)).deferred()
    );
}
