//! The servers, the initial documents, and the wait for all work to end.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::TryStreamExt;
use mongo_odm::{
    bson::Document,
    mongodb::{Client, Database, options::ClientOptions},
    prelude::*,
};
use tokio::time::sleep;

use crate::{
    figures::Figures,
    games::{GAMES, Game, game},
    models::{Host, LogMsg, Part, host, messages, part},
    process::{Process, declare_older},
    program::{
        BLOGGERS, DATABASE, HOSTS, PAIRS, PARTS, blogger_id, host_id, is_sharded, part_id, settings,
    },
    role::Role,
    servers::Servers,
    shards,
    shelves::{Crate, Item, SHELVES, Shelf, shelf},
    tallies,
    transactions::{Portrait, Twin},
    tree::Blogger,
};

pub(crate) struct Setting {
    pub(crate) servers: Servers,
    pub(crate) database: Database,
    pub(crate) seed: u64,
}

/// The jobs, cursors and deltas that remain when all jobs should be done, at most 200 each.
pub(crate) struct Settled {
    pub(crate) jobs: Vec<Document>,
    pub(crate) cursors: Vec<Document>,
    pub(crate) deltas: Vec<Document>,
}

impl Setting {
    pub(crate) async fn start(seed: u64) -> Self {
        let servers = Servers::start().await;
        let database = client(servers.uri()).await.database(DATABASE);
        if let Servers::Cluster(cluster) = &servers {
            shards::shard(cluster).await;
        }
        let odm = Odm::new(database.clone()).with_settings(settings());
        odm.sync_indexes().await.unwrap();
        // The declarations look old, so no job waits for programs that may not have read them yet.
        odm.run_pending_jobs().await.unwrap();
        declare_older(servers.uri());
        let validated = odm.sync_validators().only::<Shelf>().only::<Crate>();
        validated.only::<Item>().only::<Game>().await.unwrap();
        let known = doc! { "declared_at": DateTime::MIN, "fields.$[].declared_at": DateTime::MIN };
        let schema = database.collection::<Document>("_odm_schema");
        schema
            .update_many(doc! {}, doc! { "$set": known })
            .await
            .unwrap();
        fill(&odm).await;
        Self {
            servers,
            database,
            seed,
        }
    }

    /// Returns a client of one node, whatever its state in the replica set, or of the front of a cluster.
    pub(crate) async fn node(&self, number: usize) -> Client {
        if let Servers::Cluster(cluster) = &self.servers {
            return client(cluster.uri()).await;
        }
        let hosts = self.servers.uri().trim_start_matches("mongodb://");
        let hosts = hosts.split('/').next().unwrap_or_default();
        let host = hosts.split(',').nth(number).unwrap();
        client(&format!("mongodb://{host}/?directConnection=true")).await
    }

    /// Runs all jobs until none is left. Jobs of dead runners wait for half a minute. Each version runs the jobs for
    /// its declarations.
    pub(crate) async fn settle(&self, figures: &Arc<Figures>) -> Settled {
        let _older = Process::start(Role::OlderWorker, self.servers.uri(), 0, figures);
        let odm = Odm::new(self.database.clone()).with_settings(settings());
        let start = Instant::now();
        let is_waiting =
            async || self.count("_odm_jobs").await + self.count("_odm_deltas").await > 0;
        // The grace period is longer on a cluster, and so is the time until all programs know a new declaration.
        let limit = Duration::from_secs(if is_sharded() { 300 } else { 120 });
        while is_waiting().await && start.elapsed() < limit {
            if let Err(error) = odm.run_pending_jobs().await {
                eprintln!("jobs are run again after {error}");
            }
            sleep(Duration::from_millis(500)).await;
        }
        Settled {
            jobs: self.some("_odm_jobs").await,
            cursors: self.some("_odm_cursors").await,
            deltas: self.some("_odm_deltas").await,
        }
    }

    async fn some(&self, collection: &str) -> Vec<Document> {
        let collection = self.database.collection::<Document>(collection);
        let found = collection.find(doc! {}).limit(200).await.unwrap();
        found.try_collect().await.unwrap()
    }

    async fn count(&self, collection: &str) -> u64 {
        let collection = self.database.collection::<Document>(collection);
        collection.count_documents(doc! {}).await.unwrap()
    }
}

pub(crate) async fn client(uri: &str) -> Client {
    Client::with_options(ClientOptions::parse(uri).await.unwrap()).unwrap()
}

/// Stores hosts, of which some have more messages than one transaction or one batch can update.
async fn fill(odm: &Odm) {
    let hosts = (0..HOSTS).map(|number| Host {
        id: host_id(number),
        ..host(u8::try_from(number).unwrap())
    });
    let hosts: Vec<_> = hosts.collect();
    Host::insert_many(odm, &hosts).await.unwrap();
    let parts = (0..PARTS).map(|number| Part {
        id: part_id(number),
        ..part(number.cast_signed())
    });
    Part::insert_many(odm, &parts.collect::<Vec<_>>())
        .await
        .unwrap();
    for (at, host) in hosts.iter().enumerate() {
        let count = [2_500, 1_200].get(at).copied().unwrap_or(50);
        LogMsg::insert_many(odm, &messages(host, count))
            .await
            .unwrap();
    }
    let bloggers = (0..BLOGGERS).map(|number| Blogger {
        id: blogger_id(number),
        name: format!("blogger {number}"),
        posts: 0,
        comments: 0,
        latest: Vec::new(),
        all_posts: Vec::new(),
    });
    let bloggers: Vec<_> = bloggers.collect();
    Blogger::insert_many(odm, &bloggers).await.unwrap();
    let games: Vec<_> = (0..GAMES).map(game).collect();
    Game::insert_many(odm, &games).await.unwrap();
    let shelves: Vec<_> = (0..SHELVES).map(shelf).collect();
    Shelf::insert_many(&odm.all_tenants(), &shelves)
        .await
        .unwrap();
    let twins = (0..2 * PAIRS.cast_signed()).map(|number| Twin {
        id: Id::from_key(number),
        name: "both".to_owned(),
    });
    let twins: Vec<_> = twins.collect();
    Twin::insert_many(odm, &twins).await.unwrap();
    tallies::fill(odm).await.unwrap();
    let portrait = |twin: &Twin| Portrait {
        id: Id::new(),
        twin: twin.id,
        name: "both".to_owned(),
    };
    let portraits = twins
        .iter()
        .flat_map(|twin| [portrait(twin), portrait(twin), portrait(twin)]);
    Portrait::insert_many(odm, &portraits.collect::<Vec<_>>())
        .await
        .unwrap();
}
