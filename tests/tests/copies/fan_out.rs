//! The cases of a fan-out, one in each row. Other modules test some of the rows.
//!
//! | case | test |
//! |---|---|
//! | two elements with the same id in one document | `edges::places::an_array_may_hold_the_same_id_several_times` |
//! | several copied fields | [`all_fields_of_a_reference_are_one_update`] |
//! | unchanged value | [`copies_that_are_right_are_not_written`] |
//! | null, unset, empty, zero, false | `edges::values::null_and_absent_are_copied_as_what_they_are` |
//! | values that look like expressions | `edges::values::values_that_look_like_operators_or_paths_are_copied_as_they_are` |
//! | concurrent renames | `edges::races::twenty_renames_at_once_leave_one_value` |
//! | insert or push during a rename | `edges::races` |
//! | crash during the fan-out, network error | `faults` |
//! | a document into which its copy cannot be written | `edges::failures` |
//! | a document that would exceed 16 MB | [`a_document_that_would_be_too_large_stops_no_other`] |
//! | source deleted | `edges::deletes` |
//! | rename of a deleted document | [`a_rename_of_a_document_that_is_gone_sweeps_nothing`] |
//! | changed reference | [`a_changed_reference_and_its_copies_are_one_update`] |
//! | frozen copies | `edges::values::a_snapshot_never_follows` |
//! | chains, circles | `edges::chains`, `edges::cycles` |
//! | a document that refers to itself | [`a_document_may_copy_from_itself`] |
//! | missing index | `writes::a_fan_out_without_its_index_is_refused_unless_forced` |
//! | few and many copies | [`one_copy_more_than_fit_are_written_by_a_job`], [`a_job_reports_its_progress`] |
//! | a transaction of the caller | [`a_transaction_is_tried_again_as_a_whole`], `writes` |
//! | reads during a sweep | `seeds::s15_copies_follow_and_snapshot_readers_see_all_or_nothing` |
//! | writers that bypass the library | `change_stream` |

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use mongo_odm::{Guarantee, action::UpdateOne, bson::Bson, prelude::*};
use odm_tests::{Harness, sent::commands};

use crate::{models::*, setting::*};

/// A clerk with a copy of the name of another clerk, so the model copies from itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "staff")]
pub struct Clerk {
    #[serde(rename = "_id")]
    pub id: Id<Clerk>,
    pub name: String,
    #[parent_ref]
    pub chief: Option<Id<Clerk>>,
    #[denorm(from = Self.name)]
    pub chief_name: Option<String>,
}

fn rename(odm: &impl Executor, host: &Host, to: &str) -> UpdateOne<Host> {
    Host::update(odm, host.id).set(Host::fields().ipaddr, to)
}

/// One host with messages.
async fn logs(test: &str, count: i64) -> (Harness, Host) {
    let t = shop(test).await;
    let host = host(1);
    t.given(&[host.clone()]).await;
    t.given(&messages(&host, count)).await;
    (t, host)
}

/// One of two copied fields changes, and both are written, from one read of the source.
#[tokio::test]
async fn all_fields_of_a_reference_are_one_update() {
    let t = shop("fan_out_tuple").await;
    let part = part(1);
    t.given(&[part.clone()]).await;
    let product = product(1, [&part]);
    product.insert(&t.odm).await.unwrap();
    for (number, (way, odm)) in (2..).zip(both_ways(&t.odm)) {
        t.forget();
        let update = Product::update(&odm, product.id);
        update
            .set(Product::fields().catalog_number, number)
            .await
            .unwrap();
        let updates = commands(&t, "update").into_iter();
        let parts: Vec<_> = updates
            .filter(|sent| sent.get_str("update").is_ok_and(|it| it == "parts"))
            .collect();
        assert_eq!(parts.len(), 1, "{way}");
        let update = parts[0].get_array("updates").unwrap()[0]
            .as_document()
            .unwrap();
        let set = update
            .get_document("u")
            .unwrap()
            .get_document("$set")
            .unwrap();
        let expected = doc! { "product_name": &product.name, "product_catalog_number": number };
        assert_eq!(set, &expected, "{way}");
        settle(&odm).await;
    }
}

/// A write that does not change the source writes no copies, and neither does a last look at correct copies.
#[tokio::test]
async fn copies_that_are_right_are_not_written() {
    let (t, host) = logs("fan_out_unchanged", 5).await;
    for (way, odm) in both_ways(&t.odm) {
        rename(&odm, &host, way).await.unwrap();
        let again = rename(&odm, &host, way).await.unwrap();
        assert_eq!(again.matched, 1, "{way}");
        assert!(again.copies.iter().all(|it| it.modified == 0), "{way}");
        let last_look = odm.run_pending_jobs().await.unwrap();
        assert_eq!((last_look.finished, last_look.modified), (1, 0), "{way}");
        settle(&odm).await;
    }
}

/// The document keeps its old copy, and its id is in the report. The other documents get the new copy.
#[tokio::test]
async fn a_document_that_would_be_too_large_stops_no_other() {
    const LIMIT: usize = 16 * 1024 * 1024;
    let (t, host) = logs("fan_out_too_large", 3).await;
    let mut large = messages(&host, 1).remove(0);
    large.message = "x".repeat(LIMIT - 300);
    t.given(&[large.clone()]).await;
    for (digit, (way, odm)) in ["1", "2"].into_iter().zip(both_ways(&t.odm)) {
        let long = digit.repeat(1_000);
        let report = rename(&odm, &host, &long).await.unwrap().copies.remove(0);
        assert_eq!(
            (report.modified, report.failed),
            (3, vec![Bson::from(large.id)]),
            "{way}"
        );
        assert_eq!(
            count(&odm, "logmsg", doc! { "ipaddr": &long }).await,
            3,
            "{way}"
        );
        // A short value fits.
        rename(&odm, &host, way).await.unwrap();
        later(&odm).await;
        settle(&odm).await;
        assert_eq!(stale(&odm, &host).await, 0, "{way}");
    }
}

/// No document matches, so the library stores no job and looks for no copies.
#[tokio::test]
async fn a_rename_of_a_document_that_is_gone_sweeps_nothing() {
    let (t, host) = logs("fan_out_gone", 3).await;
    Host::delete(&t.odm, host.id).await.unwrap();
    settle(&t.odm).await;
    for (way, odm) in both_ways(&t.odm) {
        t.forget();
        let report = rename(&odm, &host, "10.0.0.1").await.unwrap();
        assert_eq!((report.matched, report.copies), (0, vec![]), "{way}");
        assert_eq!(t.recorder().count("update"), 0, "{way}");
        assert!(jobs(&odm).await.is_empty(), "{way}");
    }
    assert_eq!(
        count(&t.odm, "logmsg", doc! { "ipaddr": &host.ipaddr }).await,
        3
    );
}

/// No reader ever sees the new reference together with an old copy.
#[tokio::test]
async fn a_changed_reference_and_its_copies_are_one_update() {
    let (t, old) = logs("fan_out_relink", 1).await;
    let new = host(2);
    t.given(&[new.clone()]).await;
    let message = LogMsg::find_one(&t.odm).filter(LogMsg::fields().host.eq(old.id));
    let message = message.await.unwrap().unwrap();
    t.forget();
    let relink = LogMsg::update(&t.odm, message.id).set(LogMsg::fields().host, new.id);
    relink.await.unwrap();
    let writes = t.recorder().count("update") + t.recorder().count("findAndModify");
    assert_eq!(writes, 1, "{}", t.recorder());
    let stored = LogMsg::get(&t.odm, message.id).await.unwrap();
    assert_eq!((stored.host, stored.ipaddr), (new.id, new.ipaddr));
}

/// From its insert on, the document is a source and contains a copy of its own field.
#[tokio::test]
async fn a_document_may_copy_from_itself() {
    let t = empty("fan_out_itself").await;
    t.odm.sync_indexes().only::<Clerk>().await.unwrap();
    let id = Id::new();
    let clerk = |id, name: &str| Clerk {
        id,
        name: name.to_owned(),
        chief: Some(id),
        chief_name: Some("?".to_owned()),
    };
    let chief = clerk(id, "Ann");
    let other = Clerk {
        chief: Some(id),
        ..clerk(Id::new(), "Bob")
    };
    Clerk::insert_many(&t.odm, [&other, &chief]).await.unwrap();
    let names = async || {
        let chief = Clerk::get(&t.odm, chief.id).await.unwrap().chief_name;
        let other = Clerk::get(&t.odm, other.id).await.unwrap().chief_name;
        [chief.unwrap(), other.unwrap()]
    };
    assert_eq!(names().await, ["Ann", "Ann"]);
    for (way, odm) in both_ways(&t.odm) {
        let rename = Clerk::update(&odm, chief.id).set(Clerk::fields().name, way);
        rename.await.unwrap();
        assert_eq!(names().await, [way, way]);
        clerk(id, "Cleo").save(&odm).await.unwrap();
        assert_eq!(names().await, ["Cleo", "Cleo"], "{way}");
        settle(&odm).await;
        assert_eq!(names().await, ["Cleo", "Cleo"], "{way}");
    }
}

/// The transaction counts at most one copy more than it would write.
#[tokio::test]
async fn one_copy_more_than_fit_are_written_by_a_job() {
    let (t, host) = logs("fan_out_limit", 12).await;
    for (inline, guarantee) in [(12, Guarantee::Atomic), (11, Guarantee::Converged)] {
        let odm = t.odm.with_settings(settings().inline_copies(inline));
        t.forget();
        let report = rename(&odm, &host, &inline.to_string()).await.unwrap();
        let copies = &report.copies[0];
        assert_eq!((copies.modified, copies.guarantee), (12, guarantee));
        let counts = commands(&t, "aggregate");
        let limit = counts[0].get_array("pipeline").unwrap()[1]
            .as_document()
            .unwrap();
        assert_eq!(
            limit.get("$limit"),
            Some(&Bson::from(i64::try_from(inline + 1).unwrap()))
        );
        settle(&odm).await;
    }
}

/// The caller gets the progress of the job after each batch.
#[tokio::test]
async fn a_job_reports_its_progress() {
    let (t, host) = logs("fan_out_progress", 2_500).await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let renamed = rename(&t.odm, &host, "10.0.0.1").on_progress(move |progress| {
        let mut seen = noted.lock().unwrap();
        seen.push((
            progress.batches,
            progress.modified,
            progress.relation.clone(),
        ));
    });
    let report = renamed.await.unwrap().copies.remove(0);
    let seen = std::mem::take(&mut *seen.lock().unwrap());
    assert!(seen.len() >= 2 && seen.is_sorted(), "{seen:?}");
    let last = (report.batches, 2_500, "LogMsg.host <- Host".to_owned());
    assert_eq!(seen.last(), Some(&last));
    settle(&t.odm).await;
}

/// Another writer has renamed the source meanwhile. The closure runs again from its beginning, and its earlier writes
/// are not stored twice.
#[tokio::test]
async fn a_transaction_is_tried_again_as_a_whole() {
    let (t, host) = logs("fan_out_retried", 3).await;
    for (way, odm) in both_ways(&t.odm) {
        let runs = AtomicUsize::new(0);
        let committed = odm.transaction(async |tx| {
            let run = runs.fetch_add(1, Relaxed);
            messages(&host, 1)[0].insert(&tx).await?;
            if run == 0 {
                rename(&t.odm, &host, "in between").await?;
            }
            rename(&tx, &host, way).await.map(|_| ())
        });
        committed.await.unwrap();
        assert_eq!(runs.into_inner(), 2, "{way}");
        assert_eq!(stale(&odm, &host).await, 0, "{way}");
        assert_eq!(Host::get(&odm, host.id).await.unwrap().ipaddr, way);
        settle(&odm).await;
    }
    assert_eq!(count(&t.odm, "logmsg", doc! {}).await, 5);
}
