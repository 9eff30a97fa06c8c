//! Deltas for a parent that many callers write concurrently. A little later, the deltas are folded
//! into the parent.

use std::time::Duration;

use mongo_odm::{Settings, Settle};

use super::*;

async fn deltas(odm: &Odm) -> u64 {
    count(odm, "_odm_deltas", doc! {}).await
}

/// Returns a handle whose background task folds deltas.
fn folding(odm: &Odm) -> Odm {
    let settings: Settings = odm.settings().clone().settle(Settle::Background);
    odm.with_settings(settings)
}

async fn until_folded(odm: &Odm) {
    for _ in 0..200 {
        if deltas(odm).await == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("deltas are left");
}

#[tokio::test]
async fn what_is_deferred_is_a_delta_until_somebody_folds() {
    let t = weather("computed_deferred").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    reading(north.id, 1).insert(&t.odm).await.unwrap();
    for number in 2..5 {
        let new = reading(north.id, number);
        let report = new.insert(&t.odm).deferred().await.unwrap();
        let guarantee = report.copies[0].guarantee;
        assert_eq!(guarantee, mongo_odm::Guarantee::Eventual);
    }
    assert_eq!(deltas(&t.odm).await, 3);
    assert_eq!(Station::get(&t.odm, north.id).await.unwrap().readings, 1);
    // Pending deltas are not drift.
    let drift = t.odm.verify().only::<Station>().await.unwrap();
    assert!(drift.is_empty(), "{drift}");
    let report = t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(report.folded, 3);
    assert_right(&t.odm, "folded").await;
    assert_eq!(deltas(&t.odm).await, 0);
}

#[tokio::test]
async fn who_computes_anew_takes_deltas_for_done() {
    let t = weather("computed_anew").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    let waiting: Vec<Reading> = (0..6).map(|number| reading(north.id, number)).collect();
    for new in &waiting {
        new.insert(&t.odm).deferred().await.unwrap();
    }
    // The delta of this reading also waits, and must not add the reading to the list again.
    Reading::delete(&t.odm, waiting[5].id).await.unwrap();
    t.odm.run_pending_jobs().await.unwrap();
    assert_right(&t.odm, "deleted before it was folded").await;

    for number in 10..13 {
        reading(north.id, number)
            .insert(&t.odm)
            .deferred()
            .await
            .unwrap();
    }
    let saved = Station::get(&t.odm, north.id).await.unwrap();
    saved.save(&t.odm).await.unwrap();
    assert_right(&t.odm, "saved").await;
    settle(&t.odm).await;
    assert_right(&t.odm, "and folded").await;

    for number in 20..23 {
        reading(north.id, number)
            .insert(&t.odm)
            .deferred()
            .await
            .unwrap();
    }
    Station::delete(&t.odm, north.id).await.unwrap();
    settle(&t.odm).await;
    assert_eq!(count(&t.odm, "stations", doc! {}).await, 0);
    assert_eq!(deltas(&t.odm).await, 0);
    north.insert(&t.odm).await.unwrap();
    assert_right(&t.odm, "once more").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn many_writers_of_one_parent_leave_deltas_and_lose_none() {
    let t = weather("computed_hot").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    let odm = folding(&t.odm);
    let writer = |number: i64| {
        let (odm, north) = (odm.clone(), north.id);
        async move {
            let mut deferred = 0;
            for step in 0..25 {
                let new = reading(north, number * 100 + step);
                let report = new.insert(&odm).await.unwrap();
                let eventual = mongo_odm::Guarantee::Eventual;
                deferred += u64::from(report.copies[0].guarantee == eventual);
                if step % 10 == 9 {
                    Reading::delete(&odm, new.id).await.unwrap();
                }
            }
            deferred
        }
    };
    let writers: Vec<_> = (0..16).map(|number| tokio::spawn(writer(number))).collect();
    let mut deferred = 0;
    for writer in writers {
        deferred += writer.await.unwrap();
    }
    assert!(deferred > 0, "nobody met anybody");
    until_folded(&t.odm).await;
    // A fold leaves several decimals of one parent to a job, which may be running.
    t.odm.run_pending_jobs().await.unwrap();
    assert_right(&t.odm, "after the storm").await;
    settle(&t.odm).await;
    assert_right(&t.odm, "at the end").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_folders_and_a_rebuild_meet() {
    let t = weather("computed_folders").await;
    let north = station("north");
    north.insert(&t.odm).await.unwrap();
    for round in 0..10 {
        for number in 0..5 {
            let new = reading(north.id, round * 10 + number);
            new.insert(&t.odm).deferred().await.unwrap();
        }
        let gone = Reading::find_one(&t.odm).await.unwrap().unwrap();
        let (one, other, deleted) = tokio::join!(
            t.odm.run_pending_jobs(),
            t.odm.run_pending_jobs(),
            Reading::delete(&t.odm, gone.id)
        );
        one.unwrap();
        other.unwrap();
        deleted.unwrap();
        t.odm.run_pending_jobs().await.unwrap();
        assert_right(&t.odm, &format!("round {round}")).await;
    }
    assert_eq!(deltas(&t.odm).await, 0);
}

/// An archive with a short list of long elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "archives")]
struct Archive {
    #[serde(rename = "_id")]
    id: Id<Archive>,
    #[recent(of = "Page", via = "archive", sort = "number", limit = 20)]
    newest: Vec<PageText>,
    #[rollup(count, of = "Page", via = "archive")]
    pages: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Model)]
#[model(collection = "archive_pages")]
struct Page {
    #[serde(rename = "_id")]
    id: Id<Page>,
    #[parent_ref]
    archive: Id<Archive>,
    number: i64,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Projection)]
#[projection(of = "Page")]
struct PageText {
    number: i64,
    text: String,
}

/// The new children do not fit into one statement, and the list has room for only a few of them.
#[tokio::test]
async fn newcomers_that_no_statement_holds_are_kept_as_far_as_there_is_room() {
    let t = empty("computed_large").await;
    t.odm
        .sync_indexes()
        .only::<Archive>()
        .only::<Page>()
        .await
        .unwrap();
    let archive = Archive {
        id: Id::new(),
        newest: Vec::new(),
        pages: 0,
    };
    archive.insert(&t.odm).await.unwrap();
    let pages = |from: i64, to: i64, length: usize| -> Vec<Page> {
        let page = |number| Page {
            id: Id::new(),
            archive: archive.id,
            number,
            text: "x".repeat(length),
        };
        (from..to).map(page).collect()
    };
    // 20 MB at once, and a list that is larger than what is added in one statement.
    let batches = [(0, 200, 100_000), (200, 222, 450_000)];
    for (deferred, (from, to, length)) in [false, true]
        .into_iter()
        .flat_map(|it| batches.map(|of| (it, of)))
    {
        let from = if deferred { from + 1_000 } else { from };
        let to = if deferred { to + 1_000 } else { to };
        let new = pages(from, to, length);
        let insert = Page::insert_many(&t.odm, &new);
        let insert = if deferred { insert.deferred() } else { insert };
        insert.await.unwrap();
        t.odm.run_pending_jobs().await.unwrap();
        let stored = Archive::get(&t.odm, archive.id).await.unwrap();
        let all = count(&t.odm, "archive_pages", doc! {}).await;
        assert_eq!(stored.pages.unsigned_abs(), all);
        let newest: Vec<i64> = stored.newest.iter().map(|page| page.number).collect();
        assert_eq!(newest, (to - 20..to).collect::<Vec<_>>());
    }
    settle(&t.odm).await;
}

/// The validator of another program rejects one parent. The deltas of the other parents are applied.
#[tokio::test]
async fn a_parent_that_the_server_rejects_keeps_no_other_parent_from_its_deltas() {
    let t = weather("computed_rejected").await;
    let (north, south) = (station("north"), station("south"));
    t.given(&[north.clone(), south.clone()]).await;
    // A station without a reading has no minimum yet, so a job would compute its summaries.
    for (number, station) in (11..).zip([north.id, south.id]) {
        reading(station, number).insert(&t.odm).await.unwrap();
    }
    t.odm.run_pending_jobs().await.unwrap();
    let validator = doc! { "$or": [{ "name": { "$ne": "north" } }, { "readings": 1 }] };
    validate(&t.odm, "stations", validator).await;
    for (number, station) in [north.id, south.id, north.id, south.id].iter().enumerate() {
        let new = reading(*station, i64::try_from(number).unwrap());
        new.insert(&t.odm).deferred().await.unwrap();
    }
    let report = t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(report.folded, 2, "{report}");
    assert_eq!(deltas(&t.odm).await, 2);
    assert_eq!(Station::get(&t.odm, south.id).await.unwrap().readings, 3);
    assert_eq!(Station::get(&t.odm, north.id).await.unwrap().readings, 1);

    validate(&t.odm, "stations", doc! {}).await;
    t.odm.run_pending_jobs().await.unwrap();
    assert_eq!(deltas(&t.odm).await, 0);
    assert_right(&t.odm, "without the validator").await;
}
