//! Documents into which copies cannot be written, and jobs that cannot be stored.

use mongo_odm::{
    Guarantee,
    bson::{Bson, Document},
    prelude::*,
};
use odm_tests::Harness;

use super::places::{Bolt, Ledger};
use crate::setting::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "tanks")]
pub struct Tank {
    #[serde(rename = "_id")]
    pub id: Id<Tank>,
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "tank_labels")]
pub struct Label {
    #[serde(rename = "_id")]
    pub id: Id<Label>,
    pub sealed: bool,
    #[parent_ref]
    pub tank: Id<Tank>,
    #[denorm(from = Tank.name)]
    pub tank_name: String,
}

/// A tank with labels. A validator rejects updates of some of the labels.
struct Depot {
    t: Harness,
    tank: Tank,
    sealed: Vec<Bson>,
}

impl Depot {
    async fn new(test: &str, labels: usize, sealed: &[usize]) -> Self {
        let t = empty(test).await;
        let sync = t.odm.sync_indexes().only::<Tank>().only::<Label>();
        sync.await.unwrap();
        let tank = Tank {
            id: Id::new(),
            name: "old".to_owned(),
        };
        t.given(&[tank.clone()]).await;
        let label = |at: usize| Label {
            id: Id::new(),
            sealed: sealed.contains(&at),
            tank: tank.id,
            tank_name: "old".to_owned(),
        };
        let labels: Vec<_> = (0..labels).map(label).collect();
        t.given(&labels).await;
        let sealed = labels
            .iter()
            .filter(|it| it.sealed)
            .map(|it| it.id.into())
            .collect();
        let depot = Self { t, tank, sealed };
        depot.seal().await;
        depot
    }

    async fn seal(&self) {
        validate(
            &self.t.odm,
            "tank_labels",
            doc! { "sealed": { "$ne": true } },
        )
        .await;
    }

    async fn break_seals(&self) {
        validate(&self.t.odm, "tank_labels", doc! {}).await;
    }

    async fn rename(&self, odm: &Odm, to: &str) -> mongo_odm::CopyReport {
        let rename = Tank::update(odm, self.tank.id).set(Tank::fields().name, to);
        rename.await.unwrap().copies.remove(0)
    }

    /// Asserts that all documents except the sealed labels have the name, and that the job is kept.
    async fn expect_all_but_sealed(&self, name: &str, context: &str) {
        let odm = &self.t.odm;
        assert_eq!(
            Tank::get(odm, self.tank.id).await.unwrap().name,
            name,
            "{context}"
        );
        let others = doc! { "tank_name": { "$ne": name } };
        let stale = count(odm, "tank_labels", others).await;
        assert_eq!(stale, self.sealed.len() as u64, "{context}");
        let jobs = jobs(odm).await;
        assert_eq!(jobs.len(), 1, "{context}");
        assert_eq!(
            jobs[0].get_array("failed").unwrap(),
            &self.sealed,
            "{context}"
        );
    }

    /// Asserts that the job ends after the labels are no longer sealed.
    async fn expect_all_later(&self, name: &str, context: &str) {
        let odm = &self.t.odm;
        self.break_seals().await;
        let early = odm.run_pending_jobs().await.unwrap();
        assert_eq!(early.run, 0, "{context}");
        later(odm).await;
        settle(odm).await;
        let others = doc! { "tank_name": { "$ne": name } };
        assert_eq!(count(odm, "tank_labels", others).await, 0, "{context}");
    }
}

/// All other copies are written. The report and the job contain the document that could not be written, which is tried
/// again.
#[tokio::test]
async fn a_document_that_cannot_take_its_copy_stops_no_other() {
    let d = Depot::new("failures_one", 5, &[2]).await;
    for (way, odm) in both_ways(&d.t.odm) {
        d.seal().await;
        let report = d.rename(&odm, way).await;
        assert_eq!((report.modified, &report.failed), (4, &d.sealed), "{way}");
        assert_eq!(report.guarantee, Guarantee::Eventual, "{way}");
        d.expect_all_but_sealed(way, way).await;
        d.expect_all_later(way, way).await;
    }
}

/// Several such documents among many are found one by one, and no other document is skipped.
#[tokio::test]
async fn several_documents_among_many_are_found() {
    let d = Depot::new("failures_several", 300, &[0, 1, 150, 299]).await;
    for (way, odm) in both_ways(&d.t.odm) {
        d.seal().await;
        let report = d.rename(&odm, way).await;
        assert_eq!((report.modified, &report.failed), (296, &d.sealed), "{way}");
        d.expect_all_but_sealed(way, way).await;
        d.expect_all_later(way, way).await;
    }
}

/// A source can be renamed any number of times while a document rejects its copy.
#[tokio::test]
async fn a_source_can_be_renamed_again_while_a_document_is_in_the_way() {
    let d = Depot::new("failures_again", 3, &[1]).await;
    for (way, odm) in both_ways(&d.t.odm) {
        d.seal().await;
        for name in ["first", "second", way] {
            d.rename(&odm, name).await;
            d.expect_all_but_sealed(name, way).await;
        }
        d.expect_all_later(way, way).await;
    }
}

/// All or nothing: an atomic write fails as a whole.
#[tokio::test]
async fn an_atomic_write_is_refused_as_a_whole() {
    let d = Depot::new("failures_atomic", 3, &[1]).await;
    let rename = Tank::update(&d.t.odm, d.tank.id).set(Tank::fields().name, "new");
    rename.atomic().await.unwrap_err();
    assert_eq!(Tank::get(&d.t.odm, d.tank.id).await.unwrap().name, "old");
    let all_old = count(&d.t.odm, "tank_labels", doc! { "tank_name": "old" }).await;
    assert_eq!((all_old, jobs(&d.t.odm).await.len()), (3, 0));
}

/// If a runner crashes after such a document, the next runner also retries this document, although it starts behind it.
#[tokio::test]
async fn a_runner_that_goes_on_behind_such_a_document_does_not_forget_it() {
    let d = Depot::new("failures_resumed", 5, &[2]).await;
    let odm = by_jobs(&d.t.odm);
    d.rename(&odm, "new").await;
    later(&odm).await;
    // The state after the process has ended in the middle of the last look.
    let job = jobs(&odm).await.remove(0);
    let cursor = doc! {
        "_id": job.get("_id").unwrap(), "version": job.get("version").unwrap(), "token": 1_i64,
        "until": DateTime::MIN, "tie": "Label.tank <- Tank", "lo": &d.sealed[0],
    };
    put(&odm, "_odm_cursors", [cursor]).await;
    odm.run_pending_jobs().await.unwrap();
    d.expect_all_but_sealed("new", "").await;
    d.expect_all_later("new", "").await;
}

/// A document with a different structure is treated like a document that rejects its copy.
#[tokio::test]
async fn a_document_of_another_shape_stops_no_other() {
    let t = empty("failures_shape").await;
    let sync = t.odm.sync_indexes().only::<Bolt>().only::<Ledger>();
    sync.await.unwrap();
    let bolt = Bolt {
        id: Id::new(),
        name: "old".to_owned(),
    };
    t.given(&[bolt.clone()]).await;
    let part = |name: &str| doc! { "id": bolt.id, "name": name };
    let ledger =
        |part: Bson| doc! { "_id": ObjectId::new(), "orders": [{ "lines": [{ "part": part }] }] };
    let good: Vec<Document> = (0..3).map(|_| ledger(part("old").into())).collect();
    let odd = ledger(Bson::from(vec![part("old")]));
    put(&t.odm, "ledgers", good.iter().cloned().chain([odd.clone()])).await;
    for (way, odm) in both_ways(&t.odm) {
        let rename = Bolt::update(&odm, bolt.id).set(Bolt::fields().name, way);
        let report = rename.await.unwrap().copies.remove(0);
        assert_eq!(report.modified, 3, "{way}");
        let renamed = doc! { "orders.0.lines.0.part.name": way };
        assert_eq!(count(&odm, "ledgers", renamed).await, 3, "{way}");
        assert!(all(&odm, "ledgers").await.contains(&odd), "{way}");
    }
}

/// A source is not written if its job cannot be stored, in updates of one document and of many documents.
#[tokio::test]
async fn a_source_is_not_written_without_its_job() {
    let d = Depot::new("failures_no_job", 2, &[]).await;
    d.t.given(&[Tank {
        id: Id::new(),
        name: "old".to_owned(),
    }])
    .await;
    d.rename(&d.t.odm, "older").await;
    settle(&d.t.odm).await;
    d.rename(&d.t.odm, "old").await;
    settle(&d.t.odm).await;
    validate(&d.t.odm, "_odm_jobs", doc! { "no": "job" }).await;
    let name = Tank::fields().name;
    for (way, odm) in both_ways(&d.t.odm) {
        Tank::update(&odm, d.tank.id)
            .set(name, "new")
            .await
            .unwrap_err();
        let many = Tank::update_many(&odm, name.eq("old")).set(name, "new");
        let many = tokio::time::timeout(std::time::Duration::from_secs(10), many.into_future());
        many.await.unwrap().unwrap_err();
        assert_eq!(
            count(&odm, "tanks", doc! { "name": "old" }).await,
            2,
            "{way}"
        );
        assert_eq!(
            count(&odm, "tank_labels", doc! { "tank_name": "old" }).await,
            2,
            "{way}"
        );
    }
}
