//! Compares the places where a cluster can store the job of a rename. The renames are hand-written, and each has 100
//! copies on one shard.
//!
//! | place | commit |
//! |---|---|
//! | the primary shard, as the library does | two phases if the copies are on another shard |
//! | a collection that is sharded by the hashed key | two phases for half of the keys |
//! | a collection with one zone per shard | one phase, as long as the source does not move |
//! | a marker in the source | one phase |
//!
//! The baseline stores no job, so an interrupted rename would never be finished.

use mongo_odm::{
    Odm,
    mongodb::{
        ClientSession,
        bson::{Bson, Document},
    },
    prelude::*,
};
use mongo_odm_testkit::Cluster;
use odm_benches::{
    Result,
    measure::{Variant, check, measure, median},
    report::Ratio,
    table::{Limit, Table},
};

use crate::{
    Options,
    models::{SECOND, shard_of_jobs},
    rename::{Names, READINGS, renames},
};

/// Where a rename stores its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// Nowhere.
    None,
    /// In a collection that is not sharded.
    Primary,
    /// In a collection that is sharded by the hashed key of the source.
    Hashed,
    /// In a collection whose shard key begins with the number of the source's shard.
    Zone,
    /// In the source itself.
    Marker,
}

const HOMES: [(Home, &str); 5] = [
    (Home::None, "no job"),
    (Home::Primary, "job on the primary shard"),
    (Home::Hashed, "job sharded by the hashed key"),
    (Home::Zone, "job in the zone of the source"),
    (Home::Marker, "marker in the source"),
];

impl Home {
    /// The collection of the jobs.
    const fn collection(self) -> &'static str {
        match self {
            Self::Hashed => "bench_jobs_hashed",
            Self::Zone => "bench_jobs_zones",
            Self::None | Self::Primary | Self::Marker => "bench_jobs",
        }
    }

    fn update_of_source(self, name: &str) -> Document {
        let mut update = doc! { "$set": { "name": name } };
        if self == Self::Marker {
            update.insert("$currentDate", doc! { "due": true });
        }
        update
    }

    /// Stores the job of a source.
    async fn store(self, odm: &Odm, id: i32, session: &mut ClientSession) -> Result<()> {
        let job = match self {
            Self::None | Self::Marker => return Ok(()),
            Self::Primary | Self::Hashed => doc! { "_id": id },
            Self::Zone => doc! { "_id": id, "zone": i32::from(id >= SECOND) },
        };
        let due = doc! { "$set": { "state": "due" }, "$inc": { "version": 1 }, "$currentDate": { "at": true } };
        let jobs = odm.database().collection::<Document>(self.collection());
        jobs.update_one(job, due)
            .upsert(true)
            .session(session)
            .await?;
        Ok(())
    }
}

/// Compares the places of the jobs, for renames on the shard of the jobs and on the other shard.
pub(crate) async fn run(
    cluster: &Cluster,
    odm: &Odm,
    options: &Options,
    table: &mut Table,
) -> Result<()> {
    create(cluster, odm).await?;
    for (shard, first) in [("the primary shard", 0), ("the other shard", SECOND)] {
        let variants = HOMES.map(|(home, _)| by_hand(odm, READINGS, first, home));
        check(&variants, 4).await?;
        let rounds = measure(&variants, 1, options.seconds, options.least, None).await?;
        let of = |at: usize| {
            let samples = rounds.samples.iter();
            samples.filter_map(move |round| Some(round.get(at)?.time))
        };
        let text = |at| format!("{:.2} ms", median(of(at)));
        for (at, (_, name)) in HOMES.iter().enumerate().skip(1) {
            let ratio = Ratio::of(of(at).zip(of(0)));
            let title = format!("copies on {shard}, {name}");
            table.row(&title, &text(at), &text(0), &ratio, Limit::None);
        }
    }
    Ok(())
}

/// Creates the collections of the jobs, because a transaction on several shards cannot create them.
async fn create(cluster: &Cluster, odm: &Odm) -> Result<()> {
    let (database, name) = (odm.database(), odm.database().name());
    for home in [Home::Primary, Home::Hashed, Home::Zone] {
        database.create_collection(home.collection()).await?;
    }
    let namespace = |home: Home| format!("{name}.{}", home.collection());
    let hashed = doc! { "_id": "hashed" };
    cluster
        .shard_collection(&namespace(Home::Hashed), hashed)
        .await?;
    let zones = namespace(Home::Zone);
    cluster
        .shard_collection(&zones, doc! { "zone": 1, "_id": 1 })
        .await?;
    let second = doc! { "zone": 1, "_id": Bson::MinKey };
    cluster.split(&zones, second).await?;
    let primary = shard_of_jobs(cluster, odm).await?;
    for (zone, shard) in [(0, primary), (1, 1 - primary)] {
        let inside = doc! { "zone": zone, "_id": 0 };
        cluster.move_chunk(&zones, inside, shard).await?;
    }
    Ok(())
}

/// Renames a document and its copies in one transaction, and stores the job in the same transaction.
pub(crate) fn by_hand(
    odm: &Odm,
    [sources, copies, key, copy]: Names,
    first: i32,
    home: Home,
) -> Variant {
    renames(odm, move |odm, at, name| async move {
        let id = first + at;
        let database = odm.database();
        let mut session = database.client().start_session().await?;
        session.start_transaction().await?;
        home.store(&odm, id, &mut session).await?;
        database
            .collection::<Document>(sources)
            .update_one(doc! { "_id": id }, home.update_of_source(&name))
            .session(&mut session)
            .await?;
        let renamed = database
            .collection::<Document>(copies)
            .update_many(doc! { key: id }, doc! { "$set": { copy: name } })
            .session(&mut session)
            .await?;
        session.commit_transaction().await?;
        Ok(renamed.modified_count)
    })
}
